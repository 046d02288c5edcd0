//! The library's options, each with a number, to which `lib/options.js` assigns the name in
//! JavaScript. That file also knows the possible values and makes error messages; methods here only
//! return whether a value is valid.

#![allow(clippy::float_cmp)] // In what the macro makes of an enum.

use std::mem;

use barelink::{Dialect, LinkAttributes, Markup, Options, RawHtml, Reading, SoftBreaks, Urls};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::Engine;

/// Every option. In JavaScript, `PolicyRawHtml` is `policy.rawHtml`.
#[wasm_bindgen]
#[derive(Clone, Copy)]
pub enum Setting {
    Preset,
    Tables,
    Strikethrough,
    SingleTilde,
    Mark,
    Superscript,
    Subscript,
    TaskLists,
    TagFilter,
    Footnotes,
    Alerts,
    Math,
    WikiLinks,
    FrontMatter,
    CjkFriendlyEmphasis,
    DefinitionLists,
    HeadingAttributes,
    Emoji,
    SmartPunctuation,
    Markup,
    Reading,
    Schemes,
    AutolinksDialect,
    AutolinksUrl,
    AutolinksWww,
    AutolinksEmail,
    AutolinksDomains,
    AutolinksSchemes,
    PolicyRawHtml,
    PolicyUrls,
    PolicyBareRel,
    PolicyBareTargetBlank,
    PolicyExternalRel,
    PolicyExternalTargetBlank,
    PolicyOwnHosts,
    PolicyHttps,
    PolicyHeadingIds,
    PolicyIdPrefix,
    PolicySourcePositions,
    PolicySoftBreaks,
}

/// A value.
enum Value {
    Flag(bool),
    /// The index of a choice, in the order of the library.
    Choice(usize),
    Text(Option<String>),
    List(Vec<String>),
}

/// Each method sets an option, and returns whether it has such values.
#[wasm_bindgen]
impl Engine {
    #[wasm_bindgen(js_name = turnOn)]
    pub fn turn_on(&mut self, setting: Setting) -> bool {
        self.set(setting, Value::Flag(true))
    }

    #[wasm_bindgen(js_name = turnOff)]
    pub fn turn_off(&mut self, setting: Setting) -> bool {
        self.set(setting, Value::Flag(false))
    }

    pub fn choose(&mut self, setting: Setting, idx: usize) -> bool {
        self.set(setting, Value::Choice(idx))
    }

    #[wasm_bindgen(js_name = setText)]
    pub fn set_text(&mut self, setting: Setting, value: Option<String>) -> bool {
        self.set(setting, Value::Text(value))
    }

    #[wasm_bindgen(js_name = setList)]
    pub fn set_list(&mut self, setting: Setting, value: Vec<String>) -> bool {
        self.set(setting, Value::List(value))
    }
}

impl Engine {
    fn set(&mut self, setting: Setting, value: Value) -> bool {
        let mut options = self.parser.options().clone();
        let is_set = match value {
            Value::Flag(value) => flag(setting, &mut options).map(|it| *it = value),
            Value::Choice(idx) => choose(setting, idx, &mut options),
            Value::Text(value) => set_text(setting, value, &mut options),
            Value::List(value) => set_list(setting, value, &mut options),
        };
        self.parser.set_options(options);
        is_set.is_some()
    }
}

fn flag(setting: Setting, options: &mut Options) -> Option<&mut bool> {
    let policy = &mut options.policy;
    Some(match setting {
        Setting::Tables => &mut options.tables,
        Setting::Strikethrough => &mut options.strikethrough,
        Setting::SingleTilde => &mut options.single_tilde,
        Setting::Mark => &mut options.mark,
        Setting::Superscript => &mut options.superscript,
        Setting::Subscript => &mut options.subscript,
        Setting::TaskLists => &mut options.task_lists,
        Setting::TagFilter => &mut options.tag_filter,
        Setting::Footnotes => &mut options.footnotes,
        Setting::Alerts => &mut options.alerts,
        Setting::Math => &mut options.math,
        Setting::WikiLinks => &mut options.wiki_links,
        Setting::FrontMatter => &mut options.front_matter,
        Setting::CjkFriendlyEmphasis => &mut options.cjk_friendly_emphasis,
        Setting::DefinitionLists => &mut options.definition_lists,
        Setting::HeadingAttributes => &mut options.heading_attributes,
        Setting::Emoji => &mut options.emoji,
        Setting::SmartPunctuation => &mut options.smart_punctuation,
        Setting::AutolinksUrl => &mut options.autolinks.url,
        Setting::AutolinksWww => &mut options.autolinks.www,
        Setting::AutolinksEmail => &mut options.autolinks.email,
        Setting::AutolinksDomains => &mut options.autolinks.domains,
        Setting::PolicyBareTargetBlank => &mut policy.bare.target_blank,
        Setting::PolicyExternalTargetBlank => &mut policy.external.target_blank,
        Setting::PolicyHttps => &mut policy.https,
        Setting::PolicyHeadingIds => &mut policy.heading_ids,
        Setting::PolicySourcePositions => &mut policy.source_positions,
        _ => return None,
    })
}

fn choose(setting: Setting, idx: usize, options: &mut Options) -> Option<()> {
    let policy = &mut options.policy;
    match setting {
        Setting::Preset => *options = Options::preset(Options::PRESETS.get(idx)?)?,
        Setting::Markup => options.markup = *Markup::ALL.get(idx)?,
        Setting::Reading => options.reading = *Reading::ALL.get(idx)?,
        // Index 0 is for no dialect.
        Setting::AutolinksDialect => {
            options.autolinks.dialect = match idx.checked_sub(1) {
                Some(idx) => Some(*Dialect::ALL.get(idx)?),
                None => None,
            };
        }
        Setting::PolicyRawHtml => policy.raw_html = *RawHtml::ALL.get(idx)?,
        Setting::PolicySoftBreaks => policy.soft_breaks = *SoftBreaks::ALL.get(idx)?,
        Setting::PolicyUrls => policy.urls = if idx == 0 { Urls::Safe } else { Urls::Any },
        _ => return None,
    }
    Some(())
}

fn set_text(setting: Setting, value: Option<String>, options: &mut Options) -> Option<()> {
    let policy = &mut options.policy;
    let set_rel = |attributes: &mut LinkAttributes, value: Option<String>| {
        attributes.rel = value.map(Into::into);
    };
    match setting {
        Setting::PolicyBareRel => set_rel(&mut policy.bare, value),
        Setting::PolicyExternalRel => set_rel(&mut policy.external, value),
        Setting::PolicyIdPrefix => policy.id_prefix = value?.into(),
        _ => return None,
    }
    Some(())
}

fn set_list(setting: Setting, value: Vec<String>, options: &mut Options) -> Option<()> {
    let policy = &mut options.policy;
    match setting {
        Setting::Schemes | Setting::AutolinksSchemes => {
            options.schemes = value.iter().map(|it| scheme(it)).collect();
            // Links with these schemes are also allowed, as in the command.
            policy.urls = mem::take(&mut policy.urls).and_schemes(options.schemes.iter().cloned());
        }
        Setting::PolicyOwnHosts => policy.own_hosts = value,
        Setting::PolicyUrls => policy.urls = Urls::Schemes(value),
        _ => return None,
    }
    Some(())
}

/// A scheme in the form that the library expects.
fn scheme(name: &str) -> String {
    name.trim_end_matches(':').to_ascii_lowercase()
}

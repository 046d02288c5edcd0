//! Every choice of options, from a number: for tests that try them at random
//! and want to name what they tried.
//!
//! | bits | what |
//! |---|---|
//! | 0–2 | the preset; from 5 on with emphasis beside East Asian characters switched |
//! | 3–9 | what is switched from it: extensions, markup |
//! | 10–12 | another dialect of bare links, from 4 on |
//! | 13–15 | kinds of bare links switched off |
//! | 16–19 | raw HTML and destinations: safe unless both bits are set |
//! | 20–29 | everything that adds to the output |
//! | 30 | front matter, and the other reading of the extensions |
//! | 31 | lists of schemes and hosts of one's own |
//!
//! Of every three numbers, one also turns on further extensions, by a hash of it.
//!
//! The number 0 is `commonmark` as it is.

use barelink::{Autolinks, Dialect, Markup, Options, Policy, RawHtml, Reading, SoftBreaks, Urls};

/// The options of this number.
pub(crate) fn options_of(bits: u32) -> Options {
    let is_set = |bit: u32| bits >> bit & 1 == 1;
    let presets = Options::PRESETS;
    let name = presets[(bits & 7) as usize % presets.len()];
    let mut options = Options::preset(name).expect("a listed preset exists");
    options.tables ^= is_set(3);
    options.strikethrough ^= is_set(4);
    options.task_lists ^= is_set(5);
    options.tag_filter ^= is_set(6);
    options.footnotes ^= is_set(7);
    options.alerts ^= is_set(8);
    if is_set(9) {
        options.markup = Markup::Md4c;
    }
    if is_set(12) {
        options.autolinks = Autolinks::new(Dialect::ALL[(bits >> 10 & 3) as usize]);
    }
    options.cjk_friendly_emphasis ^= bits & 7 >= 5;
    options.autolinks.url = !is_set(13);
    options.autolinks.www = !is_set(14);
    options.autolinks.email = !is_set(15);
    options.front_matter = is_set(30);
    if is_set(30) {
        options.reading = match options.reading {
            Reading::Specification => Reading::CmarkGfm,
            _ => Reading::Specification,
        };
    }
    if bits.count_ones().is_multiple_of(3) {
        add_extensions(bits.wrapping_mul(0x9E37_79B9) >> 8, &mut options);
    }
    options.policy = policy_of(bits);
    options
}

/// All extensions at once, and the preset that has most of them.
#[allow(dead_code)] // Not every test that has this file asks for it.
pub(crate) fn everything() -> Options {
    let mut options = Options::natural();
    add_extensions(u32::MAX, &mut options);
    options
}

/// Switches the extensions that are off in every preset, each by a bit.
fn add_extensions(bits: u32, options: &mut Options) {
    let is_set = |bit: u32| bits >> bit & 1 == 1;
    options.mark = is_set(0);
    options.superscript = is_set(1);
    options.subscript = is_set(2);
    options.single_tilde = !is_set(3);
    options.definition_lists = is_set(4);
    options.heading_attributes = is_set(5);
    options.emoji ^= is_set(6);
    options.math |= is_set(7);
    options.wiki_links = is_set(8);
    options.smart_punctuation = is_set(9);
}

fn policy_of(bits: u32) -> Policy {
    let is_set = |bit: u32| bits >> bit & 1 == 1;
    let mut policy = Policy::SAFE;
    policy.raw_html = match bits >> 16 & 3 {
        3 => RawHtml::Pass,
        2 => RawHtml::Drop,
        _ => RawHtml::Escape,
    };
    policy.urls = match (bits >> 18 & 3, is_set(31)) {
        (3, _) => Urls::Any,
        (2, false) => Urls::schemes(["http", "https", "mailto"]),
        (2, true) => Urls::schemes(["HTTPS"]),
        (1, true) => Urls::schemes(Vec::<String>::new()),
        (0, true) => Urls::schemes(["ftp", "x-y", "mailto"]),
        _ => Urls::Safe,
    };
    if is_set(31) {
        policy.own_hosts = vec!["a.bc".to_owned(), "*.a.bc".to_owned()];
    }
    policy.bare.rel = is_set(20).then_some("nofollow ugc".into());
    policy.bare.target_blank = is_set(21);
    policy.external.rel = is_set(22).then_some("noopener".into());
    policy.external.target_blank = is_set(23);
    policy.https = is_set(24);
    policy.heading_ids = is_set(25);
    policy.source_positions = is_set(26);
    policy.soft_breaks = match bits >> 27 & 3 {
        3 => SoftBreaks::Hard,
        2 => SoftBreaks::Space,
        _ => SoftBreaks::Newline,
    };
    if is_set(29) {
        policy.id_prefix = "doc-\"é:1_".into();
    }
    policy
}

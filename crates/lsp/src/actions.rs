//! What can be done about findings: quick fixes, all safe fixes at once, and a comment that
//! switches a rule off for a line.

use std::borrow::Cow;

use barelink::Span;
use barelink_check::{Checker, Edit, Finding, Fix, Flavor, Rule, Safety};
use serde_json::json;

use crate::diagnostics;
use crate::document::Document;
use crate::position::{Lines, Places};
use crate::protocol::{self, Client, CodeActionParams, FIX_ALL, written};

/// Trying a fix parses the blocks around it. This is the limit on their total length in bytes; one
/// fix is always tried.
const TRIED_MAX: usize = 256 << 10;

/// The maximum number of fixes that are offered, and of rules to disable.
const OFFERED_MAX: usize = 20;

/// For longer documents, the action that fixes all is offered only if the client asks for its kind,
/// and a worker prepares it.
const UNASKED_LEN_MAX: usize = 64 << 10;

/// The maximum length of a range that is checked: only a few actions are offered.
const RANGE_LEN_MAX: u32 = 16 << 10;

/// If there are more edits than this, nearby ones are joined: editors are slow with ten thousand
/// edits, and the message gets shorter. Fewer edits stay separate, so that marks and cursors
/// between them are preserved.
const EDITS_MAX: usize = 1000;

/// The maximum gap between two edits that are joined, in bytes.
const GAP_MAX: u32 = 64;

/// The actions for a range, as JSON.
pub(crate) struct Actions {
    pub(crate) list: Vec<String>,
    /// Whether to add the action that fixes all, which a worker prepares.
    pub(crate) wants_fix_all: bool,
}

/// The actions for a range. Only the blocks of the range are checked, so the client need not wait
/// for the check of a long document.
pub(crate) fn list(
    params: &CodeActionParams,
    document: &Document,
    checker: &mut Checker,
    client: Client,
) -> Actions {
    let only = params.context.only.as_deref();
    let wants = |kind: &str| only.is_none_or(|only| only.iter().any(|it| includes(it, kind)));
    let list = List { uri: &params.text_document.uri, document, client };
    let mut actions = Vec::new();
    if wants("quickfix") {
        list.quick_fixes(document.span(params.range, client.encoding), checker, &mut actions);
    }
    let is_short = document.text.len() <= UNASKED_LEN_MAX;
    let mut wants_fix_all = false;
    if wants(FIX_ALL) && (only.is_some() || is_short) {
        match document.known.fixes {
            None if is_short => actions.extend(list.fix_all(checker)),
            None if client.can_resolve => actions.push(list.fix_all_later()),
            _ => wants_fix_all = true,
        }
    }
    Actions { list: actions, wants_fix_all }
}

/// The action that applies all safe fixes, whose edit is given, in pieces.
pub(crate) fn fix_all(edit: &str) -> [&str; 5] {
    ["{\"title\":\"", FIX_ALL_TITLE, FIX_ALL_REST, edit, "}"]
}

const FIX_ALL_TITLE: &str = "Fix all links that can be fixed safely: the page stays as it is";

/// The JSON between title and edit.
const FIX_ALL_REST: &str = "\",\"kind\":\"source.fixAll.barelink\",\"edit\":";

/// The workspace edit for edits of this version of a document, as JSON.
pub(crate) fn workspace_edit(
    edits: &[Edit],
    uri: &str,
    version: i64,
    client: Client,
    mut places: Places<'_>,
) -> String {
    /// The length of most edits.
    const LEN: usize = 160;
    let uri = written(&uri);
    let (mut out, end) = if client.has_document_changes {
        let document = format!("{{\"uri\":{uri},\"version\":{version}}}");
        (format!("{{\"documentChanges\":[{{\"textDocument\":{document},\"edits\":["), "]}]}")
    } else {
        (format!("{{\"changes\":{{{uri}:["), "]}}")
    };
    let runs: Vec<&[Edit]> = if edits.len() > EDITS_MAX {
        edits.chunk_by(|one, two| two.span.start.saturating_sub(one.span.end) <= GAP_MAX).collect()
    } else {
        edits.chunks(1).collect()
    };
    out.reserve(runs.len() * LEN);
    for (idx, run) in runs.iter().enumerate() {
        if idx > 0 {
            out.push(',');
        }
        let (span, text) = joined(run, places.text());
        protocol::push_edit(places.range(span), &text, &mut out);
    }
    out.push_str(end);
    out
}

/// Joins edits, which are in order, into one.
fn joined<'e>(run: &'e [Edit], source: &'e str) -> (Span, Cow<'e, str>) {
    let mut text = Cow::Borrowed("");
    let Some(mut span) = run.first().map(|edit| Span::new(edit.span.start, edit.span.start)) else {
        return (Span::new(0, 0), text);
    };
    for edit in run {
        text += Span::new(span.end, edit.span.start).slice(source);
        text += &*edit.text;
        span.end = edit.span.end;
    }
    (span, text)
}

/// Whether a kind is equal to `outer` or below it: `source` includes `source.fixAll`.
fn includes(outer: &str, kind: &str) -> bool {
    let rest = kind.strip_prefix(outer);
    outer.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn touches(span: Span, range: Span) -> bool {
    span.start <= range.end && range.start <= span.end
}

/// The data that actions are made from.
struct List<'a> {
    uri: &'a str,
    document: &'a Document,
    client: Client,
}

impl List<'_> {
    fn places(&self) -> Places<'_> {
        Places::new(&self.document.text, &self.document.lines, self.client.encoding)
    }

    /// The workspace edit for the current version of the document.
    fn workspace_edit(&self, edits: &[Edit]) -> String {
        workspace_edit(edits, self.uri, self.document.version, self.client, self.places())
    }

    fn quick_fixes(&self, range: Span, checker: &mut Checker, actions: &mut Vec<String>) {
        let end = range.end.min(range.start.saturating_add(RANGE_LEN_MAX));
        let range = Span::new(range.start, end);
        // A document that is too long has no findings.
        let findings = checker.check_within(&self.document.text, range).unwrap_or_default();
        let there: Vec<&Finding> =
            findings.iter().filter(|finding| touches(finding.span, range)).collect();
        let fixed = there.iter().filter_map(|it| it.fix.as_deref().map(|fix| (*it, fix)));
        let (fixed, fixes): (Vec<_>, Vec<_>) = fixed.take(OFFERED_MAX).unzip();
        let tried = checker.fitting_each(&self.document.text, &fixes, TRIED_MAX);
        for ((finding, fix), edits) in fixed.iter().zip(&fixes).zip(tried.unwrap_or_default()) {
            actions.extend(edits.map(|edits| self.quick_fix(finding, fix, &edits)));
        }
        let mut rules: Vec<(Rule, usize)> = Vec::new();
        for finding in there {
            let line = self.document.lines.line_of(finding.span.start as usize);
            if !rules.contains(&(finding.rule, line)) && rules.len() < OFFERED_MAX {
                rules.push((finding.rule, line));
                actions.extend(self.disable(finding));
            }
        }
    }

    fn quick_fix(&self, finding: &Finding, fix: &Fix, edits: &[Edit]) -> String {
        let (code, is_safe) = (finding.rule.code(), fix.safety == Safety::Safe);
        let effect =
            if is_safe { "safe: the page stays as it is" } else { "unsafe: the page changes" };
        let title = format!("{} ({code}, {effect})", capitalized(fix.title));
        let preferred = if is_safe { ",\"isPreferred\":true" } else { ",\"isPreferred\":false" };
        self.action(&title, finding, preferred, edits)
    }

    fn disable(&self, finding: &Finding) -> Option<String> {
        let Document { text, lines, settings, .. } = self.document;
        let flavor = settings.as_ref()?.flavor;
        let (edit, reach) = comment(text, lines, flavor, finding)?;
        let (code, name) = (finding.rule.code(), finding.rule.name());
        let title = format!("Disable {code} ({name}) for this line, by a comment {reach}");
        Some(self.action(&title, finding, "", &[edit]))
    }

    /// A quick fix for a finding.
    fn action(&self, title: &str, finding: &Finding, more: &str, edits: &[Edit]) -> String {
        let title = written(&title);
        let diagnostic = written(&diagnostics::of_finding(finding, &mut self.places()));
        let edit = self.workspace_edit(edits);
        format!(
            "{{\"title\":{title},\"kind\":\"quickfix\",\"diagnostics\":[{diagnostic}]{more},\
             \"edit\":{edit}}}"
        )
    }

    /// The action that applies all safe fixes, with its edit.
    fn fix_all(&self, checker: &mut Checker) -> Option<String> {
        let edits = checker.safe_edits(&self.document.text).ok()??;
        Some(fix_all(&self.workspace_edit(&edits)).concat())
    }

    /// The action that applies all safe fixes, without its edit, which the client requests later.
    fn fix_all_later(&self) -> String {
        let data = json!({ "uri": self.uri });
        json!({ "title": FIX_ALL_TITLE, "kind": FIX_ALL, "data": data }).to_string()
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The edit that inserts a comment that disables a rule for a finding, and a word for its place.
///
/// On a line of its own, a comment would interrupt a paragraph or a list, so it is put above the
/// line of the finding only if that line starts a block. Otherwise it is appended to the line. A
/// table has no place for it.
fn comment(
    text: &str,
    lines: &Lines,
    flavor: Flavor,
    finding: &Finding,
) -> Option<(Edit, &'static str)> {
    let (open, close) = match flavor {
        Flavor::Mdx => ("{/*", "*/}"),
        _ => ("<!--", "-->"),
    };
    let written = |what: &str| format!("{open} barelink-{what} {} {close}", finding.rule.code());
    let line_idx = lines.line_of(finding.span.start as usize);
    let range = lines.line(text, line_idx);
    let line = &text[range.clone()];
    let is_first = line_idx == 0
        || text[lines.line(text, line_idx - 1)].trim_matches([' ', '\t', '\u{FEFF}']).is_empty();
    let starts_block = |c: char| c.is_alphabetic() || "[(\"'`<!#".contains(c);
    let has_mark = text.starts_with('\u{FEFF}') && line_idx == 0;
    if is_first && line.starts_with(starts_block) && !has_mark && !line.contains('|') {
        let end = &text[range.end..];
        let ending = if end.starts_with("\r\n") || text.contains("\r\n") { "\r\n" } else { "\n" };
        let at = Span::new(range.start as u32, range.start as u32);
        return Some((Edit::new(at, written("disable-next-line") + ending), "above"));
    }
    let content = line.trim_end_matches([' ', '\t', '\\']);
    let is_heading = line.trim_start_matches([' ', '>', '\t']).starts_with('#');
    if content.contains('|') || is_heading && content.ends_with('#') {
        return None;
    }
    let at = (range.start + content.len()) as u32;
    Some((Edit::new(Span::new(at, at), format!(" {}", written("disable-line"))), "after it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use barelink_check::Settings;

    fn apply(text: &str, edits: &[Edit]) -> String {
        let mut text = text.to_owned();
        for edit in edits.iter().rev() {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        text
    }

    #[test]
    fn the_action_that_fixes_all_is_json() {
        let action: serde_json::Value = serde_json::from_str(&fix_all("{}").concat()).unwrap();
        assert_eq!(action, json!({ "title": FIX_ALL_TITLE, "kind": FIX_ALL, "edit": {} }));
    }

    #[test]
    fn edits_that_follow_each_other_become_one() {
        let source = "a http://a.bc\n中http://d.ef";
        let edits = [
            Edit::new(Span::new(2, 13), "<http://a.bc>"),
            Edit::new(Span::new(17, 28), "<http://d.ef>"),
        ];
        let (span, text) = joined(&edits, source);
        assert_eq!((span, &*text), (Span::new(2, 28), "<http://a.bc>\n中<http://d.ef>"));
        let (span, text) = joined(&edits[1..], source);
        assert_eq!((span, &*text), (Span::new(17, 28), "<http://d.ef>"));
    }

    #[test]
    fn kinds_include_those_below_them() {
        assert!(includes("", FIX_ALL) && includes("source", FIX_ALL) && includes(FIX_ALL, FIX_ALL));
        assert!(includes("source.fixAll", FIX_ALL));
        assert!(!includes("source.fix", FIX_ALL) && !includes("quickfix", FIX_ALL));
    }

    #[test]
    fn comments_switch_the_rule_off_and_nothing_else_changes() {
        let mut checker = Checker::new(Settings::default());
        for (source, expected) in [
            ("http://localhost/x\n", "above"),
            ("a\n\n# http://localhost/x\r\nb\r\n", "above"),
            ("a\nsee http://localhost/x  \nb", "after it"),
            ("* http://localhost/x\n* b\n", "after it"),
            ("> a\n> http://localhost/x, a\\\n> b", "after it"),
            ("   http://localhost/x and [a](b)\n", "after it"),
        ] {
            let findings = checker.check(source).unwrap();
            let finding = &findings[0];
            let lines = Lines::new(source);
            let (edit, place) = comment(source, &lines, Flavor::Markdown, finding).unwrap();
            assert_eq!(place, expected, "{source:?}");
            let silent = apply(source, &[edit]);
            assert_eq!(checker.check(&silent).unwrap(), [], "{silent:?}");
            let html = |text: &str| {
                let options = &Settings::default().options;
                let html = barelink::to_html(text, options).unwrap();
                let (start, end) = ("<!-- barelink-", "-->");
                match (html.find(start), html.find(end)) {
                    (Some(from), Some(to)) => {
                        format!(
                            "{}{}",
                            html[..from].trim_end(),
                            html[to + 3..].trim_start_matches('\n')
                        )
                    }
                    _ => html,
                }
            };
            let (before, after) = (html(source).replace('\n', ""), html(&silent).replace('\n', ""));
            assert_eq!(before, after, "{silent:?}");
        }
        let table = "|a|\n|-|\n|http://localhost/x|\n";
        let findings = checker.check(table).unwrap();
        assert_eq!(comment(table, &Lines::new(table), Flavor::Markdown, &findings[0]), None);
    }
}

//! What can be done about findings: quick fixes, all safe fixes at once, and a comment that
//! switches a rule off for a line.

use barelink::Span;
use barelink_check::{Checker, Edit, Finding, Flavor, Rule, Safety};
use serde_json::{Value, json};

use crate::diagnostics;
use crate::document::Document;
use crate::position::{Lines, Places};
use crate::protocol::{Client, CodeActionParams, FIX_ALL, TextEdit};

/// Each fix is tried, and the blocks of the document are found for that: of so many bytes
/// altogether, or at least one fix.
const TRIED_MAX: usize = 8 << 20;

/// All fixes of a longer document are tried only if somebody asks for that.
const UNASKED_LEN_MAX: usize = 64 << 10;

/// The actions for a range. Its own blocks are checked for that, and no others, so nobody waits
/// until all of a long document has been checked.
pub(crate) fn list(
    params: &CodeActionParams,
    document: &Document,
    checker: &mut Checker,
    client: Client,
) -> Vec<Value> {
    let range = document.span(params.range, client.encoding);
    let only = params.context.only.as_deref();
    let wants = |kind: &str| only.is_none_or(|only| only.iter().any(|it| includes(it, kind)));
    let list = List { uri: &params.text_document.uri, document, client };
    let mut actions = Vec::new();
    if wants("quickfix") {
        // A document that is too long has no findings.
        let findings = checker.check_within(&document.text, range).unwrap_or_default();
        let there: Vec<&Finding> =
            findings.iter().filter(|finding| touches(finding.span, range)).collect();
        let n_tried = (TRIED_MAX / document.text.len().max(1)).clamp(1, 20);
        let fixes = there.iter().filter(|finding| finding.fix.is_some()).take(n_tried);
        actions.extend(fixes.filter_map(|finding| list.quick_fix(finding, checker)));
        let mut rules: Vec<(Rule, usize)> = Vec::new();
        for finding in there {
            let line = document.lines.line_of(finding.span.start as usize);
            if !rules.contains(&(finding.rule, line)) && rules.len() < 20 {
                rules.push((finding.rule, line));
                actions.extend(list.disable(finding));
            }
        }
    }
    let is_asked = only.is_some() || document.text.len() <= UNASKED_LEN_MAX;
    if wants(FIX_ALL) && is_asked {
        actions.extend(list.fix_all(checker));
    }
    actions
}

/// Whether a kind is another, or below it: `source` includes `source.fixAll`.
fn includes(outer: &str, kind: &str) -> bool {
    let rest = kind.strip_prefix(outer);
    outer.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn touches(span: Span, range: Span) -> bool {
    span.start <= range.end && range.start <= span.end
}

/// What actions are made of.
struct List<'a> {
    uri: &'a str,
    document: &'a Document,
    client: Client,
}

impl List<'_> {
    fn places(&self) -> Places<'_> {
        Places::new(&self.document.text, &self.document.lines, self.client.encoding)
    }

    /// Edits of the version that the document has now.
    fn workspace_edit(&self, edits: &[Edit]) -> Value {
        let mut places = self.places();
        let edits: Vec<TextEdit> = edits
            .iter()
            .map(|edit| TextEdit { range: places.range(edit.span), new_text: edit.text.clone() })
            .collect();
        if self.client.has_document_changes {
            let document = json!({ "uri": self.uri, "version": self.document.version });
            json!({ "documentChanges": [{ "textDocument": document, "edits": edits }] })
        } else {
            json!({ "changes": { self.uri: edits } })
        }
    }

    fn quick_fix(&self, finding: &Finding, checker: &mut Checker) -> Option<Value> {
        let fix = finding.fix.as_ref()?;
        let edits = checker.fitting(&self.document.text, fix).ok()??;
        let (code, is_safe) = (finding.rule.code(), fix.safety == Safety::Safe);
        let effect =
            if is_safe { "safe: the page stays as it is" } else { "unsafe: the page changes" };
        Some(json!({
            "title": format!("{} ({code}, {effect})", capitalized(fix.title)),
            "kind": "quickfix",
            "diagnostics": [diagnostics::of_finding(finding, &mut self.places())],
            "isPreferred": is_safe,
            "edit": self.workspace_edit(&edits),
        }))
    }

    fn disable(&self, finding: &Finding) -> Option<Value> {
        let Document { text, lines, settings, .. } = self.document;
        let flavor = settings.as_ref()?.flavor;
        let (edit, reach) = comment(text, lines, flavor, finding)?;
        let code = finding.rule.code();
        Some(json!({
            "title": format!("Disable {code} ({}) for this line, by a comment {reach}", finding.rule.name()),
            "kind": "quickfix",
            "diagnostics": [diagnostics::of_finding(finding, &mut self.places())],
            "edit": self.workspace_edit(&[edit]),
        }))
    }

    fn fix_all(&self, checker: &mut Checker) -> Option<Value> {
        let text = &self.document.text;
        let edits = if let Some(findings) = &self.document.findings {
            checker.safe_edits(text, findings)
        } else {
            let findings = checker.check_fixable(text).ok()?;
            checker.safe_edits(text, &findings)
        };
        let edits = edits.ok()??;
        Some(json!({
            "title": "Fix all links that can be fixed safely: the page stays as it is",
            "kind": FIX_ALL,
            "edit": self.workspace_edit(&edits),
        }))
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The comment that switches a rule off where a finding is, and where it goes.
///
/// On a line of its own it would end a paragraph or a list that it comes in between of, so it
/// comes before a line only if that starts a block of its own. Else it goes to the end of the
/// line. In a table there is no room for it.
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
    Some((Edit::new(Span::new(at, at), format!(" {}", written("disable-line"))), "behind it"))
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
            ("a\nsee http://localhost/x  \nb", "behind it"),
            ("* http://localhost/x\n* b\n", "behind it"),
            ("> a\n> http://localhost/x, a\\\n> b", "behind it"),
            ("   http://localhost/x and [a](b)\n", "behind it"),
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

//! Classes of documents that another engine is known to read otherwise, each with its
//! reason.
//!
//! `testdata/known-differences/<engine>-documents.toml` has a table for each class:
//!
//! ```toml
//! [[class]]
//! name = "tab-at-line-end"
//! why = "A tab before a line ending goes as spaces do."
//! find = '\t+\n'
//! put = "\n"
//! examples = ["a\t\nb"]
//! ```
//!
//! `find` and `put` write a document anew so that both engines mean the same by it; a
//! class that no expression can find names a `rule` of this file instead. A class is a
//! claim like any other: its examples must differ, and no longer when written anew.

mod extensions;

use std::path::Path;

use regex::Regex;
use serde::Deserialize;

use crate::containers::Containers;
use crate::workspace_root;

/// A class of known differences.
#[derive(Debug)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Examples: documents that belong only to this class.
    pub examples: Vec<String>,
    rewrite: Rewrite,
}

/// Rewrites a document, one change at a time.
type Rule = fn(&str) -> String;

#[derive(Debug)]
enum Rewrite {
    Expression(Regex, String),
    Rule(Rule),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    class: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    why: String,
    find: Option<String>,
    put: Option<String>,
    rule: Option<String>,
    examples: Vec<String>,
}

/// How often a document is written anew: what is found may overlap.
const N_PASSES: usize = 8;

/// What `LONG` stands for in examples: a label of this many letters.
const LONG_LABEL: usize = 1000;

/// What `MARKERS` stands for in `find`: indentation and the markers of containers.
const MARKERS: &str = r"(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]\s]+\]:)*?";

/// What `DELIMITERS` stands for: the delimiter row of a table that is no underline.
const DELIMITERS: &str = r"(?:[ \t:|-]*-[ \t:|-]*[|:][ \t:|-]*|[ \t:|-]*[|:][ \t:|-]*-[ \t:|-]*)";

impl Class {
    /// Rewrites the document so that it no longer belongs to the class; `None` if it does not
    /// anyway.
    pub fn without(&self, source: &str) -> Option<String> {
        let mut rewritten = source.to_string();
        for _ in 0..N_PASSES {
            let next = match &self.rewrite {
                Rewrite::Expression(find, put) => find.replace_all(&rewritten, put).into_owned(),
                Rewrite::Rule(rule) => rule(&rewritten),
            };
            if next == rewritten {
                break;
            }
            rewritten = next;
        }
        (rewritten != source).then_some(rewritten)
    }
}

/// The classes of this file in `testdata/known-differences`.
///
/// # Errors
/// A message naming the file and what is wrong with it.
pub fn load(file: &str) -> Result<Vec<Class>, String> {
    let path = workspace_root().join("testdata/known-differences").join(file);
    parse(&path).map_err(|message| format!("{}: {message}", path.display()))
}

fn parse(path: &Path) -> Result<Vec<Class>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file: File = toml::from_str(&text).map_err(|error| error.to_string())?;
    file.class.into_iter().map(class).collect()
}

fn class(row: Row) -> Result<Class, String> {
    let Row { name, why, find, put, rule, examples } = row;
    if why.trim().is_empty() || examples.is_empty() {
        return Err(format!("{name} has no reason, or no examples"));
    }
    let rewrite = match (find, put, rule.as_deref()) {
        (Some(find), Some(put), None) => {
            let find = find.replace("MARKERS", MARKERS).replace("DELIMITERS", DELIMITERS);
            let find = Regex::new(&find).map_err(|error| format!("{name}: {error}"))?;
            Rewrite::Expression(find, put)
        }
        (None, None, Some(rule)) => {
            let found = RULES.iter().find(|(known, _)| *known == rule);
            Rewrite::Rule(found.ok_or_else(|| format!("{name}: there is no rule {rule}"))?.1)
        }
        _ => return Err(format!("{name} has neither `find` and `put`, nor a `rule`")),
    };
    let long = "a".repeat(LONG_LABEL);
    let examples = examples.iter().map(|example| example.replace("LONG", &long)).collect();
    Ok(Class { name, examples, rewrite })
}

/// Rules for what expressions cannot find.
const RULES: &[(&str, Rule)] = &[
    ("lazy-indentation", indent_no_lazy_line),
    ("unclosed-backticks", close_backticks),
    ("unbalanced-parentheses", balance_parentheses),
    ("rule-of-three", drop_third_run),
    ("unequal-tildes", extensions::drop_unequal_tildes),
    ("loose-quotes", extensions::escape_loose_quotes),
    ("repeated-ids", extensions::rename_repeated_ids),
];

/// The markers that a line begins with.
#[derive(Default, Clone, Copy)]
struct Prefix {
    n_quotes: usize,
    /// Whether there is a list item's or footnote's marker.
    has_item: bool,
    /// Where the text starts.
    at: usize,
}

fn prefix(line: &str) -> Prefix {
    let mut prefix = Prefix::default();
    // The column of the text, and the one behind the last marker.
    let (mut column, mut marker_column) = (0, 0);
    while let Some(&byte) = line.as_bytes().get(prefix.at) {
        let rest = &line[prefix.at..];
        let len = match byte {
            b' ' => 1,
            b'\t' => {
                column += 3 - column % 4;
                1
            }
            _ if column >= marker_column + 4 => break,
            b'>' => {
                prefix.n_quotes += 1;
                let has_space = rest[1..].starts_with([' ', '\t']);
                marker_column = column + 1 + usize::from(has_space);
                1
            }
            _ => match ITEM.with(|item| item_len(item, rest)) {
                Some(len) => {
                    prefix.has_item = true;
                    marker_column = column + len;
                    len
                }
                None => break,
            },
        };
        prefix.at += len;
        column += len;
    }
    prefix
}

fn item_len(item: &Regex, rest: &str) -> Option<usize> {
    let found = item.captures(rest)?;
    found.get(1).or(found.get(2)).map(|marker| marker.len())
}

thread_local! {
    static ITEM: Regex =
        Regex::new(r"^(?:([-+*]|\d{1,9}[.)])(?:[ \t]|$)|(\[\^[^\]\s]+\]:))").expect("it is one");
}

/// Takes the indentation off lines that continue a paragraph without the markers of its
/// containers.
fn indent_no_lazy_line(source: &str) -> String {
    let mut out = String::new();
    let mut containers = Containers::default();
    for line in source.split_inclusive('\n') {
        let lazy = containers.read(line.trim_end_matches('\n'));
        match lazy {
            Some(text) => {
                out.push_str(line[..text].trim_end_matches([' ', '\t']));
                out.push_str(&line[text..]);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// The runs of a character.
fn runs(source: &str, of: char) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in source.match_indices(of) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

/// These runs without what a backslash escapes.
fn unescaped(source: &str, runs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let is_backslash = |byte: &u8| *byte == b'\\';
    let n_escaped = |at: usize| source[..at].bytes().rev().take_while(is_backslash).count() % 2;
    let shorter = runs.iter().map(|&(start, end)| (start + n_escaped(start), end));
    shorter.filter(|(start, end)| start < end).collect()
}

/// Whether a run of backticks is all of its line, and so opens or closes fenced code.
fn is_fence(source: &str, (start, end): (usize, usize)) -> bool {
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let rest = source[end..].lines().next().unwrap_or_default();
    let before = &source[line_start..start];
    let line = source[line_start..].lines().next().unwrap_or_default();
    let is_first = prefix(line).at == before.len();
    // Indented like code below text, it goes on with the paragraph.
    let above = source[..line_start].lines().next_back().unwrap_or_default();
    let is_inside = before.len() >= 4 && before.trim().is_empty() && !above.trim().is_empty();
    end - start >= 3 && is_first && !is_inside && !rest.contains('`')
}

/// Where the paragraph ends that `at` is in: at a blank line, an item, a fence, a further
/// quote, a block of HTML or what makes a heading or a table of it.
fn paragraph_end(source: &str, at: usize) -> usize {
    let line_start = source[..at].rfind('\n').map_or(0, |at| at + 1);
    let n_quotes = prefix(&source[line_start..]).n_quotes;
    let mut lines = source[at..].split_inclusive('\n');
    let first = lines.next().map_or(0, str::len);
    let is_inside = |line: &&str| {
        let prefix = prefix(line);
        let fence = line[prefix.at..].strip_prefix("```");
        let is_fence = fence.is_some_and(|info| !info.trim_start_matches('`').contains('`'));
        let is_further = prefix.n_quotes > n_quotes;
        let text = &line[prefix.at..];
        let is_other = is_underline(text)
            || is_delimiters(text)
            || text.starts_with("<!")
            || text.starts_with("<?");
        !text.trim().is_empty() && !prefix.has_item && !is_fence && !is_further && !is_other
    };
    at + first + lines.take_while(is_inside).map(str::len).sum::<usize>()
}

/// Whether `line` makes a heading of what is above it.
fn is_underline(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && ["-", "="].iter().any(|sign| line.trim_start_matches(sign).is_empty())
}

/// Whether `line` makes a table of what is above it.
fn is_delimiters(line: &str) -> bool {
    line.contains('-') && line.trim().trim_matches(['-', '|', ':', ' ', '\t']).is_empty()
}

/// Takes out the first run of backticks that none of its length follows in the paragraph,
/// if three others do.
fn close_backticks(source: &str) -> String {
    let mut runs = runs(source, '`');
    runs.retain(|&run| !is_fence(source, run));
    // The first of a run may be escaped, but not in code.
    let shorter = unescaped(source, &runs);
    let unclosed = find_unclosed(source, &shorter).or_else(|| find_unclosed(source, &runs));
    unclosed.map_or_else(|| source.to_string(), |run| without(source, run))
}

/// The first of these runs that none of its length follows, if three others do.
fn find_unclosed(source: &str, runs: &[(usize, usize)]) -> Option<(usize, usize)> {
    let is_unclosed = |&idx: &usize| {
        let (start, end) = runs[idx];
        let paragraph_end = paragraph_end(source, end);
        let mut later = runs[idx + 1..].iter().take_while(|(later, _)| *later < paragraph_end);
        !later.any(|(later_start, later_end)| later_end - later_start == end - start)
    };
    (0..runs.len().saturating_sub(3)).find(is_unclosed).map(|idx| runs[idx])
}

fn without(source: &str, (start, end): (usize, usize)) -> String {
    format!("{}{}", &source[..start], &source[end..])
}

/// Takes out the first run of asterisks or underscores within a word that cannot pair with
/// one before it by the rule of three, if one of its length modulo 3 follows.
fn drop_third_run(source: &str) -> String {
    for of in ['*', '_'] {
        let runs = runs(source, of);
        let third =
            find_third(source, &runs).or_else(|| find_third(source, &unescaped(source, &runs)));
        if let Some(run) = third {
            return without(source, run);
        }
    }
    source.to_string()
}

/// The first of these runs that is such a one.
fn find_third(source: &str, runs: &[(usize, usize)]) -> Option<(usize, usize)> {
    let len_of = |idx: usize| runs[idx].1 - runs[idx].0;
    let is_found = |&idx: &usize| {
        let len = len_of(idx);
        len % 3 != 0
            && !source[..runs[idx].0].ends_with(char::is_whitespace)
            && !source[runs[idx].1..].starts_with(char::is_whitespace)
            && (0..idx).any(|before| (len_of(before) + len) % 3 == 0)
            && (idx + 1..runs.len()).any(|after| len_of(after) % 3 == len % 3)
    };
    (1..runs.len()).find(is_found).map(|idx| runs[idx])
}

/// Encodes a parenthesis that is not closed before the white space after a destination.
fn balance_parentheses(source: &str) -> String {
    let ends = source.match_indices("](").chain(source.match_indices("]:"));
    for (at, _) in ends {
        let start = at + 2;
        let rest = source[start..].trim_start_matches([' ', '\t', '\n', '>']);
        let start = source.len() - rest.len();
        let mut open = Vec::new();
        let mut bytes = rest.bytes().enumerate().peekable();
        while let Some((idx, byte)) = bytes.next() {
            match byte {
                b'\\' => _ = bytes.next_if(|(_, next)| next.is_ascii_punctuation()),
                b'(' => open.push(start + idx),
                b')' if open.pop().is_none() => break,
                b' ' | b'\t' | b'\n' => break,
                _ => {}
            }
        }
        if let Some(at) = open.pop() {
            return format!("{}%28{}", &source[..at], &source[at + 1..]);
        }
    }
    source.to_string()
}

#[cfg(test)]
mod tests {
    use super::{
        Row, balance_parentheses, class, close_backticks, drop_third_run, indent_no_lazy_line,
    };

    #[test]
    fn only_lazy_lines_lose_their_indentation() {
        for (source, expected) in [
            ("> a\n  b", "> a\nb"),
            ("- a\n b\n  c", "- a\nb\n  c"),
            ("> > a\n>  b", "> > a\n>b"),
            ("> a\n\n  b", "> a\n\n  b"),
            ("a\n  b", "a\n  b"),
            ("- a\n> b\n  c", "- a\n> b\nc"),
            (">    - a\n>  b", ">    - a\n>b"),
            (">- a\n    - b", ">- a\n- b"),
        ] {
            assert_eq!(indent_no_lazy_line(source), expected, "{source:?}");
        }
    }

    #[test]
    fn rules_find_what_they_are_about() {
        assert_eq!(close_backticks("``a `b` `c`"), "a `b` `c`");
        assert_eq!(close_backticks("``a `b` ``"), "``a `b` ``");
        assert_eq!(close_backticks("```a`b`c`d`\n```"), "a`b`c`d`\n```");
        assert_eq!(close_backticks("```a`b`c`d`\n>e```"), "a`b`c`d`\n>e```");
        assert_eq!(close_backticks(">```a`b`c`d`\n>e```"), ">```a`b`c`d`\n>e```");
        assert_eq!(close_backticks("```a`b`c`d`\n-\n```"), "a`b`c`d`\n-\n```");
        assert_eq!(close_backticks("\\```a`b`a`c```a`"), "\\`a`b`a`c```a`");
        assert_eq!(close_backticks("``a`\\`[`\\`"), "a`\\`[`\\`");
        assert_eq!(close_backticks("1.```\n` ``a`"), "1.\n` ``a`");
        assert_eq!(drop_third_run("*a**b**c**"), "*ab**c**");
        assert_eq!(drop_third_run("*a **b** c*"), "*a **b** c*");
        assert_eq!(drop_third_run("__\\__]____"), "__\\_]____");
        assert_eq!(balance_parentheses("[a](b(c d)"), "[a](b%28c d)");
        assert_eq!(balance_parentheses("[a]:\\\\("), "[a]:\\\\%28");
        assert_eq!(balance_parentheses("[a](b(c)) [a]: \\(("), "[a](b(c)) [a]: \\(%28");
    }

    #[test]
    fn a_class_is_complete() {
        let row = |find: Option<&str>, rule: Option<&str>| Row {
            name: "x".into(),
            why: "because".into(),
            find: find.map(String::from),
            put: find.map(|_| "$1".into()),
            rule: rule.map(String::from),
            examples: vec!["a".into()],
        };
        let rewritten = class(row(Some("(a)b"), None)).map(|class| class.without("abb"));
        assert_eq!(rewritten, Ok(Some("a".into())));
        assert!(class(row(None, Some("rule-of-three"))).is_ok());
        for wrong in [row(None, None), row(Some("("), None), row(None, Some("no such"))] {
            assert!(class(wrong).is_err());
        }
        assert!(class(Row { why: " ".into(), ..row(Some("a"), None) }).is_err());
    }
}

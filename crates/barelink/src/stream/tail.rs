//! What the last bytes of an unfinished text may become. These guesses are made from bytes alone;
//! `complete` tries them with the engine.
//!
//! LINEAR: each function makes one pass over a line, or over the text after the last `](`.

use crate::syntax::destination::MAX_LABEL;
use crate::syntax::unfinished::{close_tail, find_unescaped};

/// The maximum length of an incomplete tag that is held back.
const MAX_TAG: usize = 256;

/// The maximum length of a marker line that is held back. (This includes info strings.)
const MAX_MARKER: usize = 64;

/// Whether an incomplete line shows nothing but which block it may start.
pub(super) fn is_marker(line: &[u8]) -> bool {
    let is_prefix = |byte: &u8| matches!(byte, b' ' | b'\t' | b'>');
    let n_before = line.iter().take_while(|byte| is_prefix(byte)).count();
    let line = line[n_before..].trim_ascii_end();
    if line.len() > MAX_MARKER {
        return false;
    }
    let is_all = |set: &[u8]| line.iter().all(|byte| set.contains(byte));
    match line {
        [] => n_before > 0,
        // Three or more are a thematic break, or the underline of a heading.
        [b'-', ..] if is_all(b"-") => line.len() < 3,
        [b'=', ..] if is_all(b"=") => line.len() < 3,
        [b'`', b'`', b'`', info @ ..] => !info.contains(&b'`'),
        [b'~', b'~', b'~', ..] => true,
        _ if is_all(b"|:- \t") || is_all(b"#") && line.len() < 7 => true,
        // The start of emphasis, a link, an image, a tag, an entity or an escape.
        _ if is_all(b"*_~`[]!\\&<") && line.len() < 8 => true,
        _ => is_item(line),
    }
}

/// Whether the line is `1`, `1.`, `- [ ]` and the like.
fn is_item(line: &[u8]) -> bool {
    let n_digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = match &line[n_digits..] {
        [b'-' | b'+' | b'*', rest @ ..] if n_digits == 0 => rest,
        [b'.' | b')', rest @ ..] if (1..10).contains(&n_digits) => rest,
        rest => return (1..10).contains(&n_digits) && rest.is_empty(),
    };
    let task = rest.trim_ascii_start();
    task.is_empty()
        || rest.len() > task.len() && b"[ ]".starts_with(task)
        || rest.len() > task.len() && (b"[x]".starts_with(task) || b"[X]".starts_with(task))
}

/// Whether the byte at `at` is escaped by a backslash.
fn is_escaped(text: &[u8], at: usize) -> bool {
    text[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// The start of the run of equal bytes at the end of the text.
pub(super) fn run_start(text: &[u8]) -> usize {
    let Some(last) = text.last() else { return 0 };
    let mut start = text.len() - text.iter().rev().take_while(|byte| *byte == last).count();
    if start < text.len() && is_escaped(text, start) {
        start += 1;
    }
    start
}

/// The start of the trailing part of the text that has no meaning yet, or the length of the text if
/// there is none. Delimiters and backticks are not judged here.
pub(super) fn scan_ending(text: &[u8]) -> usize {
    let end = text.len();
    let Some(last) = text.last() else { return end };
    match last {
        b'\\' | b'!' | b'[' if !is_escaped(text, end - 1) => return end - 1,
        _ => {}
    }
    let line = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    // A footnote reference.
    if let Some(at) = open_bracket(text, line)
        && text.get(at + 1) == Some(&b'^')
    {
        return at;
    }
    // An entity has at most 33 bytes.
    let n_name = text[line..].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let mut at = end - n_name;
    at -= usize::from(text[line..at].last() == Some(&b'#'));
    if n_name < 33 && text[line..at].last() == Some(&b'&') && !is_escaped(text, at - 1) {
        return at - 1;
    }
    let from = line.max(end.saturating_sub(MAX_TAG));
    if let Some(at) = text[from..].iter().rposition(|byte| *byte == b'<')
        && !is_escaped(text, from + at)
        && may_be_tag(&text[from + at + 1..])
    {
        return from + at;
    }
    end
}

/// The last `[` from `floor` on that is not escaped, if no `]` follows.
fn open_bracket(text: &[u8], floor: usize) -> Option<usize> {
    let at = floor + text[floor..].iter().rposition(|byte| matches!(byte, b'[' | b']'))?;
    (text[at] == b'[' && !is_escaped(text, at)).then_some(at)
}

/// The start of `[lab` after the text of a link, if the text ends so.
pub(super) fn scan_open_label(text: &[u8]) -> Option<usize> {
    let line = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let at = open_bracket(text, line)?;
    (at > line && text[at - 1] == b']').then_some(at)
}

/// Whether the text after a `<` may be the start of a tag, of a comment and the like, or of a link
/// in angle brackets.
fn may_be_tag(rest: &[u8]) -> bool {
    if rest.iter().any(|byte| matches!(byte, b'>' | b'`')) {
        return false;
    }
    let (is_end, name) = match rest {
        [] | [b'!' | b'?', ..] => return true,
        [b'/', name @ ..] => (true, name),
        name => (false, name),
    };
    let n_name = name.iter().take_while(|it| it.is_ascii_alphanumeric() || **it == b'-').count();
    if n_name == 0 || !name[0].is_ascii_alphabetic() {
        return is_end && name.is_empty();
    }
    let after = &name[n_name..];
    if let [b':' | b'.' | b'+' | b'@' | b'_' | b'%', ..] = after {
        return !is_end && !after.iter().any(u8::is_ascii_whitespace);
    }
    if is_end { after.trim_ascii().is_empty() } else { may_be_attributes(after) }
}

/// Whether this may be the attributes of a tag, so far.
fn may_be_attributes(mut rest: &[u8]) -> bool {
    loop {
        let trimmed = rest.trim_ascii_start();
        let [first, ..] = trimmed else { return true };
        if *first == b'/' {
            return trimmed.len() == 1;
        }
        let is_name =
            |it: &&u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':' | b'.' | b'-');
        if trimmed.len() == rest.len() || !is_name(&first) {
            return false;
        }
        let n_name = trimmed.iter().take_while(is_name).count();
        rest = &trimmed[n_name..];
        let [b'=', value @ ..] = rest.trim_ascii_start() else { continue };
        let value = value.trim_ascii_start();
        let len = match value {
            [] => return true,
            [quote @ (b'"' | b'\''), value @ ..] => {
                let Some(len) = value.iter().position(|byte| byte == quote) else { return true };
                len + 2
            }
            _ => value.iter().take_while(|it| !it.is_ascii_whitespace()).count(),
        };
        rest = &value[len..];
    }
}

/// The text that completes the link or image whose text ends with the last `](` of a text, if it is
/// incomplete and may become one.
pub(super) fn close_link(text: &[u8]) -> Option<String> {
    let at = memchr::memmem::rfind(text, b"](")?;
    close_tail(&text[at + 2..])
}

/// The text that completes the wiki link at the end of a text.
pub(super) fn close_wiki_link(text: &[u8]) -> Option<&'static str> {
    let rest = &text[memchr::memmem::rfind(text, b"[[")? + 2..];
    match find_unescaped(rest, |byte| matches!(byte, b'[' | b']' | b'\n')) {
        None => Some("]]"),
        Some(at) => (&rest[at..] == b"]").then_some("]"),
    }
}

/// Whether a paragraph may be an incomplete link reference definition.
pub(super) fn may_be_definition(text: &[u8]) -> bool {
    let [b'[', label @ ..] = text else { return false };
    let is_bracket = |byte| matches!(byte, b'[' | b']');
    let Some(len) = find_unescaped(&label[..label.len().min(MAX_LABEL + 1)], is_bracket) else {
        return false;
    };
    if label.first() == Some(&b'^') || label[..len].trim_ascii().is_empty() {
        return false;
    }
    let [b']', b':', rest @ ..] = &label[len..] else { return false };
    let rest = rest.trim_ascii_start();
    let after = if let [b'<', rest @ ..] = rest {
        let sought = |byte| matches!(byte, b'>' | b'<' | b'\n');
        let Some(len) = find_unescaped(rest, sought) else { return true };
        if rest[len] != b'>' {
            return false;
        }
        &rest[len + 1..]
    } else {
        let len = rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        &rest[len..]
    };
    let title = after.trim_ascii_start();
    let quote = match title {
        [] => return true,
        [b'(', ..] => b')',
        [quote @ (b'"' | b'\''), ..] => *quote,
        _ => return false,
    };
    title.len() < after.len() && find_unescaped(&title[1..], |byte| byte == quote).is_none()
}

/// The number of unescaped pipes in a line.
pub(super) fn count_pipes(line: &[u8]) -> usize {
    memchr::memchr_iter(b'|', line).filter(|at| *at == 0 || line[at - 1] != b'\\').count()
}

#[cfg(test)]
mod tests {
    use super::{close_link, is_marker, may_be_definition, scan_ending};

    #[test]
    fn lines_that_are_only_markers() {
        for line in [
            "-",
            "- ",
            "--",
            "+",
            "*",
            "1",
            "1.",
            "12)",
            "#",
            "######",
            ">",
            "> -",
            "  - [",
            "- [x]",
            "|",
            "|--",
            ":-",
            "| :-: | -",
            "=",
            "``",
            "```",
            "```rust",
            "~~~ a",
            "**",
            "[",
            "![",
            "<",
        ] {
            assert!(is_marker(line.as_bytes()), "{line:?}");
        }
        for line in [
            "",
            "---",
            "===",
            "-a",
            "1.a",
            "#######",
            "a",
            "| a",
            "```a```",
            "[a",
            "- [y",
            "1234567890",
        ] {
            assert!(!is_marker(line.as_bytes()), "{line:?}");
        }
    }

    #[test]
    fn ends_that_say_nothing() {
        for (text, held) in [
            ("a\\", "\\"),
            ("a\\\\", ""),
            ("a!", "!"),
            ("a\\!", ""),
            ("a [", "["),
            ("a [^no", "[^no"),
            ("a &am", "&am"),
            ("a &#x2", "&#x2"),
            ("a\\&b", ""),
            ("a &b c", ""),
            ("a <", "<"),
            ("a <b cd='e", "<b cd='e"),
            ("a </di", "</di"),
            ("a <https://a.b", "<https://a.b"),
            ("a <!-- b", "<!-- b"),
            ("a < b", ""),
            ("a <b, c", ""),
            ("a <b>", ""),
            ("a <3", ""),
            ("`a <b`", ""),
        ] {
            assert_eq!(&text[scan_ending(text.as_bytes())..], held, "{text:?}");
        }
    }

    #[test]
    fn links_that_are_not_complete() {
        for (text, close) in [
            ("[a](", Some(")")),
            ("[a](b", Some(")")),
            ("[a](b(c", Some("))")),
            ("[a](<b c", Some(">)")),
            ("[a](b ", Some(")")),
            ("[a](b \"c d", Some("\")")),
            ("[a](b 'c'", Some(")")),
            ("[a](b (c", Some("))")),
            ("[a](b c", None),
            ("[a](b)", None),
            ("[a]", None),
        ] {
            assert_eq!(close_link(text.as_bytes()).as_deref(), close, "{text:?}");
        }
    }

    #[test]
    fn definitions_that_are_not_complete() {
        for text in ["[a]:", "[a]: /u", "[a]: <b c", "[a]: /u \"ti", "[a]:\n/u\n'"] {
            assert!(may_be_definition(text.as_bytes()), "{text:?}");
        }
        for text in ["[a", "[a]", "[^a]:", "[ ]:", "[a]: /u b", "[a]: /u \"t\" x"] {
            assert!(!may_be_definition(text.as_bytes()), "{text:?}");
        }
    }
}

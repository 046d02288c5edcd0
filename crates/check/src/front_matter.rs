//! A leading block of YAML that `...` closes, as YAML allows. To many programs it is front matter,
//! and to GitHub it is text. So it stays on the page, but nothing in it is reported or fixed.
//!
//! ```text
//! ---
//! link: http://localhost/x
//! ...
//! ```
//!
//! LINEAR: its lines are read once.

/// How the block is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closed {
    /// By `...`.
    ByDots,
    /// By that, or as the engine requires; also a block of TOML.
    Anyhow,
}

/// The end of such a block; 0 if there is none.
pub(crate) fn end(source: &str, closed: Closed) -> usize {
    let text = source.strip_prefix('\u{FEFF}').unwrap_or(source);
    let marker = match text.get(..3) {
        Some(marker @ "---") => marker,
        Some(marker @ "+++") if closed == Closed::Anyhow => marker,
        _ => return 0,
    };
    let mut at = source.len() - text.len();
    let mut lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at, line.trim_end())
    });
    if lines.next().is_none_or(|(_, line)| line != marker) {
        return 0;
    }
    let mut is_key_known = false;
    for (end, line) in lines {
        if !is_key_known && !line.starts_with('#') {
            if !sets_key(line) {
                return 0;
            }
            is_key_known = true;
        } else if line == marker {
            return if closed == Closed::Anyhow { end } else { 0 };
        } else if line == "..." && marker == "---" {
            return end;
        }
    }
    0
}

/// Whether a line is `key: value`, `key = value` or `[table]`.
fn sets_key(line: &str) -> bool {
    let is_key = |key: &str| !key.is_empty() && !key.starts_with([' ', '\t', '-', '>', '*', '`']);
    let is_set = |sign: char| line.split_once(sign).is_some_and(|(key, _)| is_key(key));
    is_set(':') || is_set('=') || line.starts_with('[') && line.ends_with(']')
}

#[cfg(test)]
mod tests {
    use super::{Closed, end};

    #[test]
    fn a_block_is_closed_by_dots() {
        for (source, expected) in [
            ("---\na: b\n...\nc", 13),
            ("\u{FEFF}---\r\n# a\r\nb: c\r\n...\r\nd", 24),
            ("---\na: b\n---\n...\nc", 0),
            ("---\na: b\n", 0),
            ("---\n\na: b\n...\n", 0),
            ("---\ntext\n...\n", 0),
            ("a\n---\nb: c\n...\n", 0),
        ] {
            assert_eq!(end(source, Closed::ByDots), expected, "{source:?}");
        }
        assert_eq!(end("---\na: b\n---\nc", Closed::Anyhow), 13);
        assert_eq!(end("+++\na = 1\n+++\nc", Closed::Anyhow), 14);
    }
}

//! Rules for classes about extensions.

use super::runs;

/// How many backslashes stand right before `at`.
fn n_backslashes(source: &str, at: usize) -> usize {
    source[..at].bytes().rev().take_while(|byte| *byte == b'\\').count()
}

/// Puts a letter in place of every run of tildes that is not as long as the first. (Behind a
/// backslash, a run is shorter by one.)
pub(super) fn drop_unequal_tildes(source: &str) -> String {
    let mut out = String::new();
    let (mut from, mut first_len) = (0, None);
    for (run_start, end) in runs(source, '~') {
        let start = run_start + n_backslashes(source, run_start) % 2;
        if start < end && end - start != *first_len.get_or_insert(end - start) {
            out.push_str(&source[from..start]);
            out.push('x');
            from = end;
        }
    }
    out + &source[from..]
}

/// Puts a backslash before every quote that does not stand where people put one: before a word with
/// another behind it, or within a word.
pub(super) fn escape_loose_quotes(source: &str) -> String {
    let mut kept = Vec::new();
    let mut open: Vec<(char, usize)> = Vec::new();
    for (at, quote) in source.char_indices() {
        let before = source[..at].chars().next_back().unwrap_or(' ');
        let after = source[at + quote.len_utf8()..].chars().next().unwrap_or(' ');
        let ends = |c: char| c.is_whitespace() || ")],.".contains(c);
        let starts = |c: char| c.is_whitespace() || "([".contains(c);
        match quote {
            '\n' if after == '\n' => open.clear(),
            '\'' | '"' if n_backslashes(source, at) % 2 == 1 => kept.push(at),
            '\'' if before.is_alphanumeric() && after.is_alphanumeric() => kept.push(at),
            '\'' | '"' if starts(before) && after.is_alphanumeric() => {
                // One of a kind at a time.
                open.retain(|(of, _)| *of != quote);
                open.push((quote, at));
            }
            '\'' | '"' if before.is_alphanumeric() && ends(after) => match open.last() {
                Some(&(of, start)) if of == quote => {
                    kept.extend([start, at]);
                    open.pop();
                }
                _ => {}
            },
            _ => {}
        }
    }
    let mut out = String::new();
    for (at, c) in source.char_indices() {
        if matches!(c, '\'' | '"') && !kept.contains(&at) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Gives every id in braces that an earlier one is equal to a name of its own.
pub(super) fn rename_repeated_ids(source: &str) -> String {
    let mut out = String::new();
    let mut rest = source;
    let mut seen: Vec<&str> = Vec::new();
    while let Some((before, after)) = rest.split_once('#') {
        out.push_str(before);
        out.push('#');
        let len = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
        let (name, after) = after.split_at(len);
        out.push_str(name);
        if !name.is_empty() && seen.contains(&name) {
            out.push_str(&"x".repeat(seen.len()));
        }
        seen.push(name);
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::{drop_unequal_tildes, escape_loose_quotes, rename_repeated_ids};

    #[test]
    fn rules_find_what_they_are_about() {
        assert_eq!(drop_unequal_tildes("~~a~~~b~~~c"), "~~axbxc");
        assert_eq!(drop_unequal_tildes("\\~~a~~"), "\\~~ax");
        assert_eq!(drop_unequal_tildes("\\~~a~ \\~"), "\\~~a~ \\~");
        assert_eq!(rename_repeated_ids("{#a} # {#b} {#a}"), "{#a} # {#b} {#axxx}");
        for same in ["\"a\" 'b'", "(\"a 'b' c\"),", "don't", "\\' \\\""] {
            assert_eq!(escape_loose_quotes(same), same);
        }
        assert_eq!(escape_loose_quotes("'90s 'a' b'"), "\\'90s 'a' b\\'");
        assert_eq!(escape_loose_quotes("a\" \""), "a\\\" \\\"");
    }
}

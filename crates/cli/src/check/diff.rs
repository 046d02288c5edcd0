//! The changes of a fix as a unified diff.
//!
//! Fixes never add or remove lines, so a comparison line by line is enough.

use std::fmt::Write as _;

use crate::visible::visible;

/// The number of lines shown around a change.
const CONTEXT: usize = 3;

/// The difference between two texts, under the name of their file.
pub(crate) fn unified(name: &str, before: &str, after: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    if old.len() != new.len() {
        let mut out = header(name);
        push_hunk(0, &old, &new, &mut out);
        return out;
    }
    let mut changed = (0..old.len()).filter(|&idx| old[idx] != new[idx]).peekable();
    let mut out = header(name);
    while let Some(first) = changed.next() {
        let mut last = first;
        while let Some(next) = changed.next_if(|next| *next <= last + 2 * CONTEXT) {
            last = next;
        }
        let from = first.saturating_sub(CONTEXT);
        let to = (last + CONTEXT + 1).min(old.len());
        push_hunk(from, &old[from..to], &new[from..to], &mut out);
    }
    out
}

fn header(name: &str) -> String {
    let name = visible(name);
    format!("--- {name}\n+++ {name}\n")
}

fn push_hunk(from: usize, old: &[&str], new: &[&str], out: &mut String) {
    let (start, n_old, n_new) = (from + 1, old.len(), new.len());
    let _ = writeln!(out, "@@ -{start},{n_old} +{start},{n_new} @@");
    let mut idx = 0;
    while idx < old.len().max(new.len()) {
        if old.get(idx) == new.get(idx) {
            push_line(' ', old[idx], out);
            idx += 1;
            continue;
        }
        let run = (idx..old.len().max(new.len())).take_while(|&at| old.get(at) != new.get(at));
        let end = idx + run.count();
        for line in old.iter().take(end).skip(idx) {
            push_line('-', line, out);
        }
        for line in new.iter().take(end).skip(idx) {
            push_line('+', line, out);
        }
        idx = end;
    }
}

fn push_line(sign: char, line: &str, out: &mut String) {
    out.push(sign);
    out.push_str(line);
    if !line.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::unified;

    #[test]
    fn changes_are_shown_with_their_surroundings() {
        let before: String = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n".to_owned();
        let after = before.replace("5\n", "five\n").replace("12\n", "twelve");
        let expected = "--- a.md\n+++ a.md\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n \
                        8\n@@ -9,4 +9,4 @@\n 9\n 10\n 11\n-12\n+twelve\n\\ No newline at \
                        end of file\n";
        assert_eq!(unified("a.md", &before, &after), expected);
    }
}

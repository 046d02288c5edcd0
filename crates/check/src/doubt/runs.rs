//! Runs of `*`, `_` and `~` that cmark-gfm pairs differently, or would if a link got brackets.
//!
//! ```text
//! **a*https://b.cd e*f*    a run that could not pair with the first keeps others from it
//! €*https://b.cd*          symbols are not punctuation
//! ```
//!
//! LINEAR: a leaf is read twice.

/// A run: its length, and its neighbors.
struct Run {
    sign: u8,
    len: usize,
    before: Option<char>,
    behind: Option<char>,
}

/// Whether a leaf has runs that are paired differently.
pub(super) fn has_odd_runs(leaf: &str) -> bool {
    let runs = runs(leaf);
    if runs.iter().any(|run| [run.before, run.behind].into_iter().flatten().any(is_symbol)) {
        return true;
    }
    b"*_".iter().any(|sign| has_third_run(runs.iter().filter(|run| run.sign == *sign)))
}

/// Whether a run that may both open and close, and cannot pair with an earlier one by the rule of
/// three, would keep a similar run from pairing.
fn has_third_run<'r>(runs: impl Iterator<Item = &'r Run>) -> bool {
    // Remainders modulo 3 of the lengths seen so far, and of the lengths of such runs.
    let (mut seen, mut third) = ([false; 3], [false; 3]);
    for run in runs {
        let rest = run.len % 3;
        if third[rest] {
            return true;
        }
        let is_inside = |side: Option<char>| side.is_some_and(|side| !side.is_whitespace());
        let may_be_both = is_inside(run.before) && is_inside(run.behind);
        third[rest] |= rest != 0 && may_be_both && seen[3 - rest];
        seen[rest] = true;
    }
    false
}

fn runs(leaf: &str) -> Vec<Run> {
    let bytes = leaf.as_bytes();
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let sign = bytes[at];
        if !b"*_~".contains(&sign) {
            at += 1;
            continue;
        }
        let len = bytes[at..].iter().take_while(|byte| **byte == sign).count();
        let (before, behind) = (leaf[..at].chars().next_back(), leaf[at + len..].chars().next());
        runs.push(Run { sign, len, before, behind });
        at += len;
    }
    runs
}

/// Whether this may be a symbol, or punctuation added to Unicode recently. Common ones are known to
/// cmark-gfm.
fn is_symbol(char: char) -> bool {
    let is_known =
        matches!(char, '\u{2010}'..='\u{205E}' | '\u{3001}'..='\u{301F}' | '\u{FF01}'..='\u{FF65}');
    !char.is_ascii() && !char.is_alphanumeric() && !char.is_whitespace() && !is_known
}

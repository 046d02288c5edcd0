//! A long document that somebody waits for: its page and its fixes, part by part, each by a thread
//! of its own.
//!
//! ```text
//! # One ¶ two ¶ three ¶ four         rendered by one thread
//! └── fixes ──┘ └── fixes ──┘        found by two others
//! ```
//!
//! A part starts and ends where a top-level block does, so nothing is in two of them.
//!
//! LINEAR: each thread finds the blocks of the whole document, and there are a few of them.

use std::panic::resume_unwind;
use std::thread::{self, Builder};

use barelink::{SourceTooLong, Span};

use super::Rendered;
use crate::changed;
use crate::checker::Checker;
use crate::finding::Finding;

/// A shorter document is not worth a thread.
const LEN_MIN: usize = 128 << 10;

/// More threads gain little: each has to find the blocks.
const PARTS_MAX: usize = 4;

/// What is known of a document that was read in parts.
pub(super) struct Parts<'s> {
    /// What [`Checker::check_fixable`] finds in each.
    pub(super) findings: Vec<Vec<Finding>>,
    /// The page of all.
    pub(super) page: Rendered<'s>,
}

/// Reads a long document; `None` of a short one, or if there are no threads.
pub(super) fn read<'s>(
    checker: &mut Checker,
    source: &'s str,
) -> Result<Option<Parts<'s>>, SourceTooLong> {
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    if source.len() < LEN_MIN || n_threads == 1 {
        return Ok(None);
    }
    let spans = spans(checker, source, n_threads.min(PARTS_MAX))?;
    let settings = checker.settings().clone();
    thread::scope(|scope| {
        let page = || Rendered::new(Checker::new(settings.clone()).surveyor_mut(), source);
        let Ok(page) = Builder::new().spawn_scoped(scope, page) else { return Ok(None) };
        let mut others = Vec::new();
        for &span in &spans[1..] {
            let settings = settings.clone();
            let part = move || Checker::new(settings).check_fixable_part(source, span);
            let Ok(other) = Builder::new().spawn_scoped(scope, part) else { return Ok(None) };
            others.push(other);
        }
        let mut findings = vec![checker.check_fixable_part(source, spans[0])?];
        for other in others {
            findings.push(other.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        let page = page.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        Ok(Some(Parts { findings, page }))
    })
}

/// Parts of about the same length; at least one.
fn spans(checker: &Checker, source: &str, n_parts: usize) -> Result<Vec<Span>, SourceTooLong> {
    let starts = changed::line_starts(&checker.surveyor().read(source)?);
    let mut spans = Vec::new();
    let mut start = 0;
    for idx in 1..=n_parts {
        let end = changed::end_of_part(&starts, source.len() * idx / n_parts, source);
        if start < end {
            spans.push(Span::new(start as u32, end as u32));
        }
        start = end;
    }
    Ok(spans)
}

#[cfg(test)]
mod tests {
    use barelink_spectest::made;
    use barelink_spectest::random::{Random, seed_or};

    use super::{LEN_MIN, spans};
    use crate::fix::{safe_edits, safe_edits_at_once};
    use crate::{Checker, Flavor, RuleSet, Settings};

    /// A document that is long enough.
    fn long(random: &mut Random) -> String {
        let mut source = String::new();
        while source.len() < LEN_MIN {
            source.push_str(&random.document(&made::PIECES));
            source.push_str("\n\n");
        }
        source
    }

    #[test]
    fn several_threads_find_what_one_finds() {
        let mut random = Random::new(seed_or(6).unwrap());
        let mut n_edits = 0;
        for idx in 0..8 {
            let flavor = if idx % 4 == 3 { Flavor::Mdx } else { Flavor::Markdown };
            let rules = if idx % 2 == 0 { RuleSet::ALL } else { RuleSet::DEFAULT };
            let mut checker = Checker::new(Settings { rules, flavor, ..Settings::default() });
            let source = long(&mut random);
            let expected = safe_edits(&mut checker, &source).unwrap().map(|(edits, _)| edits);
            let edits = safe_edits_at_once(&mut checker, &source).unwrap();
            n_edits += edits.as_ref().map_or(0, Vec::len);
            assert!(edits == expected, "{source:?}");
        }
        assert!(n_edits > 100, "only {n_edits}");
    }

    #[test]
    fn parts_are_all_of_a_document() {
        let mut random = Random::new(seed_or(8).unwrap());
        let checker = Checker::new(Settings::default());
        let one_block = "a\n".repeat(LEN_MIN);
        for source in [long(&mut random), one_block, "a".to_owned()] {
            for n_parts in 1..=4 {
                let spans = spans(&checker, &source, n_parts).unwrap();
                let is_next = |pair: &[barelink::Span]| pair[0].end == pair[1].start;
                assert!(spans.windows(2).all(is_next), "{spans:?}");
                let (first, last) = (spans.first().unwrap(), spans.last().unwrap());
                assert_eq!((first.start, last.end), (0, source.len() as u32));
            }
        }
    }
}

//! Reads a long document for interactive use: its page and its fixes, part by part, by several
//! threads.
//!
//! ```text
//! # One ¶ two ¶ three ¶ four         rendered by one thread, which then helps the others
//! └── fixes ──┘ └── fixes ──┘        found by all threads, one part after the other
//! ```
//!
//! A part starts and ends at a top-level block, so nothing is in two of them. If it takes too long,
//! no further part is started, unless nothing was found yet: repeated calls must make progress.
//!
//! LINEAR: each of a few threads finds the blocks of the whole document.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Builder, ScopedJoinHandle};

use barelink::{Document, SourceTooLong, Span};

use super::Rendered;
use crate::changed;
use crate::checker::Checker;
use crate::finding::Fixable;

/// A shorter document is not worth a thread.
const LEN_MIN: usize = if cfg!(test) { 32 << 10 } else { 128 << 10 };

/// The approximate length of a part: each one requires a pass over the blocks of the document.
const PART_LEN: usize = if cfg!(test) { 16 << 10 } else { 192 << 10 };

/// More threads gain little: each has to find the blocks.
const THREADS_MAX: usize = 4;

/// Returns whether it has taken too long.
pub(crate) type Enough<'a> = &'a (dyn Fn() -> bool + Sync);

/// The results for a document that was read in parts.
pub(super) struct Parts<'s> {
    /// The results of [`Checker::check_fixable`] in them.
    pub(super) found: Vec<Fixable>,
    /// Whether these are all parts.
    pub(super) is_all: bool,
    /// The page of the whole document.
    pub(super) page: Rendered<'s>,
}

/// The state that the threads share.
struct Todo<'a> {
    spans: &'a [Span],
    /// The number of parts that have been taken.
    n_taken: AtomicUsize,
    /// Whether a fix was found.
    has_any: AtomicBool,
    is_enough: Enough<'a>,
}

/// The parts, by index, with the findings in them.
type Found = Vec<(usize, Vec<Fixable>)>;

impl Todo<'_> {
    /// Reads one part after the other.
    fn work(
        &self,
        checker: &mut Checker,
        mut document: Document<'static, '_>,
    ) -> Result<Found, SourceTooLong> {
        let mut found = Vec::new();
        loop {
            let idx = self.n_taken.fetch_add(1, Ordering::Relaxed);
            let Some(&span) = self.spans.get(idx) else { return Ok(found) };
            if self.has_any.load(Ordering::Relaxed) && (self.is_enough)() {
                return Ok(found);
            }
            let (there, read) = checker.check_fixable_part(document, span)?;
            document = read;
            if there.iter().any(|it| it.way.is_some()) {
                self.has_any.store(true, Ordering::Relaxed);
            }
            found.push((idx, there));
        }
    }
}

/// Reads a long document; `None` for a short one.
pub(super) fn read<'s>(
    checker: &mut Checker,
    source: &'s str,
    is_enough: Enough<'_>,
) -> Result<Option<Parts<'s>>, SourceTooLong> {
    if source.len() < LEN_MIN {
        return Ok(None);
    }
    let document = checker.surveyor().read(source)?;
    let spans = spans(&document, PART_LEN);
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let (n_taken, has_any) = (AtomicUsize::new(0), AtomicBool::new(false));
    let todo = Todo { spans: &spans, n_taken, has_any, is_enough };
    thread::scope(|scope| {
        let (todo, settings) = (&todo, checker.settings().clone());
        // If no thread can be spawned, this one does everything.
        let spawn = |renders: Renders| {
            let mut checker = Checker::new(settings.clone());
            let work = move || {
                let page = match renders {
                    Renders::Page => Some(Rendered::new(checker.surveyor_mut(), source)?),
                    Renders::Nothing => None,
                };
                let document = checker.surveyor().read(source)?;
                Ok((page, todo.work(&mut checker, document)?))
            };
            Builder::new().spawn_scoped(scope, work).ok()
        };
        let n_others = (n_threads - 1).min(spans.len());
        let renders =
            (0..n_others).map(|idx| if idx == 0 { Renders::Page } else { Renders::Nothing });
        let others: Vec<_> = renders.filter_map(spawn).collect();
        let mut found = todo.work(checker, document)?;
        let mut page = None;
        for other in others {
            let (rendered, theirs) = joined(other)?;
            page = page.or(rendered);
            found.extend(theirs);
        }
        let page = match page {
            Some(page) => page,
            None => Rendered::new(checker.surveyor_mut(), source)?,
        };
        found.sort_by_key(|(idx, _)| *idx);
        let is_all = found.len() == spans.len();
        let found = found.into_iter().flat_map(|(_, there)| there).collect();
        Ok(Some(Parts { found, is_all, page }))
    })
}

/// Works on a document while another thread renders it, if it is long.
pub(super) fn rendered_meanwhile<'s, T>(
    checker: &mut Checker,
    source: &'s str,
    work: impl FnOnce(&mut Checker) -> Result<T, SourceTooLong>,
) -> Result<(T, Rendered<'s>), SourceTooLong> {
    let is_long = source.len() >= LEN_MIN;
    thread::scope(|scope| {
        let mut other = Checker::new(checker.settings().clone());
        let render = move || Rendered::new(other.surveyor_mut(), source);
        let page = is_long.then(|| Builder::new().spawn_scoped(scope, render).ok()).flatten();
        let done = work(checker)?;
        let page = match page {
            Some(page) => joined(page)?,
            None => Rendered::new(checker.surveyor_mut(), source)?,
        };
        Ok((done, page))
    })
}

/// What a thread renders before it reads parts.
#[derive(Clone, Copy)]
enum Renders {
    Page,
    Nothing,
}

fn joined<T>(thread: ScopedJoinHandle<'_, Result<T, SourceTooLong>>) -> Result<T, SourceTooLong> {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Splits a document into parts of about `len` bytes.
fn spans(document: &Document<'_, '_>, len: usize) -> Vec<Span> {
    let (starts, source) = (changed::line_starts(document), document.source());
    let mut spans = Vec::new();
    let mut start = 0;
    while start < source.len() {
        let end = changed::end_of_part(&starts, start.saturating_add(len), source);
        spans.push(Span::new(start as u32, end as u32));
        start = end;
    }
    spans
}

#[cfg(test)]
mod tests {
    use barelink::Options;
    use barelink_spectest::made;
    use barelink_spectest::random::{Random, seed_or};

    use super::{LEN_MIN, PART_LEN, spans};
    use crate::doubt::doubtful_regions;
    use crate::fix::{SafeEdits, apply, safe_edits, safe_edits_at_once};
    use crate::{Checker, Flavor, RuleSet, Settings};

    /// A document that is long enough.
    fn long(random: &mut Random, len: usize) -> String {
        let mut source = String::new();
        while source.len() < len {
            let piece = random.document(&made::PIECES) + "\n\n";
            // One that opens a block and does not close it would swallow the rest, to us or to
            // cmark-gfm.
            let followed = format!("{piece}a");
            let document = barelink::parse(&followed, &Options::github()).unwrap();
            let doubtful = doubtful_regions(&document);
            let is_closed = doubtful.last().is_none_or(|it| it.end as usize <= piece.len());
            let starts = document.block_starts();
            if is_closed && starts.last().is_some_and(|it| it.at as usize == piece.len()) {
                source.push_str(&piece);
                source.push_str("http://localhost/x\n\n");
            }
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
            let source = long(&mut random, LEN_MIN);
            let expected = safe_edits(&mut checker, &source).unwrap().map(|(edits, _)| edits);
            let safe = safe_edits_at_once(&mut checker, &source, &|| false).unwrap();
            n_edits += safe.edits.len();
            assert!(safe.is_all && safe.edits == expected.unwrap_or_default(), "{source:?}");
        }
        assert!(n_edits > 100, "only {n_edits}");
    }

    #[test]
    fn when_it_is_enough_some_parts_are_done() {
        let mut random = Random::new(seed_or(7).unwrap());
        let mut checker = Checker::new(Settings { rules: RuleSet::ALL, ..Settings::default() });
        let source = long(&mut random, 4 * PART_LEN);
        let all = safe_edits_at_once(&mut checker, &source, &|| false).unwrap();
        let some = safe_edits_at_once(&mut checker, &source, &|| true).unwrap();
        assert!(all.is_all && !some.is_all && !some.edits.is_empty());
        assert!(some.edits.iter().all(|edit| all.edits.contains(edit)));
        // The next call continues with what is left, until there is nothing more.
        let mut text = source.clone();
        let mut n_rounds = 0;
        loop {
            let SafeEdits { edits, is_all } =
                safe_edits_at_once(&mut checker, &text, &|| true).unwrap();
            if edits.is_empty() {
                assert!(is_all);
                break;
            }
            text = apply(&text, &edits);
            n_rounds += 1;
        }
        assert!(n_rounds > 1);
        assert!(text == checker.fix(&source).unwrap().unwrap().text);
    }

    #[test]
    fn parts_are_all_of_a_document() {
        let mut random = Random::new(seed_or(8).unwrap());
        let one_block = "a\n".repeat(LEN_MIN);
        for source in [long(&mut random, LEN_MIN), one_block, "a".to_owned()] {
            for len in [1, 1000, LEN_MIN / 2, usize::MAX] {
                let document = barelink::parse(&source, &Options::github()).unwrap();
                let spans = spans(&document, len);
                let is_next = |pair: &[barelink::Span]| pair[0].end == pair[1].start;
                assert!(spans.windows(2).all(is_next), "{spans:?}");
                let (first, last) = (spans.first().unwrap(), spans.last().unwrap());
                assert_eq!((first.start, last.end), (0, source.len() as u32));
            }
        }
    }
}

//! Fixes, applied and checked.
//!
//! All safe fixes are made at once, and the whole page is rendered before and after. It is usually
//! the same, byte for byte, and then all is done. If it is not, and for unsafe fixes, the content
//! of each leaf is compared with what it should be, and fixes that do not fit are sorted out; see
//! `trials`. At the end the whole page is compared once more.
//!
//! This is repeated until nothing changes, so a second run has nothing to do.
//!
//! LINEAR: the number of passes is bounded. Each checks the document once, and rereads it a bounded
//! number of times to sort fixes out; a leaf that needs more is left alone.

mod chosen;
mod compared;
mod each;
mod parts;
mod trials;

use std::collections::HashSet;

use barelink::{SourceTooLong, Span};
use memchr::memmem;

use crate::changed::Change;
use crate::checker::Checker;
use crate::finding::{Edit, Finding, Fix, Fixable, Safety};
use crate::leaves::Page;
use crate::survey::{EVERYWHERE, Surveyor};
use crate::write::Way;

pub(crate) use self::chosen::chosen;
pub(crate) use self::each::fitting_each;
pub(crate) use self::parts::Enough;
use self::parts::Parts;
use self::trials::Trials;

/// The maximum number of passes, with safe fixes only and with all fixes.
const PASSES_MAX: usize = 4;
const PASSES_MAX_OF_ALL: usize = 8;

/// How often a pass may reread a document to sort out fixes that do not fit. Real documents need
/// one round.
const ROUNDS_MAX: usize = 10;

/// A short document is reread more often, up to this many bytes.
const READ_ALWAYS: usize = 64 << 10;

/// A document with fixes applied.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fixed {
    /// The new source.
    pub text: String,
    /// How many findings were fixed.
    pub n_fixed: usize,
}

/// The edits of safe fixes of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SafeEdits {
    /// The edits, in the order of the source.
    pub edits: Vec<Edit>,
    /// Whether these are all of them.
    pub is_all: bool,
}

/// Applies the safe fixes.
pub(crate) fn safe(checker: &mut Checker, source: &str) -> Result<Option<Fixed>, SourceTooLong> {
    repeat(source, PASSES_MAX, |text| safe_pass(checker, text))
}

/// Applies the safe fixes, and then those that change the page.
pub(crate) fn all(checker: &mut Checker, source: &str) -> Result<Option<Fixed>, SourceTooLong> {
    repeat(source, PASSES_MAX_OF_ALL, |text| {
        let safe = safe_pass(checker, text)?;
        if safe.is_some() { Ok(safe) } else { unsafe_pass(checker, text) }
    })
}

/// Repeats a pass until it changes nothing.
fn repeat(
    source: &str,
    passes_max: usize,
    mut pass: impl FnMut(&str) -> Result<Option<Fixed>, SourceTooLong>,
) -> Result<Option<Fixed>, SourceTooLong> {
    let mut result: Option<Fixed> = None;
    for _ in 0..passes_max {
        let text = result.as_ref().map_or(source, |fixed| fixed.text.as_str());
        let Some(fixed) = pass(text)? else { break };
        let n_before = result.as_ref().map_or(0, |fixed| fixed.n_fixed);
        result = Some(Fixed { n_fixed: fixed.n_fixed + n_before, ..fixed });
    }
    Ok(result.filter(|fixed| fixed.text != source))
}

/// Tries all safe fixes.
fn safe_pass(checker: &mut Checker, source: &str) -> Result<Option<Fixed>, SourceTooLong> {
    let edits = safe_edits(checker, source)?;
    Ok(edits.map(|(edits, n_fixed)| Fixed { text: apply(source, &edits), n_fixed }))
}

/// Tries all fixes that change the page.
fn unsafe_pass(checker: &mut Checker, source: &str) -> Result<Option<Fixed>, SourceTooLong> {
    let findings = checker.check(source)?;
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_deref());
    let fixes = fixes.filter(|fix| fix.safety == Safety::Unsafe && !fix.edits.is_empty());
    let fixes = without_overlap(fixes.collect());
    let Fitting { edits, n_fixed } = fitting(checker.surveyor_mut(), source, &fixes)?;
    Ok((n_fixed > 0).then(|| Fixed { text: apply(source, &edits), n_fixed }))
}

/// Whether the fix of each finding is made if all are.
pub(crate) fn made(
    surveyor: &mut Surveyor,
    source: &str,
    findings: &[Finding],
) -> Result<Vec<bool>, SourceTooLong> {
    let of_kind = |safety: Safety| {
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_deref());
        let fixes = fixes.filter(|fix| fix.safety == safety && !fix.edits.is_empty());
        without_overlap(fixes.collect())
    };
    let safe = of_kind(Safety::Safe);
    let mut edits: Vec<Edit> = safe.iter().flat_map(|fix| fix.edits.clone()).collect();
    // Mostly all fit, and to render the page is less work than to read its leaves.
    if !safe.is_empty() && !Rendered::new(surveyor, source)?.is_kept(surveyor, &edits)? {
        edits = fitting(surveyor, source, &safe)?.edits;
    }
    edits.extend(fitting(surveyor, source, &of_kind(Safety::Unsafe))?.edits);
    let mut spans: HashSet<Span> = edits.iter().map(|edit| edit.span).collect();
    // Of several findings with the same fix, it is that of the first.
    let is_made = |finding: &Finding| {
        let first = finding.fix.as_deref().and_then(|fix| fix.edits.first());
        first.is_some_and(|edit| spans.remove(&edit.span))
    };
    Ok(findings.iter().map(is_made).collect())
}

/// The edits of the safe fixes that leave the page as it is, and the number of those fixes; `None`
/// if there are none.
pub(crate) fn safe_edits(
    checker: &mut Checker,
    source: &str,
) -> Result<Option<(Vec<Edit>, usize)>, SourceTooLong> {
    let (found, _) = checker.check_fixable(checker.surveyor().read(source)?)?;
    if found.is_empty() {
        return Ok(None);
    }
    let page = Rendered::new(checker.surveyor_mut(), source)?;
    safe_edits_of(checker.surveyor_mut(), found, &page)
}

/// Like [`safe_edits`], but fast: it uses all processors, and stops when the time is up.
pub(crate) fn safe_edits_at_once(
    checker: &mut Checker,
    source: &str,
    is_enough: Enough<'_>,
) -> Result<SafeEdits, SourceTooLong> {
    let (edits, is_all) = match parts::read(checker, source, is_enough)? {
        Some(Parts { found, is_all, page }) => {
            (safe_edits_of(checker.surveyor_mut(), found, &page)?, is_all)
        }
        None => (safe_edits(checker, source)?, true),
    };
    match edits {
        Some((edits, _)) => Ok(SafeEdits { edits, is_all }),
        // Nothing fits in those parts. Another call would not get further, so all is read.
        None if !is_all => safe_edits_at_once(checker, source, &|| false),
        None => Ok(SafeEdits { edits: Vec::new(), is_all }),
    }
}

/// The edits of those safe fixes in `found` that leave the page as it is.
fn safe_edits_of(
    surveyor: &mut Surveyor,
    found: Vec<Fixable>,
    page: &Rendered<'_>,
) -> Result<Option<(Vec<Edit>, usize)>, SourceTooLong> {
    let mut has_otherwise = Vec::with_capacity(found.len());
    let mut edits: Vec<Edit> = Vec::with_capacity(found.len());
    // They are in order, and two rules may have the same one.
    for Fixable { span, way, .. } in found {
        let Some(way) = way else { continue };
        if edits.last().is_none_or(|last| last.span.end.max(last.span.start + 1) <= span.start) {
            edits.push(Edit::new(span, way.text));
            has_otherwise.push(way.has_otherwise);
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    let n_fixed = edits.len();
    if page.is_kept(surveyor, &edits)? {
        return Ok(Some((edits, n_fixed)));
    }
    let ways = edits.into_iter().zip(has_otherwise).map(|(Edit { span, text }, has_otherwise)| {
        Fix::rewrite(span, Way { text, has_otherwise })
    });
    let fixes: Vec<Fix> = ways.collect();
    let fixes: Vec<&Fix> = fixes.iter().collect();
    let Fitting { edits, n_fixed } = fitting(surveyor, page.source, &fixes)?;
    let fits = n_fixed > 0 && page.is_kept(surveyor, &edits)?;
    Ok(fits.then_some((edits, n_fixed)))
}

/// Like [`safe_edits_at_once`], for a new version: only the fixes in what changed are tried.
pub(crate) fn safe_edits_changed(
    checker: &mut Checker,
    source: &str,
    change: Change,
    before: Vec<Edit>,
    is_enough: Enough<'_>,
) -> Result<SafeEdits, SourceTooLong> {
    // If most of the document changed, trying the change and comparing the page afterward takes
    // longer than reading everything at once.
    if change.after().len() as usize > source.len() / 2 {
        return safe_edits_at_once(checker, source, is_enough);
    }
    let (edits, page) = parts::rendered_meanwhile(checker, source, |checker| {
        checker.surveyor_mut().look_within(change.after());
        let there = fitting_there(checker, source);
        checker.surveyor_mut().look_within(EVERYWHERE);
        Ok(change.joined(before, there?))
    })?;
    if edits.is_empty() || page.is_kept(checker.surveyor_mut(), &edits)? {
        return Ok(SafeEdits { edits, is_all: true });
    }
    safe_edits_at_once(checker, source, is_enough)
}

/// The edits of the safe fixes that fit, in the span that the surveyor is restricted to.
fn fitting_there(checker: &mut Checker, source: &str) -> Result<Vec<Edit>, SourceTooLong> {
    let (found, _) = checker.check_fixable(checker.surveyor().read(source)?)?;
    let fixes = found.into_iter().filter_map(|it| Some(Fix::rewrite(it.span, it.way?)));
    let fixes: Vec<Fix> = fixes.collect();
    Ok(fitting(checker.surveyor_mut(), source, &without_overlap(fixes.iter().collect()))?.edits)
}

/// A document and its page.
struct Rendered<'s> {
    source: &'s str,
    html: String,
    /// Its footnotes: one without references is not on the page.
    notes: Vec<Span>,
}

impl<'s> Rendered<'s> {
    fn new(surveyor: &mut Surveyor, source: &'s str) -> Result<Self, SourceTooLong> {
        let mut html = String::new();
        surveyor.parser().push_html(source, &mut html)?;
        let notes = match memmem::find(source.as_bytes(), b"[^") {
            Some(_) => surveyor.read(source)?.notes(),
            None => Vec::new(),
        };
        Ok(Self { source, html, notes })
    }

    /// Whether these edits change neither the page nor what is not on it.
    fn is_kept(&self, surveyor: &mut Surveyor, edits: &[Edit]) -> Result<bool, SourceTooLong> {
        let text = apply(self.source, edits);
        let mut after = String::with_capacity(self.html.len());
        surveyor.parser().push_html(&text, &mut after)?;
        if self.html != after {
            return Ok(false);
        }
        let Some(before) = self.edited_notes(edits) else { return Ok(true) };
        let moved = |at: u32| {
            let n_before = edits.partition_point(|edit| edit.span.end <= at);
            let added = edits[..n_before].iter().map(|edit| edit.text.len() as u32).sum::<u32>();
            at + added - edits[..n_before].iter().map(|edit| edit.span.len()).sum::<u32>()
        };
        let after = Span::new(moved(before.start), moved(before.end));
        let before = Page::read(self.source, surveyor.parser(), before)?;
        Ok(before.shows_the_same(&Page::read(&text, surveyor.parser(), after)?))
    }

    /// The span from the first to the last footnote that is edited.
    fn edited_notes(&self, edits: &[Edit]) -> Option<Span> {
        let is_edited = |note: &&Span| {
            let next = edits.partition_point(|edit| edit.span.start < note.start);
            edits.get(next).is_some_and(|edit| edit.span.end <= note.end)
        };
        let mut edited = self.notes.iter().filter(is_edited);
        let first = edited.next()?;
        // One note may be in another.
        Some(edited.fold(*first, |all, note| Span::new(all.start, all.end.max(note.end))))
    }
}

/// The fixes that fit.
#[derive(Default)]
struct Fitting {
    /// The edits, in the order of the source.
    edits: Vec<Edit>,
    /// The number of fixes.
    n_fixed: usize,
}

/// Finds which of these fixes fit.
fn fitting(
    surveyor: &mut Surveyor,
    source: &str,
    fixes: &[&Fix],
) -> Result<Fitting, SourceTooLong> {
    if fixes.is_empty() {
        return Ok(Fitting::default());
    }
    let within = surveyor.within();
    let page = Page::read(source, surveyor.parser(), within)?;
    let mut trials = Trials::new(fixes, &page);
    let rounds_max = ROUNDS_MAX + READ_ALWAYS / source.len().max(1);
    for _ in 0..rounds_max {
        if trials.is_settled() {
            break;
        }
        let edits = trials.tried(fixes);
        let text = apply(source, &edits);
        let end = u64::from(within.end) + text.len() as u64 - source.len() as u64;
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        let after = Page::read(&text, surveyor.parser(), Span::new(within.start, end))?;
        trials.judge(fixes, &edits, &page, &after);
    }
    let (mut edits, mut n_fixed) = trials.accepted(fixes);
    let outside = fitting_outside(source, &trials.outside, fixes, surveyor)?;
    n_fixed += outside.len();
    edits.extend(outside);
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    Ok(Fitting { edits, n_fixed })
}

/// Fixes in the order of the source, without those that overlap earlier ones.
fn without_overlap(mut fixes: Vec<&Fix>) -> Vec<&Fix> {
    fixes.sort_by_key(|fix| fix.edits[0].span.start);
    let mut end = 0;
    let mut is_first = true;
    fixes.retain(|fix| {
        let reach = reach(fix);
        let is_free = is_first || reach.start >= end;
        if is_free {
            (end, is_first) = (reach.end.max(reach.start + 1), false);
        }
        is_free
    });
    fixes
}

/// The span from the first to the last byte that a fix changes.
fn reach(fix: &Fix) -> Span {
    let start = fix.edits.first().map_or(0, |edit| edit.span.start);
    Span::new(start, fix.edits.last().map_or(start, |edit| edit.span.end))
}

/// Applies edits, which are sorted and do not overlap.
fn apply(source: &str, edits: &[Edit]) -> String {
    let n_added: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut text = String::with_capacity(source.len() + n_added);
    let mut end = 0;
    for edit in edits {
        text.push_str(&source[end..edit.span.start as usize]);
        text.push_str(&edit.text);
        end = edit.span.end as usize;
    }
    text.push_str(&source[end..]);
    text
}

/// The edits outside of any leaf, as in definitions, if they keep the number of links.
fn fitting_outside(
    source: &str,
    outside: &[usize],
    fixes: &[&Fix],
    surveyor: &mut Surveyor,
) -> Result<Vec<Edit>, SourceTooLong> {
    let edits: Vec<Edit> = outside.iter().flat_map(|&idx| fixes[idx].edits.clone()).collect();
    if edits.is_empty() {
        return Ok(edits);
    }
    let n_links = |text: &str, surveyor: &mut Surveyor| {
        surveyor.parser().parse(text).map(|document| document.links().count())
    };
    let before = n_links(source, surveyor)?;
    let after = n_links(&apply(source, &edits), surveyor)?;
    Ok(if before == after { edits } else { Vec::new() })
}

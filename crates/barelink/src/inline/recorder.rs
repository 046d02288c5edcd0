//! Results besides the marks, recorded while a text is parsed, for the consumers that need them.
//!
//! | consumer | needs | recorder |
//! |---|---|---|
//! | `html` | only the marks | [`MarksOnly`] |
//! | `events` | also the line endings that are text | [`TextLineEnds`] |
//! | `explain` | also why each candidate for a bare link is one or not | [`Decided`] |
//!
//! A recorder is told what happens and changes nothing: marks do not depend on it, which a test in
//! this file checks. A consumer that needs only the bare links of some words wraps its recorder in
//! [`Among`]; then the marks of other bare links may be missing (`tests/among.rs`).

use std::ops::Range;

use barelink_autolink::engine::{Candidate, Match, Reasons, Region, Silent, decide};
use barelink_autolink::{Dialect, Kind};
use barelink_text::Span;
use barelink_text::set::ByteSet;

use super::autolink::{WwwPrefix, prefix};
use super::decided::Decided;
use super::delimiter::SearchClass;

/// The input of the recognizer of bare links.
pub(crate) struct Question<'t> {
    pub(super) dialect: Dialect,
    pub(super) bytes: &'t [u8],
    pub(super) candidate: Candidate,
    pub(super) www: WwwPrefix,
    /// Whether all other marks are settled. Then the offsets may be those of a decoded text.
    pub(super) is_late: bool,
}

/// Receives results other than marks.
pub(crate) trait Recorder {
    /// Whether [`line_end`](Self::line_end) is to be called for every line ending.
    const WANTS_LINE_ENDS: bool;

    /// Called at a line ending that is text.
    #[inline]
    fn line_end(&mut self, at: usize) {
        let _ = at;
    }

    /// Decides a candidate.
    fn decide(&mut self, question: &Question<'_>, region: &mut Region) -> Option<Match> {
        decide_silently(question, region)
    }

    /// The range in which late links are wanted, which are found after all other marks are settled.
    #[inline]
    fn wanted(&self) -> Range<usize> {
        0..usize::MAX
    }

    /// Whether a candidate found while collecting marks can be skipped: it is not wanted, and
    /// nothing else depends on whether it is a link.
    #[inline]
    fn can_leave_out(&mut self, bytes: &[u8], candidate: Candidate) -> bool {
        let _ = (bytes, candidate);
        false
    }

    /// The offsets of the last decision were those of a decoded text: `offset` maps them to the
    /// leaf's text.
    fn map_last(&mut self, offset: impl Fn(usize) -> usize) {
        let _ = offset;
    }
}

fn decide_silently(question: &Question<'_>, region: &mut Region) -> Option<Match> {
    decide(question.dialect, question.candidate, question.bytes, region, &mut Silent)
}

/// Records nothing.
#[derive(Debug)]
pub(crate) struct MarksOnly;

impl Recorder for MarksOnly {
    const WANTS_LINE_ENDS: bool = false;
}

/// Records the line endings that are text, in order.
#[derive(Debug, Default)]
pub(crate) struct TextLineEnds {
    at: Vec<u32>,
}

impl TextLineEnds {
    pub(crate) fn clear(&mut self) {
        self.at.clear();
    }

    /// The offset of line ending number `idx`, or `u32::MAX` if there are fewer.
    #[inline]
    pub(crate) fn get(&self, idx: usize) -> u32 {
        self.at.get(idx).copied().unwrap_or(u32::MAX)
    }
}

impl Recorder for TextLineEnds {
    const WANTS_LINE_ENDS: bool = true;

    #[inline]
    fn line_end(&mut self, at: usize) {
        self.at.push(at as u32);
    }
}

impl Recorder for Decided {
    const WANTS_LINE_ENDS: bool = false;

    fn decide(&mut self, question: &Question<'_>, region: &mut Region) -> Option<Match> {
        let &Question { dialect, bytes, candidate, www, .. } = question;
        let mut reasons = Reasons::default();
        let found = decide(dialect, candidate, bytes, region, &mut reasons);
        let span = found.map(|found| Span::new(found.start as u32, found.end as u32));
        let prefix = found.map_or("", |found| prefix(candidate, found, www));
        self.push(candidate, reasons.outcome(span), prefix);
        // A region is cut only at a run that closes a style.
        let is_url = dialect == Dialect::Natural && candidate.kind != Kind::Email;
        let is_cut = found.is_some() && is_url;
        if let Some(run) = bytes.get(region.end..).filter(|run| is_cut && !run.is_empty()) {
            let len = run.iter().take_while(|byte| **byte == run[0]).count();
            self.closed_by(region.end..region.end + len);
        }
        found
    }

    fn map_last(&mut self, offset: impl Fn(usize) -> usize) {
        Self::map_last(self, offset);
    }
}

/// Decides candidates in some words only, where that saves time.
///
/// No bare link spans white space, and the decision in one word depends on a link in another only
/// in that links hide markup: the star of `www.a.bc/*` does not begin emphasis. So a candidate
/// elsewhere is skipped if no byte of its word could be markup.
///
/// LINEAR: no byte is read twice.
#[derive(Debug)]
pub(crate) struct Among<R> {
    pub(crate) recorder: R,
    words: Range<usize>,
    /// The part of the words for which decisions are recorded.
    near: Range<usize>,
    /// The end of the words that were examined, and whether the last of them has no markup.
    seen: usize,
    is_plain: bool,
}

impl<R> Among<R> {
    /// `words` is a range of offsets in the text that is parsed. It contains whole words.
    pub(crate) fn new(recorder: R, words: Range<usize>) -> Self {
        Self { recorder, near: words.clone(), words, seen: 0, is_plain: false }
    }

    /// Restricts recording to a part of the words. A link found while collecting marks may start
    /// before that part, in the same word, and extend into it. So earlier candidates of the words
    /// are decided, too, but of their links only one that extends into the part is recorded.
    pub(crate) fn near(self, near: Range<usize>) -> Self {
        let start = self.words.start.max(near.start);
        let end = self.words.end.min(near.end);
        Self { words: self.words.start..end, near: start..end, ..self }
    }
}

/// Bytes of words that are never markup.
const PLAIN: ByteSet = ByteSet::of(b"./:@,;?%#-()")
    .add_range(b'0', b'9')
    .add_range(b'A', b'Z')
    .add_range(b'a', b'z')
    .add_range(0x80, 0xFF);

/// Fails to compile if one of them may be markup. Those that only smart punctuation collects are
/// text in another form.
const _: () = {
    let mut byte = 0;
    while byte < 128 {
        assert!(!(PLAIN.contains(byte) && SearchClass::may_be_markup(byte)), "it may be markup");
        byte += 1;
    }
};

impl<R: Recorder> Recorder for Among<R> {
    const WANTS_LINE_ENDS: bool = R::WANTS_LINE_ENDS;

    fn line_end(&mut self, at: usize) {
        self.recorder.line_end(at);
    }

    fn decide(&mut self, question: &Question<'_>, region: &mut Region) -> Option<Match> {
        if question.candidate.start < self.near.start && !question.is_late {
            let found = decide_silently(question, region)?;
            if found.end <= self.near.start {
                return Some(found);
            }
            // The link extends into the recorded part; no other link can.
        }
        self.recorder.decide(question, region)
    }

    fn wanted(&self) -> Range<usize> {
        self.near.clone()
    }

    fn can_leave_out(&mut self, bytes: &[u8], candidate: Candidate) -> bool {
        if self.words.contains(&candidate.start) {
            return false;
        }
        if candidate.start >= self.seen {
            let rest = &bytes[candidate.start.min(bytes.len())..];
            let len = rest.iter().position(|byte| !PLAIN.contains(*byte));
            let len = len.unwrap_or(rest.len());
            self.is_plain =
                rest.get(len).is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
            self.seen = candidate.start + len + 1;
        }
        self.is_plain
    }

    fn map_last(&mut self, offset: impl Fn(usize) -> usize) {
        self.recorder.map_last(offset);
    }
}

#[cfg(test)]
mod tests {
    use barelink_spectest::{made, random::Random};

    use super::{Among, Decided, MarksOnly, Recorder, TextLineEnds};
    use crate::Options;
    use crate::block;
    use crate::inline::mark::{Mark, MarkKind};
    use crate::inline::{Context, Inlines};
    use crate::parsed::candidates;
    use crate::syntax::text::Text;
    use crate::tape::join::Joined;
    use crate::tape::{Record, Tape};

    /// Everything that the inline phase produces for a document, leaf by leaf.
    fn results(source: &str, options: &Options, recorder: &mut impl Recorder) -> Vec<String> {
        results_in(Inlines::default(), source, options, recorder)
    }

    /// [`results`] with the given working memory.
    fn results_in(
        mut inlines: Inlines,
        source: &str,
        options: &Options,
        recorder: &mut impl Recorder,
    ) -> Vec<String> {
        let mut tape = Tape::default();
        block::parse(source, options, &mut tape, &mut block::BlockBuffers::default());
        let context = Context::new(options, &tape.references, &tape.footnotes);
        let mut candidates = candidates(source, options);
        let mut joined = Joined::default();
        let mut parse = |record: &Record| {
            let lines = record.block.inline_lines()?;
            let text = joined.text(source, &tape, record.span(), lines);
            inlines.parse(&text, &context, &mut candidates, recorder);
            let Inlines { marks, links, bare, .. } = &inlines;
            check_marks(&text, marks);
            // Data that no mark refers to is never read, and may be left from an earlier text.
            let referred: Vec<_> = marks
                .iter()
                .filter_map(|mark| match mark.kind {
                    MarkKind::LinkClose { link } | MarkKind::ImageClose { link } => {
                        Some(format!("{:?}", links[link.0 as usize]))
                    }
                    MarkKind::BareLink { bare: idx } => Some(format!("{:?}", bare[idx.0 as usize])),
                    _ => None,
                })
                .collect();
            Some(format!("{:?} {marks:?} {referred:?}", text.slice(text.start, text.end)))
        };
        tape.records.iter().filter_map(&mut parse).collect()
    }

    /// Marks that are used lie on character boundaries, in order, and do not overlap.
    fn check_marks(text: &Text<'_>, marks: &[Mark]) {
        let mut at = text.start;
        for mark in marks.iter().filter(|mark| !mark.kind.is_unused()) {
            let (start, end) = (mark.start as usize, mark.end as usize);
            assert!(at <= start && start <= end && end <= text.end, "{mark:?} of {text:?}");
            assert!(text.str.get(start..end).is_some(), "{mark:?} of {text:?}");
            at = end;
        }
        assert!(matches!(marks, [.., Mark { kind: MarkKind::End, .. }]), "{text:?}");
    }

    fn check(source: &str) {
        let mut smart = Options::natural();
        smart.smart_punctuation = true;
        let mut styles = Options::github();
        (styles.mark, styles.superscript, styles.subscript) = (true, true, true);
        styles.wiki_links = true;
        let preset = |name: &&str| Options::preset(name).expect("a listed preset exists");
        for options in Options::PRESETS.iter().map(preset).chain([smart, styles]) {
            let for_html = results(source, &options, &mut MarksOnly);
            let for_events = results(source, &options, &mut TextLineEnds::default());
            let for_explain = results(source, &options, &mut Decided::default());
            assert_eq!(for_html, for_events, "events see other marks of {source:?} in {options:?}");
            assert_eq!(
                for_html, for_explain,
                "explain sees other marks of {source:?} in {options:?}"
            );
            // If all words are wanted, no mark may be missing.
            let mut among_all = Among::new(MarksOnly, 0..usize::MAX);
            let for_bare_links = results(source, &options, &mut among_all);
            assert_eq!(for_html, for_bare_links, "bare links, {source:?} in {options:?}");
            // A stream notes the labels that are not defined.
            let noting = Inlines { missed: Some(Box::default()), ..Inlines::default() };
            let for_stream = results_in(noting, source, &options, &mut MarksOnly);
            assert_eq!(for_html, for_stream, "a stream, {source:?} in {options:?}");
        }
    }

    #[test]
    fn all_readers_see_the_same_marks() {
        let mut random = Random::new(13);
        for _ in 0..1500 {
            check(&random.document(&made::PIECES));
            check(&random.document(&made::EXTENDED));
        }
        check("(see\nhttp://a.bc/d) \nand\n*http://a.bc/*\\\nwww.a.bc\na@b.cd");
    }

    #[test]
    fn line_endings_are_marked_or_taken_down() {
        let (source, options) = ("a\nb \nc  \nd\\\ne `f\ng`\nh", Options::commonmark());
        let mut line_ends = TextLineEnds::default();
        let results = results(source, &options, &mut line_ends);
        assert!(results[0].contains("SoftBreak") && results[0].contains("HardBreak"));
        assert_eq!([0, 1, 2].map(|idx| line_ends.get(idx)), [1, 19, u32::MAX]);
    }
}

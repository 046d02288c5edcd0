//! What is taken down beside the marks while a text is parsed, for the readers that want it.
//!
//! | reader | wants | recorder |
//! |---|---|---|
//! | `html` | the marks alone | [`MarksOnly`] |
//! | `events` | also the line endings that are text | [`TextLineEnds`] |
//! | `explain` | also why each candidate for a bare link is one, or is none | [`Decided`] |
//!
//! A recorder hears of what happens and changes nothing: marks do not depend on it. A test
//! in this file holds that.

use barelink_autolink::engine::{Candidate, Match, Reasons, Region, Silent, decide};
use barelink_autolink::{Dialect, Kind};
use barelink_text::Span;

use super::autolink::{WwwPrefix, prefix};
use super::decided::Decided;

/// A question to the recognizer of bare links.
pub(crate) struct Question<'t> {
    pub(super) dialect: Dialect,
    pub(super) bytes: &'t [u8],
    pub(super) candidate: Candidate,
    pub(super) www: WwwPrefix,
}

/// Takes down what happens besides marks.
pub(crate) trait Recorder {
    /// Whether it wants to hear of every line ending.
    const WANTS_LINE_ENDS: bool;

    /// A line ending that is text.
    #[inline]
    fn line_end(&mut self, at: usize) {
        let _ = at;
    }

    /// Has a candidate decided.
    fn decide(&mut self, question: &Question<'_>, region: &mut Region) -> Option<Match> {
        decide_silently(question, region)
    }

    /// The offsets of the last decision were those of a decoded text: `offset` maps them to
    /// the leaf's.
    fn map_last(&mut self, offset: impl Fn(usize) -> usize) {
        let _ = offset;
    }
}

fn decide_silently(question: &Question<'_>, region: &mut Region) -> Option<Match> {
    decide(question.dialect, question.candidate, question.bytes, region, &mut Silent)
}

/// Takes nothing down.
#[derive(Debug)]
pub(crate) struct MarksOnly;

impl Recorder for MarksOnly {
    const WANTS_LINE_ENDS: bool = false;
}

/// Takes down the line endings that are text, in order.
#[derive(Debug, Default)]
pub(crate) struct TextLineEnds {
    at: Vec<u32>,
}

impl TextLineEnds {
    pub(crate) fn clear(&mut self) {
        self.at.clear();
    }

    /// Where line ending number `idx` is: behind everything, if there are not so many.
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
        let &Question { dialect, bytes, candidate, www } = question;
        let mut reasons = Reasons::default();
        let found = decide(dialect, candidate, bytes, region, &mut reasons);
        let span = found.map(|found| Span::new(found.start as u32, found.end as u32));
        let prefix = found.map_or("", |found| prefix(candidate, found, www));
        self.push(candidate, reasons.outcome(span), prefix);
        // What the recognizer does not see starts with a run that closes a style.
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

#[cfg(test)]
mod tests {
    use barelink_spectest::{made, random::Random};

    use super::{Decided, MarksOnly, Recorder, TextLineEnds};
    use crate::Options;
    use crate::block;
    use crate::inline::mark::{Mark, MarkKind};
    use crate::inline::{Context, Inlines};
    use crate::parsed::candidates;
    use crate::syntax::text::Text;
    use crate::tape::join::Joined;
    use crate::tape::{Record, Tape};

    /// Everything that the inline phase leaves of a document, leaf by leaf.
    fn results(source: &str, options: &Options, recorder: &mut impl Recorder) -> Vec<String> {
        let mut tape = Tape::default();
        block::parse(source, options, &mut tape, &mut block::BlockBuffers::default());
        let context = Context::new(options, &tape.references, &tape.footnotes);
        let mut candidates = candidates(source, options);
        let mut joined = Joined::default();
        let mut inlines = Inlines::default();
        let mut parse = |record: &Record| {
            let lines = record.block.inline_lines()?;
            let text = joined.text(source, &tape, record.span(), lines);
            inlines.parse(&text, &context, &mut candidates, recorder);
            let Inlines { marks, links, bare, .. } = &inlines;
            check_marks(&text, marks);
            // Without a mark nobody looks at the rest, and it may be older.
            let referred = (marks.len() > 1).then_some((links, bare));
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
        let preset = |name: &&str| Options::preset(name).expect("a listed preset exists");
        for options in Options::PRESETS.iter().map(preset).chain([smart]) {
            let for_html = results(source, &options, &mut MarksOnly);
            let for_events = results(source, &options, &mut TextLineEnds::default());
            let for_explain = results(source, &options, &mut Decided::default());
            assert_eq!(for_html, for_events, "events see other marks of {source:?} in {options:?}");
            assert_eq!(
                for_html, for_explain,
                "explain sees other marks of {source:?} in {options:?}"
            );
        }
    }

    #[test]
    fn all_readers_see_the_same_marks() {
        let mut random = Random::new(13);
        for _ in 0..3000 {
            check(&random.document(&made::PIECES));
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

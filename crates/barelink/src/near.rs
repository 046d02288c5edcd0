//! Text that was meant as a link, but is none because of a slip: `[a](b c)`, `[a] (b)`,
//! `[a][missing]`.
//!
//! A document's text is parsed as usual, and the parts that remain text are read once more for what
//! looks like a link. So nothing is reported for a place that is a link, code, or HTML.
//!
//! LINEAR: blocks come in order, and only those with a `[` in them are read.

mod leaf;
mod tail;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;

use barelink_text::Span;

use crate::inline::Context;
use crate::inline::own::Candidates;
use crate::inline::recorder::MarksOnly;
use crate::memory::give_back;
use crate::parsed::{Parsed, ReadGuard, Scratch, Shared, candidates};
use crate::tape::is_apart;
use crate::tape::join::Loaded;
use crate::tape::pieces::Lines;

use self::leaf::NearLeaf;

/// Something that looks like a link or an image but is none.
///
/// ```
/// use barelink::{Flaw, Options};
/// let source = "see [the guide](my guide.md)";
/// let document = barelink::parse(source, &Options::gfm())?;
/// let near = document.near_links().next().unwrap();
/// assert_eq!(near.flaw, Flaw::SpaceInDestination);
/// assert_eq!(near.text.slice(source), "the guide");
/// assert_eq!(near.target.slice(source), "my guide.md");
/// assert_eq!(near.at, 18); // the space
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NearLink {
    /// What is wrong with it.
    pub flaw: Flaw,
    /// Whether it would be an image.
    pub image: bool,
    /// Its span in the source, including those brackets and parentheses that exist.
    pub span: Span,
    /// The span of the text in the brackets, or in what stands for them.
    pub text: Span,
    /// The span of the destination or label as written, without title and delimiters.
    pub target: Span,
    /// Whether the target looks like a URL or a path. `[1] (optional)` is hardly meant to be a
    /// link, `[1] (notes.md)` is.
    pub looks_like_url: bool,
    /// The offset in the source of the byte that breaks it.
    pub at: u32,
}

/// Why something that looks like a link is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Flaw {
    /// `[a](b c)`: a space in the destination.
    SpaceInDestination,
    /// `[a](b`: no closing parenthesis.
    Unclosed,
    /// `[a](b(c)`: parentheses in the destination that do not match, or nest too deep.
    UnmatchedParentheses,
    /// `[a](<b)`: no `>`.
    UnclosedAngle,
    /// `[a](<b>c)`: something after the `>`.
    BehindAngle,
    /// `[a](b "c)`: no closing quote.
    UnclosedTitle,
    /// `[a](b "c" d)`: something after the title.
    BehindTitle,
    /// A control character in the destination.
    ControlCharacter,
    /// `[a] (b)`: a space before the parenthesis.
    SpaceBeforeParenthesis,
    /// `[a]（b）`: full-width parentheses.
    FullWidthParenthesis,
    /// `(a)[b]`: brackets and parentheses in the wrong places.
    Reversed,
    /// `[a(b)`: no closing bracket.
    UnclosedText,
    /// `[a [b](c)](d)`: a link in the text.
    LinkInText,
    /// `[a][b]` or `[a][]` without a definition of the label.
    MissingDefinition,
    /// `[^a]` without a footnote of that label, if footnotes are on.
    MissingFootnote,
}

impl Flaw {
    /// Every flaw.
    pub const ALL: &'static [Self] = &[
        Self::SpaceInDestination,
        Self::Unclosed,
        Self::UnmatchedParentheses,
        Self::UnclosedAngle,
        Self::BehindAngle,
        Self::UnclosedTitle,
        Self::BehindTitle,
        Self::ControlCharacter,
        Self::SpaceBeforeParenthesis,
        Self::FullWidthParenthesis,
        Self::Reversed,
        Self::UnclosedText,
        Self::LinkInText,
        Self::MissingDefinition,
        Self::MissingFootnote,
    ];

    /// The name, for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SpaceInDestination => "space-in-destination",
            Self::Unclosed => "unclosed",
            Self::UnmatchedParentheses => "unmatched-parentheses",
            Self::UnclosedAngle => "unclosed-angle",
            Self::BehindAngle => "behind-angle",
            Self::UnclosedTitle => "unclosed-title",
            Self::BehindTitle => "behind-title",
            Self::ControlCharacter => "control-character",
            Self::SpaceBeforeParenthesis => "space-before-parenthesis",
            Self::FullWidthParenthesis => "full-width-parenthesis",
            Self::Reversed => "reversed",
            Self::UnclosedText => "unclosed-text",
            Self::LinkInText => "link-in-text",
            Self::MissingDefinition => "missing-definition",
            Self::MissingFootnote => "missing-footnote",
        }
    }

    /// The reason in one sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::SpaceInDestination => {
                "A space ends the destination, and what follows is no title in quotes."
            }
            Self::Unclosed => "The parenthesis behind the text is never closed.",
            Self::UnmatchedParentheses => "The parentheses in the destination do not match.",
            Self::UnclosedAngle => "The angle bracket before the destination is never closed.",
            Self::BehindAngle => "Only a title may stand behind a destination in angle brackets.",
            Self::UnclosedTitle => "The title is never closed.",
            Self::BehindTitle => "Nothing may stand between the title and the parenthesis.",
            Self::ControlCharacter => "A destination has no control characters.",
            Self::SpaceBeforeParenthesis => {
                "A space stands between the text and the destination, so they are not one."
            }
            Self::FullWidthParenthesis => {
                "Parentheses around a destination are those of ASCII, not full-width ones."
            }
            Self::Reversed => "The text belongs in brackets, the destination in parentheses.",
            Self::UnclosedText => "The bracket before the text is never closed.",
            Self::LinkInText => "There is a link in the text, and links do not nest.",
            Self::MissingDefinition => "No definition has this label.",
            Self::MissingFootnote => "No footnote has this label.",
        }
    }

    /// How to fix it, in one sentence.
    pub const fn help(self) -> &'static str {
        match self {
            Self::SpaceInDestination => "Write %20 for the space, or put <> around it all.",
            Self::Unclosed => "Write the missing ).",
            Self::UnmatchedParentheses => "Write \\( or \\), or put <> around the destination.",
            Self::UnclosedAngle => "Write the missing >.",
            Self::BehindAngle => "Put all of the destination between < and >.",
            Self::UnclosedTitle => "Write the missing quote.",
            Self::BehindTitle => "Write \\\" for a quote within the title.",
            Self::ControlCharacter => "Remove the character.",
            Self::SpaceBeforeParenthesis => "Remove the space.",
            Self::FullWidthParenthesis => "Write ( and ).",
            Self::Reversed => "Write [text](destination).",
            Self::UnclosedText => "Write ] behind the text.",
            Self::LinkInText => "Take the inner link out of the text.",
            Self::MissingDefinition => "Add [label]: destination on a line of its own.",
            Self::MissingFootnote => "Add [^label]: and the footnote on a line of its own.",
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Everything in a document that looks like a link but is none, in order. See
/// [`Document::near_links`](crate::Document::near_links).
#[derive(Debug)]
pub struct NearLinks<'p, 's> {
    source: &'s str,
    reading: ReadGuard<'p>,
    block_idx: usize,
    candidates: Option<Candidates<'s>>,
    /// The text of the leaf that was read last, and what is left of it.
    loaded: Option<Loaded>,
    found: VecDeque<NearLink>,
    /// Buffer for a normalized label.
    label: String,
    within: Span,
}

impl<'p, 's> NearLinks<'p, 's> {
    pub(crate) fn new(source: &'s str, parsed: Shared<'p>) -> Self {
        let candidates = candidates(source, &parsed.options);
        Self {
            source,
            reading: ReadGuard::new(parsed),
            block_idx: 0,
            candidates,
            loaded: None,
            found: VecDeque::new(),
            label: String::new(),
            within: Span::new(0, u32::MAX),
        }
    }

    /// Restricts the results to blocks that this span overlaps or touches. See
    /// [`Decisions::within`](crate::Decisions::within).
    #[must_use]
    pub fn within(mut self, span: Span) -> Self {
        self.within = span;
        self
    }

    /// The next text that may have results; `None` at the end.
    fn next_leaf(&mut self) -> Option<(Span, Lines)> {
        let records = &self.reading.parsed.tape.records;
        loop {
            let record = records.get(self.block_idx)?;
            self.block_idx += 1;
            if let Some(lines) = record.block.inline_lines()
                && !is_apart(record.span(), self.within)
                && memchr::memchr(b'[', record.span().slice(self.source).as_bytes()).is_some()
            {
                return Some((record.span(), lines));
            }
        }
    }

    fn read_leaf(&mut self, span: Span, lines: Lines) -> Option<()> {
        let (Parsed { options, tape, .. }, scratch) = self.reading.parts()?;
        let Scratch { inlines, joined, .. } = scratch;
        let loaded = joined.load(self.source, tape, span, lines);
        self.loaded = Some(loaded);
        let text = joined.view(self.source, &tape.folded, loaded);
        let context = Context::new(options, &tape.references, &tape.footnotes);
        inlines.parse(&text, &context, &mut self.candidates, &mut MarksOnly);
        let leaf = NearLeaf::new(&text, &inlines.marks, &context, &mut self.label);
        self.found = leaf.read().into();
        // The marks are not needed again, and another reader may have its own at the same time.
        give_back(&mut inlines.marks);
        Some(())
    }

    /// A part of the text of the leaf that was read last. Its lines are separated by spaces,
    /// without the markers between them.
    pub(crate) fn text_of(&mut self, part: Span) -> Cow<'s, str> {
        let Some((loaded, (parsed, scratch))) = self.loaded.zip(self.reading.parts()) else {
            return Cow::Borrowed("");
        };
        let text = scratch.joined.view(self.source, &parsed.tape.folded, loaded);
        let range = text.within(part);
        // U+FFFD is longer than the NUL that it replaces, so an offset may be inside it.
        let boundary = |at: usize| (at..text.end).find(|at| text.str.is_char_boundary(*at));
        let [start, end] = [range.start, range.end].map(|at| boundary(at).unwrap_or(text.end));
        let found = text.slice(start, end);
        match text.verbatim(start, end) {
            Some(span) if !found.contains('\n') => Cow::Borrowed(span.slice(self.source)),
            _ => Cow::Owned(found.replace('\n', " ")),
        }
    }
}

impl Iterator for NearLinks<'_, '_> {
    type Item = NearLink;

    fn next(&mut self) -> Option<NearLink> {
        while self.found.is_empty() {
            let (span, lines) = self.next_leaf()?;
            self.read_leaf(span, lines)?;
        }
        self.found.pop_front()
    }
}

/// Whether a target looks like a URL or a path rather than words.
fn looks_like_url(target: &str) -> bool {
    let starts = ["/", "#", "./", "../", "?", "www.", "mailto:", "tel:"];
    target.contains("://")
        || starts.iter().any(|start| target.starts_with(start))
        || has_host_or_file(target)
}

/// Whether `a.bc` is at the end, or before one of `/`, `?`, `#` and `:`.
fn has_host_or_file(target: &str) -> bool {
    let name = target.split(['?', '#']).next().unwrap_or_default();
    name.split(['/', ':']).any(|part| {
        part.rsplit_once('.').is_some_and(|(stem, extension)| {
            let is_name = extension.chars().all(char::is_alphanumeric);
            stem.ends_with(char::is_alphanumeric)
                && is_name
                && extension.chars().filter(|c| c.is_alphabetic()).count() >= 2
        })
    })
}

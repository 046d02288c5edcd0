//! From a source to HTML or text without a document in between: what a parser does, but for the
//! documents that it returns.
//!
//! ```text
//! source ─┬─ one line of plain words ─────────────────▶ HTML
//!         ├─ lines that end in CRLF ─▶ a copy ─▶ blocks ─▶ HTML
//!         └─ any other ─────────────────────────▶ blocks ─▶ HTML
//! ```

use std::io;
use std::sync::PoisonError;

use crate::block;
use crate::one_line;
use crate::options::Options;
use crate::parsed::Parsed;
use crate::plain_text;
use crate::source_len::{self, SourceTooLong};
use crate::tape::folded::may_have_crlf;

/// Whether [`Converter::push_folded`] may be worth it: the lines seem to end in CRLF, and no
/// positions are written.
#[inline]
pub(crate) fn may_fold(source: &str, options: &Options) -> bool {
    may_have_crlf(source) && !options.policy.source_positions
}

/// Reserves capacity for the HTML of most sources.
pub(crate) fn reserve(source: &str, out: &mut String) {
    out.reserve(source.len() + source.len() / 4);
}

/// How much of the HTML of a source was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wrote {
    All,
    /// This many bytes. The rest is to be written from the source as it is.
    First(usize),
}

/// Parses blocks and writes them, and keeps the memory for the next source.
#[derive(Debug)]
pub(crate) struct Converter {
    pub(crate) parsed: Parsed,
    block: block::BlockBuffers,
    /// See [`Converter::push_folded`].
    folded: String,
}

impl Converter {
    pub(crate) fn new(options: Options) -> Self {
        Self {
            parsed: options.into(),
            block: block::BlockBuffers::default(),
            folded: String::new(),
        }
    }

    /// Parses blocks, and moves them out. They have the same options.
    pub(crate) fn parse_for_good(&mut self, source: &str) -> Parsed {
        self.read_checked(source);
        let spare = Parsed::from(self.parsed.options.clone());
        std::mem::replace(&mut self.parsed, spare)
    }

    /// Reuses the memory of blocks that were moved out.
    pub(crate) fn give_back(&mut self, parsed: Parsed) {
        self.parsed = parsed;
    }

    /// See [`Parser::push_html`](crate::Parser::push_html).
    #[inline]
    pub(crate) fn push_html(
        &mut self,
        source: &str,
        out: &mut String,
    ) -> Result<(), SourceTooLong> {
        source_len::check(source)?;
        if one_line::push_html(source, &self.parsed.options, out) {
            #[cfg(debug_assertions)]
            self.compare(source, out, |other, parsed| {
                other.push_parsed(source, parsed);
            });
            return Ok(());
        }
        reserve(source, out);
        if !(may_fold(source, &self.parsed.options) && self.push_folded(source, out)) {
            self.read_checked(source);
            self.push_parsed(source, out);
        }
        Ok(())
    }

    /// See [`Parser::push_text`](crate::Parser::push_text).
    #[inline]
    pub(crate) fn push_text(
        &mut self,
        source: &str,
        out: &mut String,
    ) -> Result<(), SourceTooLong> {
        source_len::check(source)?;
        if one_line::push_text(source, &self.parsed.options, out) {
            #[cfg(debug_assertions)]
            self.compare(source, out, |other, parsed| {
                plain_text::push(&mut other.parsed.writer(source), parsed);
            });
            return Ok(());
        }
        self.read_checked(source);
        plain_text::push(&mut self.parsed.writer(source), out);
        Ok(())
    }

    /// Panics unless `out`, which was written without blocks, ends with what `push` makes of them.
    #[cfg(debug_assertions)]
    fn compare(&self, source: &str, out: &str, push: impl FnOnce(&mut Self, &mut String)) {
        let (mut other, mut parsed) = (Self::new(self.parsed.options.clone()), String::new());
        other.read_checked(source);
        push(&mut other, &mut parsed);
        assert!(out.ends_with(&parsed), "with and without blocks, {source:?}");
    }

    /// Appends the HTML of `source` by way of a copy with line feeds, if all lines end in CRLF, and
    /// returns whether they do. HTML has no offsets, so the result is the same, and every line is
    /// read as fast as without the carriage return.
    #[inline(never)]
    fn push_folded(&mut self, source: &str, out: &mut String) -> bool {
        let mut folded = std::mem::take(&mut self.folded);
        let Parsed { options, tape, .. } = &mut self.parsed;
        let start = out.len();
        let mut is_done = block::parse_folded(source, &mut folded, options, tape, &mut self.block);
        if is_done {
            let at_limit = self.push_parsed(&folded, out) || self.parsed.tape.at_limit;
            // At its true offset, it might be within the limit.
            if at_limit {
                out.truncate(start);
                is_done = false;
            }
        }
        self.folded = folded;
        is_done
    }

    /// Writes the HTML of `source`, which is not too long, from such a copy. If a limit is reached,
    /// the part before it is right, and the rest is not written.
    pub(crate) fn write_folded(
        &mut self,
        source: &str,
        to: &mut impl io::Write,
    ) -> io::Result<Wrote> {
        let Self { parsed: Parsed { options, tape, spare }, block, folded, .. } = self;
        if !block::parse_folded(source, folded, options, tape, block) || tape.at_limit {
            return Ok(Wrote::First(0));
        }
        let spare = spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        let scratch = spare.get_or_insert_default();
        scratch.start();
        let mut n_written = 0;
        let written = scratch.writer(folded, options, tape).write_document(|html, inlines| {
            if !inlines.at_limit {
                to.write_all(html.as_bytes())?;
                n_written += html.len();
            }
            Ok(())
        });
        written
            .map(|()| if scratch.inlines.at_limit { Wrote::First(n_written) } else { Wrote::All })
    }

    /// Appends the HTML of `source`, which has been parsed. Returns whether the writer reached a
    /// limit.
    ///
    /// Not inlined, so that a source with CRLF is written by the same code as any other.
    #[inline(never)]
    fn push_parsed(&mut self, source: &str, out: &mut String) -> bool {
        let mut writer = self.parsed.writer(source);
        writer.push_document(out);
        writer.inlines.at_limit
    }

    /// Parses the blocks of a source.
    pub(crate) fn read(&mut self, source: &str) -> Result<(), SourceTooLong> {
        source_len::check(source)?;
        self.read_checked(source);
        Ok(())
    }

    /// Parses the blocks of a source that is not too long.
    #[inline]
    fn read_checked(&mut self, source: &str) {
        block::parse(source, &self.parsed.options, &mut self.parsed.tape, &mut self.block);
    }
}

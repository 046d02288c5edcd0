//! Footnotes: numbered in the order of their first references, and displayed at the end, each with
//! a link back to every reference.
//!
//! The content is written where the definition is, and then set aside, since the number of
//! references is known only at the end of the document. A note without references is not displayed.
//!
//! Ids are made from labels as on GitHub: `fn-LABEL` is the note, `fnref-LABEL` its first
//! reference, `fnref-LABEL-2` the second. If the name of one collides with that of another, the
//! later one gets a number.
//!
//! LINEAR: `slug` explains how a free number is found.

use std::collections::HashMap;

use super::escape::push_href;
use super::room::TAGS_LEN;
use super::slug::Unique;
use crate::memory::reserve_sparingly;
use crate::options::{Markup, Options};

/// The prefixes of the ids of notes, and of references.
const NOTE: &str = "fn-";
const REFERENCE: &str = "fnref-";

/// Whether a footnote could have this id.
pub(super) fn is_id(id: &str) -> bool {
    id.starts_with(NOTE) || id.starts_with(REFERENCE)
}

/// Whether a footnote could have this id once `-` and a number are appended.
pub(super) fn is_id_with_number(id: &str) -> bool {
    [NOTE, REFERENCE].iter().any(|start| start.strip_suffix('-') == Some(id))
}

/// The footnotes of a document, by id: the number of the definition.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    by_id: Vec<Note>,
    /// Ids in the order of first references.
    order: Vec<u32>,
    /// The names of notes, made from labels.
    labels: Unique,
    /// The names of references that differ from the usual ones, and those from which they differ.
    references: Unique,
    /// The names that differ from the usual ones, by note id and number of the reference.
    renamed: HashMap<(u32, u32), String>,
    /// The number of leading notes in the list that are unchanged since it was last written.
    n_same: usize,
    /// The references in order, if they are recorded.
    trail: Option<Vec<u32>>,
    /// Undoes what was done since the mark.
    undo: NotesUndo,
}

/// What undoes the changes since the mark.
#[derive(Debug, Default)]
struct NotesUndo {
    is_marked: bool,
    references: Vec<u32>,
    /// The former contents of notes.
    contents: Vec<(u32, Content)>,
}

#[derive(Debug, Clone, Default)]
struct Note {
    /// The name in its ids.
    name: String,
    /// Counts from 1; 0 as long as nothing refers to the note.
    number: u32,
    n_references: u32,
    content: Content,
}

/// The content of a note.
#[derive(Debug, Clone, Default)]
struct Content {
    html: String,
    /// What follows the content and the links back.
    end: &'static str,
}

/// Whether the contents of notes are needed after they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contents {
    Kept,
    Dropped,
}

/// The end of a paragraph. If it is the last, the links back go before it.
const PARAGRAPH_END: &str = "</p>\n";

impl NotesUndo {
    #[inline]
    fn forget(&mut self) {
        self.is_marked = false;
        self.references.clear();
        self.contents.clear();
    }
}

impl Notes {
    #[inline]
    pub(crate) fn clear(&mut self) {
        // Without notes, nothing else is recorded.
        if !self.by_id.is_empty() || self.undo.is_marked {
            self.clear_all();
        }
    }

    #[cold]
    fn clear_all(&mut self) {
        self.by_id.clear();
        self.order.clear();
        self.labels.clear();
        self.references.clear();
        self.renamed.clear();
        self.n_same = 0;
        self.undo.forget();
    }

    /// The note with this number has changed, and all after it count as changed.
    fn note_change(&mut self, number: u32) {
        if let Some(n_before) = (number as usize).checked_sub(1) {
            self.n_same = self.n_same.min(n_before);
        }
    }

    fn note(&mut self, id: u32) -> &mut Note {
        let idx = id as usize;
        if self.by_id.len() <= idx {
            self.by_id.resize(idx + 1, Note::default());
        }
        &mut self.by_id[idx]
    }

    /// Writes a reference to note `id`, which is defined with `label`.
    pub(super) fn push_reference(
        &mut self,
        id: u32,
        label: &str,
        options: &Options,
        out: &mut String,
    ) {
        reserve_sparingly(TAGS_LEN, out);
        let nth = self.refer(id, label, options.markup);
        let number = self.note(id).number.to_string();
        out.push_str(match options.markup {
            Markup::Github => "<sup class=\"footnote-ref\"><a href=\"#",
            Markup::Md4c => "<sup><a href=\"#",
        });
        self.push_note_id(id, options, out);
        out.push_str("\" id=\"");
        self.push_reference_id(id, nth, options, out);
        out.push_str(match options.markup {
            Markup::Github => "\" data-footnote-ref>",
            Markup::Md4c => "\">",
        });
        out.push_str(&number);
        out.push_str("</a></sup>");
    }

    /// Counts a reference to note `id`, which is defined with `label`. Returns the number of the
    /// reference among those to the note.
    pub(super) fn refer(&mut self, id: u32, label: &str, markup: Markup) -> u32 {
        let n_noted = self.order.len() as u32;
        let note = self.note(id);
        note.n_references += 1;
        let nth = note.n_references;
        if note.number == 0 {
            note.number = n_noted + 1;
            let number = note.number;
            self.order.push(id);
            let name = match markup {
                Markup::Github => {
                    let mut name = String::new();
                    push_href(label, &mut name);
                    self.labels.claim(name, id)
                }
                Markup::Md4c => number.to_string(),
            };
            self.note(id).name = name;
        }
        self.note_change(self.by_id[id as usize].number);
        self.claim_reference(id, nth, markup);
        self.trail.iter_mut().for_each(|trail| trail.push(id));
        if self.undo.is_marked {
            self.undo.references.push(id);
        }
        nth
    }

    /// Takes the references recorded since the last call, and records them from now on.
    pub(super) fn take_trail(&mut self) -> Vec<u32> {
        let mut trail = self.trail.replace(Vec::new()).unwrap_or_default();
        // Each block keeps its own.
        trail.shrink_to_fit();
        trail
    }

    /// Whether anything has changed since the mark.
    #[inline]
    pub(super) fn is_changed(&self) -> bool {
        !self.undo.references.is_empty() || !self.undo.contents.is_empty() || self.has_trail()
    }

    #[inline]
    pub(super) fn has_trail(&self) -> bool {
        self.trail.as_ref().is_some_and(|trail| !trail.is_empty())
    }

    /// Whether there are no references.
    pub(crate) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Forgets all references, but not the notes.
    pub(super) fn forget_references(&mut self) {
        for note in &mut self.by_id {
            (note.number, note.n_references) = (0, 0);
        }
        self.order.clear();
        self.labels.clear();
        self.references.clear();
        self.renamed.clear();
        self.n_same = 0;
        self.undo.forget();
    }

    /// Sets the mark: what is done from now on can be undone.
    #[inline]
    pub(super) fn mark(&mut self) {
        self.undo.forget();
        self.undo.is_marked = true;
        self.labels.mark();
        self.references.mark();
    }

    /// Makes what was done since the mark permanent.
    #[inline]
    pub(super) fn keep(&mut self) {
        self.undo.forget();
        self.labels.keep();
        self.references.keep();
    }

    /// Undoes what was done since the mark.
    pub(super) fn take_back(&mut self) {
        if !std::mem::take(&mut self.undo.is_marked) {
            return;
        }
        while let Some(id) = self.undo.references.pop() {
            self.note_change(self.by_id[id as usize].number);
            let note = &mut self.by_id[id as usize];
            self.renamed.remove(&(id, note.n_references));
            note.n_references -= 1;
            if note.n_references == 0 {
                note.number = 0;
                self.order.pop();
            }
        }
        while let Some((id, content)) = self.undo.contents.pop() {
            self.by_id[id as usize].content = content;
            self.note_change(self.by_id[id as usize].number);
        }
        self.labels.take_back();
        self.references.take_back();
        self.take_trail();
    }

    /// Claims the name of a reference, or another one if that is taken. Names of the usual form are
    /// not stored: there may be one for every four bytes of a source.
    fn claim_reference(&mut self, id: u32, nth: u32, markup: Markup) {
        if markup == Markup::Md4c {
            // Names are numbers, which are unique.
            return;
        }
        let mut usual = String::new();
        push_usual_name(&self.by_id[id as usize].name, nth, markup, &mut usual);
        let is_taken = match nth {
            1 => self.is_later_reference(&usual),
            _ => self.is_first_reference(&usual),
        };
        if !is_taken && self.references.taken_by(&usual).is_none() {
            return;
        }
        let mut references = std::mem::take(&mut self.references);
        let is_usual = |name: &str| self.is_first_reference(name) || self.is_later_reference(name);
        let name = references.claim_numbered(usual, id, is_usual);
        self.references = references;
        self.renamed.insert((id, nth), name);
    }

    /// Whether this is the usual name of the first reference to a note.
    fn is_first_reference(&self, name: &str) -> bool {
        self.n_references(name) > 0
    }

    /// Whether this is the usual name of a later reference to a note.
    fn is_later_reference(&self, name: &str) -> bool {
        let Some((note, nth)) = name.rsplit_once('-') else { return false };
        let is_number = nth.bytes().all(|byte| byte.is_ascii_digit()) && !nth.starts_with('0');
        is_number && nth.parse().is_ok_and(|nth: u32| nth > 1 && nth <= self.n_references(note))
    }

    /// The number of references to the note with this name.
    fn n_references(&self, name: &str) -> u32 {
        self.labels.taken_by(name).map_or(0, |id| self.by_id[id as usize].n_references)
    }

    fn push_note_id(&self, id: u32, options: &Options, out: &mut String) {
        options.policy.push_id_prefix(out);
        out.push_str(NOTE);
        out.push_str(&self.by_id[id as usize].name);
    }

    fn push_reference_id(&self, id: u32, nth: u32, options: &Options, out: &mut String) {
        options.policy.push_id_prefix(out);
        out.push_str(REFERENCE);
        match self.renamed.get(&(id, nth)) {
            Some(name) => out.push_str(name),
            None => push_usual_name(&self.by_id[id as usize].name, nth, options.markup, out),
        }
    }

    /// Moves the content of note `id`, which is everything in `out` from `start`, out of `out`.
    pub(super) fn define(&mut self, id: u32, start: usize, markup: Markup, out: &mut String) {
        let content = out.get(start..).unwrap_or_default();
        let lone = content.strip_prefix("<p>").and_then(|rest| rest.strip_suffix(PARAGRAPH_END));
        let (html, end) = match lone {
            // MD4C displays a single paragraph without its tags.
            Some(text) if markup == Markup::Md4c && !text.contains(PARAGRAPH_END) => (text, "\n"),
            _ => match content.strip_suffix(PARAGRAPH_END) {
                Some(content) => (content, PARAGRAPH_END),
                None => (content, ""),
            },
        };
        let content = Content { html: html.to_owned(), end };
        out.truncate(start);
        let before = std::mem::replace(&mut self.note(id).content, content);
        self.note_change(self.by_id[id as usize].number);
        if self.undo.is_marked {
            self.undo.contents.push((id, before));
        }
    }

    /// Writes the notes that have references, and drops their contents.
    #[inline]
    pub(super) fn push_section(&mut self, options: &Options, out: &mut String) {
        if !self.is_empty() {
            self.push_list(options, out);
        }
    }

    #[cold]
    fn push_list(&mut self, options: &Options, out: &mut String) {
        push_list_start(options, out);
        for idx in 0..self.order.len() {
            self.push_item(idx, Contents::Dropped, options, &mut |_| {}, out);
        }
        push_list_end(out);
    }

    /// The number of notes that have references.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The number of leading notes unchanged since the last [`Notes::keep_list`].
    pub(crate) fn n_same(&self) -> usize {
        self.n_same
    }

    /// Notes that the list has been written in its present state.
    pub(crate) fn keep_list(&mut self) {
        self.n_same = self.order.len();
    }

    /// Writes a note of the list. `after_piece` is called with the output after every few tags.
    pub(crate) fn push_item(
        &mut self,
        idx: usize,
        contents: Contents,
        options: &Options,
        after_piece: &mut impl FnMut(&mut String),
        out: &mut String,
    ) {
        let id = self.order[idx];
        out.push_str("<li id=\"");
        self.push_note_id(id, options, out);
        out.push_str("\">\n");
        let note = &mut self.by_id[id as usize];
        let n_references = note.n_references;
        let Content { html, end } = &mut note.content;
        let end = *end;
        reserve_sparingly(html.len() + TAGS_LEN, out);
        out.push_str(html);
        if contents == Contents::Dropped {
            *html = String::new();
        }
        after_piece(out);
        let in_text = !end.is_empty();
        for nth in 1..=n_references {
            if nth > 1 || in_text && options.markup == Markup::Github {
                out.push(' ');
            }
            reserve_sparingly(TAGS_LEN, out);
            self.push_way_back(id, nth, options, out);
            after_piece(out);
        }
        if !in_text {
            out.push('\n');
        }
        out.push_str(end);
        out.push_str("</li>\n");
    }

    fn push_way_back(&self, id: u32, nth: u32, options: &Options, out: &mut String) {
        out.push_str("<a href=\"#");
        self.push_reference_id(id, nth, options, out);
        if options.markup == Markup::Md4c {
            out.push_str("\" class=\"footnote-backref\">↩</a>");
            return;
        }
        let mut index = self.by_id[id as usize].number.to_string();
        if nth > 1 {
            index.push('-');
            index.push_str(&nth.to_string());
        }
        out.push_str(
            "\" class=\"footnote-backref\" data-footnote-backref data-footnote-backref-idx=\"",
        );
        out.push_str(&index);
        out.push_str("\" aria-label=\"Back to reference ");
        out.push_str(&index);
        out.push_str("\">↩");
        if nth > 1 {
            out.push_str("<sup class=\"footnote-ref\">");
            out.push_str(&nth.to_string());
            out.push_str("</sup>");
        }
        out.push_str("</a>");
    }
}

/// Writes the start of the list of notes.
pub(crate) fn push_list_start(options: &Options, out: &mut String) {
    out.push_str(match options.markup {
        Markup::Github => "<section class=\"footnotes\" data-footnotes>\n<ol>\n",
        Markup::Md4c => "<section class=\"footnotes\">\n<ol>\n",
    });
}

/// Writes the end of the list of notes.
pub(crate) fn push_list_end(out: &mut String) {
    out.push_str("</ol>\n</section>\n");
}

/// The usual name of the `nth` reference to a note.
fn push_usual_name(note: &str, nth: u32, markup: Markup, out: &mut String) {
    out.push_str(note);
    if nth > 1 || markup == Markup::Md4c {
        out.push('-');
        out.push_str(&nth.to_string());
    }
}

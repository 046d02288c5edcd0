//! Footnotes: numbered in the order of their first references, shown at the
//! end, each with a way back to every reference.
//!
//! Content is written where the definition stands and then set aside, since
//! only the end of the document tells how often a note is referred to. A note
//! that nothing refers to is not shown.

use super::escape::push_href;
use crate::options::Markup;

/// The footnotes of a document, by identity: the number of a definition.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    by_id: Vec<Note>,
    /// Identities in the order of first references.
    order: Vec<u32>,
    /// The content of the notes.
    html: String,
}

#[derive(Debug, Clone, Copy, Default)]
struct Note {
    /// From 1; 0 while nothing refers to it.
    number: u32,
    n_references: u32,
    /// Its content in `html`.
    start: usize,
    end: usize,
    /// Where in `html` the ways back go.
    back_at: usize,
}

/// The end of a paragraph, before which the ways back go if it is the last.
const PARAGRAPH_END: &str = "</p>\n";

impl Notes {
    pub(crate) fn clear(&mut self) {
        self.by_id.clear();
        self.order.clear();
        self.html.clear();
    }

    fn note(&mut self, id: u32) -> &mut Note {
        let idx = id as usize;
        if self.by_id.len() <= idx {
            self.by_id.resize(idx + 1, Note::default());
        }
        &mut self.by_id[idx]
    }

    /// Writes a reference to note `id`.
    pub(super) fn push_reference(
        &mut self,
        id: u32,
        label: &str,
        markup: Markup,
        out: &mut String,
    ) {
        let n_noted = self.order.len() as u32;
        let note = self.note(id);
        note.n_references += 1;
        let (n_references, mut number) = (note.n_references, note.number);
        if number == 0 {
            number = n_noted + 1;
            note.number = number;
            self.order.push(id);
        }
        let number = number.to_string();
        match markup {
            Markup::Github => {
                out.push_str("<sup class=\"footnote-ref\"><a href=\"#fn-");
                push_href(label, out);
                out.push_str("\" id=\"fnref-");
                push_reference_name(label, n_references, out);
                out.push_str("\" data-footnote-ref>");
            }
            Markup::Md4c => {
                out.push_str("<sup><a href=\"#fn-");
                out.push_str(&number);
                out.push_str("\" id=\"fnref-");
                push_md4c_name(&number, n_references, out);
                out.push_str("\">");
            }
        }
        out.push_str(&number);
        out.push_str("</a></sup>");
    }

    /// Takes the content of note `id`, which is everything in `out` from `start`.
    pub(super) fn define(&mut self, id: u32, start: usize, markup: Markup, out: &mut String) {
        let content = out.get(start..).unwrap_or_default();
        let lone = content.strip_prefix("<p>").and_then(|rest| rest.strip_suffix(PARAGRAPH_END));
        let note_start = self.html.len();
        let back_at = match lone {
            // MD4C shows a single paragraph without its tags.
            Some(text) if markup == Markup::Md4c && !text.contains(PARAGRAPH_END) => {
                self.html.push_str(text);
                let end = self.html.len();
                self.html.push('\n');
                end
            }
            _ => {
                self.html.push_str(content);
                let in_paragraph = content.ends_with(PARAGRAPH_END);
                self.html.len() - if in_paragraph { PARAGRAPH_END.len() } else { 0 }
            }
        };
        out.truncate(start);
        let end = self.html.len();
        let note = self.note(id);
        (note.start, note.end, note.back_at) = (note_start, end, back_at);
    }

    /// Writes the notes that something refers to. `label` gives the label that
    /// a note was defined with.
    pub(super) fn push_section<'l>(
        &self,
        label: impl Fn(u32) -> &'l str,
        markup: Markup,
        out: &mut String,
    ) {
        if self.order.is_empty() {
            return;
        }
        out.push_str(match markup {
            Markup::Github => "<section class=\"footnotes\" data-footnotes>\n<ol>\n",
            Markup::Md4c => "<section class=\"footnotes\">\n<ol>\n",
        });
        for &id in &self.order {
            let note = self.by_id[id as usize];
            let number = note.number.to_string();
            out.push_str("<li id=\"fn-");
            match markup {
                Markup::Github => push_href(label(id), out),
                Markup::Md4c => out.push_str(&number),
            }
            out.push_str("\">\n");
            out.push_str(self.html.get(note.start..note.back_at).unwrap_or_default());
            for nth in 1..=note.n_references {
                let in_text = note.back_at < note.end;
                match markup {
                    Markup::Github => {
                        if nth > 1 || in_text {
                            out.push(' ');
                        }
                        push_way_back(label(id), &number, nth, out);
                    }
                    Markup::Md4c => {
                        if nth > 1 {
                            out.push(' ');
                        }
                        out.push_str("<a href=\"#fnref-");
                        push_md4c_name(&number, nth, out);
                        out.push_str("\" class=\"footnote-backref\">↩</a>");
                    }
                }
            }
            if note.back_at == note.end {
                out.push('\n');
            }
            out.push_str(self.html.get(note.back_at..note.end).unwrap_or_default());
            out.push_str("</li>\n");
        }
        out.push_str("</ol>\n</section>\n");
    }
}

/// The name of the `nth` reference to a note.
fn push_reference_name(label: &str, nth: u32, out: &mut String) {
    push_href(label, out);
    if nth > 1 {
        out.push('-');
        out.push_str(&nth.to_string());
    }
}

fn push_md4c_name(number: &str, nth: u32, out: &mut String) {
    out.push_str(number);
    out.push('-');
    out.push_str(&nth.to_string());
}

fn push_way_back(label: &str, number: &str, nth: u32, out: &mut String) {
    let mut index = number.to_owned();
    if nth > 1 {
        index.push('-');
        index.push_str(&nth.to_string());
    }
    out.push_str("<a href=\"#fnref-");
    push_reference_name(label, nth, out);
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

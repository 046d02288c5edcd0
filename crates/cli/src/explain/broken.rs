//! Shows broken links, which look like Markdown links but are none, to people: the flaw, its
//! position, and what to write instead.
//!
//! ```text
//! notes.md:3:5: broken[space-in-destination]: A space ends the destination, and ...
//!   |
//! 3 | see [the guide](my guide.md)
//!   |     ^^^^^^^^^^^^^^-^^^^^^^^^
//!   |                   |
//!   |                   here
//!   |
//!   = help: Write %20 for the space, or put <> around it all.
//! ```

use annotate_snippets::{AnnotationKind, Group, Level};
use barelink::{NearLink, Span};

use crate::excerpt::marked_line;
use crate::explain::Document;

/// The message for a broken link that begins on this line.
pub(crate) fn group<'a>(near: &NearLink, document: &Document<'_>, line: u32) -> Group<'a> {
    let marks = [
        (AnnotationKind::Primary, near.span, None),
        (AnnotationKind::Context, Span::new(near.at, near.at), Some("here")),
    ];
    let marked = |line| marked_line(document.text, document.lines, line, &marks);
    let title = Level::ERROR.with_name("broken").primary_title(near.flaw.sentence());
    let group = title.id(near.flaw.name()).element(marked(line));
    // The flaw may be on a later line.
    let broken_line = document.lines.line_col(near.at).line;
    let group = if broken_line == line { group } else { group.element(marked(broken_line)) };
    group.element(Level::HELP.message(near.flaw.help()))
}

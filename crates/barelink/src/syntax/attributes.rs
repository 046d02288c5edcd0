//! Attributes of headings, as pulldown-cmark reads them.
//!
//! ```text
//! block     = "{" attributes "}"      at the end of a heading, on one line
//! attribute = "#" id | "." class | name ["=" value]      white space between them
//! ```
//!
//! Nothing is quoted or escaped, and the last of several ids counts.
//!
//! LINEAR: a line is passed over once, from its end.

/// The text between the braces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attributes<'s>(pub(crate) &'s str);

impl<'s> Attributes<'s> {
    fn all(self) -> impl Iterator<Item = &'s str> {
        self.0.split_ascii_whitespace().filter(|attribute| attribute.len() > 1)
    }

    pub(crate) fn id(self) -> Option<&'s str> {
        self.all().filter_map(|attribute| attribute.strip_prefix('#')).last()
    }

    pub(crate) fn classes(self) -> impl Iterator<Item = &'s str> {
        self.all().filter_map(|attribute| attribute.strip_prefix('.'))
    }

    /// Attributes that are neither ids nor classes, with their values.
    pub(crate) fn others(self) -> impl Iterator<Item = (&'s str, Option<&'s str>)> {
        let is_other = |attribute: &&str| !attribute.starts_with(['#', '.']);
        self.all().filter(is_other).map(|attribute| match attribute.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (attribute, None),
        })
    }
}

/// The offset where the block of attributes at the end of a line opens.
pub(crate) fn find_block(line: &[u8]) -> Option<usize> {
    let inside = line.strip_suffix(b"}")?;
    let is_no_part = |byte: &u8| matches!(byte, b'{' | b'}' | b'<' | b'>' | b'\\' | 0);
    let open = inside.iter().rposition(is_no_part)?;
    (inside[open] == b'{').then_some(open)
}

#[cfg(test)]
mod tests {
    use super::{Attributes, find_block};

    #[test]
    fn a_block_ends_the_line() {
        for (line, open) in [
            ("a {#b}", Some(2)),
            ("{}", Some(0)),
            ("a {b{c}", Some(4)),
            ("a {b} c", None),
            ("a b}", None),
            ("a {b}c}", None),
            ("a {b\\}", None),
            ("a {<b}", None),
            ("}", None),
            ("", None),
        ] {
            assert_eq!(find_block(line.as_bytes()), open, "{line:?}");
        }
    }

    #[test]
    fn attributes_are_told_apart() {
        let attributes = Attributes(" #a .b c=d=e .f g #h # . i= ");
        assert_eq!(attributes.id(), Some("h"));
        assert_eq!(attributes.classes().collect::<Vec<_>>(), ["b", "f"]);
        let others: Vec<_> = attributes.others().collect();
        assert_eq!(others, [("c", Some("d=e")), ("i", Some(""))]);
    }
}

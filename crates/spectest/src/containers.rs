//! The containers around each line of a document, as far as it takes to see which lines are lazy:
//! those that continue a paragraph without the markers of its containers.
//!
//! CommonMark 0.31.2 §5: block quotes and list items, and the footnotes of GFM. Leaves are told
//! apart roughly: tables and definitions count as paragraphs.

/// What contains blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Quote,
    /// An item of a list, or a footnote, whose content is indented by so many columns.
    Item(usize),
}

/// A leaf that may continue in the next line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Leaf {
    #[default]
    None,
    Paragraph,
    /// Code, with the character and the length of its fence.
    Fence(u8, usize),
    /// HTML, up to this, or to a blank line if this is nothing.
    Html(&'static str),
}

/// The containers and the leaf that are open after a line.
#[derive(Debug, Default)]
pub(crate) struct Containers {
    open: Vec<Container>,
    leaf: Leaf,
}

/// A line with tabs expanded to spaces, so that an index is a column.
struct Cells {
    cells: Vec<u8>,
    /// The offset in the line that each cell comes from.
    offsets: Vec<usize>,
}

impl Cells {
    fn new(line: &str) -> Self {
        let (mut cells, mut offsets) = (Vec::new(), Vec::new());
        for (offset, byte) in line.bytes().enumerate() {
            let n_cells = if byte == b'\t' { 4 - cells.len() % 4 } else { 1 };
            let cell = if byte == b'\t' { b' ' } else { byte };
            cells.extend(std::iter::repeat_n(cell, n_cells));
            offsets.extend(std::iter::repeat_n(offset, n_cells));
        }
        Self { cells, offsets }
    }

    /// The number of spaces from `at` on.
    fn n_spaces(&self, at: usize) -> usize {
        self.cells[at..].iter().take_while(|&&cell| cell == b' ').count()
    }

    fn is_blank(&self, at: usize) -> bool {
        at + self.n_spaces(at) == self.cells.len()
    }

    /// Behind the `>` of a block quote that may be at `at`.
    fn quote(&self, at: usize) -> Option<usize> {
        let n_spaces = self.n_spaces(at);
        let end = at + n_spaces + 1;
        let is_quote = n_spaces < 4 && self.cells.get(end - 1) == Some(&b'>');
        is_quote.then(|| end + usize::from(self.cells.get(end) == Some(&b' ')))
    }

    /// The length of the marker of an item at `at`, and whether it may interrupt a paragraph.
    fn marker(&self, at: usize) -> Option<(usize, bool)> {
        let rest = &self.cells[at..];
        let n_digits = rest.iter().take_while(|cell| cell.is_ascii_digit()).count();
        let len = match rest.get(n_digits)? {
            b'-' | b'+' | b'*' if n_digits == 0 => 1,
            b'.' | b')' if (1..10).contains(&n_digits) => n_digits + 1,
            _ => return None,
        };
        let is_whole = rest.get(len).is_none_or(|&cell| cell == b' ');
        let is_first = n_digits == 0 || &rest[..n_digits] == b"1";
        is_whole.then(|| (len, is_first && !self.is_blank(at + len)))
    }

    /// The length of the marker of a footnote at `at`.
    fn footnote(&self, at: usize) -> Option<usize> {
        let label = self.cells[at..].strip_prefix(b"[^")?;
        let len = label.iter().position(|cell| matches!(cell, b']' | b' '))?;
        (len > 0 && label[len..].starts_with(b"]:")).then_some(len + 4)
    }

    fn is_thematic_break(&self, at: usize) -> bool {
        let mut signs = self.cells[at..].iter().filter(|&&cell| cell != b' ');
        let Some(first @ (b'-' | b'*' | b'_')) = signs.next() else { return false };
        signs.clone().count() >= 2 && signs.all(|cell| cell == first)
    }

    /// The fence at `at`, and whether nothing but the fence stands there.
    fn fence(&self, at: usize) -> Option<(u8, usize, bool)> {
        let rest = &self.cells[at..];
        let sign = *rest.first().filter(|cell| matches!(cell, b'`' | b'~'))?;
        let len = rest.iter().take_while(|&&cell| cell == sign).count();
        let is_fence = len >= 3 && (sign == b'~' || !rest[len..].contains(&b'`'));
        is_fence.then(|| (sign, len, self.is_blank(at + len)))
    }
}

impl Containers {
    /// Reads the next line, without its end. Where its text starts, if it is lazy.
    pub(crate) fn read(&mut self, line: &str) -> Option<usize> {
        let cells = Cells::new(line);
        let (n_matched, at) = self.match_open(&cells);
        let is_inside = n_matched == self.open.len();
        let is_raw = is_inside && matches!(self.leaf, Leaf::Fence(..) | Leaf::Html(_));
        let content = if is_raw { None } else { self.open_new(&cells, n_matched, at) };
        let is_lazy =
            !is_inside && content.is_none() && self.leaf == Leaf::Paragraph && !cells.is_blank(at);
        if is_lazy {
            return Some(cells.offsets[at + cells.n_spaces(at)]);
        }
        if content.is_none() {
            self.open.truncate(n_matched);
        }
        if !is_inside || content.is_some() {
            self.leaf = Leaf::None;
        }
        self.leaf = self.leaf.read(&cells, content.unwrap_or(at));
        None
    }

    /// How many of the open containers the line is in, and where their content starts.
    fn match_open(&self, cells: &Cells) -> (usize, usize) {
        let (mut n_matched, mut at) = (0, 0);
        for container in &self.open {
            match *container {
                Container::Quote => match cells.quote(at) {
                    Some(end) => at = end,
                    None => break,
                },
                Container::Item(_) if cells.is_blank(at) => {}
                Container::Item(indent) if cells.n_spaces(at) >= indent => at += indent,
                Container::Item(_) => break,
            }
            n_matched += 1;
        }
        (n_matched, at)
    }

    /// Opens the containers that begin at `at`, in the first `n_matched`. Where their content
    /// starts, if there are any.
    fn open_new(&mut self, cells: &Cells, n_matched: usize, mut at: usize) -> Option<usize> {
        let mut can_interrupt_all = self.leaf != Leaf::Paragraph || n_matched < self.open.len();
        let mut new = Vec::new();
        loop {
            let n_spaces = cells.n_spaces(at);
            let start = at + n_spaces;
            if n_spaces >= 4 || cells.is_thematic_break(start) {
                break;
            }
            if let Some(end) = cells.quote(at) {
                new.push(Container::Quote);
                at = end;
            } else if let Some(len) = cells.footnote(start) {
                new.push(Container::Item(4));
                at = start + len;
            } else if let Some((len, can_interrupt)) = cells.marker(start)
                && (can_interrupt || can_interrupt_all)
            {
                let n_behind = cells.n_spaces(start + len);
                let is_code = n_behind > 4 || cells.is_blank(start + len);
                let n_taken = if is_code { 1 } else { n_behind };
                new.push(Container::Item(n_spaces + len + n_taken));
                at = (start + len + n_taken).min(cells.cells.len());
            } else {
                break;
            }
            can_interrupt_all = true;
        }
        if new.is_empty() {
            return None;
        }
        self.open.truncate(n_matched);
        self.open.append(&mut new);
        Some(at)
    }
}

impl Leaf {
    /// What may go on behind what is in the containers, from `at` on.
    fn read(self, cells: &Cells, at: usize) -> Self {
        let n_spaces = cells.n_spaces(at);
        let start = at + n_spaces;
        let rest = &cells.cells[start..];
        let fence = cells.fence(start).filter(|_| n_spaces < 4);
        match self {
            Self::Fence(sign, len) => {
                let closes =
                    |(other, other_len, is_alone)| is_alone && other == sign && other_len >= len;
                return if fence.is_some_and(closes) { Self::None } else { self };
            }
            Self::Html(end) => return if ends_html(rest, end) { Self::None } else { self },
            Self::None | Self::Paragraph => {}
        }
        let goes_on = self == Self::Paragraph;
        if rest.is_empty() || (n_spaces >= 4 && !goes_on) {
            return Self::None;
        }
        if n_spaces >= 4 {
            return Self::Paragraph;
        }
        if let Some((sign, len, _)) = fence {
            return Self::Fence(sign, len);
        }
        if let Some(end) = self.find_html(rest) {
            // What ends it may stand in its first line, behind its start.
            let is_ended = !end.is_empty() && ends_html(&rest[2..], end);
            return if is_ended { Self::None } else { Self::Html(end) };
        }
        let is_underline = matches!(rest[0], b'-' | b'=') && rest.iter().all(|&it| it == rest[0]);
        let is_other =
            is_heading(rest) || cells.is_thematic_break(start) || (goes_on && is_underline);
        if is_other { Self::None } else { Self::Paragraph }
    }

    /// What ends the block of HTML that `text` starts, if it starts one.
    fn find_html(self, text: &[u8]) -> Option<&'static str> {
        let text = std::str::from_utf8(text).ok()?;
        let starts = |(start, _): &&(&str, &str)| {
            let is_name = start.ends_with(|c: char| c.is_ascii_lowercase());
            let ends_name = |rest: &str| rest.is_empty() || rest.starts_with([' ', '>']);
            text.strip_prefix(start).is_some_and(|rest| !is_name || ends_name(rest))
        };
        if let Some((_, end)) = HTML.iter().find(starts) {
            return Some(end);
        }
        let tag = text.strip_prefix("</").or_else(|| text.strip_prefix('<'))?;
        let (name, rest) = tag.split_at(tag.bytes().take_while(u8::is_ascii_alphanumeric).count());
        let is_block =
            BLOCKS.contains(&name) && (rest.is_empty() || rest.starts_with([' ', '>', '/']));
        // Another element makes one if its tag is all of the line, and no paragraph goes on.
        let rest = rest.trim_end();
        let is_alone = !name.is_empty()
            && (rest.starts_with(' ') || matches!(rest, ">" | "/>"))
            && self != Self::Paragraph
            && rest.find(['<', '>']).is_some_and(|at| rest[at..] == *">");
        (is_block || is_alone).then_some("")
    }
}

/// Other starts of HTML blocks, with their ends.
const HTML: [(&str, &str); 8] = [
    ("<!--", "-->"),
    ("<?", "?>"),
    ("<![CDATA[", "]]>"),
    ("<!", ">"),
    ("<script", "</"),
    ("<pre", "</"),
    ("<style", "</"),
    ("<textarea", "</"),
];

/// Tags that end what one of these elements starts, whichever it is.
const RAW_ENDS: [&str; 4] = ["</script>", "</pre>", "</style>", "</textarea>"];

/// Names of elements that make a block of HTML wherever they stand first in a line.
const BLOCKS: [&str; 5] = ["div", "table", "title", "p", "details"];

/// Whether a block of HTML that this ends, or else a blank line, ends with `text`.
fn ends_html(text: &[u8], end: &str) -> bool {
    let has = |end: &str| text.windows(end.len()).any(|window| window == end.as_bytes());
    match end {
        "" => text.is_empty(),
        "</" => RAW_ENDS.iter().any(|end| has(end)),
        _ => has(end),
    }
}

/// Whether `text` is a heading by its first signs.
fn is_heading(text: &[u8]) -> bool {
    let len = text.iter().take_while(|&&cell| cell == b'#').count();
    (1..=6).contains(&len) && text.get(len).is_none_or(|&cell| cell == b' ')
}

#[cfg(test)]
mod tests {
    use super::Containers;

    /// The indices of the lazy lines.
    fn lazy_lines(source: &str) -> Vec<usize> {
        let mut containers = Containers::default();
        let lines = source.split('\n').map(|line| containers.read(line));
        lines.enumerate().filter_map(|(number, text)| text.map(|_| number)).collect()
    }

    #[test]
    fn lines_that_lack_markers_of_a_paragraph() {
        for source in [
            "> a\nb",
            "- a\nb",
            "> > a\n> b",
            "- > a\n  b",
            "-\t >a\n\t  b",
            "[^a]: b\nc",
            "- a\n    - b\n c",
            ">- a\n    - b",
            "- #a\nb",
            "<a>\n~~~\n\n><a\n    >",
            "<a.>\n>`\n `",
            "<a/a>\n- \\\n [",
            "<pre </script>\n>\\\n .",
            "<pre|\n- \\\n [",
        ] {
            let last = source.matches('\n').count();
            assert_eq!(lazy_lines(source), [last], "{source:?}");
        }
        assert_eq!(lazy_lines("1.\n   >\n   a\n b"), [3]);
    }

    #[test]
    fn lines_that_lack_none_or_continue_nothing() {
        for source in [
            "a\nb",
            "> a\n> b",
            "> a\n\nb",
            "- a\n  b",
            "> a\n- b",
            "> ```\na",
            ">     a\nb",
            "> # a\nb",
            "> ---\nb",
            "> a\n> ---\nb",
            "> <!-- a\nb",
            "- a\n-\n  b",
            "> a\n>\nb",
            "> ~~~\n> ~~~\n> a\n> b",
        ] {
            assert!(lazy_lines(source).is_empty(), "{source:?}");
        }
    }
}

//! Documents made of Markdown's own pieces, so that few of a fuzzer's bytes are
//! lost on text: blocks in blocks, inlines in inlines, and now and then a piece
//! that fits nowhere.

use std::fmt;

use arbitrary::Arbitrary;

/// A document and the number of the options it is parsed with.
#[derive(Arbitrary, Debug)]
pub struct Document {
    bits: u32,
    blocks: Vec<Block>,
}

#[derive(Arbitrary, Debug)]
enum Block {
    Paragraph(Vec<Inline>),
    Heading { level: u8, text: Vec<Inline> },
    Setext { first: bool, text: Vec<Inline> },
    Quote { lazy: bool, alert: Option<Piece>, blocks: Vec<Block> },
    List { marker: Piece, indent: u8, lazy: bool, items: Vec<Vec<Block>> },
    Code { fence: Piece, info: Vec<Inline>, lines: Vec<Inline>, closed: bool },
    Indented(Vec<Inline>),
    Html { open: Piece, lines: Vec<Inline>, close: Piece },
    Table { alignments: Vec<Piece>, rows: Vec<Vec<Vec<Inline>>> },
    Definition { label: Piece, destination: Piece, title: Option<Piece> },
    Footnote { label: Piece, blocks: Vec<Block> },
    Terms { indent: u8, spaced: bool, term: Vec<Inline>, details: Vec<Vec<Block>> },
    Break(Piece),
    Stray(Piece),
}

#[derive(Arbitrary, Debug)]
enum Inline {
    Word(Piece),
    Marked { delimiter: Piece, inside: Vec<Inline>, closed: bool },
    Code { backticks: u8, inside: Vec<Inline> },
    Link { image: bool, text: Vec<Inline>, destination: Piece, title: Option<Piece> },
    Reference { image: bool, text: Vec<Inline>, label: Option<Piece> },
    FootnoteReference(Piece),
    Angle(Vec<Inline>),
    Bare { before: Piece, start: Piece, rest: Vec<Piece>, after: Piece },
    Html(Piece),
    Escape(Piece),
    Break { hard: bool },
    Stray(Piece),
    Text(String),
}

/// One of a list, by number.
#[derive(Arbitrary, Debug, Clone, Copy)]
struct Piece(u8);

impl Piece {
    fn of<'p>(self, list: &[&'p str]) -> &'p str {
        list[usize::from(self.0) % list.len()]
    }
}

const WORDS: &[&str] =
    &["a", "b c", "é", "中文", "1", "x_y", "\u{A0}", "😀", ".", "\t", "  ", "\0"];
const DELIMITERS: &[&str] = &["*", "**", "***", "_", "__", "~", "~~", "~~~", "\"", "(", "["];
const LABELS: &[&str] = &["a", "B", "ẞ", "x y", "1", "[", "\\]", "", "^1", "http://a.bc", "!NOTE"];
const DESTINATIONS: &[&str] =
    &["/u", "<a b>", "javascript:a", "(a(b))", "&amp;\\)", "", "#", "http://a.bc/?d", "\"", "<\n>"];
const TITLES: &[&str] = &["\"t\"", "'t \\' u'", "(t)", "\"t\nu\"", "\"", "\"a\"b"];
const MARKERS: &[&str] = &["-", "*", "+", "1.", "2)", "0.", "123456789.", "- [ ]", "- [x]", "-\t"];
const FENCES: &[&str] = &["```", "~~~", "````", "``", "   ```"];
const BREAKS: &[&str] = &["***", "- - -", "___", "---", "===", "* * *a"];
const ALERTS: &[&str] = &["[!NOTE]", "[!tip]", "[!WARNING] x", "[!X]", "[!CAUTION]\\"];
const ALIGNMENTS: &[&str] = &["-", ":-", "-:", ":-:", "---", ":"];
const HTML: &[&str] = &[
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<a href=\"x\">",
    "</a>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<?",
    "?>",
    "<![CDATA[",
    "]]>",
    "<!A",
    "<pre>",
    "<x y='z'/>",
    "<x y",
    ">",
    "<title>",
];
const BEFORE: &[&str] = &["", " ", "(", "\"", "*", "_", "a", "中", "[", "<", "&", "~", ":", "/"];
const STARTS: &[&str] = &[
    "http://",
    "https://",
    "ftp://",
    "HTTP://",
    "x://",
    "://",
    "www.",
    "WWW.",
    "a@",
    "@",
    "mailto:a@",
    "xmpp:a@",
    "a.b-c+d_e@",
    "http://www.",
    "http://[::",
    "//",
];
const RESTS: &[&str] = &[
    "a",
    "a.bc",
    "example.com",
    ".",
    "_",
    "-",
    "/",
    "?q=",
    "#f",
    "(",
    ")",
    "&amp;",
    "&",
    ";",
    ":80",
    "%20",
    "é",
    "例え.jp",
    "。",
    "]",
    "[",
    "*",
    "'",
    "!",
    ",",
    "@",
    "www.",
    "://",
    "~",
    "=",
    "|",
    "1",
];
const AFTER: &[&str] =
    &["", " ", ".", ")", "\"", "*", "_", "~~", "。", "</a>", "<", "]", "\\", "!"];
const ESCAPES: &[&str] =
    &["\\*", "\\\\", "\\a", "&amp;", "&#65;", "&#0;", "&copy", "&nosuch;", "\\\n", "&#64;", "\\|"];
const STRAYS: &[&str] = &[
    "*", "_", "`", "[", "]", "](", "(", ")", "![", "<", ">", "&", "\\", "|", "\n", "\n\n", "\r",
    "\r\n", "\t", "    ", "> ", "- ", "# ", "[^1]", "[a]: ", "~~~\n", "\n---\n", ":", "\"",
    "\u{FEFF}",
];

impl Document {
    /// The number of the options.
    pub fn bits(&self) -> u32 {
        self.bits
    }
}

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        push_blocks(&self.blocks, &mut out);
        f.write_str(&out)
    }
}

fn push_blocks(blocks: &[Block], out: &mut String) {
    for (idx, block) in blocks.iter().enumerate() {
        if idx > 0 && !matches!(block, Block::Stray(_)) {
            out.push('\n');
        }
        block.push(out);
    }
}

impl Block {
    fn push(&self, out: &mut String) {
        match self {
            Self::Paragraph(text) => push_line(text, out),
            Self::Heading { level, text } => {
                out.push_str(&"#".repeat(usize::from(level % 8)));
                out.push(' ');
                push_line(text, out);
            }
            Self::Setext { first, text } => {
                push_line(text, out);
                out.push_str(if *first { "===\n" } else { "---\n" });
            }
            Self::Quote { lazy, alert, blocks } => {
                let mut inner = String::new();
                if let Some(alert) = alert {
                    inner.push_str(alert.of(ALERTS));
                    inner.push('\n');
                }
                push_blocks(blocks, &mut inner);
                push_prefixed(&inner, "> ", if *lazy { "" } else { "> " }, out);
            }
            Self::List { marker, indent, lazy, items } => {
                let marker = marker.of(MARKERS);
                let first = format!("{}{marker} ", " ".repeat(usize::from(indent % 6)));
                let rest = if *lazy { String::new() } else { " ".repeat(first.len()) };
                for item in items {
                    let mut inner = String::new();
                    push_blocks(item, &mut inner);
                    push_prefixed(&inner, &first, &rest, out);
                }
            }
            Self::Code { fence, info, lines, closed } => {
                out.push_str(fence.of(FENCES));
                push_line(info, out);
                push_line(lines, out);
                if *closed {
                    out.push_str(fence.of(FENCES));
                    out.push('\n');
                }
            }
            Self::Indented(text) => {
                let mut inner = String::new();
                push_line(text, &mut inner);
                push_prefixed(&inner, "    ", "\t", out);
            }
            Self::Html { open, lines, close } => {
                out.push_str(open.of(HTML));
                push_line(lines, out);
                out.push_str(close.of(HTML));
                out.push('\n');
            }
            Self::Table { alignments, rows } => push_table(alignments, rows, out),
            Self::Definition { label, destination, title } => {
                let (label, destination) = (label.of(LABELS), destination.of(DESTINATIONS));
                let title = title.map_or("", |title| title.of(TITLES));
                out.push_str(&format!("[{label}]: {destination} {title}\n"));
            }
            Self::Footnote { label, blocks } => {
                let mut inner = String::new();
                push_blocks(blocks, &mut inner);
                push_prefixed(&inner, &format!("[^{}]: ", label.of(LABELS)), "    ", out);
            }
            Self::Terms { indent, spaced, term, details } => {
                push_line(term, out);
                for blocks in details {
                    if *spaced {
                        out.push('\n');
                    }
                    let mut inner = String::new();
                    push_blocks(blocks, &mut inner);
                    let first = format!("{}: ", " ".repeat(usize::from(indent % 5)));
                    push_prefixed(&inner, &first, &" ".repeat(first.len()), out);
                }
            }
            Self::Break(piece) => {
                out.push_str(piece.of(BREAKS));
                out.push('\n');
            }
            Self::Stray(piece) => out.push_str(piece.of(STRAYS)),
        }
    }
}

fn push_table(alignments: &[Piece], rows: &[Vec<Vec<Inline>>], out: &mut String) {
    let push_row = |row: &[Vec<Inline>], out: &mut String| {
        for cell in row {
            out.push('|');
            push_inlines(cell, out);
        }
        out.push_str("|\n");
    };
    let (header, body) =
        rows.split_first().map_or((&[][..], &[][..]), |(first, rest)| (first.as_slice(), rest));
    push_row(header, out);
    for alignment in alignments {
        out.push('|');
        out.push_str(alignment.of(ALIGNMENTS));
    }
    out.push_str("|\n");
    for row in body {
        push_row(row, out);
    }
}

fn push_prefixed(lines: &str, first: &str, rest: &str, out: &mut String) {
    let mut prefix = first;
    for line in lines.split_inclusive('\n') {
        out.push_str(prefix);
        out.push_str(line);
        prefix = rest;
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

fn push_line(text: &[Inline], out: &mut String) {
    push_inlines(text, out);
    out.push('\n');
}

fn push_inlines(inlines: &[Inline], out: &mut String) {
    for inline in inlines {
        inline.push(out);
    }
}

impl Inline {
    fn push(&self, out: &mut String) {
        match self {
            Self::Word(piece) => out.push_str(piece.of(WORDS)),
            Self::Marked { delimiter, inside, closed } => {
                out.push_str(delimiter.of(DELIMITERS));
                push_inlines(inside, out);
                if *closed {
                    out.push_str(delimiter.of(DELIMITERS));
                }
            }
            Self::Code { backticks, inside } => {
                let backticks = "`".repeat(usize::from(backticks % 4) + 1);
                out.push_str(&backticks);
                push_inlines(inside, out);
                out.push_str(&backticks);
            }
            Self::Link { image, text, destination, title } => {
                push_text(if *image { "![" } else { "[" }, text, out);
                let title = title.map_or("", |title| title.of(TITLES));
                out.push_str(&format!("({} {title})", destination.of(DESTINATIONS)));
            }
            Self::Reference { image, text, label } => {
                push_text(if *image { "![" } else { "[" }, text, out);
                if let Some(label) = label {
                    out.push_str(&format!("[{}]", label.of(LABELS)));
                }
            }
            Self::FootnoteReference(label) => {
                out.push_str(&format!("[^{}]", label.of(LABELS)));
            }
            Self::Angle(inside) => {
                out.push('<');
                push_inlines(inside, out);
                out.push('>');
            }
            Self::Bare { before, start, rest, after } => {
                out.push_str(before.of(BEFORE));
                out.push_str(start.of(STARTS));
                for piece in rest {
                    out.push_str(piece.of(RESTS));
                }
                out.push_str(after.of(AFTER));
            }
            Self::Html(piece) => out.push_str(piece.of(HTML)),
            Self::Escape(piece) => out.push_str(piece.of(ESCAPES)),
            Self::Break { hard } => out.push_str(if *hard { "  \n" } else { "\n" }),
            Self::Stray(piece) => out.push_str(piece.of(STRAYS)),
            Self::Text(text) => out.push_str(text),
        }
    }
}

fn push_text(open: &str, text: &[Inline], out: &mut String) {
    out.push_str(open);
    push_inlines(text, out);
    out.push(']');
}

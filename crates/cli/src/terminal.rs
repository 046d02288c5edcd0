//! `barelink stream --terminal`: shows a document in a terminal while it is being written.
//!
//! Settled blocks are written once and scroll away. The lines of the open part are compared with
//! those on the screen; the cursor moves back to the first that differs, and the rest is written
//! again. Lines that have scrolled off the screen stay unchanged.
//!
//! LINEAR: to draw the open part, all of it is read again. So a long one is drawn when it has grown
//! by an eighth; when it is drawn in between is the caller's choice ([`Screen::is_due`]).
//!
//! If the output is not a terminal, each block is written when it is settled, and lines are never
//! rewritten.

pub(crate) mod render;
pub(crate) mod wrap;

use std::io::{self, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};
use barelink::stream::{BlockId, BlockState};
use barelink::{EventKind, Policy, Stream, Tag, TagEnd};

use self::render::{Page, render};
use self::wrap::Style;

/// The default width, in columns.
const WIDTH: usize = 80;

/// The open part is drawn when it has grown by one in this many bytes.
const GROWTH: usize = 8;

/// The output that a document is shown on.
pub(crate) struct Screen<W> {
    out: W,
    style: Style,
    /// The width in columns, and the height in rows if lines can be rewritten.
    width: usize,
    height: Option<usize>,
    policy: Policy,
    /// The blocks that are not settled.
    open: Vec<BlockId>,
    /// The lines of the open part that are on the screen.
    shown: Vec<String>,
    is_empty: bool,
    /// How long the source was when it was drawn.
    n_drawn: usize,
}

impl Screen<io::StdoutLock<'static>> {
    /// Standard output.
    pub(crate) fn stdout(policy: Policy) -> Self {
        let stdout = io::stdout();
        let style = match AutoStream::choice(&stdout) {
            ColorChoice::Never => Style::Plain,
            _ => Style::Ansi,
        };
        let size = terminal_size::terminal_size().filter(|_| stdout.is_terminal());
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let width = size.map(|(width, _)| width.0.into()).or(columns).unwrap_or(WIDTH);
        let height = size.map(|(_, height)| height.0.into());
        Self::new(stdout.lock(), style, (width, height), policy)
    }
}

impl<W: Write> Screen<W> {
    fn new(out: W, style: Style, (width, height): (usize, Option<usize>), policy: Policy) -> Self {
        // Terminals differ in how they treat the last column.
        let width = width.saturating_sub(1).max(20);
        let (open, shown) = (Vec::new(), Vec::new());
        Self { out, style, width, height, policy, open, shown, is_empty: true, n_drawn: 0 }
    }

    /// Whether there is source that was not drawn.
    pub(crate) fn is_behind(&self, stream: &Stream) -> bool {
        stream.source().len() != self.n_drawn
    }

    /// Whether so much has come that drawing it is worth its cost.
    pub(crate) fn is_due(&self, stream: &Stream) -> bool {
        let Some(first) = self.open.first().filter(|_| self.height.is_some()) else { return true };
        let n_open = self.n_drawn.saturating_sub(first.get() as usize);
        let n_new = stream.source().len().saturating_sub(self.n_drawn);
        n_new >= n_open / GROWTH
    }

    /// Shows what an update of the stream changed.
    pub(crate) fn update(&mut self, stream: &mut Stream) -> io::Result<()> {
        let update = stream.update();
        let changed: Vec<_> =
            update.blocks().map(|it| (it.id, it.state, it.keep + it.html.len())).collect();
        self.n_drawn = stream.source().len();
        self.show(stream, &changed, self.n_drawn)
    }

    /// Shows the end of the document, and its footnotes.
    pub(crate) fn finish(&mut self, stream: &mut Stream) -> io::Result<()> {
        let update = stream.finish();
        let changed: Vec<_> =
            update.blocks().map(|it| (it.id, it.state, it.keep + it.html.len())).collect();
        self.show(stream, &changed, usize::MAX)?;
        let mut depth = 0;
        let notes = stream.document().events().filter(|event| {
            let before = depth;
            match &event.kind {
                EventKind::Start(Tag::FootnoteDefinition { .. }) => depth += 1,
                EventKind::End(TagEnd::FootnoteDefinition) => depth -= 1,
                _ => {}
            }
            before + depth > 0
        });
        let lines = render(notes, self.page(usize::MAX));
        if !lines.is_empty() {
            self.write(&self.with_gap(lines))?;
        }
        self.out.flush()
    }

    fn page(&self, n_source: usize) -> Page<'_> {
        Page { width: self.width, style: self.style, policy: &self.policy, n_source }
    }

    /// Puts an empty line before a block, unless it is the first.
    fn with_gap(&self, mut lines: Vec<String>) -> Vec<String> {
        if !self.is_empty {
            lines.insert(0, String::new());
        }
        lines
    }

    fn show(
        &mut self,
        stream: &Stream,
        changed: &[(BlockId, BlockState, usize)],
        n_source: usize,
    ) -> io::Result<()> {
        let mut settled = Vec::new();
        for &(id, state, len) in changed.iter().filter(|(id, ..)| *id != BlockId::NOTES) {
            self.open.retain(|open| *open != id);
            if len == 0 {
                continue;
            }
            if state == BlockState::Settled {
                let lines = render(stream.events(id), self.page(usize::MAX));
                settled.extend(self.with_gap(lines));
                self.is_empty = false;
            } else {
                self.open.push(id);
            }
        }
        self.open.sort_unstable();
        let n_settled = settled.len();
        let mut lines = settled;
        if self.height.is_some() {
            for &id in &self.open {
                let block = render(stream.events(id), self.page(n_source));
                if !(self.is_empty && lines.is_empty()) {
                    lines.push(String::new());
                }
                lines.extend(block);
            }
        }
        self.redraw(&lines)?;
        lines.drain(..n_settled);
        self.shown = lines;
        self.out.flush()
    }

    /// Rewrites the lines from the first one that differs from the screen.
    fn redraw(&mut self, lines: &[String]) -> io::Result<()> {
        let same = self.shown.iter().zip(lines).take_while(|(old, new)| old == new).count();
        // Lines that have scrolled off the screen cannot be rewritten.
        let rows = self.height.unwrap_or(0).saturating_sub(1);
        let same = same.max(self.shown.len().saturating_sub(rows)).min(lines.len());
        let up = self.shown.len().saturating_sub(same);
        if up > 0 {
            write!(self.out, "\x1B[{up}A\x1B[J")?;
        }
        self.write(lines.get(same..).unwrap_or_default())
    }

    fn write(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| writeln!(self.out, "{line}"))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use barelink::stream::{Definitions, Incomplete, StreamOptions};
    use barelink::{Options, Stream};

    use super::Screen;
    use super::wrap::Style;

    pub(crate) fn stream() -> Stream {
        let mut options = StreamOptions::new(Options::github());
        options.definitions = Definitions::Settled;
        options.optimistic = Incomplete::OPTIMISTIC;
        Stream::new(options)
    }

    /// A terminal.
    pub(crate) fn screen<W: Write>(out: W, stream: &Stream) -> Screen<W> {
        Screen::new(out, Style::Ansi, (80, Some(24)), stream.options().policy.clone())
    }

    /// Everything that is written for a document in pieces of some characters.
    fn written(source: &str, style: Style, size: (usize, Option<usize>), len: usize) -> String {
        let mut stream = stream();
        let mut screen = Screen::new(Vec::new(), style, size, stream.options().policy.clone());
        let chars: Vec<char> = source.chars().collect();
        for piece in chars.chunks(len) {
            stream.push(&String::from_iter(piece)).unwrap();
            screen.update(&mut stream).unwrap();
        }
        screen.finish(&mut stream).unwrap();
        String::from_utf8(screen.out).unwrap()
    }

    fn plain(source: &str, width: usize) -> String {
        written(source, Style::Plain, (width, None), 1000)
    }

    /// What a terminal of endless height shows.
    fn on_screen(written: &str) -> String {
        let mut lines = vec![String::new()];
        let mut chars = written.chars();
        while let Some(c) = chars.next() {
            match c {
                '\n' => lines.push(String::new()),
                '\x1B' => match chars.next() {
                    Some('[') => {
                        let order: String = chars.by_ref().take_while(|c| *c != 'A').collect();
                        let up: usize = order.parse().unwrap();
                        lines.truncate(lines.len() - up);
                        if let Some(last) = lines.last_mut() {
                            last.clear();
                        }
                        assert_eq!(chars.by_ref().take(3).collect::<String>(), "\x1B[J");
                    }
                    other => panic!("{other:?}"),
                },
                c => lines.last_mut().unwrap().push(c),
            }
        }
        lines.join("\n")
    }

    const DOCUMENT: &str = "# A *title*\n\nSome **bold** words that are `wrapped` at the width, see \
        [the guide](https://a.bc/d), https://e.fg or ![a cat](/c.png).\n\n- one\n- two\n  1. three\n  \
        2. four\n- [x] five\n\n> [!NOTE]\n> Mind the gap\n>\n> and more\n\n* * *\n\n```rust\nfn main() {\n\tlet a;\n}\n```\n\n\
        | name | n |\n|:--|--:|\n| a longer name | 1 |\n| b | 200 |\n\nlast[^1]\n\n[^1]: A note\n";

    #[test]
    fn a_document_as_plain_text() {
        let expected = "\
# A title

Some bold words that are wrapped at the
width, see the guide (https://a.bc/d),
https://e.fg or [image: a cat] (/c.png).

\u{2022} one
\u{2022} two
  1. three
  2. four
\u{2022} [x] five

\u{2502} Note
\u{2502}
\u{2502} Mind the gap
\u{2502}
\u{2502} and more

────────────────────────────────────────

  fn main() {
      let a;
  }

name          \u{2502}   n
──────────────┼────
a longer name \u{2502}   1
b             \u{2502} 200

last[^1]

[^1] A note
";
        assert_eq!(plain(DOCUMENT, 42), expected);
    }

    #[test]
    fn looks_and_links_are_escape_sequences() {
        let html =
            written("**a** *b* `c` ~~d~~ [e](https://f.gh/?i&j)", Style::Ansi, (80, None), 99);
        assert_eq!(
            html,
            "\x1B[1ma\x1B[0m \x1B[3mb\x1B[0m \x1B[36mc\x1B[0m \x1B[9md\x1B[0m \
             \x1B]8;;https://f.gh/?i&j\x1B\\\x1B[4me\x1B[0m\x1B]8;;\x1B\\\n"
        );
        for source in ["[a](javascript:b)", "[a](/b)"] {
            assert_eq!(written(source, Style::Ansi, (80, None), 99), "\x1B[4ma\x1B[0m\n");
        }
    }

    #[test]
    fn control_characters_are_no_orders() {
        for place in [
            "a{}b",
            "`{}`",
            "# {}",
            "- {}",
            "    {}",
            "```{}\n{}\n```",
            "<b {}>",
            "<div>\n{}",
            "[a](<b{}>)",
            "[{}](c)",
            "| {} |\n|-|\n| {} |",
            "&#27;]0;x&#7;{}",
            "www.a.bc/{}",
            "> {}",
            "![{}](d)",
            "[^{}]\n\n[^{}]: x",
        ] {
            for order in
                ["\x1B[2J", "\x1B]8;;x:evil\x1B\\", "\u{9B}31m", "\x07\x08\x0C\x7F\x0B", "\u{202E}"]
            {
                let source = place.replace("{}", order);
                for len in [1, 7, 1000] {
                    let text = on_screen(&written(&source, Style::Plain, (40, Some(1000)), len));
                    let is_order = |c: char| c != '\n' && (c.is_control() || c == '\u{202E}');
                    assert!(!text.contains(is_order), "{source:?} {text:?}");
                }
                let styled = written(&source, Style::Ansi, (40, None), 1000);
                assert!(!styled.contains(['\u{9B}', '\x07', '\x08', '\x7F']), "{styled:?}");
                assert!(
                    !styled.contains("\x1B[2J") && !styled.contains("\x1B]8;;x:evil"),
                    "{styled:?}"
                );
            }
        }
    }

    #[test]
    fn the_screen_follows_the_document() {
        let whole = plain(DOCUMENT, 42);
        for len in [1, 2, 3, 7, 20, 100] {
            let written = written(DOCUMENT, Style::Plain, (42, Some(1000)), len);
            assert_eq!(on_screen(&written), whole, "{len}");
        }
    }

    #[test]
    fn lines_fit_the_width() {
        let source = format!(
            "{DOCUMENT}\n中文中文中文中文中文中文中文中文中文 and {}\n\n| {} | {} |\n|-|-|\n| a | b |\n",
            "x".repeat(100),
            "wide ".repeat(20),
            "y".repeat(60),
        );
        for width in [21, 30, 60] {
            for line in plain(&source, width).lines() {
                assert!(unicode_width::UnicodeWidthStr::width(line) < width, "{line:?}");
            }
        }
    }

    #[test]
    fn only_the_screen_is_drawn_again() {
        let source = format!("{}\n\nend", "- item\n".repeat(50));
        let text = written(&source, Style::Plain, (42, Some(10)), 5);
        for order in text.split("\x1B[").skip(1).filter_map(|part| part.split('A').next()) {
            assert!(order.starts_with('J') || order.parse::<usize>().unwrap() < 10, "{order:?}");
        }
    }

    #[test]
    fn a_destination_is_written_once_in_a_line_and_on_few_lines() {
        let links = |source: &str| {
            written(source, Style::Ansi, (80, None), 9999).matches("\x1B]8;;h").count()
        };
        assert_eq!(links("[a *b* `c` ![d](http://e.f)](http://g.h)"), 1);
        assert_eq!(links(&"[a](http://b.c) ".repeat(100)), 100);
        assert_eq!(links(&format!("[{}](http://b.c)", "a ".repeat(200))), 5);
        assert_eq!(links(&format!("[{}](http://b.c)", "a ".repeat(2000))), 8);
        let long = |len| format!("[a](http://b.c/{})", "x".repeat(len));
        assert_eq!((links(&long(1900)), links(&long(2000))), (1, 0));
    }

    #[test]
    fn of_deep_containers_the_outer_ones_are_drawn() {
        let deep = plain(&format!("{}a *b* c d e f g h i j k\n\n", "> ".repeat(30)), 42);
        let bars = "\u{2502} ".repeat(10);
        assert_eq!(
            deep,
            format!("{bars}\u{2026} \u{2502} a b c d e f g h i\n{bars}\u{2026} \u{2502} j k\n")
        );
        let deep = plain(&format!("{}a\n\n", "- ".repeat(30)), 42);
        assert_eq!(deep, format!("{}\u{2026} \u{2022} a\n", "\u{2022} ".repeat(10)));
    }

    #[test]
    fn a_table_with_too_many_columns_is_written_as_text() {
        let source =
            format!("{}|\n{}|\n|a|{}|\n", "|h".repeat(12), "|-".repeat(12), "b ".repeat(30));
        let shown = plain(&source, 42);
        assert!(shown.starts_with("h \u{2502} h \u{2502} "), "{shown}");
        assert!(shown.contains("\na \u{2502} b b b"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() < 42), "{shown}");
    }

    /// Whatever is written for four times the source is hardly more than four times as long.
    #[test]
    fn output_is_linear() {
        type Family = (&'static str, fn(usize) -> String);
        let families: [Family; 11] = [
            ("lazy lines", |n| format!("{}a\n{}", ">".repeat(n / 2), "a\n".repeat(n / 4))),
            ("hard breaks", |n| format!("{}a\n{}", ">".repeat(n / 2), "a\\\n".repeat(n / 6))),
            ("list", |n| format!("{}{}", "- ".repeat(n / 4), "a ".repeat(n / 4))),
            ("numbers", |n| format!("{}{}", "1. ".repeat(n / 6), "a\\\n".repeat(n / 6))),
            ("alert", |n| format!("{}[!NOTE]\n{}", "> ".repeat(n / 4), "> a\\\n".repeat(n / 10))),
            ("note", |n| format!("[^a]\n\n[^a]: {}{}", ">".repeat(n / 2), "a\\\n".repeat(n / 6))),
            ("notes", |n| format!("[^a]\n\n{}{}", "[^a]: ".repeat(n / 12), "x".repeat(n / 2))),
            ("looks", |n| format!("[{}](http://{})", "*a* ".repeat(n / 8), "x".repeat(n / 2))),
            ("bare link", |n| "www.a.bc".repeat(n / 8)),
            ("link", |n| {
                let link = format!("[{}](http://{})\n\n", "a ".repeat(200), "x".repeat(400));
                link.repeat(n / link.len())
            }),
            ("columns", |n| {
                let n_columns = n / 8;
                let (head, rule) = ("|h".repeat(n_columns), "|-".repeat(n_columns));
                format!("{head}|\n{rule}|\n|{}|\n", "x".repeat(n / 2))
            }),
        ];
        for (name, source) in families {
            for style in [Style::Plain, Style::Ansi] {
                let len = |n| {
                    let source = source(n);
                    let written = written(&source, style, (80, None), usize::MAX).len();
                    assert!(written < 100 * source.len() + 1000, "{name}: {written}");
                    written
                };
                let (short, long) = (len(2_000), len(8_000));
                assert!(long < 5 * short, "{name}: {short} {long}");
            }
        }
    }

    /// What is read to draw it, and what is written, for a document in pieces of 20 bytes without
    /// a pause.
    fn drawn(source: &str) -> (usize, usize) {
        let mut stream = stream();
        let mut screen = screen(Vec::new(), &stream);
        let mut n_read = 0;
        for piece in source.as_bytes().chunks(20) {
            stream.push_bytes(piece).unwrap();
            if screen.is_due(&stream) {
                screen.update(&mut stream).unwrap();
                n_read += source.len().min(stream.source().len());
            }
        }
        screen.finish(&mut stream).unwrap();
        assert!(!screen.is_behind(&stream) || n_read > 0);
        (n_read, screen.out.len())
    }

    #[test]
    fn a_long_block_is_drawn_in_linear_time() {
        for (head, line) in [
            ("|a|b|\n|-|-|\n", "|a|b|\n"),
            ("", "- a b c\n"),
            ("```\n", "let a = 1;\n"),
            ("", "[a](b) "),
            ("", "plain words "),
        ] {
            let cost = |n: usize| drawn(&format!("{head}{}", line.repeat(n / line.len())));
            let (short, long) = (cost(10_000), cost(40_000));
            assert!(long.0 < 12 * 40_000 && long.0 < 5 * short.0, "{line:?} {short:?} {long:?}");
            assert!(long.1 < 5 * short.1 && long.1 < 12 * 40_000, "{line:?} {short:?} {long:?}");
        }
        // Paragraphs that have ended are not a long block.
        let (read, _) = drawn(&"A paragraph of some words.\n\n".repeat(100));
        assert!(read > 50 * 1000, "{read}");
    }
}

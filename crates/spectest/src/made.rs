//! Documents made of pieces of every construct of Markdown, whole ones and halves, so
//! that constructs meet that nobody would put together.
//!
//! A document is lines; a line is what may start blocks, text, and what may end it.
//! Some lines go into containers, with their markers on all lines, on the first, or by
//! chance. Some documents have CRLF for line endings, and some take turns with CR.

use crate::random::Random;

/// The pieces to make documents of.
#[derive(Debug, Clone, Copy)]
pub struct Pieces {
    /// What a line may start with.
    pub starts: &'static [&'static str],
    /// What its text may be made of.
    pub inlines: &'static [&'static str],
    /// Whole lines.
    pub lines: &'static [&'static str],
}

/// The pieces of CommonMark, GFM and footnotes.
pub const PIECES: Pieces = Pieces { starts: STARTS, inlines: INLINES, lines: LINES };

/// Those of extensions that no preset has: definition lists, attributes of headings, front matter
/// and styles, and what they meet.
pub const EXTENDED: Pieces =
    Pieces { starts: EXTENDED_STARTS, inlines: EXTENDED_INLINES, lines: EXTENDED_LINES };

/// What a container's lines start with: the first, and the others.
const CONTAINERS: &[(&str, &str)] = &[
    ("> ", "> "),
    (">", ">"),
    ("- ", "  "),
    ("-   ", "    "),
    ("1. ", "   "),
    ("2) ", "   "),
    ("* ", "\t"),
    ("-\t", "\t"),
    ("+     ", "      "),
    ("[^1]: ", "    "),
    ("[^a]:\n", "    "),
    ("- > ", "  > "),
    ("> - ", ">   "),
    ("- - ", "    "),
];

#[rustfmt::skip]
const STARTS: &[&str] = &[
    "", "", "", "", "", "", " ", "  ", "   ", "    ", "     ", "\t", " \t", "> ", ">", ">\t", "> > ",
    "- ", "-", "* ", "+ ", "-   ", "-\t", "-     ", "1. ", "1) ", "2. ", "10. ", "1.", "- - ", "- 1. ",
    "# ", "## ", "###### ", "####### ", "#", "#\t", "```", "```` ", "~~~", "``` a`", "~~~ a `b",
    "<div>", "</div>", "<b>", "<b c>", "</b>", "<pre>", "<script>", "<!-- ", "<?", "<![CDATA[", "<!A ",
    "[a]: ", "[a]:", "[B]: /v ", "[^1]: ", "[^a]: ", "[^1]", "- [ ] ", "- [x] ", "* [X] ", "1. [ ] ",
    "- [ ]", "|", "| ", "=", "-- ", "> [a]: ",
];

#[rustfmt::skip]
const INLINES: &[&str] = &[
    "a", "b", "a b", "c d e", "1", ".", ",", "!", "?", ":", ";", "'", "\"", "(", ")", " ", " ", " ", "  ",
    "é", "中", "。", "\u{A0}", "*", "*", "**", "***", "_", "__", "~", "~~", "~~~", "*a*", "**b**", "_c_",
    "*a", "b*", "**a", "b**", "_a", "b_", "~~a", "b~~", "`", "``", "`a`", "`` b ` ``", "` ", " `", "```",
    "[", "]", "![", "[a]", "[a][]", "[b][a]", "![a]", "[c]", "[](", "](b)", "](b \"c\")", "](<b c>)",
    "](b 'c'", "](<", "(b)", "[a](b)", "![a](b)", "[^1]", "[^a]", "[^b]", "[^", "![^1]", "](/u(v)w)",
    "<", ">", "<b>", "</b>", "<b c=\"d\">", "<b c='d' e>", "<b/>", "<b c", "<a:b>", "<a@b.cd>", "<a.b>",
    "<!-- c -->", "<!-- c", "-->", "<?d?>", "<!E f>", "<![CDATA[g]]>", "<title>", "&", "&amp;", "&copy;",
    "&#35;", "&#x22;", "&#0;", "&nosuch;", "&quot;", "\\", "\\\\", "\\*", "\\a", "\\`", "\\[", "\\]", "\\|",
    "\\<", "\\&", "\\\"", "|", "|", " | ", "http://a.bc", "https://a.bc/d_e", "www.a.bc", "a@b.cd",
    "http://", "www.", "@", "mailto:a@b.cd", "#", " #", " ##", "{", "}", "-", "--", "=", "+", "^", "/", "%",
    "\t", "€", "™", "😀", "\u{3000}", "ǅ", "ß", "[ẞ]", "\u{B}", "\u{C}", "<textarea>", "<style>", "</script>", "&#1234567;",
    "&#xD800;", "&#9;", "\\!", "\\~", "\\@", "\\:", "*_", "_*", "(a)", "'a'", "xmpp:a@b.cd/e", "ftp://a.bc", "HTTP://a.bc",
    "www.a_b.c", "http://a.bc)", "http://a.bc&amp;", "[a]: b", "](b\\)c)", "](b\\", "\"d\")", "```a", "~~~a",
    "==", "==a==", "==a", "b==", "^", "a^2^", "^b^", "~a~", "H~2~O", "===",
    "$", "$", "$a$", "$5", "$$", "$$a$$", "$`", "`$", "$`a`$", "\\$", "a$",
    "[[", "]]", "[[a]]", "[[a b|c]]", "[[javascript:a]]",
    "\"a\"", "\"a", "a\"", "'a", "a'", "...", "..", "---", "-----", "(\"", "\\-", "\\.", "a--b@c.de", "www.a--b.cd",
];

#[rustfmt::skip]
const LINES: &[&str] = &[
    "", "", "", "", "", "", " ", "\t", "   ", "    ", ">", "> ", "---", "***", "___", "- - -", "===", "==", "--", "-",
    "  ===", "    ---", "```", "~~~", "````", "``` a", "   ```", "*", "+", "1.", "2)", "- ", "#", "##",
    "|-|", "|-|-|", "|:-|-:|", "-|-", ":-:", "|:-:", "| - | -", "-|", "|a|b|", "a|b", "|a|", "|", "||", "| |",
    "|`a\\|b`|c|", "[a]: /u", "[a]: <b c> 'd'", "[a]:", "/u", "\"t\"", "'t", "[b]: /v \"w\"", "[a]", "[c]: /x y",
    "[^1]: n", "[^a]:", "    n", "[^1]", "[^1][^1]", "<div>", "</div>", "<b>", "<!--", "-->", "<script>",
    "</script>", "<pre>", "</pre>", "<?", "?>", "<![CDATA[", "]]>", "<!X", "<b", "c>", "a", "b", "a b", "a  ",
    "a\\", "*a", "b*", "`a", "b`", "# a", "## b #", "> a", "- a", "  b", "1. a", "   b", "2. a", "- [ ] a",
    "- [x] b", "\u{B}", "\u{C}", "<!-- a", "a -->", "<!---->", "<!-- a -- b -->", "<a>", "</a>", "<a", "<textarea>", "</style>",
    "[a]: /u \"t", "u\"", "[", "a]: /u", "[a\\]]: /u", "| a | b | c |", "|---|:-:|", "| `|` | b |", "|-|\\|", "999999999. a",
    "1234567890. a", "*a*", "**a", "b**", "> > a", "> b", ">> c", "  - c", "    - d", "      e", "\td", "http://a.bc", "www.a.bc b", "a@b.cd",
];

#[rustfmt::skip]
const EXTENDED_STARTS: &[&str] = &[
    "", "", "", "", " ", "   ", "    ", "\t", ": ", ": ", ":", ":   ", ":\t", " : ", "   : ", ":     ", ": - ",
    ": > ", ": # ", ": ```", ": [a]: ", "> : ", "- : ", "> ", "- ", "1. ", "# ", "## ", "```", "~~~", "<div>",
    "[a]: ", "[^1]: ", "|", "---", "+++",
];

#[rustfmt::skip]
const EXTENDED_INLINES: &[&str] = &[
    "a", "b c", "d", " ", " ", "é", "中", "*", "**", "*a*", "`", "`a`", "[a](b)", "[a]", "[^1]", "www.a.bc",
    "http://a.bc", "a@b.cd", "&amp;", "&#64;", "\\", "\\:", "<b>", " {#a}", " {#b .c}", " {.c d=e}", " {a=\"b c\"}", "{",
    "}", "{#", " #", " ##", ":", ": ", ":tada:", ":+1:", "|", "==a==", "==", "^b^", "^", "~c~", "~", "$a$", "$$b$$",
    "$`c`$", "[[a|b]]", "[[a]]", "\"a\"", "'b'", "--", "---", "...",
];

#[rustfmt::skip]
const EXTENDED_LINES: &[&str] = &[
    "", "", "", "", "", "a", "a", "b", "c d", ": a", ": a", ": b", ":   a", ":", ": ", "  a", "    a", "   : a", "\ta", "---",
    "+++", "...", "a: b", "===", "--", "# a {#b}", "## a {#b .c}", "# a {#b} #", "# {#c}", "a {.b}", "a {#b}", "{#a}",
    "- a", "> a", "1. a", "|a|", "|a|b|", "|-|", ":-:", "|:-|-|", "```", "~~~", "<div>", "[a]: /u", "[^1]: n", "[^1]",
    "- [ ] a", "> [!NOTE]", "a  ", "a\\",
];

impl Random {
    /// A document of a few lines.
    ///
    /// ```
    /// use barelink_spectest::{made, random::Random};
    /// let document = Random::new(1).document(&made::PIECES);
    /// assert_eq!(document, Random::new(1).document(&made::PIECES));
    /// assert!(!document.is_empty());
    /// ```
    pub fn document(&mut self, pieces: &Pieces) -> String {
        let mut document = String::new();
        let n_parts = 1 + self.below(3);
        for _ in 0..n_parts {
            let lines: Vec<String> = (0..=self.below(4)).map(|_| self.line(pieces)).collect();
            if self.below(3) == 0 {
                self.push_contained(&lines, pieces, &mut document);
            } else {
                for line in &lines {
                    push_line(line, &mut document);
                }
            }
            if self.below(3) == 0 {
                document.push('\n');
            }
        }
        if self.below(8) == 0 {
            document.pop();
        }
        match self.below(8) {
            0 => document.replace('\n', "\r\n"),
            1 => self.with_other_line_endings(&document),
            _ => document,
        }
    }

    /// Gives each line a random ending.
    fn with_other_line_endings(&mut self, document: &str) -> String {
        let mut out = String::new();
        for line in document.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(line) => {
                    out.push_str(line);
                    let &ending = self.pick(&["\n", "\r\n", "\r"]);
                    out.push_str(ending);
                }
                None => out.push_str(line),
            }
        }
        out
    }

    fn line(&mut self, pieces: &Pieces) -> String {
        if self.below(2) == 0 {
            return (*self.pick(pieces.lines)).to_string();
        }
        let mut line = (*self.pick(pieces.starts)).to_string();
        for _ in 0..self.below(7) {
            let &piece = self.pick(pieces.inlines);
            line.push_str(piece);
        }
        line
    }

    /// Lines in a container, now and then in another one too, or without a marker.
    fn push_contained(&mut self, lines: &[String], pieces: &Pieces, document: &mut String) {
        let &(first, other) = self.pick(CONTAINERS);
        let laziness = *self.pick(&[0, 0, 4]);
        for (n, line) in lines.iter().enumerate() {
            let is_lazy = laziness > 0 && self.below(laziness) == 0;
            if !is_lazy {
                document.push_str(if n == 0 { first } else { other });
            }
            push_line(line, document);
        }
        if self.below(4) == 0 {
            document.push_str(first);
            let line = self.line(pieces);
            push_line(&line, document);
        }
    }
}

fn push_line(line: &str, document: &mut String) {
    document.push_str(line);
    document.push('\n');
}

#[cfg(test)]
mod tests {
    use super::{EXTENDED, PIECES};
    use crate::random::Random;

    #[test]
    fn every_piece_occurs() {
        for pieces in [PIECES, EXTENDED] {
            let mut random = Random::new(1);
            let all: String = (0..20_000).map(|_| random.document(&pieces)).collect();
            let lists = [pieces.starts, pieces.inlines, pieces.lines];
            let missing = lists.concat().into_iter().find(|piece| !all.contains(piece));
            assert_eq!(missing, None);
            let has = |endings: &&str| all.contains(*endings);
            assert!(["\r\n", "a\r", "\n\r\n"].iter().all(has));
        }
    }
}

//! The `md4c` dialect against its document: the rules read a second time,
//! slowly and in the order they are written, and fresh random paragraphs to
//! compare on.
//!
//! A run's seed is printed when it finds something; `BARELINK_SEED` repeats it.
//! Where the document says nothing, the rule below names what decides: "0.5.2"
//! is what md4c of that version does.

mod plain;

use barelink::autolink::links;
use barelink::{Autolinks, Dialect, Options, Parser};
use barelink_spectest::random::{self, Random};
use plain::is_plain;

const N_INPUTS: usize = 20_000;

/// A failure shows this many of the shortest inputs.
const N_SHOWN: usize = 10;

/// One line of a paragraph, by character.
struct Line<'t> {
    chars: Vec<(usize, char)>,
    text: &'t str,
}

impl<'t> Line<'t> {
    fn new(text: &'t str) -> Self {
        Self { chars: text.char_indices().collect(), text }
    }

    fn at(&self, idx: usize) -> Option<char> {
        self.chars.get(idx).map(|&(_, c)| c)
    }

    fn before(&self, idx: usize) -> Option<char> {
        idx.checked_sub(1).and_then(|idx| self.at(idx))
    }

    /// "alphanumerical": ASCII, as 0.5.2.
    fn is_alphanumeric(&self, idx: usize) -> bool {
        self.at(idx).is_some_and(|c| c.is_ascii_alphanumeric())
    }

    fn slice(&self, start: usize, end: usize) -> &'t str {
        let offset = |idx: usize| self.chars.get(idx).map_or(self.text.len(), |&(at, _)| at);
        &self.text[offset(start)..offset(end)]
    }

    fn starts_with(&self, idx: usize, prefix: &str) -> bool {
        prefix.chars().enumerate().all(|(n, c)| self.at(idx + n) == Some(c))
    }

    /// "whitespace, beginning/end of line, or very limited punctuation must
    /// precede", and that is "only opening brackets `(`, `{` or `[`".
    fn may_begin(&self, idx: usize) -> bool {
        self.before(idx).is_none_or(|c| is_space(c) || matches!(c, '(' | '{' | '['))
    }

    /// "the respective closing brackets may follow", and "`.`, `!`, `?`, `,`, `;`".
    fn may_end(&self, idx: usize) -> bool {
        let is_allowed = |c| matches!(c, ')' | '}' | ']' | '.' | '!' | '?' | ',' | ';');
        self.at(idx).is_none_or(|c| is_space(c) || is_allowed(c))
    }

    /// Alphanumerics and `joiners`, each of which "has to be immediately
    /// preceded and followed with a letter or digit". The end of it.
    fn skip_words(&self, start: usize, joiners: &str) -> usize {
        let mut end = start;
        while let Some(c) = self.at(end) {
            let is_joined = end > start && self.is_alphanumeric(end - 1);
            let joins = joiners.contains(c) && is_joined && self.is_alphanumeric(end + 1);
            if !self.is_alphanumeric(end) && !joins {
                break;
            }
            end += 1;
        }
        end
    }

    /// "at least two components delimited with `.`, last component has to have
    /// at least two characters".
    fn scan_host(&self, start: usize) -> Option<usize> {
        let end = self.skip_words(start, ".-_");
        let (_, last) = self.slice(start, end).rsplit_once('.')?;
        (last.len() >= 2).then_some(end)
    }

    /// "Path begins with character `/` and uses it also for delimiting path
    /// components." A slash at its end belongs to it: 0.5.2.
    fn skip_path(&self, start: usize) -> usize {
        if self.at(start) != Some('/') {
            return start;
        }
        let end = self.skip_words(start + 1, "/.-_");
        if self.at(end) == Some('/') { end + 1 } else { end }
    }

    /// "`?` and then with alphanumerical characters, `&`, `.`, `-`, `+`, `_`,
    /// `=`, `(` and `)`", surrounded with alphanumerical characters, where
    /// brackets may have other neighbors, as in the document's example; "and
    /// also brackets `(` have to be balanced `)`": `None` if one stays open.
    fn scan_query(&self, start: usize) -> Option<usize> {
        if self.at(start) != Some('?') || !self.is_alphanumeric(start + 1) {
            return Some(start);
        }
        let mut end = start + 1;
        let mut n_open = 0;
        while let Some(c) = self.at(end) {
            let follows =
                c == '(' || self.is_alphanumeric(end - 1) || self.before(end) == Some(')');
            let precedes =
                c == ')' || self.is_alphanumeric(end + 1) || self.at(end + 1) == Some('(');
            let is_sign = "&.-+_=()".contains(c) && follows && precedes;
            if !c.is_ascii_alphanumeric() && !is_sign || (c == ')' && n_open == 0) {
                break;
            }
            match c {
                '(' => n_open += 1,
                ')' => n_open -= 1,
                _ => {}
            }
            end += 1;
        }
        (n_open == 0).then_some(end)
    }

    /// "an optional fragment": `#` and what a query may have but for `&`, `=`
    /// and brackets, as 0.5.2.
    fn skip_fragment(&self, start: usize) -> usize {
        if self.at(start) != Some('#') || !self.is_alphanumeric(start + 1) {
            return start;
        }
        self.skip_words(start + 1, ".-+_")
    }

    /// "mandatory host, optional path, optional query and optional fragment".
    fn scan_address(&self, start: usize) -> Option<usize> {
        let end = self.skip_path(self.scan_host(start)?);
        let end = self.skip_fragment(self.scan_query(end)?);
        self.may_end(end).then_some(end)
    }

    /// A link that begins with a scheme or with `www.`, and what goes before
    /// its destination.
    fn scan_url(&self, start: usize) -> Option<(usize, &'static str)> {
        let beginnings = [("http://", ""), ("https://", ""), ("ftp://", ""), ("www.", "http://")];
        let (beginning, prefix) =
            beginnings.into_iter().find(|(beginning, _)| self.starts_with(start, beginning))?;
        if !self.may_begin(start) {
            return None;
        }
        Some((self.scan_address(start + beginning.len())?, prefix))
    }

    /// The address around the `@` at `at`: the user's name before it, in which
    /// every `.`, `-`, `_` and `+` "must be immediately preceded and followed by
    /// an alphanumerical character", and a host after it.
    fn scan_email(&self, at: usize) -> Option<(usize, usize)> {
        let mut start = at;
        while start > 0 {
            let idx = start - 1;
            let joins = self.at(idx).is_some_and(|c| ".-_+".contains(c))
                && idx > 0
                && self.is_alphanumeric(idx - 1)
                && self.is_alphanumeric(idx + 1);
            if !self.is_alphanumeric(idx) && !joins {
                break;
            }
            start = idx;
        }
        if start == at || !self.may_begin(start) {
            return None;
        }
        let end = self.scan_host(at + 1)?;
        self.may_end(end).then_some((start, end))
    }

    /// Every link, with its destination: from left to right, and never two in
    /// one place.
    fn links(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut idx = 0;
        let mut last_end = 0;
        while idx < self.chars.len() {
            let url = self.scan_url(idx).map(|(end, prefix)| (idx, end, prefix));
            let email = || (self.at(idx) == Some('@')).then(|| self.scan_email(idx)).flatten();
            let link = url.or_else(|| email().map(|(start, end)| (start, end, "mailto:")));
            match link {
                Some((start, end, prefix)) if start >= last_end => {
                    let text = self.slice(start, end);
                    found.push((text.to_string(), format!("{prefix}{text}")));
                    (idx, last_end) = (end, end);
                }
                _ => idx += 1,
            }
        }
        found
    }
}

/// Unicode whitespace, as 0.5.2: spaces, and the controls that are white space
/// in ASCII.
fn is_space(c: char) -> bool {
    c != '\u{85}' && c != '\u{2028}' && c != '\u{2029}' && c.is_whitespace()
}

/// The links of a plain paragraph, by the document.
fn read(paragraph: &str) -> Vec<(String, String)> {
    paragraph.split('\n').flat_map(|line| Line::new(line).links()).collect()
}

#[test]
fn the_second_reading_knows_the_document() {
    for (paragraph, expected) in [
        (":john.doe@gmail.com\n:https://www.example.com", &[][..]),
        ("[john.doe@gmail.com\n{www.example.com", &["john.doe@gmail.com", "www.example.com"]),
        ("www.example.com}", &["www.example.com"]),
        ("visited http://zombo.com?", &["http://zombo.com"]),
        ("*john.doe@example.com", &[]),
        ("ssh://example.com", &[]),
        ("https://example.com/a/b/logo_272x92.png", &["https://example.com/a/b/logo_272x92.png"]),
        ("https://example.com#fragment", &["https://example.com#fragment"]),
        ("(see https://g.com/s?q=M+(b))", &["https://g.com/s?q=M+(b)"]),
        ("john__doe@example.com", &[]),
        ("http://a.bc/x. http://a.bc/x_ http://a.bc/x+y", &["http://a.bc/x"]),
        ("http://a.b x@a.b www.bc http://é.cd", &[]),
        ("http://a.bc?a= http://a.bc?a=b.", &["http://a.bc?a=b"]),
        ("http://a.bc/ http://a.bc/x/", &["http://a.bc/", "http://a.bc/x/"]),
        ("http://a.bc:80 http://a.bc?q=(b HTTP://a.bc", &[]),
    ] {
        let found: Vec<String> = read(paragraph).into_iter().map(|(text, _)| text).collect();
        assert_eq!(found, expected, "{paragraph:?}");
    }
}

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "http://", "https://", "ftp://", "www.", "http://", "www.", "HTTP://", "WWW.", "://", "ssh://",
    "http://a.bc", "www.a.bc", " ftp://a.bc/x", "\nhttp://a.bc?q=1", "(www.a.bc", " x@a.bc", "a.bc", "d-e.fg", "a.b", "x@a.bc", "x", "y1", "a_b", "bc", "@", "@a.bc", ".", "-", "_", "+",
    "/", "/", "/x", "?", "?q", "?q=1", "&", "=", "(", ")", "(b)", "#", "#f", "{", "}", "[", "]", "!",
    ",", ";", ":", "'", "\"", "<", ">", "~", "%", "*", "|", "。", "é", " ", " ", "\n", "\t", "\u{A0}",
    "\u{3000}", "\u{B}", "\u{2028}",
];

/// The links that the engine finds.
fn find(source: &str, options: &Options) -> Vec<(String, String)> {
    let mut parser = Parser::new(options.clone());
    let document = parser.parse(source).expect("the source is short");
    document.links().map(|link| (link.text.into_owned(), link.destination.into_owned())).collect()
}

#[test]
fn random_paragraphs_read_the_same_twice() {
    let seed = random::seed().expect("a seed");
    let mut random = Random::new(seed);
    let mut options = Options::commonmark();
    options.autolinks = Autolinks::new(Dialect::Md4c);
    let mut wrong = Vec::new();
    let (mut n_plain, mut n_links) = (0, 0);
    for _ in 0..N_INPUTS {
        let source = random.soup(PIECES);
        let expected = read(&source);
        let alone: Vec<_> = links(&source, Dialect::Md4c)
            .map(|link| (link.text.to_string(), link.href().to_string()))
            .collect();
        if alone != expected {
            wrong.push(format!("{source:?}: want {expected:?}, alone {alone:?}"));
        }
        if is_plain(&source) {
            n_plain += 1;
            n_links += expected.len();
            let engine = find(&source, &options);
            if engine != expected {
                wrong.push(format!("{source:?}: want {expected:?}, engine {engine:?}"));
            }
        }
    }
    wrong.sort_by_key(String::len);
    let shown = wrong.iter().take(N_SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n");
    let hint = random::repeat_hint(seed);
    assert!(wrong.is_empty(), "{} differ; {hint}\n{shown}", wrong.len());
    // The pieces make what the rules are about often enough.
    assert!(n_plain > N_INPUTS / 4 && n_links > N_INPUTS / 40, "{n_plain} plain, {n_links} links");
}

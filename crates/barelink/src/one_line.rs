//! A source that is one line of plain words, as half of all messages are: its HTML is the line
//! between two tags. One pass shows that, without blocks, marks or candidates.
//!
//! ```text
//! Sounds good, see you there.      letters, digits, spaces, ! % ' ( ) , - . / ; ? and
//! <p>Sounds good, see you there.</p>                      characters outside ASCII only
//! ```
//!
//! The result always equals that of parsing, which reads every other source. Debug builds parse
//! these, too, and compare (`Converter::compare`).
//!
//! LINEAR: one pass over a source of bounded length.

use barelink_text::find::{Stops, Unplain};

use crate::options::Options;

/// Longer sources are hardly ever plain to their end.
const MAX_LEN: usize = 256;

/// Appends the HTML of `source` if it is such a line. Returns whether it is.
#[inline]
pub(crate) fn push_html(source: &str, options: &Options, out: &mut String) -> bool {
    let is_plain = is_plain(source, options);
    if is_plain {
        out.reserve(source.len() + "<p></p>\n".len());
        out.push_str("<p>");
        out.push_str(source);
        out.push_str("</p>\n");
    }
    is_plain
}

/// Appends the text of `source` if it is such a line. Returns whether it is.
#[inline]
pub(crate) fn push_text(source: &str, options: &Options, out: &mut String) -> bool {
    let is_plain = is_plain(source, options);
    if is_plain {
        out.push_str(source);
        out.push('\n');
    }
    is_plain
}

/// Whether `source` is such a line, and the options do not change its output.
#[inline]
fn is_plain(source: &str, options: &Options) -> bool {
    let bytes = source.as_bytes();
    let [first, .., last] = bytes else { return false };
    // Neither a letter nor a character outside ASCII starts a block. A byte order mark is excluded.
    (first.is_ascii_alphabetic() || (*first >= 0x80 && *first != b'\xEF'))
        && *last != b' '
        && bytes.len() <= MAX_LEN
        && !(options.smart_punctuation
            || options.autolinks.domains
            || options.policy.source_positions)
        && has_only_words(bytes)
}

/// Whether none of these bytes may be markup, or has to be escaped.
#[inline(never)]
fn has_only_words(bytes: &[u8]) -> bool {
    Stops::<Unplain>::new(bytes, 0, bytes.len()).all(|at| match bytes[at] {
        // The period of `www.` may begin a link.
        b'.' => !matches!(bytes[..at].last(), Some(b'w' | b'W')),
        byte => byte == b')',
    })
}

#[cfg(test)]
mod tests {
    use super::is_plain;
    use crate::{Options, Parser, parse, to_html};

    #[test]
    fn lines_of_words_are_plain() {
        let longest = "word ".repeat(51) + "!";
        for line in [
            "ab",
            "Sounds good, see you there.",
            "I'm (nearly) done; 50% - or 1/2?",
            "\u{e9}t\u{e9} \u{2013} \u{1f642}",
            "a...w b",
            &longest,
        ] {
            for mut options in [Options::commonmark(), Options::gfm(), Options::natural()] {
                assert!(is_plain(line, &options), "{line:?}");
                let mut parser = Parser::new(options.clone());
                let (mut html, mut text) = (String::from("-"), String::from("-"));
                parser.push_html(line, &mut html).unwrap();
                parser.push_text(line, &mut text).unwrap();
                // Documents are always parsed.
                let (mut parsed_html, mut parsed_text) = (String::from("-"), String::from("-"));
                parse(line, &options).unwrap().push_html(&mut parsed_html);
                parse(line, &options).unwrap().push_text(&mut parsed_text);
                assert_eq!((html, text), (parsed_html, parsed_text), "{line:?}");
                options.smart_punctuation = true;
                assert!(!is_plain(line, &options), "{line:?}");
            }
        }
    }

    #[test]
    fn all_else_is_not() {
        let longer = "word ".repeat(51) + "!!";
        for source in [
            "",
            "a",
            " a",
            "a ",
            "a\n",
            "a\nb",
            "a\tb",
            "1. a",
            "- a",
            "# a",
            "> a",
            "(a)",
            "a*b*",
            "a_b",
            "a`b`",
            "a[b]",
            "a<b",
            "a>b",
            "a&b",
            "a\"b",
            "a\\b",
            "a~b~",
            "a@b.cd",
            "www.a.bc",
            "see www.a.bc",
            "http://a.bc",
            "a:b",
            "a$b$",
            "a^b^",
            "a==b==",
            "a|b",
            "a\0b",
            "a\rb",
            "\u{feff}a b",
            "a\u{7f}b",
            &longer,
        ] {
            assert!(!is_plain(source, &Options::natural()), "{source:?}");
        }
    }

    #[test]
    fn options_that_find_more_count() {
        let mut options = Options::natural();
        assert!(is_plain("see example.com", &options));
        options.autolinks.domains = true;
        assert!(to_html("see example.com", &options).unwrap().contains("href"));
        let mut options = Options::gfm();
        options.policy.source_positions = true;
        let html = to_html("one line", &options).unwrap();
        assert!(html.starts_with("<p "), "{html}");
    }

    /// Tries each byte of ASCII before another that could make markup or a link of the two, in the
    /// presets and with extensions. Debug builds parse each plain line, and compare.
    #[test]
    fn no_byte_is_overlooked() {
        let mut n_plain = 0;
        for first in (0..128_u8).map(char::from) {
            for second in " !'()-./:;?@[w".chars() {
                for line in [format!("a {first}{second} b"), format!("ww{first}{second}b.cd")] {
                    for mut options in [Options::gfm(), Options::github(), Options::natural()] {
                        options.emoji = true;
                        options.mark = true;
                        options.superscript = true;
                        n_plain += u32::from(is_plain(&line, &options));
                        to_html(&line, &options).unwrap();
                    }
                }
            }
        }
        assert!(n_plain > 1_000, "{n_plain}");
    }
}

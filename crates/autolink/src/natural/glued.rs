//! Han, kana or Hangul after other characters: do these letters belong to the link, or does the
//! sentence continue with them?
//!
//! Principle 2. People copy URLs percent-encoded and write on without a space, so where the script
//! changes the sentence continues, unless the URL shows that it does not:
//!
//! | letters after | belong to |
//! |---|---|
//! | letters of ASCII or another script: `/docs参照` | the sentence |
//! | ASCII that itself follows such letters: `/中国A股` | the link |
//! | ASCII, if they complete a file name: `/osi七层模型.png` | the link |
//! | a single capital letter: `/C语言` | the link |
//! | digits alone: `/2024年报告`, `/issues/477这个` | the link if they are a counter, such as `年` |
//! | `/` `=` `&` `#`, `?` after a slash or before `=`: `/wiki/中国`, `?q=中国` | the link, except for a particle |
//! | the slash after the host, if they say what to do there: `/下载安装` | the sentence, unless the URL continues after them |
//! | a slash after a number or identifier: `/topic/298765432/楼主说` | the sentence, unless the URL continues after them |
//! | `-` `_` `+` and the like, `%20`: `/K-팝` | the link |
//! | `++`: `/C++的历史` | the sentence, unless they complete a file name |
//! | `.` `:` in a number, a file name or a namespace: `/1.基础`, `/Help:目录` | the link |
//! | the `!` of a name, before katakana: `/Yahoo!ケータイ` | the link |
//! | `,` `;` `.` `:` `!` `?` and the like otherwise | the sentence |
//! | an opening bracket or a quote after a letter, a closing one: `/docs(说明)`, `/a)实现` | the sentence |
//! | `-` before 这个 and the like: `/a-这是真的` | the sentence |
//! | an `=` that pads a value: `?t=abc=看` | the sentence |
//! | `@` of a mention, `#` of a topic: `/x@小明`, `/x#新品#` | the sentence |
//! | `~` and `^` as in `/x~快来看` | the sentence |
//!
//! LINEAR: called once for each run of such letters. It reads back to the previous run at most, and
//! forward through the run itself and a bounded file name.

use barelink_text::ByteSet;
use barelink_text::chars::{next_char, prev_char};
use barelink_text::set::ASCII_ALPHANUMERIC;

use super::particle::{Slash, begins_segment, is_counter, points, visits};
use super::script::{CharClass, classify, is_east_asian};

/// The bytes of a run of ASCII.
static RUN: ByteSet = ASCII_ALPHANUMERIC.union(ByteSet::of(b"-_+~%"));

/// The bytes with which a URL continues after the letters.
static GOES_ON: ByteSet = ASCII_ALPHANUMERIC.union(ByteSet::of(b"/._-%?#=&+"));

/// The minimum number of digits of an identifier, rather than a year or a month.
const MIN_ID_DIGITS: usize = 5;

/// The minimum length of an identifier of letters and digits.
const MIN_ID: usize = 4;

/// Whether a segment is an identifier: many digits, digits among letters, or odd capitals.
fn is_id(segment: &[u8]) -> bool {
    let n_digits = segment.iter().filter(|byte| byte.is_ascii_digit()).count();
    if n_digits >= MIN_ID_DIGITS || has_humps(segment) {
        return true;
    }
    let is_mixed =
        || segment.windows(2).any(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_alphabetic());
    let has_cases = || {
        // Not a word with a capital letter and a number after it.
        segment.iter().skip(1).any(u8::is_ascii_uppercase)
            && segment.iter().any(u8::is_ascii_lowercase)
    };
    n_digits > 0 && segment.len() >= MIN_ID && (is_mixed() || has_cases())
}

/// Whether capital and small letters alternate as in no word: `iJkLmn`, but not `JavaScript`.
fn has_humps(segment: &[u8]) -> bool {
    let is_hump = |pair: &&[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    let n_humps = 1 + segment.windows(2).filter(is_hump).count();
    n_humps >= MIN_HUMPS && 2 * segment.len() <= 5 * n_humps
}

/// The minimum number of humps, counting the start of the segment, that no words have.
const MIN_HUMPS: usize = 3;

/// The maximum length of a name right after a host, in letters.
const MAX_NAME: usize = 10;

/// How far ahead the name of a file may end, in bytes.
const MAX_FILE: usize = 100;

/// The maximum length of a file extension.
const MAX_EXTENSION: usize = 5;

/// A run of letters in a link, and its context.
#[derive(Clone, Copy)]
pub(super) struct Letters<'t> {
    pub(super) text: &'t [u8],
    /// The start of the part after the host.
    pub(super) path: usize,
    /// The end of the previous such run in the link; `path` if there is none.
    pub(super) last: usize,
    /// The start of this run.
    pub(super) at: usize,
}

impl Letters<'_> {
    /// The end of the link, at the latest, if the letters belong to the sentence; else `None`.
    pub(super) fn find_end(self) -> Option<usize> {
        let Self { text, path, at, .. } = self;
        let before = *text.get(at.checked_sub(1)?)?;
        let is_behind_word = |at: usize| text[at - 1].is_ascii_alphanumeric();
        let is_outside = match before {
            0x80.. => self.is_behind_other() && !self.is_file(),
            b'/' => {
                let slash = self.slash();
                next_char(text, at).is_some_and(|c| begins_segment(&text[at..], c, slash))
                    || match slash {
                        Slash::Host => self.is_behind_host(),
                        Slash::Number | Slash::Path => self.is_behind_id(),
                    }
            }
            _ if at == path + 1 => return None,
            b'?' => text[at - 2] != b'/' && !matches!(self.byte_behind(), Some(b'=' | b'&')),
            b'=' => self.is_padded(),
            b'#' => return (self.byte_behind() == Some(b'#')).then_some(at - 1),
            b'@' => return (text[at - 2] != b'/').then_some(at - 1),
            b'~' | b'^' => {
                let start = self.scan_back(|byte| byte == before);
                return (text[start - 1] != b'/').then_some(start);
            }
            b',' | b';' | b'|' => true,
            b'\'' | b'"' | b'(' | b'[' | b'{' => is_behind_word(at - 1),
            b'-' if points(&text[at..]) => {
                return Some(self.scan_back(|byte| byte == b'-'));
            }
            b'!' => text[at - 2].is_ascii() && !self.is_cry(),
            // `+` joins words, `C++` is one.
            b'+' => text[at - 2] == b'+' && !self.is_file(),
            b'.' => !self.is_numbered() && !self.goes_on(),
            b':' => text[at - 2].is_ascii() && !self.is_namespace(),
            b')' | b']' | b'}' | b'>' => !self.is_file(),
            _ if before.is_ascii_alphanumeric() => self.ends_run(),
            _ => false,
        };
        is_outside.then_some(at)
    }

    /// What the slash before the letters follows.
    fn slash(self) -> Slash {
        let before = Self { at: self.at - 1, ..self };
        if self.at == self.path + 1 {
            return Slash::Host;
        }
        let number = before.scan_back(|byte| byte.is_ascii_digit());
        if number < before.at && self.text[number - 1] == b'/' {
            Slash::Number
        } else {
            Slash::Path
        }
    }

    /// Whether a letter of another script, or closing or soft punctuation, precedes the letters.
    fn is_behind_other(self) -> bool {
        prev_char(self.text, self.at).is_some_and(|c| {
            !is_east_asian(c)
                && (c.is_alphanumeric()
                    || matches!(classify(c), CharClass::Close(_) | CharClass::Soft))
        })
    }

    /// Whether the letters say what to do at the host right before their slash, or are too many for
    /// a name, and no URL continues after them: `https://h.com/查看帮助`.
    fn is_behind_host(self) -> bool {
        let rest = &self.text[self.at..];
        // Korean has spaces, so that glued letters are one word.
        let is_sentence = || {
            let letters = self.text[self.at..self.scan_letters()].utf8_chunks();
            let mut letters = letters.flat_map(|chunk| chunk.valid().chars());
            letters.clone().nth(MAX_NAME).is_some() && !letters.any(|c| ('가'..='힣').contains(&c))
        };
        (visits(rest) || is_sentence()) && !self.goes_on() && !self.is_file_ahead()
    }

    /// Whether the segment before their slash is an identifier, so that the URL is complete, and no
    /// URL continues after the letters: `/topic/298765432/楼主说`.
    fn is_behind_id(self) -> bool {
        let before = Self { at: self.at - 1, ..self };
        let start = before.scan_back(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        let mut parts = self.text[start..self.at - 1].split(|&byte| byte == b'-');
        self.text[start - 1] == b'/' && parts.any(is_id) && {
            let behind = &self.text[self.scan_letters()..];
            !behind.first().is_some_and(|byte| GOES_ON.contains(*byte))
        }
    }

    /// Whether the sentence begins after the run of ASCII right before the letters.
    fn ends_run(self) -> bool {
        let Self { text, last, at, .. } = self;
        let start = self.scan_back(|byte| RUN.contains(byte));
        let run = &text[start..at];
        // `%20`, `%2F`: an encoded ASCII sign, after which a word begins.
        let is_behind_sign =
            matches!(run, [.., b'%', b'2'..=b'7', digit] if digit.is_ascii_hexdigit());
        if is_behind_sign || (start == last && last > self.path) {
            return false;
        }
        // A single capital letter begins a name: `/C语言`, `/T恤`.
        if text[start - 1] == b'/' && matches!(run, [b'A'..=b'Z']) {
            return false;
        }
        if run.iter().any(u8::is_ascii_alphabetic) {
            !self.is_file()
        } else {
            // A version cannot have a counter: `/v1.0`.
            let number = self.scan_back(|byte| byte.is_ascii_digit() || byte == b'.');
            let is_version = number < start && text[number - 1].is_ascii_alphabetic();
            !(self.is_file() || (is_counter(&text[at..]) && !is_version))
        }
    }

    /// Whether the `=` before the letters pads a value instead of preceding one: `?t=abc=看`.
    fn is_padded(self) -> bool {
        let start = self.scan_back(|byte| RUN.contains(byte) || byte == b'=');
        self.text[start..self.at - 1].contains(&b'=')
    }

    /// Scans back from the letters over bytes that satisfy `is_such`, not past the previous run.
    fn scan_back(self, is_such: impl Fn(u8) -> bool) -> usize {
        let before = &self.text[self.last.max(self.path + 1)..self.at];
        let len = before.iter().rev().take_while(|&&byte| is_such(byte)).count();
        self.at - len
    }

    /// Whether the period before the letters ends a number at the start of a word: `/1.2.`.
    fn is_numbered(self) -> bool {
        let start = self.scan_back(|byte| byte.is_ascii_digit() || byte == b'.');
        let numbers = &self.text[start..self.at];
        numbers.first().is_some_and(u8::is_ascii_digit)
            && !numbers.windows(2).any(|pair| pair == b"..")
            && matches!(self.text[start - 1], b'/' | b'#' | b'=' | b'-' | b'_')
    }

    /// Whether the word before the colon starts a segment and is capitalized: `/Help:`.
    fn is_namespace(self) -> bool {
        let start = self.scan_back(|byte| byte.is_ascii_alphabetic() || b"_:".contains(&byte));
        self.text[start - 1] == b'/' && self.text[start].is_ascii_uppercase()
    }

    /// Whether a capitalized name with its `!` starts the segment, and katakana follows:
    /// `/Yahoo!ケータイ`.
    fn is_cry(self) -> bool {
        let before = Self { at: self.at - 1, ..self };
        let start = before.scan_back(|byte| byte.is_ascii_alphabetic());
        let is_katakana = |c| matches!(c, 'ァ'..='ヿ');
        self.text[start - 1] == b'/'
            && self.text[start].is_ascii_uppercase()
            && next_char(self.text, self.at).is_some_and(is_katakana)
    }

    /// The end of the letters.
    fn scan_letters(self) -> usize {
        let mut end = self.at;
        while let Some(c) = next_char(self.text, end).filter(|&c| is_east_asian(c)) {
            end += c.len_utf8();
        }
        end
    }

    /// The byte after the letters.
    fn byte_behind(self) -> Option<u8> {
        self.text.get(self.scan_letters()).copied()
    }

    /// Whether the URL continues after the letters.
    fn goes_on(self) -> bool {
        match &self.text[self.scan_letters()..] {
            [b'/' | b'_' | b'-', ..] => true,
            [b'.', next, ..] => next.is_ascii_alphanumeric(),
            _ => false,
        }
    }

    /// Whether the letters, digits and hyphens from here on are a file name: `/查看chrome版本.png`.
    fn is_file_ahead(self) -> bool {
        let ahead = &self.text[self.at..(self.at + MAX_FILE).min(self.text.len())];
        let is_in_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"-_".contains(byte);
        let name_len = ahead.iter().take_while(|byte| is_in_name(byte)).count();
        self.is_file_at(self.at + name_len)
    }

    /// Whether exactly a file extension follows the letters.
    fn is_file(self) -> bool {
        self.is_file_at(self.scan_letters())
    }

    /// Whether there is exactly a file extension at `end`.
    fn is_file_at(self, end: usize) -> bool {
        let Some([b'.', extension @ ..]) = self.text.get(end..) else { return false };
        let is_extension = |byte: &&u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let len = extension.iter().take(MAX_EXTENSION + 1).take_while(is_extension).count();
        (2..=MAX_EXTENSION).contains(&len)
            && extension[0].is_ascii_lowercase()
            && next_char(extension, len)
                .is_none_or(|c| is_east_asian(c) || (!c.is_alphanumeric() && c != '_'))
    }
}

//! What follows a host: path, query and fragment, up to where the link ends.
//!
//! UTS #58 in general, modified by the principles of this dialect:
//!
//! | found | effect |
//! |---|---|
//! | a space of any kind, `<`, a backtick | the end |
//! | a letter, a digit, most symbols | part of the link |
//! | `.` `,` `:` `;` `!` `?` and the like | part of it if more follows |
//! | `,` `;`, an opening bracket or a word without a space, and then another link | the end |
//! | `\|` if a `<` stands right before the link | the end |
//! | a bracket | has to pair within the link; an unpaired closer is the end |
//! | an unpaired `)` | the end if the sentence has a `(` open, else as `.` |
//! | `"` `'` `’` | the end if it closes a quote before the link, else as `.`; two `"` or `'` pair, if something is between them |
//! | `'` `’` before an ending | see `ending` |
//! | full-width punctuation; a full-width opener after ASCII | the end |
//! | symbols, emoji, an ellipsis, a wave dash | the end, except a symbol alone in parentheses: `_(✪)` |
//! | Han, kana, Hangul | see `glued` and `particle` |
//! | `·` `×` `–` and others that join words | part of it if more follows |
//! | `*` `_` `~` | see `emphasis` |
//! | `&name;` | the end if it stands for a space, `<`, `>` or `"`, else as `.` |
//! | `\` and punctuation | as that character, but never as Markdown; `\\` as `.` |
//! | `\n`, `\r`, `\t` | the end |
//! | `[^`, and `[…](` | the end: a footnote or a link of Markdown starts |
//!
//! The scan has these cursors, here at the `)`:
//!
//! ```text
//! text      http://a.bc/中(d.)
//! cursors   ^start     ^  ^ ^ ^at        the next character
//!                      |  | safe         the end of the link, if it ended here
//!                      |  letters        after the last letter of Han, kana or Hangul
//!                      path              start of the path
//! ```
//!
//! | found | `at` | `safe` |
//! |---|---|---|
//! | part of the link | after it | after it |
//! | part of it if more follows | after it | unchanged |
//! | an opening bracket | after it | unchanged, and saved with the bracket |
//! | an unclosed bracket | back to the bracket | back to the saved value |
//! | the end | unchanged | unchanged: the link ends there |
//!
//! LINEAR: one pass. It goes back only to an unclosed bracket, and at most [`MAX_DEPTH`] brackets
//! are open at a time, so no byte is scanned more often than that.

use barelink_text::ByteSet;
use barelink_text::chars::{is_punctuation, next_char};
use barelink_text::entity::scan_entity;
use barelink_text::find::{Class as _, PathMark, Stops};

use super::emphasis::{Openers, opens_behind, scan_run};
use super::ending::is_ending;
use super::glued::Letters;
use super::particle::ends_name;
use super::script::{CharClass, classify, is_east_asian, is_joiner, is_space, is_unspaced};
use super::sentence::{has_parenthesis, has_quote, single_quote};
use crate::region::{Edge, Region};
use crate::verdict::Rule;

/// The maximum number of open brackets in a link.
const MAX_DEPTH: usize = 6;

/// The bytes that are always part of a link.
static PLAIN: ByteSet = PathMark::SET.complement();

/// The end of a link, and the reason for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    /// The end of the link.
    pub(super) link: usize,
    /// Where the scan stopped.
    pub(super) stop: usize,
    /// The rule that stopped it, and the end of the text that the rule applies to.
    pub(super) rule: Option<(Rule, usize)>,
}

/// An open bracket.
#[derive(Clone, Copy)]
struct Open {
    bracket: char,
    at: usize,
    /// The end of the link, if it ended at the bracket.
    safe: usize,
}

/// The scan of what follows a host.
struct TailPass<'t, 'c> {
    text: &'t [u8],
    /// The start of the link.
    start: usize,
    region: &'c mut Region,
    openers: Openers,
    at: usize,
    /// The end of the link, if it ended at `at`.
    safe: usize,
    /// The end of the last run of Han, kana or Hangul, or the start of the path.
    letters: usize,
    /// The start of the path.
    path: usize,
    /// A `'` that may be the first of a pair.
    apostrophe: Option<usize>,
    depth: usize,
    open: [Open; MAX_DEPTH],
}

/// `Ok` if the scan continues, or else the rule and the end of the text it applies to.
type Step = Result<(), Option<(Rule, usize)>>;

/// The end of the link that starts at `start` and whose host ends at `host_end`; `text` ends where
/// the region does.
pub(super) fn scan_tail(
    text: &[u8],
    start: usize,
    host_end: usize,
    openers: Openers,
    region: &mut Region,
) -> End {
    let plain_end = scan_plain(text, host_end, openers);
    if text.get(plain_end).is_none_or(|byte| matches!(byte, b' ' | b'\n' | b'<')) {
        return End { link: plain_end, stop: plain_end, rule: None };
    }
    let mut tail = TailPass {
        text,
        start,
        openers,
        region,
        at: plain_end,
        safe: plain_end,
        letters: host_end,
        path: host_end,
        apostrophe: None,
        depth: 0,
        open: [Open { bracket: '\0', at: 0, safe: 0 }; MAX_DEPTH],
    };
    let rule = tail.run();
    tail.close(rule)
}

/// Scans from `at` over what is part of the link without a closer look.
fn scan_plain(text: &[u8], at: usize, openers: Openers) -> usize {
    let is_plain = |at: usize| text.get(at).is_some_and(|&byte| PLAIN.contains(byte));
    let takes_a_look = |&at: &usize| match text[at] {
        b'.' => !is_plain(at + 1),
        b'_' => !openers.is_plain_underscore(),
        _ => true,
    };
    Stops::<PathMark>::new(text, at, text.len()).find(takes_a_look).unwrap_or(text.len())
}

impl TailPass<'_, '_> {
    /// Scans to the end of the link, and returns the rule that ends it.
    fn run(&mut self) -> Option<(Rule, usize)> {
        loop {
            let n_plain = self.text[self.at..].iter().take_while(|&&b| PLAIN.contains(b)).count();
            if n_plain > 0 {
                self.include(n_plain);
            }
            if let Err(rule) = self.step() {
                return rule;
            }
        }
    }

    /// Adds `n_bytes` bytes to the link.
    fn include(&mut self, n_bytes: usize) {
        self.at += n_bytes;
        self.safe = self.at;
    }

    /// Handles one character that is not plain.
    fn step(&mut self) -> Step {
        let Some(&byte) = self.text.get(self.at) else { return Err(None) };
        match byte {
            b'*' | b'_' | b'~' => self.delimiters(),
            b'&' => self.ampersand(),
            b'\\' => self.escape(),
            0x80.. => self.wide(),
            b'[' if self.text.get(self.at + 1) == Some(&b'^') => {
                Err(Some((Rule::NaturalMarkdown, self.at + 2)))
            }
            b'`' => Err(Some((Rule::NaturalMarkdown, self.at + 1))),
            b'<' => Err(None),
            // `^^` is a smiley.
            b'^' if self.text.get(self.at + 1) == Some(&b'^') => {
                self.at += scan_run(self.text, self.at);
                Ok(())
            }
            _ => self.literal(byte, 1),
        }
    }

    /// An ASCII character that is not Markdown syntax, or is escaped; `len` bytes including its
    /// backslash.
    fn literal(&mut self, byte: u8, len: usize) -> Step {
        match byte {
            b',' | b';' | b'|' | b'(' | b'[' | b'{' if self.is_before_link(self.at + len) => {
                Err(Some((Rule::NaturalNext, self.at + len)))
            }
            b'(' | b'[' | b'{' => self.push(byte as char, len),
            b')' => self.pop('(', len),
            b']' => self.pop('[', len),
            b'}' => self.pop('{', len),
            b'>' => self.pop('<', len),
            b'"' if has_quote(self.text, self.start, self.region) => {
                Err(Some((Rule::NaturalQuote, self.at + len)))
            }
            b'"' => self.quote(len),
            b'\'' if self.closes_quote('\'', len) => Err(Some((Rule::NaturalQuote, self.at + len))),
            b'\'' if self.apostrophe.is_none() && self.is_before_ending(len) => {
                Err(Some((Rule::NaturalEnding, self.at + len)))
            }
            b'\'' => {
                self.apostrophe(len);
                Ok(())
            }
            // Chats write links like this: `<https://h.com/a|text>`.
            b'|' if self.text[..self.start].ends_with(b"<") => {
                Err(Some((Rule::NaturalPunctuation, self.at + len)))
            }
            b'!' | b',' | b'.' | b':' | b';' | b'?' | b'|' => {
                self.at += len;
                Ok(())
            }
            b'<' | b'`' | 0..=b' ' | 0x7F => Err(None),
            _ => {
                self.include(len);
                Ok(())
            }
        }
    }

    /// A `"`: a pair is part of the link if there is something between.
    fn quote(&mut self, len: usize) -> Step {
        let Some(&Open { bracket: '"', at, .. }) = self.top() else {
            return self.push('"', len);
        };
        self.depth -= 1;
        if at + len == self.at {
            self.at += len;
        } else {
            self.include(len);
        }
        Ok(())
    }

    /// A `'`: part of the link if more follows, or if it completes a pair with something between.
    fn apostrophe(&mut self, len: usize) {
        match self.apostrophe.take() {
            Some(first) if first + len < self.at => self.include(len),
            Some(_) => self.at += len,
            None => {
                self.apostrophe = Some(self.at);
                self.at += len;
            }
        }
    }

    /// Whether the sentence adds an ending after the apostrophe here, of `len` bytes.
    fn is_before_ending(&self, len: usize) -> bool {
        is_ending(self.text, self.path, self.at, self.at + len)
    }

    /// Whether another link starts at `at`. If the region was cut at a link that has been found,
    /// `after` is a letter or digit, which it never is at any other end of a region.
    fn is_before_link(&self, at: usize) -> bool {
        let is_cut = matches!(self.region.after, Edge::Char(c) if c.is_ascii_alphanumeric());
        (is_cut && at == self.text.len()) || starts_link(self.text, at)
    }

    /// A backslash: with punctuation after it, only that character counts; else it is part of the
    /// link if more follows.
    fn escape(&mut self) -> Step {
        match self.text.get(self.at + 1) {
            // A line end as programs write it.
            Some(b'n' | b'r' | b't') => Err(Some((Rule::NaturalPunctuation, self.at + 2))),
            Some(b'\\') => {
                self.at += 2;
                Ok(())
            }
            Some(&byte) if byte.is_ascii_punctuation() => self.literal(byte, 2),
            _ => {
                self.at += 1;
                Ok(())
            }
        }
    }

    /// A run of `*`, `_` or `~`.
    fn delimiters(&mut self) -> Step {
        let len = scan_run(self.text, self.at);
        if self.openers.closer_len(self.text, self.at).is_some()
            || opens_behind(self.text, self.at, len, self.region)
        {
            return Err(Some((Rule::NaturalEmphasis, self.at + len)));
        }
        // `~` at the end of a message is a smiley too.
        if self.text[self.at] == b'~' && self.text[self.at - 1] != b'/' {
            self.at += len;
        } else {
            self.include(len);
        }
        Ok(())
    }

    /// An `&`: of an entity, of text that looks like one, or alone.
    fn ampersand(&mut self) -> Step {
        if let Some((end, decoded)) = scan_entity(self.text, self.at) {
            let is_end = |c: char| is_space(c) || matches!(c, '<' | '>' | '"');
            if decoded.as_str(&mut [0; 4]).chars().any(is_end) {
                return Err(Some((Rule::NaturalEntity, end)));
            }
            // Letters count as letters, everything else as punctuation.
            let is_word = decoded.as_str(&mut [0; 4]).chars().all(char::is_alphanumeric);
            if is_word {
                self.include(end - self.at);
            } else {
                self.at = end;
            }
            return Ok(());
        }
        let name = &self.text[self.at + 1..];
        let name_len = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if name_len > 0 && name.get(name_len) == Some(&b';') {
            self.at += name_len + 2;
        } else {
            self.include(1);
        }
        Ok(())
    }

    /// A character outside ASCII.
    fn wide(&mut self) -> Step {
        let Some(c) = next_char(self.text, self.at) else { return Err(None) };
        let len = c.len_utf8();
        // In malformed UTF-8, fewer bytes than that may be left.
        let end = (self.at + len).min(self.text.len());
        let is_behind_ascii = self.text[self.at - 1].is_ascii();
        match classify(c) {
            CharClass::Include if is_unspaced(c) && self.is_before_link(end) => {
                Err(Some((Rule::NaturalNext, end)))
            }
            CharClass::Include if is_east_asian(c) => self.letter(c),
            // These join words of one script only.
            CharClass::Include if c == '・' && is_behind_ascii => {
                Err(Some((Rule::NaturalFullWidth, end)))
            }
            CharClass::Include
                if c == '·'
                    && is_behind_ascii
                    && next_char(self.text, end).is_some_and(is_east_asian) =>
            {
                Err(Some((Rule::NaturalPunctuation, end)))
            }
            CharClass::Include if is_punctuation(c) && self.is_before_link(end) => {
                Err(Some((Rule::NaturalNext, end)))
            }
            CharClass::Include if is_joiner(c) => {
                self.at = end;
                Ok(())
            }
            CharClass::Include => {
                self.include(len);
                Ok(())
            }
            CharClass::Soft if self.closes_quote(c, len) => Err(Some((Rule::NaturalQuote, end))),
            CharClass::Soft if c == '’' && self.is_before_ending(len) => {
                Err(Some((Rule::NaturalEnding, end)))
            }
            CharClass::Soft if self.is_before_link(end) => Err(Some((Rule::NaturalNext, end))),
            CharClass::Soft => {
                self.at = end;
                Ok(())
            }
            CharClass::Dash if self.text[self.at - 1] == b'_' => {
                self.include(len);
                Ok(())
            }
            CharClass::Dash => Err(Some((Rule::NaturalDash, end))),
            CharClass::Hard => Err(None),
            CharClass::FullWidth => Err(Some((Rule::NaturalFullWidth, end))),
            CharClass::Symbol if self.is_bracketed(end) => {
                self.include(len);
                Ok(())
            }
            CharClass::Symbol => Err(Some((Rule::NaturalSymbol, end))),
            CharClass::Open if is_behind_ascii => Err(Some((bracket_rule(c), end))),
            CharClass::Open => self.push(c, len),
            CharClass::Close(open) => match self.find_open(open) {
                Some(_) => {
                    self.depth -= 1;
                    self.include(len);
                    Ok(())
                }
                None => Err(Some((bracket_rule(c), end))),
            },
        }
    }

    /// Whether the character before `end` is alone in parentheses that do not follow a word:
    /// `/unicode_(✪)_in_parens`, but not `/x(😂)`.
    fn is_bracketed(&self, end: usize) -> bool {
        let before = self.text[self.path..self.at].strip_suffix(b"(").and_then(<[u8]>::last);
        before.is_some_and(u8::is_ascii_punctuation) && self.text.get(end) == Some(&b')')
    }

    /// A letter of Han, kana or Hangul.
    fn letter(&mut self, c: char) -> Step {
        let end = self.at + c.len_utf8();
        let is_first = self.letters != self.at;
        let letters = Letters { text: self.text, path: self.path, last: self.letters, at: self.at };
        if is_first && let Some(link_end) = letters.find_end() {
            self.at = link_end;
            self.safe = self.safe.min(link_end);
            self.give_up_marks();
            return Err(Some((Rule::NaturalGlued, end)));
        }
        let is_in_word = !is_first || self.text[self.at - 1].is_ascii_alphanumeric();
        if is_in_word && ends_name(self.text, self.at, c) {
            return Err(Some((Rule::NaturalParticle, end)));
        }
        self.include(c.len_utf8());
        self.letters = self.at;
        Ok(())
    }

    /// Removes punctuation at the new end of the link, after the scan went back: it was part of the
    /// link only because more followed.
    fn give_up_marks(&mut self) {
        // A `;` may end a character reference.
        let tail = self.text.get(self.path..self.safe).unwrap_or_default();
        let has_reference = tail.contains(&b'&');
        let marks: &[u8] = if has_reference { b".,:!?" } else { b".,:;!?" };
        while self.safe > self.path && marks.contains(&self.text[self.safe - 1]) {
            self.safe -= 1;
        }
    }

    /// Whether `c`, written with `len` bytes, closes the single quote right before the link and is
    /// not an apostrophe.
    fn closes_quote(&self, c: char, len: usize) -> bool {
        single_quote(self.text, self.start, self.region) == Some(c)
            && next_char(self.text, self.at + len)
                .is_none_or(|next| !next.is_alphanumeric() || is_unspaced(next))
    }

    /// The innermost open bracket.
    fn top(&self) -> Option<&Open> {
        self.open[..self.depth].last()
    }

    /// The innermost open bracket, if it is `bracket`. Quotes left open within it are dropped.
    fn find_open(&mut self, bracket: char) -> Option<Open> {
        let outer = self.open[..self.depth].iter().rposition(|open| open.bracket != '"')?;
        let open = self.open[outer];
        if open.bracket != bracket {
            return None;
        }
        self.depth = outer + 1;
        Some(open)
    }

    /// An opening bracket.
    fn push(&mut self, bracket: char, len: usize) -> Step {
        let Some(slot) = self.open.get_mut(self.depth) else {
            return Err(Some((Rule::NaturalBracket, self.at + len)));
        };
        *slot = Open { bracket, at: self.at, safe: self.safe };
        self.depth += 1;
        self.at += len;
        Ok(())
    }

    /// An ASCII closing bracket.
    fn pop(&mut self, bracket: char, len: usize) -> Step {
        let end = self.at + len;
        if let Some(Open { at, safe, .. }) = self.find_open(bracket) {
            if bracket == '[' && self.text.get(end) == Some(&b'(') {
                (self.at, self.safe) = (at, safe);
                return Err(Some((Rule::NaturalMarkdown, at + 1)));
            }
            self.depth -= 1;
            self.include(end - self.at);
            return Ok(());
        }
        if bracket == '(' && !has_parenthesis(self.text, self.start, self.region) {
            self.at = end;
            return Ok(());
        }
        Err(Some((Rule::NaturalBracket, end)))
    }

    /// The end of the link: before the first unclosed bracket, if any. A quote may stay unclosed.
    fn close(&self, rule: Option<(Rule, usize)>) -> End {
        let unclosed =
            self.open[..self.depth].iter().find(|open| open.bracket != '"' && open.at < self.safe);
        match unclosed {
            Some(&Open { bracket, at, safe }) => End {
                link: safe,
                stop: at,
                rule: Some((bracket_rule(bracket), at + bracket.len_utf8())),
            },
            None => End { link: self.safe, stop: self.at, rule },
        }
    }
}

/// The rule for a bracket or quote outside ASCII.
fn bracket_rule(c: char) -> Rule {
    match c {
        '“' | '”' | '«' | '»' | '‹' | '›' => Rule::NaturalQuote,
        _ if c.is_ascii() => Rule::NaturalBracket,
        _ => Rule::NaturalFullWidth,
    }
}

/// Whether another link starts at `at`.
pub(super) fn starts_link(text: &[u8], at: usize) -> bool {
    const STARTS: [&[u8]; 4] = [b"https://", b"http://", b"ftp://", b"www."];
    let rest = text.get(at..).unwrap_or_default();
    STARTS
        .iter()
        .any(|start| rest.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start)))
}

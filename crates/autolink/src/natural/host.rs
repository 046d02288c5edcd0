//! The host of a link, and the part of an address after its `@`.
//!
//! ```text
//! host  = label { "." label } [ "." ]   the last period only before a path
//!       | "[" IPv6 [ "%" zone ] "]"
//! label = letters, digits, marks, "-" and "_"
//! ```
//!
//! A label neither starts nor ends with `-`, none is empty, and neither of the last two has a `_`.
//! The last one is not a number, unless all four are and form an IPv4 address. What follows the end
//! of a name does not spoil it: an ellipsis, a `-` or `_`, a closing run of emphasis. Nor do
//! letters of a script without spaces after ASCII: `penguin.ooo英文` is `penguin.ooo` and two words.
//! A label that begins in such a script is a name by itself: `例え.jp`. The same holds for pictures,
//! `☃.net`.
//!
//! LINEAR: one pass. If a host is refused, `Memory` keeps its end, so that `www.` names in it are
//! refused without reading.

use barelink_text::ByteSet;
use barelink_text::chars::next_char;
use barelink_text::find::{Label, Stops};
use barelink_text::set::ASCII_ALPHANUMERIC;

use super::emphasis::{Openers, scan_run};
use super::script::{is_name, is_picture, is_unspaced};
use crate::verdict::Rule;

/// The ASCII bytes that are always part of a label.
static LABEL: ByteSet = ASCII_ALPHANUMERIC.add(b'-');

/// The result of scanning a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct NaturalHost {
    pub(super) start: usize,
    /// Its end, including the period of the root, if that is part of it.
    pub(super) end: usize,
    /// The end of its last label.
    pub(super) name_end: usize,
    /// How far the scan has read.
    pub(super) read: usize,
    pub(super) n_labels: usize,
    /// The start of its last label.
    pub(super) last: usize,
    /// The first invalid label.
    pub(super) bad_label: Option<usize>,
    /// An underscore in one of the last two labels.
    pub(super) underscore: Option<usize>,
    pub(super) is_ascii: bool,
}

/// What follows a period.
enum AfterPeriod {
    Label,
    /// A path, so that the period is that of the root.
    Path,
    /// Nothing that belongs to the name.
    End,
    /// A second period, and a label after it.
    Gap,
}

impl NaturalHost {
    /// Scans the name that starts at `start`; `text` ends where the region does.
    #[inline]
    pub(super) fn scan(text: &[u8], start: usize, openers: Openers) -> Self {
        Self::scan_plain(text, start).unwrap_or_else(|| Self::scan_any(text, start, openers))
    }

    /// Fast path for nearly all names: ASCII labels, and nothing after them that needs a closer
    /// look.
    #[inline]
    fn scan_plain(text: &[u8], start: usize) -> Option<Self> {
        let byte_at = |at: usize| text.get(at).copied().unwrap_or(b' ');
        let mut stops = Stops::<Label>::new(text, start, text.len());
        let (mut last, mut n_labels) = (start, 1);
        let at = loop {
            let at = stops.next().unwrap_or(text.len());
            if at <= last || text[last] == b'-' || text[at - 1] == b'-' {
                return None;
            }
            if byte_at(at) != b'.' || !byte_at(at + 1).is_ascii_alphanumeric() {
                break at;
            }
            last = at + 1;
            n_labels += 1;
        };
        if matches!(byte_at(at), b'.' | b'_' | 0x80..) {
            return None;
        }
        Some(Self {
            start,
            end: at,
            name_end: at,
            read: at,
            n_labels,
            last,
            bad_label: None,
            underscore: None,
            is_ascii: true,
        })
    }

    /// Scans any name that starts at `start`.
    fn scan_any(text: &[u8], start: usize, openers: Openers) -> Self {
        let mut host = Self {
            start,
            end: start,
            name_end: start,
            read: start,
            n_labels: 0,
            last: start,
            bad_label: None,
            underscore: None,
            is_ascii: true,
        };
        // The last underscore of the current label, and of the one before.
        let mut underscores = [None; 2];
        let mut at = start;
        loop {
            let label = text.get(at..).unwrap_or_default();
            at += label.iter().take_while(|&&byte| LABEL.contains(byte)).count();
            let Some(&byte) = text.get(at) else { break };
            match byte {
                b'_' => {
                    if openers.closer_len(text, at).is_some() {
                        break;
                    }
                    underscores[0] = Some(at);
                    // LINEAR: each run is tested once, as a whole.
                    at += scan_run(text, at);
                }
                b'.' => match after_period(text, at, openers) {
                    AfterPeriod::Label | AfterPeriod::Gap => {
                        host.close_label(text, at);
                        underscores = [None, underscores[0]];
                        at += 1;
                        host.last = at;
                    }
                    AfterPeriod::Path => {
                        host.end = at + 1;
                        break;
                    }
                    AfterPeriod::End => break,
                },
                0x80.. => match next_char(text, at).filter(|&c| is_name(c) || is_picture(c)) {
                    // DIALECT(natural): letters of a script without spaces end an ASCII label.
                    Some(c) if is_glued(c) && at > host.last && text[host.last].is_ascii() => {
                        break;
                    }
                    Some(c) => {
                        host.is_ascii = false;
                        at += c.len_utf8();
                    }
                    None => break,
                },
                _ => break,
            }
        }
        host.read = at;
        host.name_end = at;
        host.trim(text);
        host.underscore = underscores.into_iter().flatten().find(|&at| at < host.name_end);
        host.end = host.end.max(host.name_end);
        host
    }

    /// Leaves trailing `-` and `_` outside unless the link continues after them, and closes the
    /// last label.
    fn trim(&mut self, text: &[u8]) {
        let follows = text.get(self.name_end);
        if !follows.is_some_and(|byte| b"/?#:@.".contains(byte)) || self.is_before_end(text) {
            let label = &text[self.last..self.name_end];
            let n_outside =
                label.iter().rev().take_while(|&&byte| matches!(byte, b'-' | b'_')).count();
            if n_outside < label.len() {
                self.name_end -= n_outside;
            }
        }
        if self.name_end > self.start {
            self.close_label(text, self.name_end);
        }
    }

    /// Whether the punctuation after the name only ends a sentence.
    fn is_before_end(&self, text: &[u8]) -> bool {
        matches!(text.get(self.name_end), Some(b'.' | b'?' | b':'))
            && !text.get(self.name_end + 1).is_some_and(u8::is_ascii_alphanumeric)
            && self.end <= self.name_end
    }

    /// Closes a label at `at`.
    fn close_label(&mut self, text: &[u8], at: usize) {
        let is_good = at > self.last && text[self.last] != b'-' && text[at - 1] != b'-';
        if !is_good && self.bad_label.is_none() {
            self.bad_label = Some(self.last);
        }
        self.n_labels += 1;
    }

    /// The last label.
    pub(super) fn last_label<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.last..self.name_end]
    }

    /// Whether the labels are four numbers that form an IPv4 address.
    fn is_ipv4(&self, text: &[u8]) -> bool {
        let is_byte = |label: &[u8]| {
            // The length is checked first: a longer number would overflow.
            (1..=3).contains(&label.len())
                && label.iter().all(u8::is_ascii_digit)
                && label.iter().fold(0, |n, byte| n * 10 + u32::from(byte - b'0')) <= 255
        };
        self.n_labels == 4
            && text[self.start..self.name_end].split(|&byte| byte == b'.').all(is_byte)
    }

    /// The rule that the host of a URL or `www.` name breaks, and its offset.
    pub(super) fn check(&self, text: &[u8], n_labels: usize) -> Result<(), (Rule, usize)> {
        if self.name_end == self.start {
            Err((Rule::NaturalHostMissing, self.start))
        } else if let Some(at) = self.bad_label {
            Err((Rule::NaturalLabel, at))
        } else if let Some(at) = self.underscore {
            Err((Rule::NaturalUnderscore, at))
        } else if self.n_labels < n_labels || (self.n_labels < 2 && !self.is_ascii) {
            Err((Rule::NaturalPeriod, self.name_end))
        } else if self.last_label(text).iter().all(u8::is_ascii_digit) && !self.is_ipv4(text) {
            Err((Rule::NaturalNumber, self.last))
        } else if n_labels > 1 && self.last_label(text).len() == 1 {
            Err((Rule::NaturalLastLabel, self.last))
        } else {
            Ok(())
        }
    }
}

/// Classifies what follows the period at `at`.
fn after_period(text: &[u8], at: usize, openers: Openers) -> AfterPeriod {
    let next = at + 1;
    match text.get(next) {
        Some(b'/') => AfterPeriod::Path,
        Some(b':') if text.get(next + 1).is_some_and(u8::is_ascii_digit) => AfterPeriod::Path,
        Some(b'?' | b'#') if text.get(next + 1).is_some_and(u8::is_ascii_alphanumeric) => {
            AfterPeriod::Path
        }
        Some(b'.') if starts_label(text, next + 1, openers) => AfterPeriod::Gap,
        _ if starts_label(text, next, openers) => AfterPeriod::Label,
        _ => AfterPeriod::End,
    }
}

/// Whether a label, valid or not, starts at `at`.
fn starts_label(text: &[u8], at: usize, openers: Openers) -> bool {
    let is_word = |at| next_char(text, at).is_some_and(is_word);
    match text.get(at) {
        Some(b'_') => openers.closer_len(text, at).is_none() && is_word(at + 1),
        Some(b'-') => is_word(at + 1),
        _ => is_word(at),
    }
}

/// Whether `c` after an ASCII name is not part of it.
pub(super) fn is_glued(c: char) -> bool {
    is_unspaced(c) || is_picture(c)
}

/// Whether `c` is a letter or digit in a name.
pub(super) fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { is_name(c) }
}

/// The end of the IPv6 address in brackets that starts at `start`, a `[`.
pub(super) fn scan_ipv6(text: &[u8], start: usize) -> Option<usize> {
    let is_address = |byte: &&u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
    let address = text.get(start + 1..)?;
    let len = address.iter().take(MAX_IPV6).take_while(is_address).count();
    let mut groups = address[..len].split(|&byte| byte == b':');
    let is_grouped = groups.clone().count() >= MIN_IPV6_GROUPS
        && groups.all(|group| group.len() <= 4 || group.contains(&b'.'));
    let mut end = start + 1 + len;
    if text.get(end) == Some(&b'%') {
        let is_zone = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-._~%".contains(byte);
        end += text[end..].iter().take(MAX_IPV6).take_while(is_zone).count();
    }
    (is_grouped && text.get(end) == Some(&b']')).then_some(end + 1)
}

/// The maximum length of an address, and of its zone.
const MAX_IPV6: usize = 64;

/// The minimum number of groups of an address: `::` has three, all empty.
const MIN_IPV6_GROUPS: usize = 3;

/// The maximum number of digits of a port.
const MAX_PORT: usize = 5;

/// The end of a port at `at`, or `at` if there is none.
pub(super) fn scan_port(text: &[u8], at: usize) -> usize {
    if text.get(at) != Some(&b':') {
        return at;
    }
    let digits = text[at + 1..].iter().take(MAX_PORT + 1).take_while(|byte| byte.is_ascii_digit());
    match digits.count() {
        n_digits @ 1..=MAX_PORT => at + 1 + n_digits,
        _ => at,
    }
}

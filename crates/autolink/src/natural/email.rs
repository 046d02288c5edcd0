//! E-mail addresses where a reader sees one.
//!
//! Principle 5. Sample: `联系mailto:a.b@例え.jp。` gives
//! 联系⟦mailto:a.b@例え.jp⟧。
//!
//! ```text
//! address = [ ( "mailto:" | "xmpp:" ) ] local "@" host
//! local   = words joined by "."        of letters, digits, "-", "_", "+", inner "'"
//! host    = see `host`: two labels or more, the last of letters
//! ```
//!
//! UTS #58 allows more before the `@`; a reader takes most of that as part of the sentence:
//! `to=a@b.cd`, `{a@b.cd}`. Words of a script without spaces right before ASCII belong to the
//! sentence as well. Not an address: what has a version (`x@1.1.1l-fips`, `x@2.x`) or a scale
//! (`icon@2x.png`) as its host, a code (`d@N.jc`), a path on another machine (`git@a.bc:d`), a part
//! of a URL or path, or two `@` in one word.
//!
//! LINEAR: before the `@`, text is read back to the previous one; after it, up to the next one.

use barelink_text::ByteSet;
use barelink_text::chars::prev_char;
use barelink_text::set::ASCII_ALPHANUMERIC;

use super::decoded::{DecodedPiece, Reach, stops_host};
use super::emphasis::Openers;
use super::host::{NaturalHost, is_word};
use super::script::{is_name, is_unspaced};
use super::tail::{End, scan_tail, starts_link};
use super::{Match, report_end};
use crate::region::{Edge, Region};
use crate::verdict::{Report, Rule};

/// Decides on the address around the `@` at `at`.
///
/// ```
/// use barelink_autolink::engine::{Region, Silent, natural};
///
/// let text = "write to MAILTO:a@exæmple.com.".as_bytes();
/// let mut region = Region::new(0, text.len());
/// let link = natural::match_email(text, 17, &mut region, &mut Silent).unwrap();
/// assert_eq!((link.start, link.end, link.prefix), (9, text.len() - 1, ""));
/// ```
pub fn match_email(
    text: &[u8],
    at: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Option<Match> {
    let visible = text.get(..region.end)?;
    let found = find_address(visible, at, region, report)
        .and_then(|(found, host)| check_whole(text, &host).map(|()| found));
    match found {
        Ok(found) => Some(found),
        Err((rule, at)) => {
            report.refused(rule, at);
            None
        }
    }
}

/// Finds the address around the `@` at `at`, and its host; or else the broken rule and its offset.
fn find_address(
    text: &[u8],
    at: usize,
    region: &mut Region,
    report: &mut impl Report,
) -> Result<(Match, NaturalHost), (Rule, usize)> {
    let floor = region.start.min(at);
    if n_backslashes(&text[floor..at]) % 2 == 1 {
        return Err((Rule::NaturalEscape, at - 1));
    }
    let mut start = scan_local(text, floor, at);
    check_local(text, start, at)?;
    let host = NaturalHost::scan(text, at + 1, Openers::NONE);
    let mut outside = host.read - host.name_end;
    // `_a@b.cd_` in plain text: the underscores surround the address.
    if outside > 0
        && text[start..].starts_with(b"_")
        && text[host.name_end..host.read].iter().all(|&byte| byte == b'_')
    {
        start += text[start..at].iter().take_while(|&&byte| byte == b'_').count().min(outside);
        outside = 0;
    }
    let scheme = if start == at { Scheme::None } else { find_scheme(text, floor, start) };
    let link_start = start - scheme.name().len();
    check_before(text, link_start, region)?;
    if outside > 0 {
        return Err((Rule::NaturalMailHost, host.name_end));
    }
    check_host(text, &host)?;
    check_script(text, start, at, &host)?;
    check_code(text, start, &host)?;
    check_after(text, host.name_end)?;
    let end = match scheme {
        Scheme::Mailto if starts_fields(text, host.name_end) => {
            scan_fields(text, link_start, host.name_end, region)
        }
        Scheme::Xmpp => End::at(scan_resource(text, host.name_end)),
        _ => End::at(host.name_end),
    };
    report_end(text, end, report);
    let prefix = if scheme == Scheme::None { "mailto:" } else { "" };
    Ok((Match { start: link_start, end: end.link, prefix }, host))
}

/// Refuses a host that continues with an escape or entity after the end of the region.
fn check_whole(text: &[u8], host: &NaturalHost) -> Result<(), (Rule, usize)> {
    if stops_host(text, host.read) {
        let piece = DecodedPiece::new(text, host.start, Reach::Host);
        let whole = NaturalHost::scan(piece.bytes(), 0, Openers::NONE);
        if piece.source_offset(whole.name_end) > host.name_end {
            return Err((Rule::NaturalMailHost, host.name_end));
        }
    }
    Ok(())
}

/// A scheme that joins an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    None,
    Mailto,
    Xmpp,
}

impl Scheme {
    /// The scheme with its colon.
    const fn name(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Mailto => "mailto:",
            Self::Xmpp => "xmpp:",
        }
    }
}

/// The scheme right before `start`, if it is a separate word.
fn find_scheme(text: &[u8], floor: usize, start: usize) -> Scheme {
    let before = &text[floor..start];
    let is_before = |scheme: &Scheme| {
        let Some(at) = before.len().checked_sub(scheme.name().len()) else { return false };
        before[at..].eq_ignore_ascii_case(scheme.name().as_bytes())
            && (at == 0 || !before[at - 1].is_ascii_alphanumeric())
    };
    [Scheme::Mailto, Scheme::Xmpp].into_iter().find(is_before).unwrap_or(Scheme::None)
}

/// The number of backslashes at the end of `text`.
fn n_backslashes(text: &[u8]) -> usize {
    text.iter().rev().take_while(|&&byte| byte == b'\\').count()
}

/// The ASCII bytes that are always allowed before an `@`.
static LOCAL_PART: ByteSet = ASCII_ALPHANUMERIC.union(ByteSet::of(b".-_+"));

/// The start of the local part before the `@` at `at`.
fn scan_local(text: &[u8], floor: usize, at: usize) -> usize {
    let mut start = at;
    loop {
        // Fast path: most of it is letters.
        while start > floor && LOCAL_PART.contains(text[start - 1]) {
            start -= 1;
        }
        if start <= floor {
            break;
        }
        let byte = text[start - 1];
        let is_before_word = text[start].is_ascii_alphanumeric();
        let len = match byte {
            b'\''
                if is_before_word
                    && start >= floor + 2
                    && text[start - 2].is_ascii_alphanumeric() =>
            {
                1
            }
            // The backslash of an escape.
            b'\\' if matches!(text[start], b'.' | b'-' | b'_' | b'+' | b'\'') => 1,
            0x80.. => match prev_char(text, start).filter(|&c| is_name(c)) {
                Some(c) if !is_unspaced(c) || !is_before_word => c.len_utf8(),
                _ => break,
            },
            _ => break,
        };
        start = start.saturating_sub(len).max(floor);
    }
    start
}

/// Refuses a local part that is empty, has a misplaced period, or has no letter or digit.
fn check_local(text: &[u8], start: usize, at: usize) -> Result<(), (Rule, usize)> {
    let local = &text[start..at];
    let bad = match local {
        [] => Some(at),
        [b'.', ..] => Some(start),
        [.., b'.'] => Some(at - 1),
        _ if !local.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()) => {
            Some(start)
        }
        _ => local.windows(2).position(|pair| pair == b"..").map(|offset| start + offset + 1),
    };
    bad.map_or(Ok(()), |bad| Err((Rule::NaturalLocalPart, bad)))
}

/// Refuses an address that is part of something else.
fn check_before(text: &[u8], start: usize, region: &Region) -> Result<(), (Rule, usize)> {
    let edge = region.edge_before(text, start);
    match edge {
        Edge::Char('/') => Err((Rule::NaturalPart, region.offset_before(start, edge))),
        Edge::Char('@') => Err((Rule::NaturalSecondAt, region.offset_before(start, edge))),
        // `//user:password@host`
        Edge::Char(':') if start > region.start => {
            let before = &text[region.start..start - 1];
            let is_user = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._~%+-".contains(byte);
            let user_len = before.iter().rev().take_while(is_user).count();
            if before[..before.len() - user_len].ends_with(b"//") {
                return Err((Rule::NaturalUser, start - 1 - user_len));
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Refuses a host that an address cannot have.
fn check_host(text: &[u8], host: &NaturalHost) -> Result<(), (Rule, usize)> {
    let labels = text[host.start..host.name_end].split(|&byte| byte == b'.');
    let last = host.last_label(text);
    let is_ascii_name = last.iter().all(u8::is_ascii_alphabetic)
        || last.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--"));
    if host.n_labels < 2 || host.bad_label.is_some() || host.underscore.is_some() {
        let at = host.bad_label.or(host.underscore).unwrap_or(host.name_end);
        Err((Rule::NaturalMailHost, at))
    } else if is_version(labels) {
        Err((Rule::NaturalVersion, host.start))
    } else if last.is_ascii() && !is_ascii_name {
        Err((Rule::NaturalVersion, host.last))
    } else {
        Ok(())
    }
}

/// Refuses letters other than Latin before an ASCII host if their script has no spaces, as in
/// `直接使用@array.length`, where nobody can tell where a name would begin; or if the host has capital
/// letters, as in the name of a service: `Видео@Mail.Ru`.
fn check_script(
    text: &[u8],
    start: usize,
    at: usize,
    host: &NaturalHost,
) -> Result<(), (Rule, usize)> {
    let host = &text[host.start..host.name_end];
    if text[start].is_ascii() || !host.is_ascii() {
        return Ok(());
    }
    let mut local = text[start..at].utf8_chunks().flat_map(|chunk| chunk.valid().chars());
    let is_service = host.iter().any(u8::is_ascii_uppercase);
    let is_words = local.all(|c| is_unspaced(c) || (is_service && c >= FIRST_OTHER));
    if is_words { Err((Rule::NaturalWords, start)) } else { Ok(()) }
}

/// Refuses `x@y.zz` with one letter on each side of the `@` and any of the letters in upper case:
/// part of a code that is shared with a link, as in `d@N.jc`.
fn check_code(text: &[u8], start: usize, host: &NaturalHost) -> Result<(), (Rule, usize)> {
    let is_code = matches!(text[start..host.name_end], [_, b'@', _, b'.', _, _])
        && text[start..host.name_end].iter().any(u8::is_ascii_uppercase);
    if is_code { Err((Rule::NaturalCode, start)) } else { Ok(()) }
}

/// The first letter after the Latin ones, in Greek.
const FIRST_OTHER: char = '\u{370}';

/// Whether labels look like a version or a scale factor: `1.0.x`, `v2.1.beta`, `2x.png`.
fn is_version<'t>(mut labels: impl Iterator<Item = &'t [u8]>) -> bool {
    let first = labels.next().unwrap_or_default();
    let number = first.strip_prefix(b"v").unwrap_or(first);
    let n_digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let second = labels.next().unwrap_or_default();
    n_digits > 0
        && match &number[n_digits..] {
            b"" => second.len() == 1 || second.first().is_some_and(u8::is_ascii_digit),
            suffix => suffix == b"x",
        }
}

/// Refuses an address that is the beginning of something else.
fn check_after(text: &[u8], end: usize) -> Result<(), (Rule, usize)> {
    let next = text.get(end + 1);
    match text.get(end) {
        Some(b':')
            if next.is_some_and(|&byte| byte.is_ascii_alphabetic() || b"/~._".contains(&byte)) =>
        {
            Err((Rule::NaturalRemote, end))
        }
        Some(b'@') if barelink_text::chars::next_char(text, end + 1).is_some_and(is_word) => {
            Err((Rule::NaturalSecondAt, end))
        }
        _ => Ok(()),
    }
}

/// Whether fields like `?subject=` start at `at`.
fn starts_fields(text: &[u8], at: usize) -> bool {
    let Some((b'?', rest)) = text.get(at..).and_then(<[u8]>::split_first) else { return false };
    let name_len =
        rest.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-').count();
    name_len > 0 && rest.get(name_len) == Some(&b'=')
}

/// The end of the fields at `at`. A link in them is separate, and ends them.
fn scan_fields(text: &[u8], start: usize, at: usize, region: &mut Region) -> End {
    let end = scan_tail(text, start, at, Openers::NONE, region);
    match (at..end.link).find(|&at| starts_link(text, at)) {
        Some(next) => scan_tail(&text[..next], start, at, Openers::NONE, region),
        None => end,
    }
}

/// The end of the resource of an `xmpp:` address that may start at `at`.
fn scan_resource(text: &[u8], at: usize) -> usize {
    let is_resource = |byte: &&u8| byte.is_ascii_alphanumeric() || b"/.-_".contains(byte);
    if text.get(at) != Some(&b'/') {
        return at;
    }
    let len = text[at..].iter().take_while(is_resource).count();
    let n_outside =
        text[at..at + len].iter().rev().take_while(|&&byte| byte == b'.' || byte == b'/').count();
    at + len - n_outside
}

//! What holds for every search of many bytes at a time: it finds what a loop
//! over the bytes finds. And what is copied block by block is what a loop over the
//! characters writes.

use barelink::autolink::engine::Candidates;
use barelink::autolink::{Dialect, Kind, Rules};
use barelink_text::escape::{push_escaped, push_escaped_line};
use barelink_text::find::{
    Ahead, BLOCK, Bracket, Class, Colon, Destination, Enclosure, Escapable, Inline, Kernel, Label,
    LineEnd, PathMark, Pipe, Return, RichInline, Slots, Square, Stops, Trigger, WordEnd,
    push_range,
};

/// Fails if a search in these bytes, that skips now and then, misses something
/// or finds too much. `skips` says how far.
pub(crate) fn check(bytes: &[u8], skips: &[u8]) {
    check_class::<LineEnd>(bytes, skips);
    check_ahead::<LineEnd>(bytes);
    check_class::<Destination>(bytes, skips);
    check_class::<Pipe>(bytes, skips);
    check_class::<Bracket>(bytes, skips);
    check_class::<Square>(bytes, skips);
    check_class::<Enclosure>(bytes, skips);
    check_class::<Label>(bytes, skips);
    check_class::<WordEnd>(bytes, skips);
    check_class::<Escapable<false, false>>(bytes, skips);
    check_class::<Escapable<true, false>>(bytes, skips);
    check_class::<Escapable<false, true>>(bytes, skips);
    check_class::<Return>(bytes, skips);
    check_class::<PathMark>(bytes, skips);
    check_class::<Colon>(bytes, skips);
    check_class::<Inline<false, false, false>>(bytes, skips);
    check_class::<Inline<false, true, false>>(bytes, skips);
    check_class::<Inline<true, false, false>>(bytes, skips);
    check_class::<Inline<true, true, false>>(bytes, skips);
    check_class::<Inline<true, true, true>>(bytes, skips);
    check_class::<RichInline>(bytes, skips);
    check_kernel::<Trigger>(bytes);
    check_copies(&String::from_utf8_lossy(bytes), skips);
    for &dialect in Dialect::ALL {
        check_candidates(bytes, skips, Rules::new(dialect));
    }
}

fn check_kernel<K: Kernel>(bytes: &[u8]) {
    for block in bytes.windows(BLOCK).step_by(7).filter_map(<[u8]>::first_chunk) {
        assert_eq!(K::mask(block), K::mask_scalar(block), "{block:?}");
    }
}

fn check_ahead<C: Class>(bytes: &[u8]) {
    let slow = (0..bytes.len()).filter(|&at| C::SET.contains(bytes[at]));
    assert!(Ahead::<C>::new(bytes, 0, &mut Slots::default()).eq(slow), "{bytes:?}");
}

fn check_class<C: Class>(bytes: &[u8], skips: &[u8]) {
    check_kernel::<C>(bytes);
    let [start, end, skips @ ..] = skips else { return };
    let (start, end) = (usize::from(*start), bytes.len().saturating_sub(usize::from(*end)));
    let mut stops = Stops::<C>::new(bytes, start, end);
    let mut at = start;
    let mut skips = skips.iter().cycle();
    loop {
        let slow = (at..end).find(|&at| C::SET.contains(bytes[at]));
        assert_eq!(stops.next(), slow, "from {at} in {bytes:?}");
        let Some(found) = slow else { break };
        at = found + 1;
        if let Some(&skip) = skips.next() {
            at += usize::from(skip / 2);
            stops.seek(at);
        }
    }
}

fn check_copies(text: &str, skips: &[u8]) {
    let mut out = String::new();
    let mut start = 0;
    // Where two of these are apart is a range, in the text or not.
    for &skip in skips.iter().chain(&[0, 255]) {
        let end = start + usize::from(skip);
        let slice = text.get(start..end).unwrap_or_default();
        push_range(text, start, end, &mut out);
        assert_eq!(out, slice, "{start}..{end} of {text:?}");
        out.clear();
        push_escaped(text, start, end, &mut out);
        assert_eq!(out, escaped(slice), "{start}..{end} of {text:?}");
        out.clear();
        push_escaped_line(text, start, end, &mut out);
        assert_eq!(out, escaped(slice).replace('\n', " "), "{start}..{end} of {text:?}");
        out.clear();
        start = end;
    }
    push_escaped(text, 0, text.len(), &mut out);
    assert_eq!(out, escaped(text), "{text:?}");
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

fn check_candidates(bytes: &[u8], skips: &[u8], rules: Rules) {
    let mut candidates = Candidates::new(bytes, rules);
    let mut at = 0;
    let mut skips = skips.iter().cycle();
    loop {
        let slow = (at..bytes.len()).find_map(|at| Some((kind_at(&bytes[at..], rules)?, at)));
        let fast = candidates.at_or_after(at).map(|candidate| (candidate.kind, candidate.start));
        assert_eq!(fast, slow, "from {at} in {bytes:?}");
        let Some((_, found)) = slow else { break };
        at = found + 1 + skips.next().map_or(0, |&skip| usize::from(skip / 4));
    }
}

fn kind_at(rest: &[u8], rules: Rules) -> Option<Kind> {
    let is_www = match rules.dialect {
        Dialect::Natural => rest.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www.")),
        _ => rest.starts_with(b"www."),
    };
    match rest {
        [b':', b'/', b'/', ..] => Some(Kind::Url),
        [b'@', ..] => Some(Kind::Email),
        _ => is_www.then_some(Kind::Www),
    }
}

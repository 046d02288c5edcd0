//! Emoji by their names, as on GitHub.
//!
//! ```text
//! emoji = ":" name ":"      name = 1*(lower-case letter | digit | "_" | "+" | "-"), of gemoji's list
//! ```
//!
//! They are searched for after all other marks are settled, and only in text: not in code, bare
//! links or raw HTML. A backslash before either colon prevents them; on GitHub nothing does.
//!
//! LINEAR: a name is read up to the next byte that cannot be part of one, and contains no colon.
//! Marks are visited once.

use barelink_text::find::{Colon, Stops};

use super::Inlines;
use super::mark::{Mark, MarkKind};
use crate::syntax::text::Text;

/// Lines of a name, a space, and the emoji, sorted by name.
#[cfg(feature = "emoji")]
const NAMES: &str = include_str!("emoji.txt");

#[cfg(not(feature = "emoji"))]
const NAMES: &str = "";

/// The offset in the list of the emoji with this name.
fn find_name(name: &[u8]) -> Option<u32> {
    let list = NAMES.as_bytes();
    let (mut low, mut high) = (0, list.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memchr::memrchr(b'\n', &list[low..middle]).map_or(low, |at| low + at + 1);
        let line = &list[start..];
        let len = memchr::memchr(b' ', line)?;
        match name.cmp(&line[..len]) {
            std::cmp::Ordering::Equal => return Some((start + len + 1) as u32),
            std::cmp::Ordering::Less => high = start,
            std::cmp::Ordering::Greater => low = start + memchr::memchr(b'\n', line)? + 1,
        }
    }
    None
}

/// The emoji at this offset of the list.
pub(crate) fn emoji(at: u32) -> &'static str {
    NAMES.get(at as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

fn is_in_name(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'+' | b'-')
}

/// An emoji's name between colons.
struct Named {
    start: usize,
    /// The offset of its second colon.
    end: usize,
    /// The offset of the emoji in the list.
    at: u32,
}

/// Finds the next name of an emoji in `bytes`, whose colons are `colons`.
#[inline]
fn next_name(bytes: &[u8], colons: &mut Stops<'_, Colon>) -> Option<Named> {
    colons.find_map(|start| {
        let rest = bytes.get(start + 1..)?;
        let n_name = rest.iter().take_while(|byte| is_in_name(**byte)).count();
        if n_name == 0 || rest.get(n_name) != Some(&b':') {
            return None;
        }
        let at = find_name(&rest[..n_name])?;
        Some(Named { start, end: start + 1 + n_name, at })
    })
}

impl Inlines {
    /// Finds emoji in a text whose other marks are settled.
    #[inline(never)]
    pub(super) fn find_emoji(&mut self, text: &Text<'_>) {
        let mut colons = Stops::<Colon>::new(text.bytes(), text.start, text.end);
        let bytes = &text.bytes()[..text.end];
        let mut next = next_name(bytes, &mut colons);
        // Most texts have colons, but no emoji.
        if next.is_none() {
            return;
        }
        let mut buffers = std::mem::take(&mut self.late);
        buffers.late.clear();
        let mut marks = self.marks.iter().peekable();
        while let Some(Named { start, end, at }) = next {
            // Find the first mark that overlaps the name. Unused marks do not count.
            let is_before = |mark: &&Mark| {
                let is_past = mark.end as usize <= start && mark.kind != MarkKind::Backslash;
                is_past || (mark.end as usize) < start || mark.kind.is_unused()
            };
            while marks.next_if(|mark| is_before(mark)).is_some() {}
            if marks.peek().is_none_or(|mark| mark.start as usize > end) {
                buffers.late.push(Mark::new(MarkKind::Emoji { at }, start, end + 1));
                colons.seek(end + 1);
            }
            next = next_name(bytes, &mut colons);
        }
        self.put_late(buffers);
    }
}

#[cfg(all(test, feature = "emoji"))]
mod tests {
    use super::{NAMES, emoji, find_name, is_in_name};

    #[test]
    fn every_name_is_found_and_no_other() {
        let mut n_names = 0;
        for line in NAMES.lines() {
            let (name, shown) = line.split_once(' ').expect("a name and an emoji");
            assert!(name.bytes().all(is_in_name), "{name}");
            assert_eq!(find_name(name.as_bytes()).map(emoji), Some(shown), "{name}");
            let longer = format!("{name}~");
            assert_eq!(find_name(longer.as_bytes()), None);
            n_names += 1;
        }
        assert!(n_names > 1800, "{n_names}");
        assert_eq!(find_name(b""), None);
        assert_eq!(find_name(b"+"), None);
        assert_eq!(find_name(b"zzzz"), None);
    }
}

//! Text as UTF-16, which some platforms copy much faster than they encode and decode UTF-8:
//! node reads a string from UTF-16 at 5,000 MB/s, and from UTF-8 at 300.
//!
//! Both directions copy ASCII in blocks, and other characters one by one.
//!
//! It is a crate of its own since it is optimized for speed, and the rest of the binding for
//! size.

/// The number of units that are processed at once.
const BLOCK: usize = 16;

/// Memory for text in UTF-16. It is always initialized, and as long as the longest text so far.
#[derive(Default)]
pub struct Wide(Vec<u16>);

impl Wide {
    /// Makes room for `len` units, and returns their address; null if there is no memory.
    pub fn reserve(&mut self, len: usize) -> *const u16 {
        if len > self.0.len() {
            self.0.clear();
            if self.0.try_reserve_exact(len).is_err() {
                return std::ptr::null();
            }
            self.0.resize(len, 0);
        }
        self.0.as_ptr()
    }

    pub fn address(&self) -> *const u16 {
        self.0.as_ptr()
    }

    /// Converts a text to UTF-16. Returns the number of units, or `None` if there is no memory.
    #[inline(never)]
    pub fn write(&mut self, text: &str) -> Option<usize> {
        // A text has no more units than bytes.
        if self.reserve(text.len()).is_null() {
            return None;
        }
        let (bytes, units) = (text.as_bytes(), self.0.as_mut_slice());
        let (mut at, mut to) = (0, 0);
        while at < bytes.len() {
            let blocks = bytes[at..].chunks_exact(BLOCK).zip(units[to..].chunks_exact_mut(BLOCK));
            let mut n_ascii = 0;
            for (from, into) in blocks {
                if from.iter().fold(0, |all, byte| all | byte) >= 0x80 {
                    break;
                }
                for (into, &byte) in into.iter_mut().zip(from) {
                    *into = u16::from(byte);
                }
                n_ascii += BLOCK;
            }
            (at, to) = (at + n_ascii, to + n_ascii);
            let end = bytes.len().min(at + BLOCK);
            while at < end {
                let (c, len) = match bytes[at..].first_chunk() {
                    Some(bytes) => decode(*bytes),
                    None => decode_last(&bytes[at..]),
                };
                at += len;
                if let Ok(unit) = u16::try_from(c) {
                    units[to] = unit;
                } else {
                    let beyond = c - 0x1_0000;
                    units[to] = 0xD800 | (beyond >> 10) as u16;
                    to += 1;
                    units[to] = 0xDC00 | (beyond & 0x3FF) as u16;
                }
                to += 1;
            }
        }
        Some(to)
    }

    /// Writes the first `len` units into `bytes` as UTF-8, which grows if necessary. Returns the
    /// number of bytes written. An unpaired surrogate becomes U+FFFD.
    #[inline(never)]
    pub fn read(&self, len: usize, bytes: &mut Vec<u8>) -> usize {
        let units = self.0.get(..len).unwrap_or(&self.0);
        let (mut at, mut to) = (0, 0);
        while at < units.len() {
            // Room for the rest if all of it is ASCII, and for a block that is not.
            let least = to + units.len() - at + 3 * BLOCK;
            if bytes.len() < least {
                bytes.resize(least + least / 8, 0);
            }
            let blocks = units[at..].chunks_exact(BLOCK).zip(bytes[to..].chunks_exact_mut(BLOCK));
            let mut n_ascii = 0;
            for (from, into) in blocks {
                if from.iter().fold(0, |all, unit| all | unit) >= 0x80 {
                    break;
                }
                for (into, &unit) in into.iter_mut().zip(from) {
                    *into = unit as u8;
                }
                n_ascii += BLOCK;
            }
            (at, to) = (at + n_ascii, to + n_ascii);
            let end = units.len().min(at + BLOCK);
            while at < end {
                let (c, n_units) = join(units[at], units.get(at + 1).copied());
                at += n_units;
                let (utf8, n_bytes) = encode(c);
                let Some(into) = bytes.get_mut(to..to + 4) else { break };
                into.copy_from_slice(&utf8);
                to += n_bytes;
            }
        }
        to
    }
}

/// Decodes a character from a unit and the next one. Returns it with its number of units.
fn join(unit: u16, next: Option<u16>) -> (u32, usize) {
    let (first, second) = (u32::from(unit), u32::from(next.unwrap_or_default()));
    match unit {
        0xD800..0xDC00 if second & 0xFC00 == 0xDC00 => {
            (0x1_0000 + ((first & 0x3FF) << 10) + (second & 0x3FF), 2)
        }
        0xD800..0xE000 => (0xFFFD, 1),
        _ => (first, 1),
    }
}

/// The UTF-8 of a character, and its length.
fn encode(c: u32) -> ([u8; 4], usize) {
    let tail = |shift: u32| (c >> shift & 0x3F) as u8 | 0x80;
    match c {
        0..0x80 => ([c as u8, 0, 0, 0], 1),
        0x80..0x800 => ([(c >> 6) as u8 | 0xC0, tail(0), 0, 0], 2),
        0x800..0x1_0000 => ([(c >> 12) as u8 | 0xE0, tail(6), tail(0), 0], 3),
        _ => ([(c >> 18) as u8 | 0xF0, tail(12), tail(6), tail(0)], 4),
    }
}

/// The first character of some UTF-8, and its length.
fn decode(bytes: [u8; 4]) -> (u32, usize) {
    let next = |idx: usize| u32::from(bytes[idx] & 0x3F);
    let first = u32::from(bytes[0]);
    match first {
        0..0x80 => (first, 1),
        0x80..0xE0 => ((first & 0x1F) << 6 | next(1), 2),
        0xE0..0xF0 => ((first & 0x0F) << 12 | next(1) << 6 | next(2), 3),
        _ => ((first & 0x07) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4),
    }
}

/// The same at the very end.
fn decode_last(bytes: &[u8]) -> (u32, usize) {
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    decode(four)
}

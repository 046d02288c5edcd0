//! Sets of bytes, built at compile time and queried once per byte.
//!
//! A [`ByteSet`] is a table of 256 flags: a query is one load, with no shift or mask. The scanners
//! keep theirs in `static`s or `const`s, so that they cost nothing to build at run time.

/// A set of bytes.
///
/// ```
/// use barelink_text::ByteSet;
///
/// static HEX: ByteSet = ByteSet::new().add_range(b'0', b'9').union(ByteSet::of(b"abcdefABCDEF"));
/// assert!(HEX.contains(b'e'));
/// assert!(!HEX.contains(b'x'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ByteSet {
    flags: [bool; 256],
}

/// The punctuation characters of ASCII, as CommonMark lists them in its
/// section 2.1: exactly those a backslash can escape.
pub static ASCII_PUNCTUATION: ByteSet = ByteSet::new()
    .add_range(b'!', b'/')
    .add_range(b':', b'@')
    .add_range(b'[', b'`')
    .add_range(b'{', b'~');

/// The letters and digits of ASCII.
pub static ASCII_ALPHANUMERIC: ByteSet =
    ByteSet::new().add_range(b'0', b'9').add_range(b'A', b'Z').add_range(b'a', b'z');

impl ByteSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self { flags: [false; 256] }
    }

    /// The set of the bytes in `bytes`.
    ///
    /// ```
    /// # use barelink_text::ByteSet;
    /// assert!(ByteSet::of(b"*_~").contains(b'_'));
    /// ```
    pub const fn of(bytes: &[u8]) -> Self {
        let mut set = Self::new();
        let mut at = 0;
        while at < bytes.len() {
            set.flags[bytes[at] as usize] = true;
            at += 1;
        }
        set
    }

    /// This set and `byte`.
    #[must_use]
    pub const fn add(mut self, byte: u8) -> Self {
        self.flags[byte as usize] = true;
        self
    }

    /// This set and every byte from `first` to `last`, both included.
    ///
    /// ```
    /// # use barelink_text::ByteSet;
    /// let high = ByteSet::new().add_range(0x80, 0xFF);
    /// assert!(high.contains(0xFF) && !high.contains(0x7F));
    /// ```
    #[must_use]
    pub const fn add_range(mut self, first: u8, last: u8) -> Self {
        let mut byte = first as usize;
        while byte <= last as usize {
            self.flags[byte] = true;
            byte += 1;
        }
        self
    }

    /// Every byte in this set or in `other`.
    #[must_use]
    pub const fn union(mut self, other: Self) -> Self {
        let mut byte = 0;
        while byte < 256 {
            self.flags[byte] |= other.flags[byte];
            byte += 1;
        }
        self
    }

    /// Every byte that is not in this set.
    ///
    /// ```
    /// # use barelink_text::ByteSet;
    /// let other = ByteSet::of(b"\r\n").complement();
    /// assert!(other.contains(b'a') && !other.contains(b'\n'));
    /// ```
    #[must_use]
    pub const fn complement(mut self) -> Self {
        let mut byte = 0;
        while byte < 256 {
            self.flags[byte] = !self.flags[byte];
            byte += 1;
        }
        self
    }

    /// Whether `byte` is in the set.
    #[inline]
    pub const fn contains(&self, byte: u8) -> bool {
        self.flags[byte as usize]
    }

    /// The number of bytes in the set.
    pub const fn len(&self) -> usize {
        let mut n_bytes = 0;
        let mut byte = 0;
        while byte < 256 {
            n_bytes += self.flags[byte] as usize;
            byte += 1;
        }
        n_bytes
    }

    /// Whether the set is empty.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of the set in ascending order.
    ///
    /// ```
    /// # use barelink_text::ByteSet;
    /// assert!(ByteSet::of(b"zxy").iter().eq(*b"xyz"));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|&byte| self.contains(byte))
    }
}

impl Default for ByteSet {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_set().entries(self.iter().map(|byte| byte as char)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{ASCII_ALPHANUMERIC, ASCII_PUNCTUATION, ByteSet};

    #[test]
    fn predefined_sets_agree_with_core() {
        for byte in 0..=u8::MAX {
            assert_eq!(ASCII_PUNCTUATION.contains(byte), byte.is_ascii_punctuation(), "{byte}");
            assert_eq!(ASCII_ALPHANUMERIC.contains(byte), byte.is_ascii_alphanumeric(), "{byte}");
        }
        assert_eq!(ASCII_PUNCTUATION.len(), 32);
    }

    #[test]
    fn ranges_include_both_ends() {
        let all = ByteSet::new().add_range(0, 255);
        assert_eq!(all.len(), 256);
        assert_eq!(ByteSet::new().add_range(7, 7), ByteSet::new().add(7));
        assert!(ByteSet::new().add_range(8, 7).is_empty());
    }

    #[test]
    fn union_and_complement() {
        let set = ByteSet::of(b"ab").union(ByteSet::of(b"bc"));
        assert_eq!(set, ByteSet::of(b"abc"));
        assert_eq!(set.complement().len(), 253);
        assert_eq!(set.complement().complement(), set);
        assert!(set.union(set.complement()).complement().is_empty());
    }

    #[test]
    fn built_at_compile_time() {
        const SET: ByteSet = ByteSet::of(b"xy").union(ASCII_PUNCTUATION);
        const { assert!(SET.contains(b'!')) };
        assert_eq!(ByteSet::default().len(), 0);
    }
}

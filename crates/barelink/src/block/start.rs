//! Which blocks the first byte of a line, after indentation, can start.

/// The block starts that begin with a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    /// Nothing: text.
    Text,
    /// Space or tab: a later byte decides.
    Blank,
    /// `>`: block quote.
    Quote,
    /// `#`: ATX heading.
    Atx,
    /// `` ` `` `~`: fenced code.
    Fence,
    /// `<`: HTML block.
    Html,
    /// `-` `*`: bullet or thematic break; `-` also a setext underline.
    Dash,
    /// `+`: bullet.
    Plus,
    /// `_`: thematic break.
    Underscore,
    /// `=`: setext underline.
    Equals,
    /// Digit: ordered list item.
    Digit,
    /// `|`: delimiter row of a table.
    Pipe,
    /// `:`: delimiter row of a table, or details of a definition list.
    Colon,
    /// `[`: footnote definition.
    Bracket,
}

impl Start {
    #[inline]
    pub(super) fn of(byte: u8) -> Self {
        STARTS[byte as usize]
    }
}

/// [`Start`] for every byte.
const STARTS: [Start; 256] = {
    let mut starts = [Start::Text; 256];
    starts[b' ' as usize] = Start::Blank;
    starts[b'\t' as usize] = Start::Blank;
    starts[b'>' as usize] = Start::Quote;
    starts[b'#' as usize] = Start::Atx;
    starts[b'`' as usize] = Start::Fence;
    starts[b'~' as usize] = Start::Fence;
    starts[b'<' as usize] = Start::Html;
    starts[b'-' as usize] = Start::Dash;
    starts[b'*' as usize] = Start::Dash;
    starts[b'+' as usize] = Start::Plus;
    starts[b'_' as usize] = Start::Underscore;
    starts[b'=' as usize] = Start::Equals;
    starts[b'|' as usize] = Start::Pipe;
    starts[b':' as usize] = Start::Colon;
    starts[b'[' as usize] = Start::Bracket;
    let mut digit = b'0';
    while digit <= b'9' {
        starts[digit as usize] = Start::Digit;
        digit += 1;
    }
    starts
};

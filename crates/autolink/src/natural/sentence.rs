//! Tells what the sentence around a link has open where the link starts: parentheses and double
//! quotes. Their closers belong to the sentence.
//!
//! Principle 3. In `(see http://a.bc/x)y` the `)` ends the link; in `http://a.bc/?q=(x))+y`, an
//! example of GFM, nothing is open before the link and it does not. The same holds for `"`. A quote
//! right before the link counts, whichever kind it is.
//!
//! LINEAR: counted on demand, and only once: the count resumes where it ended for an earlier link
//! of the paragraph.

use barelink_text::chars::prev_char;
use barelink_text::find::Enclosure;

use crate::balance::Balance;
use crate::region::Region;

/// What is open before the link at `start`.
fn count(text: &[u8], start: usize, region: &mut Region) -> Balance {
    let sentence = &mut region.natural.sentence;
    if !sentence.count_none(text, start) {
        sentence.count_to::<Enclosure, b'(', b')'>(text, start);
    }
    *sentence
}

/// Whether a `(` is open before the link at `start`.
pub(super) fn has_parenthesis(text: &[u8], start: usize, region: &mut Region) -> bool {
    // Nothing can close a parenthesis right before the link.
    (start > region.start && text[start - 1] == b'(') || count(text, start, region).depth > 0
}

/// Whether a `"` is open before the link at `start`.
pub(super) fn has_quote(text: &[u8], start: usize, region: &mut Region) -> bool {
    count(text, start, region).is_quoted
}

/// The closer of the single quote right before the link at `start`, if there is one.
pub(super) fn single_quote(text: &[u8], start: usize, region: &Region) -> Option<char> {
    match prev_char(text, start).filter(|_| start > region.start)? {
        '\'' => Some('\''),
        '‘' | '‚' => Some('’'),
        _ => None,
    }
}

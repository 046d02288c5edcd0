//! What of the sentence around a link is still open where the link starts:
//! parentheses and double quotes, whose closers are the sentence's.
//!
//! Principle 3. In `(see http://a.bc/x)y` the `)` ends the link; in
//! `http://a.bc/?q=(x))+y`, an example of GFM, nothing is open before the link
//! and it does not. Likewise with `"`. A quote right before the link counts
//! whatever its kind.
//!
//! LINEAR: counted when asked, and never twice: the count goes on from where it
//! ended for an earlier link of the paragraph.

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
    // Nothing closes one that stands right before the link.
    (start > region.start && text[start - 1] == b'(') || count(text, start, region).depth > 0
}

/// Whether a `"` is open before the link at `start`.
pub(super) fn has_quote(text: &[u8], start: usize, region: &mut Region) -> bool {
    count(text, start, region).is_quoted
}

/// What closes the single quote right before the link at `start`, if one stands
/// there.
pub(super) fn single_quote(text: &[u8], start: usize, region: &Region) -> Option<char> {
    match prev_char(text, start).filter(|_| start > region.start)? {
        '\'' => Some('\''),
        '‘' | '‚' => Some('’'),
        _ => None,
    }
}

//! Inputs for the tests of this folder. Under Miri, which interprets every memory access and is
//! slow, there are fewer.

use alloc::string::String;
use alloc::vec::Vec;

/// Every byte value, or a few.
pub(super) const BYTE_STEP: usize = if cfg!(miri) { 61 } else { 1 };

/// Every lane, or a few.
pub(super) const LANE_STEP: usize = if cfg!(miri) { 13 } else { 1 };

/// Characters of all lengths, and bytes to replace: none for a block, some here and there, and
/// nothing else for a block.
pub(super) fn text() -> String {
    let text = "aé漢🙂 <b> & \"c\" 0123\n56789 0123<56789 01234567>>&&\"\"<<9 é漢\n&é 0123456789";
    [text, &"\"".repeat(70), &"🙂".repeat(20), text, text].concat()
}

/// All pairs of a start and an end, up to and beyond `len`.
pub(super) fn ranges(len: usize) -> Vec<(usize, usize)> {
    let places = || (0..=len + 1).step_by(if cfg!(miri) { 47 } else { 1 });
    let ranges = places().flat_map(|start| places().map(move |end| (start, end)));
    ranges.chain([(usize::MAX, usize::MAX), (0, usize::MAX), (usize::MAX, 0)]).collect()
}

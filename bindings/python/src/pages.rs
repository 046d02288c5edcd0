//! Tuning of the allocator for memory that is allocated and freed for column after column.

use std::hint::black_box;
use std::sync::Once;

/// Larger than the memory for a batch, but not so large that much would stay unused.
const KEPT: usize = 16 << 20;

/// Makes the allocator keep the memory of columns.
///
/// The C library of Linux asks the system for memory of its own for what is larger than it has
/// ever been given back, and returns what is free beyond twice that size. So each batch of a Spark
/// job found some of its pages fresh, those that Spark itself reads it into as well, and to make
/// them costs as much as to fill them. To give back once what is larger than a batch ends that.
/// Nothing is written to it, so it never takes any room.
pub(crate) fn keep() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| drop(black_box(Vec::<u8>::with_capacity(KEPT))));
}

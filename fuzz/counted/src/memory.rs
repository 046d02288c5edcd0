//! The system's allocator, which remembers how much was in use at the most.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Bytes in use, and the most there were.
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Forgets what was, and tells how many bytes are in use.
pub(crate) fn start() -> usize {
    let in_use = IN_USE.load(Ordering::Relaxed);
    PEAK.store(in_use, Ordering::Relaxed);
    in_use
}

/// The most bytes in use since [`start`].
pub(crate) fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

fn add(n_bytes: usize) {
    let in_use = IN_USE.fetch_add(n_bytes, Ordering::Relaxed) + n_bytes;
    PEAK.fetch_max(in_use, Ordering::Relaxed);
}

// SAFETY: every call is passed on to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's contract is this function's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's contract is this function's.
        unsafe { System.dealloc(memory, layout) }
    }

    // What grows is counted once: the system moves large pieces without a copy.
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        add(new_size);
        // SAFETY: the caller's contract is this function's.
        unsafe { System.realloc(memory, layout, new_size) }
    }
}

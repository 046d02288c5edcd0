//! Neither links nor verdicts allocate.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use barelink_autolink::{Dialect, Outcome, links, verdicts};

struct Counting;

thread_local! {
    /// Of this thread alone: the test harness allocates in others.
    static N_ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged; counting
// touches a thread-local without a destructor, which does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        N_ALLOCATIONS.with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's contract is this function's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is this function's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count_allocations(run: impl FnOnce()) -> usize {
    let before = N_ALLOCATIONS.with(Cell::get);
    run();
    N_ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn the_counter_counts() {
    assert!(count_allocations(|| drop(std::hint::black_box(Box::new(1)))) > 0);
}

#[test]
fn none_at_all() {
    let text = "see http://a.bc/x.) and (www.a.bc/&amp;), mail a@b.cd or xmpp:a@b.cd/x;\n\n\
                [ www.é.fr ] ssh://x http://a_b.c a@b@c.de (http://a.bc?q=(x)).\n"
        .repeat(50);
    for &dialect in Dialect::ALL {
        let (mut n_links, mut n_linked) = (0, 0);
        let n_allocations = count_allocations(|| {
            n_links = links(&text, dialect).filter(|link| !link.text.is_empty()).count();
            n_linked = verdicts(&text, dialect)
                .filter(|verdict| matches!(verdict.outcome, Outcome::Linked { .. }))
                .count();
        });
        assert_eq!(n_allocations, 0, "{dialect:?}");
        assert_eq!(n_links, n_linked, "{dialect:?}");
        assert!(n_links > 100, "{dialect:?}");
    }
}

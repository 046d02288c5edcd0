//! Time that this thread had a processor to itself: what others get meanwhile
//! does not count, so that a busy machine disturbs less.

use std::time::Duration;

/// Where the system has no such clock, or none that is known here, time as it
/// passes.
#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// The time that this thread has run.
///
/// # Panics
/// If Linux has lost this clock.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub fn now() -> Duration {
    use std::ffi::{c_int, c_long};

    /// Linux's number for the clock.
    const CLOCK_THREAD_CPUTIME_ID: c_int = 3;

    #[repr(C)]
    struct Timespec {
        seconds: i64,
        nanoseconds: c_long,
    }

    unsafe extern "C" {
        fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
    }

    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: it is given a place of the layout that 64-bit Linux writes.
    let status = unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(status, 0, "the clock is gone");
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}

/// The time since `start`, which [`now`] gave.
pub fn since(start: Duration) -> Duration {
    now().saturating_sub(start)
}

#[cfg(test)]
mod tests {
    use super::{now, since};
    use std::time::Duration;

    #[test]
    fn sleeping_is_not_running() {
        let start = now();
        std::thread::sleep(Duration::from_millis(50));
        let slept = since(start);
        if cfg!(all(target_os = "linux", target_pointer_width = "64")) {
            assert!(slept < Duration::from_millis(25), "{slept:?}");
        }
        while since(start) < Duration::from_millis(5) {}
    }
}

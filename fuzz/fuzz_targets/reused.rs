//! `reused`: any documents, parted by U+001E, each with any options: a parser that reads one after the
//! other gives what fresh ones give.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_reused(&case));

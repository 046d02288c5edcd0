//! `fix`: any document, any options: a safe fix leaves the page as it is, and a second run changes
//! nothing.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_fix(&case));

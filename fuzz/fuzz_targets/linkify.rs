//! `linkify`: any HTML, any options: but for links nothing changes, and none is in another.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_linkify(&case));

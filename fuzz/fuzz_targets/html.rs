//! `html`: any bytes, any options: no panic, output that a browser's parser and a
//! strict reader find nothing wrong with, no anchor in an anchor.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_html(&case));

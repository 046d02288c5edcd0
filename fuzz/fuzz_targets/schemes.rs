//! `schemes`: any text, any dialect, schemes of one's own, and domains: links are disjoint, in order and
//! in the text, and segments are the text.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_schemes(&case));

//! `explain`: any document, any options: explanations agree with links in every dialect, and those of a
//! place with those of the document.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_explain(&case));

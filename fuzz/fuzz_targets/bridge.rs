//! `bridge`: any document, any options: events of pulldown-cmark nest, and its writer takes them.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_bridge(&case));

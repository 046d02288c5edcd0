//! `events`: any document, any options: events balance, their spans nest and lie on
//! boundaries, they render to the same HTML as the walker, and explanations agree with
//! links.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_events(&case));

//! `autolink`: any text, any dialect: the recognizer alone and inside a paragraph agree;
//! spans are disjoint, increasing and in the text.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_autolink(&case));

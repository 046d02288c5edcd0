//! `stream`: any document, any options, cut anywhere: after every piece the page is that of the
//! text so far, and settled blocks change only by being revised. The same with guesses, which hold
//! for the text that is shown.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_stream(&case));

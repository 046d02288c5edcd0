//! `crlf`: any document, any options: its HTML is the same with LF and with CRLF, whether it is long
//! or short, and its events with CRLF balance, nest and render to it.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_crlf(&case));

//! `hooks`: any document, any options, hooks for any elements: hooks that write what they get change
//! nothing, and what they refuse does not pass.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_hooks(&case));

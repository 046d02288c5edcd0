//! `changed`: the events of any document, changed at random, any options and hooks: no panic,
//! every tag is closed, and no destination passes that the policy forbids.
#![no_main]

use fuzz::Case;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|case: Case| fuzz::check_changed(&case));

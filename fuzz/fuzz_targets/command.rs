//! `command`: any bytes in a file of any name: what the command writes for programs is JSON, and
//! says what the library says. Needs the command in `target`, where `./test` builds it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| fuzz::check_command(input));

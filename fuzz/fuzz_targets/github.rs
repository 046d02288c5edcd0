//! `github`: any document: the same links as cmark-gfm itself, which runs beside
//! as a process. Needs `cmarkgfm` in `target/venv`, where `./test` puts it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| fuzz::check_github(&String::from_utf8_lossy(input)));

//! `documents`: documents built from Markdown pieces: the same HTML as cmark-gfm itself,
//! which runs beside as a process, but for known differences. Needs `cmarkgfm` in
//! `target/venv`, where `./test` puts it.
#![no_main]

use fuzz::Document;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|document: Document| fuzz::check_documents(&document.to_string()));

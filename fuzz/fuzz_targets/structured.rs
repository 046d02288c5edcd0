//! `structured`: documents built from Markdown pieces, any options: all that has
//! to hold.
#![no_main]

use fuzz::{Case, Document};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|document: Document| {
    let case = Case { bits: document.bits(), source: document.to_string() };
    fuzz::check_html(&case);
    fuzz::check_events(&case);
    fuzz::check_autolink(&case);
});

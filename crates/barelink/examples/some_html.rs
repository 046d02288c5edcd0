//! Some raw HTML, for those who want it: everything passes, and a sanitizer behind it leaves
//! what it knows to be harmless.
//!
//! ```sh
//! echo '<kbd>Ctrl</kbd> <script>alert(1)</script>' | cargo run --example some_html
//! ```

mod common;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use barelink::{Options, Policy};

fn main() -> ExitCode {
    common::run(some_html)
}

/// Writes the HTML of `source`.
pub(crate) fn some_html(source: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut options = Options::github();
    // The sanitizer decides about destinations too.
    options.policy = Policy::TRUSTED;
    options.policy.heading_ids = true;
    let html = barelink::to_html(source, &options)?;

    let clean = ammonia::Builder::default()
        .add_tags(["input", "section"])
        .add_generic_attributes(["id", "align"])
        .add_allowed_classes("code", [""])
        .add_tag_attributes("input", ["type", "checked", "disabled"])
        .add_tag_attribute_values("input", "type", ["checkbox"])
        .clean(&html);
    out.write_all(clean.to_string().as_bytes())?;
    Ok(())
}

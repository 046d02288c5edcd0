//! Commands with their output as they are printed in documents: each is run, and what
//! it prints compared. `TRYCMD=overwrite cargo test` takes what is printed now as right.

use std::path::{Path, PathBuf};

use trycmd::TestCases;
use trycmd::schema::Bin;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn cases() -> TestCases {
    // Commands are run where a reader of the README is: at the top. No other test of
    // this program minds its own current directory.
    std::env::set_current_dir(workspace()).unwrap();
    let cases = TestCases::new();
    // Lines are as long as in a usual terminal, whatever this one is.
    cases.env("COLUMNS", "100");
    cases
}

#[test]
fn help_and_usage() {
    cases().case(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/*.trycmd"));
}

#[test]
fn readmes() {
    // To build is not this test's work.
    cases()
        .register_bin("cargo", Bin::Ignore)
        .register_bin("./test", Bin::Ignore)
        .case(workspace().join("README.md"))
        .case(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
}

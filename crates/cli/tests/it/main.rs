//! The command as its users meet it: the binary is run, and what it writes, where, and
//! with which exit code is looked at.

#[cfg(unix)]
mod aside;
mod bounds;
mod check;
mod check_files;
mod check_results;
mod faults;
#[cfg(unix)]
mod faults_unix;
mod files;
mod generated;
#[cfg(unix)]
mod interrupts;
mod jsonl;
mod links;
#[cfg(feature = "lsp")]
mod lsp;
mod lsp_waiting;
mod mdbook;
#[cfg(unix)]
mod orders;
mod out_dir;
#[cfg(all(unix, feature = "serve"))]
mod serve;
mod stream;
mod support;
mod transcripts;

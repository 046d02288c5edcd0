//! Barelink and nothing else, for `crates/barelink/tests/linear`:
//!
//! ```text
//! counted                       does the tasks that standard input lists, one in each
//!                               line: an output, a preset, a file, with tabs between;
//!                               prints for each how many bytes of memory it took, and of
//!                               how many bytes or parts the result is
//! counted outputs               prints the names of all outputs
//! counted search LIMIT SEED [OUTPUT]
//!                               looks for slow inputs by the clock, and prints them: among so
//!                               many, or for so many seconds, as in `600s`
//! ```
//!
//! Callgrind counts the instructions of [`counted_step`], and writes them down at the
//! end of each [`counted_task`]: it wants two names for that.

mod memory;
#[path = "../../../crates/barelink/tests/checks/options.rs"]
#[allow(dead_code)]
mod options;
mod output;
mod search;
mod server;

use std::io::{self, BufRead as _};
use std::process::ExitCode;

use barelink::{Options, SourceTooLong};

use self::output::Output;

/// Any error: who runs this reads it.
type Problem = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => do_tasks(),
        ["outputs"] => {
            Output::ALL.iter().for_each(|output| println!("{}", output.name()));
            Ok(())
        }
        ["search", limit, seed] => search::run(limit, seed, None),
        ["search", limit, seed, output] => search::run(limit, seed, Some(output)),
        _ => Err("usage: counted [outputs | search LIMIT SEED [OUTPUT]]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn do_tasks() -> Result<(), Problem> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let [output, preset, path] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("no task: {line}").into());
        };
        let options = match preset {
            "everything" => options::everything(),
            name => Options::preset(name).ok_or("no such preset")?,
        };
        let output = Output::from_name(output)?;
        let source = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let before = memory::start();
        let len = counted_task(output, options, &source)?;
        println!("{}\t{len}", memory::peak() - before);
    }
    Ok(())
}

#[inline(never)]
fn counted_task(output: Output, options: Options, source: &str) -> Result<usize, SourceTooLong> {
    counted_step(output, options, source).map(std::hint::black_box)
}

#[inline(never)]
fn counted_step(output: Output, options: Options, source: &str) -> Result<usize, SourceTooLong> {
    output.make(options, source)
}

//! The engine's own time for a column of the Python benchmark: a loop over its rows with one parser.
//!
//! `rows FILE` reads a file with a NUL between each two rows. For each line on standard input,
//! `html` or `text`, it goes over all rows once, and prints how many bytes it has made of them.
//! `bench.py` asks it in turn with others, and looks at its clock.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;
use std::{env, fs};

use barelink::{Options, Parser};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rows: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> io::Result<()> {
    let path = env::args_os().nth(1).ok_or_else(|| io::Error::other("which file?"))?;
    let source = fs::read_to_string(path)?;
    let rows: Vec<&str> = source.split('\0').collect();
    let mut parser = Parser::new(Options::default());
    let mut out = String::new();
    for what in io::stdin().lock().lines() {
        let push = match what?.as_str() {
            "html" => Parser::push_html,
            "text" => Parser::push_text,
            other => return Err(io::Error::other(format!("{other}: html or text?"))),
        };
        out.clear();
        for row in &rows {
            push(&mut parser, row, &mut out).map_err(io::Error::other)?;
        }
        println!("{}", out.len());
        io::stdout().flush()?;
    }
    Ok(())
}

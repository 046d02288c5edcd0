//! Generates completions and man pages from the definitions of the command line.

use std::io::{self, Write};

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::Cli;
use crate::help::{self, Example};
use crate::output::Target;
use crate::report::Report;

/// Prints a shell's completions.
pub(crate) fn completions(shell: Shell, report: &Report) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "barelink", &mut script);
    print(&script, report);
}

/// Prints the man page of a command.
pub(crate) fn man(command: clap::Command, report: &Report) {
    let mut page = Vec::new();
    match push_page(command, &mut page) {
        Ok(()) => print(&page, report),
        Err(error) => report.write_error(Target::Stdout, &error),
    }
}

/// Writes the page section by section, because examples and exit codes need markup.
fn push_page(mut command: clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let has_commands = command.has_subcommands();
    let (examples, exit_codes) =
        (help::examples(command.get_name()), help::exit_codes(command.get_name()));
    // The usage line is clearer than the generated synopsis, which lists all flags.
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();

    let man = Man::new(command.override_usage(usage))
        .source(concat!("barelink ", env!("CARGO_PKG_VERSION")))
        .manual("Barelink");
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_description_section(page)?;
    man.render_options_section(page)?;
    if has_commands {
        man.render_subcommands_section(page)?;
    }
    if !examples.is_empty() {
        let mut roff = Roff::new();
        push_examples(examples, &mut roff);
        push_exit_codes(exit_codes, &mut roff);
        roff.to_writer(page)?;
    }
    Ok(())
}

fn push_examples(examples: &[Example], roff: &mut Roff) {
    roff.control("SH", ["EXAMPLES"]);
    for Example { line, does } in examples {
        roff.control("TP", []);
        roff.text([bold(*line)]);
        roff.text([roman(*does)]);
    }
}

fn push_exit_codes(exit_codes: &[(&str, &str)], roff: &mut Roff) {
    roff.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in exit_codes {
        roff.control("TP", []);
        roff.text([bold(*code)]);
        roff.text([roman(*meaning)]);
    }
}

fn print(bytes: &[u8], report: &Report) {
    let outcome = Target::Stdout.open().and_then(|mut sink| {
        sink.write_all(bytes)?;
        sink.finish()
    });
    if let Err(error) = outcome {
        report.write_error(Target::Stdout, &error);
    }
}

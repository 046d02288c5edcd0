//! The longer texts of the help: examples, exit codes, and a phrase for each preset.
//!
//! They are data, because two places show them: the end of `--help`, made here, and sections of the
//! man page, made in `generate`.

use std::env;
use std::fmt::Write as _;

use clap::builder::{StyledStr, Styles};
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// An example of a command line.
pub(crate) struct Example {
    /// The command line.
    pub(crate) line: &'static str,
    /// What it does.
    pub(crate) does: &'static str,
}

/// The section "Examples" of `--help` and the man page of a command; empty for a command that needs
/// none.
pub(crate) fn examples(command: &str) -> &'static [Example] {
    match command {
        "barelink" | "html" => HTML_EXAMPLES,
        "links" => LINKS_EXAMPLES,
        "explain" => EXPLAIN_EXAMPLES,
        "serve" => SERVE_EXAMPLES,
        "stream" => STREAM_EXAMPLES,
        "check" => CHECK_EXAMPLES,
        "fix" => FIX_EXAMPLES,
        "lsp" => LSP_EXAMPLES,
        _ => &[],
    }
}

const HTML_EXAMPLES: &[Example] = &[
    Example { line: "barelink README.md", does: "Print the HTML of a file" },
    Example { line: "curl -s URL | barelink", does: "Print the HTML of standard input" },
    Example {
        line: "barelink --full -o notes.html notes.md",
        does: "Write a complete page with title and style sheet",
    },
    Example {
        line: "barelink --out-dir site docs/*.md",
        does: "Write site/docs/NAME.html for each file, on all cores",
    },
    Example {
        line: "jq -c .body comments.json | barelink --jsonl",
        does: "Turn each JSON string into a JSON string of its HTML",
    },
];

const LINKS_EXAMPLES: &[Example] = &[
    Example { line: "barelink links docs/*.md", does: "List every link in the files" },
    Example {
        line: "barelink links --json README.md | jq -r .href",
        does: "Print only the destinations",
    },
    Example {
        line: "barelink links --plain-text --dialect natural server.log",
        does: "List the URLs and addresses in plain text",
    },
];

const EXPLAIN_EXAMPLES: &[Example] = &[
    Example {
        line: "barelink explain --text 'see \"www.a.bc\".'",
        does: "Show why there is no link, and which dialect would make one",
    },
    Example {
        line: "barelink explain --at 12:40 notes.md",
        does: "Explain the link at line 12, column 40, or the nearest one",
    },
    Example {
        line: "barelink explain --text 'see [the guide](my guide.md)'",
        does: "Show what breaks a link, and what to write instead",
    },
    Example {
        line: "barelink explain --json docs | jq 'select(.verdict == \"broken\")'",
        does: "Print what looks like a Markdown link but is not, of all files below docs",
    },
];

const SERVE_EXAMPLES: &[Example] = &[
    Example { line: "barelink serve", does: "Show this folder at http://127.0.0.1:8000/" },
    Example { line: "barelink serve --port 0 docs", does: "Show docs at any free port" },
    Example {
        line: "barelink serve --raw-html pass --remote-images",
        does: "Show also HTML and badges, for files you trust",
    },
];

const STREAM_EXAMPLES: &[Example] = &[
    Example { line: "ask-a-model | barelink stream", does: "Print what changes, as it comes" },
    Example {
        line: "ask-a-model | barelink stream --terminal --optimistic",
        does: "Read the answer while it is written",
    },
    Example {
        line: "jq --unbuffered .delta | barelink stream --jsonl",
        does: "Take each JSON string as a piece, and answer it by one line",
    },
];

const CHECK_EXAMPLES: &[Example] = &[
    Example { line: "barelink check", does: "Check the Markdown files below this folder" },
    Example {
        line: "barelink check --select BL003,BL004 docs",
        does: "List bare links that need an extension",
    },
    Example {
        line: "barelink check --with commonmark README.md",
        does: "Find links that a program without bare links shows as text",
    },
    Example {
        line: "barelink check --format sarif > barelink.sarif",
        does: "Write a report for code scanning",
    },
];

const FIX_EXAMPLES: &[Example] = &[
    Example { line: "barelink fix docs", does: "Fix what leaves the pages as they are" },
    Example { line: "barelink fix --diff", does: "Show what would change" },
    Example {
        line: "barelink fix --with commonmark README.md",
        does: "Write every bare link so that every program links it",
    },
    Example {
        line: "barelink fix --unsafe --select wrong-end docs",
        does: "End links where readers end them",
    },
];

const LSP_EXAMPLES: &[Example] = &[
    Example { line: "barelink lsp", does: "What an editor starts, for Markdown and MDX" },
    Example {
        line: "barelink lsp --config docs/barelink.toml",
        does: "The same, with one configuration for all files",
    },
];

/// An exit code and its meaning.
type ExitCode = (&'static str, &'static str);

const DONE: ExitCode =
    ("0", "Everything was done. Warnings (replaced bytes) and a closed pipe are not errors.");
const WRONG: ExitCode =
    ("2", "Wrong usage or configuration, or something unreadable; a message says what.");
const INTERRUPTED: ExitCode =
    ("130", "Interrupted by Ctrl-C (143 if terminated). No half-written file is left.");

/// What `--help` and the man page of most commands show under "Exit codes".
const EXIT_CODES: &[ExitCode] = &[DONE, WRONG, INTERRUPTED];

/// The same for all commands together.
const ALL_EXIT_CODES: &[ExitCode] = &[
    DONE,
    ("1", "`check` has findings, `fix` leaves some, or the editor of `lsp` was gone too early."),
    WRONG,
    INTERRUPTED,
];

const CHECK_EXIT_CODES: &[ExitCode] = &[
    ("0", "Everything was done, and there are no findings. Warnings are none."),
    ("1", "There are findings."),
    WRONG,
    INTERRUPTED,
];

const FIX_EXIT_CODES: &[ExitCode] = &[
    ("0", "Everything was done, and no findings are left. Warnings are none."),
    ("1", "Findings are left, or with --diff, some would be fixed."),
    WRONG,
    INTERRUPTED,
];

/// The exit codes of `serve`, which usually ends by an interrupt.
const SERVE_EXIT_CODES: &[ExitCode] = &[
    ("0", "It was ended by Ctrl-C, or terminated."),
    ("2", "Wrong usage, or the folder cannot be read, or the port be had; a message says why."),
];

/// The exit codes of `lsp`, which the protocol defines.
const LSP_EXIT_CODES: &[ExitCode] = &[
    ("0", "The editor shut it down."),
    ("1", "The editor was gone before that."),
    ("2", "Wrong usage, or what came is not the protocol; a message says what."),
];

/// The exit codes of a command, with their meanings.
pub(crate) fn exit_codes(command: &str) -> &'static [ExitCode] {
    match command {
        "barelink" => ALL_EXIT_CODES,
        "check" => CHECK_EXIT_CODES,
        "fix" => FIX_EXIT_CODES,
        "serve" => SERVE_EXIT_CODES,
        "lsp" => LSP_EXIT_CODES,
        _ => EXIT_CODES,
    }
}

/// Flags of `fix` that other programs have where they check.
const FLAGS_OF_FIX: [&str; 3] = ["--fix", "--diff", "--unsafe"];

/// Adds a tip to an error of the command line if `check` is given a flag of `fix`. Hidden flags of
/// `check` would do, too, but shells would complete them.
pub(crate) fn with_tip(mut error: clap::Error) -> clap::Error {
    let is_of_check = env::args_os().nth(1).is_some_and(|command| command == "check");
    let is_of_fix = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) => FLAGS_OF_FIX.contains(&flag.as_str()),
        _ => false,
    };
    if error.kind() == ErrorKind::UnknownArgument && is_of_check && is_of_fix {
        let tip = "`barelink check` changes nothing: `barelink fix` does, and has --diff and \
                   --unsafe";
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// The phrase for a preset; empty for a preset that has none.
pub(crate) fn preset(name: &str) -> &'static str {
    match name {
        "commonmark" => "CommonMark 0.31.2 and nothing else",
        "gfm" => "GitHub Flavored Markdown, as its specification is written",
        "github" => "GFM as GitHub shows it, with footnotes and alerts",
        "md4c" => "MD4C's own GitHub dialect",
        "natural" => "like github, with a bare link wherever a reader sees one",
        _ => "",
    }
}

/// The end of a command's `--help`.
pub(crate) fn after_long_help(command: &str) -> StyledStr {
    let styles = Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::new();
    let _ = writeln!(text, "{header}Examples:{header:#}");
    for Example { line, does } in examples(command) {
        let _ = writeln!(text, "  {literal}{line}{literal:#}\n          {does}");
    }
    let _ = writeln!(text, "\n{header}Exit codes:{header:#}");
    for (code, meaning) in exit_codes(command) {
        let _ = writeln!(text, "  {literal}{code:<3}{literal:#}  {meaning}");
    }
    text.truncate(text.trim_end().len());
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_its_sentence() {
        for name in barelink::Options::PRESETS {
            assert_ne!(preset(name), "", "no sentence for {name}");
        }
    }
}

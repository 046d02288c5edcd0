//! Barelink and nothing else, for `crates/barelink/tests/linear`:
//!
//! ```text
//! counted                       does the tasks that standard input lists, one in each
//!                               line: what, a preset, a file, with tabs between
//! counted search SECONDS SEED   looks for slow inputs by the clock, and prints them
//! ```
//!
//! Callgrind counts the instructions of [`counted_step`], and writes them down at the
//! end of each [`counted_task`]: it wants two names for that.

#[path = "../../../crates/barelink/tests/checks/options.rs"]
#[allow(dead_code)]
mod options;
mod search;

use std::io::{self, BufRead as _};
use std::process::ExitCode;

use barelink::autolink::{Rules, links, links_with};
use barelink::html::Linkifier;
use barelink::{Action, Options, Parser, pulldown};

/// What parts the texts of one source of plain text.
const SEPARATOR: char = '\u{1E}';

/// What is done with a source.
#[derive(Debug, Clone, Copy)]
enum What {
    Html,
    Events,
    Links,
    /// Those of raw HTML, broken and unused ones too.
    AllLinks,
    Explain,
    /// What looks like a link and is none.
    Near,
    /// Events of pulldown-cmark.
    Bridge,
    /// HTML with a hook that keeps every link.
    Hook,
    /// The recognizer alone, on the source as plain text, or on each text of it.
    Plain,
    /// The same, with all that may be turned on.
    PlainAll,
    /// The source as HTML, with links put into it.
    Linkify,
    /// The words of the document.
    Text,
    /// Nothing of use, in quadratic time: for a test that it would be seen.
    Quadratic,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => do_tasks(),
        ["search", seconds, seed] => search::run(seconds, seed),
        _ => Err("usage: counted [search SECONDS SEED]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn do_tasks() -> Result<(), Box<dyn std::error::Error>> {
    for line in io::stdin().lock().lines() {
        let line = line?;
        let [what, preset, path] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("no task: {line}").into());
        };
        let options = match preset {
            "everything" => options::everything(),
            name => Options::preset(name).ok_or("no such preset")?,
        };
        let what = match what {
            "html" => What::Html,
            "events" => What::Events,
            "links" => What::Links,
            "all-links" => What::AllLinks,
            "explain" => What::Explain,
            "near" => What::Near,
            "bridge" => What::Bridge,
            "hook" => What::Hook,
            "plain" => What::Plain,
            "plain-all" => What::PlainAll,
            "linkify" => What::Linkify,
            "text" => What::Text,
            "quadratic" => What::Quadratic,
            _ => return Err(format!("no such thing to do: {what}").into()),
        };
        let source = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        counted_task(what, options, &source)?;
    }
    Ok(())
}

#[inline(never)]
fn counted_task(what: What, options: Options, source: &str) -> Result<(), barelink::SourceTooLong> {
    std::hint::black_box(counted_step(what, options, source)?);
    Ok(())
}

#[inline(never)]
fn counted_step(
    what: What,
    options: Options,
    source: &str,
) -> Result<usize, barelink::SourceTooLong> {
    let mut parser = Parser::new(options.clone());
    Ok(match what {
        What::Html => {
            let mut out = String::new();
            parser.push_html(source, &mut out)?;
            out.len()
        }
        What::Events => parser.parse(source)?.events().count(),
        What::Links => parser.parse(source)?.links().count(),
        What::AllLinks => parser.parse(source)?.all_links().count(),
        What::Explain => parser.parse(source)?.explain().count(),
        What::Near => parser.parse(source)?.near_links().count(),
        What::Bridge => pulldown::events(&mut parser.parse(source)?).count(),
        What::Hook => {
            let mut out = String::new();
            parser.parse(source)?.push_html_with(|_| Action::Keep, &mut out);
            out.len()
        }
        What::Plain => {
            let dialect = options.autolinks.dialect.unwrap_or_default();
            source.split(SEPARATOR).map(|text| links(text, dialect).count()).sum()
        }
        What::PlainAll => {
            let mut rules = Rules::new(options.autolinks.dialect.unwrap_or_default());
            rules.domains = true;
            let texts = source.split(SEPARATOR);
            texts.map(|text| links_with(text, rules, &["a", "b"]).count()).sum()
        }
        What::Linkify => {
            let mut out = String::new();
            Linkifier::new(&options).push_html(source, &mut out);
            out.len()
        }
        What::Text => {
            let mut out = String::new();
            parser.parse(source)?.push_text(&mut out);
            out.len()
        }
        What::Quadratic => {
            let bytes = source.as_bytes();
            let is_before = |&at: &usize| bytes[..at].contains(&std::hint::black_box(b'\x01'));
            (0..bytes.len()).step_by(16).filter(is_before).count()
        }
    })
}

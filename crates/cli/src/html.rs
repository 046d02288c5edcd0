//! The job `html`: renders documents from one or more sources into one target.
//!
//! A source that cannot be read is reported and skipped. A target that cannot be written to ends
//! the job. `out_dir` renders each file into its own, and `jsonl` a document in each line.

use std::io::{self, IsTerminal as _, Write as _};

use barelink::{Options, Parser};

use crate::job::{Form, HtmlJob, Route};
use crate::output::{Sink, Target};
use crate::report::{self, Report};
use crate::source::Source;
use crate::{jsonl, out_dir, page};

/// Does the job.
pub(crate) fn run(job: HtmlJob, report: &mut Report) {
    match job.route {
        Route::Split { files, dir, form } => {
            out_dir::run(&files, &dir, &form, &job.options, report);
        }
        Route::Join { sources, target, form } => {
            fill(&sources, &target, report, |sink| {
                join(&sources, sink, &form, &job.options, report)
            });
        }
        Route::Lines { sources, target } => {
            fill(&sources, &target, report, |sink| jsonl::run(&sources, sink, job.options, report));
        }
    }
}

/// Whether a target should be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Yield {
    /// At least one source was read, though it may have been empty.
    Something,
    /// Every source failed: an existing file stays unchanged.
    Nothing,
}

/// Opens the target, calls `write`, and completes the target.
pub(crate) fn fill(
    sources: &[Source],
    target: &Target,
    report: &Report,
    write: impl FnOnce(&mut Sink) -> io::Result<Yield>,
) {
    if let Some(source) = sources.iter().find(|source| target.is_same_file(source)) {
        report.error(source, "is the input, and the output would replace it");
        return;
    }
    if matches!(sources, [Source::Stdin]) && io::stdin().is_terminal() {
        report::hint("reading standard input; end with Ctrl-D, or try 'barelink --help'");
    }
    let outcome = target.open().and_then(|mut sink| match write(&mut sink)? {
        Yield::Something => sink.finish(),
        Yield::Nothing => Ok(()),
    });
    if let Err(error) = outcome {
        report.write_error(target, &error);
    }
}

fn join(
    sources: &[Source],
    sink: &mut Sink,
    form: &Form,
    options: &Options,
    report: &Report,
) -> io::Result<Yield> {
    let mut n_written = 0;
    for source in sources {
        let Some(text) = source.read(report) else { continue };
        let mut options = options.clone();
        if n_written > 0 {
            // IDs must be unique in the whole output.
            let prefix = format!("{}{}-", options.policy.id_prefix, n_written + 1);
            options.policy.id_prefix = prefix.into();
        }
        let mut parser = Parser::new(options);
        let document = match parser.parse(&text) {
            Ok(document) => document,
            Err(error) => {
                report.error(source, error);
                continue;
            }
        };
        // The page has only one head: that of the first document.
        if let Form::Page { lang } = form
            && n_written == 0
        {
            let mut head = String::new();
            page::push_head(&document, source, lang, report, &mut head);
            sink.write_all(head.as_bytes())?;
        }
        n_written += 1;
        document.write_html(&mut *sink)?;
    }
    if n_written == 0 {
        return Ok(Yield::Nothing);
    }
    if *form != Form::Fragment {
        sink.write_all(page::FOOT.as_bytes())?;
    }
    Ok(Yield::Something)
}

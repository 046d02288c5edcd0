//! Each file into a file of its own below one directory, on all processors.
//!
//! ```text
//! docs/a.md        DIR/docs/a.html      folders are kept
//! ../x/./b.md      DIR/x/b.html         but never lead out of DIR
//! /home/me/c.md    DIR/c.html           an absolute path is its name alone
//! ```
//!
//! First every output gets its name, and an input whose output is taken already is
//! refused; then the rest is rendered. So no two threads write the same file, and what
//! is written does not depend on who comes first.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use barelink::{Options, Parser};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::job::Form;
use crate::output::write_file;
use crate::page;
use crate::pages::Pages;
use crate::report::{Report, reason};
use crate::source::Source;
use crate::walk;

/// One input and the file it becomes.
#[derive(Debug)]
struct Step {
    file: PathBuf,
    output: PathBuf,
}

/// Renders each of the files into `dir`.
pub(crate) fn run(
    files: &[PathBuf],
    dir: &Path,
    form: &Form,
    options: &Options,
    report: &mut Report,
) {
    if let Err(error) = fs::create_dir_all(dir) {
        report.error(dir.display(), reason(&error));
        return;
    }
    let files = walk::paths(files, report);
    let protected = html_inputs(&files);
    let steps = plan(files, dir, report);
    let mut pages = Pages::default();
    for Step { file, output } in &steps {
        pages.insert(file, output);
    }

    report.start_progress(steps.len());
    let worker = || Worker {
        parser: Parser::new(options.clone()),
        html: String::new(),
        form,
        pages: &pages,
        folder: PathBuf::new(),
    };
    let shared: &Report = report;
    if let [step] = steps.as_slice() {
        // One file is done before threads would have started.
        worker().take(step, &protected, shared);
    } else {
        steps.par_iter().for_each_init(worker, |worker, step| {
            worker.take(step, &protected, shared);
            shared.advance();
        });
    }
    report.end_progress();
}

/// Names the outputs; of several inputs with the same one, the first has it.
fn plan(files: Vec<PathBuf>, dir: &Path, report: &Report) -> Vec<Step> {
    let mut taken: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut steps = Vec::with_capacity(files.len());
    for file in files {
        let Some(below) = output_below(&file) else {
            report.error(file.display(), "has no file name");
            continue;
        };
        let output = dir.join(below);
        if let Some(first) = taken.get(&output) {
            let (output, first) = (output.display(), first.display());
            report.error(file.display(), format_args!("{output} is already the output of {first}"));
            continue;
        }
        taken.insert(output.clone(), file.clone());
        steps.push(Step { file, output });
    }
    steps
}

/// The path of the output, relative to the directory and never out of it.
fn output_below(file: &Path) -> Option<PathBuf> {
    let name = Path::new(file.file_name()?);
    let mut below = PathBuf::new();
    if file.is_relative() && !file.has_root() {
        for component in file.parent()?.components() {
            match component {
                Component::Normal(folder) => below.push(folder),
                // At the top there is nothing to take off, and nothing is.
                Component::ParentDir => drop(below.pop()),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
    }
    below.push(name.with_extension("html"));
    Some(below)
}

/// The inputs that an output could replace, by their true names.
fn html_inputs(files: &[PathBuf]) -> HashSet<PathBuf> {
    files
        .iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "html"))
        .filter_map(|file| fs::canonicalize(file).ok())
        .collect()
}

/// What a thread keeps from file to file.
struct Worker<'r> {
    parser: Parser,
    html: String,
    form: &'r Form,
    pages: &'r Pages,
    /// The folder of the last output, which is there.
    folder: PathBuf,
}

impl Worker<'_> {
    fn take(&mut self, step: &Step, protected: &HashSet<PathBuf>, report: &Report) {
        let Step { file, output } = step;
        let source = Source::File(file.clone());
        let is_protected = |output: PathBuf| protected.contains(&output);
        if !protected.is_empty() && fs::canonicalize(output).is_ok_and(is_protected) {
            report.error(output.display(), "is an input, and the output would replace it");
            return;
        }
        let Some(text) = source.read(report) else { return };
        self.html.clear();
        let document = match self.parser.parse(&text) {
            Ok(document) => document,
            Err(error) => return report.error(&source, error),
        };
        if let Form::Page { lang } = self.form {
            page::push_head(&document, &source, lang, report, &mut self.html);
        }
        self.pages.push_html(&document, file, output, &mut self.html);
        if *self.form != Form::Fragment {
            self.html.push_str(page::FOOT);
        }
        if let Err(error) = self.write(output) {
            report.error(output.display(), reason(&error));
        }
    }

    fn write(&mut self, output: &Path) -> std::io::Result<()> {
        if let Some(folder) = output.parent()
            && self.folder != folder
        {
            fs::create_dir_all(folder)?;
            folder.clone_into(&mut self.folder);
        }
        write_file(output, self.html.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_stay_below_the_directory() {
        for (file, expected) in [
            ("a.md", Some("a.html")),
            ("docs/b.c.markdown", Some("docs/b.c.html")),
            ("./docs/../x/README", Some("x/README.html")),
            ("../../up/d.md", Some("up/d.html")),
            ("a/../../../e.md", Some("e.html")),
            ("/etc/motd", Some("motd.html")),
            ("x/..", None),
            ("/", None),
        ] {
            assert_eq!(output_below(Path::new(file)), expected.map(PathBuf::from), "{file}");
        }
    }
}

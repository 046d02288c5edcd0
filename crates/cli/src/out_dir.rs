//! Renders each file into its own file below one directory, on all processors.
//!
//! ```text
//! docs/a.md        DIR/docs/a.html      folders are kept
//! ../x/./b.md      DIR/x/b.html         but never lead out of DIR
//! /home/me/c.md    DIR/c.html           an absolute path is its name alone
//! ```
//!
//! First, every output gets its name, and its real path in the file system (`below` resolves
//! symbolic links). An input is refused if its output is already taken, is itself an input, or
//! would be outside of DIR; then the rest is rendered. So no two threads write the same file, and
//! the result does not depend on the order of threads.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use barelink::{Options, Parser};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::job::Form;
use crate::output::{Identity, Links, identity, write_file};
use crate::pages::Pages;
use crate::report::{Report, reason};
use crate::source::Source;
use crate::{below, page, visible, walk};

/// One input and the file it becomes.
#[derive(Debug)]
struct Step {
    file: PathBuf,
    /// The output, for messages.
    output: PathBuf,
    /// The path of the output without symbolic links.
    target: PathBuf,
}

/// Renders each of the files into `dir`.
pub(crate) fn run(
    files: &[PathBuf],
    dir: &Path,
    form: &Form,
    options: &Options,
    report: &mut Report,
) {
    let root = match fs::create_dir_all(dir).and_then(|()| fs::canonicalize(dir)) {
        Ok(root) => root,
        Err(error) => return report.error(visible::path(dir), reason(&error)),
    };
    let steps = plan(walk::paths(files, report), dir, &root, report);
    let mut pages = Pages::default();
    for Step { file, output, .. } in &steps {
        pages.insert(file, output);
    }

    report.start_progress(steps.len());
    let worker = || Worker {
        parser: Parser::new(options.clone()),
        html: String::new(),
        form,
        pages: &pages,
    };
    let shared: &Report = report;
    if let [step] = steps.as_slice() {
        // Starting threads takes longer than one file.
        worker().take(step, shared);
    } else {
        steps.par_iter().for_each_init(worker, |worker, step| {
            worker.take(step, shared);
            shared.advance();
        });
    }
    report.end_progress();
}

/// Plans the outputs in `dir`, which is `root` without symbolic links. If several inputs have the
/// same output, the first gets it.
fn plan(files: Vec<PathBuf>, dir: &Path, root: &Path, report: &Report) -> Vec<Step> {
    // An input that cannot be found is reported when it is read.
    let inputs: HashSet<Identity> = files.iter().filter_map(|file| identity(file)).collect();
    let mut taken: HashMap<PathBuf, PathBuf> = HashMap::new();
    let mut steps = Vec::with_capacity(files.len());
    for file in files {
        let Some(below) = output_below(&file) else {
            report.error(visible::path(&file), "has no file name");
            continue;
        };
        let output = dir.join(&below);
        let shown = visible::path(&output);
        let target = match below::resolve(root, &below) {
            Ok(target) => target,
            Err(astray) => {
                report.error(shown, astray);
                continue;
            }
        };
        if identity(&target).is_some_and(|output| inputs.contains(&output)) {
            report.error(shown, "is an input, and the output would replace it");
            continue;
        }
        if let Some(first) = taken.get(&target) {
            let what = format_args!("{shown} is already the output of {}", visible::path(first));
            report.error(visible::path(&file), what);
            continue;
        }
        taken.insert(target.clone(), file.clone());
        steps.push(Step { file, output, target });
    }
    steps
}

/// The path of the output, relative to the directory and never outside of it.
fn output_below(file: &Path) -> Option<PathBuf> {
    file.file_name()?;
    // `with_extension` would make `..` of `..md`.
    let mut name = file.file_stem()?.to_owned();
    name.push(".html");
    let mut below = PathBuf::new();
    if file.is_relative() && !file.has_root() {
        for component in file.parent()?.components() {
            match component {
                Component::Normal(folder) => below.push(folder),
                // At the top, this does nothing.
                Component::ParentDir => drop(below.pop()),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
    }
    below.push(name);
    Some(below)
}

/// The state of a thread, reused from file to file.
struct Worker<'r> {
    parser: Parser,
    html: String,
    form: &'r Form,
    pages: &'r Pages,
}

impl Worker<'_> {
    fn take(&mut self, step: &Step, report: &Report) {
        let Step { file, output, target } = step;
        let source = Source::File(file.clone());
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
        let folder = target.parent().map_or(Ok(()), below::make_folder);
        let written = folder.and_then(|()| write_file(target, Links::Refuse, self.html.as_bytes()));
        if let Err(error) = written {
            report.error(visible::path(output), reason(&error));
        }
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
            ("..md", Some("..html")),
            ("x/...md", Some("x/...html")),
            (".md", Some(".md.html")),
            ("a.", Some("a.html")),
            ("x/..", None),
            ("/", None),
        ] {
            assert_eq!(output_below(Path::new(file)), expected.map(PathBuf::from), "{file}");
        }
    }
}

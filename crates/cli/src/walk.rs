//! From the paths of a command line to files: a folder stands for the Markdown files below it.
//!
//! Folders are read as git sees them: hidden files and those that `.gitignore` names are passed
//! over. A file that is named is taken, whatever it is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::report::{Report, reason};
use crate::source::Source;
use crate::visible;

/// What the names of Markdown files end with.
const EXTENSIONS: [&str; 6] = ["md", "markdown", "mdown", "mkd", "mkdn", "mdx"];

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// Whether it was named, or found in a folder.
    pub(crate) is_named: bool,
}

/// The files that paths stand for, sorted within each folder. What cannot be read is reported.
pub(crate) fn files(paths: &[PathBuf], report: &Report) -> Vec<Found> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, report, &mut found);
        } else {
            found.push(Found { path: path.clone(), is_named: true });
        }
    }
    found
}

/// The same, as paths alone.
pub(crate) fn paths(paths: &[PathBuf], report: &Report) -> Vec<PathBuf> {
    files(paths, report).into_iter().map(|found| found.path).collect()
}

/// The same for sources.
pub(crate) fn sources(sources: Vec<Source>, report: &Report) -> Vec<Source> {
    let mut expanded = Vec::new();
    for source in sources {
        match source {
            Source::File(path) => {
                expanded.extend(paths(&[path], report).into_iter().map(Source::File));
            }
            other => expanded.push(other),
        }
    }
    expanded
}

fn walk(folder: &Path, report: &Report, found: &mut Vec<Found>) {
    let mut builder = WalkBuilder::new(folder);
    builder.sort_by_file_path(Path::cmp);
    for entry in builder.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let what = error.io_error().map_or_else(|| error.to_string(), reason);
                report.error(visible::path(folder), what);
                continue;
            }
        };
        let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
        if is_file && is_markdown(entry.path()) {
            // `.` is not worth telling.
            let path = entry.path().strip_prefix(".").unwrap_or(entry.path()).to_owned();
            found.push(Found { path, is_named: false });
        }
    }
}

fn is_markdown(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

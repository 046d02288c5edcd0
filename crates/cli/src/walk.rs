//! Expands the paths of a command line to files: a folder stands for the Markdown files below it.
//!
//! In folders, hidden files and those that `.gitignore` excludes are skipped. A file that is named
//! is always included.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::report::{Report, reason};
use crate::source::Source;
use crate::visible;

/// The extensions of Markdown files.
const EXTENSIONS: [&str; 6] = ["md", "markdown", "mdown", "mkd", "mkdn", "mdx"];

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// Whether it was named, rather than found in a folder.
    pub(crate) is_named: bool,
}

/// Expands paths to files, sorted within each folder. Folders that cannot be read are reported.
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

/// Expands paths like [`files`], and returns only the paths.
pub(crate) fn paths(paths: &[PathBuf], report: &Report) -> Vec<PathBuf> {
    files(paths, report).into_iter().map(|found| found.path).collect()
}

/// Expands sources that are folders.
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
            // A leading `.` is not shown.
            let path = entry.path().strip_prefix(".").unwrap_or(entry.path()).to_owned();
            found.push(Found { path, is_named: false });
        }
    }
}

fn is_markdown(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

//! Expands the paths of a command line to files: a folder stands for the Markdown files below it.
//!
//! Folders are read as git sees them: hidden files and those that `.gitignore` names are skipped,
//! in a repository or not. Only files are taken, and symbolic links to files: reading a pipe could
//! take forever. A file that is named is taken, whatever it is.

use std::collections::HashMap;
use std::error::Error as _;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::{Error, WalkBuilder};

use crate::report::{Report, reason};
use crate::source::Source;
use crate::visible;

/// The extensions of Markdown files.
const EXTENSIONS: [&str; 6] = ["md", "markdown", "mdown", "mkd", "mkdn", "mdx"];

/// A file to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) way: Way,
}

/// How a file was found. If it was in several ways, the last of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Way {
    /// In a folder, through a symbolic link.
    Linked,
    /// In a folder.
    Walked,
    /// It was named.
    Named,
}

/// A folder, or something in it, that could not be read. It is reported already.
#[derive(Debug)]
pub(crate) struct Unread {
    pub(crate) path: PathBuf,
    pub(crate) what: String,
}

/// What paths stand for.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The files, sorted within each folder.
    pub(crate) files: Vec<Found>,
    pub(crate) unread: Vec<Unread>,
}

/// The files that paths stand for, each once. What cannot be read is reported.
pub(crate) fn files(paths: &[PathBuf], report: &Report) -> Walked {
    let mut walked = all(paths, report);
    let is_linked = |found: &Found| found.way == Way::Linked;
    if paths.len() > 1 || walked.files.iter().any(is_linked) {
        walked.files = once(walked.files);
    }
    walked
}

/// Like [`files`], as paths, each as often as it was found: every name has a page of its own.
pub(crate) fn paths(paths: &[PathBuf], report: &Report) -> Vec<PathBuf> {
    all(paths, report).files.into_iter().map(|found| found.path).collect()
}

/// Like [`files`], for sources, each once.
pub(crate) fn sources(sources: Vec<Source>, report: &Report) -> Vec<Source> {
    let mut expanded = Vec::new();
    let mut paths = Vec::new();
    for source in sources {
        match source {
            Source::File(path) => paths.push(path),
            other => {
                expanded.extend(files_of(&std::mem::take(&mut paths), report));
                expanded.push(other);
            }
        }
    }
    expanded.extend(files_of(&paths, report));
    expanded
}

fn files_of(paths: &[PathBuf], report: &Report) -> impl Iterator<Item = Source> {
    files(paths, report).files.into_iter().map(|found| Source::File(found.path))
}

fn all(paths: &[PathBuf], report: &Report) -> Walked {
    let mut walked = Walked::default();
    for path in paths {
        if path.is_dir() {
            let n_before = (walked.files.len(), walked.unread.len());
            walk(path, report, &mut walked);
            if n_before == (walked.files.len(), walked.unread.len()) {
                report.warning(visible::path(path), "there are no Markdown files in it");
            }
        } else {
            walked.files.push(Found { path: path.clone(), way: Way::Named });
        }
    }
    walked
}

/// Each file once, whatever it is called. Of several names, one that was given is kept, or else one
/// that is not a link.
fn once(found: Vec<Found>) -> Vec<Found> {
    let mut best: HashMap<PathBuf, usize> = HashMap::new();
    let mut is_kept = vec![true; found.len()];
    for (idx, this) in found.iter().enumerate() {
        // What is not a file, such as a pipe, may yield more each time. What cannot be found is
        // reported under each name.
        let real = fs::canonicalize(&this.path).ok().filter(|path| path.is_file());
        let Some(real) = real else { continue };
        match best.get_mut(&real) {
            Some(before) if this.way > found[*before].way => {
                is_kept[*before] = false;
                *before = idx;
            }
            Some(_) => is_kept[idx] = false,
            None => drop(best.insert(real, idx)),
        }
    }
    found.into_iter().zip(is_kept).filter_map(|(found, is_kept)| is_kept.then_some(found)).collect()
}

fn walk(folder: &Path, report: &Report, walked: &mut Walked) {
    let mut builder = WalkBuilder::new(folder);
    builder.sort_by_file_path(Path::cmp).require_git(false);
    for entry in builder.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let unread = unread(&error, folder);
                report.error(visible::path(&unread.path), &unread.what);
                walked.unread.push(unread);
                continue;
            }
        };
        if !is_markdown(entry.path()) {
            continue;
        }
        // A leading `.` is not worth showing.
        let path = entry.path().strip_prefix(".").unwrap_or(entry.path()).to_owned();
        let way = match entry.file_type() {
            Some(kind) if kind.is_file() => Way::Walked,
            Some(kind) if kind.is_symlink() => match fs::metadata(entry.path()) {
                Ok(behind) if behind.is_file() => Way::Linked,
                Ok(_) => continue,
                Err(error) => {
                    let why = reason(&error);
                    let what = format_args!("a symbolic link, passed over: {why}");
                    report.warning(visible::path(&path), what);
                    continue;
                }
            },
            _ => continue,
        };
        walked.files.push(Found { path, way });
    }
}

/// The error of a walk about something that it could not read, in our words.
fn unread(error: &Error, folder: &Path) -> Unread {
    let mut path = folder;
    let mut inner = error;
    loop {
        inner = match inner {
            Error::WithPath { path: at, err } => {
                path = at;
                err
            }
            Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => err,
            _ => break,
        };
    }
    let what = match inner {
        // The walk adds its own words to those of the system.
        Error::Io(error) => match error.source().and_then(|it| it.downcast_ref()) {
            Some(system) => reason(system),
            None => reason(error),
        },
        other => other.to_string(),
    };
    Unread { path: path.strip_prefix(".").unwrap_or(path).to_owned(), what }
}

fn is_markdown(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

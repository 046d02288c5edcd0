//! The known findings of a project, so that only new ones are reported.
//!
//! A finding is identified by its file, its rule and its text, whatever its line. Paths of files
//! are relative to the folder of the baseline, wherever the command runs.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use barelink_check::Finding;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use crate::check::files::absolute;
use crate::check::globs::relative;
use crate::check::record::{Record, text_of};
use crate::output::{Links, write_file};
use crate::report::reason;

/// The only version of the format.
const VERSION: u32 = 1;

/// How often each text is known, by rule.
type Texts = BTreeMap<String, BTreeMap<String, usize>>;

/// The number of known findings for each text, by file and rule.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    version: u32,
    files: BTreeMap<String, Texts>,
}

impl Baseline {
    /// A baseline of all these findings, for a file at this path.
    pub(crate) fn of(records: &[Record], path: &Path) -> Self {
        let mut baseline = Self { version: VERSION, files: BTreeMap::new() };
        let mut names = Names::new(path);
        for record in records {
            let rules = baseline.files.entry(names.of(&record.file).to_owned()).or_default();
            let texts = rules.entry(record.rule().code().to_owned()).or_default();
            *texts.entry(record.text.clone()).or_default() += 1;
        }
        baseline
    }

    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        Self::parse(&fs::read_to_string(path).map_err(|error| reason(&error))?)
    }

    /// Like [`Baseline::read`]; a baseline without findings if there is no such file.
    pub(crate) fn read_if_there(path: &Path) -> Result<Self, String> {
        match fs::read_to_string(path) {
            Ok(text) => Self::parse(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(reason(&error)),
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let baseline: Self = serde_json::from_str(text).map_err(|error| {
            // For other data, the error is in terms of this program's types.
            match error.classify() {
                Category::Data => "is not a baseline of barelink".to_owned(),
                _ => format!("is not a baseline of barelink, nor JSON: {error}"),
            }
        })?;
        if baseline.version != VERSION {
            return Err(format!("is a baseline of the unknown version {}", baseline.version));
        }
        Ok(baseline)
    }

    /// Adds what an older baseline has of files that were not read this time and still exist.
    pub(crate) fn with_others_of(mut self, older: Self, read: &[&str], path: &Path) -> Self {
        let mut names = Names::new(path);
        let read: HashSet<String> = read.iter().map(|file| names.of(file).to_owned()).collect();
        let is_other = |name: &String| !read.contains(name) && names.folder.join(name).exists();
        let others = older.files.into_iter().filter(|(name, _)| is_other(name));
        self.files.extend(others);
        self
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        write_file(path, Links::Follow, text.as_bytes())
    }

    /// Removes known findings, each as often as it is known. `path` is that of the baseline.
    pub(crate) fn remove_known(mut self, path: &Path, records: &mut Vec<Record>) {
        let mut names = Names::new(path);
        records.retain(|record| {
            let known = self.files.get_mut(names.of(&record.file));
            !known.is_some_and(|known| take(known, &record.finding, &record.text))
        });
    }

    /// What it has of a file. `path` is that of the baseline.
    pub(crate) fn of_file(&self, file: &str, path: &Path) -> Known {
        Known(self.files.get(Names::new(path).of(file)).cloned().unwrap_or_default())
    }
}

/// What is known of a file.
#[derive(Debug)]
pub(crate) struct Known(Texts);

impl Known {
    /// Removes known findings, each as often as it is known. They are in the order of the source.
    pub(crate) fn leave_out(&self, source: &str, findings: &mut Vec<Finding>) {
        let mut known = self.0.clone();
        findings.retain(|finding| !take(&mut known, finding, &text_of(finding, source)));
    }
}

/// Whether a finding is known. If so, it counts as known once less from now on.
fn take(known: &mut Texts, finding: &Finding, text: &str) -> bool {
    let texts = known.get_mut(finding.rule.code());
    match texts.and_then(|texts| texts.get_mut(text)) {
        Some(n) if *n > 0 => {
            *n -= 1;
            true
        }
        _ => false,
    }
}

/// The names of files in a baseline.
struct Names {
    /// The folder of the baseline.
    folder: PathBuf,
    /// The last file and its name, cached since most files have several findings.
    last: (String, String),
}

impl Names {
    fn new(baseline: &Path) -> Self {
        let path = absolute(baseline);
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        Self { folder, last: (String::new(), String::new()) }
    }

    /// The path of a record's file relative to the folder of the baseline, with `/` as separator.
    fn of(&mut self, file: &str) -> &str {
        if self.last.0 != *file {
            let path = relative(&self.folder, &absolute(Path::new(file)));
            let names = path.components().map(|it| it.as_os_str().to_string_lossy().into_owned());
            let name: Vec<String> = names.collect();
            self.last = (file.to_owned(), name.join("/"));
        }
        &self.last.1
    }
}

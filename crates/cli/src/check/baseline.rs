//! The known findings of a project, so that only new ones are reported.
//!
//! A finding is identified by its file, its rule and its text, whatever its line. Paths of files
//! are relative to the folder of the baseline, wherever the command runs.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::check::files::absolute;
use crate::check::record::Record;
use crate::output::{Links, write_file};

/// The only version of the format.
const VERSION: u32 = 1;

/// The number of known findings for each text, by file and rule.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    version: u32,
    files: BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>,
}

impl Baseline {
    /// A baseline of all these findings, for a file at this path.
    pub(crate) fn of(records: &[Record], path: &Path) -> Self {
        let mut baseline = Self { version: VERSION, files: BTreeMap::new() };
        let mut names = Names::new(path);
        for record in records {
            let rules = baseline.files.entry(names.of(record).to_owned()).or_default();
            let texts = rules.entry(record.rule().code().to_owned()).or_default();
            *texts.entry(record.text.clone()).or_default() += 1;
        }
        baseline
    }

    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| crate::report::reason(&error))?;
        let baseline: Self = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        if baseline.version != VERSION {
            return Err(format!("version {} is not known", baseline.version));
        }
        Ok(baseline)
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
            let rules = self.files.get_mut(names.of(record));
            let texts = rules.and_then(|rules| rules.get_mut(record.rule().code()));
            match texts.and_then(|texts| texts.get_mut(&record.text)) {
                Some(n) if *n > 0 => {
                    *n -= 1;
                    false
                }
                _ => true,
            }
        });
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
        let path = without_dots(&absolute(baseline));
        let folder = path.parent().map_or_else(PathBuf::new, Path::to_owned);
        Self { folder, last: (String::new(), String::new()) }
    }

    /// The path of a record's file relative to the folder of the baseline, with `/` as separator.
    fn of(&mut self, record: &Record) -> &str {
        if self.last.0 != *record.file {
            let path = without_dots(&absolute(Path::new(&*record.file)));
            let n_same = self.folder.components().zip(path.components());
            let n_same = n_same.take_while(|(one, two)| one == two).count();
            let up = self.folder.components().skip(n_same).map(|_| "..".into());
            let down = path.components().skip(n_same);
            let down = down.map(|it| it.as_os_str().to_string_lossy().into_owned());
            let name: Vec<String> = up.chain(down).collect();
            self.last = (record.file.to_string(), name.join("/"));
        }
        &self.last.1
    }
}

/// Removes `.` and `..` from a path, without access to the file system.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            _ => plain.push(component),
        }
    }
    plain
}

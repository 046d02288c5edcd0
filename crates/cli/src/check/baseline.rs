//! The findings that a project knows of, so that only new ones are told.
//!
//! A finding is known again by its file, its rule and its text, wherever the line has moved.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::check::record::Record;
use crate::output::{Links, write_file};

/// The only form there is.
const VERSION: u32 = 1;

/// How often each text is known, by file and rule.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    version: u32,
    files: BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>,
}

impl Baseline {
    /// All of these.
    pub(crate) fn of(records: &[Record]) -> Self {
        let mut baseline = Self { version: VERSION, files: BTreeMap::new() };
        for record in records {
            let rules = baseline.files.entry(record.path()).or_default();
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

    /// Takes the findings out that it has, each as often as it has it.
    pub(crate) fn remove_known(mut self, records: &mut Vec<Record>) {
        records.retain(|record| {
            let rules = self.files.get_mut(&record.path());
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

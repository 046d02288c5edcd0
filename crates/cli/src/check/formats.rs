//! Findings for programs: JSON, GitHub's workflow commands, GitLab's code quality.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::check::record::Record;
use crate::visible::{visible, write_json, write_pretty_json};

/// Writes a JSON array.
pub(crate) fn json(all: &[impl Serialize], out: &mut impl Write) -> io::Result<()> {
    write_pretty_json(&all, out)?;
    out.write_all(b"\n")
}

/// Writes a JSON object per line.
pub(crate) fn jsonl(all: &[impl Serialize], out: &mut impl Write) -> io::Result<()> {
    for it in all {
        write_json(it, out)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Writes commands of a GitHub workflow.
pub(crate) fn github(records: &[Record], out: &mut impl Write) -> io::Result<()> {
    for record in records {
        let title = format!("{} {}", record.rule(), record.rule().name());
        writeln!(
            out,
            "::warning file={},line={},endLine={},col={},endColumn={},title={}::{}",
            property(&record.path()),
            record.start.line,
            record.end.line,
            record.start.column,
            record.end.column,
            property(&title),
            data(&record.finding.message),
        )?;
    }
    Ok(())
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    visible(&text).into_owned()
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// Writes GitLab's code quality report.
pub(crate) fn gitlab(records: &[Record], out: &mut impl Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct Issue {
        description: String,
        check_name: &'static str,
        fingerprint: String,
        severity: &'static str,
        location: Location,
    }
    #[derive(Serialize)]
    struct Location {
        path: String,
        lines: Lines,
    }
    #[derive(Serialize)]
    struct Lines {
        begin: u32,
        end: u32,
    }
    let fingerprints = fingerprints(records);
    let issues: Vec<Issue> = records
        .iter()
        .zip(fingerprints)
        .map(|(record, fingerprint)| Issue {
            description: format!("{}: {}", record.rule(), record.finding.message),
            check_name: record.rule().name(),
            fingerprint,
            severity: "minor",
            location: Location {
                path: record.path(),
                lines: Lines { begin: record.start.line, end: record.end.line },
            },
        })
        .collect();
    write_pretty_json(&issues, out)?;
    out.write_all(b"\n")
}

/// Fingerprints of findings, which do not depend on lines: hashes of file, rule, text, and the
/// index among findings with the same three.
pub(crate) fn fingerprints(records: &[Record]) -> Vec<String> {
    let mut seen: HashMap<(&str, &str, &str), u32> = HashMap::new();
    let mut all = Vec::with_capacity(records.len());
    for record in records {
        let key = (&*record.file, record.rule().code(), record.text.as_str());
        let n_before = seen.entry(key).or_default();
        let (path, nth) = (record.path(), n_before.to_string());
        all.push(hash(&[&path, key.1, key.2, &nth]));
        *n_before += 1;
    }
    all
}

/// Two FNV-1a hashes, which are the same in every version. A collision only hides a finding.
fn hash(parts: &[&str]) -> String {
    let fnv = |basis: u64| {
        let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xFF]));
        bytes.fold(basis, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
    };
    format!("{:016x}{:016x}", fnv(0xCBF2_9CE4_8422_2325), fnv(0x6C62_272E_07BB_0142))
}

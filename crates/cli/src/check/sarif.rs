//! Findings as SARIF 2.1.0, which code scanning reads.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use barelink_check::{Fix, Rule, Safety};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::check::Findings;
use crate::check::formats::fingerprints;
use crate::check::record::Record;
use crate::visible::write_pretty_json;

/// A log with one run. Results are converted as they are written: as values, all of them take some
/// thousand bytes each.
#[derive(Serialize)]
struct Log<'f> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'f>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'f> {
    tool: Value,
    invocations: [Value; 1],
    column_kind: &'static str,
    results: Results<'f>,
}

struct Results<'f>(&'f [Record]);

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().zip(fingerprints(self.0)).map(result))
    }
}

/// Writes a log with one run.
pub(crate) fn write(found: &Findings<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut invocation = json!({ "executionSuccessful": found.failures.is_empty() });
    if !found.failures.is_empty() {
        let failures: Vec<Value> = found.failures.iter().map(failure).collect();
        invocation["toolExecutionNotifications"] = failures.into();
    }
    let driver = json!({
        "name": "barelink",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": Rule::ALL.iter().map(|rule| about(*rule)).collect::<Vec<_>>(),
    });
    let run = Run {
        tool: json!({ "driver": driver }),
        invocations: [invocation],
        column_kind: "unicodeCodePoints",
        results: Results(&found.records),
    };
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [run],
    };
    write_pretty_json(&log, out)?;
    out.write_all(b"\n")
}

/// What could not be read.
fn failure((file, what): &(&str, &str)) -> Value {
    let location = json!({ "uri": uri(&file.replace('\\', "/")) });
    json!({
        "level": "error",
        "message": { "text": what },
        "locations": [{ "physicalLocation": { "artifactLocation": location } }],
    })
}

fn about(rule: Rule) -> Value {
    let about = rule.about();
    json!({
        "id": about.code,
        "name": about.name,
        "shortDescription": { "text": about.summary },
        "fullDescription": { "text": about.why, "markdown": about.why },
        "defaultConfiguration": { "enabled": about.on, "level": "warning" },
    })
}

fn result((record, fingerprint): (&Record, String)) -> Value {
    let location = json!({ "uri": uri(&record.path()) });
    let mut message = record.finding.message.clone().into_owned();
    for note in &record.finding.notes {
        message.push('\n');
        message.push_str(note);
    }
    let mut result = json!({
        "ruleId": record.rule().code(),
        "ruleIndex": record.rule() as usize,
        "level": "warning",
        "message": { "text": message },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": location,
                "region": {
                    "startLine": record.start.line,
                    "startColumn": record.start.column,
                    "endLine": record.end.line,
                    "endColumn": record.end.column,
                    "snippet": { "text": record.text },
                }
            }
        }],
        "partialFingerprints": { "barelink/v1": fingerprint },
    });
    if let Some(fix) = record.finding.fix.as_deref() {
        let replacements: Vec<Value> = fix
            .edits
            .iter()
            .map(|edit| {
                json!({
                    "deletedRegion": {
                        "byteOffset": edit.span.start,
                        "byteLength": edit.span.len(),
                    },
                    "insertedContent": { "text": edit.text },
                })
            })
            .collect();
        result["fixes"] = json!([{
            "description": { "text": description(fix) },
            "artifactChanges": [{ "artifactLocation": location, "replacements": replacements }],
            "properties": { "safety": fix.safety.name() },
        }]);
    }
    result
}

/// What a fix does, and a warning if that is more than to write the same in another way.
fn description(fix: &Fix) -> Cow<'static, str> {
    match fix.safety {
        Safety::Safe => fix.title.into(),
        Safety::Unsafe => format!("{} (changes the page)", fix.title).into(),
    }
}

/// Converts a path to a relative URI.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

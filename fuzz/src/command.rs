//! The command as a process: a file of any name with any bytes in it, and what is written for
//! programs about it.
//!
//! The first byte of an input chooses what is written, the second says how many of those behind
//! it are the file's name.

use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use barelink::Options;
use barelink_spectest::workspace_root;
use serde_json::Value;

/// Names the command where it is not that of `target`.
const COMMAND_VARIABLE: &str = "BARELINK_COMMAND";

/// What is asked for, and what comes.
const ASKED: [(&[&str], Form); 8] = [
    (&["links", "--json", "--preset", "natural"], Form::Lines),
    (&["links", "--json", "--plain-text", "--dialect", "natural", "--domains"], Form::Lines),
    (&["explain", "--json", "--preset", "github"], Form::Lines),
    (&["check", "--isolated", "--select", "ALL", "--format", "json"], Form::Value),
    (&["check", "--isolated", "--select", "ALL", "--format", "jsonl"], Form::Lines),
    (&["check", "--isolated", "--select", "ALL", "--format", "sarif"], Form::Value),
    (&["check", "--isolated", "--select", "ALL", "--format", "gitlab"], Form::Value),
    (&["html", "--jsonl", "--preset", "github"], Form::Answer),
];

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// One JSON value.
    Value,
    /// One in each line.
    Lines,
    /// For each line of the input, a JSON string, one with its HTML.
    Answer,
}

/// What is written for programs is JSON, about this file and no other place.
pub fn check_command(input: &[u8]) {
    let &[choice, n_name, ref rest @ ..] = input else { return };
    let (name, content) = rest.split_at(rest.len().min(usize::from(n_name % 32)));
    let name: Vec<u8> = name.iter().copied().filter(|byte| !b"/\0".contains(byte)).collect();
    let name = [b"n", &*name, b".md"].concat();
    let (arguments, form) = ASKED[usize::from(choice) % ASKED.len()];
    let source = String::from_utf8_lossy(content);
    let folder = folder();
    let path = folder.join(OsString::from_vec(name.clone()));
    let line = serde_json::to_string(&*source).expect("a string is JSON");
    let bytes = if form == Form::Answer { line.as_bytes() } else { content };
    // A name that the system refuses is no finding.
    if fs::File::create(&path).and_then(|mut file| file.write_all(bytes)).is_err() {
        return;
    }
    let output = Command::new(command())
        .args(arguments)
        .arg("--")
        .arg(path.file_name().expect("it has a name"))
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .expect("the command runs");
    fs::remove_file(&path).expect("the file is there");
    let complaint = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code();
    // It is refused, whatever follows these bytes.
    if form != Form::Answer
        && [b"\xFF\xFE", b"\xFE\xFF"].iter().any(|mark| bytes.starts_with(*mark))
    {
        return assert!(complaint.contains("UTF-16"), "{code:?} for {source:?}: {complaint}");
    }
    // A check that finds something says so.
    assert!(matches!(code, Some(0 | 1)), "{code:?} for {source:?} in {name:?}: {complaint}");
    let out = String::from_utf8(output.stdout).expect("what is written is UTF-8");
    let name = String::from_utf8_lossy(&name);
    match form {
        Form::Value => check_value(&parsed(&out), &name, content),
        Form::Lines => out.lines().for_each(|line| check_value(&parsed(line), &name, content)),
        Form::Answer => {
            let html = barelink::to_html(&source, &Options::github()).expect("short");
            assert_eq!(parsed(&out), Value::from(html), "{source:?}");
        }
    }
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// Files and spans are those of the input, wherever they stand.
fn check_value(value: &Value, name: &str, content: &[u8]) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| check_value(item, name, content)),
        Value::Object(fields) => {
            if let Some(file) = fields.get("file").and_then(Value::as_str) {
                assert_eq!(file, name);
            }
            if let (Some(start), Some(end)) =
                (offset(fields.get("start")), offset(fields.get("end")))
            {
                let source = content.escape_ascii();
                assert!(content.get(start..end).is_some(), "{start}..{end} of {source}");
            }
            fields.values().for_each(|field| check_value(field, name, content));
        }
        _ => {}
    }
}

fn offset(value: Option<&Value>) -> Option<usize> {
    value?.as_u64().map(|number| number as usize)
}

/// A folder of this process.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("barelink-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is room for files");
    folder
}

fn command() -> &'static PathBuf {
    static COMMAND: OnceLock<PathBuf> = OnceLock::new();
    COMMAND.get_or_init(|| {
        let built = ["release", "debug"].map(|it| workspace_root().join("target").join(it));
        let built = built.map(|folder| folder.join("barelink")).into_iter();
        let found = built
            .filter(|path| path.is_file())
            .max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok());
        std::env::var_os(COMMAND_VARIABLE)
            .map(PathBuf::from)
            .or(found)
            .expect("cargo build --package barelink-cli comes first")
    })
}

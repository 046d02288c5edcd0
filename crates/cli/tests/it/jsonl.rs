//! `--jsonl`: a JSON string in each line, answered line by line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::support::Scratch;

/// Longer than any answer takes, shorter than anyone waits.
const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn each_line_is_answered_in_order() {
    let scratch = Scratch::new();
    let answers = scratch
        .run_with_stdin(&["--jsonl"], "\"# \\u00e9\\n\\ntext\"\n  \"\"\r\n\"*a*\\t\\\"\\\\\"")
        .ok();
    assert_eq!(
        answers,
        "\"<h1>é</h1>\\n<p>text</p>\\n\"\n\"\"\n\"<p><em>a</em>\\t&quot;\\\\</p>\\n\"\n"
    );
}

#[test]
fn no_lines_have_no_answers() {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["--jsonl"]).ok(), "");
}

#[test]
fn bad_lines_are_reported_and_keep_their_place() {
    let scratch = Scratch::new();
    let lines = "\"a\"\nnot json\n\n{\"a\": 1}\n\"a\" \"b\"\n\"\\ud800\"\n\"z\"\n";
    scratch.write("in.jsonl", lines);
    let ran = scratch.run(&["--jsonl", "in.jsonl"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout, "\"<p>a</p>\\n\"\nnull\nnull\nnull\nnull\nnull\n\"<p>z</p>\\n\"\n");
    let places: Vec<&str> =
        ran.stderr.lines().filter_map(|line| line.strip_prefix("barelink: in.jsonl:")).collect();
    assert_eq!(places.len(), 5, "{}", ran.stderr);
    for (place, start) in places.iter().zip(["2:2: ", "3:1: ", "4:1: ", "5:5: ", "6:"]) {
        assert!(place.starts_with(start), "{place}");
    }
}

#[test]
fn files_are_answered_one_after_the_other() {
    let scratch = Scratch::new();
    scratch.write("a.jsonl", "\"a\"");
    scratch.write("b.jsonl", "3\n\"b\"\n");
    let ran = scratch.run(&["--jsonl", "a.jsonl", "gone.jsonl", "b.jsonl", "-o", "out.jsonl"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(scratch.read("out.jsonl"), "\"<p>a</p>\\n\"\nnull\n\"<p>b</p>\\n\"\n");
    assert_eq!(
        ran.stderr,
        "barelink: gone.jsonl: No such file or directory\n\
         barelink: b.jsonl:1:1: invalid type: integer `3`, expected a string\n"
    );
}

#[test]
fn a_peer_that_waits_gets_its_answer() {
    let scratch = Scratch::new();
    let mut child = scratch.command(&["--jsonl"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let (sender, answers) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in stdout.lines() {
            sender.send(line.unwrap()).unwrap();
        }
    });

    // One line; then a line with the start of the next one, and its end; then two at once.
    for (sent, expected) in [
        ("\"a\"\n", &["\"<p>a</p>\\n\""][..]),
        ("\"b\"\n\"c", &["\"<p>b</p>\\n\""]),
        ("c\"\n", &["\"<p>cc</p>\\n\""]),
        ("oops\n\"d\"\n", &["null", "\"<p>d</p>\\n\""]),
    ] {
        stdin.write_all(sent.as_bytes()).unwrap();
        for answer in expected {
            assert_eq!(answers.recv_timeout(PATIENCE).expect("an answer in time"), *answer);
        }
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(2));
    reader.join().unwrap();
}

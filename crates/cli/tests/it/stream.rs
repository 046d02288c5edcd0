//! `barelink stream`: pieces in, changes of the page out.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Scratch, finish};

/// What a client keeps.
#[derive(Default)]
struct Page(BTreeMap<u64, String>);

impl Page {
    fn apply(&mut self, line: &str) {
        let answer: Value = serde_json::from_str(line).unwrap();
        for block in answer["revised"].as_array().unwrap() {
            let html = block["html"].as_str().unwrap().to_owned();
            self.0.insert(block["id"].as_u64().unwrap(), html).expect("it was there");
        }
        for block in answer["blocks"].as_array().unwrap() {
            let html = self.0.entry(block["id"].as_u64().unwrap()).or_default();
            html.truncate(block["keep"].as_u64().unwrap() as usize);
            html.push_str(block["html"].as_str().unwrap());
            assert!(["open", "closed", "settled"].contains(&block["state"].as_str().unwrap()));
        }
    }

    fn html(&self) -> String {
        self.0.values().cloned().collect()
    }
}

const SOURCE: &str = "# Tïtle\n\nSee [a], [^1] and www.example.org.\n\n- one\n- two\n\n  three\n\n\
                      [a]: /u\n[^1]: A *note*\n\n```rs\nlet a = 1;\n";

#[test]
fn every_line_is_a_piece_and_gets_an_answer() {
    let scratch = Scratch::new();
    let chars: Vec<char> = SOURCE.chars().collect();
    let pieces: Vec<String> = chars.chunks(7).map(|piece| piece.iter().collect()).collect();
    let lines: Vec<String> =
        pieces.iter().map(|piece| serde_json::to_string(piece).unwrap()).collect();
    let lines = lines.join("\n");
    let answers = scratch.run_with_stdin(&["stream", "--jsonl", "--preset", "github"], lines).ok();
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), pieces.len() + 1);
    let mut page = Page::default();
    let mut text = String::new();
    for (answer, piece) in answers.iter().zip(&pieces) {
        text.push_str(piece);
        page.apply(answer);
        assert!(!answer.contains("\"end\""));
        if !text.contains("]:") {
            let html = scratch.run_with_stdin(&["html", "--preset", "github"], &text).ok();
            assert_eq!(page.html(), html);
        }
    }
    let last = answers.last().unwrap();
    page.apply(last);
    assert!(last.ends_with(",\"end\":true}"), "{last}");
    let html = scratch.run_with_stdin(&["html", "--preset", "github"], SOURCE).ok();
    assert_eq!(page.html(), html);
}

#[test]
fn a_piece_is_answered_before_the_next_one_comes() {
    let scratch = Scratch::new();
    let mut child = scratch.command(&["stream"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut answers = Vec::new();
    // The second character is cut in two.
    for piece in [&b"some *te"[..], b"xt* \xC3", b"\xA9\n"] {
        input.write_all(piece).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        answers.push(line);
    }
    assert_eq!(
        answers[..2],
        [
            "{\"blocks\":[{\"id\":0,\"keep\":0,\"html\":\"<p>some *te</p>\\n\",\"state\":\"open\"}],\
             \"revised\":[]}\n",
            "{\"blocks\":[{\"id\":0,\"keep\":8,\"html\":\"<em>text</em></p>\\n\",\
             \"state\":\"open\"}],\"revised\":[]}\n",
        ]
    );
    drop(input);
    let mut last = String::new();
    output.read_line(&mut last).unwrap();
    answers.push(last);
    let mut page = Page::default();
    for answer in &answers {
        page.apply(answer);
    }
    assert_eq!(page.html(), "<p>some <em>text</em> é</p>\n");
    assert_eq!(finish(child).code, Some(0));
}

#[test]
fn a_bad_line_is_reported_and_answered() {
    let scratch = Scratch::new();
    let ran = scratch.run_with_stdin(&["stream", "--jsonl"], "\"a\"\n{}\n\"b\"\n");
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "barelink: <stdin>:2:1: invalid type: map, expected a string\n");
    let answers: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[1], "null");
    assert!(answers[2].contains("\"html\":\"b</p>\\n\""), "{}", answers[2]);
}

#[test]
fn the_end_is_guessed_on_request() {
    let scratch = Scratch::new();
    let args = ["stream", "--jsonl", "--optimistic", "--preset", "github"];
    let answers = scratch.run_with_stdin(&args, "\"a **b [c](d\"\n\")**\"\n").ok();
    let mut page = Page::default();
    let mut lines = answers.lines();
    page.apply(lines.next().unwrap());
    assert_eq!(page.html(), "<p>a <strong>b <a data-pending=\"link\">c</a></strong></p>\n");
    lines.for_each(|line| page.apply(line));
    assert_eq!(page.html(), "<p>a <strong>b <a href=\"d\">c</a></strong></p>\n");
}

#[test]
fn a_document_is_shown_as_text() {
    let scratch = Scratch::new();
    let args = ["stream", "--terminal", "--preset", "github"];
    let shown = scratch.run_with_stdin(&args, "# *A*\x1B[2J\n\n- b\n- [c](https://d.ef)\n").ok();
    assert_eq!(shown, "# A\u{241B}[2J\n\n\u{2022} b\n\u{2022} c (https://d.ef)\n");
    let args = ["stream", "--terminal", "--jsonl", "--color", "always"];
    let shown = scratch.run_with_stdin(&args, "\"*a\"\n\"*\"\n").ok();
    assert_eq!(shown, "\x1B[3ma\x1B[0m\n");
}

#[test]
fn json_has_no_orders_to_a_terminal() {
    let scratch = Scratch::new();
    let line = "\"\\u009b31m\\u202e \\u007f é\\udb40\\udc41\"\n";
    let text = "\u{9B}31m\u{202E} \u{7F} é\u{E0041}";
    for args in [&["stream", "--jsonl"][..], &["html", "--jsonl"]] {
        let answers = scratch.run_with_stdin(args, line).ok();
        assert!(answers.contains("\\u009b31m\\u202e \\u007f é\\udb40\\udc41"), "{answers}");
        let first: Value = serde_json::from_str(answers.lines().next().unwrap()).unwrap();
        let html = first["blocks"][0]["html"].as_str().or(first.as_str()).unwrap();
        assert_eq!(html, format!("<p>{text}</p>\n"));
    }
}

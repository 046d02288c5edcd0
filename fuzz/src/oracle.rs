//! cmark-gfm beside us: one process for all inputs, asked over pipes.
//!
//! cmark-gfm follows CommonMark 0.29 and we 0.31.2, so documents are compared
//! only where that is the same to both: without bare links, both must write the
//! same HTML, byte for byte. What is left to differ are then the bare links.
//!
//! A link can still take a delimiter away and so bring out a difference in how
//! others are paired, which is not looked for here. See [`without_news`].

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use barelink::{Autolinks, Dialect, Options, Policy};
use barelink_spectest::workspace_root;
use barelink_text::chars;

/// Names the Python to run where it is not that of `target/venv`.
const PYTHON_VARIABLE: &str = "BARELINK_CMARKGFM_PYTHON";

/// Reads a JSON string in each line, answers with a JSON list: the HTML without
/// bare links, and with them.
const PROGRAM: &str = r#"
import json, sys
import cmarkgfm
from cmarkgfm.cmark import Options
render = lambda text, extensions: cmarkgfm.markdown_to_html_with_extensions(
    text, Options.CMARK_OPT_UNSAFE, extensions)
for line in sys.stdin.buffer:
    text = json.loads(line)
    answer = [render(text, []), render(text, ["autolink"])]
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
"#;

struct Oracle {
    /// Ends with us: its standard input is then closed.
    _process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

thread_local! {
    static ORACLE: RefCell<Oracle> = RefCell::new(Oracle::start());
}

impl Oracle {
    fn start() -> Self {
        let python = std::env::var_os(PYTHON_VARIABLE)
            .map_or_else(|| workspace_root().join("target/venv/bin/python"), PathBuf::from);
        let mut process = Command::new(&python)
            .args(["-c", PROGRAM])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", python.display()));
        let questions = process.stdin.take().expect("it is piped");
        let answers = BufReader::new(process.stdout.take().expect("it is piped"));
        Self { _process: process, questions, answers }
    }

    /// The HTML without bare links, and with them.
    fn ask(&mut self, source: &str) -> [String; 2] {
        let question = serde_json::to_string(source).expect("a string is JSON");
        writeln!(self.questions, "{question}").expect("cmark-gfm listens");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("cmark-gfm answers");
        serde_json::from_str(&answer).expect("cmark-gfm answers with two strings")
    }
}

/// Fails if `github` and cmark-gfm disagree about the bare links of a document
/// that is the same to both otherwise.
pub fn check_github(source: &str) {
    let source = &without_news(source);
    if has_long_number(source) {
        return;
    }
    let mut options = Options::commonmark();
    options.policy = Policy::TRUSTED;
    let plain = barelink::to_html(source, &options).expect("the source is short");
    let [their_plain, their_linked] = ORACLE.with_borrow_mut(|oracle| oracle.ask(source));
    if plain != their_plain {
        return;
    }
    options.autolinks = Autolinks::new(Dialect::Github);
    let linked = barelink::to_html(source, &options).expect("the source is short");
    assert_eq!(linked, their_linked, "we, and cmark-gfm, on {source:?}");
}

/// The source without what CommonMark changed after 0.29: runs of `*` and `_` are
/// shortened to one, and beside those no other character than ASCII's is
/// punctuation, since symbols are now and were not; and there are no control
/// characters, which destinations could hold.
fn without_news(source: &str) -> String {
    let has_delimiters = source.contains(['*', '_']);
    let mut last = ' ';
    let mut out = String::with_capacity(source.len());
    for c in source.chars() {
        let is_control = c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r');
        if is_control || c == last && matches!(c, '*' | '_') {
            continue;
        }
        last = c;
        let is_news = has_delimiters && !c.is_ascii() && chars::is_punctuation(c);
        out.push(if is_news { 'é' } else { c });
    }
    out
}

/// Whether a numeric entity has more digits than it may have now.
fn has_long_number(source: &str) -> bool {
    const MIN_DIGITS: usize = 7;
    let mut numbers = source.split("&#").skip(1);
    numbers.any(|rest| rest.bytes().take_while(u8::is_ascii_alphanumeric).count() >= MIN_DIGITS)
}

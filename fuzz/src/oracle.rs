//! cmark-gfm beside us: one process for all inputs, asked over pipes.
//!
//! cmark-gfm follows CommonMark 0.29 and we 0.31.2, so documents are compared
//! only where that is the same to both: without bare links, both must write the
//! same HTML, byte for byte. A link can still take a delimiter or a backtick away
//! and so bring out a difference that has nothing to do with links; so where the
//! outputs differ, what could be markup in our links is taken out, once all of it and
//! once delimiters alone, and both must agree about what is left for the difference to
//! count.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use barelink::{Autolinks, Dialect, Options, Parser, Policy};
use barelink_spectest::workspace_root;

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

/// Documents after which the process is started anew: the binding leaks memory.
const MAX_ASKED: usize = 20_000;

struct Oracle {
    /// Ends with us: its standard input is then closed.
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    n_asked: usize,
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
        Self { process, questions, answers, n_asked: 0 }
    }

    /// The HTML without bare links, and with them.
    fn ask(&mut self, source: &str) -> [String; 2] {
        if self.n_asked == MAX_ASKED {
            let mut old = std::mem::replace(self, Self::start());
            drop(old.questions);
            old.process.wait().expect("it ends with its input");
        }
        self.n_asked += 1;
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
    // cmark-gfm's binding stops at the first NUL; and where a comment ends has changed,
    // which no output shows.
    if source.contains('\0') || source.contains("<!") {
        return;
    }
    let mut options = Options::commonmark();
    options.policy = Policy::TRUSTED;
    let plain = barelink::to_html(source, &options).expect("the source is short");
    let ask = |source: &str| ORACLE.with_borrow_mut(|oracle| oracle.ask(source));
    let [their_plain, their_linked] = ask(source);
    if plain != their_plain {
        return;
    }
    options.autolinks = Autolinks::new(Dialect::Github);
    let linked = barelink::to_html(source, &options).expect("the source is short");
    if linked == their_linked {
        return;
    }
    let masks: [fn(u8) -> bool; 2] =
        [|byte| byte.is_ascii_punctuation(), |byte| matches!(byte, b'*' | b'_' | b'`')];
    let masked = masks.map(|is_markup| without_markup_in_links(source, options.clone(), is_markup));
    options.autolinks = Autolinks::NONE;
    let is_about_links = masked.iter().all(|masked| {
        let plain = barelink::to_html(masked, &options).expect("the source is short");
        plain == ask(masked)[0]
    });
    if is_about_links {
        assert_eq!(linked, their_linked, "we, and cmark-gfm, on {source:?}");
    }
}

/// The source with periods for some of the ASCII in bare links.
fn without_markup_in_links(source: &str, options: Options, is_markup: fn(u8) -> bool) -> String {
    let mut bytes = source.as_bytes().to_vec();
    let mut parser = Parser::new(options);
    let document = parser.parse(source).expect("the source is short");
    for link in document.links().filter(|link| link.form.is_bare()) {
        for byte in &mut bytes[link.span.range()] {
            if is_markup(*byte) {
                *byte = b'.';
            }
        }
    }
    String::from_utf8(bytes).expect("ASCII was replaced by ASCII")
}

//! Other engines as oracles: cmark-gfm behind PyPI's `cmarkgfm`, and npm's
//! `commonmark`.
//!
//! `./test` installs the first into `target/venv`, the second into `target/node`.
//! Each runs as one process that is asked over pipes, a JSON string a line, so that a
//! failure can be made shorter by asking some hundred times more.

use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::{Unavailable, workspace_root};

/// Extensions are arguments. `footnotes` is an option of cmark-gfm and no extension, so it
/// is sorted out here. Raw HTML is let through.
const CMARK_GFM: &str = r#"
import json, sys
try:
    import cmarkgfm
    from cmarkgfm.cmark import Options
except ImportError:
    sys.exit()
options = Options.CMARK_OPT_UNSAFE
extensions = [name for name in sys.argv[1:] if name != "footnotes"]
if len(extensions) < len(sys.argv) - 1: options |= Options.CMARK_OPT_FOOTNOTES
for line in sys.stdin.buffer:
    try:
        html = cmarkgfm.markdown_to_html_with_extensions(json.loads(line), options, extensions)
    except UnicodeDecodeError:
        html = "not UTF-8"
    sys.stdout.write(json.dumps(html) + "\n")
    sys.stdout.flush()
"#;

const COMMONMARK_JS: &str = r#"
let commonmark;
try { commonmark = require(process.argv[1] + "/node_modules/commonmark"); } catch { process.exit(); }
const reader = new commonmark.Parser(), writer = new commonmark.HtmlRenderer();
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", line => {
    const html = writer.render(reader.parse(JSON.parse(line)));
    process.stdout.write(JSON.stringify(html) + "\n");
});
"#;

/// Names the Python to run where it is not that of `target/venv`.
const PYTHON_VARIABLE: &str = "BARELINK_CMARKGFM_PYTHON";

/// Documents after which a process is started anew: cmark-gfm's binding leaks memory.
const MAX_ASKED: usize = 20_000;

/// An engine that can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// cmark-gfm with these extensions, by its own names, and `footnotes`.
    CmarkGfm(&'static [&'static str]),
    /// commonmark.js, the reference implementation of CommonMark.
    CommonmarkJs,
}

impl Engine {
    /// cmark-gfm with all that GitHub switches on.
    pub const CMARK_GFM: Self = Self::CmarkGfm(&[
        "table",
        "strikethrough",
        "autolink",
        "tagfilter",
        "tasklist",
        "footnotes",
    ]);

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CmarkGfm(_) => "cmark-gfm",
            Self::CommonmarkJs => "commonmark.js",
        }
    }

    fn command(self) -> Command {
        let target = workspace_root().join("target");
        match self {
            Self::CmarkGfm(extensions) => {
                let python = std::env::var_os(PYTHON_VARIABLE)
                    .map_or_else(|| target.join("venv/bin/python"), Into::into);
                let mut command = Command::new(python);
                command.args(["-c", CMARK_GFM]).args(extensions);
                command
            }
            Self::CommonmarkJs => {
                let mut command = Command::new("node");
                command.args(["-e", COMMONMARK_JS]).arg(target.join("node"));
                command
            }
        }
    }
}

/// A running engine.
#[derive(Debug)]
pub struct Oracle {
    engine: Engine,
    /// Ends with us: its standard input is then closed.
    process: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    n_asked: usize,
}

impl Oracle {
    /// Starts an engine.
    ///
    /// # Errors
    /// [`Unavailable::Missing`] where it is not installed, [`Unavailable::Broken`] when it
    /// is and does not answer.
    pub fn start(engine: Engine) -> Result<Self, Unavailable> {
        let mut oracle = Self::spawn(engine)?;
        match oracle.exchange("") {
            Some(_) => Ok(oracle),
            None => Err(Unavailable::Missing(format!(
                "{} is not installed: ./test does it",
                engine.name()
            ))),
        }
    }

    fn spawn(engine: Engine) -> Result<Self, Unavailable> {
        let mut command = engine.command();
        let shown = command.get_program().to_string_lossy().into_owned();
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| {
                match error.kind() {
                    ErrorKind::NotFound => Unavailable::Missing(format!("there is no {shown}")),
                    _ => Unavailable::Broken(format!("{shown}: {error}")),
                }
            })?;
        let questions = process.stdin.take();
        let answers = process.stdout.take().map(BufReader::new);
        let Some(answers) = answers else {
            return Err(Unavailable::Broken(format!("{shown}: no standard output")));
        };
        Ok(Self { engine, process, questions, answers, n_asked: 0 })
    }

    /// The HTML that the engine gives for a document.
    ///
    /// # Errors
    /// [`Unavailable::Broken`] when it does not answer.
    pub fn render(&mut self, source: &str) -> Result<String, Unavailable> {
        if self.n_asked == MAX_ASKED {
            self.questions = None;
            // It ends with its input.
            let _ = self.process.wait();
            *self = Self::spawn(self.engine)?;
        }
        self.n_asked += 1;
        let name = self.engine.name();
        self.exchange(source)
            .ok_or_else(|| Unavailable::Broken(format!("{name} does not answer {source:?}")))
    }

    fn exchange(&mut self, source: &str) -> Option<String> {
        let question = serde_json::to_string(source).ok()?;
        writeln!(self.questions.as_mut()?, "{question}").ok()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).ok()?;
        serde_json::from_str(&answer).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{Engine, Oracle};

    fn render(engine: Engine, source: &str) -> Option<String> {
        match Oracle::start(engine) {
            Ok(mut oracle) => Some(oracle.render(source).expect("it answers")),
            Err(problem) => {
                assert!(problem.is_skip(), "{problem}");
                None
            }
        }
    }

    #[test]
    fn cmark_gfm_with_and_without_extensions() {
        let source = "~~a~~ http://a.bc <b>[^1]\n\n[^1]: y z";
        let Some(plain) = render(Engine::CmarkGfm(&[]), source) else { return };
        assert_eq!(plain, "<p>~~a~~ http://a.bc <b>[^1]</p>\n<p>[^1]: y z</p>\n");
        let extensions = &["autolink", "strikethrough", "footnotes"];
        let all = render(Engine::CmarkGfm(extensions), source).expect("it is there");
        let link = "<a href=\"http://a.bc\">http://a.bc</a>";
        assert!(all.starts_with(&format!("<p><del>a</del> {link} <b><sup")), "{all}");
        assert!(Oracle::start(Engine::CmarkGfm(&["no-such-extension"])).is_err());
    }

    #[test]
    fn commonmark_js() {
        let Some(html) = render(Engine::CommonmarkJs, "~~a~~\n\n*b* <c>") else { return };
        assert_eq!(html, "<p>~~a~~</p>\n<p><em>b</em> <c></p>\n");
    }
}

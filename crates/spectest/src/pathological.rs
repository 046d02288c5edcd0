//! Inputs that once made some engine slow: two files of the suites, and ours.
//!
//! A case is a Python expression that makes the input, and mostly a regular
//! expression, in Python's syntax too, that the output has to match. Both are
//! handed to `python3`, one short-lived process each: repetitions counted in
//! tens of thousands are more than finite-automaton engines take, and a second
//! reading of the syntax here would be a second thing to trust.

use serde::{Deserialize, Serialize};

use crate::python::Python;
use crate::{Unavailable, suite, workspace_root};

/// Ours, for bare links.
const OURS: &str = "testdata/pathological.json";

/// Evaluates an expression and writes the result as UTF-8. Standard input:
/// helper definitions, a NUL, the expression.
const MAKE_INPUT: &str = r#"
helpers, expression = sys.stdin.buffer.read().decode("utf-8").split("\0")
names = {}
exec(helpers, names)
sys.stdout.buffer.write(eval(expression, names).encode("utf-8"))
"#;

/// Turns cmark-gfm's `pathological_tests.py` into a file of this form. There,
/// `pathological` names for each case a pair of input and pattern, or a call that
/// makes one. Standard input: the name of the suite, a NUL, the program.
const CONVERT: &str = r#"
import ast, json, warnings
warnings.simplefilter("ignore")
suite, program = sys.stdin.buffer.read().decode("utf-8").split("\0")
parts = ast.parse(program).body
functions = [part for part in parts if isinstance(part, ast.FunctionDef)]
table = next(part.value for part in parts
             if isinstance(part, ast.Assign) and part.targets[0].id == "pathological")
calls = {value.func.id for value in table.values if isinstance(value, ast.Call)}
used = [ast.unparse(function) for function in functions if function.name in calls]
helpers = "\n".join(["import itertools, re", *used])
names = {}
exec(helpers, names)
cases = []
for name, value in zip(table.keys, table.values):
    if isinstance(value, ast.Call):
        expr = ast.unparse(value) + "[0]"
    else:
        expr = ast.unparse(value.elts[0])
    made, pattern = eval(compile(ast.Expression(value), "", "eval"), names)
    cases.append({"suite": suite, "name": name.value, "expr": expr, "regex": pattern.pattern,
                  "bytes": len(made.encode("utf-8"))})
sys.stdout.buffer.write(json.dumps({"helpers": helpers, "cases": cases}).encode("utf-8"))
"#;

/// Searches for a pattern and answers `yes` or `no`. Standard input: the
/// pattern's length in bytes, a line end, the pattern, the text.
const MATCH: &str = r#"
import re
length = int(sys.stdin.buffer.readline())
pattern = sys.stdin.buffer.read(length).decode("utf-8")
text = sys.stdin.buffer.read().decode("utf-8")
print("yes" if re.search(pattern, text) else "no")
"#;

/// The contents of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pathological {
    /// Python definitions that the expressions use.
    #[serde(default)]
    helpers: String,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}

/// One input and what is asked of its output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The project whose tests it comes from.
    pub suite: String,
    /// What it is about.
    pub name: String,
    /// The Python expression of the input.
    pub expr: String,
    /// What the output has to match somewhere; `None` when only time and size count.
    pub regex: Option<String>,
    /// Options of MD4C's command.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Extensions of cmark-gfm.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// The length of the input.
    pub bytes: usize,
}

impl Pathological {
    /// Reads a file of the suites.
    ///
    /// # Errors
    /// As [`suite::load`].
    pub fn load(file: &str) -> Result<Self, Unavailable> {
        Self::parse(&suite::read(file)?, file)
    }

    /// Reads our own.
    ///
    /// # Errors
    /// [`Unavailable::Broken`] when it cannot be read, or is not of this form.
    pub fn ours() -> Result<Self, Unavailable> {
        let text = std::fs::read_to_string(workspace_root().join(OURS));
        let text = text.map_err(|error| Unavailable::Broken(format!("{OURS}: {error}")))?;
        Self::parse(&text, OURS)
    }

    fn parse(text: &str, file: &str) -> Result<Self, Unavailable> {
        let parsed = serde_json::from_str(text);
        parsed.map_err(|error| Unavailable::Broken(format!("{file}: {error}")))
    }

    /// Reads the program that runs such tests for cmark-gfm, as those of the suite
    /// with this name.
    ///
    /// # Errors
    /// [`Unavailable::Missing`] without `python3`, [`Unavailable::Broken`] when it
    /// is another program.
    pub fn convert(program: &str, suite: &str) -> Result<Self, Unavailable> {
        let question = format!("{suite}\0{program}");
        Self::parse(&Python::system().run(CONVERT, &[question.as_bytes()])?, suite)
    }

    /// Makes the input of a case.
    ///
    /// # Errors
    /// [`Unavailable::Missing`] without `python3`, [`Unavailable::Broken`] when
    /// the expression fails or gives another number of bytes than the file says.
    pub fn make_input(&self, case: &Case) -> Result<String, Unavailable> {
        let question = format!("{}\0{}", self.helpers, case.expr);
        let input = Python::system().run(MAKE_INPUT, &[question.as_bytes()])?;
        if input.len() == case.bytes {
            return Ok(input);
        }
        let (name, expected) = (&case.name, case.bytes);
        let message = format!("{name}: {} bytes of input instead of {expected}", input.len());
        Err(Unavailable::Broken(message))
    }
}

/// Whether `pattern` matches somewhere in `text`, by Python's rules.
///
/// # Errors
/// [`Unavailable::Missing`] without `python3`, [`Unavailable::Broken`] when the
/// pattern is not one or the match takes too long.
pub fn is_match(pattern: &str, text: &str) -> Result<bool, Unavailable> {
    let length = format!("{}\n", pattern.len());
    let pieces = [length.as_bytes(), pattern.as_bytes(), text.as_bytes()];
    let answer = Python::system().run(MATCH, &pieces)?;
    match answer.trim_end() {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(Unavailable::Broken(format!("python3 answered {other:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Case, Pathological, is_match};
    use crate::Unavailable;

    fn case(expr: &str, bytes: usize) -> Case {
        Case {
            suite: "ours".into(),
            name: "a case".into(),
            expr: expr.into(),
            regex: None,
            flags: Vec::new(),
            extensions: Vec::new(),
            bytes,
        }
    }

    /// Unwraps, but for a machine without Python where that may be.
    fn present<T>(result: Result<T, Unavailable>) -> Option<T> {
        match result {
            Err(problem) if problem.is_skip() => None,
            result => Some(result.expect("python3 runs")),
        }
    }

    #[test]
    fn makes_inputs_with_helpers() {
        let file = Pathological { helpers: "def H(n):\n    return 'é' * n".into(), cases: vec![] };
        let Some(input) = present(file.make_input(&case("H(2) + '\\0\\r\\n'", 7))) else { return };
        assert_eq!(input, "éé\0\r\n");
        let wrong = file.make_input(&case("H(2)", 3));
        assert!(matches!(wrong, Err(Unavailable::Broken(_))), "{wrong:?}");
        let failed = file.make_input(&case("nonsense", 3));
        assert!(matches!(failed, Err(Unavailable::Broken(_))), "{failed:?}");
    }

    #[test]
    fn reads_programs_of_tests() {
        let program = r#"
import re
from elsewhere import nothing
def made():
    return "".join(itertools.repeat("é", 2)), re.compile("x{%d}" % 2)
def unused():
    nothing()
pathological = {
    "pairs": (("a" * 3) + "\u0000", re.compile("(\[a){3}")),
    # "left out": ("a", re.compile("a")),
    "calls": made(),
}
"#;
        let Some(file) = present(Pathological::convert(program, "s")) else { return };
        let shown = |case: &Case| (case.name.clone(), case.regex.clone().unwrap_or_default());
        let shown: Vec<_> = file.cases.iter().map(shown).collect();
        let expected = [("pairs", "(\\[a){3}"), ("calls", "x{2}")];
        assert_eq!(shown, expected.map(|(name, regex)| (name.to_owned(), regex.to_owned())));
        assert_eq!(file.make_input(&file.cases[0]).as_deref(), Ok("aaa\0"));
        assert_eq!(file.make_input(&file.cases[1]).as_deref(), Ok("éé"));
        assert!(file.cases.iter().all(|case| case.suite == "s" && case.extensions.is_empty()));
        let other = Pathological::convert("pathology = {}", "s");
        assert!(matches!(other, Err(Unavailable::Broken(_))), "{other:?}");
    }

    #[test]
    fn ours_are_there() {
        let n_cases = Pathological::ours().map(|file| file.cases.len());
        assert_eq!(n_cases, Ok(27));
    }

    #[test]
    fn matches_with_huge_counts() {
        let text = "<em>a ".repeat(32_500);
        let Some(is_found) = present(is_match("^(<em>a ){32500}$", &text)) else { return };
        assert!(is_found);
        assert_eq!(is_match("(<em>a ){32501}", &text), Ok(false));
        assert!(matches!(is_match("(", &text), Err(Unavailable::Broken(_))));
    }
}

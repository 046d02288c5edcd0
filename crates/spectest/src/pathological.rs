//! Inputs that once made some engine slow: `pathological.json` of the suites.
//!
//! A case is a Python expression that makes the input, and mostly a regular
//! expression, in Python's syntax too, that the output has to match. Both are
//! handed to `python3`, one short-lived process each: repetitions counted in
//! tens of thousands are more than finite-automaton engines take, and a second
//! reading of the syntax here would be a second thing to trust.

use serde::Deserialize;

use crate::python::Python;
use crate::{Unavailable, suite};

/// The file, in the folder of the suites.
pub const FILE: &str = "pathological.json";

/// Evaluates an expression and writes the result as UTF-8. Standard input:
/// helper definitions, a NUL, the expression.
const MAKE_INPUT: &str = r#"
helpers, expression = sys.stdin.buffer.read().decode("utf-8").split("\0")
names = {}
exec(helpers, names)
sys.stdout.buffer.write(eval(expression, names).encode("utf-8"))
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

/// The contents of the file.
#[derive(Debug, Clone, Deserialize)]
pub struct Pathological {
    /// Python definitions that the expressions use.
    helpers: String,
    /// The cases, in the order of the file.
    pub cases: Vec<Case>,
}

/// One input and what is asked of its output.
#[derive(Debug, Clone, Deserialize)]
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
    pub flags: Vec<String>,
    /// Extensions of cmark-gfm.
    pub extensions: Vec<String>,
    /// The length of the input.
    pub bytes: usize,
}

impl Pathological {
    /// Reads the file from the folder of the suites.
    ///
    /// # Errors
    /// As [`suite::load`].
    pub fn load() -> Result<Self, Unavailable> {
        let parsed = serde_json::from_str(&suite::read(FILE)?);
        parsed.map_err(|error| Unavailable::Broken(format!("{FILE}: {error}")))
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
    fn matches_with_huge_counts() {
        let text = "<em>a ".repeat(32_500);
        let Some(is_found) = present(is_match("^(<em>a ){32500}$", &text)) else { return };
        assert!(is_found);
        assert_eq!(is_match("(<em>a ){32501}", &text), Ok(false));
        assert!(matches!(is_match("(", &text), Err(Unavailable::Broken(_))));
    }
}

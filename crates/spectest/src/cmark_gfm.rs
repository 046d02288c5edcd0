//! cmark-gfm itself, as an oracle: the same C code, through PyPI's `cmarkgfm`.
//!
//! `./test` installs it into `target/venv`. All inputs of a run go to one
//! process, as a JSON list, and come back as a list of HTML.

use crate::Unavailable;
use crate::python::Python;

/// Standard input: a JSON object with `extensions` and `inputs`. `footnotes` is
/// an option of cmark-gfm and no extension, so it is sorted out here.
const RENDER: &str = r#"
import json
try:
    import cmarkgfm
    from cmarkgfm.cmark import Options
except ImportError:
    print("null")
    sys.exit()
task = json.loads(sys.stdin.buffer.read().decode("utf-8"))
options = Options.CMARK_OPT_UNSAFE
extensions = [name for name in task["extensions"] if name != "footnotes"]
if len(extensions) < len(task["extensions"]): options |= Options.CMARK_OPT_FOOTNOTES
render = lambda text: cmarkgfm.markdown_to_html_with_extensions(text, options, extensions)
answer = json.dumps([render(text) for text in task["inputs"]])
sys.stdout.buffer.write(answer.encode("utf-8"))
"#;

/// The HTML that cmark-gfm gives for each input, raw HTML let through.
///
/// # Errors
/// [`Unavailable::Missing`] where it is not installed, [`Unavailable::Broken`]
/// when it is and does not answer.
pub fn render(extensions: &[&str], inputs: &[String]) -> Result<Vec<String>, Unavailable> {
    let task = serde_json::json!({ "extensions": extensions, "inputs": inputs }).to_string();
    let answer = Python::venv().run(RENDER, &[task.as_bytes()])?;
    let broken = |what: String| Unavailable::Broken(format!("cmarkgfm: {what}"));
    let outputs: Option<Vec<String>> =
        serde_json::from_str(&answer).map_err(|error| broken(error.to_string()))?;
    match outputs {
        None => Err(Unavailable::Missing("cmarkgfm is not installed in target/venv".into())),
        Some(outputs) if outputs.len() == inputs.len() => Ok(outputs),
        Some(outputs) => Err(broken(format!("{} answers to {}", outputs.len(), inputs.len()))),
    }
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn renders_with_and_without_extensions() {
        let inputs = ["~~a~~ http://a.bc <b>".to_string(), "x[^1]\n\n[^1]: y".to_string()];
        let plain = match render(&[], &inputs) {
            Err(problem) => return assert!(problem.is_skip(), "{problem}"),
            Ok(outputs) => outputs,
        };
        assert_eq!(plain[0], "<p>~~a~~ http://a.bc <b></p>\n");
        let all =
            render(&["autolink", "strikethrough", "footnotes"], &inputs).expect("it is there");
        let link = "<a href=\"http://a.bc\">http://a.bc</a>";
        assert_eq!(all[0], format!("<p><del>a</del> {link} <b></p>\n"));
        assert!(all[1].contains("footnote-ref"), "{}", all[1]);
        assert!(render(&["no-such-extension"], &inputs).is_err());
    }
}

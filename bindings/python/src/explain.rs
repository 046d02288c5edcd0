//! Why bare links are links or are not, as Python objects.

use barelink::Verdict;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::link::repr;
use crate::source::{Place, Places};

/// What became of a candidate for a bare link, and why.
#[pyclass(frozen, module = "barelink")]
#[derive(Debug)]
pub(crate) struct Decision {
    /// The kind of link it would be: ``url``, ``www``, ``email``, ``domain``.
    #[pyo3(get)]
    kind: &'static str,
    /// ``linked``, ``refused`` by a rule, or ``elsewhere``, where links are not looked for.
    #[pyo3(get)]
    verdict: &'static str,
    /// The link, or else the candidate: ``://``, ``www.`` or ``@``.
    #[pyo3(get)]
    text: String,
    place: Place,
    /// The name of the rule that refuses it, or of the place it is in.
    #[pyo3(get)]
    rule: Option<String>,
    /// The reason in one sentence.
    #[pyo3(get)]
    reason: Option<&'static str>,
    /// Where the rule is written.
    #[pyo3(get)]
    section: Option<&'static str>,
    /// The character of the text where the rule is broken.
    #[pyo3(get)]
    at: Option<u32>,
    trims: Vec<Trim>,
}

/// Something left outside at the end of a link.
#[pyclass(frozen, get_all, module = "barelink")]
#[derive(Debug, Clone)]
pub(crate) struct Trim {
    /// What was left outside.
    text: String,
    /// Where it starts in the text, in characters.
    start: u32,
    /// Where it ends in the text, in characters.
    end: u32,
    /// The name of the rule.
    rule: String,
    /// The rule in one sentence.
    reason: &'static str,
    /// Where the rule is written.
    section: &'static str,
}

impl Decision {
    pub(crate) fn new(
        decision: &barelink::Decision,
        source: &str,
        places: &mut Places<'_>,
    ) -> Self {
        let (verdict, span) = match &decision.verdict {
            Verdict::Linked { span, .. } => ("linked", *span),
            Verdict::Refused { .. } => ("refused", decision.candidate),
            Verdict::Elsewhere(_) => ("elsewhere", decision.candidate),
            // The library may learn to say more.
            _ => ("unknown", decision.candidate),
        };
        let mut new = Self {
            kind: decision.kind.name(),
            verdict,
            text: span.slice(source).to_owned(),
            place: places.of(span),
            rule: None,
            reason: None,
            section: None,
            at: None,
            trims: Vec::new(),
        };
        match &decision.verdict {
            Verdict::Linked { trims, .. } => {
                new.trims = trims.iter().map(|trim| Trim::new(trim, source, places)).collect();
            }
            Verdict::Refused { rule, at, .. } => {
                new.rule = Some(name_of(rule));
                new.reason = Some(rule.sentence());
                new.section = Some(rule.section());
                new.at = Some(places.char(*at));
            }
            Verdict::Elsewhere(place) => {
                new.rule = Some(name_of(place));
                new.reason = Some(place.sentence());
            }
            _ => {}
        }
        new
    }
}

impl Trim {
    fn new(trim: &barelink::autolink::Trim, source: &str, places: &mut Places<'_>) -> Self {
        let (start, end) = places.chars(trim.span);
        Self {
            text: trim.span.slice(source).to_owned(),
            start,
            end,
            rule: name_of(trim.rule),
            reason: trim.rule.sentence(),
            section: trim.rule.section(),
        }
    }
}

/// The library's name for a rule or a place: `OpenBracket` is `open-bracket`.
fn name_of(variant: impl std::fmt::Debug) -> String {
    let mut name = String::new();
    for c in format!("{variant:?}").chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

#[pymethods]
impl Decision {
    /// Whether it is a link.
    #[getter]
    fn linked(&self) -> bool {
        self.verdict == "linked"
    }

    /// Where ``text`` starts, in characters.
    #[getter]
    fn start(&self) -> u32 {
        self.place.start
    }

    /// Where ``text`` ends, in characters.
    #[getter]
    fn end(&self) -> u32 {
        self.place.end
    }

    /// The line that ``text`` starts on, from one.
    #[getter]
    fn line(&self) -> u32 {
        self.place.line
    }

    /// The column that ``text`` starts at, in characters, from one.
    #[getter]
    fn column(&self) -> u32 {
        self.place.column
    }

    /// What was left outside at the end of the link, the outermost first.
    #[getter]
    fn trims(&self) -> Vec<Trim> {
        self.trims.clone()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (text, kind, verdict) = (repr(py, &self.text)?, self.kind, self.verdict);
        let Place { start, end, .. } = self.place;
        let rule = self.rule.as_ref().map_or(String::new(), |rule| format!(", rule='{rule}'"));
        Ok(format!(
            "Decision(text={text}, kind='{kind}', verdict='{verdict}'{rule}, start={start}, end={end})"
        ))
    }
}

#[pymethods]
impl Trim {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = repr(py, &self.text)?;
        let Self { rule, start, end, .. } = self;
        Ok(format!("Trim(text={text}, rule='{rule}', start={start}, end={end})"))
    }
}

/// Why each candidate for a bare link is a link or is not.
///
/// >>> import barelink
/// >>> for it in barelink.explain('see "www.a.bc" or www.a.bc.'):
/// ...     print(it.verdict, it.text, it.rule, [trim.text for trim in it.trims])
/// refused www. before []
/// linked www.a.bc None ['.']
#[pyfunction]
#[pyo3(
    signature = (text, preset=None, **options),
    text_signature = "(text, preset='gfm', **options)"
)]
pub(crate) fn explain(
    text: &Bound<'_, PyAny>,
    preset: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Decision>> {
    crate::parser::explain(text, preset, options)
}

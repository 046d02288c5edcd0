//! Options as keyword arguments: the names are those of the library's fields, a wrong value
//! says which option it is for.

use barelink::{Autolinks, Dialect, Options, Policy, Urls};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple};

use crate::source::text_of;

/// The preset if none is named.
pub(crate) const DEFAULT_PRESET: &str = "gfm";

/// Every option there is.
pub(crate) const NAMES: &[&str] = &[
    "alerts",
    "bare_rel",
    "bare_target_blank",
    "cjk_friendly_emphasis",
    "definition_lists",
    "dialect",
    "domains",
    "email",
    "emoji",
    "external_rel",
    "external_target_blank",
    "footnotes",
    "front_matter",
    "heading_attributes",
    "heading_ids",
    "https",
    "id_prefix",
    "mark",
    "markup",
    "math",
    "own_hosts",
    "raw_html",
    "reading",
    "schemes",
    "single_tilde",
    "smart_punctuation",
    "soft_breaks",
    "source_positions",
    "strikethrough",
    "subscript",
    "superscript",
    "tables",
    "tag_filter",
    "task_lists",
    "unsafe",
    "url",
    "urls",
    "wiki_links",
    "www",
];

/// An argument that must be a string.
#[inline]
pub(crate) fn string<'a, 'py>(
    name: &str,
    value: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, PyString>> {
    value.cast().map_err(|_| wrong_type(name, "a string", value))
}

/// The name of a preset, if there is one.
#[inline]
pub(crate) fn preset_name<'a, 'py>(
    value: Option<&'a Bound<'py, PyAny>>,
) -> PyResult<Option<&'a Bound<'py, PyString>>> {
    value.map(|value| string("preset", value)).transpose()
}

/// The preset of that name.
pub(crate) fn preset(name: Option<&Bound<'_, PyString>>) -> PyResult<Options> {
    let Some(name) = name else { return Ok(Options::default()) };
    // No name has what is replaced.
    let name = text_of(name)?;
    name.parse().map_err(|error| PyValueError::new_err(format!("preset: {error}")))
}

/// A preset with keyword arguments applied to it.
pub(crate) fn parse(
    name: Option<&Bound<'_, PyString>>,
    arguments: Option<&Bound<'_, PyDict>>,
) -> PyResult<Options> {
    let mut options = preset(name)?;
    if let Some(arguments) = arguments {
        apply(arguments, &mut options)?;
    }
    Ok(options)
}

/// The arguments of a call, to see whether the next call has the same.
pub(crate) struct Kept {
    preset: Option<Py<PyString>>,
    arguments: Py<PyDict>,
}

impl Kept {
    /// `None` if an argument could change without becoming another object.
    pub(crate) fn new(
        preset: Option<&Bound<'_, PyString>>,
        arguments: &Bound<'_, PyDict>,
    ) -> Option<Self> {
        let stays = |value: &Bound<'_, PyAny>| {
            value.is_none()
                || value.is_exact_instance_of::<PyBool>()
                || value.is_exact_instance_of::<PyString>()
        };
        arguments.iter().all(|(_, value)| stays(&value)).then(|| Self {
            preset: preset.map(|preset| preset.clone().unbind()),
            arguments: arguments.clone().unbind(),
        })
    }

    /// Whether these are the same objects.
    pub(crate) fn is(
        &self,
        preset: Option<&Bound<'_, PyString>>,
        arguments: &Bound<'_, PyDict>,
    ) -> bool {
        let kept = self.arguments.bind(arguments.py());
        let is_same = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            kept.get_item(name).is_ok_and(|it| it.is_some_and(|it| it.is(&value)))
        };
        preset.map(Bound::as_ptr) == self.preset.as_ref().map(Py::as_ptr)
            && kept.len() == arguments.len()
            && arguments.iter().all(is_same)
    }
}

/// A copy of arguments that stays as it is: what can be gone through only once, or be changed later,
/// becomes a tuple.
pub(crate) fn copy<'py>(arguments: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    let copied = PyDict::new(arguments.py());
    for (name, value) in arguments {
        match value.try_iter() {
            Ok(items) if !value.is_instance_of::<PyString>() => {
                let items = items.collect::<PyResult<Vec<_>>>()?;
                copied.set_item(name, PyTuple::new(arguments.py(), items)?)?;
            }
            _ => copied.set_item(name, value)?,
        }
    }
    Ok(copied)
}

fn apply(arguments: &Bound<'_, PyDict>, options: &mut Options) -> PyResult<()> {
    // First, since it sets what others refine.
    if let Some(value) = arguments.get_item("unsafe")?
        && flag("unsafe", &value)?
    {
        options.policy = Policy::TRUSTED;
    }
    for (name, value) in arguments {
        apply_one(&text_of(name.cast()?)?, &value, options)?;
    }
    let Autolinks { dialect, domains, .. } = options.autolinks;
    check_dialect(dialect, [("domains", domains), ("schemes", !options.schemes.is_empty())])?;
    // Links of further schemes are wanted, so they may lead somewhere. `urls` may have come later.
    if !options.schemes.is_empty() {
        let urls = &mut options.policy.urls;
        *urls = std::mem::take(urls).and_schemes(options.schemes.iter().cloned());
    }
    Ok(())
}

fn apply_one(name: &str, value: &Bound<'_, PyAny>, options: &mut Options) -> PyResult<()> {
    if let Some(field) = flag_of(name, options) {
        *field = flag(name, value)?;
        return Ok(());
    }
    let policy = &mut options.policy;
    match name {
        "unsafe" => {}
        "markup" => options.markup = choice(name, value)?,
        "reading" => options.reading = choice(name, value)?,
        "dialect" => options.autolinks.dialect = dialect(value)?,
        "schemes" => options.schemes = schemes(value)?,
        "raw_html" => policy.raw_html = choice(name, value)?,
        "urls" => policy.urls = urls(value)?,
        "bare_rel" => policy.bare.rel = optional_text(name, value)?.map(Into::into),
        "external_rel" => policy.external.rel = optional_text(name, value)?.map(Into::into),
        "own_hosts" => policy.own_hosts = own_hosts(value)?,
        "id_prefix" => policy.id_prefix = text(name, value)?.into(),
        "soft_breaks" => policy.soft_breaks = choice(name, value)?,
        _ => return Err(no_option(name, NAMES)),
    }
    Ok(())
}

/// The option of this name, if it is one that is true or false.
fn flag_of<'o>(name: &str, options: &'o mut Options) -> Option<&'o mut bool> {
    let (links, policy) = (&mut options.autolinks, &mut options.policy);
    Some(match name {
        "tables" => &mut options.tables,
        "strikethrough" => &mut options.strikethrough,
        "single_tilde" => &mut options.single_tilde,
        "mark" => &mut options.mark,
        "superscript" => &mut options.superscript,
        "subscript" => &mut options.subscript,
        "task_lists" => &mut options.task_lists,
        "tag_filter" => &mut options.tag_filter,
        "footnotes" => &mut options.footnotes,
        "alerts" => &mut options.alerts,
        "math" => &mut options.math,
        "wiki_links" => &mut options.wiki_links,
        "front_matter" => &mut options.front_matter,
        "heading_attributes" => &mut options.heading_attributes,
        "emoji" => &mut options.emoji,
        "smart_punctuation" => &mut options.smart_punctuation,
        "definition_lists" => &mut options.definition_lists,
        "cjk_friendly_emphasis" => &mut options.cjk_friendly_emphasis,
        "url" => &mut links.url,
        "www" => &mut links.www,
        "email" => &mut links.email,
        "domains" => &mut links.domains,
        "bare_target_blank" => &mut policy.bare.target_blank,
        "external_target_blank" => &mut policy.external.target_blank,
        "https" => &mut policy.https,
        "heading_ids" => &mut policy.heading_ids,
        "source_positions" => &mut policy.source_positions,
        _ => return None,
    })
}

/// The dialect of bare links; `None` or `"none"` for no bare links.
pub(crate) fn dialect(value: &Bound<'_, PyAny>) -> PyResult<Option<Dialect>> {
    if value.is_none() {
        return Ok(None);
    }
    match text("dialect", value)?.as_str() {
        "none" => Ok(None),
        name => name.parse().map(Some).map_err(|error| {
            PyValueError::new_err(format!("dialect: unknown dialect `{name}`: {error}, none"))
        }),
    }
}

/// Fails if bare links are wanted that this dialect does not look for. The options have their names.
pub(crate) fn check_dialect(dialect: Option<Dialect>, wanted: [(&str, bool); 2]) -> PyResult<()> {
    let unmet = wanted.iter().find(|(_, is_wanted)| *is_wanted);
    match unmet {
        Some((name, _)) if dialect != Some(Dialect::Natural) => {
            let found = dialect.map_or("none", Dialect::name);
            Err(PyValueError::new_err(format!(
                "{name}: only the dialect `natural` finds such links, not `{found}`"
            )))
        }
        _ => Ok(()),
    }
}

/// Hosts that are no other sites, which a URL or a port would never equal.
fn own_hosts(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let hosts = texts("own_hosts", value)?;
    let is_host = |host: &str| {
        let name = host.strip_prefix("*.").unwrap_or(host);
        let is_address = name.starts_with('[') && name.ends_with(']');
        let is_apart = |c: char| c.is_whitespace() || c.is_control() || "/\\?#@*".contains(c);
        !name.is_empty()
            && !name.starts_with('.')
            && !name.contains(is_apart)
            && (is_address || !name.contains(':'))
    };
    match hosts.iter().find(|host| !is_host(host)) {
        None => Ok(hosts),
        Some(other) => Err(PyValueError::new_err(format!(
            "own_hosts: `{other}`: expected the name of a host, such as `example.org`, or \
             `*.example.org` for all below it"
        ))),
    }
}

/// Further schemes for bare links.
pub(crate) fn schemes(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let schemes = texts("schemes", value)?;
    let parse = |scheme: &String| {
        barelink::own_scheme(scheme)
            .map_err(|error| PyValueError::new_err(format!("schemes: `{scheme}`: {error}")))
    };
    schemes.iter().map(parse).collect()
}

fn urls(value: &Bound<'_, PyAny>) -> PyResult<Urls> {
    if !value.is_instance_of::<PyString>() {
        let schemes = texts("urls", value)?;
        return schemes
            .iter()
            .map(|it| allowed_scheme(it))
            .collect::<PyResult<_>>()
            .map(Urls::Schemes);
    }
    match text("urls", value)?.as_str() {
        "safe" => Ok(Urls::Safe),
        "any" => Ok(Urls::Any),
        other => Err(PyValueError::new_err(format!(
            "urls: `{other}` is neither `safe` nor `any`, nor a list of schemes"
        ))),
    }
}

/// The name of a scheme that links may have, from `tel`, `tel:` or `App://`. Those that run code may
/// be asked for, too.
fn allowed_scheme(text: &str) -> PyResult<String> {
    let name = text.strip_suffix("//").unwrap_or(text);
    let name = name.strip_suffix(':').unwrap_or(name);
    let is_scheme = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    if is_scheme {
        return Ok(name.to_ascii_lowercase());
    }
    let message = "a scheme is a letter, and letters, digits, '+', '-' or '.'";
    Err(PyValueError::new_err(format!("urls: `{text}`: {message}")))
}

pub(crate) fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| wrong_type(name, "True or False", value))
}

/// One of the names of an enumeration.
fn choice<T>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let text = text(name, value)?;
    text.parse().map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}

fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    string(name, value)?.extract().map_err(|error| {
        PyValueError::new_err(format!("{name}: the string is not valid Unicode ({error})"))
    })
}

fn optional_text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_none() { Ok(None) } else { text(name, value).map(Some) }
}

/// Strings in a list, a tuple or another iterable, but not in a string.
pub(crate) fn texts(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let expected = "a list of strings";
    if value.is_instance_of::<PyString>() {
        return Err(wrong_type(name, expected, value));
    }
    let items = value.try_iter().map_err(|_| wrong_type(name, expected, value))?;
    items.map(|item| text(name, &item?)).collect()
}

/// There is no option of this name, but perhaps one much like it.
#[cold]
pub(crate) fn no_option(name: &str, names: &[&str]) -> PyErr {
    let near = names.iter().map(|it| (n_changes(name, it), it));
    let near = near.filter(|(n, it)| *n <= 1 + it.len() / 4).min_by_key(|(n, _)| *n);
    let meant = near.map_or(String::new(), |(_, it)| format!("; did you mean `{it}`?"));
    let known = if meant.is_empty() { "; there are " } else { " There are " };
    PyTypeError::new_err(format!("there is no option `{name}`{meant}{known}{}", names.join(", ")))
}

/// How many letters are added, left out, replaced or swapped with the next to make one name of the
/// other. Case does not count.
///
/// LINEAR: in the product of their lengths, of which a program writes one and we the other.
fn n_changes(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut rows = [vec![], vec![], (0..=other.len()).collect::<Vec<usize>>()];
    let mut before = None;
    for (i, a) in one.chars().map(|c| c.to_ascii_lowercase()).enumerate() {
        rows.rotate_left(1);
        let [two_above, above, row] = &mut rows;
        *row = vec![i + 1];
        for (j, &b) in other.iter().enumerate() {
            let mut n = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            if j > 0 && before == Some(b) && other[j - 1] == a {
                n = n.min(two_above[j - 1] + 1);
            }
            row.push(n);
        }
        before = Some(a);
    }
    rows[2][other.len()]
}

#[cold]
pub(crate) fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let found = value.get_type().name().map_or_else(|_| "another type".into(), |it| it.to_string());
    PyTypeError::new_err(format!("{name}: expected {expected}, not {found}"))
}

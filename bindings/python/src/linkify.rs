//! Plain text, and HTML: bare links found, or made into anchors.

use barelink::autolink::{Rules, links_with};
use barelink::html::Linkifier;
use barelink::{Dialect, MAX_SOURCE};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::hook::Hook;
use crate::link::BareLink;
use crate::options;
use crate::parser::detached;
use crate::source::{Places, text_of};
use crate::written;

/// The options of [`find_links`].
const FIND_OPTIONS: &[&str] = &["dialect", "domains", "email", "schemes", "url", "www"];

/// Which bare links to look for in plain text.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) rules: Rules,
    pub(crate) schemes: Vec<String>,
}

impl Wanted {
    /// From keyword arguments; each has a default.
    pub(crate) fn parse(
        dialect: Option<&Bound<'_, PyAny>>,
        arguments: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let dialect = match dialect {
            None => Dialect::default(),
            Some(name) => options::dialect(name)?
                .ok_or_else(|| PyValueError::new_err("dialect: `none` finds no links"))?,
        };
        let mut wanted = Self { rules: Rules::new(dialect), schemes: Vec::new() };
        for (name, value) in arguments.into_iter().flatten() {
            let name = &*text_of(name.cast()?)?;
            let rules = &mut wanted.rules;
            match name {
                "url" => rules.url = options::flag(name, &value)?,
                "www" => rules.www = options::flag(name, &value)?,
                "email" => rules.email = options::flag(name, &value)?,
                "domains" => rules.domains = options::flag(name, &value)?,
                "schemes" => wanted.schemes = options::schemes(&value)?,
                _ => return Err(options::no_option(name, FIND_OPTIONS)),
            }
        }
        let has_schemes = !wanted.schemes.is_empty();
        let unusual = [("domains", wanted.rules.domains), ("schemes", has_schemes)];
        options::check_dialect(Some(dialect), unusual)?;
        Ok(wanted)
    }

    pub(crate) fn schemes(&self) -> Vec<&str> {
        self.schemes.iter().map(String::as_str).collect()
    }
}

/// What [`find_links`] does with a text alone.
pub(crate) fn quick_find_links<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    found(text, &Wanted::parse(None, None)?)?.into_pyobject(text.py())
}

/// The bare links of plain text, in order.
///
/// >>> import barelink
/// >>> barelink.find_links("see www.a.bc.")
/// [BareLink(href='http://www.a.bc', text='www.a.bc', kind='www', start=4, end=12)]
///
/// Dialects are ``gfm``, ``github``, ``md4c`` and ``natural``. ``url``, ``www`` and ``email`` switch
/// kinds off. In ``natural``, ``domains=True`` finds names without a scheme, and ``schemes`` those
/// of your own:
///
/// >>> text = "github.com/foo or tel:+1-555-0100"
/// >>> [link.href for link in barelink.find_links(text, "natural", domains=True, schemes=["tel"])]
/// ['http://github.com/foo', 'tel:+1-555-0100']
#[pyfunction]
#[pyo3(
    signature = (text, dialect=None, **options),
    text_signature = "(text, dialect='gfm', **options)"
)]
pub(crate) fn find_links(
    text: &Bound<'_, PyAny>,
    dialect: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<BareLink>> {
    found(options::string("text", text)?, &Wanted::parse(dialect, options)?)
}

/// Fails if links at the end of a text would not be seen.
fn check_len(source: &str) -> PyResult<()> {
    if source.len() <= MAX_SOURCE {
        return Ok(());
    }
    let message = format!("text: {} bytes are over the limit of {MAX_SOURCE}", source.len());
    Err(PyValueError::new_err(message))
}

fn found(text: &Bound<'_, PyString>, wanted: &Wanted) -> PyResult<Vec<BareLink>> {
    let source = text_of(text)?;
    check_len(&source)?;
    Ok(detached(text.py(), source.len(), || {
        let mut places = Places::new(&source);
        let schemes = wanted.schemes();
        let found = links_with(&source, wanted.rules, &schemes);
        let bare_link = |link: barelink::autolink::Link<'_>| {
            let (start, end) = places.chars(link.span);
            let (href, text) = (link.href().to_string(), link.text.to_owned());
            BareLink { href, text, kind: link.kind.name(), start, end }
        };
        found.map(bare_link).collect()
    }))
}

/// Plain text as HTML, with its bare links as anchors; or with ``html=True`` the same for text
/// that is HTML already.
///
/// >>> import barelink
/// >>> barelink.linkify("1 < 2, see www.a.bc.")
/// '1 &lt; 2, see <a href="http://www.a.bc">www.a.bc</a>.'
/// >>> barelink.linkify("<b>www.a.bc</b> <code>www.b.cd</code>", html=True, bare_rel="nofollow")
/// '<b><a href="http://www.a.bc" rel="nofollow">www.a.bc</a></b> <code>www.b.cd</code>'
///
/// HTML stays byte for byte but for the links, which are never put into tags, comments, ``<a>``,
/// ``<code>``, ``<pre>``, ``<script>``, ``<style>`` or ``<textarea>``. Nothing is made safe by this.
///
/// The dialect is that of the preset, and the options are those of :func:`to_html`; ``on_link`` is
/// the same hook.
#[pyfunction]
#[pyo3(
    signature = (text, preset=None, *, html=None, on_link=None, **options),
    text_signature = "(text, preset='gfm', *, html=False, on_link=None, **options)"
)]
pub(crate) fn linkify<'py>(
    text: &Bound<'py, PyAny>,
    preset: Option<&Bound<'py, PyAny>>,
    html: Option<&Bound<'py, PyAny>>,
    on_link: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    let text = options::string("text", text)?;
    let options = options::parse(options::preset_name(preset)?, options)?;
    let is_html = html.map_or(Ok(false), |html| options::flag("html", html))?;
    let source = text_of(text)?;
    check_len(&source)?;
    let mut out = String::new();
    let mut push = |linkifier: &mut Linkifier<'_>| {
        if is_html {
            linkifier.push_html(&source, &mut out);
        } else {
            linkifier.push_text(&source, &mut out);
        }
    };
    match on_link.filter(|hook| !hook.is_none()) {
        None => detached(text.py(), source.len(), || push(&mut Linkifier::new(&options))),
        Some(function) => {
            let mut hook = Hook::new(function, &source)?;
            push(&mut Linkifier::new(&options).on_link(|link| hook.decide(link)));
            hook.finish()?;
        }
    }
    Ok(written::string(text.py(), &out))
}

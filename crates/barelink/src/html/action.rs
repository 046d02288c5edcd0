//! What a hook decides about a link or image.

use std::borrow::Cow;

use super::escape::push_escaped;

/// What to do with a link or image. See [`Renderer::on_link`](super::Renderer::on_link).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Write it as it is.
    Keep,
    /// Write it with these changes.
    Change(Change),
    /// Write only its text, or the description of an image.
    Plain,
    /// Leave it out.
    Drop,
}

impl Action {
    /// Writes it with this destination, which is checked against the policy like any other.
    pub fn rewrite(destination: impl Into<String>) -> Self {
        Change::new().destination(destination).into()
    }
}

impl From<Change> for Action {
    fn from(change: Change) -> Self {
        Self::Change(change)
    }
}

/// Changes to one link or image: another destination, attributes.
///
/// The policy decides everything else.
///
/// ```
/// use barelink::html::Change;
/// use barelink::{Link, Options};
/// let document = barelink::parse("www.a.bc ![b](c.png)", &Options::gfm())?;
/// let mut html = String::new();
/// let hook = |link: &Link<'_>| {
///     if link.image {
///         Change::new().attribute("loading", "lazy").into()
///     } else {
///         Change::new().rel("nofollow").target("_blank").into()
///     }
/// };
/// document.push_html_with(hook, &mut html);
/// assert_eq!(
///     html,
///     "<p><a href=\"http://www.a.bc\" rel=\"nofollow\" target=\"_blank\">www.a.bc</a> \
///      <img src=\"c.png\" alt=\"b\" loading=\"lazy\" /></p>\n"
/// );
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct Change {
    pub(super) destination: Option<String>,
    /// Names may repeat: the last one counts.
    attributes: Vec<(Cow<'static, str>, Option<String>)>,
}

impl Change {
    /// No changes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the destination, which is checked against the policy like any other.
    pub fn destination(mut self, destination: impl Into<String>) -> Self {
        self.destination = Some(destination.into());
        self
    }

    /// Sets `rel`.
    pub fn rel(self, value: impl Into<String>) -> Self {
        self.attribute("rel", value)
    }

    /// Sets `target`.
    pub fn target(self, value: impl Into<String>) -> Self {
        self.attribute("target", value)
    }

    /// Sets any other attribute. Its value is escaped; `href` and `src` set the destination. A name
    /// must consist of ASCII letters, digits, `-`, `_`, `.` and `:`, and begin with a letter; an
    /// attribute with another name is not written.
    pub fn attribute(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<String>,
    ) -> Self {
        let name = name.into();
        if name.eq_ignore_ascii_case("href") || name.eq_ignore_ascii_case("src") {
            return self.destination(value);
        }
        if is_name(&name) {
            self.attributes.push((name, Some(value.into())));
        }
        self
    }

    /// Removes the attribute of this name, even if the policy would write it.
    pub fn without(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.attributes.push((name.into(), None));
        self
    }

    /// Whether this change sets or removes the attribute.
    pub(super) fn decides(&self, name: &str) -> bool {
        self.attributes.iter().any(|(it, _)| it.eq_ignore_ascii_case(name))
    }

    /// Appends the attributes.
    ///
    /// LINEAR: quadratic in the number of attributes, but only the program sets those.
    pub(super) fn push_attributes(&self, out: &mut String) {
        for (idx, (name, value)) in self.attributes.iter().enumerate() {
            let is_last =
                !self.attributes[idx + 1..].iter().any(|(it, _)| it.eq_ignore_ascii_case(name));
            if let Some(value) = value
                && is_last
            {
                out.push(' ');
                out.push_str(name);
                out.push_str("=\"");
                push_escaped(value, out);
                out.push('"');
            }
        }
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::Change;

    #[test]
    fn the_last_attribute_of_a_name_counts() {
        let change = Change::new()
            .attribute("Class", "a")
            .attribute("class", "b\"<")
            .rel("x")
            .without("rel")
            .attribute("x y", "z")
            .attribute("on\"", "z")
            .attribute("", "z")
            .attribute("SRC", "/d");
        let mut out = String::new();
        change.push_attributes(&mut out);
        assert_eq!(out, " class=\"b&quot;&lt;\"");
        assert_eq!(change.destination.as_deref(), Some("/d"));
        assert!(change.decides("rel") && !change.decides("target"));
    }
}

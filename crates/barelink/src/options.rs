//! What the engine recognises and how the renderer treats what is dangerous:
//! one plain struct, one `const` preset for each dialect.

/// Everything that can be chosen about parsing and rendering.
///
/// Start from a preset and change fields:
///
/// ```
/// use barelink::{Options, RawHtml};
/// let mut options = Options::commonmark();
/// options.policy.raw_html = RawHtml::Pass;
/// assert_eq!(barelink::to_html("a <b>c</b>", &options)?, "<p>a <b>c</b></p>\n");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// How the renderer treats raw HTML and URLs. Safe by default.
    pub policy: Policy,
}

/// What the renderer lets through. See [`Options::policy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// Raw HTML, in blocks and inline.
    ///
    /// ```
    /// let html = barelink::to_html("<b>bold?</b>", &barelink::Options::commonmark())?;
    /// assert_eq!(html, "<p>&lt;b&gt;bold?&lt;/b&gt;</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub raw_html: RawHtml,
    /// Destinations of links and images.
    ///
    /// ```
    /// let html = barelink::to_html("[x](javascript:a)", &barelink::Options::commonmark())?;
    /// assert_eq!(html, "<p><a href=\"\">x</a></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub urls: Urls,
}

/// What becomes of raw HTML in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RawHtml {
    /// It is escaped and shown as text.
    #[default]
    Escape,
    /// It is copied to the output as it stands. Only for sources you trust.
    Pass,
}

/// Which destinations of links and images are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Urls {
    /// `javascript:`, `vbscript:`, `file:` and every `data:` but common images are emptied.
    #[default]
    Safe,
    /// All of them. Only for sources you trust.
    Any,
}

impl Policy {
    /// Raw HTML is escaped, dangerous destinations are emptied.
    pub const SAFE: Self = Self { raw_html: RawHtml::Escape, urls: Urls::Safe };
    /// Everything passes. Only for sources you trust.
    pub const TRUSTED: Self = Self { raw_html: RawHtml::Pass, urls: Urls::Any };
}

impl Options {
    /// The names that [`Options::preset`] knows.
    pub const PRESETS: &'static [&'static str] = &["commonmark"];

    /// CommonMark 0.31.2 and nothing else.
    ///
    /// ```
    /// let html = barelink::to_html("*hi*", &barelink::Options::commonmark())?;
    /// assert_eq!(html, "<p><em>hi</em></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub const fn commonmark() -> Self {
        Self { policy: Policy::SAFE }
    }

    /// The preset of that name, or `None` for a name not in [`Options::PRESETS`].
    ///
    /// ```
    /// use barelink::Options;
    /// assert_eq!(Options::preset("commonmark"), Some(Options::commonmark()));
    /// assert_eq!(Options::preset("latex"), None);
    /// ```
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "commonmark" => Some(Self::commonmark()),
            _ => None,
        }
    }
}

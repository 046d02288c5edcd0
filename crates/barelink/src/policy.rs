//! What the renderer lets through, and what it adds: raw HTML, destinations,
//! attributes of links, ids, positions.

use crate::links::Link;

/// How a document is written as HTML. See
/// [`Options::policy`](crate::Options::policy).
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
    /// # use barelink::{Options, Urls, to_html};
    /// let mut options = Options::commonmark();
    /// assert_eq!(to_html("[x](javascript:a)", &options)?, "<p><a href=\"\">x</a></p>\n");
    /// options.policy.urls = Urls::Schemes(&["https", "mailto"]);
    /// assert_eq!(to_html("[x](http://a)", &options)?, "<p><a href=\"\">x</a></p>\n");
    /// assert_eq!(to_html("[x](/a)", &options)?, "<p><a href=\"/a\">x</a></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub urls: Urls,
    /// Attributes of bare links.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::gfm();
    /// options.policy.bare.rel = Some("nofollow ugc");
    /// let html = to_html("www.a.bc", &options)?;
    /// assert_eq!(html, "<p><a href=\"http://www.a.bc\" rel=\"nofollow ugc\">www.a.bc</a></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub bare: LinkAttributes,
    /// Attributes of links to other sites: those with a scheme, or with `//`.
    /// Bare links have them too, where [`Policy::bare`] says nothing.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.external.target_blank = true;
    /// let html = to_html("[a](https://a.bc) [b](/b)", &options)?;
    /// assert_eq!(
    ///     html,
    ///     "<p><a href=\"https://a.bc\" target=\"_blank\">a</a> <a href=\"/b\">b</a></p>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub external: LinkAttributes,
    /// Whether bare `www.` names are linked by `https` and not by `http`.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::gfm();
    /// options.policy.https = true;
    /// assert_eq!(
    ///     to_html("www.a.bc", &options)?,
    ///     "<p><a href=\"https://www.a.bc\">www.a.bc</a></p>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub https: bool,
    /// Whether headings get ids, made from their text as GitHub does.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.heading_ids = true;
    /// let html = to_html("# So, *what*?\n# So what", &options)?;
    /// assert_eq!(
    ///     html,
    ///     "<h1 id=\"so-what\">So, <em>what</em>?</h1>\n<h1 id=\"so-what-1\">So what</h1>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub heading_ids: bool,
    /// Whether blocks carry where they came from, as `data-sourcepos`: line and
    /// byte column of the first and the last byte. Only where HTML is written
    /// from a document, not from events.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.source_positions = true;
    /// assert_eq!(to_html("one\ntwo", &options)?, "<p data-sourcepos=\"1:1-2:3\">one\ntwo</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub source_positions: bool,
    /// What a line ending in a paragraph becomes.
    ///
    /// ```
    /// # use barelink::{Options, SoftBreaks, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy.soft_breaks = SoftBreaks::Hard;
    /// assert_eq!(to_html("one\ntwo", &options)?, "<p>one<br />\ntwo</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub soft_breaks: SoftBreaks,
}

/// What becomes of raw HTML in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RawHtml {
    /// It is escaped and shown as text.
    #[default]
    Escape,
    /// It is left out.
    Drop,
    /// It is copied to the output as it stands, but for the tag filter (see
    /// [`Options::tag_filter`](crate::Options::tag_filter)). Only for sources
    /// you trust.
    Pass,
}

/// Which destinations of links and images are written. Others come out empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Urls {
    /// All but `javascript:`, `vbscript:`, `file:` and every `data:` other than
    /// common images.
    #[default]
    Safe,
    /// Those with one of these schemes, in any case, or with none.
    Schemes(&'static [&'static str]),
    /// All of them. Only for sources you trust.
    Any,
}

/// What a line ending in a paragraph becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SoftBreaks {
    /// A line ending.
    #[default]
    Newline,
    /// A space.
    Space,
    /// `<br />` and a line ending.
    Hard,
}

/// Attributes that links of some kind get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LinkAttributes {
    /// The value of `rel`.
    pub rel: Option<&'static str>,
    /// Whether the link opens in a new window: `target="_blank"`.
    pub target_blank: bool,
}

impl LinkAttributes {
    /// No attributes.
    pub const NONE: Self = Self { rel: None, target_blank: false };
}

impl Policy {
    /// Raw HTML is escaped, dangerous destinations are emptied, nothing is
    /// added.
    pub const SAFE: Self = Self {
        raw_html: RawHtml::Escape,
        urls: Urls::Safe,
        bare: LinkAttributes::NONE,
        external: LinkAttributes::NONE,
        https: false,
        heading_ids: false,
        source_positions: false,
        soft_breaks: SoftBreaks::Newline,
    };

    /// Everything passes, nothing is added. Only for sources you trust.
    pub const TRUSTED: Self = Self { raw_html: RawHtml::Pass, urls: Urls::Any, ..Self::SAFE };
}

/// What is to be done with a link or image. See
/// [`Document::push_html_with`](crate::Document::push_html_with).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Write it as it is.
    Keep,
    /// Write it with this destination.
    Rewrite(String),
    /// Write its text alone; of an image, the description.
    Plain,
    /// Write nothing of it.
    Drop,
}

/// Decides about each link and image.
pub(crate) type Hook<'h> = &'h mut dyn FnMut(&Link<'_>) -> Action;

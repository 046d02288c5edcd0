//! The flags for rendering HTML, and their conversion to the library's policy.

use barelink::{Policy, RawHtml, SoftBreaks, Urls};
use clap::{Args, ValueEnum};

/// How HTML is written.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // They are flags.
pub(crate) struct RenderArgs {
    /// Let raw HTML and all links through, for sources you trust
    ///
    /// Otherwise raw HTML is shown as text, and a link whose scheme is not one for the web,
    /// mail, phone or chat (see --allow-scheme) leads nowhere.
    #[arg(long = "unsafe", help_heading = "HTML")]
    pub(crate) trusted: bool,

    /// What to do with raw HTML [default: escape, or pass with --unsafe]
    #[arg(long, value_name = "HOW", value_enum, help_heading = "HTML")]
    pub(crate) raw_html: Option<RawHtmlName>,

    /// Allow only links with this scheme; may be repeated to allow more
    ///
    /// Replaces the default list: http, https, ftp, ftps, mailto, tel, sms, xmpp, irc, ircs,
    /// matrix, sip and sips. Links without a scheme are always allowed, and so are those with
    /// a scheme of --scheme.
    #[arg(long = "allow-scheme", value_name = "NAME", help_heading = "HTML")]
    pub(crate) allowed_schemes: Vec<String>,

    /// Set this `rel` on links to other sites, such as "nofollow ugc"
    #[arg(long, value_name = "VALUE", help_heading = "HTML")]
    pub(crate) rel: Option<String>,

    /// Open links to other sites in a new window
    #[arg(long, help_heading = "HTML")]
    pub(crate) target_blank: bool,

    /// A host that does not count as another site; may be repeated
    ///
    /// NAME means that host only, `*.NAME` every host below it.
    #[arg(long = "own-host", value_name = "NAME", help_heading = "HTML")]
    pub(crate) own_hosts: Vec<String>,

    /// Link bare www. names with https instead of http
    #[arg(long, help_heading = "HTML")]
    pub(crate) https: bool,

    /// Give headings ids made from their text, as GitHub does
    #[arg(long, help_heading = "HTML")]
    pub(crate) heading_ids: bool,

    /// Start the ids of headings and footnotes with this prefix
    ///
    /// With a different prefix for each document, ids are unique on a page that shows many.
    #[arg(
        long,
        value_name = "PREFIX",
        default_value = "",
        hide_default_value = true,
        help_heading = "HTML"
    )]
    pub(crate) id_prefix: String,

    /// Add to each block the lines and columns it came from
    #[arg(long, help_heading = "HTML")]
    pub(crate) sourcepos: bool,

    /// Keep the line breaks of the source
    #[arg(long, help_heading = "HTML")]
    pub(crate) hard_breaks: bool,
}

/// The values of `--raw-html`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RawHtmlName {
    /// Show it as text
    Escape,
    /// Leave it out
    Drop,
    /// Copy it, except for what the tag filter escapes; for sources you trust
    Pass,
}

impl RenderArgs {
    /// Converts the flags to a policy.
    pub(crate) fn policy(self) -> Policy {
        let mut policy = if self.trusted { Policy::TRUSTED } else { Policy::SAFE };
        match self.raw_html {
            Some(RawHtmlName::Escape) => policy.raw_html = RawHtml::Escape,
            Some(RawHtmlName::Drop) => policy.raw_html = RawHtml::Drop,
            Some(RawHtmlName::Pass) => policy.raw_html = RawHtml::Pass,
            None => {}
        }
        if !self.allowed_schemes.is_empty() {
            policy.urls = Urls::Schemes(self.allowed_schemes);
        }
        policy.external.rel = self.rel.map(Into::into);
        policy.external.target_blank = self.target_blank;
        policy.own_hosts = self.own_hosts;
        policy.https = self.https;
        policy.heading_ids = self.heading_ids;
        policy.id_prefix = self.id_prefix.into();
        policy.source_positions = self.sourcepos;
        if self.hard_breaks {
            policy.soft_breaks = SoftBreaks::Hard;
        }
        policy
    }
}

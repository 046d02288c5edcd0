//! The flags that say how HTML is written, and the library's policy they
//! amount to.

use barelink::{Policy, RawHtml, SoftBreaks};
use clap::{Args, ValueEnum};

/// How HTML is written.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // They are flags.
pub(crate) struct RenderArgs {
    /// Let raw HTML and every link through; for sources you trust
    ///
    /// Without it raw HTML comes out as text, and `javascript:`, `vbscript:`, `file:`
    /// and `data:` destinations (but for images) come out empty.
    #[arg(long = "unsafe", help_heading = "HTML")]
    pub(crate) trusted: bool,

    /// What becomes of raw HTML [default: escape, or pass with --unsafe]
    #[arg(long, value_name = "HOW", value_enum, help_heading = "HTML")]
    pub(crate) raw_html: Option<RawHtmlName>,

    /// Give bare links and links to other sites this `rel`, such as "nofollow ugc"
    #[arg(long, value_name = "VALUE", help_heading = "HTML")]
    pub(crate) rel: Option<String>,

    /// Open bare links and links to other sites in a new window
    #[arg(long, help_heading = "HTML")]
    pub(crate) target_blank: bool,

    /// Link bare www. names by https instead of http
    #[arg(long, help_heading = "HTML")]
    pub(crate) https: bool,

    /// Give headings ids, made from their text as GitHub does
    #[arg(long, help_heading = "HTML")]
    pub(crate) heading_ids: bool,

    /// Tell for each block which lines and columns it came from
    #[arg(long, help_heading = "HTML")]
    pub(crate) sourcepos: bool,

    /// Break lines where the source does
    #[arg(long, help_heading = "HTML")]
    pub(crate) hard_breaks: bool,
}

/// The values of `--raw-html`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RawHtmlName {
    /// Shown as text
    Escape,
    /// Left out
    Drop,
    /// Copied, but for the tag filter where it is on; for sources you trust
    Pass,
}

impl RenderArgs {
    /// The policy that the flags amount to.
    pub(crate) fn policy(self) -> Policy {
        let mut policy = if self.trusted { Policy::TRUSTED } else { Policy::SAFE };
        match self.raw_html {
            Some(RawHtmlName::Escape) => policy.raw_html = RawHtml::Escape,
            Some(RawHtmlName::Drop) => policy.raw_html = RawHtml::Drop,
            Some(RawHtmlName::Pass) => policy.raw_html = RawHtml::Pass,
            None => {}
        }
        // A policy is `Copy` and holds what lives as long as the program.
        policy.bare.rel = self.rel.map(|rel| &*rel.leak());
        policy.bare.target_blank = self.target_blank;
        policy.external = policy.bare;
        policy.https = self.https;
        policy.heading_ids = self.heading_ids;
        policy.source_positions = self.sourcepos;
        if self.hard_breaks {
            policy.soft_breaks = SoftBreaks::Hard;
        }
        policy
    }
}

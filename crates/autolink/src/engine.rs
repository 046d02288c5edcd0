//! The interface through which the Markdown engine uses the recognizers. Not part of the API: it is
//! public because the engine is another crate, and changes without notice.
//!
//! [`links`](crate::links) and [`verdicts`](crate::verdicts) read plain text. The engine asks for
//! one candidate at a time, and a [`Region`] tells the recognizer what it may see of the text
//! around it.

pub use crate::candidate::{Candidate, Candidates, Schemes};
pub use crate::decide::decide;
pub use crate::region::{Edge, Match, OpenEmphasis, Region};
pub use crate::verdict::{Reasons, Report, Silent};

/// The recognizer of `gfm`.
pub mod gfm {
    pub use crate::gfm::{match_email, match_url, match_www};
}

/// The recognizer of `github`.
pub mod github {
    pub use crate::github::{match_email, match_url, match_www};
}

/// The recognizer of `md4c`.
pub mod md4c {
    pub use crate::md4c::{match_email, match_url, match_www};
}

/// The recognizer of `natural`, and its destinations.
pub mod natural {
    pub use crate::natural::{
        has_idn_host, match_domain, match_email, match_scheme, match_url, match_www, push_href,
    };
}

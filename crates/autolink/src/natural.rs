//! `natural`: links where a reader sees one.
//!
//! Not written yet: until its principles are, this dialect decides as
//! [`crate::gfm`] does, whose every example it has to meet anyway.

pub use crate::gfm::{match_email, match_url, match_www};

/// Stand-in.
pub fn has_idn_host(_text: &str, _kind: crate::Kind) -> bool {
    false
}

/// Stand-in.
///
/// # Errors
/// None.
pub fn push_href(text: &str, prefix: &str, out: &mut impl core::fmt::Write) -> core::fmt::Result {
    out.write_str(prefix)?;
    out.write_str(text)
}

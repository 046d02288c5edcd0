//! `natural`: links where a reader sees one.
//!
//! Not written yet: until its principles are, this dialect decides as
//! [`crate::gfm`] does, whose every example it has to meet anyway.

pub use crate::gfm::{match_email, match_url, match_www};

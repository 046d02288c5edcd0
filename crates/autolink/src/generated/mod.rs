//! Tables written by programs, not by hand.

pub(crate) mod host_start;
pub(crate) mod link_term;
pub(crate) mod top_level;

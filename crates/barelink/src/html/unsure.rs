//! Which links of a text that is still being written may not be followed yet.

/// From which offsets of the source on links are not complete: they are written without
/// their destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unsure {
    /// Links and images that end behind this one.
    pub(crate) links: u32,
    /// Bare links that do.
    pub(crate) bare: u32,
}

impl Default for Unsure {
    fn default() -> Self {
        Self { links: u32::MAX, bare: u32::MAX }
    }
}

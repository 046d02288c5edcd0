//! The links that cannot be followed yet, in a text that is still being written.

/// The offsets of the source after which links count as incomplete: they are written without their
/// destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unsure {
    /// Links and images that end after this offset.
    pub(crate) links: u32,
    /// Bare links that end after this offset.
    pub(crate) bare: u32,
}

impl Default for Unsure {
    fn default() -> Self {
        Self { links: u32::MAX, bare: u32::MAX }
    }
}

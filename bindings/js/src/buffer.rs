//! Memory that both sides see: JavaScript writes a text into it, or reads what was made.

use std::borrow::Cow;

/// What a method says if the text is too long: see [`measure`].
pub(crate) const TOO_LONG: f64 = -1.0;

/// Where JavaScript writes a text. All of it counts as written, so that its length is that of
/// the longest text so far.
#[derive(Default)]
pub(crate) struct Input(Vec<u8>);

impl Input {
    /// Makes room for a text of so many bytes, and tells where it is: null if there is no
    /// memory for it.
    pub(crate) fn reserve(&mut self, len: usize) -> *const u8 {
        if let Some(n_more) = len.checked_sub(self.0.len()) {
            // The old text need not be copied.
            self.0.clear();
            if self.0.try_reserve_exact(len.max(n_more)).is_err() {
                return std::ptr::null();
            }
            self.0.resize(len, 0);
        }
        self.0.as_ptr()
    }

    /// The first `len` bytes.
    pub(crate) fn bytes(&self, len: usize) -> &[u8] {
        self.0.get(..len).unwrap_or(&self.0)
    }

    /// The same as a text. What is not UTF-8 becomes U+FFFD, as everywhere in JavaScript.
    pub(crate) fn text(&self, len: usize) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(len))
    }
}

/// What a method says about its output: the length times two, and one more if all of it is
/// ASCII.
pub(crate) fn measure(output: &str) -> f64 {
    #[allow(clippy::cast_precision_loss)] // It is below 2^33.
    let len = output.len() as f64;
    len * 2.0 + f64::from(u8::from(output.is_ascii()))
}

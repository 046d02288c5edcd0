//! Memory shared with JavaScript, which writes texts into it and reads results from it.

use std::borrow::Cow;

use barelink_js_wide::Wide;

/// The result of a method if the text is too long. For other results, see [`measure`].
pub(crate) const TOO_LONG: f64 = -1.0;

/// The input and output of a class.
#[derive(Default)]
pub(crate) struct Buffers {
    pub(crate) input: Input,
    pub(crate) output: String,
    /// Either of them in UTF-16.
    pub(crate) wide: Wide,
}

/// Defines the methods by which JavaScript accesses the `buffers` of a class.
macro_rules! buffered {
    ($class:ident) => {
        #[wasm_bindgen]
        impl $class {
            /// Makes room for a text of so many bytes, and tells where it is: null if there is
            /// no memory for it.
            pub fn input(&mut self, len: usize) -> *const u8 {
                self.buffers.input.reserve(len)
            }

            /// The same for a text of so many UTF-16 units.
            #[wasm_bindgen(js_name = wideInput)]
            pub fn wide_input(&mut self, len: usize) -> *const u16 {
                self.buffers.wide.reserve(len)
            }

            /// Takes the text from there as the input, which moves. Returns its length in bytes.
            #[wasm_bindgen(js_name = takeWide)]
            pub fn take_wide(&mut self, len: usize) -> usize {
                self.buffers.input.take(&self.buffers.wide, len)
            }

            /// Where the output is.
            pub fn output(&self) -> *const u8 {
                self.buffers.output.as_ptr()
            }

            /// Makes UTF-16 of the output. Returns how many units it has; negative if there is
            /// no memory for it.
            #[wasm_bindgen(js_name = widenOutput)]
            #[allow(clippy::cast_precision_loss)] // It is below 2^32.
            pub fn widen_output(&mut self) -> f64 {
                self.buffers.wide.write(&self.buffers.output).map_or(-1.0, |len| len as f64)
            }

            /// Where the output is in UTF-16.
            #[wasm_bindgen(js_name = wideOutput)]
            pub fn wide_output(&self) -> *const u16 {
                self.buffers.wide.address()
            }
        }
    };
}
pub(crate) use buffered;

/// The memory that JavaScript writes a text to. It is always initialized, and as long as the
/// longest text so far.
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

    /// Takes a text in UTF-16. Returns its length.
    pub(crate) fn take(&mut self, wide: &Wide, len: usize) -> usize {
        wide.read(len, &mut self.0)
    }

    /// The first `len` bytes.
    pub(crate) fn bytes(&self, len: usize) -> &[u8] {
        self.0.get(..len).unwrap_or(&self.0)
    }

    /// The first `len` bytes as text. Invalid UTF-8 becomes U+FFFD, as everywhere in JavaScript.
    #[inline(never)] // Every method calls it.
    pub(crate) fn text(&self, len: usize) -> Cow<'_, str> {
        let bytes = self.bytes(len);
        simdutf8::basic::from_utf8(bytes)
            .map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
    }
}

/// The result of a method: the length of its output times two, plus one if all of it is ASCII.
pub(crate) fn measure(output: &str) -> f64 {
    #[allow(clippy::cast_precision_loss)] // It is below 2^33.
    let len = output.len() as f64;
    len * 2.0 + f64::from(u8::from(output.is_ascii()))
}

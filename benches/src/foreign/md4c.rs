//! MD4C, as its package's `libmd4c-html` has it: output comes in pieces through
//! a callback, and is put together in a reused buffer.

use std::ffi::{c_char, c_int, c_uint, c_void};

use crate::engines::{Config, Engine};

/// `MD_FLAG_PERMISSIVEAUTOLINKS`, tables, strikethrough and task lists.
const DIALECT_GITHUB: c_uint = 0x0004 | 0x0008 | 0x0400 | 0x0100 | 0x0200 | 0x0800;

type Output = extern "C" fn(*const c_char, c_uint, *mut c_void);

unsafe extern "C" {
    fn md_html(
        input: *const c_char,
        input_size: c_uint,
        process_output: Output,
        userdata: *mut c_void,
        parser_flags: c_uint,
        renderer_flags: c_uint,
    ) -> c_int;
}

/// MD4C and the buffer for its output.
#[derive(Debug)]
pub struct Md4c {
    flags: c_uint,
    out: Vec<u8>,
}

impl Md4c {
    /// The engine in that configuration.
    pub fn new(config: Config) -> Self {
        let flags = match config {
            Config::CommonMark => 0,
            Config::Gfm => DIALECT_GITHUB,
        };
        Self { flags, out: Vec::new() }
    }
}

impl Engine for Md4c {
    fn html(&mut self, source: &str) -> &[u8] {
        self.out.clear();
        let n_bytes = c_uint::try_from(source.len()).expect("a corpus is below 4 GiB");
        let out: *mut Vec<u8> = &raw mut self.out;
        // SAFETY: the source is valid for the length given, and the callback gets
        // the buffer, which nothing else touches until the call is over.
        let status = unsafe {
            md_html(source.as_ptr().cast(), n_bytes, push_output, out.cast(), self.flags, 0)
        };
        assert_eq!(status, 0, "md4c gave up");
        &self.out
    }
}

extern "C" fn push_output(piece: *const c_char, n_bytes: c_uint, out: *mut c_void) {
    // SAFETY: MD4C gives a piece of that length, and the pointer that came from
    // a `Vec<u8>` in `html`.
    let (piece, out) = unsafe {
        (
            std::slice::from_raw_parts(piece.cast::<u8>(), n_bytes as usize),
            &mut *out.cast::<Vec<u8>>(),
        )
    };
    out.extend_from_slice(piece);
}

//! cmark-gfm, as its packages have it: a tree, and HTML in memory of its own,
//! which is read where it lies and freed before the next.

use std::ffi::{CStr, c_char, c_int, c_void};

use crate::engines::{Config, Engine};

/// `CMARK_OPT_UNSAFE`: raw HTML and every destination pass.
const OPT_UNSAFE: c_int = 1 << 17;

const EXTENSIONS: &[&CStr] = &[c"table", c"strikethrough", c"autolink", c"tasklist"];

unsafe extern "C" {
    fn cmark_gfm_core_extensions_ensure_registered();
    fn cmark_parser_new(options: c_int) -> *mut c_void;
    fn cmark_parser_free(parser: *mut c_void);
    fn cmark_parser_feed(parser: *mut c_void, buffer: *const c_char, n_bytes: usize);
    fn cmark_parser_finish(parser: *mut c_void) -> *mut c_void;
    fn cmark_find_syntax_extension(name: *const c_char) -> *mut c_void;
    fn cmark_parser_attach_syntax_extension(parser: *mut c_void, extension: *mut c_void) -> c_int;
    fn cmark_parser_get_syntax_extensions(parser: *mut c_void) -> *mut c_void;
    fn cmark_render_html(root: *mut c_void, options: c_int, extensions: *mut c_void)
    -> *mut c_char;
    fn cmark_node_free(node: *mut c_void);
    fn free(pointer: *mut c_void);
}

/// cmark-gfm, with the output of its last call.
#[derive(Debug)]
pub struct CmarkGfm {
    config: Config,
    html: *mut c_char,
}

impl CmarkGfm {
    /// The engine in that configuration.
    pub fn new(config: Config) -> Self {
        // SAFETY: it takes nothing and may be called again.
        unsafe { cmark_gfm_core_extensions_ensure_registered() };
        Self { config, html: std::ptr::null_mut() }
    }

    fn free_html(&mut self) {
        // SAFETY: null, or what `cmark_render_html` gave and nobody freed.
        unsafe { free(self.html.cast()) };
        self.html = std::ptr::null_mut();
    }
}

impl Engine for CmarkGfm {
    fn html(&mut self, source: &str) -> &[u8] {
        self.free_html();
        // SAFETY: every pointer comes from the library and is freed once, after
        // its last use; the source is valid for the length given; the extensions'
        // list belongs to the parser, which outlives the rendering.
        unsafe {
            let parser = cmark_parser_new(OPT_UNSAFE);
            if self.config == Config::Gfm {
                for name in EXTENSIONS {
                    let extension = cmark_find_syntax_extension(name.as_ptr());
                    assert!(!extension.is_null(), "cmark-gfm has no {name:?}");
                    cmark_parser_attach_syntax_extension(parser, extension);
                }
            }
            cmark_parser_feed(parser, source.as_ptr().cast(), source.len());
            let root = cmark_parser_finish(parser);
            let extensions = cmark_parser_get_syntax_extensions(parser);
            self.html = cmark_render_html(root, OPT_UNSAFE, extensions);
            cmark_node_free(root);
            cmark_parser_free(parser);
            CStr::from_ptr(self.html).to_bytes()
        }
    }
}

impl Drop for CmarkGfm {
    fn drop(&mut self) {
        self.free_html();
    }
}

//! The Python package: the extension module `barelink._barelink`, which `python/barelink`
//! wraps.

mod array;
mod build;
mod column;
mod explain;
mod ffi;
mod hook;
mod link;
mod linkify;
mod options;
mod pages;
mod parser;
mod quick;
mod rows;
mod sieve;
mod source;
mod stream;
mod written;

use pyo3::prelude::*;

/// The engine of the package `barelink`. Import that one.
#[pymodule(gil_used = false)]
mod _barelink {
    #[pymodule_export]
    use crate::column::{Column, run_column};
    #[pymodule_export]
    use crate::explain::{Decision, Trim, explain};
    #[pymodule_export]
    use crate::hook::Action;
    #[pymodule_export]
    use crate::link::{BareLink, Link, restore_bare_link, restore_link};
    #[pymodule_export]
    use crate::linkify::{find_links, linkify};
    #[pymodule_export]
    use crate::parser::{Parser, links, to_html, to_text};
    #[pymodule_export]
    use crate::stream::{Block, Stream, Update};

    use pyo3::prelude::{Bound, PyModule, PyModuleMethods as _, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("PRESETS", barelink::Options::PRESETS)?;
        let dialects: Vec<&str> = barelink::Dialect::ALL.iter().map(|it| it.name()).collect();
        module.add("DIALECTS", dialects)?;
        module.add("OPTIONS", crate::options::NAMES)?;
        crate::quick::add(module)
    }
}

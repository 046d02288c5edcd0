//! The user's own schemes, shared by all searches for candidates in a document.
//!
//! Most documents have none, and then nothing is allocated.

use std::sync::Arc;

use barelink_autolink::engine::{self, Schemes};

use crate::options::Options;

/// The schemes of [`Options::schemes`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Own(Option<Arc<[String]>>);

/// The candidates for bare links in a text.
pub(crate) type Candidates<'t> = engine::Candidates<'t, Own>;

impl Own {
    #[inline]
    pub(crate) fn of(options: &Options) -> Self {
        let schemes = &options.schemes;
        Self((!schemes.is_empty()).then(|| schemes.as_slice().into()))
    }
}

impl Schemes for Own {
    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn has(&self, scheme: &[u8]) -> bool {
        let mut schemes = self.0.iter().flat_map(|schemes| schemes.iter());
        schemes.any(|own| own.as_bytes().eq_ignore_ascii_case(scheme))
    }
}

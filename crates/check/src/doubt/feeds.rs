//! Form feeds and vertical tabs, which are spaces in some places to cmark-gfm, and in others to the
//! engine.
//!
//! LINEAR: a region that was found for one is not searched again.

use barelink::Span;
use memchr::memchr2_iter;

use super::lines::line_start;
use super::tags::end_of_html;

/// Their regions, each from the previous line up to a blank line.
pub(super) fn around_feeds(source: &[u8]) -> Vec<Span> {
    let mut regions: Vec<Span> = Vec::new();
    for at in memchr2_iter(0x0B, 0x0C, source) {
        if regions.last().is_some_and(|region| at < region.end as usize) {
            continue;
        }
        let line = line_start(source, at);
        let start = line_start(source, line.saturating_sub(1));
        regions.push(Span::new(start as u32, end_of_html(source, at) as u32));
    }
    regions
}

//! Form feeds and vertical tabs, which are spaces to cmark-gfm in some places and to us in others.
//!
//! LINEAR: a line that was looked at for one is not looked at for the next.

use barelink::Span;
use memchr::memchr2_iter;

use super::lines::line_start;
use super::tags::end_of_html;

/// From the line before each on, all up to a blank line.
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

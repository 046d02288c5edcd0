//! Raw HTML: escaped, dropped, passed, or passed through GFM's tag filter.

use barelink_text::set::ByteSet;

use super::escape::push_escaped_range;
use crate::options::Options;
use crate::policy::RawHtml;

/// GFM, "Disallowed Raw HTML (extension)": tags that change how the rest of a
/// page is read.
const FILTERED: [&str; 9] =
    ["title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext"];

/// The first bytes of these names, in both cases: enough to rule out nearly all tags.
static FILTERED_STARTS: ByteSet = {
    let mut starts = ByteSet::new();
    let mut idx = 0;
    while idx < FILTERED.len() {
        let first = FILTERED[idx].as_bytes()[0];
        starts = starts.add(first).add(first.to_ascii_uppercase());
        idx += 1;
    }
    starts
};

/// Appends raw HTML as the policy says.
pub(super) fn push_raw(html: &str, options: &Options, out: &mut String) {
    push_raw_range(html, 0, html.len(), options, out);
}

/// Appends the raw HTML `text[start..end]` as the policy says.
pub(crate) fn push_raw_range(
    text: &str,
    start: usize,
    end: usize,
    options: &Options,
    out: &mut String,
) {
    match options.policy.raw_html {
        RawHtml::Escape => push_escaped_range(text, start, end, out),
        RawHtml::Drop => {}
        RawHtml::Pass if options.tag_filter => {
            push_filtered(text.get(start..end).unwrap_or_default(), out);
        }
        RawHtml::Pass => out.push_str(text.get(start..end).unwrap_or_default()),
    }
}

/// LINEAR: at each `<`, a bounded number of bytes is read.
fn push_filtered(html: &str, out: &mut String) {
    let mut from = 0;
    for at in memchr::memchr_iter(b'<', html.as_bytes()) {
        if is_filtered(&html.as_bytes()[at + 1..]) {
            out.push_str(&html[from..at]);
            out.push_str("&lt;");
            from = at + 1;
        }
    }
    out.push_str(&html[from..]);
}

/// Whether the tag whose text after `<` is `rest` is filtered.
fn is_filtered(rest: &[u8]) -> bool {
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    if !rest.first().is_some_and(|&first| FILTERED_STARTS.contains(first)) {
        return false;
    }
    FILTERED.iter().any(|name| {
        let Some((head, after)) = rest.split_at_checked(name.len()) else { return false };
        head.eq_ignore_ascii_case(name.as_bytes())
            && match after {
                [] | [b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | b'>', ..] => true,
                _ => after.starts_with(b"/>"),
            }
    })
}

#[cfg(test)]
mod tests {
    use super::push_filtered;

    #[test]
    fn listed_tags_are_filtered_in_any_case() {
        for (html, filtered) in [
            ("<script>", "&lt;script>"),
            ("a</STYLE >", "a&lt;/STYLE >"),
            ("<title/>", "&lt;title/>"),
            ("<titles> <b> <", "<titles> <b> <"),
            ("<xmp", "&lt;xmp"),
        ] {
            let mut out = String::new();
            push_filtered(html, &mut out);
            assert_eq!(out, filtered);
        }
    }
}

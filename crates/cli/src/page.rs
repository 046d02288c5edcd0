//! The page around a document, for `--full`: doctype, character set, viewport, title
//! and a small stylesheet that follows the reader's choice of light or dark.

use crate::source::Source;

/// The title of a page that has neither a heading nor a file name.
const NO_TITLE: &str = "Untitled";

const STYLE: &str = include_str!("page.css");

/// What follows the documents.
pub(crate) const FOOT: &str = "</body>\n</html>\n";

/// Appends what comes before the documents. The title is HTML already.
pub(crate) fn push_head(title: &str, out: &mut String) {
    out.push_str(
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
    );
    out.push_str(title);
    out.push_str("</title>\n<style>\n");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n");
}

/// The title of a rendered document as HTML: its first heading that has text, or else
/// the name of its source.
pub(crate) fn title(html: &str, source: &Source) -> String {
    if let Some(text) = heading_text(html) {
        return text;
    }
    let stem = source.stem().unwrap_or_else(|| NO_TITLE.to_owned());
    stem.replace('&', "&amp;").replace('<', "&lt;")
}

/// The text of the first heading that has any, its entities left as they are.
///
/// LINEAR: each look starts where the last one ended, and a heading without an end
/// ends the search.
fn heading_text(html: &str) -> Option<String> {
    let mut rest = html;
    loop {
        rest = &rest[rest.find("<h")?..];
        let [_, _, level @ b'1'..=b'6', b'>' | b' ', ..] = rest.as_bytes() else {
            rest = &rest[2..];
            continue;
        };
        let end = rest.find(&format!("</h{}>", char::from(*level)))?;
        let text = without_tags(&rest[..end]);
        if !text.is_empty() {
            return Some(text);
        }
        rest = &rest[end..];
    }
}

/// The text between tags, its white space made single spaces.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    // The piece before the first tag, then what follows the end of each.
    for (piece_idx, piece) in html.split('<').enumerate() {
        if piece_idx == 0 {
            text.push_str(piece);
        } else if let Some((tag, after)) = piece.split_once('>') {
            if tag.starts_with("br") {
                text.push(' ');
            }
            text.push_str(after);
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_is_the_text_of_the_first_heading() {
        let source = Source::File("notes/to do.md".into());
        for (html, expected) in [
            ("<p>x</p>\n<h2 id=\"a\">A <em>b</em>\n&amp; <code>c</code></h2>", "A b &amp; c"),
            ("<h1><img src=\"a\" /></h1>\n<h2>B</h2>", "B"),
            ("<h1>a<br />\nb</h1>", "a b"),
            ("<hr />\n<p>no heading</p>", "to do"),
            ("<h1>no end", "to do"),
            ("<h7>x</h7><header>y</header>", "to do"),
        ] {
            assert_eq!(title(html, &source), expected, "{html}");
        }
    }

    #[test]
    fn the_name_of_a_file_is_escaped() {
        assert_eq!(title("", &Source::File("a<b&c.md".into())), "a&lt;b&amp;c");
        assert_eq!(title("", &Source::Stdin), NO_TITLE);
    }
}

//! The page around a document, for `--full`: doctype, language, character set, viewport,
//! title and a small stylesheet that follows the reader's choice of light or dark.

use barelink::{Document, html};

use crate::front_matter::Meta;
use crate::report::Report;
use crate::source::Source;

/// The title of a page that has neither a heading nor a file name.
const NO_TITLE: &str = "Untitled";

/// The default language of a page.
pub(crate) const DEFAULT_LANG: &str = "en";

const STYLE: &str = include_str!("page.css");

/// The HTML after the documents.
pub(crate) const FOOT: &str = "</body>\n</html>\n";

/// Appends the HTML before the first document. `lang` is for documents that specify none.
pub(crate) fn push_head(
    document: &Document<'_, '_>,
    source: &Source,
    lang: &str,
    report: &Report,
    out: &mut String,
) {
    let meta = Meta::of(document).unwrap_or_else(|what| {
        report.warning(source, what);
        Meta::default()
    });
    let title = meta.title.or_else(|| heading(document)).or_else(|| source.stem());
    let title = title.as_deref().unwrap_or(NO_TITLE);
    out.push_str("<!DOCTYPE html>\n<html lang=\"");
    html::push_escaped(meta.lang.as_deref().unwrap_or(lang), out);
    out.push_str(
        "\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
    );
    html::push_escaped(title, out);
    out.push_str("</title>\n<style>\n");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n");
}

/// The text of the first heading that has any, with white space collapsed.
fn heading(document: &Document<'_, '_>) -> Option<String> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    document.headings().map(|heading| words(&heading.text)).find(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use barelink::Options;

    /// The title and the language of a page.
    fn head(text: &str, source: &Source) -> (String, String) {
        let mut options = Options::github();
        options.front_matter = true;
        let document = barelink::parse(text, &options).unwrap();
        let mut out = String::new();
        push_head(&document, source, DEFAULT_LANG, &Report::new(), &mut out);
        let between = |start: &str, end: &str| {
            let rest = out.split_once(start).unwrap().1;
            rest.split_once(end).unwrap().0.to_owned()
        };
        (between("<title>", "</title>"), between("<html lang=\"", "\">"))
    }

    #[test]
    fn the_title_is_the_one_the_document_gives_itself() {
        let source = Source::File("notes/to do.md".into());
        for (text, title, lang) in [
            ("---\ntitle: \"A & b\"\nlang: de\n---\n# C", "A &amp; b", "de"),
            ("---\nlang: \"\\\"><\"\n---\n# C", "C", "&quot;&gt;&lt;"),
            ("x\n\n## A *b* & `c`", "A b &amp; c", "en"),
            ("A\n*b* &\n`c`\n---", "A b &amp; c", "en"),
            ("#\n\n## B", "B", "en"),
            ("no heading", "to do", "en"),
        ] {
            assert_eq!(head(text, &source), (title.to_owned(), lang.to_owned()), "{text}");
        }
    }

    #[test]
    fn the_name_of_a_file_is_escaped() {
        assert_eq!(head("", &Source::File("a<b&c.md".into())).0, "a&lt;b&amp;c");
        assert_eq!(head("", &Source::Stdin).0, NO_TITLE);
    }
}

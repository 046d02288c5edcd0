//! Each row of the table of limits in `ARCHITECTURE.md`: up to the limit all is as usual,
//! and beyond it happens what the table says. What has no limit is taken far.
//!
//! The limit of the source itself is tested in `source_len.rs`, without 4 GiB of memory, and that
//! of front matter in the command, which has it.

use std::thread;

use barelink::stream::Update;
use barelink::{EventKind, Options, Parser, Stream, to_html};

fn html(source: &str, preset: &str) -> String {
    to_html(source, &Options::preset(preset).unwrap()).unwrap()
}

#[test]
fn definitions_add_as_much_as_the_source_so_far_and_100_000_bytes_at_least() {
    // `/` and so many letters are added by each link.
    const LEN: usize = 1000;
    let definition = format!("[a]: /{}\n\n", "x".repeat(LEN - 1));
    let n_links = |n: usize| {
        let source = format!("{definition}{}", "[a] ".repeat(n));
        let html = html(&source, "commonmark");
        // Those beyond the limit stay the text they are, and the others links.
        let n_links = html.matches("<a href").count();
        assert_eq!(html.matches("[a]").count(), n - n_links);
        n_links
    };
    assert_eq!(n_links(100), 100);
    assert_eq!(n_links(101), 100);
    let n = 200_000;
    // Each is judged by the place of its `]`.
    let mut n_expected = 0;
    for idx in 0..n {
        let offset = definition.len() + 4 * idx + 2;
        n_expected += usize::from((n_expected + 1) * LEN <= offset.max(100_000));
    }
    assert!(n_expected > 100 && n_expected <= (definition.len() + 4 * n) / LEN);
    assert_eq!(n_links(n), n_expected);
}

#[test]
fn a_stream_keeps_to_what_definitions_may_add() {
    // A paragraph of one line, and lines, in which all but the first few references stay text.
    let definition = format!("[a]: /{}\n\n", "u".repeat(20_000));
    for unit in ["[a] ", "b [a] *c*\n", "> [a] d\n"] {
        let source = definition.clone() + &unit.repeat(2_000);
        for len in [7, 53, 250] {
            let mut stream = Stream::new(Options::github());
            let mut page = String::new();
            let apply = |page: &mut String, update: Update<'_>| {
                for splice in update.splices() {
                    page.replace_range(splice.start..splice.end, splice.html);
                }
            };
            for piece in source.as_bytes().chunks(len) {
                stream.push_bytes(piece).expect("it is short");
                apply(&mut page, stream.update());
            }
            apply(&mut page, stream.finish());
            assert!(page == html(&source, "github"), "{unit:?} in pieces of {len}");
        }
    }
}

#[test]
fn rows_are_filled_up_by_as_many_cells_as_bytes_came_so_far_and_100_000_at_least() {
    const N_COLUMNS: usize = 1001;
    let head = format!("{}|\n{}|\n", "|a".repeat(N_COLUMNS), "|-".repeat(N_COLUMNS));
    let table = |n: usize| {
        let html = html(&format!("{head}{}", "|b\n".repeat(n)), "gfm");
        (html.matches("<td>").count(), html.contains("</table>\n<p>|b"))
    };
    // A row takes a thousand.
    assert_eq!(table(100), (100 * N_COLUMNS, false));
    assert_eq!(table(101), (100 * N_COLUMNS, true));
    // Whatever follows, the table ends where the hundred rows before it were too many.
    assert_eq!(table(50_000), (100 * N_COLUMNS, true));
    // Where more came before, there may be more.
    let text = "a".repeat(200_000);
    let html = html(&format!("{text}\n\n{head}{}", "|b\n".repeat(1000)), "gfm");
    let offset = |row: usize| text.len() + 2 + head.len() + 3 * row - 1;
    let n_rows = (1..=1000).take_while(|row| row * (N_COLUMNS - 1) <= offset(*row)).count();
    assert!(n_rows >= 200);
    assert_eq!(html.matches("<td>").count(), n_rows * N_COLUMNS);
}

/// HTML alone is written from a copy with line feeds, where offsets are less; but not if a
/// limit depends on them.
#[test]
fn carriage_returns_count_as_any_byte_before_them() {
    let lines = "a\r\n".repeat(60_000);
    let definition = format!("[a]: /{}\r\n\r\n", "x".repeat(999));
    let links = format!("{definition}{lines}\r\n{}", "[a] ".repeat(1000));
    let head = format!("{}|\r\n{}|\r\n", "|a".repeat(1001), "|-".repeat(1001));
    let rows = format!("{lines}\r\n{head}{}", "|b\r\n".repeat(1000));
    for (source, tag) in [(links, "<a href"), (rows, "<td>")] {
        let mut parser = Parser::new(Options::gfm());
        let mut from_document = String::new();
        parser.parse(&source).unwrap().push_html(&mut from_document);
        let in_one_call = html(&source, "gfm");
        assert!(in_one_call == from_document, "{} bytes differ", source.len());
        // What was written before the limit was met is not written again.
        let mut written = Vec::new();
        parser.parse(&source).unwrap().write_html(&mut written).unwrap();
        assert!(in_one_call.as_bytes() == written, "{} bytes differ", source.len());
        // There are fewer where nothing but line feeds come before.
        let line_feeds = html(&source.replace("\r\n", "\n"), "gfm");
        let (n_here, n_there) = (in_one_call.matches(tag).count(), line_feeds.matches(tag).count());
        assert!(n_there >= 100 && n_here > n_there, "{n_here} {tag}, and {n_there}");
    }
}

#[test]
fn a_table_has_65_535_columns_at_most() {
    for (n, is_table) in [(65_535, true), (65_536, false)] {
        let source = format!("{}|\n{}|\n", "|a".repeat(n), "|-".repeat(n));
        let html = html(&source, "gfm");
        assert_eq!(html.starts_with("<table>"), is_table, "{n} columns");
        assert_eq!(html.starts_with("<p>|a|a"), !is_table, "{n} columns");
    }
}

#[test]
fn parentheses_in_a_destination_nest_32_deep() {
    for (depth, is_link) in [(32, true), (33, false)] {
        let destination = format!("{}{}", "(".repeat(depth), ")".repeat(depth));
        let html = html(&format!("[a]({destination})"), "commonmark");
        let expected = if is_link {
            format!("<p><a href=\"{destination}\">a</a></p>\n")
        } else {
            format!("<p>[a]({destination})</p>\n")
        };
        assert_eq!(html, expected);
    }
}

#[test]
fn a_label_has_999_bytes_at_most() {
    for (len, is_label) in [(999, true), (1000, false)] {
        let label = "a".repeat(len);
        let reference = html(&format!("[{label}]\n\n[{label}]: /u\n"), "commonmark");
        assert_eq!(reference.contains("<a href=\"/u\">"), is_label, "{len} bytes");
        assert_eq!(reference.contains("]: /u"), !is_label, "{len} bytes");
    }
}

#[test]
fn a_part_of_a_wiki_link_has_1000_bytes_at_most() {
    let mut options = Options::commonmark();
    options.wiki_links = true;
    for (len, is_link) in [(1000, true), (1001, false)] {
        let part = "a".repeat(len);
        for source in [format!("[[{part}]]"), format!("[[{part}|b]]"), format!("[[b|{part}]]")] {
            let html = to_html(&source, &options).unwrap();
            assert_eq!(html.contains("data-wikilink"), is_link, "{len} bytes");
            assert_eq!(html == format!("<p>{source}</p>\n"), !is_link, "{len} bytes");
        }
    }
}

#[test]
fn a_footnote_is_written_once_however_often_it_is_cited() {
    const N: usize = 10_000;
    let html = html(&format!("{}\n\n[^a]: note\n", "[^a]".repeat(N)), "github");
    assert_eq!(html.matches("note").count(), html.matches("footnote").count() + 1);
    assert_eq!(html.matches("<li id=").count(), 1);
    assert_eq!(html.matches("data-footnote-backref ").count(), N);
}

/// Far more deeply nested than this stack would allow to any recursion.
#[test]
fn nesting_has_no_limit() {
    const STACK_LEN: usize = 128 * 1024;
    const N: usize = 30_000;
    let check = || {
        for (open, tag) in [("> ", "<blockquote>"), ("- ", "<ul>"), ("1. ", "<ol>")] {
            let source = format!("{}a", open.repeat(N));
            assert_eq!(html(&source, "github").matches(tag).count(), N, "{open}");
            let mut parser = Parser::new(Options::github());
            let document = parser.parse(&source).unwrap();
            let n_ends = document.events().filter(|event| matches!(event.kind, EventKind::End(_)));
            assert!(n_ends.count() > N, "{open}");
        }
        let emphasis = html(&format!("{}b{}", "*a **a ".repeat(N), " a** a*".repeat(N)), "github");
        assert_eq!(emphasis.matches("<em>a <strong>a ").count(), N);
        let images = format!("{}a{}", "![".repeat(N), "](b)".repeat(N));
        assert_eq!(html(&images, "github"), "<p><img src=\"b\" alt=\"a\" /></p>\n");
    };
    thread::Builder::new().stack_size(STACK_LEN).spawn(check).unwrap().join().unwrap();
}

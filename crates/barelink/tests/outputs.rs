//! What comes out does not depend on what was read before, nor on how it is taken: a parser
//! that has read other documents, with other options, gives what a fresh one gives, and HTML
//! is the same as a string and through `io::Write`, in however many pieces.

#[path = "checks/reused.rs"]
mod reused;

use std::io;

use self::reused::all_outputs;
use barelink::{Options, OwnedDocument, Parser, RawHtml};
use barelink_spectest::{made, random::Random};

/// Documents that leave much behind: open containers, definitions, notes, long leaves.
const LEFTOVERS: &[&str] = &[
    "> - 1. [^1]: a\n\n[^1]: b\n[a]: /u 'v\n w'\n",
    "|a|b|\n|-|:-:|\n|c|\n\n```x\n- open",
    "***a **b* ~~c [d ![e `f <!-- g",
    "# a\n# a\n[^n] [^n]\n\n[^n]: # a\n\n[a]: b\n[A]\n",
    "a\0b\r\nc  \r\n> d\n\te\\\nwww.a.bc a&#64;b.cd <a>http://a.bc",
    "",
];

fn presets() -> Vec<Options> {
    let mut all = Vec::new();
    for name in Options::PRESETS {
        let plain = Options::preset(name).expect("a listed preset exists");
        let mut rich = plain.clone();
        rich.policy.heading_ids = true;
        rich.policy.source_positions = true;
        all.extend([plain, rich]);
    }
    all
}

#[test]
fn a_used_parser_is_as_good_as_a_fresh_one() {
    let mut random = Random::new(7);
    let presets = presets();
    let mut used = Parser::new(Options::commonmark());
    for n in 0..120 {
        let source = match LEFTOVERS.get(n % 20) {
            Some(leftover) => (*leftover).to_owned(),
            None => random.document(&made::PIECES),
        };
        for options in &presets {
            let mut fresh = Parser::new(options.clone());
            let expected = all_outputs(&fresh.parse(&source).expect("short"));
            used.set_options(options.clone());
            let again = all_outputs(&used.parse(&source).expect("short"));
            assert_eq!(again, expected, "a used parser on {source:?}");
            let mut html = String::from("before");
            used.push_html(&source, &mut html).expect("short");
            let fresh_html = barelink::to_html(&source, options).expect("short");
            assert_eq!(html.strip_prefix("before"), Some(&*fresh_html), "{source:?}");
        }
    }
}

/// A source whose lines all end in CRLF is copied first, if its HTML alone is wanted.
#[test]
fn html_of_crlf_is_that_of_the_document_and_of_line_feeds() {
    let mut random = Random::new(11);
    let mut parser = Parser::new(Options::commonmark());
    for n in 0..60 {
        let mut source = String::new();
        while source.len() < 1500 {
            source.push_str(&random.document(&made::PIECES));
            source.push('\n');
        }
        let line_feeds = source.replace("\r\n", "\n").replace('\r', "\n");
        let crlf = line_feeds.replace('\n', "\r\n");
        // The first line decides, and what comes later may be something else.
        let odd = ["", "\n", "\r", "\r\r\n", "\0", "\r\0\n"][n % 6];
        let odd = format!("a\r\n{crlf}{odd}b\r\n{crlf}");
        for options in presets() {
            parser.set_options(options.clone());
            for source in [&crlf, &odd] {
                let mut html = String::new();
                parser.push_html(source, &mut html).expect("short");
                // This one is read as it is, leaf by leaf.
                let document = barelink::parse(source, &options).expect("short");
                let document = document.with_autolinks(options.autolinks);
                let mut expected = String::new();
                document.push_html(&mut expected);
                assert_eq!(html, expected, "{source:?}");
                let expected = all_outputs(&document);
                let deferred = parser.parse(source).expect("short");
                assert_eq!(all_outputs(&deferred), expected, "{source:?}");
                let deferred = barelink::parse(source, &options).expect("short");
                assert_eq!(all_outputs(&deferred), expected, "{source:?}");
                let deferred = OwnedDocument::parse(source.clone(), &options).expect("short");
                assert_eq!(all_outputs(&deferred.get()), expected, "{source:?}");
            }
            let html = barelink::to_html(&crlf, &options).expect("short");
            assert_eq!(html, barelink::to_html(&line_feeds, &options).expect("short"));
        }
    }
}

/// Fails if an id occurs twice, and returns how many there are. Raw HTML must be shown as text, or
/// there must be none, so that every tag is ours.
fn check_ids(source: &str, options: &Options) -> usize {
    let html = barelink::to_html(source, options).expect("short");
    let mut ids: Vec<_> =
        html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?} of {source:?}, {options:?}");
    ids.len()
}

#[test]
fn no_id_occurs_twice() {
    let mut random = Random::new(3);
    let mut n_ids = 0;
    for n in 0..100 {
        let made = random.document(&made::PIECES);
        let source = format!(
            "# a\n\n# fn-1\n\n# b {{#a-1}}\n\n[^1] [^1]\n\n{made}\n\n# a\n\n# c {{#fnref-1}}\n\n\
             > [!NOTE]\n> # d {{#a}}\n\n[^1]: # fnref-1-2\n"
        );
        for mut options in presets() {
            options.policy.heading_ids = true;
            options.policy.id_prefix = if n % 2 == 0 { "".into() } else { "x-".into() };
            for attributes in [false, true] {
                options.heading_attributes = attributes;
                n_ids += check_ids(&source, &options);
            }
        }
    }
    assert!(n_ids > 2000, "{n_ids} ids");
}

/// Names for headings, ids and notes that look like what is made of others.
const NAMES: &[&str] = &[
    "a",
    "a",
    "A",
    "a-1",
    "a-2",
    "a-1-1",
    "a-2-1",
    "1",
    "fn-a",
    "fn-1",
    "fnref-a",
    "fnref-a-2",
    "fnref-1-2",
    "fn-a-2",
    "heading-fn-a",
    "heading-fn-a-1",
    "heading-",
    "é",
    "É",
    "%C3%A9",
    "x-a",
    "x-fn-a",
    "fn-fn-a",
    "?",
    "fn",
    "fnref-",
];

/// A document of headings, some with an id of their own, in alerts and notes, too, and of notes
/// with many references.
fn document_of_ids(random: &mut Random) -> String {
    let mut source = String::new();
    for _ in 0..20 {
        let (name, id, note) = (random.pick(NAMES), random.pick(NAMES), random.pick(NAMES));
        let line = match random.below(12) {
            0 | 1 => format!("# {name}\n"),
            2 => format!("## {name} {{#{id}}}\n"),
            3 => format!("{name} {{#{id} .{note}}}\n===\n"),
            4 => format!("# {{#{id}}}\n"),
            5 => format!("# {name} {{#{note} #{id} id={name} ID={note}}}\n"),
            6 => format!("> [!TIP]\n> # {name} {{#{id}}}\n"),
            7 => format!("- # {name}\n"),
            8 => format!("[^{note}]: # {name} {{#{id}}}\n\n    [^{id}]\n"),
            9 => format!("[^{note}]: {name} [^{id}]\n"),
            10 => format!("[^{note}]: {name}\n\n[^{note}] [^{id}]\n"),
            _ => format!("[^{note}] [^{id}][^{note}]\n"),
        };
        source.push_str(&line);
        source.push('\n');
    }
    source
}

#[test]
fn no_id_occurs_twice_whatever_headings_and_notes_are_called() {
    let mut random = Random::new(5);
    let mut n_ids = 0;
    for _ in 0..300 {
        let source = document_of_ids(&mut random);
        for mut options in presets() {
            (options.heading_attributes, options.footnotes, options.alerts) = (true, true, true);
            options.policy.id_prefix = (*random.pick(&["", "x-", "fn-", "é \""])).into();
            // Attributes besides ids and classes are written where raw HTML passes.
            options.policy.raw_html = *random.pick(&[RawHtml::Escape, RawHtml::Pass]);
            n_ids += check_ids(&source, &options);
        }
    }
    assert!(n_ids > 20_000, "{n_ids} ids");
}

/// A writer that notes how much it got at a time.
#[derive(Default)]
struct Pieces {
    all: Vec<u8>,
    n_pieces: usize,
}

impl io::Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.all.extend_from_slice(bytes);
        self.n_pieces += 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn html_is_the_same_in_pieces() {
    for seed in 0..2 {
        let mut random = Random::new(seed);
        let mut source = String::new();
        while source.len() < 200_000 {
            let document = random.document(&made::PIECES) + "\n\n";
            // Whatever leaves something open would make most of the text one block.
            let alone = barelink::to_html(&(document.clone() + "end"), &Options::commonmark());
            if alone.expect("short").ends_with("<p>end</p>\n") {
                source.push_str(&document);
            }
        }
        for options in presets() {
            let document = barelink::parse(&source, &options).expect("short");
            let mut html = String::new();
            document.push_html(&mut html);
            let mut pieces = Pieces::default();
            document.write_html(&mut pieces).expect("it takes everything");
            assert!(pieces.n_pieces > 2, "{} pieces", pieces.n_pieces);
            assert!(html.as_bytes() == pieces.all, "seed {seed}: HTML differs in pieces");
        }
    }
}

#[test]
fn a_writer_that_fails_is_told_of() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "full"))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut parser = Parser::new(Options::gfm());
    let document = parser.parse("*a*").expect("short");
    let error = document.write_html(Full).expect_err("it is full");
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    // And the parser can still be used.
    assert_eq!(document.links().count(), 0);
    let mut html = String::new();
    parser.push_html("*a*", &mut html).expect("short");
    assert_eq!(html, "<p><em>a</em></p>\n");
}

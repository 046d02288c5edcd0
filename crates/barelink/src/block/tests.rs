//! Properties of the block phase as a whole.

use barelink_spectest::{made, random::Random};
use barelink_text::find::Slots;

use super::accelerate::accelerate_message;
use super::source_lines::SourceLines;
use super::{BlockBuffers, Phase, parse};
use crate::options::Options;
use crate::tape::pieces::Layout;
use crate::tape::{Block, Role, Tape};

fn presets() -> impl Iterator<Item = Options> {
    Options::PRESETS.iter().map(|name| Options::preset(name).expect("a listed preset exists"))
}

/// The presets, and what none of them has: each block of an extension alone, and all of them.
fn option_sets() -> Vec<Options> {
    let set = |change: fn(&mut Options)| {
        let mut options = Options::gfm();
        change(&mut options);
        options
    };
    let all = |options: &mut Options| {
        *options = Options::natural();
        (options.tables, options.task_lists, options.strikethrough) = (true, true, true);
        (options.footnotes, options.alerts, options.front_matter) = (true, true, true);
        (options.definition_lists, options.heading_attributes) = (true, true);
    };
    let others = [
        set(|options| options.definition_lists = true),
        set(|options| (options.tables, options.definition_lists) = (false, true)),
        set(|options| options.heading_attributes = true),
        set(|options| options.front_matter = true),
        set(all),
    ];
    presets().chain(others).collect()
}

fn tape(source: &str, options: &Options) -> Tape {
    let mut tape = Tape::default();
    parse(source, options, &mut tape, &mut BlockBuffers::default());
    tape
}

/// Documents as they are made, and with other line endings and NULs. Some have front matter.
fn documents(seed: u64) -> impl Iterator<Item = String> {
    let mut random = Random::new(seed);
    (0..1500).map(move |n| {
        let pieces = if n % 3 == 0 { made::EXTENDED } else { made::PIECES };
        let mut document = random.document(&pieces);
        if n % 7 == 0 {
            document.insert_str(0, "---\na: b\n---\n");
        }
        match n % 6 {
            0 | 1 => document,
            2 => document.replace('\n', "\r\n"),
            3 => document.replace('\n', "\r"),
            4 => document.replace("\n\n", "\r\n\n").replace("a\n", "a\r"),
            _ => document.replace('b', "\0"),
        }
    })
}

/// In debug builds `parse` itself compares its tape with that of the general path: this only
/// asserts that there is enough to compare.
#[test]
fn accelerators_do_what_the_path_does() {
    let mut n_records = 0;
    for document in documents(1) {
        for options in option_sets() {
            n_records += tape(&document, &options).records.len();
        }
    }
    assert!(cfg!(debug_assertions) && n_records > 50_000, "{n_records}");
}

/// The lines of a document, read in parts that end before each of these offsets. Only the state,
/// the open containers and the tape carry over from part to part. If `ways` has both ways, parts
/// alternate between them.
struct Parts<'s> {
    source: &'s str,
    options: &'s Options,
    cuts: &'s [usize],
    ways: [Way; 2],
}

/// How the lines of a part are read.
#[derive(Clone, Copy, Debug)]
enum Way {
    Path,
    Accelerated,
}

impl Parts<'_> {
    fn tape(&self) -> Tape {
        let Self { source, options, cuts, ways } = *self;
        let (mut tape, mut buffers) = (Tape::default(), BlockBuffers::default());
        let mut phase = Phase::new(source, options, &mut tape, &mut buffers);
        let first = phase.start();
        let mut state = phase.state;
        let ends = cuts.iter().copied().filter(|cut| *cut > first).chain([source.len()]);
        let mut start = first;
        for (n, end) in ends.enumerate() {
            // What follows the part is not known yet.
            let source = &source[..end];
            let (tape, buffers) = (&mut tape, &mut buffers);
            let mut phase = Phase { source, options, tape, buffers, state };
            let mut slots = Slots::default();
            let mut lines = SourceLines::new(source.as_bytes(), start, &mut slots);
            match ways[n % 2] {
                Way::Accelerated => phase.lines(&mut lines),
                Way::Path => {
                    while let Some(line) = phase.next_line(&mut lines) {
                        phase.line(line);
                    }
                }
            }
            (start, state) = (end, phase.state);
        }
        let (tape_so_far, buffers) = (&mut tape, &mut buffers);
        let mut phase = Phase { source, options, tape: tape_so_far, buffers, state };
        phase.close_containers(0);
        tape
    }
}

/// Where the lines of a document end, with their endings.
fn line_ends(document: &str) -> Vec<usize> {
    let mut slots = Slots::default();
    let mut lines = SourceLines::new(document.as_bytes(), 0, &mut slots);
    let mut starts: Vec<_> = lines.by_ref().map(|line| line.start).skip(1).collect();
    starts.push(document.len());
    starts
}

#[test]
fn a_phase_can_be_resumed_at_every_line() {
    use Way::{Accelerated, Path};
    let mut n_cuts = 0;
    for document in documents(2) {
        let ends = line_ends(&document);
        n_cuts += ends.len();
        for options in &option_sets() {
            let whole = tape(&document, options);
            let check = |cuts: &[usize], ways: [Way; 2]| {
                let parts = Parts { source: &document, options, cuts, ways }.tape();
                let what =
                    || format!("{document:?} in parts up to {cuts:?}, {ways:?}, {options:?}");
                assert_eq!(parts.records, whole.records, "{}", what());
                assert!(parts == whole, "{}", what());
            };
            for ways in [[Path, Path], [Accelerated, Accelerated], [Path, Accelerated]] {
                check(&ends, ways);
            }
            for cut in ends.chunks(1) {
                for ways in [[Accelerated, Accelerated], [Accelerated, Path], [Path, Accelerated]] {
                    check(cut, ways);
                }
            }
        }
    }
    assert!(n_cuts > 5_000, "{n_cuts}");
}

/// For each accelerator, lines that it takes, their number, and lines that it must not take.
#[test]
fn each_accelerator_takes_its_lines() {
    for (what, source, n_taken) in [
        ("blank", "\n\n\n> a\n", 3),
        ("paragraph", "a\nb\n\n> c\n", 3),
        ("paragraph of CRLF", "a\r\nb\r\n\r\n> c\r\n", 3),
        ("lone carriage return", "a\rb\n> c\n", 2),
        ("to the end", "a\nb", 2),
        ("continuation", "*a*\nb\nc\n> d\n", 0),
        ("quote", "> a\nb\n", 0),
        ("heading", "# a\nb\n", 0),
        ("HTML", "<div>\na\n", 0),
        ("white space", "  \na\n", 0),
        ("indented, from its first line on", "a\n\n\tb\n\t c \n    d\n\ne\n> f\n", 7),
        ("indented white space", "    \na\n", 0),
    ] {
        assert_eq!(n_accelerated(source, 0), n_taken, "{what}");
    }
    for (what, source, n_path, n_taken) in [
        ("continuation", "*a*\nb\nc\n> d\n", 1, 2),
        ("fenced", "```\na\n\nb\n ```\n> c\n", 1, 3),
        ("fenced, of CRLF", "```\r\na\r\nb\r\n```\r\n> c\r\n", 1, 2),
        ("indented fence", " ```\na\n ```\n> b\n", 1, 0),
        ("indented", "\ta\n\tb\n\n    c\n     d\n", 1, 4),
        ("indented, and a line of white space", "\ta\n\t\tb\n\t \n\tc\n", 1, 1),
        ("indented by a space and a tab", "\ta\n \tb\n", 1, 0),
        ("item", "- a\n- b\n- c\n  d\n", 1, 2),
        ("nested items", "- a\n  - b\n  - c\n- d\n+ e\n", 2, 2),
        ("other bullet", "- a\n* b\n", 1, 0),
        ("item in a quote", "> - a\n> - b\n", 1, 0),
        ("item that starts a block", "- a\n- # b\n", 1, 0),
        ("indented, and a paragraph", "    a\n\n    b\nc\n> d\n", 1, 3),
    ] {
        assert_eq!(n_accelerated(source, n_path), n_taken, "{what}");
    }
}

/// Which documents are taken as messages of one line. That they get the right record is checked by
/// `parse` itself.
#[test]
fn a_message_is_one_line_of_text() {
    let (longest, longer) = ("a".repeat(1024), "a".repeat(1025));
    for (source, is_taken) in [
        ("a", true),
        ("see *this*, [b](c) and https://a.bc  \t", true),
        ("\u{e9}t\u{e9} \u{1f642}", true),
        ("(a) | b | \\", true),
        ("&amp;", true),
        (&longest, true),
        (&longer, false),
        ("", false),
        (" a", false),
        ("\ta", false),
        ("a\n", false),
        ("a\rb", false),
        ("a\0", false),
        ("\u{feff}a", false),
        ("[a]: /b", false),
        ("1. a", false),
        ("---", false),
        ("| a", false),
        (": a", false),
    ] {
        let mut message = Tape::default();
        assert_eq!(accelerate_message(source, &mut message), is_taken, "{source:?}");
        for options in option_sets() {
            let tape = tape(source, &options);
            assert!(!is_taken || tape == message, "{source:?}");
        }
    }
}

/// The number of lines accelerated after the first `n_path` lines took the general path.
fn n_accelerated(source: &str, n_path: usize) -> usize {
    let (mut tape, mut buffers, mut slots) = Default::default();
    let options = Options::gfm();
    let mut phase = Phase::new(source, &options, &mut tape, &mut buffers);
    let mut lines = SourceLines::new(source.as_bytes(), 0, &mut slots);
    for _ in 0..n_path {
        let line = lines.next().expect("a line");
        phase.line(line);
    }
    let line = lines.next().expect("a line");
    let left = phase.accelerate(line, &mut lines).map_or(source.len(), |left| left.start);
    let mut slots = Slots::default();
    SourceLines::new(&source.as_bytes()[..left], line.start, &mut slots).count()
}

#[test]
fn lines_of_crlf_are_one_slice() {
    for source in ["a\r\nb\r\nc", "```\r\na\r\nb\r\n```", "<div>\r\na\r\n"] {
        let tape = tape(source, &Options::commonmark());
        let texts = tape.records.iter().filter(|record| record.lines().layout == Layout::Crlf);
        assert_eq!(texts.count(), 1, "{source:?}");
    }
}

#[test]
fn a_table_has_an_exit_like_a_container() {
    let tape = tape("> |a|b|\n> |-|-|\n> |c|\n\nd", &Options::gfm());
    let table = tape.records.iter().position(|it| matches!(it.block, Block::Table { .. }));
    let exits: Vec<_> = tape
        .records
        .iter()
        .filter_map(
            |it| if let Block::Exit { enter, n: 1 } = it.block { Some(enter) } else { None },
        )
        .collect();
    assert_eq!(table, Some(1));
    assert_eq!(exits, [1, 0]);
}

#[test]
fn an_exit_says_where_each_was_entered() {
    let tape = tape("> - a\n>   - > - > b\n\nc", &Options::gfm());
    let enters: Vec<_> = tape.records.iter().map(|it| it.block.role() == Role::Enter).collect();
    let mut open = Vec::new();
    for (idx, record) in tape.records.iter().enumerate() {
        if enters[idx] {
            open.push(idx);
        }
        let left: Vec<_> = record.left().collect();
        let innermost = open.split_off(open.len() - left.len());
        assert!(innermost.iter().rev().eq(&left), "{innermost:?} {left:?}");
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(tape.records.iter().any(|it| it.left().len() > 2));
}

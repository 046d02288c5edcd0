//! Streams: a push with an update costs the same however much came before it.
//!
//! What has no neutral place is read again as often as it likes while that is little, so the
//! smallest inputs are longer than elsewhere: behind some 3,000 bytes, each byte has to earn what
//! is read again.

use super::counting::{self, Task};
use super::{Family, check, with_presets};

/// Bytes of the smallest input.
const LEN_STREAMED: usize = 12_000;

/// The same where a block can only be read whole: that is bounded from 16 KiB on.
const LEN_WHOLE: usize = 24_000;

/// The same in long pieces: the first 256 KiB may be read again for nothing.
const LEN_LONG_PIECES: usize = 64_000;

/// How much more a push may cost in a nest that is four times as deep, beyond four times as much.
const DEPTH_MAX: f64 = 1.3;

/// How much a stream may cost in all, in times of one parse, whatever it is made of.
const TOTAL_MAX: f64 = 12.0;

/// What a stream may hold besides the source, in times of what one parse takes.
const MEMORY_MAX: f64 = 1.2;

/// What is repeated, behind what.
const FAMILIES: [(&str, &str); 23] = [
    ("", "some words and others, "),
    ("", "*some* **words** and _others_ "),
    ("", "see [this](/there) and so on "),
    ("", "see `some <code>` and so on "),
    ("", "some words and others, which go on and on\n"),
    ("", "> some words and others, which go on and on\n"),
    ("", "> > > > > > > > some words and others, which go on\n"),
    ("*a ", "some words and others, "),
    ("*a ", "see `some` code and so on, "),
    ("a ", "                       "),
    ("[a]: /", "some-words-and-others,-"),
    ("`a ", "some words and others, "),
    ("[a ", "some words and others, "),
    ("", "some words and others\n\n"),
    ("", "# some words\n\nand others\n\n"),
    ("", "- some words and others\n"),
    ("", "- some words and others\n\n"),
    ("- a\n\n", "  some words and others\n\n"),
    ("| a | b |\n|---|---|\n", "| some *words* | and others |\n"),
    ("```\n", "some code < and more\n"),
    ("- ```\n", "  some code < and more\n"),
    ("", "    some code < and more\n"),
    ("<div>\n", "some <b>html</b> and more\n"),
];

fn families() -> Vec<Family> {
    let family = |&(before, unit): &(&'static str, &'static str)| Family {
        name: format!("{before:?} {unit:?}"),
        make: Box::new(move |n| format!("{before}{}", unit.repeat(n))),
    };
    let mut families: Vec<Family> = FAMILIES.iter().map(family).collect();
    let name = "a list that turns loose at its end".to_owned();
    let make = Box::new(|n| "- some words\n".repeat(n) + "\n- end\n");
    families.push(Family { name, make });
    families
}

#[test]
fn streams_are_linear() {
    let families = families();
    check("streams", &with_presets(&families, "stream", &["github", "natural"]), LEN_STREAMED);
}

/// What cannot be written in parts: what is repeated, behind what. `N` is a number.
const WHOLE: [(&str, &str); 17] = [
    ("# ", "*some words and "),
    ("[^1]: ", "some *words and others, "),
    ("[a]: b \"", "some words and others, "),
    ("[^1]: a\n\n", "- some words[^1] and others\n"),
    ("[^1]: a\n\nb[^1]\n\n", "[^N]: some words\n\nand others[^N]\n\n"),
    ("", "some words[^N]\n\n[^N]: and others\n\n"),
    ("[^1]: a\n\n", "some words[^1] and others, "),
    ("[^1]:\n", "a[^1]\n"),
    // What the last line is depends on all of its start.
    ("", " "),
    ("a\n\n> ", "\t"),
    ("", "#"),
    ("|a|\n", "|-"),
    ("[^", "a"),
    // A definition may precede the paragraph, or the title of an alert does.
    ("> [a]: b c\n", "> some words and others\n"),
    ("> [a\n", "> some words and others\n"),
    ("> [!TIP]\n", "> some words and others\n"),
    ("> [!TIP] a\n", "some words and others\n"),
];

#[test]
fn streams_of_what_is_read_whole_are_linear() {
    let family = |&(before, unit): &(&'static str, &'static str)| Family {
        name: format!("{before:?} {unit:?}"),
        make: Box::new(move |n| {
            (0..n).fold(before.to_owned(), |made, n| made + &unit.replace('N', &n.to_string()))
        }),
    };
    let mut families: Vec<Family> = WHOLE.iter().map(family).collect();
    let make = Box::new(|n| {
        let all =
            |unit: &str| -> String { (0..n).map(|n| unit.replace('N', &n.to_string())).collect() };
        all("words[^N]\n\n") + &all("[^N]: others\n\n")
    });
    families.push(Family { name: "notes at the end".to_owned(), make });
    for unit in ["*d ", "d "] {
        let make = move |n| format!("[a\\]b\n  {}1) {}", "c\n  ".repeat(n), unit.repeat(n));
        let name = format!("a list of one item of {unit:?} behind a paragraph");
        families.push(Family { name, make: Box::new(make) });
    }
    check("whole", &with_presets(&families, "stream", &["github"]), LEN_WHOLE);
}

/// Blocks are short: with source positions, one is read whole.
#[test]
fn streams_with_positions_are_linear() {
    let unit = |unit: &'static str| Family {
        name: format!("{unit:?}"),
        make: Box::new(move |n| unit.repeat(n)),
    };
    let units = ["some words and others\n\n", "# some words\n\n", "---\n", "é\r\n\r\n"];
    let mut families: Vec<Family> = units.into_iter().map(unit).collect();
    let make = Box::new(|n| "some [words]\n\n".repeat(n) + "[words]: /u\n");
    families.push(Family { name: "a late definition".to_owned(), make });
    check("positions", &with_presets(&families, "stream-all", &["github"]), LEN_WHOLE);
}

#[test]
fn guesses_are_linear() {
    let unit = |unit: &'static str| Family {
        name: format!("{unit:?}"),
        make: Box::new(move |n| unit.repeat(n)),
    };
    let units = ["some words and others, ", "some words\n", "*some words ", "[", "$a ", ":a", "**"];
    let mut families: Vec<Family> = units.into_iter().map(unit).collect();
    // What is held back may be a part of what was written apart.
    families.push(unit(":tada:**b"));
    // A paragraph that is complete is not guessed about.
    let make = Box::new(|n| "a=][".repeat(n) + &"\n".repeat(4 * n));
    families.push(Family { name: "blank lines".to_owned(), make });
    check("guesses", &with_presets(&families, "optimistic", &["github"]), LEN_WHOLE);
}

/// Ends of links that are not complete, in pieces as long as the command reads them.
#[test]
fn streams_in_long_pieces_are_linear() {
    let unit = |unit: &'static str, after: &'static str| Family {
        name: format!("{unit:?} {after:?}"),
        make: Box::new(move |n| unit.repeat(n) + after),
    };
    let families = [unit("[a](b）", ""), unit("[a](b (", ")x")];
    check("long", &with_presets(&families, "stream-long", &["github"]), LEN_LONG_PIECES);
}

/// Counts what is done with each source, or says why not.
fn count(name: &str, sources: &[(&'static str, String)]) -> Option<Vec<u64>> {
    let task = |(what, source): &(&'static str, String)| Task {
        what,
        preset: "github",
        source: source.clone(),
    };
    match counting::count(name, &sources.iter().map(task).collect::<Vec<_>>()) {
        Ok(counts) => Some(counts),
        Err(problem) if problem.is_skip() => {
            eprintln!("{name}: skipped, {problem}");
            None
        }
        Err(problem) => panic!("{problem}"),
    }
}

#[test]
#[allow(clippy::cast_precision_loss)] // A ratio is judged by two digits.
fn streams_in_nests_cost_their_depth() {
    let words = "some words and others, ".repeat(200);
    for (marker, n) in [("> ", 25), ("- ", 25)] {
        let nest = |depth: usize| ("stream", format!("{}{words}", marker.repeat(depth)));
        let Some(counts) = count("nests", &[nest(n), nest(4 * n)]) else { return };
        let growth = counts[1] as f64 / counts[0] as f64;
        eprintln!("{marker}: {counts:?}, {growth:.2}");
        assert!(growth < 4.0 * DEPTH_MAX, "{marker} {growth:.2}");
    }
}

/// Lists in lists, and then a blank line at every level, the innermost first.
fn flipping_levels(depth: usize) -> String {
    let level = |n: usize, text: &str| format!("{}- {text}\n", "  ".repeat(n));
    let down = (0..depth).map(|n| level(n, "a"));
    let up = (0..depth).rev().map(|n| "\n".to_owned() + &level(n, "b"));
    down.chain(up).collect()
}

#[test]
#[allow(clippy::cast_precision_loss)] // As above.
fn streams_of_adversaries_cost_a_few_parses() {
    let labels =
        |unit: &str| -> String { (0..1000).map(|n| unit.replace('N', &n.to_string())).collect() };
    let sources = [
        ("the first mark flips", "*a ".to_owned() + &"b* c*d ".repeat(3000)),
        ("late definitions", labels("[lN]\n\n") + &labels("[lN]: /u\n\n")),
        ("lists flip", "- a\n\n- b\n1. c\n\n2. d\n".repeat(1000)),
        ("every level flips", flipping_levels(30)),
    ];
    let tasks: Vec<_> = sources
        .iter()
        .flat_map(|(_, source)| [("html", source.clone()), ("stream", source.clone())])
        .collect();
    let Some(counts) = count("adversaries", &tasks) else { return };
    for ((name, _), counts) in sources.iter().zip(counts.chunks(2)) {
        let ratio = counts[1] as f64 / counts[0] as f64;
        eprintln!("{name}: {counts:?}, {ratio:.2}");
        assert!(ratio < TOTAL_MAX, "{name}: {ratio:.2} times one parse");
    }
}

/// A document of blocks that are not long: what is settled is not kept.
#[test]
#[allow(clippy::cast_precision_loss)] // As above.
fn streams_keep_little() {
    let blocks: String = FAMILIES
        .iter()
        .map(|(before, unit)| format!("{before}{}\n\n", unit.repeat(12)).replace("```", "~~~"))
        .map(|block| if block.contains("~~~") { block + "~~~\n\n" } else { block })
        .collect();
    let source = blocks.repeat(40);
    let memory = match counting::memory("memory", &["html", "stream"], "github", &source) {
        Ok(memory) => memory,
        Err(problem) => panic!("{problem}"),
    };
    let [html, stream] = memory[..] else { panic!("{memory:?}") };
    let ratio = stream.saturating_sub(source.len()) as f64 / html as f64;
    eprintln!("{} bytes: one parse {html}, a stream {stream}, {ratio:.2}", source.len());
    assert!(ratio < MEMORY_MAX, "{ratio:.2} times one parse, besides the source");
}

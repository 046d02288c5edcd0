//! What `explain` may take and write for a text that is all candidates: memory and output
//! stay in proportion to it, whichever dialect asks.

use serde_json::Value;

use crate::support::{Ran, Scratch, finish};

/// The dialects, each of which sees other links in these texts.
const DIALECTS: [&str; 4] = ["gfm", "github", "md4c", "natural"];

/// A text of about so many bytes, made of what stands before, what is repeated, and what
/// stands behind.
type Family = (&'static str, &'static str, &'static str);

/// In each but the last two, one dialect has a link over all that another decides piece by
/// piece.
const FAMILIES: [Family; 9] = [
    ("", "http://a.bc/?x=(http://", ""),
    ("", "(www.aa.bb?c(", ""),
    ("", "http://a.bc/", ""),
    ("", "http://a.bc,http://b.cd,", ""),
    ("http://a.bc/", "@", ""),
    ("http://a.bc/", "\\*http://", ""),
    ("www.", "a@", ""),
    ("", "\\@", "a@b.cd"),
    ("", "a@b.cd ", ""),
];

/// Of what looks like a Markdown link and is none: one behind the other, or begun and not ended.
const BROKEN: [Family; 6] = [
    ("", "[a](b c) ", ""),
    ("", "[a][b] ", ""),
    ("", "[a](b", ""),
    ("", "[a](<b", ""),
    ("", "[a](b \"", ""),
    ("", "[a(b.cd)", ""),
];

/// Broken links, each in the text of the next.
fn nested(len: usize) -> String {
    let n_links = len / "[](b c)".len();
    format!("{}{}", "[".repeat(n_links), "](b c)".repeat(n_links))
}

fn make((before, unit, after): Family, len: usize) -> String {
    format!("{before}{}{after}", unit.repeat(len / unit.len()))
}

/// What `explain` says of a text if it may have so many times the text's length of memory,
/// and two megabytes for everything else.
#[cfg(target_os = "linux")]
fn explain_within(n_times: usize, text: &str, args: &[&str]) -> Ran {
    use std::process::{Command, Stdio};

    let scratch = Scratch::new();
    scratch.write("a.md", text);
    let n_kib = 2048 + n_times * text.len() / 1024;
    let child = Command::new("sh")
        .args(["-c", &format!("ulimit -d {n_kib} && exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_barelink"))
        .args(["explain", "a.md"])
        .args(args)
        .current_dir(scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    finish(child)
}

/// Memory that is reserved and not used counts here, up to half of it.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_in_proportion() {
    for family in FAMILIES {
        let text = make(family, 50_000);
        for dialect in DIALECTS {
            let ran = explain_within(60, &text, &["--dialect", dialect]);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{family:?} in {dialect}");
        }
        let ran = explain_within(60, &text, &["--dialect", "md4c", "--at", "1:25000"]);
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{family:?}");
        assert!(ran.stdout.len() < 20_000, "{family:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_for_broken_links_is_in_proportion() {
    let texts = BROKEN.map(|family| make(family, 50_000));
    for text in texts.into_iter().chain([nested(50_000)]) {
        for args in [&[][..], &["--json"], &["--at", "1:25000"]] {
            let ran = explain_within(60, &text, args);
            assert_eq!((ran.code, &*ran.stderr), (Some(0), ""), "{} {args:?}", &text[..30]);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_bound_of_memory_would_be_noticed() {
    let ran = explain_within(1, &make(FAMILIES[0], 1_000_000), &[]);
    assert!(ran.code != Some(0) && ran.stderr.contains("memory allocation"), "{}", ran.stderr);
}

#[test]
fn json_is_in_proportion() {
    for family in FAMILIES {
        for dialect in DIALECTS {
            let args = ["explain", "--json", "--dialect", dialect];
            let len = |len| Scratch::new().run_with_stdin(&args, make(family, len)).ok().len();
            let (short, long) = (len(2000), len(8000));
            // Places take more digits.
            assert!(long < short * 9 / 2, "{family:?} in {dialect}: {short}, {long}");
        }
    }
}

#[test]
fn json_of_broken_links_is_in_proportion() {
    let len = |text: &str| Scratch::new().run_with_stdin(&["explain", "--json"], text).ok().len();
    let pairs = BROKEN.map(|family| [2000, 8000].map(|n_bytes| make(family, n_bytes)));
    for [short, long] in pairs.into_iter().chain([[nested(2000), nested(8000)]]) {
        let (short_len, long_len) = (len(&short), len(&long));
        assert!(short_len > 0 && long_len < short_len * 9 / 2, "{short}: {short_len}, {long_len}");
    }
}

#[test]
fn of_nested_broken_links_the_outermost_is_written_whole() {
    let out = Scratch::new().run(&["explain", "--json", "--text", "[a [b](c d)](e f)"]).ok();
    let found: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0]["candidate"]["text"], "[a [b](c d)](e f)");
    assert_eq!((&found[0]["text"], &found[0]["target"]), (&"a [b](c d)".into(), &"e f".into()));
    let span = serde_json::json!({ "span": { "start": 3, "end": 11 } });
    assert_eq!(found[1]["candidate"], span);
    assert_eq!((found[1].get("text"), found[1].get("target")), (None, None));
    assert_eq!((&found[1]["flaw"], &found[1]["at"]), (&"space-in-destination".into(), &8.into()));
}

#[test]
fn a_link_over_many_candidates_is_written_whole_for_the_first() {
    let text = make(FAMILIES[2], 600);
    let args = ["explain", "--json", "--dialect", "md4c", "--text", &text];
    let out = Scratch::new().run(&args).ok();
    let of_gfm: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["others"][0].clone())
        .collect();
    assert_eq!(of_gfm.len(), 50);
    assert_eq!((&of_gfm[0]["dialect"], &of_gfm[0]["href"]), (&"gfm".into(), &text.into()));
    for other in &of_gfm[1..] {
        assert_eq!(other["span"], of_gfm[0]["span"]);
        assert_eq!((other.get("href"), other.get("text"), other.get("trims")), (None, None, None));
    }
}

#[test]
fn past_the_limit_cases_are_counted() {
    let scratch = Scratch::new();
    let text = "@ ".repeat(1500);
    let run = |args: &[&str]| scratch.run_with_stdin(&[&["explain"], args].concat(), &text);
    let n_cases = |out: &str| out.lines().filter(|line| line.starts_with("<stdin>:1:")).count();

    let shown = run(&[]).ok();
    assert_eq!(n_cases(&shown), 1000);
    let end = "\n\n1500 candidates: 1500 refused\n500 of them are not shown: --limit 0 shows all\n";
    assert!(shown.ends_with(end), "{}", &shown[shown.len() - 200..]);
    assert_eq!(n_cases(&run(&["--limit", "7"]).ok()), 7);
    for args in [&["--limit", "0"][..], &["--limit", "1500"]] {
        let shown = run(args).ok();
        assert_eq!(n_cases(&shown), 1500);
        assert!(shown.ends_with("\n\n1500 candidates: 1500 refused\n"));
    }
    // A program gets all, unless it asks for less.
    assert_eq!(run(&["--json"]).ok().lines().count(), 1500);
    let some = run(&["--json", "--limit", "7"]);
    assert_eq!((some.code, some.stdout.lines().count()), (Some(0), 7));
    let warning = "barelink: <stdin>: warning: 1493 candidates of 1500 are not written\n";
    assert_eq!(some.stderr, warning);
}

#[test]
fn a_place_on_a_long_line_is_shown_with_what_is_around_it() {
    let text = format!("{}www.a.bc and{}", "漢字 ".repeat(30_000), " b@".repeat(30_000));
    let shown = Scratch::new().run_with_stdin(&["explain", "--at", "1:90005"], text).ok();
    assert!(shown.starts_with("<stdin>:1:90001: linked[gfm]: http://www.a.bc\n"), "{shown}");
    assert!(shown.len() < 1000, "{shown}");
    assert!(shown.contains("漢字 www.a.bc and b@ b@"), "{shown}");
}

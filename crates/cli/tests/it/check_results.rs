//! `check` and `fix`: what is told, in which words and formats, and baselines.

use crate::support::Scratch;

/// A line with one finding that has a safe fix.
const LOCAL: &str = "see http://localhost/x now\n";

/// One without any fix that leaves the page as it is.
const LEFT: &str = "\"www.a.bc\"\n";

#[test]
fn what_is_left_is_listed() {
    let scratch = Scratch::new();
    scratch.write("a.md", format!("{LOCAL}{LEFT}"));
    let left =
        |name: &str| format!("{name}:2:2: BL002 there is no link here, though a reader sees one\n");
    let ran = scratch.run_with_stdin(&["fix", "-"], LEFT);
    let expected = left("<stdin>").replace("2:2", "1:2");
    assert_eq!((ran.stdout.as_str(), ran.stderr), (LEFT, expected));
    let ran = scratch.run(&["fix", "--diff", "a.md"]);
    assert!(ran.stdout.starts_with("--- a.md\n") && !ran.stdout.contains("BL002"));
    let note = "barelink: 1 finding would be fixed in 1 file, 1 finding left\n";
    assert_eq!(ran.stderr, left("a.md") + note);
    let ran = scratch.run(&["fix", "a.md"]);
    assert_eq!(ran.stdout, left("a.md"));
}

#[test]
fn colors_are_for_those_who_want_them() {
    let scratch = Scratch::new();
    scratch.write("a.md", LOCAL);
    for args in [&["check", "--format", "concise"][..], &["fix", "--diff"]] {
        let plain = scratch.run(args).stdout;
        let colored = scratch.run(&[args, &["--color", "always"]].concat()).stdout;
        assert!(!plain.contains('\u{1B}') && colored.contains('\u{1B}'), "{colored}");
        let mut rest = colored.as_str();
        let mut stripped = String::new();
        while let Some((before, after)) = rest.split_once('\u{1B}') {
            stripped.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        assert_eq!(stripped + rest, plain);
    }
}

#[test]
fn statistics_are_also_json_and_say_that_there_is_nothing() {
    let scratch = Scratch::new();
    scratch.write("a.md", format!("{LOCAL}{LEFT}{LEFT}"));
    scratch.write("clean.md", "x\n");
    let statistics = |args: &[&str]| scratch.run(&[&["check", "--statistics"], args].concat());
    assert_eq!(statistics(&["a.md"]).stdout, "2  BL002  not-linked\n1  BL003  not-portable\n");
    assert_eq!(statistics(&["clean.md"]).ok(), "No findings in 1 file.\n");
    let ran = statistics(&["--format", "json"]);
    let counts: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let first = serde_json::json!({ "code": "BL002", "name": "not-linked", "count": 2 });
    assert_eq!((ran.code, &counts[0]), (Some(1), &first));
    assert_eq!(statistics(&["--format", "jsonl"]).stdout.lines().count(), 2);
    assert_eq!(statistics(&["--format", "json", "clean.md"]).ok(), "[]\n");
    let ran = statistics(&["--format", "junit"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--statistics"), "{}", ran.stderr);
}

#[test]
fn names_of_rules_may_have_spaces_and_dialects_count_once() {
    let scratch = Scratch::new();
    scratch.write("a.md", format!("{LOCAL}{LEFT}"));
    let check =
        |args: &[&str]| scratch.run(&[&["check", "--format", "concise"], args].concat()).stdout;
    assert_eq!(check(&["--select", "BL002, BL003"]).lines().count(), 2);
    assert_eq!(check(&["--select", " BL003 ", "--ignore", "BL001 , BL003"]), "");
    let once = check(&["--with", "gfm"]);
    assert!(once.contains("not by gfm"), "{once}");
    assert_eq!(check(&["--with", "gfm, gfm"]), once);
    scratch.write("barelink.toml", "with = ['gfm', 'gfm']\n");
    assert_eq!(check(&[]), once);
}

#[test]
fn what_check_cannot_do_is_told_with_its_usage() {
    let scratch = Scratch::new();
    for args in [
        &["check", "--fix"][..],
        &["check", "--diff", "a.md"],
        &["check", "--unsafe"],
        &["check", "-", "a.md"],
        &["check", "--statistics", "--format", "sarif"],
    ] {
        let ran = scratch.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.stderr.contains("Usage: barelink check [OPTIONS] [PATH]..."), "{}", ran.stderr);
        let is_about_fixes = !args[1].starts_with("-s") && args[1].starts_with("--");
        let is_told = ran.stderr.contains("`barelink fix`");
        assert_eq!(is_told, is_about_fixes && args.len() < 4, "{}", ran.stderr);
    }
    let help = scratch.run(&["check", "--help"]).ok();
    assert!(!help.contains("--fix") && !help.contains("--diff"), "{help}");
    assert!(!scratch.run(&["completions", "bash"]).ok().contains("--fix "));
}

#[test]
fn a_baseline_is_written_whole_and_keeps_what_was_not_checked() {
    let scratch = Scratch::new();
    for name in ["a.md", "b.md", "c.md"] {
        scratch.write(name, LOCAL);
    }
    let write = |paths: &[&str]| {
        let args = ["check", "--baseline", "known.json", "--write-baseline"];
        scratch.run(&[&args, paths].concat())
    };
    assert_eq!(write(&["a.md", "b.md", "c.md"]).code, Some(0));
    let whole = scratch.read("known.json");
    scratch.write("a.md", "x\n");
    // Nothing is written if something could not be read.
    let ran = write(&["a.md", "gone.md"]);
    let told = "barelink: gone.md: No such file or directory\n\
                barelink: known.json: is not written, since something could not be read\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), told));
    assert_eq!(scratch.read("known.json"), whole);
    // Others stay, but for those that are gone.
    std::fs::remove_file(scratch.path().join("c.md")).unwrap();
    assert_eq!(write(&["a.md"]).stderr, "barelink: 0 findings written to known.json\n");
    let text = scratch.read("known.json");
    assert_eq!(["a.md", "b.md", "c.md"].map(|name| text.contains(name)), [false, true, false]);
    // What is no baseline is not replaced by one.
    for other in ["# A\n", "[]", "{}", "{\"version\":2,\"files\":{}}"] {
        scratch.write("known.json", other);
        for ran in [write(&[]), scratch.run(&["check", "--baseline", "known.json"])] {
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
            assert!(ran.stderr.starts_with("barelink: known.json: is "), "{}", ran.stderr);
            assert!(!ran.stderr.contains("struct"), "{}", ran.stderr);
        }
        assert_eq!(scratch.read("known.json"), other);
    }
}

#[test]
fn the_help_says_which_exit_codes_there_are() {
    let scratch = Scratch::new();
    let ones = |args: &[&str]| {
        let help = scratch.run(args).ok();
        let ones = help.lines().filter(|line| line.starts_with("  1  "));
        ones.map(|line| line.trim_start_matches("  1    ").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ones(&["check", "--help"]), ["There are findings."]);
    let left = "Findings are left, or with --diff, some would be fixed.";
    assert_eq!(ones(&["fix", "--help"]), [left]);
    assert_eq!(ones(&["links", "--help"]), [""; 0]);
    assert_eq!(ones(&["--help"]).len(), 1);
}

#[test]
fn messages_are_for_people() {
    let scratch = Scratch::new();
    scratch.write("a.md", "x\n");
    scratch.write("barelink.toml", b"preset = '\xFF'\n");
    let ran = scratch.run(&["check"]);
    assert!(ran.stderr.ends_with("barelink.toml: is not valid UTF-8\n"), "{}", ran.stderr);
    let ran = scratch.run_with_stdin(&["mdbook"], "[1]");
    let what = "barelink: <stdin>: is not the input of a preprocessor of mdBook: that is a JSON \
                array of the context and the book\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), what));
    let ran = scratch.run(&["rule", "ALL"]);
    assert!(ran.code == Some(2) && !ran.stderr.contains("or ALL"), "{}", ran.stderr);
    let ran = scratch.run(&["check", "--isolated", "--select", "BL1"]);
    assert!(ran.stderr.contains("or ALL"), "{}", ran.stderr);
}

#[test]
fn what_a_baseline_has_is_not_fixed() {
    let scratch = Scratch::new();
    let known = format!("{LOCAL}\n{LEFT}\n[t] (https://a.bc)\n");
    scratch.write("docs/a.md", &known);
    scratch.run(&["check", "--baseline", "known.json", "--write-baseline"]);
    let fix = |flags: &[&str]| scratch.run(&[&["fix", "--baseline", "known.json"], flags].concat());
    for flags in [&[][..], &["--unsafe"], &["--diff"]] {
        let ran = fix(flags);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{flags:?}");
        assert_eq!(ran.stderr, "barelink: nothing to fix\n");
    }
    // What is new comes after what is known.
    let new = "http://localhost/new [u] (https://a.bc)\n";
    scratch.write("docs/a.md", format!("{known}\n{LOCAL}\n{LEFT}\n{new}"));
    let ran = fix(&[]);
    assert_eq!(ran.stderr, "barelink: 2 findings fixed in 1 file, 2 findings left\n");
    assert_eq!(ran.stdout.lines().count(), 2);
    let safe = |text: &str| {
        text.replace("http://localhost", "<http://localhost")
            .replace("/new", "/new>")
            .replace("/x", "/x>")
    };
    let fixed = format!("{known}\n{}\n{LEFT}\n{}", safe(LOCAL), safe(new));
    assert_eq!(scratch.read("docs/a.md"), fixed);
    let ran = fix(&["--unsafe"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    let fixed = scratch.read("docs/a.md");
    assert!(fixed.starts_with(&known) && fixed.ends_with("[u](https://a.bc)\n"), "{fixed}");
    assert_eq!(fix(&["--unsafe"]).stderr, "barelink: nothing to fix\n");
    // The command line names the file of standard input.
    let args = ["fix", "--baseline", "known.json", "--stdin-filename", "docs/a.md"];
    assert_eq!(scratch.run_with_stdin(&args, &known).ok(), known);
    assert_eq!(fix(&["--baseline", "gone.json"]).code, Some(2));
}

//! `check` and `fix`: files and folders, configuration, exit codes, and what is written where.

use crate::support::{Ran, Scratch};

/// A line with one finding that has a safe fix.
const LOCAL: &str = "see http://localhost/x now\n";

/// The codes of the findings of a run with `--format concise`.
fn codes(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().filter_map(|line| line.split(' ').nth(1)).collect()
}

#[test]
fn a_folder_is_read_as_git_sees_it() {
    let scratch = Scratch::new();
    for name in ["a.md", "docs/b.markdown", "docs/c.mdx", "docs/d.txt", ".hidden/e.md", "out/f.md"]
    {
        scratch.write(name, LOCAL);
    }
    scratch.write(".gitignore", "out\n");
    std::fs::create_dir(scratch.path().join(".git")).unwrap();
    let ran = scratch.run(&["check", "--format", "concise"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    let files: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(files, ["a.md", "docs/b.markdown", "docs/c.mdx"]);
    // What is named is read, whatever it is.
    let ran = scratch.run(&["check", "--format", "concise", "docs/d.txt", "out/f.md"]);
    assert_eq!(codes(&ran), ["BL003", "BL003"]);
    // The same walk elsewhere.
    let links = scratch.run(&["links", "--preset", "github", "docs"]).ok();
    assert!(
        links.starts_with("docs/b.markdown:1:5") && links.contains("docs/c.mdx:1:5"),
        "{links}"
    );
    assert_eq!(scratch.run(&["html", "--out-dir", "site", "docs"]).code, Some(0));
    assert!(scratch.files().contains(&"site/docs/b.html".to_owned()));
    let explained = scratch.run(&["explain", "docs"]).ok();
    assert!(explained.contains("docs/b.markdown:1:") && explained.contains("docs/c.mdx:1:"));
}

#[test]
fn exit_codes_tell_findings_from_faults() {
    let scratch = Scratch::new();
    scratch.write("clean.md", "see https://example.com\n");
    scratch.write("a.md", LOCAL);
    assert_eq!(scratch.run(&["check", "clean.md"]).code, Some(0));
    assert_eq!(scratch.run(&["check", "a.md"]).code, Some(1));
    assert_eq!(scratch.run(&["check", "--exit-zero", "a.md"]).code, Some(0));
    let ran = scratch.run(&["check", "a.md", "gone.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.contains("BL003") && ran.stderr.contains("gone.md: No such file"));
    assert_eq!(scratch.run(&["check", "--select", "BL999"]).code, Some(2));
    assert_eq!(scratch.run(&["check", "--with", "latex"]).code, Some(2));
}

#[test]
fn what_cannot_be_read_is_not_counted() {
    let scratch = Scratch::new();
    scratch.write("clean.md", "see https://example.com\n");
    scratch.write("a.md", LOCAL);
    let ran = scratch.run(&["check", "gone.md"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let ran = scratch.run(&["check", "clean.md", "gone.md"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), "No findings in 1 file.\n"));
    let ran = scratch.run(&["check", "a.md", "gone.md", "clean.md"]);
    assert!(ran.stdout.contains("1 finding in 1 of 2 files.\n"), "{}", ran.stdout);
    let ran = scratch.run(&["check", "--format", "junit", "gone.md", "a.md", "clean.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.contains("tests=\"3\" failures=\"1\" errors=\"1\">"), "{}", ran.stdout);
    let error = "<error type=\"unreadable\" message=\"No such file or directory\">";
    assert!(ran.stdout.contains(error), "{}", ran.stdout);
    let ran = scratch.run(&["fix", "gone.md"]);
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(2), 1), "{}", ran.stderr);
    // A folder without documents is no fault.
    std::fs::create_dir(scratch.path().join("empty")).unwrap();
    let ran = scratch.run(&["check", "empty"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "No findings in 0 files.\n"));
    assert_eq!(ran.stderr, "barelink: empty: warning: there are no Markdown files in it\n");
}

#[test]
fn rules_are_chosen() {
    let scratch = Scratch::new();
    scratch.write("a.md", "http://localhost/x \"www.a.bc\" https://b.cd\n");
    let run = |flags: &[&str]| {
        let args = [&["check", "--format", "concise", "a.md"], flags].concat();
        codes(&scratch.run(&args)).iter().map(|code| (*code).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(run(&[]), ["BL003", "BL002"]);
    assert_eq!(run(&["--select", "BL002"]), ["BL002"]);
    assert_eq!(run(&["--ignore", "not-linked"]), ["BL003"]);
    assert_eq!(run(&["--extend-select", "BL004"]), ["BL003", "BL004", "BL002", "BL004"]);
    assert_eq!(run(&["--with", "natural"]), ["BL002"]);
    assert_eq!(run(&["--with", "commonmark"]), ["BL003", "BL002", "BL003"]);
    // GFM's own text links no host without a period.
    assert_eq!(run(&["--dialect", "gfm", "--with", "natural"]), ["BL002", "BL002"]);
}

#[test]
fn the_nearest_configuration_counts() {
    let scratch = Scratch::new();
    scratch.write("barelink.toml", "ignore = ['BL003']\nexclude = ['old']\n");
    scratch.write("a.md", LOCAL);
    scratch.write("old/b.md", "\"www.a.bc\"\n");
    scratch.write("own/barelink.toml", "[[override]]\nfiles = ['*.mdx']\nselect = []\n");
    scratch.write("own/c.md", LOCAL);
    scratch.write("own/d.mdx", LOCAL);
    let args = |flags: &[&'static str]| [&["check", "--format", "concise"][..], flags].concat();
    assert!(scratch.run(&args(&[])).stdout.starts_with("own/c.md:1:5: BL003"));
    assert_eq!(codes(&scratch.run(&args(&[]))).len(), 1);
    assert_eq!(codes(&scratch.run(&args(&["--isolated"]))).len(), 4);
    assert_eq!(codes(&scratch.run(&args(&["old/b.md"]))).len(), 1);
    assert_eq!(codes(&scratch.run(&args(&["--force-exclude", "old/b.md"]))).len(), 0);
    assert_eq!(codes(&scratch.run(&args(&["--config", "own/barelink.toml", "a.md"]))).len(), 1);

    let python = Scratch::new();
    python.write("pyproject.toml", "[tool.other]\nx = 1\n[tool.barelink]\nselect = ['BL004']\n");
    python.write("docs/a.md", "https://a.bc\n");
    assert_eq!(codes(&python.run(&args(&[]))), ["BL004"]);
}

#[test]
fn a_wrong_configuration_is_told_with_its_line() {
    let scratch = Scratch::new();
    scratch.write("barelink.toml", "style = 'auto'\nselct = ['BL001']\n");
    scratch.write("a.md", LOCAL);
    let ran = scratch.run(&["check"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    let expected = "barelink.toml: line 2: unknown field `selct`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `select`?"), "{}", ran.stderr);
}

#[test]
fn a_comment_with_an_unknown_rule_is_a_warning() {
    let scratch = Scratch::new();
    let text = format!("# 中\n\n<!-- barelink-disable BL03 -->\n\n{LOCAL}");
    scratch.write("a.md", &text);
    scratch.write("clean.md", "a <!-- barelink-disabel -->\n");
    let ran = scratch.run(&["check", "--format", "concise", "a.md", "clean.md"]);
    // It is no finding, and switches nothing off.
    assert_eq!((ran.code, codes(&ran)), (Some(1), vec!["BL003"]));
    let warning = "barelink: a.md:3:23: warning: unknown rule `BL03`: expected a code such as \
                   BL001, a name such as wrong-end, or ALL; did you mean `BL003`?\n";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    let ran = scratch.run(&["check", "--format", "json", "clean.md"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "[]\n"));
    let warning = "barelink: clean.md:1:8: warning: unknown comment `barelink-disabel`; did you \
                   mean `barelink-disable`?\n";
    assert_eq!(ran.stderr, warning);
    let ran = scratch.run(&["fix", "clean.md"]);
    assert_eq!((ran.code, ran.stderr), (Some(0), format!("{warning}barelink: nothing to fix\n")));
    let ran = scratch.run_with_stdin(&["fix", "-"], "<!-- barelink-disable x -->\n");
    assert!(ran.stderr.starts_with("barelink: <stdin>:1:23: warning:"), "{}", ran.stderr);
}

#[test]
fn standard_input_stands_for_a_file() {
    let scratch = Scratch::new();
    scratch.write("barelink.toml", "[[override]]\nfiles = ['x.md']\nignore = ['BL003']\n");
    let run = |args: &[&str]| scratch.run_with_stdin(args, LOCAL);
    let ran = run(&["check", "--format", "concise", "-"]);
    assert_eq!(ran.stdout, "<stdin>:1:5: BL003 linked by github, not by gfm and md4c [*]\n");
    let ran = run(&["check", "--format", "concise", "--stdin-filename", "x.md"]);
    assert_eq!(ran.ok(), "");
    let ran = run(&["fix", "-"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "see <http://localhost/x> now\n"));
    // Files beside it would be passed over.
    for args in
        [&["check", "-", "x.md"][..], &["fix", ".", "-"], &["check", "--stdin-filename=a", "b"]]
    {
        let ran = run(args);
        let is_told = ran.stderr.contains("standard input is read alone");
        assert!(ran.code == Some(2) && is_told, "{args:?}: {}", ran.stderr);
    }
    let ran = run(&["fix", "--stdin-filename", "y.mdx"]);
    assert_eq!(ran.stdout, "see [http://localhost/x](http://localhost/x) now\n");
}

#[test]
fn fix_changes_the_spans_and_nothing_else() {
    let scratch = Scratch::new();
    let before = "\u{FEFF}a http://localhost/x\r\n\r\nb\0\t\"www.a.bc\"";
    scratch.write("a.md", before);
    let ran = scratch.run(&["fix", "--diff", "a.md"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("+\u{FEFF}a <http://localhost/x>\r\n"), "{}", ran.stdout);
    assert_eq!(scratch.read("a.md"), before);

    let ran = scratch.run(&["fix", "a.md"]);
    assert_eq!(ran.code, Some(1), "the quoted name is left");
    let after = before.replace("http://localhost/x", "<http://localhost/x>");
    assert_eq!(scratch.read("a.md"), after);
    assert_eq!(ran.stderr, "barelink: 1 finding fixed in 1 file, 1 finding left\n");
    let ran = scratch.run(&["fix", "a.md"]);
    assert_eq!(ran.stderr, "barelink: nothing to fix, 1 finding left\n");

    let ran = scratch.run(&["fix", "--unsafe", "a.md"]);
    assert_eq!(ran.code, Some(0));
    let after = after.replace("www.a.bc", "[www.a.bc](http://www.a.bc)");
    assert_eq!(scratch.read("a.md"), after);
}

#[test]
fn what_is_no_text_is_left_as_it_is() {
    let scratch = Scratch::new();
    let path = scratch.write("a.md", b"\xFF http://localhost/x\n");
    let ran = scratch.run(&["fix", "a.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("a.md: invalid UTF-8 at byte 0, left as it is"), "{}", ran.stderr);
    assert_eq!(std::fs::read(path).unwrap(), b"\xFF http://localhost/x\n");
}

#[test]
fn a_baseline_hides_what_was_there() {
    let scratch = Scratch::new();
    scratch.write("a.md", LOCAL);
    let ran = scratch.run(&["check", "--baseline", "known.json", "--write-baseline"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(scratch.run(&["check", "--baseline", "known.json"]).code, Some(0));
    // Lines may move, but a second one is new.
    scratch.write("a.md", format!("new\n\n{LOCAL}\n{LOCAL}"));
    let ran = scratch.run(&["check", "--baseline", "known.json"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.starts_with("a.md:5:5: BL003"), "{}", ran.stdout);
    let summary = "1 finding in 1 of 1 file, apart from 1 in the baseline.\n";
    assert!(ran.stdout.contains(summary), "{}", ran.stdout);
    scratch.write("known.json", "{}");
    assert_eq!(scratch.run(&["check", "--baseline", "known.json"]).code, Some(2));
}

#[test]
fn a_baseline_knows_files_however_they_are_named() {
    let scratch = Scratch::new();
    scratch.write("docs/a.md", LOCAL);
    scratch.write("b.md", LOCAL);
    scratch.write("etc/x", "");
    let known = "etc/known.json";
    let ran = scratch.run(&["check", "--baseline", known, "--write-baseline"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = std::fs::read_to_string(scratch.path().join(known)).unwrap();
    assert!(text.contains("\"../docs/a.md\"") && text.contains("\"../b.md\""), "{text}");
    let whole = scratch.path().display().to_string();
    let folder = format!("{whole}/docs");
    for paths in [&[folder.as_str()][..], &["etc/../docs", "./b.md"], &[&whole]] {
        let ran = scratch.run(&[&["check", "--baseline", known][..], paths].concat());
        assert_eq!(ran.code, Some(0), "{paths:?}: {}", ran.stdout);
    }
    let known = format!("{whole}/docs/../etc/known.json");
    let ran = scratch.run(&["check", "--baseline", &known]);
    assert_eq!(ran.ok(), "No findings in 2 files, apart from 2 in the baseline.\n");
}

#[test]
fn rules_are_listed_and_explained() {
    let scratch = Scratch::new();
    let list = scratch.run(&["rule"]).ok();
    assert_eq!(list.lines().count(), 11);
    assert!(list.starts_with("BL001  wrong-end"), "{list}");
    let by_code = scratch.run(&["rule", "bl003"]).ok();
    assert_eq!(by_code, scratch.run(&["rule", "not-portable"]).ok());
    assert!(by_code.starts_with("# BL003 not-portable\n"), "{by_code}");
    assert_eq!(scratch.run(&["rule", "nope"]).code, Some(2));
}

/// A run in which a fix, notes and characters that formats must escape occur.
fn formatted(format: &str) -> String {
    let scratch = Scratch::new();
    scratch.write("a b/<&>.md", format!("é {LOCAL}\n\"www.a.bc\"\n"));
    scratch.write("clean.md", "x\n");
    let ran = scratch.run(&["check", "--format", format]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    ran.stdout
}

#[test]
fn json_has_every_field() {
    let found: serde_json::Value = serde_json::from_str(&formatted("json")).unwrap();
    let first = &found[0];
    assert_eq!(first["file"], "a b/<&>.md");
    assert_eq!((&first["line"], &first["column"]), (&1.into(), &7.into()));
    assert_eq!((&first["end_line"], &first["end_column"]), (&1.into(), &25.into()));
    assert_eq!(first["span"], serde_json::json!({ "start": 7, "end": 25 }));
    assert_eq!((&first["code"], &first["name"]), (&"BL003".into(), &"not-portable".into()));
    assert_eq!(first["fix"]["safety"], "safe");
    assert_eq!(first["fix"]["edits"][0]["text"], "<http://localhost/x>");
    let lines = formatted("jsonl");
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(serde_json::Value::from(lines), found);
}

#[test]
fn sarif_names_rules_places_and_fixes() {
    let log: serde_json::Value = serde_json::from_str(&formatted("sarif")).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let idx = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(run["tool"]["driver"]["rules"][idx]["id"], result["ruleId"]);
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%20b/%3C%26%3E.md");
    assert_eq!(location["region"]["startColumn"], 7);
    let replaced = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replaced["deletedRegion"]["byteOffset"], 7);
    assert_eq!(replaced["insertedContent"]["text"], "<http://localhost/x>");
    assert_eq!(result["fixes"][0]["properties"]["safety"], "safe");
    assert_eq!(run["invocations"], serde_json::json!([{ "executionSuccessful": true }]));
    let fix = &run["results"][1]["fixes"][0];
    let what = "link what a reader sees (changes the page)";
    assert_eq!(
        (&fix["description"]["text"], &fix["properties"]["safety"]),
        (&what.into(), &"unsafe".into())
    );
}

#[test]
fn github_gitlab_and_junit_say_the_same() {
    let github = formatted("github");
    let expected = "::warning file=a b/<&>.md,line=1,endLine=1,col=7,endColumn=25,\
                    title=BL003 not-portable::linked by github, not by gfm and md4c";
    assert_eq!(github.lines().next(), Some(expected));
    let gitlab: serde_json::Value = serde_json::from_str(&formatted("gitlab")).unwrap();
    assert_eq!(gitlab[0]["check_name"], "not-portable");
    assert_eq!(gitlab[0]["location"]["lines"]["begin"], 1);
    assert_ne!(gitlab[0]["fingerprint"], gitlab[1]["fingerprint"]);
    let junit = formatted("junit");
    assert!(
        junit.contains(r#"<testsuites name="barelink" tests="3" failures="2" errors="0">"#),
        "{junit}"
    );
    let suite = r#"<testsuite name="a b/&lt;&amp;&gt;.md" tests="2" failures="2" errors="0">"#;
    assert!(junit.contains(suite), "{junit}");
    assert!(junit.contains(r#"<testcase name="clean.md" classname="barelink" />"#), "{junit}");
}

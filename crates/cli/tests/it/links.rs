//! Listing links and explaining them: sources, several files, faults, colors. What the
//! output looks like is in the transcripts.

use serde_json::Value;

use crate::support::Scratch;

/// The objects of JSON lines.
fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn several_files_are_listed_in_order_with_standard_input_among_them() {
    let scratch = Scratch::new();
    scratch.write("a.md", "www.a.bc\n");
    scratch.write("docs/b.md", "\n  [b](c)\n");
    let listed = scratch.run_with_stdin(&["links", "docs/b.md", "-", "a.md"], "<ab:c>\n").ok();
    assert_eq!(
        listed,
        "docs/b.md:2:3  link  inline  c  b\n\
         <stdin>:1:1  link  angle  ab:c\n\
         a.md:1:1  link  www  http://www.a.bc  www.a.bc\n"
    );
    assert_eq!(scratch.run_with_stdin(&["links"], "www.a.bc\n").ok().lines().count(), 1);
}

#[test]
fn what_cannot_be_read_does_not_stop_the_others() {
    let scratch = Scratch::new();
    scratch.write("a.md", "www.a.bc\n");
    let ran = scratch.run(&["links", "--json", "gone.md", "a.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(objects(&ran.stdout)[0]["href"], "http://www.a.bc");
    assert_eq!(ran.stderr, "barelink: gone.md: No such file or directory\n");
    let ran = scratch.run(&["explain", "gone.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "barelink: gone.md: No such file or directory\n");
}

#[test]
fn several_files_are_explained_in_order_and_counted_together() {
    let scratch = Scratch::new();
    scratch.write("a.md", "www.a.bc and [b](c d)\n");
    scratch.write("empty.md", "nothing\n");
    scratch.write("docs/b.md", "\n [x][y]\n");
    let args = ["explain", "docs", "gone.md", "empty.md", "-", "a.md"];
    let ran = scratch.run_with_stdin(&args, "a@b\n");
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "barelink: gone.md: No such file or directory\n");
    let heads: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter(|line| line.contains("]: "))
        .filter_map(|line| line.split("]: ").next())
        .collect();
    let expected = [
        "docs/b.md:2:2: broken[missing-definition",
        "<stdin>:1:2: refused[gfm",
        "a.md:1:1: linked[gfm",
        "a.md:1:14: broken[space-in-destination",
    ];
    assert_eq!(heads, expected);
    let summary = "\n\n4 candidates in 5 files: 1 linked, 1 refused, 2 broken\n";
    assert!(ran.stdout.ends_with(summary), "{}", ran.stdout);
    assert!(!ran.stdout.starts_with('\n') && !ran.stdout.contains("\n\n\n"), "{}", ran.stdout);

    // The limit is that of all files.
    let some = scratch.run(&["explain", "--json", "--limit", "2", "docs", "a.md"]);
    let files: Vec<Value> = objects(&some.stdout).iter().map(|it| it["file"].clone()).collect();
    assert_eq!(files, ["docs/b.md", "a.md"]);
    let warning = "barelink: 2 files: warning: 1 candidates of 3 are not written\n";
    assert_eq!((some.code, &*some.stderr), (Some(0), warning));
}

#[test]
fn a_place_is_in_one_file() {
    let scratch = Scratch::new();
    scratch.write("docs/a.md", "www.a.bc\n");
    assert!(scratch.run(&["explain", "--at", "1", "docs"]).ok().starts_with("docs/a.md:1:1: "));
    // However it is named.
    assert_eq!(scratch.run(&["explain", "--at", "1", "docs", "docs/a.md"]).code, Some(0));
    scratch.write("b.md", "www.a.bc\n");
    let ran = scratch.run(&["explain", "--at", "1", "docs", "b.md"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""));
    assert_eq!(ran.stderr, "barelink: --at: means a place in one file, and here are 2\n");
}

#[test]
fn spans_are_bytes_and_columns_are_characters() {
    let scratch = Scratch::new();
    let source = "é 漢 www.a.bc.\n";
    for command in ["links", "explain"] {
        let out = scratch.run_with_stdin(&[command, "--json"], source).ok();
        let object = &objects(&out)[0];
        assert_eq!((&object["line"], &object["column"]), (&1.into(), &5.into()));
        let start = object["span"]["start"].as_u64().unwrap() as usize;
        let end = object["span"]["end"].as_u64().unwrap() as usize;
        assert_eq!(&source[start..end], "www.a.bc", "{command}");
    }
}

#[test]
fn a_byte_order_mark_has_no_column() {
    let scratch = Scratch::new();
    let source = "\u{FEFF}www.a.bc é www.d.ef\n";
    for args in
        [&["links", "--json"][..], &["links", "--json", "--plain-text"], &["explain", "--json"]]
    {
        let found = objects(&scratch.run_with_stdin(args, source).ok());
        let places: Vec<_> = found.iter().map(|it| (&it["column"], &it["span"]["start"])).collect();
        assert_eq!(places, [(&1.into(), &3.into()), (&12.into(), &15.into())], "{args:?}");
    }
    let shown = scratch.run_with_stdin(&["explain", "--at", "1:1"], source).ok();
    assert!(shown.starts_with("<stdin>:1:1: linked[gfm]: http://www.a.bc\n"), "{shown}");
    assert!(shown.contains("1 | www.a.bc"), "{shown}");
    let html = scratch.run_with_stdin(&["--sourcepos"], source).ok();
    assert!(html.starts_with("<p data-sourcepos=\"1:1-1:20\">"), "{html}");
}

#[test]
fn a_link_is_listed_as_it_is_explained() {
    let scratch = Scratch::new();
    let source = "> www.a.bc/x.\n> * a&#64;b.cd\n\nHTTP://A.BC `http://c.de`\n";
    for dialect in ["gfm", "github", "md4c", "natural"] {
        let run = |command: &str| {
            let args = [command, "--json", "--dialect", dialect];
            let found = objects(&scratch.run_with_stdin(&args, source).ok());
            let linked = found
                .into_iter()
                .filter(|it| it.get("verdict").is_none_or(|verdict| verdict == "linked"));
            linked.map(|it| (it["href"].clone(), it["span"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(run("links"), run("explain"), "{dialect}");
    }
}

#[test]
fn a_text_may_begin_with_a_hyphen_and_excludes_a_file() {
    let scratch = Scratch::new();
    let shown = scratch.run(&["explain", "--text", "- www.a.bc"]).ok();
    assert!(shown.starts_with("<text>:1:3: linked[gfm]: http://www.a.bc\n"), "{shown}");
    assert_eq!(scratch.run(&["explain", "--text", "x", "a.md"]).code, Some(2));
}

#[test]
fn an_explanation_of_nothing_is_empty() {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["explain", "--text", "nothing"]).ok(), "");
    assert_eq!(scratch.run(&["explain", "--json", "--text", "nothing"]).ok(), "");
}

#[test]
fn colors_come_on_request() {
    let scratch = Scratch::new();
    for args in [&["links", "-"][..], &["explain"]] {
        assert!(!scratch.run_with_stdin(args, "www.a.bc\n").ok().contains('\u{1b}'));
        let always = [args, &["--color", "always"]].concat();
        assert!(scratch.run_with_stdin(&always, "www.a.bc\n").ok().contains("\u{1b}["));
        let json = [&always[..], &["--json"]].concat();
        assert!(!scratch.run_with_stdin(&json, "www.a.bc\n").ok().contains('\u{1b}'));
    }
}

#[test]
fn links_that_may_deceive_are_listed_with_the_reasons() {
    let scratch = Scratch::new();
    let source = "[https://bank.example](https://evil.example) www.a.bc http://u@1.2.3.4/\n";
    let listed = scratch.run_with_stdin(&["links", "--suspicious"], source).ok();
    assert_eq!(
        listed,
        "<stdin>:1:1  link  inline  https://evil.example  https://bank.example\n\
         \x20 other-host: the text shows another host: bank.example\n"
    );
    let source = "[x](http://u@1.2.3.4/) www.a.bc\n";
    let out = scratch.run_with_stdin(&["links", "--json"], source).ok();
    let warnings: Vec<_> = objects(&out).iter().map(|it| it["warnings"].clone()).collect();
    assert_eq!(warnings, [serde_json::json!(["user-info", "numeric-host"]), serde_json::json!([])]);
}

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

//! `--out-dir`: one output for each input, below one directory.

use std::fs;

use crate::support::Scratch;

#[test]
fn every_input_gets_its_file() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    scratch.write("docs/b.c.markdown", "b\n");
    scratch.write("docs/deep/README", "c\n");
    let args = ["--out-dir", "site/new", "a.md", "docs/b.c.markdown", "./docs/deep/README"];
    assert_eq!(scratch.run(&args).ok(), "");
    assert_eq!(scratch.read("site/new/a.html"), "<p>a</p>\n");
    assert_eq!(scratch.read("site/new/docs/b.c.html"), "<p>b</p>\n");
    assert_eq!(scratch.read("site/new/docs/deep/README.html"), "<p>c</p>\n");
    assert_eq!(scratch.files().len(), 6);
}

#[test]
fn many_files_are_done_and_no_trace_is_left() {
    let scratch = Scratch::new();
    let names: Vec<String> = (0..200).map(|n| format!("in/{n}.md")).collect();
    for (n, name) in names.iter().enumerate() {
        scratch.write(name, format!("file {n}\n"));
    }
    let mut args = vec!["--out-dir", "out"];
    args.extend(names.iter().map(String::as_str));
    // The second run replaces what the first wrote.
    for _ in 0..2 {
        assert_eq!(scratch.run(&args).ok(), "", "no bar without a terminal");
    }
    for n in 0..200 {
        assert_eq!(scratch.read(&format!("out/in/{n}.html")), format!("<p>file {n}</p>\n"));
    }
    assert_eq!(scratch.files().len(), 400);
}

#[test]
fn no_output_leaves_the_directory() {
    let scratch = Scratch::new();
    let absolute = scratch.write("work/abs.md", "x\n");
    scratch.write("up.md", "y\n");
    let mut command =
        scratch.command(&["--out-dir", "out", "../up.md", absolute.to_str().unwrap()]);
    command.current_dir(scratch.path().join("work"));
    assert!(command.status().unwrap().success());
    assert_eq!(scratch.files(), ["up.md", "work/abs.md", "work/out/abs.html", "work/out/up.html"]);
}

#[test]
fn two_inputs_for_one_output_are_an_error() {
    let scratch = Scratch::new();
    scratch.write("a.md", "first\n");
    scratch.write("a.txt", "second\n");
    scratch.write("b.md", "b\n");
    let ran = scratch.run(&["--out-dir", "out", "a.md", "a.txt", "b.md"]);
    assert_eq!(ran.code, Some(2));
    let expected = format!(
        "barelink: a.txt: {} is already the output of a.md\n",
        std::path::Path::new("out").join("a.html").display()
    );
    assert_eq!(ran.stderr, expected);
    assert_eq!(scratch.read("out/a.html"), "<p>first</p>\n");
    assert_eq!(scratch.read("out/b.html"), "<p>b</p>\n");
}

#[test]
fn failures_stay_with_their_files() {
    let scratch = Scratch::new();
    scratch.write("good.md", "good\n");
    scratch.write("docs/x.md", "x\n");
    // A directory where a file should go, and a file where a folder should be.
    fs::create_dir_all(scratch.path().join("out/taken.html")).unwrap();
    scratch.write("taken.md", "y\n");
    scratch.write("out/docs", "in the way");
    let args = ["--out-dir", "out", "gone.md", "docs", "taken.md", "good.md"];
    let ran = scratch.run(&args);
    assert_eq!(ran.code, Some(2));
    let mut messages: Vec<&str> = ran.stderr.lines().collect();
    messages.sort_unstable();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert_eq!(messages[0], "barelink: gone.md: No such file or directory");
    assert!(messages[1].starts_with("barelink: out/docs/x.html: "), "{messages:?}");
    assert_eq!(messages[2], "barelink: out/taken.html: is a directory");
    assert_eq!(scratch.read("out/good.html"), "<p>good</p>\n");
    assert_eq!(scratch.files(), ["docs/x.md", "good.md", "out/docs", "out/good.html", "taken.md"]);
}

#[test]
fn a_directory_that_cannot_be_made_is_named_once() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    scratch.write("b.md", "b\n");
    let ran = scratch.run(&["--out-dir", "a.md/out", "a.md", "b.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "barelink: a.md/out: Not a directory\n");
}

#[test]
fn an_input_is_not_replaced_by_an_output() {
    let scratch = Scratch::new();
    scratch.write("page.html", "# x\n");
    let ran = scratch.run(&["--out-dir", ".", "page.html"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.ends_with("is an input, and the output would replace it\n"));
    assert_eq!(scratch.read("page.html"), "# x\n");
}

#[test]
fn full_pages_have_their_own_titles() {
    let scratch = Scratch::new();
    scratch.write("a.md", "# One\n");
    scratch.write("b.md", "two\n");
    assert_eq!(scratch.run(&["--full", "--out-dir", "out", "a.md", "b.md"]).ok(), "");
    assert!(scratch.read("out/a.html").contains("<title>One</title>"));
    assert!(scratch.read("out/b.html").contains("<title>b</title>"));
    assert!(scratch.read("out/b.html").ends_with("<p>two</p>\n</body>\n</html>\n"));
}

#[test]
fn standard_input_has_no_name_to_go_by() {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["--out-dir", "out"]).code, Some(2));
    assert_eq!(scratch.run(&["--out-dir", "out", "a.md", "-"]).code, Some(2));
    assert_eq!(scratch.files(), [""; 0]);
}

#[test]
fn links_between_inputs_lead_to_pages() {
    let scratch = Scratch::new();
    scratch.write("docs/a.md", "[b](../b.md#x) [c](c.md)\n");
    scratch.write("b.md", "[a](docs/a.md)\n");
    scratch.run(&["--out-dir", "site", "docs/a.md", "b.md"]).ok();
    let a = "<p><a href=\"../b.html#x\">b</a> <a href=\"c.md\">c</a></p>\n";
    assert_eq!(scratch.read("site/docs/a.html"), a);
    assert_eq!(scratch.read("site/b.html"), "<p><a href=\"docs/a.html\">a</a></p>\n");
}

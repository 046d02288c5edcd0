//! Files and pipes in, one stream or one file out.

use crate::support::Scratch;

#[test]
fn standard_input_is_read_without_files_and_for_a_dash() {
    let scratch = Scratch::new();
    for args in [&[][..], &["-"], &["html"], &["html", "-"]] {
        let html = scratch.run_with_stdin(args, "*hi*\n").ok();
        assert_eq!(html, "<p><em>hi</em></p>\n", "{args:?}");
    }
}

#[test]
fn several_files_come_out_in_order() {
    let scratch = Scratch::new();
    scratch.write("a.md", "# a\n");
    scratch.write("b.md", "b\n");
    let html = scratch.run_with_stdin(&["b.md", "-", "a.md"], "> c\n").ok();
    assert_eq!(html, "<p>b</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n<h1>a</h1>\n");
}

#[test]
fn output_goes_to_a_file() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    scratch.write("b.md", "b\n");
    assert_eq!(scratch.run(&["a.md", "b.md", "-o", "c.html"]).ok(), "");
    assert_eq!(scratch.read("c.html"), "<p>a</p>\n<p>b</p>\n");
    assert_eq!(scratch.run(&["b.md", "--output", "c.html"]).ok(), "");
    assert_eq!(scratch.read("c.html"), "<p>b</p>\n");
    assert_eq!(scratch.run(&["b.md", "-o", "-"]).ok(), "<p>b</p>\n");
    assert_eq!(scratch.files(), ["a.md", "b.md", "c.html"]);
}

#[test]
fn an_empty_source_makes_an_empty_file() {
    let scratch = Scratch::new();
    assert_eq!(scratch.run(&["-o", "x.html"]).ok(), "");
    assert_eq!(scratch.read("x.html"), "");
}

#[test]
fn raw_html_and_scripts_pass_only_if_trusted() {
    let scratch = Scratch::new();
    let source = "<b>x</b> [y](javascript:z)\n";
    assert_eq!(
        scratch.run_with_stdin(&[], source).ok(),
        "<p>&lt;b&gt;x&lt;/b&gt; <a href=\"\">y</a></p>\n"
    );
    assert_eq!(
        scratch.run_with_stdin(&["--unsafe"], source).ok(),
        "<p><b>x</b> <a href=\"javascript:z\">y</a></p>\n"
    );
}

#[test]
fn a_full_page_has_title_and_style() {
    let scratch = Scratch::new();
    scratch.write("tea & cake.md", "no heading\n");
    let page = scratch.run_with_stdin(&["--full"], "intro\n\nTea *for*\ntwo\n===\n").ok();
    assert!(
        page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    );
    assert!(page.contains("<meta name=\"viewport\""));
    assert!(page.contains("<title>Tea for two</title>"), "{page}");
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(page.ends_with("</h1>\n</body>\n</html>\n"), "{page}");

    let page = scratch.run(&["--full", "tea & cake.md"]).ok();
    assert!(page.contains("<title>tea &amp; cake</title>"), "{page}");
}

#[test]
fn several_files_make_one_full_page() {
    let scratch = Scratch::new();
    scratch.write("a.md", "# A\n");
    scratch.write("b.md", "# B\n");
    let ran = scratch.run(&["--full", "gone.md", "a.md", "b.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout.matches("<!DOCTYPE").count(), 1);
    assert!(ran.stdout.contains("<title>A</title>"));
    assert!(
        ran.stdout
            .ends_with("<body>\n<h1 id=\"a\">A</h1>\n<h1 id=\"2-b\">B</h1>\n</body>\n</html>\n")
    );
}

#[test]
fn a_file_may_have_the_name_of_a_command() {
    let scratch = Scratch::new();
    scratch.write("man", "x\n");
    assert_eq!(scratch.run(&["./man"]).ok(), "<p>x</p>\n");
    assert_eq!(scratch.run(&["html", "man"]).ok(), "<p>x</p>\n");
    assert_eq!(scratch.run(&["--unsafe", "man"]).ok(), "<p>x</p>\n");
    assert_eq!(scratch.run(&["--unsafe", "html", "man"]).code, Some(2));
}

#[test]
fn front_matter_is_not_shown_and_names_the_page() {
    let scratch = Scratch::new();
    let source = "---\ntitle: Home & more\nlang: fr\n---\n\n# Start\n";
    assert_eq!(scratch.run_with_stdin(&[], source).ok(), "<h1>Start</h1>\n");
    let page = scratch.run_with_stdin(&["--full"], source).ok();
    assert!(page.contains("<html lang=\"fr\">"), "{page}");
    assert!(page.contains("<title>Home &amp; more</title>"), "{page}");
    assert!(page.contains("<body>\n<h1 id=\"start\">Start</h1>\n</body>"), "{page}");
    let shown = scratch.run_with_stdin(&["-e", "no-front-matter"], source).ok();
    assert!(shown.starts_with("<hr />\n<h2>title: Home &amp; more"), "{shown}");

    let ran = scratch.run_with_stdin(&["--full", "--lang", "de"], "---\ntitle: [\n---\nx\n");
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains("the front matter is not valid YAML"), "{}", ran.stderr);
    assert!(ran.stdout.contains("<html lang=\"de\">"), "{}", ran.stdout);
}

#[test]
fn schemes_hosts_and_prefixes_are_the_users_choice() {
    let scratch = Scratch::new();
    let run = |flags: &[&str], source: &str| scratch.run_with_stdin(flags, source).ok();
    let links = "http://a.bc <xx:y>\n";
    assert_eq!(
        run(&["--allow-scheme", "XX"], links),
        "<p><a href=\"\">http://a.bc</a> <a href=\"xx:y\">xx:y</a></p>\n"
    );
    assert_eq!(
        run(&["--rel", "me", "--target-blank", "--own-host", "a.bc"], "//a.bc [b](//b) a@b.cd\n"),
        "<p>//a.bc <a href=\"//b\" rel=\"me\" target=\"_blank\">b</a> \
         <a href=\"mailto:a@b.cd\">a@b.cd</a></p>\n"
    );
    assert_eq!(
        run(&["--heading-ids", "--id-prefix", "p-"], "# A\n[a](#a)\n"),
        "<h1 id=\"p-a\">A</h1>\n<p><a href=\"#p-a\">a</a></p>\n"
    );
}

//! Every example does what it says. They are compiled in as modules and run on
//! small sources: no second build, and no binary that could be an old one.

// Each of them brings in what they share.
#![allow(clippy::duplicate_mod)]

use std::path::Path;

macro_rules! examples {
    ($($(#[$cfg:meta])? $name:ident $file:literal)*) => {
        $(
            $(#[$cfg])?
            #[path = $file]
            #[allow(dead_code)] // Made to be programs.
            mod $name;
        )*
    };
}

examples! {
    render "../examples/render.rs"
    rewrite_links "../examples/rewrite_links.rs"
    list_links "../examples/list_links.rs"
    comment_box "../examples/comment_box.rs"
    table_of_contents "../examples/table_of_contents.rs"
    own_markup "../examples/own_markup.rs"
    some_html "../examples/some_html.rs"
    #[cfg(feature = "pulldown-cmark")]
    pulldown_bridge "../examples/pulldown_bridge.rs"
    common "../examples/common/mod.rs"
}

/// What an example writes for a source that it reads from a file.
fn output(name: &str, program: common::Program, source: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("{name}.md"));
    std::fs::write(&path, source).expect("the folder for tests can be written");
    let mut out = Vec::new();
    common::try_run(Some(&path), program, &mut out).expect("the example runs");
    String::from_utf8(out).expect("the output is text")
}

#[test]
fn render_writes_html() {
    assert_eq!(
        output("render", render::render, "# Hi\n\nsee www.a.bc <b>\n"),
        "<h1>Hi</h1>\n<p>see <a href=\"http://www.a.bc\">www.a.bc</a> &lt;b&gt;</p>\n"
    );
}

#[test]
fn rewrite_links_makes_relative_ones_absolute() {
    for (source, destination) in [
        ("[a](b.html)", "https://example.org/docs/b.html"),
        ("[a](/b?c:d)", "https://example.org/b?c:d"),
        ("[a](#b)", "#b"),
        ("[a](//b.cd)", "//b.cd"),
        ("[a](mailto:b@c.de)", "mailto:b@c.de"),
        ("[a][]\n\n[a]: b", "https://example.org/docs/b"),
    ] {
        let html = output("rewrite_links", rewrite_links::rewrite_links, source);
        assert_eq!(html, format!("<p><a href=\"{destination}\">a</a></p>\n"));
    }
}

#[test]
fn list_links_lists_all_forms() {
    let source = "[a](/b) <c@d.ef>\n\n- ![g](/h) www.i.jk\n- [a]\n\n[a]: /l\n";
    let listed = "1:1\tinline\t/b\ta\n\
                  1:9\tangle\tmailto:c@d.ef\tc@d.ef\n\
                  3:3\timage\t/h\tg\n\
                  3:12\tbare\thttp://www.i.jk\twww.i.jk\n\
                  4:3\treference\t/l\ta\n";
    assert_eq!(output("list_links", list_links::list_links, source), listed);
}

#[test]
fn comment_box_lets_nothing_through() {
    let source = "a <b>\nwww.a.bc ![b](/c)\n---\n[d](https://e.fg) ftp://i.jk \
                  [x](//spam.example/y) https://forum.example/z a[^1]\n\n[^1]: # Why";
    let articles = [
        "<article>\n<p>a &lt;b&gt;<br />\n\
         <a href=\"http://www.a.bc\" rel=\"nofollow ugc\">www.a.bc</a> \
         <img src=\"/c\" alt=\"b\" loading=\"lazy\" /></p>\n</article>\n",
        "<article>\n<p><a href=\"https://e.fg\" rel=\"nofollow ugc\">d</a> \
         <a href=\"\">ftp://i.jk</a> x \
         <a href=\"https://forum.example/z\">https://forum.example/z</a> a<sup \
         class=\"footnote-ref\"><a href=\"#comment-2-fn-1\" id=\"comment-2-fnref-1\"",
    ];
    let html = output("comment_box", comment_box::comment_box, source);
    assert!(html.starts_with(&articles.concat()), "{html}");
    assert!(html.contains("<h1 id=\"comment-2-why\">Why</h1>"), "{html}");
}

#[test]
fn table_of_contents_leads_to_headings() {
    let html = output(
        "table_of_contents",
        table_of_contents::table_of_contents,
        "# One & one\n## `Two` *and*\n",
    );
    assert_eq!(
        html,
        "<ul>\n<li class=\"level-1\"><a href=\"#one--one\">One &amp; one</a></li>\n\
         <li class=\"level-2\"><a href=\"#two-and\">Two and</a></li>\n</ul>\n\
         <h1 id=\"one--one\">One &amp; one</h1>\n\
         <h2 id=\"two-and\"><code>Two</code> <em>and</em></h2>\n"
    );
}

#[test]
fn own_markup_stays_safe() {
    let source = "# A <b>c\n\n![c](d.png) [e](javascript:f)\n\n|g|\n|-|\n\n\
                  ```rust\nlet h = \"<i>\";\n```\n\n```nope\n<j>\n```\n";
    let html = output("own_markup", own_markup::own_markup, source);
    for part in [
        "<h1 id=\"a-c\"><a class=\"anchor\" href=\"#a-c\">#</a> A &lt;b&gt;c</h1>\n",
        "<img src=\"d.png\" alt=\"c\" loading=\"lazy\" /> <a href=\"\">e</a>",
        "<div class=\"scroll\">\n<table>",
        "</table>\n</div>\n<pre><code class=\"highlighted\"><span",
        "&lt;i&gt;",
        "<pre><code class=\"language-nope\">&lt;j&gt;\n</code></pre>\n",
    ] {
        assert!(html.contains(part), "{part} is missing: {html}");
    }
}

#[test]
fn some_html_lets_only_harmless_html_through() {
    let source = "<kbd onclick=\"a\">b</kbd> <script>c</script>\n\n- [x] [d](javascript:e)";
    let html = output("some_html", some_html::some_html, source);
    assert!(html.contains("<p><kbd>b</kbd> "), "{html}");
    assert!(html.contains("<input type=\"checkbox\" checked=\"\" disabled=\"\">"), "{html}");
    assert!(!html.contains("<script") && !html.contains("javascript"), "{html}");
}

#[cfg(feature = "pulldown-cmark")]
#[test]
fn pulldown_bridge_links_bare_names() {
    assert_eq!(
        output("pulldown_bridge", pulldown_bridge::pulldown_bridge, "see www.a.bc"),
        "<p>see <a href=\"https://www.a.bc\">www.a.bc</a></p>\n"
    );
}

#[test]
fn errors_name_the_file() {
    let missing = Path::new("no-such-folder/no-such-file.md");
    let error = common::try_run(Some(missing), render::render, &mut Vec::new())
        .expect_err("there is no such file");
    assert!(error.to_string().contains("no-such-file.md"), "{error}");
}

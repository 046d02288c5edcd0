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
    let source = "a <b>\nwww.a.bc ![b](/c)\n---\n[d](https://e.fg) [h](ftp://i.jk)";
    let links = "<a href=\"http://www.a.bc\" rel=\"nofollow ugc\">www.a.bc</a> b</p>\n</article>\n\
                 <article>\n<p><a href=\"https://e.fg\" rel=\"nofollow ugc\">d</a> \
                 <a href=\"\">h</a></p>\n</article>\n";
    assert_eq!(
        output("comment_box", comment_box::comment_box, source),
        format!("<article>\n<p>a &lt;b&gt;<br />\n{links}")
    );
}

#[test]
fn table_of_contents_numbers_headings() {
    let source = "# One\n## `Two` *and*\n## Three\n\nFour\n====\n\n### Five\n";
    assert_eq!(
        output("table_of_contents", table_of_contents::table_of_contents, source),
        "1 One (line 1)\n  1.1 Two and (line 2)\n  1.2 Three (line 3)\n\
         2 Four (line 5)\n    2.0.1 Five (line 8)\n"
    );
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

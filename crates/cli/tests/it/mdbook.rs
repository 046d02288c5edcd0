//! `mdbook`: the protocol of mdBook's preprocessors, as mdBook 0.5 and 0.4 speak it.
//!
//! With `BARELINK_MDBOOK`, which names mdBook itself, a book is built, too.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Ran, Scratch};

/// What mdBook 0.5.4 sends, for a book with a part and chapters below a chapter.
const RECORDED: &str = include_str!("mdbook.json");

/// Runs the preprocessor.
fn preprocess(input: &Value) -> Ran {
    Scratch::new().run_with_stdin(&["mdbook"], input.to_string())
}

/// A book with one chapter, and this table in `book.toml`.
fn one_chapter(content: &str, table: &Value) -> Value {
    json!([
        { "root": "/book", "config": { "preprocessor": { "barelink": table } }, "renderer": "html" },
        { "items": [{ "Chapter": { "name": "One", "content": content, "sub_items": [] } }] },
    ])
}

/// What becomes of a chapter.
fn chapter(content: &str, table: &Value) -> String {
    let book: Value = serde_json::from_str(&preprocess(&one_chapter(content, table)).ok()).unwrap();
    book["items"][0]["Chapter"]["content"].as_str().unwrap().to_owned()
}

#[test]
fn every_renderer_is_supported() {
    let scratch = Scratch::new();
    for renderer in ["html", "linkcheck", "epub"] {
        assert_eq!(scratch.run(&["mdbook", "supports", renderer]).ok(), "");
    }
}

#[test]
fn a_recorded_book_gets_its_links_and_nothing_else() {
    let sent: Value = serde_json::from_str(RECORDED).unwrap();
    let book: Value = serde_json::from_str(&preprocess(&sent).ok()).unwrap();
    let mut expected = sent[1].clone();
    let replace = |value: &mut Value, from: &str, to: &str| {
        let text = value["content"].as_str().unwrap();
        assert!(text.contains(from), "{text}");
        value["content"] = text.replace(from, to).into();
    };
    let first = &mut expected["items"][0]["Chapter"];
    replace(first, " https://example.com/start.", " <https://example.com/start>.");
    replace(first, "www.example.com/x_y", "[www.example.com/x_y](http://www.example.com/x_y)");
    let below = &mut expected["items"][2]["Chapter"]["sub_items"][0]["Chapter"];
    replace(below, "me@example.com", "<me@example.com>");
    assert_eq!(book, expected);
    assert_ne!(book, sent[1]);
}

#[test]
fn what_is_not_known_survives() {
    let content = "see https://a.bc\r\n\r\n    https://code.bc\n\nlast www.a.bc";
    let sent = json!([
        { "new": 1 },
        {
            "sections": [
                "Separator",
                { "PartTitle": "https://a.bc" },
                { "Novelty": { "content": "https://a.bc" } },
                { "Chapter": { "name": "https://a.bc", "content": content, "future": [1.5, null] } },
                { "Chapter": { "name": "draft", "content": null, "sub_items": [] } },
            ],
            "__non_exhaustive": null,
        },
    ]);
    let book: Value = serde_json::from_str(&preprocess(&sent).ok()).unwrap();
    let mut expected = sent[1].clone();
    expected["sections"][3]["Chapter"]["content"] =
        "see <https://a.bc>\r\n\r\n    https://code.bc\n\nlast [www.a.bc](http://www.a.bc)".into();
    assert_eq!(book, expected);
}

#[test]
fn the_table_in_book_toml_counts() {
    let text = "見て：https://a.bc/x，y";
    assert_eq!(chapter(text, &json!({})), text, "a reader ends it elsewhere");
    let natural = json!({ "dialect": "natural", "command": "x", "after": ["links"] });
    assert_eq!(chapter(text, &natural), "見て：<https://a.bc/x>，y");
    let inline = json!({ "style": "inline" });
    assert_eq!(chapter("http://a.bc", &inline), "[http://a.bc](http://a.bc)");
    for (table, message) in [
        (
            json!({ "dialect": "x" }),
            "preprocessor.barelink.dialect: \"x\" is not known: expected one of gfm, github",
        ),
        (json!({ "style": 1 }), "preprocessor.barelink.style: 1 is not known"),
        (
            json!({ "dialct": "gfm" }),
            "preprocessor.barelink.dialct: no such key: there are dialect and style",
        ),
    ] {
        let ran = preprocess(&one_chapter("x", &table));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}

#[test]
fn other_input_is_refused() {
    let scratch = Scratch::new();
    for input in ["", "{}", "[1]", "[{}, {}]", "[{}, {\"items\": 1}]", "[{}, {\"items\": []}, 1]"] {
        let ran = scratch.run_with_stdin(&["mdbook"], input);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{input}");
        assert!(ran.stderr.contains("not the input of a preprocessor of mdBook"), "{}", ran.stderr);
    }
    assert_eq!(scratch.run(&["mdbook", "suports", "html"]).code, Some(2));
}

/// The snippet in the documentation, with our command.
fn book_toml() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/mdbook.md")).unwrap();
    let (_, snippet) = page.split_once("```toml\n").unwrap();
    let (snippet, _) = snippet.split_once("```").unwrap();
    let named = "command = \"barelink mdbook\"";
    assert!(snippet.contains(named), "{snippet}");
    let command = format!("command = '{} mdbook'", env!("CARGO_BIN_EXE_barelink"));
    format!("[book]\ntitle = \"x\"\n\n{}", snippet.replace(named, &command))
}

#[test]
fn a_book_is_built_with_links() {
    let snippet = book_toml();
    let table: toml::Table = toml::from_str(&snippet).unwrap();
    assert_eq!(table["preprocessor"]["barelink"]["after"][0].as_str(), Some("links"));
    let Some(mdbook) = std::env::var_os("BARELINK_MDBOOK") else { return };
    let scratch = Scratch::new();
    scratch.write("book.toml", &snippet);
    scratch.write("src/SUMMARY.md", "# Summary\n\n- [One](one.md)\n  - [Two](two.md)\n");
    scratch.write("src/one.md", "# One\n\nSee https://a.bc/x_y_z, or www.a.bc/it's--here...\n");
    scratch.write("src/two.md", "# Two\n\n{{#include part.md}}\n\n`https://in.code`\n");
    scratch.write("src/part.md", "Mail me@a.bc.\n");
    let built = Command::new(mdbook).arg("build").current_dir(scratch.path()).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let one = scratch.read("book/one.html");
    assert!(one.contains("<a href=\"https://a.bc/x_y_z\">https://a.bc/x_y_z</a>"), "{one}");
    // Its typographic quotes and dashes are not for what a link shows.
    let www = "<a href=\"http://www.a.bc/it's--here\">www.a.bc/it's--here</a>";
    assert!(one.replace("&#39;", "'").replace("&#x27;", "'").contains(www), "{one}");
    let two = scratch.read("book/two.html");
    assert!(two.contains("<a href=\"mailto:me@a.bc\">me@a.bc</a>"), "{two}");
    assert!(two.contains("<code>https://in.code</code>"), "{two}");
}

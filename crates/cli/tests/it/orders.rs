//! Characters that give orders to a terminal, in documents and in names of files: nothing that is
//! shown to people has them, and programs get them escaped.

use std::fs;

use serde_json::{Deserializer, Value};

use crate::support::{Ran, Scratch};

/// The title of the window, a color by one character, text turned around, a line of its own, a text
/// that is not seen, and one that is split.
const ORDERS: &str = "\x1B]0;t\x07\u{9B}31m\u{202E}\u{2066}\u{2067}\u{200F}\u{61C}\u{2028}\u{2029}\
                      \u{E0041}\u{FEFF}x\u{AD}x\u{200B}x";

/// Where words may break on a page.
const BREAKS: [char; 2] = ['\u{AD}', '\u{200B}'];

fn is_order(c: char) -> bool {
    let is_hidden = matches!(c, '\u{AD}' | '\u{61C}' | '\u{200B}' | '\u{200E}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}');
    c != '\n' && (c.is_control() || is_hidden)
}

#[track_caller]
fn assert_visible(ran: &Ran) {
    for text in [&ran.stdout, &ran.stderr] {
        assert!(!text.contains(is_order), "{text:?}");
        // A name with a line feed would forge a line.
        assert!(!text.lines().any(|line| line.starts_with("forged")), "{text}");
    }
}

fn document() -> String {
    let links = [
        format!("[a{ORDERS}](<http://a.bc/{ORDERS}>)"),
        format!("http://a.bc/{ORDERS}. {ORDERS}@b.cd www.{ORDERS}"),
        format!("[{ORDERS}](b {ORDERS}) <http://c.de/{ORDERS}> [x][{ORDERS}]"),
        format!("[{ORDERS}]: /unused"),
        format!("<a href='/{ORDERS}'>b</a>"),
        format!("[http://one.bc/{ORDERS}](http://two.bc)"),
    ];
    links.join("\n\n") + "\n"
}

#[test]
fn no_order_of_a_document_is_shown() {
    let scratch = Scratch::new();
    scratch.write("a.md", document());
    for args in [
        &["links", "a.md"][..],
        &["links", "--suspicious", "--preset", "natural", "a.md"],
        &["links", "--plain-text", "--dialect", "natural", "a.md"],
        &["explain", "a.md"],
        &["explain", "--preset", "natural", "a.md"],
        &["check", "--isolated", "--select", "ALL", "a.md"],
        &["check", "--isolated", "--select", "ALL", "--format", "concise", "a.md"],
        &["check", "--isolated", "--select", "ALL", "--format", "github", "a.md"],
        &["check", "--isolated", "--select", "ALL", "--format", "junit", "a.md"],
    ] {
        let ran = scratch.run(args);
        assert!(ran.stdout.lines().count() >= 2, "{args:?} {ran:?}");
        assert_visible(&ran);
    }
    let ran = scratch.run_with_stdin(&["stream", "--terminal"], document());
    assert!(BREAKS.iter().all(|it| ran.stdout.contains(*it)), "{:?}", ran.stdout);
    let shown = ran.stdout.replace(BREAKS, "").replace('\x1B', "");
    assert!(!shown.contains(is_order), "{:?}", ran.stdout);
    assert!(!ran.stdout.contains("\x1B]0"), "{:?}", ran.stdout);
}

/// A line to fix, with orders behind it.
fn fixable() -> String {
    format!("www.a.bc/a_b\\_c {ORDERS}\n")
}

const DIFF: [&str; 4] = ["fix", "--isolated", "--diff", "a.md"];

#[cfg(target_os = "linux")]
#[test]
fn no_order_is_shown_at_a_terminal() {
    let scratch = Scratch::new();
    scratch.write("a.md", fixable() + "\n" + &document());
    for args in [
        &["links", "a.md"][..],
        &["explain", "a.md"],
        &["check", "--isolated", "--select", "ALL", "a.md"],
        &DIFF,
    ] {
        let ran = scratch.run_at_terminal(args);
        assert!(ran.stdout.lines().count() >= 2, "{args:?} {ran:?}");
        assert!(ran.stdout.contains("\x1B["), "no colors: {args:?} {ran:?}");
        let shown = ran.stdout.replace(['\x1B', '\r'], "");
        assert!(!shown.contains(is_order), "{args:?} {ran:?}");
        assert!(!ran.stdout.contains("\x1B]"), "{args:?} {ran:?}");
    }
}

#[test]
fn programs_get_a_difference_as_it_is() {
    let scratch = Scratch::new();
    scratch.write("a.md", fixable());
    let ran = scratch.run(&DIFF);
    assert_eq!(ran.stdout.matches(&format!(" {ORDERS}\n")).count(), 2, "{ran:?}");
    // No program applies what is in color.
    let ran = scratch.run(&[&DIFF[..], &["--color", "always"]].concat());
    assert!(ran.stdout.contains("\x1B["), "{ran:?}");
    assert!(!ran.stdout.replace('\x1B', "").contains(is_order), "{ran:?}");
    assert!(!ran.stdout.contains("\x1B]"), "{ran:?}");
}

#[test]
fn programs_get_them_escaped() {
    let scratch = Scratch::new();
    scratch.write("a.md", document());
    for args in [
        &["links", "--json", "a.md"][..],
        &["explain", "--json", "a.md"],
        &["check", "--isolated", "--select", "ALL", "--format", "sarif", "a.md"],
    ] {
        let ran = scratch.run(args);
        assert_visible(&ran);
        let mut all = String::new();
        for value in Deserializer::from_str(&ran.stdout).into_iter::<Value>() {
            collect(&value.unwrap(), &mut all);
        }
        assert!(all.contains('\u{9B}') && all.contains('\u{E0041}'), "{args:?} {all:?}");
    }
}

/// All strings of a value.
fn collect(value: &Value, all: &mut String) {
    match value {
        Value::String(text) => all.push_str(text),
        Value::Array(values) => values.iter().for_each(|it| collect(it, all)),
        Value::Object(fields) => fields.values().for_each(|it| collect(it, all)),
        _ => {}
    }
}

#[test]
fn no_order_in_the_name_of_a_file_is_shown() {
    let scratch = Scratch::new();
    let name = format!("{ORDERS}\nforged.md");
    let gone = format!("gone{ORDERS}\nforged.md");
    scratch.write(&name, document() + "www.a.bc\n");
    let broken = format!("broken{ORDERS}\nforged.md");
    scratch.write(&broken, b"\xFF www.a.bc\n");
    let folder = format!("{ORDERS}\nforged");
    fs::create_dir(scratch.path().join(&folder)).unwrap();
    let output = format!("{ORDERS}\nforged.html");
    scratch.write("config.toml", "unknown = 1\n");
    let config = format!("{ORDERS}\nforged.toml");
    scratch.write(&config, format!("\"{ORDERS}\" = 1\n"));
    for args in [
        &["-o", "x.html", &gone, &name, &broken][..],
        &[&name, "-o", &folder],
        &["--out-dir", &name, "config.toml"],
        &["--out-dir", ".", &name, &name, &gone],
        &["links", &name, &gone, &broken],
        &["explain", &name, &gone, &broken],
        &["explain", "--at", "999", &name],
        &["check", "--isolated", &name, &gone, &broken],
        &["check", "--isolated", "--format", "concise", &name, &gone],
        &["check", "--isolated", "--format", "github", &name],
        &["check", "--isolated", "--format", "jsonl", &name],
        &["check", "--isolated", "--format", "sarif", &name],
        &["check", "--isolated", "--format", "junit", &name],
        &["check", "--config", &config, &name],
        &["check", "--isolated", "--baseline", &gone, &name],
        &["check", "--isolated", "--baseline", &output, "--write-baseline", &name],
        &["fix", "--isolated", &gone, &broken],
        &["--jsonl", &name, "-o", "x.jsonl"],
        &["serve", &gone],
        &["--preset", &gone, &name],
        &["--unknown", &name],
        &[&format!("--{ORDERS}"), &name],
    ] {
        let ran = scratch.run(args);
        assert!(!ran.stderr.is_empty() || !ran.stdout.is_empty(), "{args:?}");
        assert_visible(&ran);
    }
    // A diff is applied by programs, so the text is as it is, but the name cannot forge a line.
    scratch.write(&name, "www.a.bc/a_b_c\n");
    let ran = scratch.run(&["fix", "--isolated", "--diff", &name]);
    assert_visible(&ran);
}

//! Optimistic completion: each rule of the table in `docs/streaming.md`, alone and off, and
//! what holds whatever is guessed.

use barelink::stream::{Incomplete, Rule};
use barelink::{Options, to_html};

#[path = "checks/guessed.rs"]
mod guessed;
#[path = "checks/streamed.rs"]
#[expect(dead_code, reason = "the exact stream has a test of its own")]
mod streamed;

use guessed::{check, stream};
use streamed::Client;

/// What is shown of a text that is not complete.
fn shown(source: &str, optimistic: Incomplete) -> String {
    let mut stream = stream(&Options::github(), optimistic);
    let mut client = Client::default();
    stream.push(source).unwrap();
    client.apply(stream.update());
    client.html()
}

/// Every case is shown as it should be with all rules, and exactly without `rule`.
fn check_rule(rule: impl Fn(&mut Incomplete) -> &mut Rule, cases: &[(&str, &str)]) {
    let mut off = Incomplete::OPTIMISTIC;
    *rule(&mut off) = Rule::Off;
    for (source, html) in cases {
        assert_eq!(shown(source, Incomplete::OPTIMISTIC), *html, "{source:?}");
        assert_ne!(shown(source, off), *html, "{source:?} without the rule");
        let exact = to_html(source, &Options::github()).unwrap();
        assert_eq!(shown(source, Incomplete::EXACT), exact, "{source:?}");
    }
}

#[test]
fn endings_that_say_nothing_are_held_back() {
    check_rule(
        |rules| &mut rules.endings,
        &[
            ("a **", "<p>a</p>\n"),
            ("a *", "<p>a</p>\n"),
            ("a `", "<p>a</p>\n"),
            ("a ~~", "<p>a</p>\n"),
            ("a\\", "<p>a</p>\n"),
            ("a &am", "<p>a</p>\n"),
            ("a!", "<p>a</p>\n"),
            ("a [", "<p>a</p>\n"),
            ("a ![", "<p>a</p>\n"),
            ("a [^no", "<p>a</p>\n"),
            ("a <di", "<p>a</p>\n"),
            ("a <b class=\"c", "<p>a</p>\n"),
            ("a **[", "<p>a</p>\n"),
            ("# a *", "<h1>a</h1>\n"),
            ("> a *", "<blockquote>\n<p>a</p>\n</blockquote>\n"),
            ("<div cla", ""),
        ],
    );
    for (source, html) in [
        ("a < b", "<p>a &lt; b</p>\n"),
        ("a <b, c", "<p>a &lt;b, c</p>\n"),
        ("2 * 3", "<p>2 * 3</p>\n"),
        ("a!\n", "<p>a!</p>\n"),
        ("*a*", "<p><em>a</em></p>\n"),
        ("`a`", "<p><code>a</code></p>\n"),
    ] {
        assert_eq!(shown(source, Incomplete::OPTIMISTIC), html, "{source:?}");
    }
}

#[test]
fn lines_that_are_only_markers_are_held_back() {
    check_rule(
        |rules| &mut rules.markers,
        &[
            ("-", ""),
            ("12.", ""),
            ("##", ""),
            ("a\n-", "<p>a</p>\n"),
            ("a\n==", "<p>a</p>\n"),
            ("- a\n- ", "<ul>\n<li>a</li>\n</ul>\n"),
            ("- [ ]", ""),
            ("> a\n> -", "<blockquote>\n<p>a</p>\n</blockquote>\n"),
            ("```ru", ""),
            ("```\na\n``", "<pre><code>a\n</code></pre>\n"),
        ],
    );
    assert_eq!(shown("a **b\n-", Incomplete::OPTIMISTIC), "<p>a <strong>b</strong></p>\n");
    assert_eq!(shown("a\n---", Incomplete::OPTIMISTIC), "<h2>a</h2>\n");
}

#[test]
fn inlines_are_closed_innermost_first() {
    check_rule(
        |rules| &mut rules.inlines,
        &[
            ("a **b", "<p>a <strong>b</strong></p>\n"),
            ("a *b", "<p>a <em>b</em></p>\n"),
            ("a _b", "<p>a <em>b</em></p>\n"),
            ("a __b ", "<p>a <strong>b</strong></p>\n"),
            ("***a", "<p><em><strong>a</strong></em></p>\n"),
            ("a `b", "<p>a <code>b</code></p>\n"),
            ("a ``b`", "<p>a <code>b</code></p>\n"),
            ("a `Vec<T", "<p>a <code>Vec&lt;T</code></p>\n"),
            ("a ~~b", "<p>a <del>b</del></p>\n"),
            ("**bold*", "<p><strong>bold</strong></p>\n"),
            ("a **b `c", "<p>a <strong>b <code>c</code></strong></p>\n"),
            ("**a *b", "<p><strong>a <em>b</em></strong></p>\n"),
            ("**a [b", "<p><strong>a [b</strong></p>\n"),
            ("*a **b**", "<p><em>a <strong>b</strong></em></p>\n"),
            ("*a `b* c", "<p><em>a <code>b* c</code></em></p>\n"),
            ("- **a\n", "<ul>\n<li><strong>a</strong></li>\n</ul>\n"),
            ("# a **b", "<h1>a <strong>b</strong></h1>\n"),
            ("> a\n> **b", "<blockquote>\n<p>a\n<strong>b</strong></p>\n</blockquote>\n"),
        ],
    );
    let long = format!("a *b {}", "c ".repeat(200));
    for source in ["20~25", "a * b", "snake_case", &long, "\\*a", "a \\`b"] {
        let exact = to_html(source, &Options::github()).unwrap();
        assert_eq!(shown(source, Incomplete::OPTIMISTIC), exact, "{source:?}");
    }
}

#[test]
fn links_have_no_destination_until_it_is_complete() {
    let link = "<p><a data-pending=\"link\">t</a></p>\n";
    check_rule(
        |rules| &mut rules.links,
        &[
            ("[t](", link),
            ("[t](htt", link),
            ("[t](<a b", link),
            ("[t](u \"ti", link),
            ("[t](u(v", link),
            ("[*t*](u", "<p><a data-pending=\"link\"><em>t</em></a></p>\n"),
            ("![t](u", "<p><img data-pending=\"image\" alt=\"t\" /></p>\n"),
            ("a [x][re", "<p>a [x]</p>\n"),
            ("**a [t](u", "<p><strong>a <a data-pending=\"link\">t</a></strong></p>\n"),
            ("> [t](u", "<blockquote>\n<p><a data-pending=\"link\">t</a></p>\n</blockquote>\n"),
        ],
    );
    for (source, html) in [
        ("[t", "<p>[t</p>\n"),
        ("t](u", "<p>t](u</p>\n"),
        ("[t](u)", "<p><a href=\"u\">t</a></p>\n"),
    ] {
        assert_eq!(shown(source, Incomplete::OPTIMISTIC), html, "{source:?}");
    }
}

#[test]
fn tables_start_with_their_header() {
    let header = "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table>\n";
    let quoted = format!("<blockquote>\n{header}</blockquote>\n");
    let item = format!("<ul>\n<li>\n{header}</li>\n</ul>\n");
    check_rule(
        |rules| &mut rules.tables,
        &[
            ("| a | b |\n", header),
            ("| a | b\n", header),
            ("| a | b |\n|", header),
            ("| a | b |\n|--", header),
            ("> | a | b |\n> |", &quoted),
            ("- | a | b |\n", &item),
        ],
    );
    for source in ["| a | b |", "a | b | c\n", "|\n", "| a\n"] {
        let exact = to_html(source, &Options::github()).unwrap();
        let html = shown(source, Incomplete::OPTIMISTIC);
        assert!(html == exact || html.is_empty(), "{source:?} {html:?}");
    }
    let row = shown("| a | b |\n|-|-|\n| **c", Incomplete::OPTIMISTIC);
    assert!(row.contains("<td><strong>c</strong></td>\n<td></td>"), "{row}");
}

#[test]
fn definitions_are_hidden_while_they_are_written() {
    check_rule(
        |rules| &mut rules.definitions,
        &[
            ("[a]:", ""),
            ("[a]: <b c", ""),
            ("[a]: /u \"ti", ""),
            ("b\n\n[a]:", "<p>b</p>\n"),
            ("> [a]:", "<blockquote>\n</blockquote>\n"),
        ],
    );
}

#[test]
fn bare_links_that_may_grow_lead_nowhere() {
    let url = |text: &str| format!("<p><a data-pending=\"url\">{text}</a></p>\n");
    check_rule(
        |rules| &mut rules.bare_links,
        &[
            ("https://bank.com", &url("https://bank.com")),
            ("www.bank.com", &url("www.bank.com")),
            ("a@b.cd", &url("a@b.cd")),
            ("https://bank.com.", "<p><a data-pending=\"url\">https://bank.com</a>.</p>\n"),
            (
                "**https://bank.com",
                "<p><strong><a data-pending=\"url\">https://bank.com</a></strong></p>\n",
            ),
        ],
    );
    for source in ["https://a.bc ", "https://a.bc\n", "https://a.bc d", "<https://a.bc>"] {
        let exact = to_html(source, &Options::github()).unwrap();
        assert_eq!(shown(source, Incomplete::OPTIMISTIC), exact, "{source:?}");
    }
}

#[test]
fn the_page_is_that_of_what_was_read() {
    let sources = [
        "# A *title*\n\nSome **bold, `code` and [a link](https://a.bc \"t\")**.\n\n- one\n- two\n\n  \
         more ~~old~~\n\n1. ![i](/j)\n2. [x][y] www.a.bc\n\n[y]: /z 'w'\n",
        "| a | b |\n|:-:|--:|\n| `c` | **d** |\n| [e](f) |\n\n> | g | h |\n> |---|---|\n> | i\n\n<div class=\"x\">\n\
         *raw*\n</div>\n\n```rust\nlet a = \"**b\";\n```\n\n[^1] and a@b.cd & co &amp; \\* <b>x</b>\n\n[^1]: note *n*\n",
        "a\r\n**b\r\n\r\n- [ ] c\r\n- [x] d\r\n***\r\ne_f_g __h\ti__ \\\r\nj\0k*",
        "**é中文** *« a »* `` ` `` [中](ü 'é')\n===\n\n***a** b* **c*d**e*\n\n\\[a](b) ![c*d](e) <a.b@c.de>\n",
    ];
    for name in Options::PRESETS {
        let options = Options::preset(name).unwrap();
        for source in sources {
            for len in [1, 3, 7] {
                check(source, &options, Incomplete::OPTIMISTIC, len);
            }
        }
    }
}

/// Pieces that mean something, in an order that depends on `seed`.
fn soup(seed: u32) -> String {
    const PIECES: [&str; 36] = [
        "a",
        "b c",
        " ",
        "\n",
        "\n\n",
        "*",
        "**",
        "_",
        "~~",
        "`",
        "``",
        "[",
        "](",
        ")",
        "]",
        "![",
        "<",
        ">",
        "&am",
        "\\",
        "- ",
        "1. ",
        "> ",
        "# ",
        "---",
        "| a | b |",
        "|-|-|",
        "www.a.bc",
        "h@i.jk",
        "<div>",
        "```",
        "[x]:",
        "\"",
        "!",
        "é",
        "\r\n",
    ];
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize
    };
    let len = 1 + next() % 30;
    (0..len).map(|_| PIECES[next() % PIECES.len()]).collect()
}

#[test]
fn soups_are_what_was_read() {
    let all = [
        Incomplete::OPTIMISTIC,
        with(|rules| rules.markers = Rule::Off),
        with(|rules| rules.endings = Rule::Off),
        with(|rules| rules.inlines = Rule::Off),
        with(|rules| (rules.links, rules.tables) = (Rule::Off, Rule::Off)),
    ];
    for seed in 0..1500 {
        let source = soup(seed);
        let options = Options::preset(Options::PRESETS[seed as usize % 4]).unwrap();
        check(&source, &options, all[seed as usize % all.len()], 1 + seed as usize % 3);
    }
}

fn with(change: impl FnOnce(&mut Incomplete)) -> Incomplete {
    let mut rules = Incomplete::OPTIMISTIC;
    change(&mut rules);
    rules
}

#[test]
fn the_guide_has_every_rule() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/streaming.md");
    let guide = std::fs::read_to_string(path).unwrap();
    let rules = format!("{:?}", Incomplete::OPTIMISTIC);
    let (_, rules) = rules.split_once("{ ").unwrap();
    let rules: Vec<&str> = rules.split(", ").filter_map(|rule| rule.split(':').next()).collect();
    assert_eq!(rules.len(), 7);
    for rule in rules {
        assert!(guide.contains(&format!("\n| `{rule}` |")), "{rule}");
    }
}

#[test]
fn what_is_held_back_may_be_longer_than_the_source() {
    // Each NUL becomes three bytes of text.
    let source = format!("a [^1{}", "\0".repeat(60));
    let html = format!("<p>a [^1{}</p>\n", "\u{FFFD}".repeat(60));
    assert_eq!(shown(&source, Incomplete::OPTIMISTIC), html);
}

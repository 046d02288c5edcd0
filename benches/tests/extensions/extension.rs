//! The extensions, each with a peer, the pieces that documents are made of, and the file of known
//! differences, if there are any.

use barelink::{Options, Reading};
use pulldown_cmark::Options as Extensions;

/// An extension, and a peer that has it.
pub(crate) struct Extension {
    pub(crate) name: &'static str,
    /// What a document starts with.
    pub(crate) before: &'static str,
    /// What surrounds the pieces.
    pub(crate) around: &'static [&'static str],
    pub(crate) pieces: &'static [&'static str],
    pub(crate) ours: fn(&mut Options),
    pub(crate) theirs: fn(&str) -> String,
    /// The file of classes.
    pub(crate) known: Option<&'static str>,
}

/// With this before them, pieces make paragraphs: blocks are not what is compared.
const PARAGRAPH: &str = "x";

/// Text and the markup in it.
const TEXT: &[&str] = &[
    "a", "b", "c d", "1", " ", " ", " ", ".", ",", "(", ")", "-", "*", "**", "_", "*a*", "**b**",
    "`c`", "\\", "&amp;", "é", "中", "\n", "\n\n",
];

/// Text, lines and what they may start with.
const LINES: &[&str] = &[
    "a", "b c", " ", "  ", "\n", "\n", "\n\n", "\n\n\n", "- ", "1. ", "> ", "*d*", "`e`", "\n# ",
    "[f](g)", "\\", "---\n",
];

fn comrak(source: &str, change: fn(&mut comrak::Options<'_>)) -> String {
    let mut options = comrak::Options::default();
    options.render.r#unsafe = true;
    change(&mut options);
    comrak::markdown_to_html(source, &options)
}

fn pulldown_cmark(source: &str, extensions: Extensions) -> String {
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new_ext(source, extensions));
    html
}

/// comrak comes from cmark-gfm, and looks through delimiters as that does.
pub(crate) fn like_comrak(options: &mut Options) {
    options.reading = Reading::CmarkGfm;
}

pub(crate) const EXTENSIONS: &[Extension] = &[
    Extension {
        name: "mark",
        before: PARAGRAPH,
        around: TEXT,
        pieces: &["==", "==", "==a==", "==a", "b==", "=", "===", "\\="],
        ours: |options| {
            like_comrak(options);
            options.mark = true;
        },
        theirs: |source| comrak(source, |options| options.extension.highlight = true),
        known: None,
    },
    Extension {
        name: "superscript",
        before: PARAGRAPH,
        around: TEXT,
        pieces: &["^", "^", "^^", "^a^", "a^2^", "^(b)^", "\\^", "[", "](d)"],
        ours: |options| {
            like_comrak(options);
            options.superscript = true;
        },
        theirs: |source| comrak(source, |options| options.extension.superscript = true),
        known: Some("comrak-superscript.toml"),
    },
    Extension {
        name: "subscript",
        before: PARAGRAPH,
        around: TEXT,
        pieces: &["~", "~", "~a~", "a~2~", "~(b)~", "\\~", "~~", "~~c~~"],
        ours: |options| {
            like_comrak(options);
            options.subscript = true;
            options.strikethrough = true;
        },
        theirs: |source| {
            comrak(source, |options| {
                options.extension.subscript = true;
                options.extension.strikethrough = true;
            })
        },
        known: Some("comrak-subscript.toml"),
    },
    Extension {
        name: "math",
        before: PARAGRAPH,
        around: TEXT,
        pieces: &[
            "$", "$", "$$", "$a$", "$a", "b$", "$$c$$", "$5", "$`", "`$", "$`d`$", "\\$", "$$$",
            "<e>", "[f](g)",
        ],
        ours: |options| {
            like_comrak(options);
            options.math = true;
        },
        theirs: |source| {
            comrak(source, |options| {
                options.extension.math_dollars = true;
                options.extension.math_code = true;
            })
        },
        known: Some("comrak-math.toml"),
    },
    Extension {
        name: "wiki links",
        before: PARAGRAPH,
        around: TEXT,
        pieces: &[
            "[[",
            "]]",
            "[[a]]",
            "[[a b|c]]",
            "|",
            "[[d e",
            "f]]",
            "[g](h)",
            "[",
            "]",
            "\\[",
            "\\]",
            "\\|",
            "[[http://i.jk|l]]",
            "![[m.n]]",
            "!",
        ],
        ours: |options| {
            like_comrak(options);
            options.wiki_links = true;
        },
        theirs: |source| {
            comrak(source, |options| options.extension.wikilinks_title_after_pipe = true)
        },
        known: Some("comrak-wiki-links.toml"),
    },
    Extension {
        name: "emoji",
        before: PARAGRAPH,
        around: TEXT,
        pieces: &[
            ":",
            ":",
            ":+1:",
            ":-1:",
            ":smile:",
            ":cat:",
            ":no_such:",
            "smile:",
            ":cat",
            "\\:",
            "[:dog:](e)",
            "`:cat:`",
            "<f:cat:>",
            "http://g.hi:80:cat:",
            "_",
            "+",
            "-",
            "::",
        ],
        ours: |options| {
            like_comrak(options);
            options.emoji = true;
        },
        theirs: |source| comrak(source, |options| options.extension.shortcodes = true),
        known: None,
    },
    Extension {
        name: "smart punctuation of comrak",
        before: PARAGRAPH,
        around: TEXT,
        pieces: QUOTES,
        ours: |options| {
            like_comrak(options);
            options.smart_punctuation = true;
        },
        theirs: |source| comrak(source, |options| options.parse.smart = true),
        known: Some("comrak-smart.toml"),
    },
    Extension {
        name: "smart punctuation of pulldown-cmark",
        before: PARAGRAPH,
        around: TEXT,
        pieces: &[
            " 'a' ",
            " \"b\" ",
            " \"a 'b' c\" ",
            "don't",
            " '90s",
            "--",
            "---",
            "-----",
            "...",
            "....",
            "\\'",
            "\\\"",
            "[\"f\"](g)",
            "[f](g 'h')",
            "<e i='j'>",
            "(\"k\")",
            "\"l,\"",
            "*'m'*",
            "\"*n*\"",
        ],
        ours: |options| options.smart_punctuation = true,
        theirs: |source| pulldown_cmark(source, Extensions::ENABLE_SMART_PUNCTUATION),
        known: Some("pulldown-cmark-smart.toml"),
    },
    Extension {
        name: "definition lists",
        before: "",
        around: LINES,
        pieces: &[
            "x\n: ", "\n: ", "\n:\n", "\n:   ", "  : ", "y\n\n: ", ":", ": z\n", "\n    ", "w\n",
        ],
        ours: |options| options.definition_lists = true,
        theirs: |source| pulldown_cmark(source, Extensions::ENABLE_DEFINITION_LIST),
        known: Some("pulldown-cmark-definition-lists.toml"),
    },
    Extension {
        name: "attributes of headings",
        before: "",
        around: LINES,
        pieces: &[
            "# a", "## ", "{", "}", "{#b}", " {.c}", " {#d .e}", "{f}", "{g=h}", " {i=j k}",
            "{ #l }", "{}", " #", " ##", "\n===\n", "\n---\n", "\\{", "\\}", "{#m}{#n}", "#", ".",
            "=",
        ],
        ours: |options| options.heading_attributes = true,
        theirs: |source| pulldown_cmark(source, Extensions::ENABLE_HEADING_ATTRIBUTES),
        known: Some("pulldown-cmark-heading-attributes.toml"),
    },
];

/// Pieces of smart punctuation.
const QUOTES: &[&str] = &[
    "'",
    "\"",
    "'",
    "\"",
    "'a'",
    "\"b\"",
    "'a",
    "b\"",
    "--",
    "---",
    "-",
    "...",
    ".",
    "don't",
    "'90s",
    "\\'",
    "\\\"",
    "[f](g)",
    "[f](g 'h')",
    "<e i='j'>",
    "![k\"l](m)",
    "(",
    "]",
    "[",
];

//! The modules of each crate, and what each may import.

/// What a module may import: modules of its crate.
pub(super) struct Row {
    pub(super) module: &'static str,
    pub(super) imports: &'static [&'static str],
}

const fn row(module: &'static str, imports: &'static [&'static str]) -> Row {
    Row { module, imports }
}

/// Modules that know each other, directly or through others, with the folder of their crate: no
/// other cycle may arise.
#[cfg(test)]
pub(super) const KNOTS: &[(&str, &[&str])] = &[
    // The table has numbers of a type that is defined where they are looked up.
    ("crates/text/src/", &["fold", "generated"]),
    // What each dialect remembers is in the region that it is asked about.
    ("crates/autolink/src/", &["gfm", "github", "natural", "region"]),
    // Options are read and written by names, which name the options.
    ("crates/barelink/src/", &["names", "options"]),
    // HTML can be made from events, and these take ids of headings from there. Both are read from
    // what was parsed, which has their memory.
    ("crates/barelink/src/", &["bare_links", "event_iter", "html", "links", "parsed"]),
    // Workers send events to the server, which gives them tasks. Requests that wait are its own.
    ("crates/lsp/src/", &["server", "waiting", "worker"]),
];

/// The folder of a crate, and the row of each of its modules.
pub(super) const CRATES: &[(&str, &[Row])] = &[
    (
        "crates/text/src/",
        &[
            row("set", &[]),
            row("find", &["set"]),
            row("escape", &["find"]),
            row("words", &[]),
            row("entity", &["generated", "words"]),
            row("chars", &["generated", "set"]),
            row("fold", &["generated"]),
            row("generated", &["fold"]),
            row("span", &[]),
            row("line_index", &["span"]),
            row("units", &[]),
        ],
    ),
    (
        "crates/autolink/src/",
        &[
            row("generated", &[]),
            row("rules", &[]),
            row("verdict", &["rules"]),
            row("candidate", &["rules"]),
            row("balance", &[]),
            row("punycode", &[]),
            row("scheme", &[]),
            row("host", &[]),
            row("trim", &["verdict"]),
            // It carries what each dialect remembers from candidate to candidate.
            row("region", &["github", "host", "natural"]),
            row("gfm", &["host", "region", "scheme", "trim", "verdict"]),
            // DIALECT(github): starts as `gfm` does, and then goes its own way.
            row("github", &["generated", "gfm", "region", "scheme", "trim", "verdict"]),
            row("md4c", &["region", "scheme", "verdict"]),
            row(
                "natural",
                &[
                    "balance",
                    "candidate",
                    "generated",
                    "punycode",
                    "region",
                    "rules",
                    "scheme",
                    "verdict",
                ],
            ),
            row(
                "decide",
                &["candidate", "gfm", "github", "md4c", "natural", "region", "rules", "verdict"],
            ),
            // What other crates here may use.
            row(
                "engine",
                &["candidate", "decide", "gfm", "github", "md4c", "natural", "region", "verdict"],
            ),
            row(
                "plain",
                &["balance", "candidate", "decide", "gfm", "region", "rules", "trim", "verdict"],
            ),
            row("links", &["natural", "plain", "region", "rules", "verdict"]),
        ],
    ),
    (
        "crates/barelink/src/",
        &[
            row("url", &[]),
            row("policy", &["url"]),
            row("options", &["names", "policy"]),
            row("names", &["event", "options", "policy"]),
            row("event", &["url"]),
            row("memory", &[]),
            row("syntax", &[]),
            row("tape", &["event", "memory", "syntax"]),
            row("block", &["event", "memory", "options", "syntax", "tape"]),
            row("inline", &["event", "memory", "options", "syntax"]),
            row("source_len", &[]),
            row("own_scheme", &[]),
            row("one_line", &["options"]),
            row("parsed", &["html", "inline", "options", "tape"]),
            row(
                "html",
                &[
                    "block", "event", "inline", "links", "memory", "options", "policy", "syntax",
                    "tape",
                ],
            ),
            row(
                "event_iter",
                &[
                    "bare_links",
                    "block",
                    "event",
                    "html",
                    "inline",
                    "links",
                    "options",
                    "parsed",
                    "syntax",
                    "tape",
                ],
            ),
            row("explain", &["inline", "options", "parsed", "syntax", "tape"]),
            row("near", &["inline", "memory", "parsed", "syntax", "tape"]),
            row("bare_links", &["event", "event_iter", "inline", "links", "parsed"]),
            row("all_links", &["event", "event_iter", "links", "near", "options"]),
            row("plain_text", &["html", "inline", "tape"]),
            row(
                "links",
                &["event", "event_iter", "html", "memory", "options", "policy", "syntax", "url"],
            ),
            row("headings", &["event", "event_iter", "links"]),
            row("warnings", &["links", "url"]),
            row(
                "converter",
                &["block", "one_line", "options", "parsed", "plain_text", "source_len", "tape"],
            ),
            row("crlf", &["converter", "options", "parsed"]),
            row(
                "document",
                &[
                    "all_links",
                    "bare_links",
                    "converter",
                    "crlf",
                    "event_iter",
                    "explain",
                    "headings",
                    "html",
                    "inline",
                    "links",
                    "near",
                    "options",
                    "parsed",
                    "plain_text",
                    "source_len",
                ],
            ),
            row("owned_document", &["crlf", "document", "options", "source_len"]),
            row("block_places", &["document", "tape"]),
            row("pulldown", &["document", "event", "event_iter", "memory"]),
            row(
                "stream",
                &[
                    "block",
                    "crlf",
                    "document",
                    "event",
                    "event_iter",
                    "html",
                    "inline",
                    "memory",
                    "options",
                    "parsed",
                    "policy",
                    "source_len",
                    "syntax",
                    "tape",
                ],
            ),
        ],
    ),
    (
        "crates/lsp/src/",
        &[
            row("protocol", &[]),
            row("transport", &[]),
            row("uri", &[]),
            row("hover", &[]),
            row("interface", &[]),
            row("position", &["protocol"]),
            row("diagnostics", &["interface", "position", "protocol"]),
            row("document", &["position", "protocol"]),
            row("actions", &["diagnostics", "document", "position", "protocol"]),
            row("worker", &["actions", "diagnostics", "position", "protocol", "server"]),
            row(
                "waiting",
                &[
                    "actions",
                    "diagnostics",
                    "document",
                    "interface",
                    "protocol",
                    "server",
                    "transport",
                ],
            ),
            row(
                "server",
                &[
                    "actions",
                    "diagnostics",
                    "document",
                    "hover",
                    "interface",
                    "position",
                    "protocol",
                    "transport",
                    "uri",
                    "waiting",
                    "worker",
                ],
            ),
        ],
    ),
];

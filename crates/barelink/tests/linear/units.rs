//! What the recognizer of bare links is asked about at length: units that repeat, each
//! behind and before every frame, and in runs beside every other unit.

/// What parts the texts of one source: each is a text of its own.
pub(crate) const SEPARATOR: &str = "\u{1E}";

/// Units that mean something to all dialects.
#[rustfmt::skip]
pub(crate) const UNITS: &[&str] = &[
    "a@", "@", "a.", "a@b.c/", "a@b.c@", "a@b_", "mailto:", "mailto:a@", "xmpp:a@/", "xmpp:/",
    ":", "www.", "www._", "_www._", "_www.a_", "(www.a.b", "(www.a_b", "*www.", "www.a.b(",
    "[www.a.b", "http://", "http://_", "http://a_", "http://a.b/", "(http://a.b/",
    "(http://a.b/[", "[(http://a.b/", "[(http://a.b/](http://_", "*http://a.b*", "://", "h://",
    "ftp:", ")", "(", "()", "&amp;", "&", ";", "&a", "a;", ".,:!?*_~", "'\"", "[", "]", "[]",
    "][", "\n", "\n\n", " \n", "[\n", "\\", "é", "中_", ".", "_", "_.", "-", "/", "?a=",
    "(www.a.bc?x", "(www.a.bc?x=(", "x(", "www.a.bc?", "a@b.cd ", "a@_www.", "a@b_www.c_d",
    "a@x_www.a.b", "a@http://", "1http://a", "aaaaaaaaaaaaaaaa_www.",
];

/// Units that mean more to `natural`.
#[rustfmt::skip]
pub(crate) const NATURAL_UNITS: &[&str] = &[
    "http://[", "http://[::", "http://a.b/(", "http://a.b/中（", "http://a.b/[", "http://a.b/[](",
    "http://a.b/\"", "中", "한", "a한", "1年", "中a", "-中", "=中", ".中.a", "?中", "에", "'a", "中www.",
    "_www.中", "http://中", "http://a_", "www.a.b:", "**", "http://a.b/**x", "http://a.b/~~x",
    "*http://a.b/*x", "_http://a.b/__x", "_", "*", "~", "&gt", "&gt;", "&#x", "&a;", "a&#97;",
    "a@b&#97;", "www.a&#97;", "\\_", "\\", "\\(", "a@", "a@b.", "a.", "a.com", "中.", "a:", "a:b@",
    "//a:b@", "'", "’", "”", "“中", "—", "…", "・", "http://a.b/a,", ",http://", "中http://",
    "http://a:", "http://a:b@", ".", "..", "-", "mailto:a@b.c?d=(", "xmpp:a@b.c/", "(", ")", "\"",
    "\n", "\n\n", " ", "http://a.b/x\n", "http://a.b)x(",
];

/// What stands before and after the repeated units.
#[rustfmt::skip]
pub(crate) const FRAMES: &[(&str, &str)] = &[
    ("", ""), ("http://a.b/", ""), ("www.a.b", ""), ("www.a.b/(", ")"), ("www.a.bc?x=", ""),
    ("a@b.c", ""), ("[", ""), ("", "@a.bc"), ("", "@"), ("www.", "_"), ("www.", "_a.b"),
    ("http://a.", "_b"), ("a@", "_b"), ("xmpp:a@", "1"), ("http://a.b/中", "_"),
    ("http://a.", "_"), ("(http://a.b/", ")x"), ("**http://a.b/", "**"), ("\"http://a.b/", "](x"),
    ("a@", ".b"), ("", "@b.cd"),
];

/// Every frame around so many of a unit.
pub(crate) fn framed(unit: &str, n: usize) -> String {
    let texts = FRAMES.iter().map(|(before, after)| [before, &*unit.repeat(n), after].concat());
    texts.collect::<Vec<_>>().join(SEPARATOR)
}

/// So many of a unit before so many of every other, and taking turns with it.
pub(crate) fn paired(one: &str, others: &[&str], n: usize) -> String {
    let texts = others.iter().flat_map(|other| {
        [[one.repeat(n), other.repeat(n)].concat(), [one, *other].concat().repeat(n)]
    });
    texts.collect::<Vec<_>>().join(SEPARATOR)
}

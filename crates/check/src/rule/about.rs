//! The description of each rule, in the words that `barelink rule` and the pages of the
//! documentation display. The examples are tests.

use super::Rule;
use crate::finding::Safety;

/// The description of a rule. See [`Rule::about`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct About {
    /// Its code.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it finds, in a few words.
    pub summary: &'static str,
    /// Why that matters, in Markdown.
    pub why: &'static str,
    /// Whether it is on by default.
    pub on: bool,
    /// The safety of its fixes; `None` if it has none.
    pub fix: Option<Safety>,
    /// A document with one finding.
    pub example: &'static str,
    /// The example after the fix, if there is one.
    pub fixed: Option<&'static str>,
}

impl Rule {
    /// The description of the rule.
    pub const fn about(self) -> &'static About {
        match self {
            Self::WrongEnd => &WRONG_END,
            Self::NotLinked => &NOT_LINKED,
            Self::NotPortable => &NOT_PORTABLE,
            Self::BareLink => &BARE_LINK,
            Self::MalformedLink => &MALFORMED_LINK,
            Self::MissingScheme => &MISSING_SCHEME,
            Self::UnintendedLink => &UNINTENDED_LINK,
            Self::TextDiffers => &TEXT_DIFFERS,
            Self::DeceptiveUrl => &DECEPTIVE_URL,
            Self::AngleInMdx => &ANGLE_IN_MDX,
            Self::MissingReference => &MISSING_REFERENCE,
        }
    }
}

static WRONG_END: About = About {
    code: "BL001",
    name: "wrong-end",
    summary: "The link runs past, or stops short of, where a reader ends it",
    why: "A bare link ends where the dialect says, and that is not always where a reader sees \
          its end: full-width punctuation, emphasis or a quote may become part of the address, \
          and then the link leads nowhere. For this rule, a reader sees what the `natural` \
          dialect links.\n\n\
          The safe fixes of other rules never rewrite such a link, since that would make the \
          mistake permanent. The unsafe fix links what a reader sees.",
    on: true,
    fix: Some(Safety::Unsafe),
    example: "见 https://example.com/a，然后\n",
    fixed: Some("见 <https://example.com/a>，然后\n"),
};

static NOT_LINKED: About = About {
    code: "BL002",
    name: "not-linked",
    summary: "There is no link, though a reader sees one",
    why: "Readers take the text for an address, but where the document is published, it is \
          plain text: a quote or a letter comes before it, or the dialect does not accept the \
          form of the host.\n\n\
          The unsafe fix makes it a link.",
    on: true,
    fix: Some(Safety::Unsafe),
    example: "the site \"www.example.com\" has it\n",
    fixed: Some("the site \"[www.example.com](http://www.example.com)\" has it\n"),
};

static NOT_PORTABLE: About = About {
    code: "BL003",
    name: "not-portable",
    summary: "Some programs make it a link, and others do not",
    why: "The same document is read on GitHub, in editors and on static sites. A URL that one \
          of them links may be plain text in another, or its link may end elsewhere. `with` (in \
          the configuration), or `--with`, says which dialects must agree.\n\n\
          The safe fix writes the link in a form that means the same everywhere.",
    on: true,
    fix: Some(Safety::Safe),
    example: "open http://localhost/x now\n",
    fixed: Some("open <http://localhost/x> now\n"),
};

static BARE_LINK: About = About {
    code: "BL004",
    name: "bare-link",
    summary: "A bare link, which CommonMark alone does not have",
    why: "Bare links are an extension. Without it, as in many static site generators, the \
          address is plain text. Most bare links mean the same wherever the extension is on, \
          so this rule is off by default.\n\n\
          The safe fix writes the link in a form that every program supports.",
    on: false,
    fix: Some(Safety::Safe),
    example: "see https://example.com/docs and www.example.com\n",
    fixed: Some("see <https://example.com/docs> and [www.example.com](http://www.example.com)\n"),
};

static MALFORMED_LINK: About = About {
    code: "BL005",
    name: "malformed-link",
    summary: "It looks like a link, but is not one",
    why: "A space between text and address, full-width parentheses, brackets and parentheses \
          the wrong way round, an address in brackets (`[text][https://example.com]`), a space in \
          the address, a parenthesis that is not closed: in all these cases, the page shows the \
          brackets and parentheses instead of a link.\n\n\
          The unsafe fix writes the link that was probably meant, where that is clear.",
    on: true,
    fix: Some(Safety::Unsafe),
    example: "read [the docs] (https://example.com/docs) first\n",
    fixed: Some("read [the docs](https://example.com/docs) first\n"),
};

static MISSING_SCHEME: About = About {
    code: "BL006",
    name: "missing-scheme",
    summary: "Without a scheme it leads to a file, or nowhere",
    why: "`[text](www.example.com)` leads to a file of that name beside the page, and so does \
          `[text](me@example.com)`. `https//example.com`, `htp://example.com` and \
          `<www.example.com>` are not links. `[text](https:///example.com)`, \
          `[text](http:example.com)`, `[text](https://https://example.com)` and \
          `[text](mailto://me@example.com)` contain a mistake.\n\n\
          A destination counts as a host if it starts with `www.`, or its first part ends in \
          `.com`, `.org` or `.net`. `[text](docs.rs)` may be a file and is left alone. In angle \
          brackets, a name counts if it has a path and ends in a top-level domain that is not a \
          common word in code (`<github.com/a/b>`), or if it ends in one of these three. \
          `icon@2x.png` is not an address.\n\n\
          The unsafe fix adds what is missing.",
    on: true,
    fix: Some(Safety::Unsafe),
    example: "our [site](www.example.com)\n",
    fixed: Some("our [site](https://www.example.com)\n"),
};

static UNINTENDED_LINK: About = About {
    code: "BL007",
    name: "unintended-link",
    summary: "It becomes a link, though a reader sees none",
    why: "A package with its version, or the address of a repository, has an `@` in it and \
          becomes a mail link.\n\n\
          The unsafe fix turns it into code.",
    on: true,
    fix: Some(Safety::Unsafe),
    example: "clone git@example.com:me/it.git first\n",
    fixed: Some("clone `git@example.com:me/it.git` first\n"),
};

static TEXT_DIFFERS: About = About {
    code: "BL008",
    name: "text-differs",
    summary: "The text shows one host, and the link leads to another",
    why: "Readers trust the address they see. If the link leads elsewhere, one of the two is \
          out of date, or somebody wants to deceive. `www.`, the case of letters, and Punycode or \
          percent-escapes instead of letters make no difference.\n\n\
          A text shows a host if there is an address in it that starts with a scheme \
          (`https://example.com`) or `www.`, or if all of it is a name with a path \
          (`example.com/docs`) or an e-mail address. The name of a host alone (`example.com`) may \
          be the name of a program or a company, such as Socket.IO, and is left alone.",
    on: true,
    fix: None,
    example: "[https://example.com](https://example.org/)\n",
    fixed: None,
};

static DECEPTIVE_URL: About = About {
    code: "BL009",
    name: "deceptive-url",
    summary: "The address is not what it looks like",
    why: "A user name before the host may look like a host, invisible characters and those that \
          change the direction of text hide what is there, and letters of several scripts look \
          alike (Unicode Technical Standard #39). The joiners U+200C and U+200D belong to the \
          spelling of Persian, of languages of India and of emoji; they are reported in a host, \
          and elsewhere only where they join nothing.\n\n\
          The unsafe fix removes the user name or the characters.",
    on: true,
    fix: Some(Safety::Unsafe),
    example: "[log in](https://bank.example@evil.example/)\n",
    fixed: Some("[log in](https://evil.example/)\n"),
};

static ANGLE_IN_MDX: About = About {
    code: "BL010",
    name: "angle-in-mdx",
    summary: "MDX reads a tag, not a link",
    why: "In MDX, `<` begins a tag, and `<https://example.com>` stops the build. This rule \
          looks at files whose name ends in `.mdx`. In such files, all rules leave code alone: \
          `import` and `export`, `{…}` and tags.\n\n\
          The safe fix writes an inline link.",
    on: true,
    fix: Some(Safety::Safe),
    example: "see <https://example.com>\n",
    fixed: Some("see [https://example.com](https://example.com)\n"),
};

static MISSING_REFERENCE: About = About {
    code: "BL011",
    name: "missing-reference",
    summary: "Nothing defines the reference",
    why: "`[text][label]` is a link only if the document has a line `[label]: address`. \
          Without it, the page shows the brackets. The same goes for a footnote, `[^label]`.\n\n\
          Brackets have other uses, so some references are not reported: those with at most two \
          letters in both parts (`[ab][cd]`); those right after a word or a bracket \
          (`list[key][0]`) or right before one of `[*+?{(` (`[abc][def]+`); ranges (`[a-z]`); a \
          checkbox (`- [x][a b]`); and text without a letter or a digit. A footnote is reported \
          only if it follows text or punctuation on its line, and not before `+`, `?`, `{` or a \
          single `*`, as in a regular expression (`[^abc]+`).",
    on: true,
    fix: None,
    example: "see [the guide][guide]\n",
    fixed: None,
};

//! Verdicts and their reasons.
//!
//! Each dialect has one recogniser, generic over a [`Report`]. Where it
//! decides, it tells the report by which [`Rule`] and at which byte.
//! [`Silent`] takes nothing down and compiles to nothing; [`Record`] keeps the
//! reason for a [`Verdict`]. So an explanation cannot differ from what was
//! done, and whoever does not ask does not pay.

use barelink_text::Span;

use crate::rules::Kind;

/// Receives the reasons of a recogniser while it decides one candidate.
///
/// ```
/// use barelink_autolink::{Context, Report, Rule, gfm};
///
/// struct Print;
/// impl Report for Print {
///     fn refused(&mut self, rule: Rule, at: usize) {
///         println!("refused at byte {at}: {}", rule.sentence());
///     }
///     fn trimmed(&mut self, rule: Rule, start: usize, end: usize) {
///         println!("bytes {start}..{end} left outside: {}", rule.sentence());
///     }
/// }
///
/// let text = b"www.a.bc.";
/// let found = gfm::match_www(text, 0, &mut Context::new(0, text.len()), &mut Print);
/// assert_eq!(found.unwrap().end, 8);
/// ```
pub trait Report {
    /// The candidate is no link: this rule is broken at this byte.
    fn refused(&mut self, rule: Rule, at: usize);

    /// The bytes `start..end` at the end of the link were left outside. Called
    /// from right to left.
    fn trimmed(&mut self, rule: Rule, start: usize, end: usize);

    /// So many bytes were looked at. For tests that time is linear.
    #[inline]
    fn examined(&mut self, n_bytes: usize) {
        let _ = n_bytes;
    }
}

/// Takes nothing down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    #[inline]
    fn refused(&mut self, _: Rule, _: usize) {}

    #[inline]
    fn trimmed(&mut self, _: Rule, _: usize, _: usize) {}
}

/// Keeps the reason of one decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record {
    refusal: Option<(Rule, u32)>,
    trims: Trims,
}

impl Record {
    /// The outcome of the decision that was recorded, given the link it found.
    pub fn outcome(&self, link: Option<Span>) -> Outcome {
        match (link, self.refusal) {
            (Some(span), _) => Outcome::Linked { span, trims: self.trims },
            (None, Some((rule, at))) => Outcome::Refused { rule, at },
            // No recogniser is silent when it refuses; a test holds them to it.
            (None, None) => Outcome::Refused { rule: Rule::Before, at: 0 },
        }
    }
}

impl Report for Record {
    fn refused(&mut self, rule: Rule, at: usize) {
        self.refusal = Some((rule, at as u32));
    }

    fn trimmed(&mut self, rule: Rule, start: usize, end: usize) {
        self.trims.push(Trim { rule, span: Span::new(start as u32, end as u32) });
    }
}

/// What became of one candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The kind of link it would be.
    pub kind: Kind,
    /// The `://`, `www.` or `@` itself.
    pub candidate: Span,
    /// Linked or refused, and why.
    pub outcome: Outcome,
}

/// Linked or refused, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It is a link.
    Linked {
        /// The link's text.
        span: Span,
        /// What was left outside at its end.
        trims: Trims,
    },
    /// It is none.
    Refused {
        /// The rule it breaks.
        rule: Rule,
        /// The byte where it does.
        at: u32,
    },
}

/// Something left outside at the end of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trim {
    /// The rule by which it was.
    pub rule: Rule,
    /// Which bytes.
    pub span: Span,
}

/// What was left outside at the end of a link, the outermost first.
///
/// Neighbours dropped by the same rule are one entry. There is room for
/// [`Trims::CAPACITY`]; if there are more, the last entry also covers those
/// that follow it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Trims {
    entries: [Option<Trim>; Self::CAPACITY],
}

impl Trims {
    /// How many entries there can be.
    pub const CAPACITY: usize = 4;

    /// The entries, from the end of the text that was considered back to the
    /// link.
    pub fn iter(&self) -> impl Iterator<Item = Trim> + '_ {
        self.entries.iter().flatten().copied()
    }

    /// The same entries with other spans: for a text that was decoded before.
    #[must_use]
    pub fn map_spans(mut self, span: impl Fn(Span) -> Span) -> Self {
        for trim in self.entries.iter_mut().flatten() {
            trim.span = span(trim.span);
        }
        self
    }

    /// Whether nothing was left outside.
    pub fn is_empty(&self) -> bool {
        self.entries[0].is_none()
    }

    fn push(&mut self, trim: Trim) {
        let n_entries = self.iter().count();
        if let Some(Some(last)) = self.entries[..n_entries].last_mut()
            && (last.rule == trim.rule || n_entries == Self::CAPACITY)
        {
            last.span.start = trim.span.start;
        } else {
            self.entries[n_entries] = Some(trim);
        }
    }
}

impl core::fmt::Debug for Trims {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Makes the closed enum of rules, and what each has to say, in one place.
macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident: $sentence:literal, $section:expr;)+) => {
        /// Why a candidate was refused, or why something at its end was left
        /// outside.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)+
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$rule,)+];

            /// The rule in one sentence.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Self::$rule => $sentence,)+
                }
            }

            /// Where the rule is written.
            pub const fn section(self) -> &'static str {
                match self {
                    $(Self::$rule => $section,)+
                }
            }
        }
    };
}

const GFM: &str = "GFM 0.29 §6.9, Autolinks (extension)";
const GFM_DOMAIN: &str = "GFM 0.29 §6.9, valid domain";
const GFM_URL: &str = "GFM 0.29 §6.9, extended url autolink";
const GFM_PATH: &str = "GFM 0.29 §6.9, extended autolink path validation";
const GFM_EMAIL: &str = "GFM 0.29 §6.9, extended email autolink";
const CMARK_GFM: &str = "cmark-gfm 0.29.0.gfm.13, autolink extension (no document says so)";
const MD4C: &str = "MD4C permissive autolinks, Permissive Autolinks";
const MD4C_URL: &str = "MD4C permissive autolinks, Permissive URL Autolinks";
const MD4C_EMAIL: &str = "MD4C permissive autolinks, Permissive E-mail Autolinks";

rules! {
    /// What precedes, in the GFM dialects.
    Before: "A bare link begins at the start of a line, after whitespace, or after `*`, `_`, `~` or `(`.", GFM;
    /// The scheme, in the GFM dialects.
    Scheme: "A bare URL begins with `http://`, `https://` or `ftp://`, and no letter stands before that.", GFM_URL;
    /// No domain at all.
    DomainMissing: "A domain has to follow: letters, digits, `-`, `_` and `.`.", GFM_DOMAIN;
    /// A domain without a period.
    DomainPeriod: "The domain needs at least one period.", GFM_DOMAIN;
    /// An underscore near the end of the domain.
    DomainUnderscore: "The last two segments of the domain may not have an underscore.", GFM_DOMAIN;
    /// A pending bracket.
    OpenBracket: "No bare URL or `www.` name is recognised after a `[` that is not closed.", CMARK_GFM;
    /// `github`: the first character of the host.
    HostStart: "The character right after `://` may not be a space or punctuation.", CMARK_GFM;
    /// Nothing usable before the `@`, in the GFM dialects.
    LocalPart: "Before the `@` of an e-mail address stand letters, digits, `.`, `-`, `_` or `+`.", GFM_EMAIL;
    /// Nothing usable after the `@`.
    EmailDomain: "After the `@` of an e-mail address stand letters, digits, `.`, `-` or `_`.", GFM_EMAIL;
    /// No period after the `@`.
    EmailPeriod: "The part of an e-mail address after the `@` needs a period inside.", GFM_EMAIL;
    /// `gfm`: a hyphen or underscore at the end of the address.
    EmailLast: "The last character of an e-mail address may not be `-` or `_`.", GFM_EMAIL;
    /// `github`: no letter at the end of the address.
    EmailLastLetter: "The last character of an e-mail address has to be a letter of ASCII.", CMARK_GFM;
    /// `github`: another `@`.
    SecondAt: "Another `@` follows in the same word, and the address is looked for there.", CMARK_GFM;
    /// Trimmed: punctuation.
    TrailingPunctuation: "Punctuation at the end (`?`, `!`, `.`, `,`, `:`, `*`, `_`, `~`) is not part of the link.", GFM_PATH;
    /// Trimmed: a closing parenthesis.
    TrailingParenthesis: "A `)` at the end is not part of a link that has more `)` than `(`.", GFM_PATH;
    /// Trimmed: an entity look-alike.
    TrailingEntity: "Text like `&name;` at the end is not part of the link.", GFM_PATH;
    /// Trimmed, `github`: a quote.
    TrailingQuote: "A quote (`'` or `\"`) at the end is not part of the link.", CMARK_GFM;
    /// Trimmed, `github`: a lone semicolon.
    TrailingSemicolon: "A `;` at the end is not part of the link.", CMARK_GFM;
    /// Trimmed, `gfm`: the period after an address.
    EmailTrailingPeriod: "A period at the end of an e-mail address is not part of the link.", GFM_EMAIL;
    /// What precedes, in `md4c`.
    PermissiveBefore: "Before the link stands the start of a line, whitespace, `(`, `{`, `[` or a mark that opens emphasis.", MD4C;
    /// What follows, in `md4c`.
    PermissiveAfter: "After the link stands the end of a line, whitespace, `)`, `}`, `]`, `.`, `!`, `?`, `,`, `;` or a mark that closes emphasis.", MD4C;
    /// The scheme, in `md4c`.
    PermissiveScheme: "The link begins with `http://`, `https://` or `ftp://`, in lower case.", MD4C_URL;
    /// Too few host components, in `md4c`.
    PermissiveComponents: "The host has two or more components of letters and digits, with single `.`, `-` or `_` between these.", MD4C_URL;
    /// The last host component, in `md4c`.
    PermissiveLastComponent: "The last component of the host has at least two characters.", MD4C_URL;
    /// Unbalanced parentheses in the query, in `md4c`.
    PermissiveParentheses: "Every `(` in the query has its `)`.", MD4C_URL;
    /// Nothing usable before the `@`, in `md4c`.
    PermissiveUser: "Before the `@` stand letters and digits, with single `.`, `-`, `_` or `+` between these.", MD4C_EMAIL;
}

#[cfg(test)]
mod tests {
    use super::{Rule, Trim, Trims};
    use barelink_text::Span;

    #[test]
    fn every_rule_is_one_sentence_with_a_place() {
        for rule in Rule::ALL {
            assert!(rule.sentence().ends_with('.'), "{rule:?}");
            assert!(!rule.sentence().contains(". "), "{rule:?}");
            assert!(!rule.section().is_empty(), "{rule:?}");
        }
    }

    #[test]
    fn neighbours_by_one_rule_are_one_trim() {
        let mut trims = Trims::default();
        assert!(trims.is_empty());
        let dot = |at| Trim { rule: Rule::TrailingPunctuation, span: Span::new(at, at + 1) };
        let paren = |at| Trim { rule: Rule::TrailingParenthesis, span: Span::new(at, at + 1) };
        trims.push(dot(9));
        trims.push(dot(8));
        assert!(trims.iter().eq([Trim { span: Span::new(8, 10), ..dot(0) }]));
        for at in [6, 4, 2, 0] {
            trims.push(paren(at + 1));
            trims.push(dot(at));
        }
        assert_eq!(trims.iter().count(), Trims::CAPACITY);
        assert_eq!(trims.iter().last().map(|trim| trim.span), Some(Span::new(0, 6)));
    }
}

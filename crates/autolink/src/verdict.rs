//! Verdicts and their reasons.
//!
//! Each dialect has one recognizer, generic over a [`Report`]. Where it decides, it reports the
//! [`Rule`] and the byte. [`Silent`] records nothing and compiles to nothing; [`Reasons`] records
//! the reason for a [`Verdict`]. So an explanation cannot differ from the decision, and costs
//! nothing unless requested.

use barelink_text::Span;

use crate::rules::Kind;

/// Receives the reasons of a recognizer while it decides a candidate.
///
/// ```
/// use barelink_autolink::{Rule, engine::{Region, Report, gfm}};
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
/// let found = gfm::match_www(text, 0, &mut Region::new(0, text.len()), &mut Print);
/// assert_eq!(found.unwrap().end, 8);
/// ```
pub trait Report {
    /// The candidate is not a link: it breaks this rule at this byte.
    fn refused(&mut self, rule: Rule, at: usize);

    /// The bytes `start..end` at the end of the link were left outside. Called from right to left.
    fn trimmed(&mut self, rule: Rule, start: usize, end: usize);

    /// Whether [`trimmed`](Self::trimmed) has any effect. If not, a recognizer need not find out
    /// why text was left outside.
    #[inline]
    fn is_heard(&self) -> bool {
        true
    }
}

/// Records nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    #[inline]
    fn refused(&mut self, _: Rule, _: usize) {}

    #[inline]
    fn trimmed(&mut self, _: Rule, _: usize, _: usize) {}

    #[inline]
    fn is_heard(&self) -> bool {
        false
    }
}

/// Records the reasons of one decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reasons {
    refusal: Option<(Rule, u32)>,
    trims: Trims,
}

impl Reasons {
    /// The outcome of the recorded decision, given the link it found.
    pub fn outcome(&self, link: Option<Span>) -> Outcome {
        match (link, self.refusal) {
            (Some(span), _) => Outcome::Linked { span, trims: self.trims },
            (None, Some((rule, at))) => Outcome::Refused { rule, at },
            // Every recognizer reports when it refuses; a test checks that.
            (None, None) => Outcome::Refused { rule: Rule::Before, at: 0 },
        }
    }
}

impl Report for Reasons {
    fn refused(&mut self, rule: Rule, at: usize) {
        self.refusal = Some((rule, at as u32));
    }

    fn trimmed(&mut self, rule: Rule, start: usize, end: usize) {
        self.trims.push(Trim::new(rule, Span::new(start as u32, end as u32)));
    }
}

/// The result for one candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// The kind of link it would be.
    pub kind: Kind,
    /// The `://`, `www.` or `@` itself.
    pub candidate: Span,
    /// Linked or refused, and why.
    pub outcome: Outcome,
}

/// Linked or refused, and why. There will be no third variant, but the variants may get fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The candidate is part of a link.
    #[non_exhaustive]
    Linked {
        /// The link's text.
        span: Span,
        /// The text left outside at its end.
        trims: Trims,
    },
    /// The candidate is not part of a link.
    #[non_exhaustive]
    Refused {
        /// The rule it breaks.
        rule: Rule,
        /// The offset of the byte that breaks it.
        at: u32,
    },
}

/// Text left outside at the end of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Trim {
    /// The rule that left it outside.
    pub rule: Rule,
    /// The span of the text.
    pub span: Span,
}

impl Trim {
    /// The text at `span`, left outside by `rule`.
    pub const fn new(rule: Rule, span: Span) -> Self {
        Self { rule, span }
    }
}

/// The text left outside at the end of a link, outermost first.
///
/// Adjacent pieces dropped by the same rule are one entry. There are at most [`Trims::CAPACITY`]
/// entries; if there were more, the last entry also covers the rest.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Trims {
    entries: [Option<Trim>; Self::CAPACITY],
}

impl Trims {
    /// The maximum number of entries.
    pub const CAPACITY: usize = 4;

    /// The entries in reverse text order: from the end of the text that was considered back to the
    /// link.
    pub fn iter(&self) -> impl Iterator<Item = Trim> + '_ {
        self.entries.iter().flatten().copied()
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

/// Defines the enum of rules together with their sentences and sections.
macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident: $sentence:literal, $section:expr;)+) => {
        /// The reason why a candidate was refused, or why text at its end was left outside.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)+
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$rule,)+];

            /// The rule as a sentence.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $(Self::$rule => $sentence,)+
                }
            }

            /// The document and section that define the rule.
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
const NATURAL_1: &str = "Barelink natural dialect, principle 1 (emphasis counts)";
const NATURAL_2: &str = "Barelink natural dialect, principle 2 (scripts without spaces count)";
const NATURAL_3: &str = "Barelink natural dialect, principle 3 (brackets and quotes)";
const NATURAL_4: &str = "Barelink natural dialect, principle 4 (real hosts)";
const NATURAL_5: &str = "Barelink natural dialect, principle 5 (not addresses)";
const NATURAL_6: &str = "Barelink natural dialect, principle 6 (escapes and entities)";
const NATURAL_DOMAINS: &str = "Barelink natural dialect, names without a scheme (option `domains`)";
const NATURAL_UTS58: &str = "UTS #58, Link Detection, which the natural dialect follows";

rules! {
    /// The character before the link, in the GFM dialects.
    Before: "A bare link must be at the start of a line, or after whitespace, `*`, `_`, `~` or `(`.", GFM;
    /// The scheme, in the GFM dialects.
    Scheme: "A bare URL must begin with `http://`, `https://` or `ftp://`, without a letter before that.", GFM_URL;
    /// No domain at all.
    DomainMissing: "A domain must follow: letters, digits, `-`, `_` and `.`.", GFM_DOMAIN;
    /// A domain without a period.
    DomainPeriod: "The domain needs at least one period.", GFM_DOMAIN;
    /// An underscore near the end of the domain.
    DomainUnderscore: "The last two segments of the domain must not have an underscore.", GFM_DOMAIN;
    /// A pending bracket.
    OpenBracket: "After a `[` that is not closed, bare URLs and `www.` names are not linked.", CMARK_GFM;
    /// `github`: the first character of the host.
    HostStart: "The character right after `://` must not be a space or punctuation.", CMARK_GFM;
    /// Nothing usable before the `@`, in the GFM dialects.
    LocalPart: "The part of an e-mail address before the `@` is made of letters, digits, `.`, `-`, `_` and `+`.", GFM_EMAIL;
    /// Nothing usable after the `@`.
    EmailDomain: "The part of an e-mail address after the `@` is made of letters, digits, `.`, `-` and `_`.", GFM_EMAIL;
    /// No period after the `@`.
    EmailPeriod: "The part of an e-mail address after the `@` must contain a period.", GFM_EMAIL;
    /// `gfm`: a hyphen or underscore at the end of the address.
    EmailLast: "The last character of an e-mail address must not be `-` or `_`.", GFM_EMAIL;
    /// `github`: no letter at the end of the address.
    EmailLastLetter: "The last character of an e-mail address must be an ASCII letter.", CMARK_GFM;
    /// `github`: another `@`.
    SecondAt: "Another `@` follows in the same word, and only that one is tried.", CMARK_GFM;
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
    /// The character before the link, in `md4c`.
    PermissiveBefore: "The link must be at the start of a line, or after whitespace, `(`, `{`, `[` or an opening emphasis mark.", MD4C;
    /// The character after the link, in `md4c`.
    PermissiveAfter: "The link must be followed by the end of the line, whitespace, `)`, `}`, `]`, `.`, `!`, `?`, `,`, `;` or a closing emphasis mark.", MD4C;
    /// The scheme, in `md4c`.
    PermissiveScheme: "The link must begin with `http://`, `https://` or `ftp://`, in lower case.", MD4C_URL;
    /// Too few host components, in `md4c`.
    PermissiveComponents: "The host must have two or more components of letters and digits, separated by single `.`, `-` or `_`.", MD4C_URL;
    /// The last host component, in `md4c`.
    PermissiveLastComponent: "The last component of the host must have at least two characters.", MD4C_URL;
    /// Unbalanced parentheses in the query, in `md4c`.
    PermissiveParentheses: "Every `(` in the query must have its `)`.", MD4C_URL;
    /// Nothing usable before the `@`, in `md4c`.
    PermissiveUser: "The part before the `@` is made of letters and digits, separated by single `.`, `-`, `_` or `+`.", MD4C_EMAIL;
    /// The character before `www.`, in `natural`.
    NaturalBefore: "`www.` must not follow a letter or digit of a script with spaces, nor `/`, `.`, `-`, `@` or `\\`.", NATURAL_2;
    /// The scheme, in `natural`.
    NaturalScheme: "A bare URL must begin with `http://`, `https://` or `ftp://`, without an ASCII letter or digit before that.", NATURAL_4;
    /// An escaped colon or `@`, in `natural`.
    NaturalEscape: "A backslash before the `://` or the `@` means that this is not a link.", NATURAL_6;
    /// No host at all, in `natural`.
    NaturalHostMissing: "A host must follow.", NATURAL_4;
    /// An invalid label, in `natural`.
    NaturalLabel: "No part of a host may be empty, or start or end with `-`.", NATURAL_UTS58;
    /// An underscore near the end of a host, in `natural`.
    NaturalUnderscore: "The last two parts of a host must not have an underscore.", NATURAL_4;
    /// Too few parts, in `natural`.
    NaturalPeriod: "An international host, and what follows `www.`, must contain a period.", NATURAL_4;
    /// A number at the end of a host, in `natural`.
    NaturalNumber: "The last part of a host must not be a number, except in an IPv4 address.", NATURAL_4;
    /// One letter at the end of a `www.` name, in `natural`.
    NaturalLastLabel: "The last part of a name that begins with `www.` must have two or more letters.", NATURAL_4;
    /// Brackets without an address, in `natural`.
    NaturalIpv6: "Brackets right after `://` must contain an IPv6 address.", NATURAL_4;
    /// A user before the host, in `natural`.
    NaturalUser: "A URL with a user name before its host is not linked, because the name could pass for a host.", NATURAL_UTS58;
    /// Nothing usable before the `@`, in `natural`.
    NaturalLocalPart: "The part of an address before the `@` is made of letters, digits, `-`, `_` and `+`, with single periods between.", NATURAL_5;
    /// Words before the `@` that run into the sentence, in `natural`.
    NaturalWords: "Words of a script without spaces before the `@`, or of any but Latin before a host with capital letters, need a host in such letters, too.", NATURAL_5;
    /// Part of a path, in `natural`.
    NaturalPart: "An address must not begin right after a `/`.", NATURAL_5;
    /// Two `@` in a word, in `natural`.
    NaturalSecondAt: "An address has one `@`.", NATURAL_5;
    /// No valid host after the `@`, in `natural`.
    NaturalMailHost: "The `@` of an address must be followed by a host that contains a period and does not end in `-` or `_`.", NATURAL_5;
    /// A version after the `@`, in `natural`.
    NaturalVersion: "The last part of an address must be made of letters: this looks like a version or a scale.", NATURAL_5;
    /// A path on another machine, in `natural`.
    NaturalRemote: "An address followed by `:` and a path names a file on another machine.", NATURAL_5;
    /// A name without a scheme, if those are not looked for.
    DomainsOff: "A name without a scheme is a link only in the natural dialect, and there with the option `domains` (`--domains`).", NATURAL_DOMAINS;
    /// The character before a name without a scheme, in `natural`.
    NaturalDomainBefore: "A name without a scheme must not follow a letter or digit of a script with spaces, nor any of `/`, `.`, `-`, `@`, `\\`, `#`, `$`, `%`, `&`, `+` and `;`.", NATURAL_DOMAINS;
    /// No top-level domain, in `natural`.
    NaturalTopLevel: "A name without a scheme must end in a top-level domain, in lower case.", NATURAL_DOMAINS;
    /// A possible file name, in `natural`.
    NaturalFile: "What could be a file or a part of a program is a link only if a port or a path follows.", NATURAL_DOMAINS;
    /// The end, `natural`: emphasis.
    NaturalEmphasis: "A run of `*`, `_` or `~` that closes emphasis from before the link, or opens emphasis after it, is not part of the link.", NATURAL_1;
    /// The end, `natural`: Markdown syntax.
    NaturalMarkdown: "A backtick, a footnote's `[^` and the brackets of a Markdown link are not part of a bare link.", NATURAL_1;
    /// The end, `natural`: full-width punctuation.
    NaturalFullWidth: "Full-width punctuation and full-width letters end a link, unless they are a pair of brackets inside.", NATURAL_2;
    /// The end, `natural`: a symbol.
    NaturalSymbol: "A symbol, an emoji, a wave dash or an ellipsis ends a link.", NATURAL_2;
    /// The end, `natural`: a word of a script without spaces.
    NaturalGlued: "A word of a script without spaces that is glued to a host, or Han, kana or Hangul glued to letters of another script, is not part of the link.", NATURAL_2;
    /// The end, `natural`: a particle.
    NaturalParticle: "A particle of Chinese, Japanese or Korean behind a name is not part of the link.", NATURAL_2;
    /// The end, `natural`: another link.
    NaturalNext: "A separator with another link right behind it is not part of the link.", NATURAL_2;
    /// The end, `natural`: a bracket.
    NaturalBracket: "A bracket that has no partner in the link is not part of it.", NATURAL_3;
    /// The end, `natural`: a quote.
    NaturalQuote: "A quote at the end, or one that closes a quote from before the link, is not part of the link.", NATURAL_3;
    /// The end, `natural`: a dash.
    NaturalDash: "A dash between two thoughts is not part of the link.", NATURAL_3;
    /// The end, `natural`: an entity.
    NaturalEntity: "An entity at the end, or one that stands for a space, `<`, `>` or `\"`, is not part of the link.", NATURAL_6;
    /// The end, `natural`: punctuation.
    NaturalPunctuation: "Punctuation at the end is not part of the link.", NATURAL_UTS58;
    // New rules go to the end: the numbers of the others must not change.
    /// A code, in `natural`.
    NaturalCode: "One letter on either side of the `@`, with capital letters among them and the last two, is part of a code.", NATURAL_5;
    /// The end, `natural`: an ending after an apostrophe.
    NaturalEnding: "An apostrophe and an ending that the sentence adds, such as `'s` behind small letters or the Turkish `'da`, are not part of the link.", NATURAL_3;
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
    fn neighbors_by_one_rule_are_one_trim() {
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

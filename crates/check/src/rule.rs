//! The rules by name, and sets of them. Their descriptions are in `about`.

mod about;
mod nearest;
mod page;

use std::fmt;
use std::str::FromStr;

pub use self::about::About;
pub(crate) use self::nearest::nearest;

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[repr(u8)]
pub enum Rule {
    /// BL001: a link does not end where a reader ends it.
    WrongEnd,
    /// BL002: no link, though a reader sees one.
    NotLinked,
    /// BL003: linked by some, not by others.
    NotPortable,
    /// BL004: a bare link, which is not part of CommonMark.
    BareLink,
    /// BL005: looks like a link, but is none.
    MalformedLink,
    /// BL006: leads to a file, or nowhere, for lack of a scheme.
    MissingScheme,
    /// BL007: an unintended link.
    UnintendedLink,
    /// BL008: shows one host, leads to another.
    TextDiffers,
    /// BL009: not what it looks like.
    DeceptiveUrl,
    /// BL010: an angle link in MDX.
    AngleInMdx,
    /// BL011: a reference without a definition.
    MissingReference,
}

impl Rule {
    /// All rules, in the order of their codes.
    pub const ALL: &'static [Self] = &[
        Self::WrongEnd,
        Self::NotLinked,
        Self::NotPortable,
        Self::BareLink,
        Self::MalformedLink,
        Self::MissingScheme,
        Self::UnintendedLink,
        Self::TextDiffers,
        Self::DeceptiveUrl,
        Self::AngleInMdx,
        Self::MissingReference,
    ];

    /// Its code, such as `BL001`.
    pub const fn code(self) -> &'static str {
        self.about().code
    }

    /// Its name, such as `wrong-end`.
    pub const fn name(self) -> &'static str {
        self.about().name
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// The error of parsing a name that is not a rule's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownRule {
    name: String,
    wanted: Wanted,
}

/// What kind of name was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Rule,
    RuleSet,
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = match self.wanted {
            Wanted::Rule => "a code such as BL001, or a name such as wrong-end",
            Wanted::RuleSet => "a code such as BL001, a name such as wrong-end, or ALL",
        };
        write!(f, "unknown rule `{}`: expected {expected}", self.name)?;
        match self.meant() {
            Some(name) => write!(f, "; did you mean `{name}`?"),
            None => Ok(()),
        }
    }
}

impl UnknownRule {
    /// The rule that was probably intended: one name is part of the other, or they differ by a
    /// slip.
    pub(crate) fn meant(&self) -> Option<&'static str> {
        let name = self.name.to_ascii_lowercase();
        let is_part = |rule: &Rule| rule.name().contains(&name) || name.contains(rule.name());
        let part = Rule::ALL.iter().copied().find(is_part).filter(|_| name.len() > 2);
        part.map(Rule::name).or_else(|| {
            let names = Rule::ALL.iter().flat_map(|rule| [rule.code(), rule.name()]);
            nearest(&self.name, names)
        })
    }
}

impl std::error::Error for UnknownRule {}

/// Parses a code or a name, ignoring case.
impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        let is_it = |rule: &Self| {
            rule.code().eq_ignore_ascii_case(name) || rule.name().eq_ignore_ascii_case(name)
        };
        Self::ALL.iter().copied().find(is_it).ok_or_else(|| {
            let name = name.to_owned();
            UnknownRule { name, wanted: Wanted::Rule }
        })
    }
}

/// A set of rules.
///
/// ```
/// use barelink_check::{Rule, RuleSet};
/// let mut rules: RuleSet = [Rule::BareLink].into();
/// rules.insert(Rule::NotPortable);
/// assert!(rules.contains(Rule::BareLink) && !rules.contains(Rule::WrongEnd));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RuleSet(u32);

impl RuleSet {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Every rule.
    pub const ALL: Self = Self((1 << Rule::ALL.len()) - 1);

    /// The rules that are on by default: all but [`BareLink`](Rule::BareLink).
    /// [`AngleInMdx`](Rule::AngleInMdx) applies only to MDX.
    pub const DEFAULT: Self = Self(Self::ALL.0 & !Self::bit(Rule::BareLink));

    const fn bit(rule: Rule) -> u32 {
        1 << rule as u8
    }

    /// Whether the set contains the rule.
    pub const fn contains(self, rule: Rule) -> bool {
        self.0 & Self::bit(rule) != 0
    }

    /// Whether the set contains any of these rules.
    pub fn contains_any(self, rules: impl Into<Self>) -> bool {
        self.0 & rules.into().0 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a rule.
    pub const fn insert(&mut self, rule: Rule) {
        self.0 |= Self::bit(rule);
    }

    /// The rules in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The rules that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The rules of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| self.contains(*rule))
    }
}

impl<const N: usize> From<[Rule; N]> for RuleSet {
    fn from(rules: [Rule; N]) -> Self {
        rules.into_iter().collect()
    }
}

impl FromIterator<Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        rules.into_iter().fold(Self::NONE, |set, rule| set.union(Self(Self::bit(rule))))
    }
}

/// `ALL`, or one rule by its code or name.
impl FromStr for RuleSet {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        if name.eq_ignore_ascii_case("all") {
            return Ok(Self::ALL);
        }
        let rule = name.parse().map(|rule| Self(Self::bit(rule)));
        rule.map_err(|error: UnknownRule| UnknownRule { wanted: Wanted::RuleSet, ..error })
    }
}

#[cfg(test)]
mod tests {
    use super::{Rule, RuleSet};

    #[test]
    fn codes_count_up_and_names_are_read() {
        for (idx, rule) in Rule::ALL.iter().enumerate() {
            assert_eq!(rule.code(), format!("BL{:03}", idx + 1));
            assert_eq!(rule.code().to_lowercase().parse(), Ok(*rule));
            assert_eq!(rule.name().parse(), Ok(*rule));
        }
        assert!("BL999".parse::<Rule>().is_err());
        for (slip, meant) in [
            ("malformed", "malformed-link"),
            ("BL03", "BL003"),
            ("worng-end", "wrong-end"),
            ("Not_Portable", "not-portable"),
            ("BL0011", ""),
            ("MD034", ""),
            ("x", ""),
        ] {
            let message = slip.parse::<RuleSet>().unwrap_err().to_string();
            let expected = if meant.is_empty() { "or ALL" } else { &format!("mean `{meant}`?") };
            assert!(message.ends_with(expected), "{message}");
        }
        assert!("".parse::<RuleSet>().is_err());
        // Where one rule is wanted, all are not offered.
        let message = "ALL".parse::<Rule>().unwrap_err().to_string();
        assert!(message.ends_with("or a name such as wrong-end"), "{message}");
    }

    #[test]
    fn sets_are_sets() {
        assert_eq!("all".parse(), Ok(RuleSet::ALL));
        assert_eq!(RuleSet::ALL.iter().count(), Rule::ALL.len());
        let without = RuleSet::ALL.without([Rule::BareLink].into());
        assert_eq!(without, RuleSet::DEFAULT);
        assert!(without.contains_any([Rule::BareLink, Rule::WrongEnd]));
        assert!(RuleSet::NONE.is_empty());
    }
}

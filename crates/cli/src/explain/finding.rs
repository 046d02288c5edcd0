//! The items that are explained, in the order of the source: every candidate for a bare link, and
//! every broken link.

use std::iter;

use barelink::{Flaw, NearLink, Span};

use crate::explain::gather::Case;

/// Something that is explained.
#[derive(Debug, Clone)]
pub(crate) enum Finding<'a> {
    /// A candidate for a bare link.
    Bare(Case<'a>),
    /// Text that looks like a link with brackets but is none.
    Broken(NearLink),
}

impl Finding<'_> {
    /// The verdict as a word.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Bare(case) => case.answer.name(),
            Self::Broken(_) => "broken",
        }
    }

    /// The position to show.
    pub(crate) fn start(&self) -> u32 {
        match self {
            Self::Bare(case) => case.start(),
            Self::Broken(near) => near.span.start,
        }
    }

    fn region(&self) -> Span {
        match self {
            Self::Bare(case) => case.region(),
            Self::Broken(near) => near.span,
        }
    }

    /// Whether any part of it is on a line.
    pub(crate) fn is_on(&self, line: Span) -> bool {
        let region = self.region();
        region.start <= line.end && (region.start >= line.start || region.end > line.start)
    }

    /// The distance from `offset`, in bytes.
    pub(crate) fn distance(&self, offset: u32) -> u32 {
        let region = self.region();
        region.start.saturating_sub(offset).max((offset + 1).saturating_sub(region.end))
    }
}

/// Merges both iterators, each of which is in the order of the source.
pub(crate) fn merged<'a>(
    cases: impl Iterator<Item = Case<'a>>,
    near: impl Iterator<Item = NearLink>,
) -> impl Iterator<Item = Finding<'a>> {
    let mut cases = cases.peekable();
    let mut near = near.filter(is_meant).peekable();
    iter::from_fn(move || {
        let is_broken = near
            .peek()
            .is_some_and(|near| cases.peek().is_none_or(|case| near.span.start <= case.start()));
        if is_broken { near.next().map(Finding::Broken) } else { cases.next().map(Finding::Bare) }
    })
}

/// Whether the text was probably intended as a link. Brackets followed by separate parentheses also
/// occur in sentences: `[1] (optional)`, `[1]（可选）`.
fn is_meant(near: &NearLink) -> bool {
    let is_apart = near.at < near.target.start
        && matches!(near.flaw, Flaw::SpaceBeforeParenthesis | Flaw::FullWidthParenthesis);
    near.looks_like_url || !is_apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::EVERYWHERE;
    use crate::explain::gather::Gathered;
    use barelink::Options;

    /// The verdicts about a text, each with where it is.
    fn found(text: &str) -> Vec<(&'static str, u32)> {
        let document = barelink::parse(text, &Options::gfm()).unwrap();
        let gathered = Gathered::new(&document, EVERYWHERE);
        let findings = merged(gathered.cases(), document.near_links());
        findings.map(|it| (it.name(), it.start())).collect()
    }

    #[test]
    fn all_come_in_the_order_of_the_source() {
        //         0         1         2         3
        //         0123456789012345678901234567890123456
        let text = "www.a.bc [x](y z) @ [s][t] http://b.cd";
        let expected =
            [("linked", 0), ("broken", 9), ("refused", 18), ("broken", 20), ("linked", 27)];
        assert_eq!(found(text), expected);
        // A candidate in the text of a broken link.
        assert_eq!(found("[http://a.bc](d e)"), [("broken", 0), ("refused", 5)]);
    }

    #[test]
    fn what_is_a_remark_in_a_sentence_is_not_told() {
        assert_eq!(found("[1] (optional) [1]（可选）"), []);
        assert_eq!(found("[1] (notes.md)"), [("broken", 0)]);
        assert_eq!(found("[1]（notes.md）"), [("broken", 0)]);
        assert_eq!(found("[1](可选）"), [("broken", 0)], "a link that ends wrongly");
        assert_eq!(found("[1](b c)"), [("broken", 0)]);
    }
}

//! The checker: settings, and the memory that it keeps from document to document.

use barelink::{SourceTooLong, Span};

use crate::changed::Change;
use crate::comments::Disabled;
use crate::finding::{Edit, Finding, Fix};
use crate::fix::{self, Fixed};
use crate::rule::{Rule, RuleSet};
use crate::settings::{Flavor, Settings};
use crate::survey::{EVERYWHERE, Surveyor};
use crate::{bare, broken, deceptive, mdx, missing_scheme};

/// Checks documents.
#[derive(Debug)]
pub struct Checker {
    settings: Settings,
    surveyor: Surveyor,
}

impl Checker {
    /// A checker with these settings.
    pub fn new(settings: Settings) -> Self {
        let surveyor = Surveyor::new(&settings.options);
        Self { settings, surveyor }
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn surveyor(&mut self) -> &mut Surveyor {
        &mut self.surveyor
    }

    /// What the rules find in a document, in the order of the source.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink_check::{Checker, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let findings = checker.check("[https://a.bc](https://d.ef)")?;
    /// let message = "the text shows `a.bc`, and the link leads to `d.ef`";
    /// assert_eq!(findings[0].message, message);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn check(&mut self, source: &str) -> Result<Vec<Finding>, SourceTooLong> {
        self.check_rules(source, self.settings.rules)
    }

    /// The same of blocks that a span is in, or next to, and of no others: in a long document,
    /// this takes little more time than finding its blocks. Blocks with several findings may
    /// have some that are not at the span itself.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink::Span;
    /// use barelink_check::{Checker, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let source = "http://localhost/1\n\nhttp://localhost/2";
    /// let findings = checker.check_within(source, Span::new(25, 25))?;
    /// assert_eq!(findings[0].span.slice(source), "http://localhost/2");
    /// assert_eq!(findings.len(), 1);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn check_within(
        &mut self,
        source: &str,
        span: Span,
    ) -> Result<Vec<Finding>, SourceTooLong> {
        self.surveyor.look_within(span);
        let findings = self.check(source);
        self.surveyor.look_within(EVERYWHERE);
        findings
    }

    /// Where a new version of a document differs from the one before; `None` if the difference
    /// may count for all of it, as that of a definition does.
    ///
    /// # Errors
    /// If one of them is longer than [`barelink::MAX_SOURCE`].
    pub fn change(&mut self, before: &str, after: &str) -> Result<Option<Change>, SourceTooLong> {
        Change::find(self, before, after)
    }

    /// What the rules find in a new version of a document, from what they found in the one
    /// before: only what changed is checked.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink_check::{Checker, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let before = "http://localhost/1\n\ntwo\n\nhttp://localhost/3";
    /// let after = "http://localhost/1\n\n\"www.a.bc\"\n\nhttp://localhost/3";
    /// let findings = checker.check(before)?;
    /// let change = checker.change(before, after)?.expect("it is in one block");
    /// let changed = checker.check_changed(after, change, findings)?;
    /// assert_eq!(changed, checker.check(after)?);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn check_changed(
        &mut self,
        source: &str,
        change: Change,
        before: Vec<Finding>,
    ) -> Result<Vec<Finding>, SourceTooLong> {
        let there = self.check_within(source, change.after())?;
        Ok(change.joined(before, there))
    }

    /// What those rules find that have safe fixes, and the one that keeps them from being made.
    /// It is all that [`Checker::safe_edits`] needs.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn check_fixable(&mut self, source: &str) -> Result<Vec<Finding>, SourceTooLong> {
        const SAFE: [Rule; 4] =
            [Rule::NotPortable, Rule::BareLink, Rule::AngleInMdx, Rule::MalformedLink];
        let rules = SAFE.into_iter().filter(|rule| self.settings.rules.contains(*rule)).collect();
        self.check_rules(source, rules)
    }

    fn check_rules(&mut self, source: &str, rules: RuleSet) -> Result<Vec<Finding>, SourceTooLong> {
        let links = self.surveyor.links(source)?;
        let mut findings = Vec::new();
        bare::check(self, rules, source, &links, &mut findings)?;
        if rules.contains(Rule::MissingScheme) {
            missing_scheme::check(source, &links, &mut self.surveyor, &mut findings)?;
        }
        broken::check(source, &mut self.surveyor, rules, &mut findings)?;
        if rules.contains_any([Rule::TextDiffers, Rule::DeceptiveUrl]) {
            deceptive::check(source, &links, rules, &mut findings);
        }
        let is_mdx = self.settings.flavor == Flavor::Mdx;
        if is_mdx && rules.contains(Rule::AngleInMdx) {
            mdx::check(&links, &mut findings);
        }
        drop(links);
        if findings.is_empty() {
            return Ok(findings);
        }
        let disabled = Disabled::read(source, self.surveyor.parser(), self.settings.flavor)?;
        let code = if is_mdx { mdx::statements(source) } else { Vec::new() };
        findings.retain(|finding| !disabled.covers(finding) && !is_in(&code, finding.span));
        drop_told_twice(&mut findings);
        // Findings are large: their places are sorted, and then they.
        findings.sort_by_cached_key(|finding| (finding.span.start, finding.rule, finding.span.end));
        Ok(findings)
    }

    /// The edits of one fix, as they fit where they are; `None` if they do not: a safe fix would
    /// change the page after all, or another would not make the link that it should.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn fitting(&mut self, source: &str, fix: &Fix) -> Result<Option<Vec<Edit>>, SourceTooLong> {
        fix::fitting_alone(&mut self.surveyor, source, fix)
    }

    /// The edits of the safe fixes of these findings, those of the source, that fit; `None` if
    /// there are none. Unlike [`Checker::fix`], it does not look whether there is more to fix
    /// afterward.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn safe_edits(
        &mut self,
        source: &str,
        findings: &[Finding],
    ) -> Result<Option<Vec<Edit>>, SourceTooLong> {
        let found = fix::safe_edits(&mut self.surveyor, source, findings)?;
        Ok(found.map(|(edits, _)| edits))
    }

    /// The same of a new version of a document, from the edits of the one before, which may be
    /// none.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn safe_edits_changed(
        &mut self,
        source: &str,
        findings: &[Finding],
        change: Change,
        before: Vec<Edit>,
    ) -> Result<Option<Vec<Edit>>, SourceTooLong> {
        fix::safe_edits_changed(&mut self.surveyor, source, findings, change, before)
    }

    /// The document with its safe fixes applied, so that the page stays as it is; `None` if
    /// there is nothing to fix.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn fix(&mut self, source: &str) -> Result<Option<Fixed>, SourceTooLong> {
        fix::safe(self, source)
    }

    /// The document with all fixes applied, also those that change the page; `None` if there
    /// is nothing to fix.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn fix_all(&mut self, source: &str) -> Result<Option<Fixed>, SourceTooLong> {
        fix::all(self, source)
    }
}

/// What is wrong with the end of a bare link in a malformed one is not worth telling.
fn drop_told_twice(findings: &mut Vec<Finding>) {
    let malformed = findings.iter().filter(|finding| finding.rule == Rule::MalformedLink);
    let mut spans: Vec<Span> = malformed.map(|finding| finding.span).collect();
    if spans.is_empty() {
        return;
    }
    spans.sort_by_key(|span| span.start);
    // One may be in the text of another.
    spans.dedup_by(|next, before| {
        let overlap = next.start < before.end;
        if overlap {
            before.end = before.end.max(next.end);
        }
        overlap
    });
    findings.retain(|finding| {
        !matches!(finding.rule, Rule::WrongEnd | Rule::NotLinked | Rule::NotPortable)
            || !is_in(&spans, finding.span)
    });
}

/// Whether a span begins in one of these, which are sorted and do not overlap.
fn is_in(spans: &[Span], span: Span) -> bool {
    let idx = spans.partition_point(|it| it.end <= span.start);
    spans.get(idx).is_some_and(|it| it.start <= span.start)
}

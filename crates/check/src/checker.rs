//! The checker: settings, and memory that is reused from document to document.

use barelink::{Document, SourceTooLong, Span};

use crate::bare::Bare;
use crate::changed::{self, Change};
use crate::comments::{self, BadComment, Disabled};
use crate::finding::{Edit, Finding, Fix, Fixable, Found, Safety};
use crate::fix::{self, Fixed, SafeEdits};
use crate::front_matter::{self, Closed};
use crate::rule::Rule;
use crate::settings::{Flavor, Settings};
use crate::survey::{EVERYWHERE, Surveyor};
use crate::{bare, broken, deceptive, mdx, missing_scheme, portable};

/// The results for a document, up to some offset.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// The findings, in the order of the source.
    pub findings: Vec<Finding>,
    /// The offset: the end of the document, the start of a block, or of a word in a long block.
    pub end: usize,
}

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

    pub(crate) fn surveyor(&self) -> &Surveyor {
        &self.surveyor
    }

    pub(crate) fn surveyor_mut(&mut self) -> &mut Surveyor {
        &mut self.surveyor
    }

    /// Returns the findings in a document, in the order of the source.
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
        self.check_document(self.surveyor.read(source)?)
    }

    /// Like [`check`](Self::check), but returns only findings that overlap or touch a span. In a
    /// long document, this takes little more time than finding its blocks.
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

    /// Comments for this tool that name an unknown rule, or are misspelled: they have no effect.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink_check::{Checker, Settings};
    /// let checker = Checker::new(Settings::default());
    /// let source = "<!-- barelink-disable BL03 -->";
    /// let bad = checker.bad_comments(source)?;
    /// assert_eq!(bad[0].span.slice(source), "BL03");
    /// assert!(bad[0].message.contains("did you mean `BL003`?"));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn bad_comments(&self, source: &str) -> Result<Vec<BadComment>, SourceTooLong> {
        comments::bad_comments(source, &self.surveyor, self.settings.flavor)
    }

    /// Continues a check: adds the findings in the following blocks, up to about `len` bytes. A
    /// long block may be checked in several parts.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink_check::{Checked, Checker, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let source = "http://localhost/1\n\nhttp://localhost/2\n\nhttp://localhost/3";
    /// let mut checked = Checked::default();
    /// checker.check_more(source, 30, &mut checked)?;
    /// assert_eq!((checked.findings.len(), checked.end), (2, 40));
    /// checker.check_more(source, 30, &mut checked)?;
    /// assert_eq!((checked.findings.len(), checked.end), (3, source.len()));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn check_more(
        &mut self,
        source: &str,
        len: usize,
        checked: &mut Checked,
    ) -> Result<(), SourceTooLong> {
        let document = self.surveyor.read(source)?;
        let starts = changed::line_starts(&document);
        let at = checked.end.saturating_add(len.max(1));
        let end = changed::end_of_first_part(&starts, checked.end, at, source);
        let span = Span::new(checked.end as u32, end as u32);
        self.surveyor.look_within(span);
        let findings = self.check_document(document);
        self.surveyor.look_within(EVERYWHERE);
        let is_there = |it: &Finding| span.start <= it.span.start && it.span.start < span.end;
        checked.findings.extend(findings?.into_iter().filter(is_there));
        checked.end = end;
        Ok(())
    }

    /// The difference between two versions of a document; `None` if it may affect all of it, as
    /// that of a definition does.
    ///
    /// # Errors
    /// If one of them is longer than [`barelink::MAX_SOURCE`].
    pub fn change(&mut self, before: &str, after: &str) -> Result<Option<Change>, SourceTooLong> {
        Change::find(self, before, after)
    }

    /// The results for a new version of a document, given those for the previous one: only the
    /// change is checked. If it is long, or was not checked before, the results end there.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink_check::{Checked, Checker, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let before = "http://localhost/1\n\ntwo\n\nhttp://localhost/3";
    /// let after = "http://localhost/1\n\n\"www.a.bc\"\n\nhttp://localhost/3";
    /// let checked = Checked { findings: checker.check(before)?, end: before.len() };
    /// let change = checker.change(before, after)?.expect("it is in one block");
    /// let changed = checker.check_changed(after, change, checked)?;
    /// assert_eq!(changed, Checked { findings: checker.check(after)?, end: after.len() });
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn check_changed(
        &mut self,
        source: &str,
        change: Change,
        before: Checked,
    ) -> Result<Checked, SourceTooLong> {
        if !change.is_before(before.end) || change.is_long() {
            return Ok(change.cut(before));
        }
        let there = self.check_within(source, change.after())?;
        let end = change.moved_end(before.end);
        Ok(Checked { findings: change.joined(before.findings, there), end })
    }

    /// Like [`Checker::check_fixable`], for the blocks in a part of a document.
    pub(crate) fn check_fixable_part<'s>(
        &mut self,
        document: Document<'static, 's>,
        part: Span,
    ) -> Result<(Vec<Fixable>, Document<'static, 's>), SourceTooLong> {
        self.surveyor.look_within(part);
        let found = self.check_fixable(document);
        self.surveyor.look_within(EVERYWHERE);
        let (mut findings, document) = found?;
        findings.retain(|it| part.start <= it.span.start && it.span.start < part.end);
        Ok((findings, document))
    }

    /// The findings with safe fixes, and those that prevent them. The document is returned.
    pub(crate) fn check_fixable<'s>(
        &self,
        document: Document<'static, 's>,
    ) -> Result<(Vec<Fixable>, Document<'static, 's>), SourceTooLong> {
        let (surveyor, rules) = (&self.surveyor, self.settings.rules);
        let (source, own) = (document.source(), self.settings.options.autolinks);
        let mut found = Vec::new();
        if self.settings.flavor == Flavor::Mdx && rules.contains(Rule::AngleInMdx) {
            mdx::check_fixable(surveyor.marked(&document), &mut found);
        }
        let document = if rules.contains_any([Rule::NotPortable, Rule::BareLink]) {
            portable::check(self, rules, document, &mut found).with_autolinks(own)
        } else {
            document
        };
        if rules.contains(Rule::MalformedLink) && !found.is_empty() {
            let mut starts: Vec<u32> = found.iter().map(|it| it.span.start).collect();
            starts.sort_unstable();
            let has_one = |near: Span| {
                let next = starts.partition_point(|start| *start < near.start);
                starts.get(next).is_some_and(|start| *start < near.end)
            };
            let mut malformed = Vec::new();
            let rules = [Rule::MalformedLink].into();
            broken::check(&document, surveyor, rules, has_one, &mut malformed);
            let fixable = |it: Finding| Fixable { rule: it.rule, span: it.span, way: None };
            found.extend(malformed.into_iter().map(fixable));
        }
        Ok((self.counting(source, found)?, document))
    }

    fn check_document(
        &self,
        document: Document<'static, '_>,
    ) -> Result<Vec<Finding>, SourceTooLong> {
        const OF_BARE: [Rule; 6] = [
            Rule::WrongEnd,
            Rule::NotLinked,
            Rule::NotPortable,
            Rule::BareLink,
            Rule::MissingScheme,
            Rule::UnintendedLink,
        ];
        const OF_ALL: [Rule; 3] = [Rule::MissingScheme, Rule::TextDiffers, Rule::DeceptiveUrl];
        let (surveyor, rules, source) = (&self.surveyor, self.settings.rules, document.source());
        let mut findings = Vec::new();
        broken::check(&document, surveyor, rules, |_| true, &mut findings);
        let is_mdx = self.settings.flavor == Flavor::Mdx;
        let is_angle_wrong = is_mdx && rules.contains(Rule::AngleInMdx);
        let is_bare_wanted = rules.contains_any(OF_BARE) || rules.contains_any(OF_ALL);
        let (bare, doubts) =
            if is_bare_wanted { surveyor.bare(&document) } else { Default::default() };
        if is_angle_wrong || rules.contains_any(OF_ALL) {
            let is_scheme_wanted = rules.contains(Rule::MissingScheme);
            let is_deceptive_wanted = rules.contains_any([Rule::TextDiffers, Rule::DeceptiveUrl]);
            for link in surveyor.marked(&document) {
                if is_scheme_wanted {
                    missing_scheme::check_link(source, &link, &mut findings);
                }
                if is_deceptive_wanted {
                    deceptive::check(source, &link, rules, &mut findings);
                }
                if is_angle_wrong {
                    mdx::check(&link, &mut findings);
                }
            }
            if is_scheme_wanted {
                missing_scheme::check(&document, surveyor, &mut findings);
            }
            if is_deceptive_wanted {
                deceptive::check_bare(source, &bare.links, rules, &mut findings);
            }
        }
        if rules.contains_any(OF_BARE) {
            bare::check(
                self,
                rules,
                document,
                Bare { links: &bare, doubts: &doubts },
                &mut findings,
            );
        }
        self.counting(source, findings)
    }

    /// The findings that are not switched off, in the order of the source.
    fn counting<F: Found>(
        &self,
        source: &str,
        mut findings: Vec<F>,
    ) -> Result<Vec<F>, SourceTooLong> {
        let Self { settings, surveyor } = self;
        findings.retain(|finding| surveyor.is_near(finding.span()));
        if findings.is_empty() {
            return Ok(findings);
        }
        let disabled = Disabled::read(source, surveyor, settings.flavor)?;
        findings.retain(|finding| !disabled.covers(finding));
        drop_in_code(source, settings.flavor, &mut findings);
        drop_told_twice(&mut findings);
        let key = |it: &F| (it.span().start, it.rule(), it.span().end);
        if !findings.is_sorted_by_key(key) {
            // Findings are large: this sorts their keys first, and then moves them.
            findings.sort_by_cached_key(key);
        }
        Ok(findings)
    }

    /// The edits of one fix, in a form that fits its place. `None` if none does: a safe fix would
    /// change the page after all, or an unsafe one would not make the intended link.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn fitting(&mut self, source: &str, fix: &Fix) -> Result<Option<Vec<Edit>>, SourceTooLong> {
        let each = fix::fitting_each(&mut self.surveyor, source, &[fix], usize::MAX)?;
        Ok(each.into_iter().next().flatten())
    }

    /// Like [`fitting`](Self::fitting), for several fixes in the order of the source, each by
    /// itself. Fixes are tried until about `bytes_max` bytes have been read; fixes in different
    /// blocks are tried at the same time.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn fitting_each(
        &mut self,
        source: &str,
        fixes: &[&Fix],
        bytes_max: usize,
    ) -> Result<Vec<Option<Vec<Edit>>>, SourceTooLong> {
        fix::fitting_each(&mut self.surveyor, source, fixes, bytes_max)
    }

    /// Whether [`Checker::fix_all`] would fix each of these findings, which are those of a
    /// document. Of several fixes for the same place it makes one, and none that does not fit its
    /// place.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink_check::{Checker, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let source = "[t] (https://a.bc) and [t][gone]";
    /// let findings = checker.check(source)?;
    /// assert_eq!(checker.are_fixable(source, &findings)?, [true, false]);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn are_fixable(
        &mut self,
        source: &str,
        findings: &[Finding],
    ) -> Result<Vec<bool>, SourceTooLong> {
        fix::made(&mut self.surveyor, source, findings)
    }

    /// The edits of all safe fixes of a document that fit; `None` if there are none. Unlike
    /// [`Checker::fix`], this does not check whether there is more to fix afterward. A long
    /// document is read by several threads.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink_check::{Checker, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let edits = checker.safe_edits("see http://localhost/x")?.expect("not everybody links it");
    /// assert_eq!(edits[0].text, "<http://localhost/x>");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn safe_edits(&mut self, source: &str) -> Result<Option<Vec<Edit>>, SourceTooLong> {
        let safe = fix::safe_edits_at_once(self, source, &|| false)?;
        Ok(Some(safe.edits).filter(|edits| !edits.is_empty()))
    }

    /// Like [`safe_edits`](Self::safe_edits), for a new version of a document, given the edits of
    /// the previous one, which may be empty.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn safe_edits_changed(
        &mut self,
        source: &str,
        change: Change,
        before: Vec<Edit>,
    ) -> Result<Option<Vec<Edit>>, SourceTooLong> {
        let safe = fix::safe_edits_changed(self, source, change, before, &|| false)?;
        Ok(Some(safe.edits).filter(|edits| !edits.is_empty()))
    }

    /// Like [`safe_edits`](Self::safe_edits), or like
    /// [`safe_edits_changed`](Self::safe_edits_changed) with `before`, but with a time limit: a
    /// long document is read part by part, and once `is_enough` returns true, no further part is
    /// started. Then the edits are those of some of its blocks.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use barelink_check::{Checker, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let deadline = Instant::now() + Duration::from_millis(20);
    /// let is_enough = || Instant::now() > deadline;
    /// let safe = checker.safe_edits_until("see http://localhost/x", None, &is_enough)?;
    /// assert_eq!(safe.edits[0].text, "<http://localhost/x>");
    /// assert!(safe.is_all);
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn safe_edits_until(
        &mut self,
        source: &str,
        before: Option<(Change, Vec<Edit>)>,
        is_enough: &(dyn Fn() -> bool + Sync),
    ) -> Result<SafeEdits, SourceTooLong> {
        match before {
            Some((change, edits)) => {
                fix::safe_edits_changed(self, source, change, edits, is_enough)
            }
            None => fix::safe_edits_at_once(self, source, is_enough),
        }
    }

    /// The document with its safe fixes applied, which leave the page as it is; `None` if there is
    /// nothing to fix.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn fix(&mut self, source: &str) -> Result<Option<Fixed>, SourceTooLong> {
        fix::safe(self, source)
    }

    /// The document with all fixes applied, including those that change the page; `None` if there
    /// is nothing to fix.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    pub fn fix_all(&mut self, source: &str) -> Result<Option<Fixed>, SourceTooLong> {
        fix::all(self, source)
    }

    /// The document with the fixes of some findings applied, those that are safe or all of them;
    /// `None` if there is nothing to fix. In each of several passes, `choose` keeps those of the
    /// findings in the text that are to be fixed.
    ///
    /// # Errors
    /// If the source is longer than [`barelink::MAX_SOURCE`].
    ///
    /// ```
    /// use barelink_check::{Checker, Finding, Safety, Settings};
    /// let mut checker = Checker::new(Settings::default());
    /// let source = "http://localhost/1 http://localhost/2";
    /// let choose = &mut |text: &str, findings: &mut Vec<Finding>| {
    ///     findings.retain(|finding| finding.span.slice(text).ends_with('2'));
    /// };
    /// let fixed = checker.fix_chosen(source, Safety::Safe, choose)?.expect("one is chosen");
    /// assert_eq!(fixed.text, "http://localhost/1 <http://localhost/2>");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub fn fix_chosen(
        &mut self,
        source: &str,
        safety: Safety,
        choose: &mut dyn FnMut(&str, &mut Vec<Finding>),
    ) -> Result<Option<Fixed>, SourceTooLong> {
        fix::chosen(self, source, safety, choose)
    }
}

/// Drops findings in front matter and in code of MDX: neither is text, and nothing is fixed there.
fn drop_in_code(source: &str, flavor: Flavor, findings: &mut Vec<impl Found>) {
    let front_matter = front_matter::end(source, Closed::ByDots) as u32;
    if front_matter > 0 {
        findings.retain(|finding| finding.span().start >= front_matter);
    }
    if flavor == Flavor::Mdx && !findings.is_empty() {
        let code = mdx::spans(source);
        let is_code = |place: Span| mdx::is_in_code(source, &code, place);
        findings.retain(|finding| !is_code(finding.span()));
        for finding in findings {
            finding.drop_fix_at(is_code);
        }
    }
}

/// Drops findings about the end of a bare link inside a malformed link, and about unintended links
/// that are also deceptive.
fn drop_told_twice(findings: &mut Vec<impl Found>) {
    let spans_of = |rule: Rule| {
        let of_rule = findings.iter().filter(|finding| finding.rule() == rule);
        let mut spans: Vec<Span> = of_rule.map(Found::span).collect();
        spans.sort_by_key(|span| (span.start, span.end));
        spans
    };
    let (mut malformed, deceptive) = (spans_of(Rule::MalformedLink), spans_of(Rule::DeceptiveUrl));
    if malformed.is_empty() && deceptive.is_empty() {
        return;
    }
    // One may be in the text of another.
    malformed.dedup_by(|next, before| {
        let overlap = next.start < before.end;
        if overlap {
            before.end = before.end.max(next.end);
        }
        overlap
    });
    findings.retain(|finding| match finding.rule() {
        Rule::WrongEnd | Rule::NotLinked | Rule::NotPortable => !is_in(&malformed, finding.span()),
        Rule::UnintendedLink => {
            let Span { start, end } = finding.span();
            deceptive.binary_search_by_key(&(start, end), |it| (it.start, it.end)).is_err()
        }
        _ => true,
    });
}

/// Whether a span begins in one of these, which are sorted and do not overlap.
fn is_in(spans: &[Span], span: Span) -> bool {
    let idx = spans.partition_point(|it| it.end <= span.start);
    spans.get(idx).is_some_and(|it| it.start <= span.start)
}

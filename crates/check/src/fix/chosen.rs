//! The fixes of those findings that somebody chooses, such as those that are new.
//!
//! The choice is made again in every pass, since places move and there may be new findings. What is
//! tried and compared is the same as without a choice. But it comes from findings with their
//! messages and notes, which take longer to find.

use barelink::SourceTooLong;

use super::{Fitting, Fixed, PASSES_MAX_OF_ALL, Rendered, apply, fitting, repeat, without_overlap};
use crate::checker::Checker;
use crate::finding::{Finding, Fix, Safety};

/// Applies the fixes of the chosen findings in a text: the safe ones, and then, if wanted, the
/// others as well.
pub(crate) fn chosen(
    checker: &mut Checker,
    source: &str,
    safety: Safety,
    choose: &mut dyn FnMut(&str, &mut Vec<Finding>),
) -> Result<Option<Fixed>, SourceTooLong> {
    repeat(source, PASSES_MAX_OF_ALL, |text| {
        let mut findings = checker.check(text)?;
        choose(text, &mut findings);
        let safe = pass(checker, text, &findings, Safety::Safe)?;
        match safety {
            Safety::Unsafe if safe.is_none() => pass(checker, text, &findings, Safety::Unsafe),
            _ => Ok(safe),
        }
    })
}

/// Tries all fixes of a kind.
fn pass(
    checker: &mut Checker,
    source: &str,
    findings: &[Finding],
    safety: Safety,
) -> Result<Option<Fixed>, SourceTooLong> {
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_deref());
    let fixes: Vec<&Fix> =
        fixes.filter(|fix| fix.safety == safety && !fix.edits.is_empty()).collect();
    if fixes.is_empty() {
        return Ok(None);
    }
    let surveyor = checker.surveyor_mut();
    let Fitting { edits, n_fixed } = fitting(surveyor, source, &without_overlap(fixes))?;
    let fits = n_fixed > 0
        && (safety == Safety::Unsafe
            || Rendered::new(surveyor, source)?.is_kept(surveyor, &edits)?);
    Ok(fits.then(|| Fixed { text: apply(source, &edits), n_fixed }))
}

//! The ends of styles that are open before a bare link in `natural` and unknown to the recognizer:
//! `==⟦http://a.bc/x=y⟧==`, `a^⟦http://b.cd⟧^`.
//!
//! As with emphasis, a run that closes an opener before the link ends the link. So if such a style
//! is open, the region of the recognizer ends where the style is closed.
//!
//! LINEAR: the next run of a delimiter that can close is searched for once, and reused until it is
//! passed.

use super::Context;
use super::delimiter::Delimiter;
use super::emphasis::flanking;
use super::open::OpenRuns;
use crate::syntax::text::Text;

/// The first run from `from` on that can close, or the end of the text.
#[derive(Debug, Default, Clone, Copy)]
struct Next {
    from: usize,
    closer: usize,
}

/// The ends of the styles of a text, computed on demand, for each delimiter that is markup.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Closers([Next; Delimiter::N_MARKUP]);

impl Closers {
    /// The first end of an open style from `from` on, or the end of the text.
    pub(super) fn style_end(
        &mut self,
        text: &Text<'_>,
        from: usize,
        open: OpenRuns,
        context: &Context<'_>,
    ) -> usize {
        let mut end = text.end;
        let all = self.0.iter_mut().zip(Delimiter::ALL);
        for (next, delimiter) in all.filter(|(_, delimiter)| open.has_untold(*delimiter)) {
            if !(next.from..=next.closer).contains(&from) {
                *next = find_closer(text, from, delimiter, context);
            }
            end = end.min(next.closer);
        }
        end
    }
}

/// The first run from `from` on that can close.
fn find_closer(text: &Text<'_>, from: usize, delimiter: Delimiter, context: &Context<'_>) -> Next {
    let bytes = text.bytes();
    let mut at = from;
    while let Some(len) = memchr::memchr(delimiter.byte(), &bytes[at..]) {
        let start = at + len;
        let run_len = bytes[start..].iter().take_while(|byte| **byte == delimiter.byte()).count();
        let end = start + run_len;
        let is_escaped = bytes[text.start..start].ends_with(b"\\");
        let pairs = delimiter.pairing(run_len, context.options).is_some();
        if pairs && !is_escaped && flanking(text, start, end, delimiter, context).can_close {
            return Next { from, closer: start };
        }
        at = end;
    }
    Next { from, closer: text.end }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Verdict};

    #[test]
    fn a_run_that_ends_a_link_is_told() {
        let mut options = Options::natural();
        (options.mark, options.superscript) = (true, true);
        for (source, n_trims) in
            [("==www.a.bc/x.==", 2), ("==a^www.a.bc/x^==", 1), ("==www.a.bc/x b==", 0)]
        {
            let document = crate::parse(source, &options).expect("it is short");
            let decision = document.explain().next().expect("there is a candidate");
            let Verdict::Linked { span, trims, .. } = decision.verdict else { panic!("{source}") };
            assert_eq!(span.slice(source), "www.a.bc/x");
            assert_eq!(trims.len(), n_trims, "{source}: {trims:?}");
        }
    }
}

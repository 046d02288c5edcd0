//! Why there is a link, or none, at a position: in the current dialect, and in the others.
//!
//! ```text
//! **No link** in `github`: The character before it does not let a link begin.
//!
//! * `gfm`: the same
//! * `natural`: linked to `http://www.a.bc`
//! ```
//!
//! Only the block at the position is explained, so a long document costs no more than its block
//! phase, once for all dialects.

use std::fmt::Write as _;

use barelink::{Decision, Dialect, Document, Form, Options, SourceTooLong, Span, Verdict};

/// The maximum length of the word around a candidate, on either side.
const WORD_LEN_MAX: usize = 2000;

/// Candidates farther from the position than this are ignored. It exceeds [`WORD_LEN_MAX`].
const NEAR_LEN: u32 = 64 << 10;

/// The maximum number of characters shown of a destination.
const SHOWN_MAX: usize = 300;

/// The answer to a hover request.
#[derive(Debug)]
pub(crate) struct Hover {
    pub(crate) span: Span,
    pub(crate) markdown: String,
}

/// What a dialect decides about a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Answer {
    Linked {
        destination: String,
        outside: Vec<(Span, &'static str, &'static str)>,
    },
    /// The sentence of the rule, and its section of the specification.
    Refused(&'static str, &'static str),
    /// The candidate is in a place where bare links are not searched for.
    Elsewhere(&'static str),
    Unseen,
}

/// A candidate for a bare link.
#[derive(Debug)]
struct Case {
    /// The `://`, `www.` or `@`.
    candidate: Span,
    /// The text that the decision is about.
    region: Span,
    answer: Answer,
}

/// Explains a position.
pub(crate) fn at(
    text: &str,
    offset: u32,
    options: &Options,
) -> Result<Option<Hover>, SourceTooLong> {
    let point = Span::new(offset, offset);
    let document = barelink::parse(text, options)?;
    let near = document.near_links().within(point).find(|near| contains(near.span, offset));
    let case = case(text, &document, point, |decision| reaches(text, decision, offset));
    let is_elsewhere = |case: &Case| matches!(case.answer, Answer::Elsewhere(_));
    if let Some(case) = case.as_ref().filter(|case| !is_elsewhere(case)) {
        return Ok(Some(bare(case, document)));
    }
    if let Some(near) = near {
        let markdown =
            format!("**No link**: {}\n\n{}", prose(near.flaw.sentence()), prose(near.flaw.help()));
        return Ok(Some(Hover { span: near.span, markdown }));
    }
    let others = document.links().within(point);
    let link = others.filter(|link| contains(link.span, offset)).last();
    if let Some(link) = link {
        let what = if link.image { "Image" } else { "Link" };
        let (form, shown) = (form(link.form), code(&link.destination));
        let markdown = format!("**{what}** to {shown}: {form}, so every dialect has it.");
        return Ok(Some(Hover { span: link.span, markdown }));
    }
    Ok(case.map(|case| bare(&case, document)))
}

/// The explanation of a candidate for a bare link. The blocks are the same in every dialect.
fn bare(case: &Case, mut document: Document<'_, '_>) -> Hover {
    let text = document.source();
    let mut autolinks = document.options().autolinks;
    let own = autolinks.dialect;
    let own_name = own.map_or("commonmark", Dialect::name);
    let mut markdown = match &case.answer {
        Answer::Linked { destination, .. } => {
            format!("**Link** in `{own_name}` to {}", code(destination))
        }
        Answer::Refused(reason, _) | Answer::Elsewhere(reason) => {
            format!("**No link** in `{own_name}`: {}", prose(reason))
        }
        Answer::Unseen => format!("**No link** in `{own_name}`."),
    };
    push_rules(text, &case.answer, &mut markdown);
    markdown.push_str("\n\nElsewhere:\n");
    for &dialect in Dialect::ALL {
        if Some(dialect) == own {
            continue;
        }
        autolinks.dialect = Some(dialect);
        document = document.with_autolinks(autolinks);
        let start = case.candidate.start;
        let is_it = |it: &Decision| {
            it.candidate.start == start
                || linked_region(&it.verdict).is_some_and(|region| contains(region, start))
        };
        let theirs = self::case(text, &document, case.candidate, is_it);
        let answer = theirs.as_ref().map_or(&Answer::Unseen, |it| &it.answer);
        let _ = write!(markdown, "\n* `{dialect}`: ");
        match answer {
            _ if *answer == case.answer => markdown.push_str("the same"),
            Answer::Linked { destination, .. } => {
                let _ = write!(markdown, "a link to {}", code(destination));
            }
            Answer::Refused(reason, _) | Answer::Elsewhere(reason) => {
                let _ = write!(markdown, "no link. {}", prose(reason));
            }
            Answer::Unseen => markdown.push_str("no link"),
        }
    }
    if own.is_some() {
        markdown.push_str("\n* CommonMark alone: no bare links");
    }
    Hover { span: case.region, markdown }
}

/// Appends the rules by which text was left outside of a link, or a candidate was refused.
fn push_rules(text: &str, answer: &Answer, markdown: &mut String) {
    match answer {
        Answer::Linked { outside, .. } => {
            for (span, sentence, section) in outside {
                let left = code(span.slice(text));
                let _ = write!(markdown, "\n\n{left} is left outside: {}", prose(sentence));
                push_section(section, markdown);
            }
        }
        Answer::Refused(_, section) => push_section(section, markdown),
        Answer::Elsewhere(_) | Answer::Unseen => {}
    }
}

fn push_section(section: &str, markdown: &mut String) {
    if !section.is_empty() {
        let _ = write!(markdown, " ({})", prose(section));
    }
}

/// The first wanted candidate in the words that contain or touch a span. No bare link contains
/// white space.
fn case(
    text: &str,
    document: &Document<'_, '_>,
    within: Span,
    is_wanted: impl Fn(&Decision) -> bool,
) -> Option<Case> {
    let words = words(text, within);
    let is_there =
        |it: &Decision| words.start <= it.candidate.start && it.candidate.end <= words.end;
    // LINEAR: in a very long word, only candidates near the position are decided.
    let near =
        Span::new(within.start.saturating_sub(NEAR_LEN), within.end.saturating_add(NEAR_LEN));
    let decisions = document.explain().within(within).among(words).near(near);
    let decisions = decisions.skip_while(|it| it.candidate.start < words.start);
    let mut decisions = decisions.take_while(is_there);
    let decision = decisions.find(is_wanted)?;
    let region = region(text, &decision)?;
    let answer = match decision.verdict {
        Verdict::Linked { span, prefix, trims, .. } => {
            let outside = trims
                .iter()
                .map(|trim| (trim.span, trim.rule.sentence(), trim.rule.section()))
                .collect();
            let destination = format!("{prefix}{}", span.slice(text));
            Answer::Linked { destination, outside }
        }
        Verdict::Refused { rule, .. } => Answer::Refused(rule.sentence(), rule.section()),
        Verdict::Elsewhere(place) => Answer::Elsewhere(place.sentence()),
        _ => return None,
    };
    Some(Case { candidate: decision.candidate, region, answer })
}

/// The text that a decision is about, if it can be explained.
fn region(text: &str, decision: &Decision) -> Option<Span> {
    match decision.verdict {
        Verdict::Refused { .. } | Verdict::Elsewhere(_) => Some(word(text, decision.candidate)),
        _ => linked_region(&decision.verdict),
    }
}

/// The text of a link, with what was left outside.
fn linked_region(verdict: &Verdict) -> Option<Span> {
    let Verdict::Linked { span, trims, .. } = verdict else { return None };
    Some(trims.iter().fold(*span, |reach, trim| {
        Span::new(reach.start.min(trim.span.start), reach.end.max(trim.span.end))
    }))
}

/// Whether the text that a decision is about contains an offset.
fn reaches(text: &str, decision: &Decision, offset: u32) -> bool {
    let Span { start, end } = decision.candidate;
    // LINEAR: for candidates that are far away, no word is searched.
    let is_far =
        start.saturating_sub(offset).max(offset.saturating_sub(end)) as usize > WORD_LEN_MAX;
    match linked_region(&decision.verdict) {
        Some(region) => contains(region, offset),
        None => !is_far && region(text, decision).is_some_and(|region| contains(region, offset)),
    }
}

/// Extends a span on both sides up to a space, tab or line ending, which no bare link contains.
fn words(text: &str, span: Span) -> Span {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let [before, after] =
        [&text.as_bytes()[..span.start as usize], &text.as_bytes()[span.end as usize..]];
    let start = before.iter().rposition(is_space).map_or(0, |at| at + 1);
    let len = after.iter().position(is_space).unwrap_or(after.len());
    Span::new(start as u32, span.end + len as u32)
}

/// The word around a candidate.
fn word(text: &str, candidate: Span) -> Span {
    let (start, end) = (candidate.start as usize, candidate.end as usize);
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let before = text.as_bytes()[..start].iter().rev().take(WORD_LEN_MAX);
    let mut start = start - before.take_while(|byte| !is_space(byte)).count();
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let after = text.as_bytes()[end..].iter().take(WORD_LEN_MAX);
    let mut end = end + after.take_while(|byte| !is_space(byte)).count();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    Span::new(start as u32, end as u32)
}

/// Whether an offset is in a span or at its end, as a cursor may be.
fn contains(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}

fn form(form: Form) -> &'static str {
    match form {
        Form::Angle => "it is in angle brackets",
        Form::Inline => "it is an inline link",
        Form::Wiki => "it is a wiki link",
        _ => "it is a reference",
    }
}

/// Writes any text as a code span. Characters that are invisible or change the text direction are
/// escaped.
fn code(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(SHOWN_MAX) {
        let is_hidden = c.is_control()
            || matches!(c, '\u{AD}' | '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
        if is_hidden {
            let _ = write!(shown, "\\u{{{:X}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    if text.chars().nth(SHOWN_MAX).is_some() {
        shown.push('…');
    }
    let longest = shown.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let is_padded = shown.starts_with(['`', ' ']) || shown.ends_with(['`', ' ']);
    let space = if is_padded && !shown.trim().is_empty() { " " } else { "" };
    format!("{fence}{space}{shown}{space}{fence}")
}

/// What is said, without its markup, for a client that shows none. The bullets are kept.
pub(crate) fn plain(markdown: &str) -> String {
    let mut text = String::new();
    for line in markdown.lines() {
        let (bullet, rest) = match line.strip_prefix("* ") {
            Some(rest) => ("* ", rest),
            None => ("", line),
        };
        let mut shown = String::new();
        // What is said is shorter than any source may be.
        if let Ok(document) = barelink::parse(rest, &Options::commonmark()) {
            document.push_text(&mut shown);
        }
        text.push_str(bullet);
        text.push_str(shown.trim_end());
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}

/// Escapes a built-in sentence for Markdown. Text between backticks becomes code.
fn prose(sentence: &str) -> String {
    let mut markdown = String::new();
    for (idx, piece) in sentence.split('`').enumerate() {
        if idx % 2 == 1 {
            let _ = write!(markdown, "`{piece}`");
            continue;
        }
        for c in piece.chars() {
            if matches!(c, '\\' | '<' | '>' | '[' | ']' | '*' | '_' | '&' | '~') {
                markdown.push('\\');
            }
            markdown.push(c);
        }
    }
    markdown
}

#[cfg(test)]
mod tests {
    use super::*;
    use barelink::{Flaw, Place, autolink::Rule};

    fn hover(text: &str, offset: u32) -> Option<(String, String)> {
        let hover = at(text, offset, &Options::github()).unwrap()?;
        Some((hover.span.slice(text).to_owned(), hover.markdown))
    }

    #[test]
    fn links_and_what_is_none_are_explained() {
        let (span, markdown) = hover("看 www.a.bc/x。", 6).unwrap();
        assert!(span.starts_with("www.a.bc/x"), "{span}");
        assert!(markdown.starts_with("**Link** in `github` to `http://www.a.bc/x"), "{markdown}");
        assert!(markdown.contains("* `natural`: a link to `http://www.a.bc/x`"), "{markdown}");
        assert!(markdown.contains("CommonMark alone"), "{markdown}");

        let (span, markdown) = hover("see \"www.a.bc\" x", 8).unwrap();
        assert_eq!(span, "\"www.a.bc\"");
        assert!(markdown.starts_with("**No link** in `github`: "), "{markdown}");

        let (span, markdown) = hover("see [the guide](my guide.md) x", 8).unwrap();
        assert_eq!(span, "[the guide](my guide.md)");
        assert!(markdown.starts_with("**No link**: A space ends"), "{markdown}");

        let (span, markdown) = hover("a [b](https://c.de) f", 3).unwrap();
        assert_eq!(span, "[b](https://c.de)");
        assert_eq!(
            markdown,
            "**Link** to `https://c.de`: it is an inline link, so every dialect has it."
        );
        let (_, markdown) = hover("`http://a.bc`", 3).unwrap();
        assert!(markdown.contains("code span"), "{markdown}");
        assert_eq!(hover("nothing here", 3), None);
        assert_eq!(hover("", 0), None);
    }

    #[test]
    fn of_a_very_long_word_only_what_is_near_is_looked_at() {
        let source = "a@b.cd,".repeat(40_000);
        let middle = 7 * 20_000 + 2;
        let (span, markdown) = hover(&source, middle).unwrap();
        let (_, short) = hover("x,a@b.cd,x", 4).unwrap();
        assert!(span.starts_with("a@b.cd") && markdown == short, "{span}: {markdown}");
        // One link of that length is found from its start.
        let source = format!("see http://a.bc/{}", "www.d.ef/".repeat(40_000));
        let (span, markdown) = hover(&source, middle).unwrap();
        assert_eq!(span.len(), source.len() - 4);
        assert!(markdown.starts_with("**Link** in `github` to `http://a.bc/www"), "{markdown}");
    }

    #[test]
    fn destinations_are_code_whatever_they_have() {
        for text in ["a`b", "``", "`", " ", "<b>", "a\u{202E}b\nc", "[x](y)", "*", "```a`` b`"] {
            let html = barelink::to_html(&code(text), &Options::gfm()).unwrap();
            let inner =
                html.strip_prefix("<p><code>").and_then(|it| it.strip_suffix("</code></p>\n"));
            let inner = inner.unwrap_or_else(|| panic!("{text:?}: {html}"));
            assert!(!inner.contains(['<', '\n', '\u{202E}']), "{text:?}: {html}");
        }
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("\u{202E}"), "`\\u{202E}`");
    }

    #[test]
    fn without_markup_it_says_the_same() {
        for (text, offset, expected) in [
            (
                "see \"www.a.bc\" x",
                8,
                "No link in github: A bare link must be at the start of a line, or after \
                 whitespace, *, _, ~ or (. (GFM 0.29 §6.9, Autolinks (extension))\n\n\
                 Elsewhere:\n\n* gfm: the same\n",
            ),
            ("a [b](https://c.de/*) f", 3, "Link to https://c.de/*: it is an inline link"),
        ] {
            let text = plain(&hover(text, offset).unwrap().1);
            assert!(text.starts_with(expected), "{text}");
            assert!(!text.contains(['`', '\\']), "{text}");
        }
    }

    #[test]
    fn sentences_show_what_they_say() {
        let rules = Rule::ALL.iter().flat_map(|rule| [rule.sentence(), rule.section()]);
        let flaws = Flaw::ALL.iter().flat_map(|flaw| [flaw.sentence(), flaw.help()]);
        let places = [Place::RawAnchor.sentence(), Place::RawHtml.sentence()];
        for sentence in rules.chain(flaws).chain(places) {
            let mut shown = String::new();
            let markdown = prose(sentence);
            let document = barelink::parse(&markdown, &Options::commonmark()).unwrap();
            document.push_text(&mut shown);
            assert_eq!(shown.trim_end(), sentence.replace('`', ""), "{markdown}");
        }
    }

    #[test]
    fn every_place_of_a_document_can_be_asked_about() {
        let text = "---\na: http://b.cd\n---\n\n> * 中 http://a.bc/x_(y)。 [a] (b.md)\n\n[c]: /d\n";
        for offset in 0..=text.len() as u32 {
            if text.is_char_boundary(offset as usize) {
                let mut options = Options::github();
                options.front_matter = true;
                drop(at(text, offset, &options).unwrap());
            }
        }
    }
}

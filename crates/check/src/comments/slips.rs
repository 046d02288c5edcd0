//! Comments that have no effect: an unknown rule, a slip in the first word, or HTML in MDX.
//!
//! ```text
//! <!-- barelink-disable BL03 -->
//! <!-- barelnk-disable -->  <!-- Barelink-disable -->  <!-- barelink: disable -->
//! ```
//!
//! LINEAR: the first words of each comment are read once, and so is the document if one of them is
//! ours.

use barelink::{SourceTooLong, Span};
use memchr::memmem;

use super::{BETWEEN, BadComment, Marks, OWN, REACHES, WHY, comments, reach, words};
use crate::rule::{RuleSet, nearest};
use crate::settings::Flavor;
use crate::survey::Surveyor;

/// Longer words are not taken for slips.
const WORD_LEN_MAX: usize = 40;

/// The comments of a document that have no effect, or less than they seem to have: the first word
/// of each that is wrong.
pub(crate) fn bad_comments(
    source: &str,
    surveyor: &Surveyor,
    flavor: Flavor,
) -> Result<Vec<BadComment>, SourceTooLong> {
    let of_html = match flavor {
        Flavor::Markdown => flaw,
        Flavor::Mdx => html_in_mdx,
    };
    let mut bad = Vec::new();
    let mut look = |marks: Marks, flaw: fn(&str) -> Option<(Span, String)>| {
        let Some(place) = place_of_own(source, marks) else { return Ok(()) };
        for comment in comments(source, surveyor, marks, place)? {
            let Some((Span { start, end }, message)) = flaw(comment.slice(source)) else {
                continue;
            };
            let span = Span::new(comment.start + start, comment.start + end);
            bad.push(BadComment { span, message });
        }
        Ok(())
    };
    look(Marks::Html, of_html)?;
    if flavor == Flavor::Mdx {
        look(Marks::Mdx, flaw)?;
    }
    bad.sort_by_key(|it| it.span.start);
    Ok(bad)
}

/// From the first comment for this tool to the last one, if there are any.
fn place_of_own(source: &str, marks: Marks) -> Option<Span> {
    let open = marks.open();
    let starts = memmem::find_iter(source.as_bytes(), open.as_bytes());
    let mut own = starts.filter(|start| {
        let text = &source[start + open.len()..];
        let rest = text.trim_start_matches(BETWEEN);
        // Most comments begin with another word.
        if !may_be_own(rest) {
            return false;
        }
        let len = rest.len().min(4 * WORD_LEN_MAX);
        let part = (0..=len).rev().find(|at| rest.is_char_boundary(*at)).map(|at| &rest[..at]);
        part.is_some_and(|part| first_word(part).is_some())
    });
    let first = own.next()?;
    let last = own.last().unwrap_or(first);
    Some(Span::new(first as u32, (last + open.len()) as u32))
}

/// Whether a text starts with a word that contains a part of the name of this tool.
fn may_be_own(text: &str) -> bool {
    const PARTS: [&[u8]; 5] = [b"bar", b"are", b"rel", b"lin", b"ink"];
    let start = &text.as_bytes()[..text.len().min(OWN.len() + 2)];
    let has_part = |three: &[u8]| PARTS.iter().any(|part| part.eq_ignore_ascii_case(three));
    start.windows(3).any(has_part)
}

/// The first word of a comment for this tool, with its place, and the word that was meant; two words
/// if the second is what to do.
fn first_word(comment: &str) -> Option<(Span, &str, Option<String>)> {
    let mut words = words(comment);
    let (at, first) = words.next().filter(|(_, word)| word.len() <= WORD_LEN_MAX)?;
    let place = |end: usize| Span::new(at as u32, end as u32);
    let end = at + first.len();
    if let Some(what) = first.strip_prefix(OWN)
        && reach(what, &REACHES).is_some()
    {
        return Some((place(end), first, Some(first.to_owned())));
    }
    let known = REACHES.map(|(name, _)| format!("{OWN}{name}"));
    let nearest_known =
        |word: &str| nearest(&word.replace(['_', ':', '.'], "-"), known.iter().map(String::as_str));
    let meant = nearest_known(first).map(str::to_owned);
    if meant.is_some() || first.starts_with(OWN) {
        return Some((place(end), first, meant));
    }
    // `barelink: disable`
    let tool = first.trim_end_matches([':', '-', '_']);
    nearest(tool, ["barelink"].into_iter())?;
    let (second_at, second) = words.next().filter(|(_, word)| word.len() <= WORD_LEN_MAX)?;
    let is_meant = |(name, _): &&(&str, _)| name.eq_ignore_ascii_case(second);
    let meant = REACHES.iter().find(is_meant).map(|(name, _)| format!("{OWN}{name}"))?;
    let end = second_at + second.len();
    Some((place(end), &comment[at..end], Some(meant)))
}

/// The first word in a comment for this tool that has no meaning, and the message about it.
fn flaw(comment: &str) -> Option<(Span, String)> {
    let (place, first, meant) = first_word(comment)?;
    if meant.as_deref() != Some(first) {
        let meant = meant.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
        return Some((place, format!("unknown comment `{first}`{meant}")));
    }
    let mut names = words(comment).skip(1).take_while(|(_, word)| *word != WHY);
    names.find_map(|(at, name)| {
        let error = name.parse::<RuleSet>().err()?;
        let message = match error.meant() {
            Some(_) => error.to_string(),
            None => format!("{error}; a reason goes after `{WHY}`"),
        };
        Some((Span::new(at as u32, (at + name.len()) as u32), message))
    })
}

/// The first word of an HTML comment for this tool, in MDX, and the message about it.
fn html_in_mdx(comment: &str) -> Option<(Span, String)> {
    let (place, first, meant) = first_word(comment)?;
    let meant = meant.as_deref().unwrap_or(first);
    Some((place, format!("MDX has no HTML comments: write `{{/* {meant} */}}`")))
}

//! Comments that switch rules off: for a file, from there on, or for a line.
//!
//! ```text
//! <!-- barelink-disable BL001 not-linked -->   until barelink-enable, or the end
//! <!-- barelink-disable-next-line -->          every rule, for one line
//! <!-- barelink-disable-file BL003 -->
//! <!-- markdownlint-disable MD034 -->          applies to BL003 and BL004, and so do
//! <!-- markdownlint-capture -->                these: saves which rules are off, and
//! <!-- markdownlint-restore -->                restores that
//! ```
//!
//! In MDX they are written `{/* … */}`. An unknown rule, or a word that is none of these, is
//! reported: otherwise it would switch nothing off, and nobody would know why. `slips` does that.
//!
//! LINEAR: every comment is read once.

mod slips;

use barelink::{EventKind, LineIndex, SourceTooLong, Span, Tag};
use memchr::memmem;

use crate::finding::Found;
use crate::mdx;
use crate::rule::{Rule, RuleSet};
use crate::settings::Flavor;
use crate::survey::Surveyor;

/// The prefix of the first word of a comment.
const OWN: &str = "barelink-";
const TOOLS: [&str; 2] = [OWN, "markdownlint-"];

/// A reason may follow this.
const WHY: &str = "--";

/// What markdownlint calls its rule about bare links, and all rules about links.
const MARKDOWNLINT: [&str; 4] = ["MD034", "no-bare-urls", "links", "url"];

/// The rules that it applies to.
const BARE: [Rule; 2] = [Rule::NotPortable, Rule::BareLink];

/// The rules that comments switch off.
#[derive(Debug, Default)]
pub(crate) struct Disabled {
    everywhere: RuleSet,
    /// Sorted by rule, and then by start.
    ranges: Vec<(Rule, Span)>,
}

/// Whether a document may have such a comment.
pub(crate) fn may_disable(source: &str) -> bool {
    let words = ["barelink-disable", "markdownlint-disable"];
    words.iter().any(|word| memmem::find(source.as_bytes(), word.as_bytes()).is_some())
}

/// The range in which such comments may be: from the first possible one to the last.
fn reach_of_words(source: &str) -> Span {
    let find = |word: &str| memmem::find(source.as_bytes(), word.as_bytes());
    let find_last = |word: &str| memmem::rfind(source.as_bytes(), word.as_bytes());
    let first = TOOLS.into_iter().filter_map(find).min().unwrap_or(source.len());
    let last = TOOLS.into_iter().filter_map(find_last).max().unwrap_or(first);
    Span::new(first as u32, last as u32)
}

/// A comment for this tool that has no effect, or less than it seems to have.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadComment {
    /// The word that is wrong.
    pub span: Span,
    /// What is wrong with it, in one sentence.
    pub message: String,
}

pub(crate) use self::slips::bad_comments;

/// Where a comment applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    File,
    NextLine,
    Line,
    FromHere,
    EnabledFromHere,
    /// Saves which rules are off here, to be restored later.
    Capture,
    Restore,
}

impl Disabled {
    /// Reads the comments of a document.
    pub(crate) fn read(
        source: &str,
        surveyor: &Surveyor,
        flavor: Flavor,
    ) -> Result<Self, SourceTooLong> {
        let mut disabled = Self::default();
        if !may_disable(source) {
            return Ok(disabled);
        }
        let lines = LineIndex::new(source);
        // For each rule, the offset from which it is off, if it is.
        let mut since: [Option<u32>; Rule::ALL.len()] = [None; Rule::ALL.len()];
        let mut captured = since;
        let marks = Marks::of(flavor);
        for comment in comments(source, surveyor, marks, reach_of_words(source))? {
            let Some((reach, rules)) = directive(comment.slice(source)) else { continue };
            match reach {
                Reach::File => disabled.everywhere = disabled.everywhere.union(rules),
                Reach::Line | Reach::NextLine => {
                    let line = lines.line_col(comment.end).line;
                    let line = line + u32::from(matches!(reach, Reach::NextLine));
                    if let Some(span) = lines.line_span(line) {
                        disabled.ranges.extend(rules.iter().map(|rule| (rule, span)));
                    }
                }
                Reach::FromHere => {
                    for rule in rules.iter() {
                        since[rule as usize].get_or_insert(comment.end);
                    }
                }
                Reach::EnabledFromHere => {
                    for rule in rules.iter() {
                        let start = since[rule as usize].take();
                        let range = start.map(|start| (rule, Span::new(start, comment.start)));
                        disabled.ranges.extend(range);
                    }
                }
                Reach::Capture => captured = since,
                Reach::Restore => {
                    for rule in rules.iter() {
                        let start = since[rule as usize].take();
                        let range = start.map(|start| (rule, Span::new(start, comment.start)));
                        disabled.ranges.extend(range);
                        since[rule as usize] = captured[rule as usize].map(|_| comment.end);
                    }
                }
            }
        }
        for (rule, start) in Rule::ALL.iter().zip(since) {
            let rest = start.map(|start| (*rule, Span::new(start, u32::MAX)));
            disabled.ranges.extend(rest);
        }
        disabled.ranges.sort_by_key(|(rule, span)| (*rule, span.start, span.end));
        disabled.merge();
        Ok(disabled)
    }

    /// Merges ranges that overlap, so that their ends are sorted, too.
    fn merge(&mut self) {
        let mut merged: Vec<(Rule, Span)> = Vec::with_capacity(self.ranges.len());
        for &(rule, span) in &self.ranges {
            match merged.last_mut() {
                Some((last, before)) if *last == rule && span.start <= before.end => {
                    before.end = before.end.max(span.end);
                }
                _ => merged.push((rule, span)),
            }
        }
        self.ranges = merged;
    }

    /// Whether a finding is switched off.
    pub(crate) fn covers(&self, finding: &impl Found) -> bool {
        let (own, at) = (finding.rule(), finding.span().start);
        let idx = self.ranges.partition_point(|(rule, span)| (*rule, span.start) <= (own, at));
        self.everywhere.contains(own)
            || idx.checked_sub(1).is_some_and(|idx| {
                let (rule, span) = self.ranges[idx];
                rule == own && at < span.end
            })
    }
}

/// The delimiters of comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marks {
    Html,
    Mdx,
}

impl Marks {
    fn of(flavor: Flavor) -> Self {
        match flavor {
            Flavor::Markdown => Self::Html,
            Flavor::Mdx => Self::Mdx,
        }
    }

    const fn open(self) -> &'static str {
        match self {
            Self::Html => "<!--",
            Self::Mdx => "/*",
        }
    }

    const fn close(self) -> &'static str {
        match self {
            Self::Html => "-->",
            Self::Mdx => "*/",
        }
    }
}

/// The spans of what is in the comments of a place, without their delimiters.
fn comments(
    source: &str,
    surveyor: &Surveyor,
    marks: Marks,
    place: Span,
) -> Result<Vec<Span>, SourceTooLong> {
    let (open, close) = (marks.open(), marks.close());
    let mut found = Vec::new();
    let mut add = |within: Span| {
        let mut start = within.start as usize;
        let end = within.end as usize;
        while let Some(at) = source[start..end].find(open) {
            let from = start + at + open.len();
            let Some(len) = source[from..end].find(close) else { break };
            found.push(Span::new(from as u32, (from + len) as u32));
            start = from + len + close.len();
        }
    };
    if marks == Marks::Mdx {
        let is_comment = |code: &Span| {
            let inner = code.slice(source).strip_prefix('{').map(str::trim_start);
            inner.is_some_and(|inner| inner.starts_with(open))
        };
        mdx::spans(source).into_iter().filter(is_comment).for_each(add);
        return Ok(found);
    }
    for event in surveyor.read(source)?.events().within(place) {
        // A comment may have several lines, and events of the text would have one each.
        if let EventKind::Start(Tag::HtmlBlock) | EventKind::InlineHtml(_) = event.kind {
            add(event.span);
        }
    }
    Ok(found)
}

/// The commands of comments.
const REACHES: [(&str, Reach); 5] = [
    ("disable", Reach::FromHere),
    ("disable-file", Reach::File),
    ("disable-line", Reach::Line),
    ("disable-next-line", Reach::NextLine),
    ("enable", Reach::EnabledFromHere),
];

/// What only a comment for markdownlint can say.
const CAPTURES: [(&str, Reach); 2] = [("capture", Reach::Capture), ("restore", Reach::Restore)];

fn reach(what: &str, known: &[(&str, Reach)]) -> Option<Reach> {
    known.iter().find(|(name, _)| *name == what).map(|(_, reach)| *reach)
}

/// What is between the words of a comment: in a block quote, its lines have markers.
const BETWEEN: [char; 6] = [' ', '\t', '\r', '\n', ',', '>'];

/// The words of a comment, each with its offset.
fn words(comment: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    let pieces = comment.split(BETWEEN).map(move |word| {
        let at = next;
        next += word.len() + 1;
        (at, word)
    });
    pieces.filter(|(_, word)| !word.is_empty())
}

/// The meaning of a comment, if it is for this tool or markdownlint.
fn directive(comment: &str) -> Option<(Reach, RuleSet)> {
    let mut words = words(comment).map(|(_, word)| word);
    let first = words.next()?;
    let (tool, what) = first.split_once('-')?;
    let is_foreign = tool == "markdownlint";
    let captures = if is_foreign { &CAPTURES[..] } else { &[] };
    let reach = reach(what, &REACHES).or_else(|| reach(what, captures))?;
    let names: Vec<&str> = words.take_while(|word| *word != WHY).collect();
    let rules = match tool {
        "barelink" if names.is_empty() => RuleSet::ALL,
        "barelink" => names
            .iter()
            .filter_map(|name| name.parse::<RuleSet>().ok())
            .fold(RuleSet::NONE, RuleSet::union),
        "markdownlint" => {
            let is_meant =
                |name: &&str| MARKDOWNLINT.iter().any(|it| it.eq_ignore_ascii_case(name));
            let is_all = names.is_empty() || matches!(reach, Reach::Capture | Reach::Restore);
            let counts = is_all || names.iter().any(is_meant);
            if counts { BARE.into() } else { RuleSet::NONE }
        }
        _ => return None,
    };
    Some((reach, rules))
}

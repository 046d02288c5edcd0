//! Barelink's targets, and how far a run meets them.
//!
//! Every row is computed from what was measured in this run; targets of which
//! nothing was measured are named as such.

use std::fmt::Write as _;

use crate::documents::PROSE;
use crate::engines::BARELINK;
use crate::floor::FLOOR;
use crate::measure::Times;
use crate::report::{Comparison, Scope, Table, least_ratio, slower_by};

/// A figure, and where it was found.
pub type Found = (f64, String);

/// Comparisons, and what they have in common.
pub type Group = (String, Vec<Comparison>);

/// The measurements of a run that targets refer to.
#[derive(Debug, Default)]
pub struct Figures {
    /// HTML of documents.
    pub documents: Vec<Group>,
    /// HTML of messages, one at a time.
    pub messages: Vec<Group>,
    /// Events without HTML.
    pub events: Vec<Comparison>,
    /// Bare links in text.
    pub recognizer: Vec<Comparison>,
    /// Nanoseconds for a bare URL.
    pub bare_url: Option<f64>,
    /// Memory on prose beyond source and HTML, as a multiple of the source.
    pub memory: Vec<Found>,
    /// The command's time to the first byte.
    pub first_byte: Option<Times>,
    /// The command's times for many files, by threads.
    pub out_dir: Vec<Times>,
}

/// The bound of a figure.
#[derive(Debug, Clone, Copy)]
enum Bound {
    AtLeast(f64),
    AtMost(f64),
    Below(f64),
}

impl Bound {
    fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(bound) => value >= bound,
            Self::AtMost(bound) => value <= bound,
            Self::Below(bound) => value < bound,
        }
    }

    fn name(self) -> String {
        match self {
            Self::AtLeast(bound) => format!("≥ {bound}"),
            Self::AtMost(bound) => format!("≤ {bound}"),
            Self::Below(bound) => format!("< {bound}"),
        }
    }
}

/// The table of the targets of which something was measured, and the names of the
/// others.
pub fn report(figures: &Figures) -> String {
    let heading = ["target", "wanted", "found", "reached", "where"];
    let mut table = Table::new(heading.map(str::to_owned));
    let mut missing = Vec::new();
    for (what, bound, found) in rows(figures) {
        if let Some((value, place)) = found {
            let reached = if bound.holds(value) { "yes" } else { "no" };
            let value = format!("{value:.2}");
            table.push([what.to_owned(), bound.name(), value, reached.to_owned(), place]);
        } else {
            missing.push(what);
        }
    }
    let mut report = format!(
        "## Targets\n\nOf engines that do as much; of all corpora and configurations the one \
         where least is reached.\n\n{}",
        table.to_markdown()
    );
    if !missing.is_empty() {
        let _ = writeln!(report, "Not measured: {}.\n", missing.join("; "));
    }
    report
}

fn rows(figures: &Figures) -> Vec<(&'static str, Bound, Option<Found>)> {
    use Bound::{AtLeast, AtMost, Below};
    let html = || figures.documents.iter().chain(&figures.messages);
    vec![
        ("documents, times the fastest peer", AtLeast(1.5), least(figures.documents.iter())),
        ("messages one at a time, times the fastest peer", AtLeast(1.5), {
            least(figures.messages.iter())
        }),
        ("events, times the fastest peer", AtLeast(1.5), {
            least_ratio(&figures.events, Scope::Equals)
        }),
        ("bare links in text, times linkify", AtLeast(1.5), {
            least_ratio(&figures.recognizer, Scope::Equals)
        }),
        ("HTML, times MD4C", AtLeast(2.0), {
            let ratio = |it: &Comparison| Some(1.0 / it.times_of("md4c")?);
            each(html(), ratio).min_by(|a, b| a.0.total_cmp(&b.0))
        }),
        ("time for prose, times the floor's", AtMost(2.0), {
            let is_prose = |it: &Comparison| PROSE.contains(&it.corpus.as_str());
            let ratio = |it: &Comparison| it.times_of(FLOOR).filter(|_| is_prose(it));
            greatest(each(figures.documents.iter(), ratio))
        }),
        ("time for references, times that for prose", AtMost(1.5), {
            let ratio = |(name, comparisons): &Group| {
                Some((slower_by(comparisons, "made-references", "made-prose")?, name.clone()))
            };
            greatest(figures.documents.iter().filter_map(ratio))
        }),
        ("a bare URL, ns", Below(100.0), figures.bare_url.map(|cost| (cost, String::new()))),
        ("memory on prose, times the source", Below(0.3), greatest(figures.memory.iter().cloned())),
        ("first byte of a small file, ms", Below(5.0), {
            figures.first_byte.as_ref().map(|it| (it.median() * 1e3, "median".to_owned()))
        }),
        ("many files, speed-up for each core", AtLeast(0.7), speed_up(&figures.out_dir)),
    ]
}

/// The least ratio to the fastest peer that does as much.
fn least<'a>(groups: impl Iterator<Item = &'a Group>) -> Option<Found> {
    let ratio = |(name, comparisons): &Group| {
        let (ratio, place) = least_ratio(comparisons, Scope::Equals)?;
        Some((ratio, format!("{place}, {name}")))
    };
    groups.filter_map(ratio).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// A ratio of each comparison that has it.
fn each<'a>(
    groups: impl Iterator<Item = &'a Group>,
    ratio: impl Fn(&Comparison) -> Option<f64>,
) -> impl Iterator<Item = Found> {
    groups
        .flat_map(|(name, comparisons)| comparisons.iter().map(move |it| (name, it)))
        .filter_map(move |(name, it)| Some((ratio(it)?, format!("{}, {name}", it.corpus))))
}

fn greatest(found: impl Iterator<Item = Found>) -> Option<Found> {
    found.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// How much faster all threads are than one, by their number.
fn speed_up(times: &[Times]) -> Option<Found> {
    let [one, .., all] = times else { return None };
    let n_threads: f64 = all.label.parse().ok()?;
    Some((one.best() / all.best() / n_threads, format!("{n_threads} threads")))
}

/// Barelink's figure among those of all engines.
pub fn of_barelink(costs: &[(String, f64)]) -> Option<f64> {
    costs.iter().find(|(name, _)| name == BARELINK).map(|&(_, cost)| cost)
}

#[cfg(test)]
mod tests {
    use super::{Figures, report};
    use crate::measure::Times;
    use crate::report::Comparison;

    fn times(label: &str, seconds: f64) -> Times {
        Times { label: label.to_owned(), seconds: vec![seconds], result: 1 }
    }

    fn comparison(corpus: &str, seconds: [f64; 3]) -> Comparison {
        let labels = ["barelink", "md4c", "floor"];
        let times = labels.iter().zip(seconds).map(|(label, it)| times(label, it)).collect();
        Comparison { corpus: corpus.to_owned(), n_bytes: 1_000_000, n_documents: 1, times }
    }

    /// The row of a target, its columns without the blanks around them.
    fn row(figures: &Figures, target: &str) -> Vec<String> {
        let report = report(figures);
        let line = report.lines().find(|line| line.starts_with(&format!("| {target}")));
        let cells = line.expect("there is such a target").split('|');
        cells.map(|cell| cell.trim().to_owned()).skip(2).take(4).collect()
    }

    #[test]
    fn what_is_not_measured_is_not_reached() {
        let report = report(&Figures::default());
        assert!(report.contains("Not measured: documents, times the fastest peer; "));
        assert!(!report.contains("yes"));
    }

    #[test]
    fn the_worst_case_counts() {
        let comparisons = vec![
            comparison("made-prose", [0.01, 0.03, 0.006]),
            comparison("made-references", [0.016, 0.024, 0.006]),
        ];
        let figures =
            Figures { documents: vec![("gfm".to_owned(), comparisons)], ..Figures::default() };
        let place = "made-references against md4c, gfm";
        assert_eq!(row(&figures, "documents,"), ["≥ 1.5", "1.50", "yes", place]);
        assert_eq!(
            row(&figures, "HTML, times MD4C"),
            ["≥ 2", "1.50", "no", "made-references, gfm"]
        );
        assert_eq!(row(&figures, "time for prose"), ["≤ 2", "1.67", "yes", "made-prose, gfm"]);
        assert_eq!(row(&figures, "time for references"), ["≤ 1.5", "1.60", "no", "gfm"]);
    }

    #[test]
    fn the_command_has_targets_too() {
        let figures = Figures {
            first_byte: Some(times("barelink", 0.002)),
            out_dir: vec![times("1", 0.8), times("4", 0.4)],
            bare_url: Some(100.0),
            ..Figures::default()
        };
        assert_eq!(row(&figures, "first byte"), ["< 5", "2.00", "yes", "median"]);
        assert_eq!(row(&figures, "many files"), ["≥ 0.7", "0.50", "no", "4 threads"]);
        assert_eq!(row(&figures, "a bare URL"), ["< 100", "100.00", "no", ""]);
    }
}

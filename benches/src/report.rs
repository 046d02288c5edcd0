//! Figures as tables: Markdown that can be read as it stands.

use std::fmt::Write as _;

use crate::documents::PROSE;
use crate::engines::BARELINK;
use crate::floor::FLOOR;
use crate::measure::Times;

/// One corpus, and the times of every engine for it.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The corpus's name.
    pub corpus: String,
    /// Bytes of source.
    pub n_bytes: usize,
    /// The number of calls.
    pub n_documents: usize,
    /// Times, by engine.
    pub times: Vec<Times>,
}

impl Comparison {
    /// Barelink's times, the first if there are more.
    pub fn barelink(&self) -> Option<&Times> {
        self.times.iter().find(|times| times.label.starts_with(BARELINK))
    }

    /// The peers'.
    pub fn peers(&self) -> impl Iterator<Item = &Times> {
        self.times.iter().filter(|it| !it.label.starts_with(BARELINK) && it.label != FLOOR)
    }

    /// Millions of bytes for each second that something takes.
    pub fn speed(&self, seconds: f64) -> f64 {
        self.n_bytes as f64 / seconds / 1e6
    }

    /// The ratio of Barelink's time to that of the engine with this name.
    pub fn times_of(&self, label: &str) -> Option<f64> {
        let other = self.times.iter().find(|times| times.label == label)?;
        Some(self.barelink()?.best() / other.best())
    }

    /// The fastest of the peers; with `Scope::Equals`, of those that do as much.
    fn fastest_peer(&self, scope: Scope) -> Option<&Times> {
        let peers = self.peers().filter(|it| scope == Scope::All || !it.label.ends_with('*'));
        peers.min_by(|a, b| a.best().total_cmp(&b.best()))
    }
}

/// Which peers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    All,
    /// Those that do as much as Barelink.
    Equals,
}

/// A table of texts, the first column to the left, the others to the right.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with that heading.
    pub fn new(heading: impl IntoIterator<Item = String>) -> Self {
        Self { rows: vec![heading.into_iter().collect()] }
    }

    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        self.rows.push(row.into_iter().collect());
    }

    /// The table in Markdown, its columns aligned, and the blank line after it.
    pub fn to_markdown(&self) -> String {
        let n_columns = self.rows[0].len();
        let width = |idx: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(idx));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
        };
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        let mut out = String::new();
        for (row_idx, row) in self.rows.iter().enumerate() {
            for (idx, &width) in widths.iter().enumerate() {
                let cell = row.get(idx).map_or("", String::as_str);
                let _ = match idx {
                    0 => write!(out, "| {cell:<width$} "),
                    _ => write!(out, "| {cell:>width$} "),
                };
            }
            out.push_str("|\n");
            if row_idx == 0 {
                for (idx, &width) in widths.iter().enumerate() {
                    let colon = if idx == 0 { '-' } else { ':' };
                    let _ = write!(out, "|{}{colon}", "-".repeat(width + 1));
                }
                out.push_str("|\n");
            }
        }
        out.push('\n');
        out
    }
}

/// Three tables and a line: best rounds, medians with their spread, and how
/// many times faster Barelink is than each, with the least of all.
pub fn speeds(comparisons: &[Comparison]) -> String {
    let Some(first) = comparisons.first() else { return String::new() };
    let labels = || first.times.iter().map(|times| times.label.clone());
    let start = || ["MB/s".to_owned(), "MB".to_owned(), "calls".to_owned()].into_iter();
    let mut best = Table::new(start().chain(labels()));
    let mut median = Table::new(["median, spread".to_owned()].into_iter().chain(labels()));
    for comparison in comparisons {
        let size = format!("{:.2}", comparison.n_bytes as f64 / 1e6);
        let start = [comparison.corpus.clone(), size, comparison.n_documents.to_string()];
        let speed = |seconds| format!("{:.0}", comparison.speed(seconds));
        let bests = comparison.times.iter().map(|times| speed(times.best()));
        best.push(start.into_iter().chain(bests));
        let medians = comparison
            .times
            .iter()
            .map(|times| format!("{} ±{:.0}%", speed(times.median()), times.spread_percent()));
        median.push([comparison.corpus.clone()].into_iter().chain(medians));
    }
    format!("{}{}{}", best.to_markdown(), median.to_markdown(), ratios(comparisons))
}

/// How many times faster Barelink is, by best rounds.
fn ratios(comparisons: &[Comparison]) -> String {
    let Some(first) = comparisons.first().filter(|first| first.barelink().is_some()) else {
        return String::new();
    };
    let start = ["Barelink is faster by".to_owned()].into_iter();
    let peers = first.peers().map(|times| times.label.clone());
    let end = ["fastest peer".to_owned(), "paired".to_owned()];
    let mut table = Table::new(start.chain(peers).chain(end));
    for comparison in comparisons {
        let (Some(mine), Some(fastest)) =
            (comparison.barelink(), comparison.fastest_peer(Scope::All))
        else {
            continue;
        };
        let factors = comparison.peers().map(|times| format!("{:.2}", times.best() / mine.best()));
        let paired = format!("{:.2}", mine.paired_ratio(fastest));
        let start = [comparison.corpus.clone()].into_iter();
        table.push(start.chain(factors).chain([fastest.label.clone(), paired]));
    }
    let mut out = table.to_markdown();
    let does_any_less = first.peers().any(|times| times.label.ends_with('*'));
    let scopes: &[(Scope, &str)] = if does_any_less {
        &[(Scope::Equals, "The least, of engines that do as much"), (Scope::All, "of all")]
    } else {
        &[(Scope::All, "The least")]
    };
    let sentences: Vec<String> = scopes
        .iter()
        .filter_map(|(scope, what)| {
            let (least, place) = least_ratio(comparisons, *scope)?;
            Some(format!("{what}: **{least:.2}**, {place}"))
        })
        .collect();
    let _ = writeln!(out, "{}.\n", sentences.join("; "));
    out
}

/// The least ratio to the fastest peer, and where it is.
pub fn least_ratio(comparisons: &[Comparison], scope: Scope) -> Option<(f64, String)> {
    let ratio = |it: &Comparison| {
        let (mine, fastest) = (it.barelink()?, it.fastest_peer(scope)?);
        let place = format!("{} against {}", it.corpus, fastest.label);
        Some((fastest.best() / mine.best(), place))
    };
    let ratios = comparisons.iter().filter_map(ratio);
    ratios.min_by(|a, b| a.0.total_cmp(&b.0))
}

/// A line with Barelink's share of the floor's speed, by corpus of prose.
pub fn share_of_floor(comparisons: &[Comparison]) -> String {
    let share =
        |it: &Comparison| Some(format!("{:.2} on {}", 1.0 / it.times_of(FLOOR)?, it.corpus));
    let prose = comparisons.iter().filter(|it| PROSE.contains(&it.corpus.as_str()));
    let shares: Vec<String> = prose.filter_map(share).collect();
    if shares.is_empty() {
        return String::new();
    }
    format!("Of the floor's speed Barelink has {}.\n\n", shares.join(", "))
}

/// How much slower Barelink is on one corpus than on another.
pub fn slower_by(comparisons: &[Comparison], slow: &str, fast: &str) -> Option<f64> {
    let speed = |name: &str| {
        let comparison = comparisons.iter().find(|comparison| comparison.corpus == name)?;
        Some(comparison.speed(comparison.barelink()?.best()))
    };
    Some(speed(fast)? / speed(slow)?)
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Table, share_of_floor, slower_by, speeds};
    use crate::measure::Times;

    fn comparison(corpus: &str, seconds: &[f64]) -> Comparison {
        let labels = ["barelink", "other*", "floor"];
        let times = labels.iter().zip(seconds).map(|(label, &seconds)| Times {
            label: (*label).to_owned(),
            seconds: vec![seconds],
            result: 1,
        });
        let times = times.collect();
        Comparison { corpus: corpus.to_owned(), n_bytes: 1_000_000, n_documents: 1, times }
    }

    #[test]
    fn tables_are_aligned() {
        let mut table = Table::new(["a".to_owned(), "number".to_owned()]);
        table.push(["longer".to_owned(), "1".to_owned()]);
        assert_eq!(
            table.to_markdown(),
            "| a      | number |\n|--------|-------:|\n| longer |      1 |\n\n"
        );
    }

    #[test]
    fn the_least_ratio_is_found() {
        let both = [comparison("x", &[0.01, 0.02]), comparison("y", &[0.02, 0.03])];
        assert!(speeds(&both).contains("of all: **1.50**, y against other*."));
        assert_eq!(slower_by(&both, "y", "x"), Some(2.0));
    }

    #[test]
    fn the_floor_is_no_peer() {
        let prose = [comparison("progit", &[0.02, 0.06, 0.01]), comparison("x", &[1.0, 1.0, 1.0])];
        assert!(speeds(&prose[..1]).contains("of all: **3.00**, progit against other*."));
        assert_eq!(share_of_floor(&prose), "Of the floor's speed Barelink has 0.50 on progit.\n\n");
    }
}

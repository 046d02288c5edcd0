//! The picture: a panel for each corpus, a labeled bar for each engine.
//!
//! Plain SVG, no script and no font of its own. Its colors follow the reader's
//! preference for dark or light, and every bar says in text what it shows.

use std::fmt::Write as _;

use crate::engines::BARELINK;
use crate::floor::FLOOR;
use crate::report::Comparison;

const WIDTH: usize = 920;
const MARGIN: usize = 24;
const N_COLUMNS: usize = 2;
const COLUMN_GAP: usize = 36;
/// Where panels begin, below the title.
const TOP: usize = 84;
/// A panel's name and the line below it.
const PANEL_TITLE: usize = 24;
const ROW: usize = 17;
const BAR: usize = 11;
const PANEL_GAP: usize = 22;
/// Room for engines' names, and for the figure after a bar.
const NAME_WIDTH: usize = 116;
const FIGURE_WIDTH: usize = 40;
/// Room for the notes at the bottom.
const BOTTOM: usize = 58;

const STYLE: &str = "\
    svg { font: 12px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; }\n\
    .ground { fill: #ffffff; }\n\
    text { fill: #1f2328; }\n\
    .title { font-size: 18px; font-weight: 600; }\n\
    .panel { font-size: 13px; font-weight: 600; }\n\
    .quiet { fill: #59636e; }\n\
    .note { fill: #59636e; font-size: 11px; }\n\
    .rule { stroke: #d1d9e0; }\n\
    .peer { fill: #9aa7b5; }\n\
    .less { fill: none; stroke: #9aa7b5; stroke-dasharray: 3 2; }\n\
    .mine { fill: #0b7285; }\n\
    .mine-text { font-weight: 700; fill: #0b7285; }\n\
    @media (prefers-color-scheme: dark) {\n\
    .ground { fill: #0d1117; }\n\
    text { fill: #e6edf3; }\n\
    .quiet, .note { fill: #9198a1; }\n\
    .rule { stroke: #3d444d; }\n\
    .peer { fill: #57636f; }\n\
    .less { stroke: #7d8894; }\n\
    .mine { fill: #22b8cf; }\n\
    .mine-text { fill: #3bc9db; }\n\
    }\n";

/// The texts around the panels.
#[derive(Debug)]
pub struct Caption<'a> {
    /// The title.
    pub title: &'a str,
    /// The subtitle.
    pub subtitle: &'a str,
    /// Machine, day and versions, a line each.
    pub notes: &'a [String],
}

/// The chart of these comparisons.
pub fn draw(caption: &Caption<'_>, comparisons: &[Comparison]) -> String {
    let n_rows = comparisons.iter().map(|comparison| comparison.times.len()).max().unwrap_or(0);
    let panel_height = PANEL_TITLE + n_rows * ROW + PANEL_GAP;
    let height = TOP + comparisons.len().div_ceil(N_COLUMNS) * panel_height + BOTTOM;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"{}\">\n\
         <style>\n{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\" rx=\"8\"/>\n",
        escape(caption.title),
    );
    push_text(&mut out, (MARGIN, 38), "title", caption.title);
    push_text(&mut out, (MARGIN, 60), "quiet", caption.subtitle);
    let column_width = (WIDTH - 2 * MARGIN - (N_COLUMNS - 1) * COLUMN_GAP) / N_COLUMNS;
    for (idx, comparison) in comparisons.iter().enumerate() {
        let x = MARGIN + idx % N_COLUMNS * (column_width + COLUMN_GAP);
        let y = TOP + idx / N_COLUMNS * panel_height;
        push_panel(&mut out, comparison, (x, y, column_width));
    }
    for (line_idx, note) in caption.notes.iter().enumerate() {
        push_text(&mut out, (MARGIN, height - BOTTOM + 14 + line_idx * 15), "note", note);
    }
    out.push_str("</svg>\n");
    out
}

fn push_panel(out: &mut String, comparison: &Comparison, (x, y, width): (usize, usize, usize)) {
    // Engines are compared, not corpora: the fastest takes the whole width.
    let speeds = comparison.times.iter().map(|times| comparison.speed(times.best()));
    let scale = (width - NAME_WIDTH - FIGURE_WIDTH) as f64 / speeds.fold(1.0, f64::max);
    push_text(out, (x, y + 12), "panel", title_of(&comparison.corpus));
    let _ = writeln!(
        out,
        "<path class=\"rule\" d=\"M{x} {}h{width}\" fill=\"none\"/>",
        y + PANEL_TITLE - 6
    );
    for (row, times) in comparison.times.iter().enumerate() {
        let top = y + PANEL_TITLE + row * ROW;
        let baseline = top + BAR - 1;
        let is_mine = times.label.trim_end_matches('*') == BARELINK;
        let speed = comparison.speed(times.best());
        let length = (speed * scale).max(1.0);
        let (bar, text) = match (is_mine, times.label.ends_with('*')) {
            (true, _) => ("mine", "mine-text"),
            (false, true) => ("less", "name"),
            (false, false) => ("peer", "name"),
        };
        push_text(out, (x, baseline), text, &times.label);
        let bar_x = x + NAME_WIDTH;
        let _ = writeln!(
            out,
            "<rect class=\"{bar}\" x=\"{bar_x}\" y=\"{top}\" width=\"{length:.1}\" \
             height=\"{BAR}\" rx=\"1.5\"/>"
        );
        let figure_x = bar_x + length as usize + 6;
        push_text(out, (figure_x, baseline), text, &format!("{speed:.0}"));
    }
}

fn push_text(out: &mut String, (x, y): (usize, usize), class: &str, text: &str) {
    let text = escape(text);
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{text}</text>");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// What corpora are called in the picture, in its order.
const TITLES: &[(&str, &str)] = &[
    ("book", "A programming book"),
    ("progit", "Plain prose"),
    ("awesome", "Link lists"),
    ("barelinks", "Bare links"),
    ("tables", "Tables"),
    ("zh", "Chinese documentation"),
    ("chat-200", "200-byte messages, one at a time"),
    ("chat", "Short messages, one at a time"),
    ("made-chat", "made-chat: messages, one at a time"),
];

fn title_of(corpus: &str) -> &str {
    TITLES.iter().find(|(name, _)| *name == corpus).map_or(corpus, |(_, title)| title)
}

/// Those that go into the picture, in order: the real corpora if there are any.
/// The floor stays out: it is no engine, and its bar would make all others short.
pub fn select(mut comparisons: Vec<Comparison>) -> Vec<Comparison> {
    let is_made = |it: &Comparison| it.corpus.starts_with("made-");
    if !comparisons.iter().all(is_made) {
        comparisons.retain(|it| !is_made(it));
    }
    for comparison in &mut comparisons {
        comparison.times.retain(|times| times.label != FLOOR);
    }
    let place = |it: &Comparison| TITLES.iter().position(|(name, _)| *name == it.corpus);
    comparisons.sort_by_key(|it| place(it).unwrap_or(TITLES.len()));
    comparisons
}

#[cfg(test)]
mod tests {
    use super::{Caption, draw};
    use crate::measure::Times;
    use crate::report::Comparison;

    #[test]
    fn bars_have_text_and_tags_are_escaped() {
        let times = ["barelink", "a<b"].map(|label| Times {
            label: label.to_owned(),
            seconds: vec![0.01],
            result: 1,
        });
        let comparison = Comparison {
            corpus: "book".to_owned(),
            n_bytes: 1_000_000,
            n_documents: 1,
            times: times.to_vec(),
        };
        let caption = Caption { title: "T & U", subtitle: "", notes: &[] };
        let svg = draw(&caption, &[comparison]);
        assert_eq!(svg.matches(">100</text>").count(), 2);
        assert!(svg.contains("a&lt;b") && svg.contains("T &amp; U"));
    }
}

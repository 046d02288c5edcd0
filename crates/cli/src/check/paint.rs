//! The colors of what is written for people, a line for each finding or a difference.

use clap::builder::styling::{AnsiColor, Style};

use crate::output::has_colors;

/// The styles of the parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paint {
    /// The place of a finding, and the names of files in a difference.
    pub(crate) place: Style,
    pub(crate) rule: Style,
    /// The places in a difference.
    hunk: Style,
    removed: Style,
    added: Style,
}

impl Paint {
    pub(crate) const PLAIN: Self = Self {
        place: Style::new(),
        rule: Style::new(),
        hunk: Style::new(),
        removed: Style::new(),
        added: Style::new(),
    };

    pub(crate) const COLORED: Self = Self {
        place: Style::new().bold(),
        rule: AnsiColor::Yellow.on_default().bold(),
        hunk: AnsiColor::Cyan.on_default(),
        removed: AnsiColor::Red.on_default(),
        added: AnsiColor::Green.on_default(),
    };

    /// For standard output.
    pub(crate) fn of_stdout() -> Self {
        if has_colors() { Self::COLORED } else { Self::PLAIN }
    }

    /// A line of a difference. Its end is not colored.
    pub(crate) fn of_diff(self, line: &str) -> String {
        let style = match line.as_bytes() {
            [b'-', b'-', b'-', b' ', ..] | [b'+', b'+', b'+', b' ', ..] => self.place,
            [b'@', ..] => self.hunk,
            [b'-', ..] => self.removed,
            [b'+', ..] => self.added,
            _ => Style::new(),
        };
        let shown = line.trim_end_matches(['\r', '\n']);
        let end = &line[shown.len()..];
        format!("{style}{shown}{style:#}{end}")
    }
}

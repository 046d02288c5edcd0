//! The names of emoji on GitHub, from the crate that keeps gemoji's list.

use anyhow::ensure;

/// The text of `emoji.txt`: a line for each name, in order, with its emoji.
pub(super) fn table() -> anyhow::Result<String> {
    let mut lines: Vec<(&str, &str)> = emojis::iter()
        .flat_map(|emoji| emoji.shortcodes().map(move |name| (name, emoji.as_str())))
        .collect();
    // Sorted by bytes, as the search for a name requires.
    lines.sort_unstable();
    ensure!(lines.is_sorted_by(|one, two| one.0 < two.0), "a name has two emoji");
    Ok(lines.iter().map(|(name, emoji)| [name, " ", emoji, "\n"].concat()).collect())
}

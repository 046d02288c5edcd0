//! Capacity of the output for tags: a hostile text may have many more tags than letters.
//!
//! A `String` doubles its capacity when it is full, so it may take twice the memory it needs.
//!
//! LINEAR: one pass over the records.

use barelink_text::LineIndex;

use crate::tape::{Block, Tape};

/// Capacity reserved for a tag and a few more, where a long text would double its memory.
pub(super) const TAGS_LEN: usize = 512;

/// Capacity reserved for each cell of a row.
pub(super) const CELL_LEN: usize = "<td align=\"center\"></td>\n".len();

/// With fewer records, nothing is computed.
pub(super) const MANY: usize = 1024;

/// Reserves capacity for the tags of a document that has more of them than text, with positions if
/// `lines` is given.
#[cold]
#[inline(never)]
pub(super) fn reserve_tags(
    source: &str,
    tape: &Tape,
    lines: Option<&LineIndex<'_>>,
    out: &mut String,
) {
    let position = lines.map_or(0, |_| position_len(source.len()));
    let len = |block: Block| match block {
        // They have no position.
        Block::Row { .. } | Block::Cell(_) => tags_len(block),
        _ => match tags_len(block) {
            0 => 0,
            len => len + position,
        },
    };
    let n_bytes = source.len() + tape.records.iter().map(|record| len(record.block)).sum::<usize>();
    // LINEAR: if `out` already holds much more, it is not copied for that.
    if n_bytes >= out.len() / 8 {
        out.reserve_exact(n_bytes);
    }
}

/// Approximate length of the tags of a block, with their line endings. Enter records count for both
/// tags.
fn tags_len(block: Block) -> usize {
    match block {
        Block::Quote { alert: None } => "<blockquote>\n</blockquote>\n\n".len(),
        Block::List { .. } | Block::DefinitionList { .. } => "<ul>\n</ul>\n".len(),
        Block::Item { .. } | Block::Details => "<li>\n</li>\n".len(),
        Block::Paragraph(_) => "<p></p>\n".len(),
        Block::Cell(_) => "<td></td>\n".len(),
        Block::Row { .. } => "<tr>\n</tr>\n".len(),
        Block::ThematicBreak => "<hr />\n".len(),
        Block::Heading { .. } => "<h1></h1>\n".len(),
        _ => 0,
    }
}

/// Approximate length of a position in a source of this length.
fn position_len(source_len: usize) -> usize {
    let n_digits = source_len.checked_ilog10().unwrap_or(0) as usize + 1;
    " data-sourcepos=\"1:-1:\"".len() + 2 * n_digits
}

#[cfg(test)]
mod tests {
    use crate::{Options, Parser};

    #[test]
    fn deep_blocks_have_little_to_spare() {
        for (nested, is_shown) in [("* ", false), ("> ", false), ("1. ", false), ("* ", true)] {
            let mut options = Options::commonmark();
            options.policy.source_positions = is_shown;
            let mut html = String::new();
            let source = nested.repeat(5000);
            Parser::new(options).push_html(&source, &mut html).expect("it is short");
            let n_spare = html.capacity() - html.len();
            assert!(n_spare < 4 * source.len(), "{nested}: {n_spare}");
        }
    }
}

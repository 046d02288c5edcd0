//! The kinds of documents: each function appends one section of its kind.

use std::fmt::Write as _;

use super::random::Random;
use super::text::{
    FEW_MARKS, SOME_MARKS, push_bare_link, push_cjk_sentence, push_heading, push_host,
    push_paragraph, push_path, push_sentence, push_url, push_words, push_wrapped,
};
use super::words::{CJK_WORDS, CODE_LINES, LANGUAGES, NAMES, WORDS};

/// Columns by which a list item moves its content to the right.
const ITEM_INDENT: usize = 2;

pub(super) fn push_prose(random: &mut Random, out: &mut String) {
    push_heading(random, out);
    for _ in 0..random.between(4, 12) {
        push_paragraph(random, FEW_MARKS, out);
        if random.percent(6) {
            let mut quotation = String::new();
            push_sentence(random, FEW_MARKS, &mut quotation);
            push_wrapped(&quotation, "> ", out);
            out.push('\n');
        }
    }
}

pub(super) fn push_link_list(random: &mut Random, out: &mut String) {
    push_heading(random, out);
    if random.percent(40) {
        out.push('*');
        push_sentence(random, FEW_MARKS, out);
        out.push_str("*\n\n");
    }
    for _ in 0..random.between(5, 30) {
        out.push_str(if random.percent(10) { "  * [" } else { "* [" });
        let n_words = random.between(1, 3);
        push_words(random, n_words, out);
        out.push_str("](");
        push_url(random, out);
        if random.percent(5) {
            let _ = write!(out, " \"{}\"", random.pick(NAMES));
        }
        out.push_str(") - ");
        push_sentence(random, SOME_MARKS, out);
        out.push('\n');
    }
    out.push('\n');
}

pub(super) fn push_bare_links(random: &mut Random, out: &mut String) {
    push_heading(random, out);
    for _ in 0..random.between(3, 10) {
        if random.percent(70) {
            for _ in 0..random.between(2, 12) {
                out.push_str("- ");
                let n_words = random.between(1, 8);
                push_words(random, n_words, out);
                out.push_str(": ");
                push_bare_link(random, out);
                out.push_str(random.pick_common(&["\n", ".\n", " \n", ")\n"]));
            }
        } else {
            for _ in 0..random.between(1, 4) {
                push_sentence(random, FEW_MARKS, out);
                out.push_str(" See ");
                push_bare_link(random, out);
                out.push_str(random.pick(&[",", ".", ";", " and"]));
                out.push('\n');
            }
        }
        out.push('\n');
    }
}

pub(super) fn push_table(random: &mut Random, out: &mut String) {
    push_heading(random, out);
    if random.percent(50) {
        push_paragraph(random, SOME_MARKS, out);
    }
    let n_columns = random.between(3, 6);
    for _ in 0..n_columns {
        let _ = write!(out, "| {} ", random.pick(NAMES));
    }
    out.push_str("|\n");
    for _ in 0..n_columns {
        out.push('|');
        out.push_str(random.pick(&["---", ":---", ":--:", "---:"]));
    }
    out.push_str("|\n");
    for _ in 0..random.between(5, 40) {
        for _ in 0..n_columns {
            out.push_str("| ");
            push_cell(random, out);
            out.push(' ');
        }
        out.push_str("|\n");
    }
    out.push('\n');
}

fn push_cell(random: &mut Random, out: &mut String) {
    match random.below(10) {
        0..=2 => _ = write!(out, "`{}.{}`", random.pick(NAMES), random.pick(NAMES)),
        3 => {
            let _ = write!(out, "[{}](", random.pick(NAMES));
            push_url(random, out);
            out.push(')');
        }
        4 => out.push_str(random.pick(&["yes", "no", "-", "", "`a \\| b`", "**required**"])),
        _ => {
            let n_words = random.between(1, 9);
            push_words(random, n_words, out);
        }
    }
}

pub(super) fn push_nested_list(random: &mut Random, out: &mut String) {
    push_heading(random, out);
    let mut depth = 0;
    let is_loose = random.percent(20);
    for item_idx in 0..random.between(8, 50) {
        if item_idx > 0 {
            // At most one level deeper: an item further in would be code.
            depth = random.below((depth + 2).min(6));
        }
        let indent = " ".repeat(depth * ITEM_INDENT);
        let marker = match depth % 3 {
            0 => random.pick(&["- ", "- ", "- [ ] ", "- [x] "]),
            1 => "* ",
            _ => "+ ",
        };
        let _ = write!(out, "{indent}{marker}");
        push_sentence(random, SOME_MARKS, out);
        out.push('\n');
        if random.percent(12) {
            // A second line of the same paragraph, or a second paragraph.
            if is_loose {
                out.push('\n');
            }
            let _ = write!(out, "{indent}  ");
            push_sentence(random, FEW_MARKS, out);
            out.push('\n');
        }
        if is_loose {
            out.push('\n');
        }
    }
    out.push('\n');
    for number in 1..=random.between(2, 9) {
        let _ = write!(out, "{number}. ");
        push_sentence(random, SOME_MARKS, out);
        let _ = write!(out, "\n   - ");
        push_sentence(random, FEW_MARKS, out);
        out.push('\n');
    }
    out.push('\n');
}

pub(super) fn push_cjk(random: &mut Random, out: &mut String) {
    let _ = write!(out, "## {}{}\n\n", random.pick(CJK_WORDS), random.pick(CJK_WORDS));
    for _ in 0..random.between(3, 8) {
        match random.below(10) {
            0 if random.percent(50) => push_code_block(random, out),
            1..=3 => {
                for _ in 0..random.between(2, 6) {
                    out.push_str("- ");
                    push_cjk_sentence(random, out);
                    out.push('\n');
                }
            }
            4 => {
                let _ = write!(out, "> **{}**：", random.pick(CJK_WORDS));
                push_cjk_sentence(random, out);
                out.push('\n');
            }
            _ => {
                for _ in 0..random.between(1, 5) {
                    push_cjk_sentence(random, out);
                }
                out.push('\n');
            }
        }
        out.push('\n');
    }
}

pub(super) fn push_code(random: &mut Random, out: &mut String) {
    push_heading(random, out);
    for _ in 0..random.between(3, 7) {
        push_paragraph(random, SOME_MARKS, out);
        if random.percent(75) {
            push_code_block(random, out);
        } else {
            for _ in 0..random.between(2, 12) {
                let _ = writeln!(out, "    {}", random.pick(CODE_LINES));
            }
        }
        out.push('\n');
    }
}

fn push_code_block(random: &mut Random, out: &mut String) {
    let _ = writeln!(out, "```{}", random.pick(LANGUAGES));
    for _ in 0..random.between(3, 25) {
        let _ = writeln!(out, "{}", random.pick(CODE_LINES));
    }
    out.push_str("```\n");
}

pub(super) fn push_references(random: &mut Random, out: &mut String) {
    // Labels must be unique: the start of this section is its number.
    let section = out.len();
    let n_labels = random.between(8, 30);
    push_heading(random, out);
    for _ in 0..random.between(3, 8) {
        for _ in 0..random.between(2, 7) {
            out.push_str("- ");
            push_sentence(random, SOME_MARKS, out);
            for _ in 0..random.between(1, 3) {
                push_reference(random, (section, n_labels), out);
            }
            out.push('\n');
        }
        out.push('\n');
    }
    for label_idx in 0..n_labels {
        let _ = write!(out, "[Entry {section}-{label_idx}]: ");
        push_url(random, out);
        if random.percent(10) {
            let _ = write!(out, " '{} {}'", random.pick(NAMES), random.pick(WORDS));
        }
        out.push('\n');
    }
    out.push('\n');
}

/// Appends a reference in one of its three forms, to a label of this section.
fn push_reference(random: &mut Random, (section, n_labels): (usize, usize), out: &mut String) {
    let label_idx = random.below(n_labels);
    match random.below(6) {
        0 => _ = write!(out, " [entry {section}-{label_idx}][]"),
        1 => _ = write!(out, " [Entry {section}-{label_idx}]"),
        // Text that looks like a reference but is none.
        2 => _ = write!(out, " [{}]", random.pick(NAMES)),
        _ => _ = write!(out, " [{}][ENTRY {section}-{label_idx}]", random.pick(NAMES)),
    }
}

/// Appends a message as a JSON string, on a line of its own.
pub(super) fn push_message(random: &mut Random, out: &mut String) {
    let mut text = String::new();
    if random.percent(10) {
        let _ = write!(text, "@{} ", random.pick(NAMES));
    }
    for sentence_idx in 0..random.between(1, 5) {
        if sentence_idx > 0 {
            text.push(' ');
        }
        push_sentence(random, SOME_MARKS, &mut text);
    }
    match random.below(20) {
        0..=2 => {
            text.push(' ');
            push_bare_link(random, &mut text);
        }
        3 => {
            text.push_str(" [here](https://");
            push_host(random, &mut text);
            push_path(random, &mut text);
            text.push(')');
        }
        4 => _ = write!(text, "\n\n> {} {}", random.pick(NAMES), random.pick(WORDS)),
        5 => _ = write!(text, "\n\n```\n{}\n```", random.pick(CODE_LINES)),
        6 => _ = write!(text, "\n- {}\n- {}", random.pick(NAMES), random.pick(NAMES)),
        7 => text.push_str(random.pick(&[" 🙂", " 👍", " :)", " …"])),
        _ => {}
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '"' | '\\' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out.push_str("\"\n");
}

//! Sentences, paragraphs and addresses: the content of blocks.

use std::fmt::Write as _;

use super::random::Random;
use super::words::{CJK_WORDS, NAMES, TOP_DOMAINS, WORDS};

/// Where wrapped paragraphs break.
const LINE_WIDTH: usize = 78;

/// How many words in a thousand are marked up.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    pub(super) emphasis: usize,
    pub(super) code: usize,
}

/// As few as a book has.
pub(super) const FEW_MARKS: Marks = Marks { emphasis: 4, code: 3 };

/// As many as technical notes have.
pub(super) const SOME_MARKS: Marks = Marks { emphasis: 15, code: 30 };

pub(super) fn push_words(random: &mut Random, n_words: usize, out: &mut String) {
    for word_idx in 0..n_words {
        if word_idx > 0 {
            out.push(' ');
        }
        out.push_str(random.pick_common(WORDS));
    }
}

/// Appends a sentence without a space after it.
pub(super) fn push_sentence(random: &mut Random, marks: Marks, out: &mut String) {
    let n_words = random.between(5, 22);
    for word_idx in 0..n_words {
        let word = random.pick_common(WORDS);
        let draw = random.below(1000);
        if word_idx == 0 {
            push_capitalized(word, out);
        } else if draw < marks.emphasis {
            let mark = random.pick(&["*", "**", "_"]);
            let _ = write!(out, "{mark}{word}{mark}");
        } else if draw < marks.emphasis + marks.code {
            let _ = write!(out, "`{word}`");
        } else {
            out.push_str(word);
        }
        if word_idx + 1 < n_words {
            out.push_str(if random.percent(8) { ", " } else { " " });
        }
    }
    out.push_str(random.pick_common(&[".", ".", "?", ":", "!"]));
}

/// Appends a paragraph of wrapped lines and the blank line after it.
pub(super) fn push_paragraph(random: &mut Random, marks: Marks, out: &mut String) {
    let mut text = String::new();
    for sentence_idx in 0..random.between(2, 7) {
        if sentence_idx > 0 {
            text.push(' ');
        }
        push_sentence(random, marks, &mut text);
    }
    push_wrapped(&text, "", out);
    out.push('\n');
}

/// Appends text in lines with a prefix before each.
pub(super) fn push_wrapped(text: &str, prefix: &str, out: &mut String) {
    let mut width = 0;
    for word in text.split(' ') {
        // A number with a dot would begin a list.
        let can_start_line = word.starts_with(|c: char| c.is_alphabetic());
        if width == 0 {
            out.push_str(prefix);
        } else if width + word.len() > LINE_WIDTH && can_start_line {
            out.push('\n');
            out.push_str(prefix);
            width = 0;
        } else {
            out.push(' ');
        }
        out.push_str(word);
        width += word.len() + 1;
    }
    out.push('\n');
}

pub(super) fn push_heading(random: &mut Random, out: &mut String) {
    out.push_str(if random.percent(15) { "# " } else { "## " });
    let mut title = String::new();
    let n_words = random.between(1, 6);
    push_words(random, n_words, &mut title);
    push_capitalized(&title, out);
    out.push_str("\n\n");
}

pub(super) fn push_capitalized(text: &str, out: &mut String) {
    let mut chars = text.chars();
    out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
    out.push_str(chars.as_str());
}

pub(super) fn push_host(random: &mut Random, out: &mut String) {
    let (name, top) = (random.pick(NAMES), random.pick(TOP_DOMAINS));
    if random.percent(30) {
        let _ = write!(out, "{}-", random.pick(NAMES));
    }
    let _ = write!(out, "{name}.{top}");
}

/// Appends a path with its slash, and sometimes a query or a fragment.
pub(super) fn push_path(random: &mut Random, out: &mut String) {
    for _ in 0..random.between(0, 3) {
        let _ = write!(out, "/{}", random.pick(NAMES));
        if random.percent(20) {
            let _ = write!(out, "_{}", random.below(1000));
        }
    }
    match random.below(12) {
        0 => _ = write!(out, "/?q={}&page={}", random.pick(NAMES), random.below(100)),
        1 => _ = write!(out, "/#{}", random.pick(NAMES)),
        2 => _ = write!(out, "/{}_({})", random.pick(NAMES), random.pick(NAMES)),
        _ => {}
    }
}

pub(super) fn push_url(random: &mut Random, out: &mut String) {
    out.push_str("https://");
    push_host(random, out);
    push_path(random, out);
}

/// Appends a URL, a `www.` name or an address, with realistic frequencies.
pub(super) fn push_bare_link(random: &mut Random, out: &mut String) {
    match random.below(20) {
        0..=1 => {
            out.push_str("www.");
            push_host(random, out);
            push_path(random, out);
        }
        2..=3 => {
            let _ = write!(out, "{}.{}@", random.pick(NAMES), random.pick(NAMES));
            push_host(random, out);
        }
        _ => push_url(random, out),
    }
}

/// Appends a Chinese sentence with its fullwidth stop.
pub(super) fn push_cjk_sentence(random: &mut Random, out: &mut String) {
    let n_words = random.between(6, 24);
    for word_idx in 0..n_words {
        match random.below(60) {
            0 => _ = write!(out, " `{}` ", random.pick(NAMES)),
            1 => _ = write!(out, " {} ", random.pick(NAMES)),
            2 => _ = write!(out, "**{}**", random.pick(CJK_WORDS)),
            _ => out.push_str(random.pick_common(CJK_WORDS)),
        }
        if word_idx + 1 < n_words && random.percent(12) {
            out.push_str(random.pick(&["，", "，", "、", "（见下文）"]));
        }
    }
    out.push_str(random.pick_common(&["。", "。", "；", "？", "！"]));
}

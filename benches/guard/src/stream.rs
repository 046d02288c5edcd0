//! A document in pieces, for callgrind to count.
//!
//! `guard-stream stream-BYTES PRESET FILE` runs a stream once to warm up, and once in
//! [`counted_step`], which `cargo xtask guard` tells callgrind to count: pieces of so many bytes,
//! and an update after each.

use std::hint::black_box;
use std::process::ExitCode;

use barelink::{Options, Stream};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, preset, path] = arguments.as_slice() else {
        return usage();
    };
    let piece = what.strip_prefix("stream-").and_then(|bytes| bytes.parse().ok());
    let (Some(piece), Some(options)) = (piece, Options::preset(preset)) else {
        return usage();
    };
    let text = std::fs::read_to_string(path).expect("the input can be read");
    let warm = show(&text, piece, &options);
    let counted = counted_step(&text, piece, &options);
    assert!(warm > 0 && warm == counted, "{warm}, then {counted}");
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("guard-stream stream-BYTES PRESET FILE");
    ExitCode::FAILURE
}

#[inline(never)]
fn counted_step(text: &str, piece: usize, options: &Options) -> usize {
    show(black_box(text), piece, options)
}

/// How many changes a page has that shows the text as it grows.
#[inline(never)]
fn show(text: &str, piece: usize, options: &Options) -> usize {
    let mut stream = Stream::new(options.clone());
    let (mut start, mut n_changes) = (0, 0);
    while start < text.len() {
        let mut end = text.len().min(start + piece);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        stream.push(&text[start..end]).expect("inputs are small");
        n_changes += stream.update().splices().count();
        start = end;
    }
    n_changes + stream.finish().splices().count()
}

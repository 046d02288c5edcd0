//! Looks for slow inputs: a random unit, repeated between a random beginning and
//! a random end, at a small and at a larger size. Where the larger one costs
//! more than it should by the clock, again and again, the input is printed, for
//! somebody to count its instructions: the clock of a busy machine proves nothing.
//!
//! Any output is made of it, or always the same one; what else is left to choose is chosen at
//! random too.
//!
//! An input is a line: output, preset, beginning, unit, end, escaped and with tabs between.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use barelink::Options;

use crate::Problem;
use crate::output::Output;

/// Bytes of the small input; the larger one is [`GROWTH`] times as long.
const LEN_SMALL: usize = 1 << 11;

const GROWTH: u32 = 16;

/// How much more than [`GROWTH`] times the time makes an input suspicious, in percent.
const SUSPICIOUS_PERCENT: u32 = 180;

/// How often it has to be.
const N_TIMES: usize = 4;

/// What units, beginnings and ends are made of.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "a", "b c", " ", "\n", "\n\n", "\t", "    ", "é", "中", "。", "\r", "1", "-", "+", "=", ".", ",",
    "*", "**", "_", "__", "~", "~~", "`", "``", "[", "]", "](", "][", "![", "(", ")", "<", ">", "&",
    "&amp;", ";", "\\", "\"", "'", "!", "?", "#", "/", ":", "|", "^", "%", "{", "}", "x",
    "\n> ", "> ", "\n- ", "- ", "\n1. ", "\n* ", "\n# ", "\n===\n", "\n---\n", "\n```\n", "~~~",
    "\n|", "|-", "\n|-|-|\n", "|a|b|\n", "[a]", "[a]: ", "\n[a]: b", "[^1]", "\n[^1]: ", "[^", "]: ",
    "http://", "https://", "://", "www.", "@", "a@b.cd", "mailto:", "xmpp:", "http://a.bc/", "www.a.bc",
    "http://[", "::", "<a", "</a", "<b>", "<!--", "-->", "<?", "?>", "<![CDATA[", "]]>", "<!A", "<a b=",
    "<pre>", "<div>", "<http:", "&#", "&#6", "\\\n", "  \n", "[!NOTE]", "[ ] ", "[x] ", "a.bc", "_.", "xn--",
];

/// Searches among so many inputs, or for so many seconds, as in `600s`, in this output or in all of
/// them.
pub(crate) fn run(limit: &str, seed: &str, output: Option<&str>) -> Result<(), Problem> {
    let (n_inputs, time) = match limit.strip_suffix('s') {
        Some(seconds) => (u32::MAX, Duration::from_secs(seconds.parse()?)),
        None => (limit.parse()?, Duration::MAX),
    };
    let mut random = Random(seed.parse()?);
    let outputs = match output {
        Some(name) => vec![Output::from_name(name)?],
        None => Output::ALL.to_vec(),
    };
    let start = Instant::now();
    let mut n_tried = 0_u32;
    while n_tried < n_inputs && start.elapsed() < time {
        let output = *random.pick(&outputs);
        let preset = *random.pick(Options::PRESETS);
        let options = Options::preset(preset).ok_or("a listed preset exists")?;
        let [before, unit, after] = [2, 3, 2].map(|n_max| random.pieces(n_max));
        if unit.is_empty() || !is_searched(output) {
            continue;
        }
        n_tried += 1;
        let n_units = LEN_SMALL / unit.len() + 1;
        let small = format!("{before}{}{after}", unit.repeat(n_units));
        let large = format!("{before}{}{after}", unit.repeat(n_units * GROWTH as usize));
        if (0..N_TIMES).all(|_| is_suspicious(&small, &large, output, &options)) {
            let escaped = [before, unit, after].map(|text| text.escape_default().to_string());
            println!("{}\t{preset}\t{}", output.name(), escaped.join("\t"));
        }
    }
    eprintln!("{n_tried} inputs");
    Ok(())
}

/// Streams read again what has no neutral place, the server has threads to wait for, and the last
/// one is slow on purpose.
fn is_searched(output: Output) -> bool {
    !matches!(
        output,
        Output::Stream
            | Output::StreamAll
            | Output::Optimistic
            | Output::StreamLong
            | Output::Hover
            | Output::Actions
            | Output::Quadratic
    )
}

/// Whether the larger input takes more than its share, by one measurement.
fn is_suspicious(small: &str, large: &str, output: Output, options: &Options) -> bool {
    // The small one is short enough to be disturbed less often: its best time counts.
    let small_time = (0..3).map(|_| time(small, output, options)).min().unwrap_or_default();
    time(large, output, options) * 100 > small_time * GROWTH * SUSPICIOUS_PERCENT
}

fn time(source: &str, output: Output, options: &Options) -> Duration {
    let start = Instant::now();
    let made = output.make(options.clone(), source);
    black_box(made).map_or(Duration::MAX, |_| start.elapsed())
}

/// SplitMix64, after Steele, Lea and Flood.
struct Random(u64);

impl Random {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.next() % from.len()]
    }

    fn pieces(&mut self, n_max: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.next() % (n_max + 1) {
            let _ = write!(text, "{}", self.pick(PIECES));
        }
        text
    }
}

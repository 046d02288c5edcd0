//! Punycode: the ASCII form of names for the domain name system.
//!
//! RFC 3492, with the parameters of its section 5: `bücher` becomes
//! `bcher-kva`, and `xn--bcher-kva` as a label.
//!
//! LINEAR: the algorithm passes over the label once for each distinct character. No label of the
//! domain name system has more than [`MAX_LABEL`] characters; longer ones are left as they are.

use core::fmt::{self, Write};

/// The maximum length of a label, in characters.
const MAX_LABEL: usize = 63;

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;

/// Writes a label: unchanged if it is ASCII, else lower-cased and encoded.
pub(crate) fn push_label(label: &str, out: &mut impl Write) -> fmt::Result {
    if label.is_ascii() || chars(label).count() > MAX_LABEL {
        return out.write_str(label);
    }
    out.write_str("xn--")?;
    push_encoded(label, out)
}

/// The characters of a label, lower-cased.
fn chars(label: &str) -> impl Iterator<Item = char> + '_ {
    label.chars().flat_map(char::to_lowercase)
}

/// RFC 3492 §6.3. Nothing overflows: a label has at most [`MAX_LABEL`] characters.
fn push_encoded(label: &str, out: &mut impl Write) -> fmt::Result {
    let mut n_done = 0;
    for c in chars(label).filter(char::is_ascii) {
        out.write_char(c)?;
        n_done += 1;
    }
    let n_basic = n_done;
    if n_basic > 0 {
        out.write_char('-')?;
    }
    let (mut n, mut delta, mut bias) = (INITIAL_N, 0, INITIAL_BIAS);
    while let Some(next) = chars(label).map(u32::from).filter(|&code| code >= n).min() {
        delta += (next - n) * (n_done + 1);
        n = next;
        for code in chars(label).map(u32::from) {
            if code < n {
                delta += 1;
            }
            if code == n {
                push_number(delta, bias, out)?;
                let scale = if n_done == n_basic { DAMP } else { 2 };
                bias = adapt(delta / scale, n_done + 1);
                delta = 0;
                n_done += 1;
            }
        }
        delta += 1;
        n += 1;
    }
    Ok(())
}

/// Writes a variable-length integer.
fn push_number(number: u32, bias: u32, out: &mut impl Write) -> fmt::Result {
    let mut rest = number;
    for k in (BASE..).step_by(BASE as usize) {
        let threshold = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
        if rest < threshold {
            break;
        }
        out.write_char(digit(threshold + (rest - threshold) % (BASE - threshold)))?;
        rest = (rest - threshold) / (BASE - threshold);
    }
    out.write_char(digit(rest))
}

/// RFC 3492 §6.1, given a delta that has been scaled already: by more for the first one.
fn adapt(mut delta: u32, n_points: u32) -> u32 {
    delta += delta / n_points;
    let mut k = 0;
    while delta > ((BASE - T_MIN) * T_MAX) / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

/// The digit for this value: `a` to `z`, then `0` to `9`.
fn digit(value: u32) -> char {
    char::from_digit((value + 10) % BASE, BASE).unwrap_or('a')
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;

    use super::push_label;

    fn encode(label: &str) -> String {
        let mut out = String::new();
        push_label(label, &mut out).unwrap();
        out
    }

    #[test]
    fn samples_of_the_rfc() {
        for (label, encoded) in [
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("Pročprostěnemluvíčesky", "proprostnemluvesky-uyb24dma41a"),
            ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
            ("なぜみんな日本語を話してくれないのか", "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
            ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
            ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
            ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
        ] {
            assert_eq!(encode(label).strip_prefix("xn--"), Some(encoded), "{label}");
        }
    }

    #[test]
    fn hosts_one_meets() {
        assert_eq!(encode("bücher"), "xn--bcher-kva");
        assert_eq!(encode("BÜCHER"), "xn--bcher-kva");
        assert_eq!(encode("münchen"), "xn--mnchen-3ya");
        assert_eq!(encode("例え"), "xn--r8jz45g");
        assert_eq!(encode("中国政府"), "xn--fiqs8sirgfmh");
        assert_eq!(encode("ascii"), "ascii");
        assert_eq!(encode(""), "");
    }

    #[test]
    fn long_labels_are_left_alone() {
        let label = "é".repeat(64);
        assert_eq!(encode(&label), label);
        assert!(encode(&"é".repeat(63)).is_ascii());
        assert!(encode(&"\u{10FFFF}".repeat(63)).is_ascii());
    }
}

//! Shorter inputs that still show the same problem.

/// Makes `source` shorter as long as `shows` says that it still shows the problem: takes
/// out pieces, half of it first and single characters last, until none can go, and puts
/// plain letters where that changes nothing.
///
/// ```
/// use barelink_spectest::minimize::minimize;
/// let shows = |source: &str| source.contains('[') && source.contains(']');
/// assert_eq!(minimize("a [b](c)\n\nd", shows), "[]");
/// ```
pub fn minimize(source: &str, mut shows: impl FnMut(&str) -> bool) -> String {
    let mut best: Vec<char> = source.chars().collect();
    loop {
        let before = best.clone();
        let mut len = best.len().div_ceil(2).max(1);
        loop {
            let mut start = 0;
            while start < best.len() {
                let end = (start + len).min(best.len());
                let shorter: String = best[..start].iter().chain(&best[end..]).collect();
                if shows(&shorter) {
                    best.drain(start..end);
                } else {
                    start += len;
                }
            }
            if len == 1 {
                break;
            }
            len = len.div_ceil(2);
        }
        for idx in 0..best.len() {
            let was = best[idx];
            if was.is_alphanumeric() && was != 'a' {
                best[idx] = 'a';
                if !shows(&best.iter().collect::<String>()) {
                    best[idx] = was;
                }
            }
        }
        if best == before {
            return best.into_iter().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::minimize;

    #[test]
    fn nothing_more_can_be_left_out() {
        let shows = |source: &str| {
            let at = |c| source.find(c);
            at('(').zip(at(')')).is_some_and(|(open, close)| open < close && source.contains("é1"))
        };
        assert_eq!(minimize("x)y(zé1)w", shows), "(é1)");
    }
}

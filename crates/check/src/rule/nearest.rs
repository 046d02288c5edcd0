//! Guesses the name that was intended by a misspelled one: with a letter too many or too few, a
//! wrong letter, or two letters swapped.
//!
//! LINEAR: names are short, and longer words are not compared.

/// The maximum length of a name.
const LEN_MAX: usize = 40;

/// The name that differs least from a word, if it is close enough; `None` if there is none, or if
/// two are equally close.
pub(crate) fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_ascii_lowercase();
    let of_name = |name: &'n str| (n_slips(&word, &name.to_ascii_lowercase()), name);
    let mut near: Vec<(usize, &str)> = names.map(of_name).collect();
    near.retain(|(n_slips, name)| n_slips * 4 <= name.len().max(word.len()) + 1);
    let least = near.iter().map(|(n_slips, _)| *n_slips).min()?;
    let mut nearest = near.iter().filter(|(n_slips, _)| *n_slips == least);
    match (nearest.next(), nearest.next()) {
        (Some((_, name)), None) => Some(name),
        _ => None,
    }
}

/// The edit distance of two words, with swaps of adjacent letters.
fn n_slips(one: &str, two: &str) -> usize {
    if one.len() > LEN_MAX || two.len() > LEN_MAX {
        return usize::MAX / 8;
    }
    let (one, two) = (one.as_bytes(), two.as_bytes());
    // Rows of the dynamic-programming table: two earlier ones, and the current one.
    let mut rows = [vec![0; two.len() + 1], (0..=two.len()).collect(), vec![0; two.len() + 1]];
    for (i, a) in one.iter().enumerate() {
        rows[2][0] = i + 1;
        for (j, b) in two.iter().enumerate() {
            let replaced = rows[1][j] + usize::from(a != b);
            let mut least = replaced.min(rows[1][j + 1] + 1).min(rows[2][j] + 1);
            if i > 0 && j > 0 && *a == two[j - 1] && one[i - 1] == *b {
                least = least.min(rows[0][j - 1] + 1);
            }
            rows[2][j + 1] = least;
        }
        rows.rotate_left(1);
    }
    rows[1][two.len()]
}

#[cfg(test)]
mod tests {
    use super::{n_slips, nearest};

    #[test]
    fn slips_are_counted() {
        for (one, two, expected) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("wrong-end", "worng-ned", 2),
            ("disable", "disabled", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!((n_slips(one, two), n_slips(two, one)), (expected, expected), "{one} {two}");
        }
    }

    #[test]
    fn what_is_near_to_two_is_neither() {
        let names = ["BL001", "BL002", "not-linked"];
        assert_eq!(nearest("bl02", names.into_iter()), Some("BL002"));
        assert_eq!(nearest("BL003", names.into_iter()), None);
        assert_eq!(nearest("not-linkde", names.into_iter()), Some("not-linked"));
        assert_eq!(nearest(&"x".repeat(5000), names.into_iter()), None);
    }
}

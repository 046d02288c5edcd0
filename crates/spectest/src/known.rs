//! Lists of known differences: the examples of a suite on which we knowingly
//! give another answer, each with its reason.
//!
//! `testdata/known-differences/<suite>.txt` has a line `number: reason` for
//! each; blank lines and lines that begin with `#` are prose. A list is a claim
//! like any other: an example that stands on it and passes fails the run, and
//! so does a number that the suite does not have.

use std::collections::BTreeMap;
use std::path::Path;

/// The known differences of one suite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    reasons: BTreeMap<u32, String>,
}

impl Known {
    /// Reads a list.
    ///
    /// # Errors
    /// A message naming the file and the line that is wrong.
    pub fn load(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read the known differences {shown}: {error}"))?;
        Self::parse(&text).map_err(|message| format!("{shown}:{message}"))
    }

    /// Reads the text of a list.
    ///
    /// # Errors
    /// A message that begins with the number of the line.
    ///
    /// ```
    /// use barelink_spectest::known::Known;
    /// let known = Known::parse("# Nested emphasis\n\n417: we follow the newer text\n")?;
    /// assert_eq!(known.reason(417), Some("we follow the newer text"));
    /// assert_eq!(known.reason(418), None);
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reasons = BTreeMap::new();
        for (line_idx, line) in text.lines().enumerate() {
            let line_number = line_idx + 1;
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let entry = line.split_once(':').and_then(|(number, reason)| {
                Some((number.trim().parse::<u32>().ok()?, reason.trim()))
            });
            let Some((number, reason)) = entry else {
                return Err(format!("{line_number}: not of the form `number: reason`"));
            };
            if reason.is_empty() {
                return Err(format!("{line_number}: {number} has no reason"));
            }
            if reasons.insert(number, reason.to_string()).is_some() {
                return Err(format!("{line_number}: {number} is listed twice"));
            }
        }
        Ok(Self { reasons })
    }

    /// The reason for a known difference on this example, if it is listed.
    pub fn reason(&self, number: u32) -> Option<&str> {
        self.reasons.get(&number).map(String::as_str)
    }

    /// The listed numbers, in order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.reasons.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Known;

    #[test]
    fn says_which_line_is_wrong() {
        for (text, expected) in [
            ("1: a\nnonsense\n", "2: not of the form `number: reason`"),
            ("x: a\n", "1: not of the form `number: reason`"),
            ("7:  \n", "1: 7 has no reason"),
            ("7: a\n\n7: b\n", "3: 7 is listed twice"),
        ] {
            assert_eq!(Known::parse(text), Err(expected.to_string()));
        }
    }

    #[test]
    fn a_reason_may_hold_colons() {
        let known = Known::parse("28: see: the newer text").expect("well-formed");
        assert_eq!(known.reason(28), Some("see: the newer text"));
        assert_eq!(known.numbers().collect::<Vec<_>>(), [28]);
    }
}

//! The user's own schemes, as people write them: for [`Options::schemes`](crate::Options).

use std::fmt;

/// The maximum length of such a scheme.
const MAX_LEN: usize = 32;

/// Normalizes the name of a scheme such as `tel`, `tel:` or `App://` to lower case without
/// punctuation, for [`Options::schemes`](crate::Options::schemes).
///
/// # Errors
/// If the text is not a scheme, or if links with this scheme can run code.
///
/// ```
/// assert_eq!(barelink::own_scheme("App://")?, "app");
/// assert!(barelink::own_scheme("javascript:").is_err());
/// # Ok::<(), barelink::WrongScheme>(())
/// ```
pub fn own_scheme(text: &str) -> Result<String, WrongScheme> {
    let name = text.strip_suffix("//").unwrap_or(text);
    let name = name.strip_suffix(':').unwrap_or(name).to_ascii_lowercase();
    let is_scheme = name.len() <= MAX_LEN
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    match &*name {
        "javascript" | "vbscript" | "data" => Err(WrongScheme(Reason::RunsCode)),
        _ if is_scheme => Ok(name),
        _ => Err(WrongScheme(Reason::NoScheme)),
    }
}

/// The error of [`own_scheme`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongScheme(Reason);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reason {
    NoScheme,
    RunsCode,
}

impl fmt::Display for WrongScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Reason::NoScheme => write!(
                f,
                "a scheme is a letter and up to {} letters, digits, '+', '-' or '.'",
                MAX_LEN - 1
            ),
            Reason::RunsCode => {
                f.write_str("a link with this scheme can run code, and is never looked for in text")
            }
        }
    }
}

impl std::error::Error for WrongScheme {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_taken_as_people_write_them() {
        for (written, name) in
            [("tel", "tel"), ("TEL:", "tel"), ("App://", "app"), ("a+b-1.c", "a+b-1.c")]
        {
            assert_eq!(own_scheme(written).as_deref(), Ok(name));
        }
        for wrong in ["", ":", "//", "1a", "a b", "a_b", "é", &"a".repeat(33)] {
            assert_eq!(own_scheme(wrong), Err(WrongScheme(Reason::NoScheme)), "{wrong}");
        }
        for code in ["javascript", "JavaScript:", "data:", "vbscript://"] {
            assert_eq!(own_scheme(code), Err(WrongScheme(Reason::RunsCode)), "{code}");
        }
    }
}

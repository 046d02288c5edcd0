//! Conversion between `file:` URIs and paths.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The path of a `file:` URI; `None` for another scheme, such as `untitled:`.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // A host may come before the path; `localhost` is usual.
    let path = &rest[rest.find('/')?..];
    let path = decoded(path)?;
    let is_drive = |path: &str| {
        let bytes = path.as_bytes();
        bytes.len() >= 3 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':'
    };
    Some(PathBuf::from(if cfg!(windows) && is_drive(&path) { &path[1..] } else { &path }))
}

/// Percent-decodes: `%C3%A9` becomes `é`.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte == b'%'
            && let Some(digits) = after.get(..2).and_then(|digits| str::from_utf8(digits).ok())
            && let Ok(decoded) = u8::from_str_radix(digits, 16)
        {
            bytes.push(decoded);
            rest = &after[2..];
        } else {
            bytes.push(*byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The `file:` URI of a path.
pub(crate) fn of_path(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    let path = path.to_string_lossy().replace('\\', "/");
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_go_there_and_back() {
        for path in ["/a/b.md", "/a b/é%20.md", "/c:/x"] {
            assert_eq!(to_path(&of_path(Path::new(path))).as_deref(), Some(Path::new(path)));
        }
        assert_eq!(to_path("file://localhost/a%2").as_deref(), Some(Path::new("/a%2")));
        for uri in ["untitled:Untitled-1", "file://", "http://a/b", "file:///%FF", ""] {
            assert_eq!(to_path(uri), None, "{uri}");
        }
    }
}

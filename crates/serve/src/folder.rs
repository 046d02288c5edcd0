//! Resolves the path of a request: to a file or folder below the root, or to nothing.
//!
//! ```text
//! path    = "/" [segment *("/" segment)] ["/"]
//! segment = percent-decoded once: UTF-8, no control character, no "/", "\" or (Windows) ":",
//!           and not starting with "."
//! ```
//!
//! So `.`, `..` and hidden names have no path, however they are encoded. A result is checked again
//! with all symbolic links resolved: its real path must be below the root, too, and have no hidden
//! component.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

/// The maximum length of a file that is read, in bytes.
pub(crate) const LEN_MAX: u64 = 256 << 20;

/// A folder whose files are served.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    /// Its canonical path.
    root: PathBuf,
}

/// Something in the folder.
#[derive(Debug)]
pub(crate) struct Found {
    /// The decoded segments of the path.
    pub(crate) segments: Vec<String>,
    /// Whether the path ended with a slash, as the root's does.
    pub(crate) ends_with_slash: bool,
    /// Its canonical path.
    pub(crate) place: PathBuf,
    pub(crate) metadata: Metadata,
}

/// A line of an index.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    /// Folders come first.
    pub(crate) is_file: bool,
    pub(crate) name: String,
}

impl Folder {
    /// `root` must be canonical.
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The name of the folder itself, for display.
    pub(crate) fn name(&self) -> String {
        let name = self.root.file_name().unwrap_or(self.root.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Resolves the path of a request, which is still encoded.
    pub(crate) fn find(&self, path: &str) -> Option<Found> {
        let rest = path.strip_prefix('/')?;
        let (rest, ends_with_slash) = match rest.strip_suffix('/') {
            Some(rest) => (rest, true),
            None => (rest, rest.is_empty()),
        };
        let segments = if rest.is_empty() && path == "/" {
            Vec::new()
        } else {
            rest.split('/').map(segment).collect::<Option<Vec<String>>>()?
        };
        let mut named = self.root.clone();
        named.extend(&segments);
        let place = self.true_place(&named)?;
        let metadata = fs::metadata(&place).ok()?;
        let is_right = metadata.is_dir() || (metadata.is_file() && !ends_with_slash);
        is_right.then_some(Found { segments, ends_with_slash, place, metadata })
    }

    /// The real path, without symbolic links, if it may be served.
    fn true_place(&self, named: &Path) -> Option<PathBuf> {
        let place = named.canonicalize().ok()?;
        let below = place.strip_prefix(&self.root).ok()?;
        let is_seen = below.components().all(|component| match component {
            Component::Normal(name) => !name.as_encoded_bytes().starts_with(b"."),
            _ => false,
        });
        is_seen.then_some(place)
    }

    /// The entries of a folder that may be served, sorted. Names that are not Unicode have no path.
    pub(crate) fn entries(&self, place: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(place)? {
            let Ok(name) = entry?.file_name().into_string() else { continue };
            if !is_name(&name) {
                continue;
            }
            let true_place = self.true_place(&place.join(&name));
            match true_place.and_then(|place| fs::metadata(place).ok()) {
                Some(metadata) if metadata.is_dir() => entries.push(Entry { is_file: false, name }),
                Some(metadata) if metadata.is_file() => entries.push(Entry { is_file: true, name }),
                _ => {}
            }
        }
        entries.sort();
        Ok(entries)
    }
}

impl Found {
    /// The bytes of a file.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        // One byte more, to detect a file that is too long, even if it grows meanwhile.
        File::open(&self.place)?.take(LEN_MAX + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LEN_MAX {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    /// The encoded path of a request for it, without a slash at the end.
    pub(crate) fn path(&self) -> String {
        let mut path = String::new();
        for segment in &self.segments {
            path.push('/');
            push_encoded(segment, &mut path);
        }
        path
    }

    /// The last segment; empty for the root.
    pub(crate) fn name(&self) -> &str {
        self.segments.last().map_or("", String::as_str)
    }
}

/// Whether a file is shown as a page.
pub(crate) fn is_markdown(name: &str) -> bool {
    let extension = Path::new(name).extension().unwrap_or_default();
    ["md", "markdown", "mdown", "mkd"].iter().any(|it| extension.eq_ignore_ascii_case(it))
}

/// Decodes a segment to a name, if that is valid.
fn segment(encoded: &str) -> Option<String> {
    let name = percent_decode(encoded)?;
    is_name(&name).then_some(name)
}

/// Whether a file of this name may be served.
fn is_name(name: &str) -> bool {
    let is_odd = |c: char| c.is_control() || matches!(c, '/' | '\\') || (cfg!(windows) && c == ':');
    !name.is_empty() && !name.starts_with('.') && !name.contains(is_odd)
}

/// Percent-decodes once. `None` if the result is not UTF-8.
pub(crate) fn percent_decode(encoded: &str) -> Option<String> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if let (b'%', &[high, low, ref after @ ..]) = (byte, rest)
            && let (Some(high), Some(low)) = (digit(high), digit(low))
        {
            bytes.push(high << 4 | low);
            rest = after;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Appends a name as a segment of a path, percent-encoded.
pub(crate) fn push_encoded(name: &str, out: &mut String) {
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_decoded_once_and_may_not_lead_away() {
        assert_eq!(segment("a%20b%C3%A9").as_deref(), Some("a bé"));
        assert_eq!(segment("100%"), Some("100%".to_owned()));
        assert_eq!(segment("%252e%252e"), Some("%2e%2e".to_owned()));
        for encoded in [
            "",
            ".",
            "..",
            "%2e%2e",
            "%2E.",
            ".git",
            "%2egit",
            "a%2fb",
            "a%5Cb",
            "a\\b",
            "a%00",
            "%0a",
            "%ff",
            "...",
            "..%00",
            "%c0%ae%c0%ae",
        ] {
            assert_eq!(segment(encoded), None, "{encoded}");
        }
    }

    #[test]
    fn what_is_encoded_is_decoded_to_the_same() {
        let name = "a b%c?#\"<é>中&;+='😀";
        let mut encoded = String::new();
        push_encoded(name, &mut encoded);
        assert!(encoded.is_ascii() && !encoded.contains(['?', '#', '"', '<', ' ', '&']));
        assert_eq!(percent_decode(&encoded).as_deref(), Some(name));
    }
}

//! The sources of Markdown: a file, standard input or the command line itself, read as a whole and
//! converted to UTF-8.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

use crate::report::{Report, reason};
use crate::visible;

/// The maximum length of a source that is read, in bytes: longer ones cannot be parsed.
pub(crate) const MAX_SOURCE_LEN: u64 = barelink::MAX_SOURCE as u64;

/// One input.
#[derive(Debug)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
    /// An argument.
    Text(String),
}

/// Why a source could not be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    Directory,
    TooLong,
    Io(io::Error),
}

impl Source {
    /// The name of the document, used if it has no title.
    pub(crate) fn stem(&self) -> Option<String> {
        match self {
            Self::Stdin | Self::Text(_) => None,
            Self::File(path) => path.file_stem().map(|stem| stem.to_string_lossy().into_owned()),
        }
    }

    /// The name for programs. For people, use `Display`.
    pub(crate) fn raw_name(&self) -> String {
        match self {
            Self::File(path) => visible::raw_path(path),
            other => other.to_string(),
        }
    }

    /// Opens the source. Some errors appear only when it is read.
    pub(crate) fn open(&self) -> Result<Box<dyn Read>, Unreadable> {
        match self {
            Self::Stdin => Ok(Box::new(io::stdin().lock())),
            Self::File(path) => {
                // Checked before opening: not every system can open a directory.
                if fs::metadata(path)?.is_dir() {
                    return Err(Unreadable::Directory);
                }
                Ok(Box::new(File::open(path)?))
            }
            Self::Text(text) => Ok(Box::new(io::Cursor::new(text.clone()))),
        }
    }

    /// Reads the whole source. Bytes that are not UTF-8 become U+FFFD, with a warning that has the
    /// offset of the first. If the source cannot be read, reports that and returns `None`.
    pub(crate) fn read(&self, report: &Report) -> Option<String> {
        let bytes = match self.read_bytes() {
            Ok(bytes) => bytes,
            Err(error) => {
                report.error(self, error);
                return None;
            }
        };
        Some(String::from_utf8(bytes).unwrap_or_else(|error| {
            let offset = error.utf8_error().valid_up_to();
            report.warning(self, format_args!("invalid UTF-8 at byte {offset}, replaced"));
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        }))
    }

    /// Reads the whole source, to be written back: bytes that are not UTF-8 are an error, since
    /// they would be lost.
    pub(crate) fn read_exactly(&self, report: &Report) -> Option<String> {
        let bytes = match self.read_bytes() {
            Ok(bytes) => bytes,
            Err(error) => {
                report.error(self, error);
                return None;
            }
        };
        String::from_utf8(bytes)
            .inspect_err(|error| {
                let offset = error.utf8_error().valid_up_to();
                report.error(self, format_args!("invalid UTF-8 at byte {offset}, left as it is"));
            })
            .ok()
    }

    fn read_bytes(&self) -> Result<Vec<u8>, Unreadable> {
        let mut bytes = Vec::new();
        if let Self::File(path) = self {
            let len = fs::metadata(path)?.len();
            if len > MAX_SOURCE_LEN {
                return Err(Unreadable::TooLong);
            }
            bytes.try_reserve_exact(len as usize).map_err(io::Error::from)?;
        }
        // The length of a pipe, or of a file that grows, is not known in advance.
        self.open()?.take(MAX_SOURCE_LEN + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_SOURCE_LEN {
            return Err(Unreadable::TooLong);
        }
        Ok(bytes)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("<stdin>"),
            Self::File(path) => visible::path(path).fmt(f),
            Self::Text(_) => f.write_str("<text>"),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory => f.write_str("is a directory"),
            Self::TooLong => f.write_str("is too long: the limit is 4 GiB"),
            Self::Io(error) => f.write_str(&reason(error)),
        }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::IsADirectory { Self::Directory } else { Self::Io(error) }
    }
}

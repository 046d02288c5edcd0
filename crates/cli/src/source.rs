//! The sources of Markdown: a file, standard input or the command line itself, read as a whole and
//! converted to UTF-8.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

use barelink::Span;

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
    /// It starts with a byte order mark of UTF-16. Read as UTF-8, it would be nothing but replaced
    /// bytes, and nothing would be found in it.
    Utf16,
    /// Its first bytes that are not UTF-8 are at this offset.
    NotUtf8(usize),
    Io(io::Error),
}

/// The byte order marks of UTF-16.
const MARKS_OF_UTF16: [[u8; 2]; 2] = [[0xFF, 0xFE], [0xFE, 0xFF]];

/// What was read: the text, and where it differs from the bytes of the source.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// For each piece that is not UTF-8, the offsets after it: in the text, and in the source.
    replaced: Vec<(u32, u32)>,
}

impl Text {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => return Self { text, replaced: Vec::new() },
            Err(error) => error.into_bytes(),
        };
        let (mut text, mut replaced, mut end) = (String::new(), Vec::new(), 0);
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            end += chunk.valid().len() + chunk.invalid().len();
            if !chunk.invalid().is_empty() {
                text.push(char::REPLACEMENT_CHARACTER);
                // A text too long for these offsets is not parsed.
                replaced.push((text.len() as u32, end as u32));
            }
        }
        Self { text, replaced }
    }

    /// Whether the text equals the source, byte for byte.
    pub(crate) fn is_exact(&self) -> bool {
        self.replaced.is_empty()
    }

    /// Maps a span of the text to the source.
    pub(crate) fn source_span(&self, span: Span) -> Span {
        Span::new(self.source_offset(span.start), self.source_offset(span.end))
    }

    /// Maps an offset in the text, at the start of a character, to the source.
    pub(crate) fn source_offset(&self, at: u32) -> u32 {
        let idx = self.replaced.partition_point(|(text, _)| *text <= at);
        let before = idx.checked_sub(1).map_or((0, 0), |idx| self.replaced[idx]);
        before.1 + (at - before.0)
    }
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
        self.read_mapped(report).map(|it| it.text)
    }

    /// Like [`Source::read`], for callers that need spans of the source.
    pub(crate) fn read_mapped(&self, report: &Report) -> Option<Text> {
        self.read_text(report).inspect_err(|what| report.error(self, what)).ok()
    }

    /// Like [`Source::read_mapped`], for callers that report errors themselves.
    pub(crate) fn read_text(&self, report: &Report) -> Result<Text, Unreadable> {
        let read = Text::new(self.read_bytes()?);
        if let Some((after, _)) = read.replaced.first() {
            let offset = *after as usize - char::REPLACEMENT_CHARACTER.len_utf8();
            report.warning(self, format_args!("invalid UTF-8 at byte {offset}, replaced"));
        }
        Ok(read)
    }

    /// Reads the whole source, to be written back: bytes that are not UTF-8 are an error, since
    /// they would be lost.
    pub(crate) fn read_exactly(&self) -> Result<String, Unreadable> {
        String::from_utf8(self.read_bytes()?)
            .map_err(|error| Unreadable::NotUtf8(error.utf8_error().valid_up_to()))
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
        if MARKS_OF_UTF16.iter().any(|mark| bytes.starts_with(mark)) {
            return Err(Unreadable::Utf16);
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
            Self::Utf16 => f.write_str("the file is UTF-16, and has to be UTF-8: convert it first"),
            Self::NotUtf8(at) => write!(f, "invalid UTF-8 at byte {at}, left as it is"),
            Self::Io(error) => f.write_str(&reason(error)),
        }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::IsADirectory { Self::Directory } else { Self::Io(error) }
    }
}

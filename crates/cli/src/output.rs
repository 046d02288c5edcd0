//! The targets of output: standard output, a file, or a device.
//!
//! A file is written aside, in the same directory, and renamed when it is complete: whatever
//! happens in between, its name never stands for half a document, and what was written aside is
//! removed (see `interrupt`). Renaming makes a new file, so two things are done by hand: an
//! existing file's permissions, owner and group are respected and kept, and a symbolic link is
//! followed, also to a file that is not there yet. Until it is complete, only its writer can open
//! the new file. A target that is not a regular file (a device, a named pipe), or that stands for
//! an open one (`/dev/fd/3`), is never replaced, but written to; below a folder of outputs it is
//! refused.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use tempfile::NamedTempFile;

use crate::interrupt::{self, Note};
use crate::source::Source;
use crate::visible;

const BUFFER_LEN: usize = 64 * 1024;

/// Names of standard output.
const STDOUT_NAMES: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Names of files that are already open, or folders of such names. Such a file belongs to the
/// process that opened it.
const OPEN_ALREADY: [&str; 3] = ["/dev/stderr", "/dev/fd", "/proc"];

/// The target that a job writes to.
#[derive(Debug)]
pub(crate) enum Target {
    Stdout,
    File(PathBuf),
}

/// An open target.
#[derive(Debug)]
pub(crate) enum Sink {
    Stdout(BufWriter<StdoutLock<'static>>),
    Device(BufWriter<File>),
    Aside(Box<AsideFile>),
}

/// A temporary file that [`AsideFile::finish`] renames to its final name. If it is dropped before,
/// it is removed.
#[derive(Debug)]
pub(crate) struct AsideFile {
    file: BufWriter<NamedTempFile>,
    note: Note,
    path: PathBuf,
    replaced: Option<fs::Metadata>,
}

/// What to do about a target that is a symbolic link, or not a file at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// Write to what it leads to.
    Follow,
    /// Fail.
    Refuse,
}

impl Target {
    /// The target for the value of `--output`.
    pub(crate) fn from_arg(path: PathBuf) -> Self {
        if STDOUT_NAMES.iter().any(|name| path == Path::new(name)) {
            Self::Stdout
        } else {
            Self::File(path)
        }
    }

    /// Opens the target. A regular file is not changed before [`Sink::finish`].
    pub(crate) fn open(&self) -> io::Result<Sink> {
        match self {
            Self::Stdout => {
                Ok(Sink::Stdout(BufWriter::with_capacity(BUFFER_LEN, io::stdout().lock())))
            }
            Self::File(path) => open_file(path, Links::Follow),
        }
    }

    /// Whether writing here would destroy this source.
    pub(crate) fn is_same_file(&self, source: &Source) -> bool {
        let (Self::File(target), Source::File(source)) = (self, source) else { return false };
        let same = identity(target).zip(identity(source));
        same.is_some_and(|(target, source)| target == source)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("<stdout>"),
            Self::File(path) => visible::path(path).fmt(f),
        }
    }
}

/// What identifies a file, whatever it is called: names may differ in case, or be links.
#[cfg(unix)]
pub(crate) type Identity = (u64, u64);
#[cfg(not(unix))]
pub(crate) type Identity = PathBuf;

/// The identity of a file, if it exists and is a regular file.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        drop(metadata);
        fs::canonicalize(path).ok()
    }
}

/// The end of a chain of symbolic links to a file that does not exist: the file to be created. A
/// cycle is an error before this is called.
fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    while let Ok(target) = fs::read_link(&path) {
        let folder = path.parent().unwrap_or(Path::new(""));
        path = folder.join(target);
    }
    path
}

fn open_file(path: &Path, links: Links) -> io::Result<Sink> {
    let metadata = match links {
        Links::Follow => fs::metadata(path),
        Links::Refuse => fs::symlink_metadata(path),
    };
    match metadata {
        Ok(metadata) if metadata.is_symlink() => Err(io::Error::other("is a symbolic link")),
        Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if links == Links::Refuse && !metadata.is_file() => {
            // Opening a named pipe would wait for a reader.
            Err(io::Error::other("is no regular file"))
        }
        Ok(metadata) => {
            // The file may be read-only while its directory is not: check that, without a change.
            let device = OpenOptions::new().append(true).open(path)?;
            if !metadata.is_file() || is_open_already(path) {
                return Ok(Sink::Device(BufWriter::with_capacity(BUFFER_LEN, device)));
            }
            let path = match links {
                Links::Follow => fs::canonicalize(path)?,
                Links::Refuse => path.to_owned(),
            };
            AsideFile::create(path, Some(metadata)).map(Box::new).map(Sink::Aside)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            AsideFile::create(end_of_links(path), None).map(Box::new).map(Sink::Aside)
        }
        Err(error) => Err(error),
    }
}

/// Whether a path names a file that can be replaced, rather than a pipe, a device, or a file that
/// is open already. True if there is nothing, or a folder: reading it gives a better error.
pub(crate) fn is_file_of_its_own(path: &Path) -> bool {
    let is_open = path == Path::new("/dev/stdin") || is_open_already(path);
    fs::metadata(path).is_err() || path.is_dir() || path.is_file() && !is_open
}

/// Whether a path names something that is open already.
fn is_open_already(path: &Path) -> bool {
    OPEN_ALREADY.iter().any(|name| path.starts_with(name))
}

/// Writes a whole file. A regular file stays unchanged if that fails.
pub(crate) fn write_file(path: &Path, links: Links, content: &[u8]) -> io::Result<()> {
    let mut sink = open_file(path, links)?;
    sink.write_all(content)?;
    sink.finish()
}

/// Whether text on standard output has colors.
pub(crate) fn has_colors() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

impl AsideFile {
    fn create(path: PathBuf, replaced: Option<fs::Metadata>) -> io::Result<Self> {
        let dir = match path.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".barelink-").suffix(".tmp");
        #[cfg(unix)]
        if replaced.is_none() {
            // As for any new file: the system applies the umask. By default, only its owner may
            // read a temporary file.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let (file, note) = interrupt::create(&path, || builder.tempfile_in(dir))?;
        let file = BufWriter::with_capacity(BUFFER_LEN, file);
        Ok(Self { file, note, path, replaced })
    }

    fn finish(self) -> io::Result<()> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(replaced) = &self.replaced {
            take_place(file.as_file(), replaced)?;
        }
        interrupt::persist(file, self.note, &self.path)
    }
}

/// Gives a file the owner and group of the file it replaces, as far as the user may, and then its
/// permissions.
#[cfg(unix)]
fn take_place(file: &File, replaced: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let own = file.metadata()?;
    let mut mode = replaced.mode() & 0o7777;
    let (uid, gid) = (replaced.uid(), replaced.gid());
    let is_other = (own.uid(), own.gid()) != (uid, gid);
    if is_other && fchown(file, Some(uid), Some(gid)).is_err() {
        // With another owner or group, the file must not be setuid or setgid.
        mode &= 0o777;
        if own.gid() != gid && fchown(file, None, Some(gid)).is_err() {
            // The user's group must not get the rights of the old group, but those of others.
            mode = mode & 0o707 | (mode & 0o007) << 3;
        }
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn take_place(file: &File, replaced: &fs::Metadata) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

impl Sink {
    /// Completes the output.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        match self {
            Self::Aside(file) => file.finish(),
            _ => self.flush(),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(writer) => writer,
            Self::Device(writer) => writer,
            Self::Aside(file) => &mut file.file,
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer().write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

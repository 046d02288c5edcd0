//! `barelink serve`: shows the Markdown of a folder in a browser.
//!
//! A request goes through four steps, each in its own file:
//!
//! 1. `host` refuses it if it was sent to another host name (DNS rebinding);
//! 2. `folder` resolves its path, never to anything hidden or outside of the folder;
//! 3. `preview` writes the page of a document or folder, `answer` every other response;
//! 4. `answer` sets the headers that restrict what a page can do.
//!
//! `connections` limits how many connections there are, and closes those that send no request.
//! `changes` tells open pages when their file changes. `try_page` has the page that compares
//! dialects, and `api` answers its requests.

mod answer;
mod api;
mod changes;
mod connections;
mod folder;
mod host;
mod preview;
mod routes;
mod try_page;

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;

use barelink::Options;

/// What to serve, and where.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder whose files are shown.
    pub folder: PathBuf,
    /// The address to listen on.
    pub address: IpAddr,
    /// The port to listen on; 0 for any free port.
    pub port: u16,
    /// Host names that requests may be sent to, besides addresses and `localhost`.
    pub names: Vec<String>,
    /// The options for parsing and rendering documents.
    pub options: Options,
    /// Where images may come from.
    pub images: Images,
}

/// Where the images of a page may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Images {
    /// The folder.
    Local,
    /// Any site. Loading an image tells its server that the page is being read.
    Anywhere,
}

/// A server that is bound to its port, but does not accept requests yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    settings: Settings,
}

/// Why a server cannot run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The folder does not exist, is not a folder, or cannot be read.
    Folder(io::Error),
    /// The port cannot be listened on.
    Listen(SocketAddr, io::Error),
    /// The server failed while it was running.
    Run(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(error) if error.kind() == io::ErrorKind::NotADirectory => {
                f.write_str("not a folder; name the one that has the file in it")
            }
            Self::Folder(error) if error.kind() == io::ErrorKind::NotFound => {
                f.write_str("no such folder")
            }
            Self::Folder(error) => write!(f, "cannot read the folder: {error}"),
            Self::Listen(address, error) => match error.kind() {
                io::ErrorKind::AddrInUse => write!(
                    f,
                    "port {} is in use; choose another with --port, or any free one with --port 0",
                    address.port()
                ),
                io::ErrorKind::PermissionDenied => write!(
                    f,
                    "port {} needs more rights; choose one above 1023 with --port",
                    address.port()
                ),
                io::ErrorKind::AddrNotAvailable => {
                    write!(f, "{} is not an address of this machine", address.ip())
                }
                _ => write!(f, "cannot listen on {address}: {error}"),
            },
            Self::Run(error) => write!(f, "the server ended: {error}"),
        }
    }
}

impl std::error::Error for Error {}

impl Server {
    /// Binds the port.
    ///
    /// # Errors
    /// If the folder cannot be read, or the port cannot be listened on.
    pub fn bind(mut settings: Settings) -> Result<Self, Error> {
        settings.folder = settings.folder.canonicalize().map_err(Error::Folder)?;
        std::fs::read_dir(&settings.folder).map_err(Error::Folder)?;
        let wanted = SocketAddr::new(settings.address, settings.port);
        let listen = || {
            let listener = TcpListener::bind(wanted)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) = listen().map_err(|error| Error::Listen(wanted, error))?;
        Ok(Self { listener, address, settings })
    }

    /// The address and port on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL to open in a browser on this machine.
    pub fn url(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(match address.ip() {
                IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
            });
        }
        format!("http://{address}/")
    }

    /// Answers requests until the process is interrupted or terminated. Calls `started` when
    /// signals are handled and requests are about to be accepted.
    ///
    /// # Errors
    /// If the system has no means to wait for either.
    pub fn run(self, started: impl FnOnce()) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.map_err(Error::Run)?.block_on(routes::run(self.listener, self.settings, started))
    }
}

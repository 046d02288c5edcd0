//! A server over a folder of its own, and raw requests to it.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use barelink::Options;
use barelink_serve::{Images, Server, Settings};
use tempfile::TempDir;

/// Nothing is waited for longer than this, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder `site` that is served, next to things that are not.
pub(crate) struct Served {
    scratch: TempDir,
    pub(crate) address: SocketAddr,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

pub(crate) fn settings(folder: &Path) -> Settings {
    let mut options = Options::github();
    options.policy.heading_ids = true;
    options.front_matter = true;
    Settings {
        folder: folder.to_owned(),
        address: [127, 0, 0, 1].into(),
        port: 0,
        names: vec!["preview.test".to_owned()],
        options,
        images: Images::Local,
    }
}

impl Served {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let scratch = TempDir::new().unwrap();
        let folder = scratch.path().join("site");
        fs::create_dir(&folder).unwrap();
        let mut settings = settings(&folder);
        change(&mut settings);
        let server = Server::bind(settings).unwrap();
        let address = server.address();
        // It ends with the test's process.
        thread::spawn(move || server.run(|| {}).unwrap());
        Self { scratch, address }
    }

    /// A place in the served folder, or with `../` beside it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join("site").join(name)
    }

    /// Writes a file, with the folders on the way to it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Sends these bytes and reads until the server hangs up.
    pub(crate) fn send(&self, request: impl AsRef<[u8]>) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_ref()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Answer::new(&bytes)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Asks for a path exactly as it is written.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
    }

    /// Asks the page's API.
    pub(crate) fn post(&self, path: &str, headers: &str, text: &str) -> Answer {
        self.send(format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\
             Content-Type: text/plain\r\nContent-Length: {}\r\n\r\n{text}",
            text.len()
        ))
    }

    /// The lines of an answer that never ends, after its head.
    pub(crate) fn lines(&self, path: &str) -> impl Iterator<Item = String> + use<> {
        let mut stream = self.connect();
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let lines = BufReader::new(stream).lines().map(Result::unwrap);
        lines.skip_while(|line| !line.is_empty())
    }
}

impl Answer {
    fn new(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n").expect("an answer");
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Self { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let mut lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        lines.find(|(it, _)| it.eq_ignore_ascii_case(name)).map_or("", |(_, value)| value)
    }
}

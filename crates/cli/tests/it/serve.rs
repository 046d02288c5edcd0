//! `barelink serve` from its first word to its last.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};

use crate::support::{Scratch, finish};

/// Starts a server and returns the address it prints.
fn start(scratch: &Scratch, args: &[&str]) -> (Child, String) {
    let mut child = scratch.command(args).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let address = first.rsplit_once("http://").unwrap().1.trim_end_matches('/').to_owned();
    assert_eq!(
        lines.next().unwrap().unwrap(),
        format!("Compare dialects at http://{address}/try/")
    );
    assert_eq!(lines.next().unwrap().unwrap(), "Ctrl-C ends it.");
    (child, address)
}

fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_folder_is_shown_until_the_server_is_told_to_end() {
    let scratch = Scratch::new();
    scratch.write("docs/a.md", "www.a.bc~\n\n<b>x</b>\n\n[^1]\n\n[^1]: y");
    for (flags, html) in [
        (&[][..], "&lt;b&gt;x&lt;/b&gt;"),
        (&["--raw-html", "pass"], "<b>x</b>"),
        (&["--preset", "commonmark"], "<p>www.a.bc~</p>"),
    ] {
        let args = [&["serve", "--port", "0", "docs"], flags].concat();
        let (child, address) = start(&scratch, &args);
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        let page = get(&address, "/a.md");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains(html), "{page}");
        // A page that waits for changes does not hold it up.
        let mut waiting = TcpStream::connect(&address).unwrap();
        let request = format!("GET /-/changes?path=/a.md HTTP/1.1\r\nHost: {address}\r\n\r\n");
        waiting.write_all(request.as_bytes()).unwrap();
        waiting.read_exact(&mut [0; 12]).unwrap();
        end(&child);
        let ran = finish(child);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    }
}

/// As `kill` does. Where tests run in the background, an interrupt may be switched off.
fn end(child: &Child) {
    let script = format!("kill -s TERM {}", child.id());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
}

#[test]
fn an_interrupt_is_a_good_end() {
    let scratch = Scratch::new();
    let (child, _) = start(&scratch, &["serve", "--port", "0"]);
    let script = format!("kill -s INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    assert_eq!(finish(child).code, Some(0));
}

#[test]
fn what_cannot_be_served_is_told() {
    let scratch = Scratch::new();
    scratch.write("a.md", "x");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (args, code, message) in [
        (
            &["serve", "--port", &port][..],
            2,
            format!(
                "barelink: serve: port {port} is in use; choose another with --port, \
                 or any free one with --port 0\n"
            ),
        ),
        (&["serve", "gone"], 2, "barelink: gone: no such folder\n".to_owned()),
        (
            &["serve", "a.md"],
            2,
            "barelink: a.md: not a folder; name the one that has the file in it\n".to_owned(),
        ),
    ] {
        let ran = scratch.run(args);
        assert_eq!((ran.code, ran.stderr), (Some(code), message), "{args:?}");
        assert_eq!(ran.stdout, "");
    }
    assert_eq!(scratch.run(&["serve", "--host", "example.com"]).code, Some(2));
}

//! What a browser is shown.

use barelink::{Policy, RawHtml};
use barelink_serve::{Error, Images, Server};

use crate::support::{Served, settings};

#[test]
fn a_document_is_shown_as_on_github() {
    let served = Served::new();
    served.write(
        "docs/My notes é.md",
        "---\nx: y\n---\n# A & b\n\nwww.a.bc~x\n\n> [!NOTE]\n> n\n\n- [x] t",
    );
    let page = served.get("/docs/My%20notes%20%C3%A9.md");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    for part in [
        "<title>A &amp; b</title>",
        "<h1 id=\"a--b\">A &amp; b</h1>",
        "<a href=\"http://www.a.bc~x\">",
        "class=\"markdown-alert markdown-alert-note\"",
        "<input type=\"checkbox\"",
        "<a href=\"/\">site</a> / <a href=\"/docs/\">docs</a> / <strong>My notes é.md</strong>",
        "href=\"/docs/My%20notes%20%c3%a9.md?raw\"",
    ] {
        assert!(page.text().contains(part), "{part}: {}", page.text());
    }
    assert!(!page.text().contains("x: y"));
    let raw = served.get("/docs/My%20notes%20%C3%A9.md?raw");
    assert_eq!(raw.header("content-type"), "text/plain; charset=utf-8");
    assert!(raw.text().starts_with("---\nx: y"));
}

#[test]
fn a_folder_lists_what_is_in_it_and_shows_its_readme() {
    let served = Served::new();
    served.write("b.md", "");
    served.write("a.txt", "");
    served.write("z/x.md", "");
    served.write("ReadMe.md", "# Read *me*");
    let page = served.get("/");
    let order: Vec<usize> =
        ["z/\">z<", "\">ReadMe.md<", "\">a.txt<", "\">b.md<", "<h1 id=\"read-me\">"]
            .iter()
            .map(|part| page.text().find(part).unwrap_or_else(|| panic!("{part}: {}", page.text())))
            .collect();
    assert!(order.is_sorted(), "{order:?}");
    let answer = served.get("/z");
    assert_eq!((answer.status, answer.header("location")), (308, "/z/"));
    assert!(served.get("/z/").text().contains("<a href=\"../\">"));
    assert_eq!(served.get("/b.md/").status, 404);
}

#[test]
fn files_have_their_type_and_their_bytes() {
    let served = Served::new();
    let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    served.write("a.PNG", &bytes);
    served.write("a.bin", &bytes);
    served.write("Makefile", "all:");
    for (path, content_type) in [("/a.PNG", "image/png"), ("/a.bin", "application/octet-stream")] {
        let file = served.get(path);
        assert_eq!(file.header("content-type"), content_type);
        assert!(file.body == bytes, "{path}");
    }
    assert_eq!(served.get("/Makefile").header("content-type"), "text/plain; charset=utf-8");
    let head = served.send("HEAD /a.PNG HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_eq!((head.status, head.header("content-length"), head.body.len()), (200, "300000", 0));
}

#[test]
fn what_is_not_utf8_is_shown_with_a_notice() {
    let served = Served::new();
    served.write("a.md", b"# a\n\nb\xff");
    let page = served.get("/a.md");
    assert!(page.text().contains("not UTF-8. Its first wrong byte is in line 3"));
    assert!(page.text().contains("<p>b\u{FFFD}</p>"));
}

#[test]
fn who_trusts_their_files_may_say_so() {
    let served = Served::with(|settings| {
        settings.options.policy = Policy::TRUSTED;
        settings.options.policy.raw_html = RawHtml::Pass;
        settings.images = Images::Anywhere;
    });
    served.write("a.md", "<details>x</details>");
    let page = served.get("/a.md");
    assert!(page.text().contains("<details>x</details>"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("img-src 'self' data: http: https:;"), "{policy}");
    assert!(policy.contains("script-src http://localhost/-/;"), "{policy}");
}

#[test]
fn a_port_that_is_taken_is_told() {
    let served = Served::new();
    let mut settings = settings(&served.path(""));
    settings.port = served.address.port();
    let error = Server::bind(settings).unwrap_err();
    assert!(matches!(error, Error::Listen(..)));
    let expected = format!(
        "port {} is in use; choose another with --port, or any free one with --port 0",
        served.address.port()
    );
    assert_eq!(error.to_string(), expected);
}

#[test]
fn the_page_that_compares_has_all_its_files() {
    let served = Served::new();
    assert_eq!(served.get("/try").header("location"), "/try/");
    let mut waiting = vec![String::new()];
    let mut seen: Vec<String> = Vec::new();
    while let Some(name) = waiting.pop() {
        if seen.contains(&name) {
            continue;
        }
        let file = served.get(&format!("/try/{name}"));
        assert_eq!(file.status, 200, "{name}");
        // Whatever is named like a file beside it: attributes, imports, workers.
        for piece in file.text().split("\"./").skip(1) {
            let end = piece.find('"').unwrap();
            waiting.push(piece[..end].to_owned());
        }
        seen.push(name);
    }
    assert!(seen.len() >= 9, "{seen:?}");
    assert_eq!(served.get("/try/nothing.js").status, 404);
}

//! Paths and names that must lead nowhere.

use std::fs;
use std::path::Path;

use crate::support::{Served, settings};

/// What nobody may ever get to see.
const SECRET: &str = "the-secret-word";

/// A folder with everything that could be got at, hidden or beside it.
fn tempting() -> Served {
    let served = Served::new();
    served.write("a.md", "# Seen");
    served.write("docs/b.md", "# Also seen");
    served.write("../secret.md", SECRET);
    served.write("../site-secret/x.md", SECRET);
    served.write(".env", SECRET);
    served.write(".git/config", SECRET);
    served.write("docs/.hidden/x.md", SECRET);
    served.write("docs/.x.md", SECRET);
    served
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let served = tempting();
    assert_eq!(served.get("/a.md").status, 200);
    assert_eq!(served.get("/docs/b.md").status, 200);

    let ups = [
        "..",
        "%2e%2e",
        "%2E%2E",
        ".%2e",
        "%2e.",
        "%252e%252e",
        "%25252e%25252e",
        "..%00",
        "%00..",
        "..;",
        "..;/..",
        "....",
        "....//",
        "..%2f..",
        "%2e%2e%2f",
        "..%5c..",
        "..\\..",
        "%5c..",
        "..%255c",
        "%c0%ae%c0%ae",
        "%e0%80%ae%e0%80%ae",
        "%uff0e%uff0e",
        "．．",
        "%ef%bc%8e%ef%bc%8e",
        "..%c0%af",
        "..%20",
        "%20..",
        "..%09",
        "..%0d%0a",
        "~",
        "...",
    ];
    let starts = [
        "/", "//", "/docs/", "/docs//", "/./", "/docs/./", "/a.md/", "/%2f", "/%5c", "/-/", "/try/",
    ];
    let targets = [
        "secret.md",
        "../secret.md",
        "%2fsecret.md",
        "../../secret.md",
        "site-secret/x.md",
        "../site-secret/x.md",
        "etc/passwd",
        "../../../../../../etc/passwd",
    ];
    for up in ups {
        for start in starts {
            for target in targets {
                check_refused(&served, &format!("{start}{up}/{target}"));
                check_refused(&served, &format!("{start}{up}{target}"));
            }
        }
    }
}

#[test]
fn no_path_leads_to_what_is_hidden() {
    let served = tempting();
    for path in [
        "/.env",
        "/%2eenv",
        "/%2Eenv",
        "/%252eenv",
        "/.git/config",
        "/.git/",
        "/.git",
        "/%2egit/config",
        "/docs/.hidden/x.md",
        "/docs/.hidden/",
        "/docs/.x.md",
        "/docs/%2ex.md",
        "/docs/../.env",
        "/a.md/../.env",
        "/a.md%00.env",
        "/.env%00.md",
        "/.env?raw",
        "/.env/",
        "/docs\\.x.md",
        "/docs%5c.x.md",
        "/docs%2f.x.md",
        "/.//.env",
        "/ .env",
        "/%20.env",
        "/.env%20",
        "/\u{200b}.env",
        "/file:///etc/passwd",
        "/etc/passwd",
        "//etc/passwd",
        "/proc/self/environ",
        "/C:/x",
        "/a.md::$DATA",
        "/-/../.env",
        "/-/%2e%2e/.env",
        "/-/..%2f.env",
        "/try/../.env",
        "/try/..%2f.env",
        "/try/api/../../.env",
        "/-/changes/../../.env",
        "/-/..%2f..%2fsecret.md",
    ] {
        check_refused(&served, path);
    }
}

fn check_refused(served: &Served, path: &str) {
    let answer = served.get(path);
    assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
    let body = String::from_utf8_lossy(&answer.body);
    assert!(!body.contains(SECRET) && !body.contains("root:"), "{path}: {body}");
}

#[test]
fn a_request_line_may_not_trick_it_either() {
    let served = tempting();
    for line in [
        "GET ../secret.md HTTP/1.1",
        "GET secret.md HTTP/1.1",
        "GET * HTTP/1.1",
        "GET http://localhost/../secret.md HTTP/1.1",
        "GET http://evil.example/a.md HTTP/1.1",
        "GET http://localhost@evil.example/a.md HTTP/1.1",
        "GET http://evil.example\\@localhost/a.md HTTP/1.1",
        "GET file:///etc/passwd HTTP/1.1",
        "GET /../secret.md#x HTTP/1.1",
        "OPTIONS /a.md HTTP/1.1",
        "CONNECT localhost:80 HTTP/1.1",
        "DELETE /a.md HTTP/1.1",
        "PUT /a.md HTTP/1.1",
        "POST /a.md HTTP/1.1",
        "GET /\0a.md HTTP/1.1",
        "GET /a.md\0 HTTP/1.1",
    ] {
        let answer = served.send(format!("{line}\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
        assert!((400..500).contains(&answer.status), "{line}: {}", answer.status);
        assert!(!String::from_utf8_lossy(&answer.body).contains(SECRET), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_lead_to_what_is_seen_in_the_folder_only() {
    use std::os::unix::fs::symlink;

    let served = tempting();
    let link = |to: &str, name: &str| symlink(to, served.path(name)).unwrap();
    link("a.md", "inside.md");
    link("docs", "inside");
    link("../secret.md", "outside.md");
    link("../site-secret", "beside");
    link("..", "above");
    link("/", "root");
    link(".env", "env.txt");
    link(".git", "git");
    link("docs/.hidden", "deep");
    link("loop", "loop");
    link("gone", "dangling");
    link("beside", "chain");
    link("/etc/passwd", "passwd.md");
    link("/proc/self/environ", "environ.md");
    link("/dev/zero", "zero.md");
    link(".", "self");
    // What a folder shows by itself.
    link("../secret.md", "README.md");
    link("../../secret.md", "docs/README.md");
    for folder in ["/", "/docs/", "/self/", "/inside/"] {
        let index = served.get(folder);
        assert!(index.status == 200 && !index.text().contains(SECRET), "{folder}");
    }

    assert!(served.get("/inside.md").text().contains("<h1 id=\"seen\">Seen</h1>"));
    assert_eq!(served.get("/inside/b.md").status, 200);
    for path in [
        "/outside.md",
        "/outside.md?raw",
        "/beside/x.md",
        "/beside/",
        "/beside",
        "/above/secret.md",
        "/above/",
        "/root/etc/passwd",
        "/root/",
        "/env.txt",
        "/git/config",
        "/git/",
        "/deep/x.md",
        "/loop",
        "/loop/",
        "/dangling",
        "/chain/x.md",
        "/passwd.md",
        "/environ.md",
        "/zero.md",
        "/zero.md?raw",
        "/README.md?raw",
        "/self/.env",
        "/self/outside.md",
        "/inside/../outside.md",
        "/inside/.x.md",
        "/inside/.hidden/x.md",
    ] {
        check_refused(&served, path);
    }
    // Nor does the index know of them.
    let index = served.get("/");
    assert!(index.text().contains(">inside.md<") && index.text().contains(">docs<"));
    for name in ["outside", "beside", "above", "env", "git", "deep", "loop", "dangling", "chain"] {
        assert!(!index.text().contains(&format!(">{name}")), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_opened() {
    let served = tempting();
    let made = std::process::Command::new("mkfifo").arg(served.path("pipe.md")).status().unwrap();
    assert!(made.success());
    check_refused(&served, "/pipe.md");
    assert!(!served.get("/").text().contains("pipe.md"));
}

#[test]
fn only_our_own_host_names_are_answered() {
    let served = tempting();
    let ask = |head: &str| {
        served.send(format!("GET /a.md HTTP/1.1\r\n{head}Connection: close\r\n\r\n")).status
    };
    let port = served.address.port();
    for host in ["localhost", "127.0.0.1", "[::1]", "preview.test", &format!("127.0.0.1:{port}")] {
        assert_eq!(ask(&format!("Host: {host}\r\n")), 200, "{host}");
    }
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "localhost.evil.example",
        "192.168.0.1",
        "",
        "localhost, evil.example",
        "evil.example#localhost",
        "localhost@evil.example",
    ] {
        let status = ask(&format!("Host: {host}\r\n"));
        assert!(matches!(status, 400 | 421), "{host}: {status}");
    }
    // What proxies add is not what was asked for, and neither is the line of the request.
    assert_eq!(ask("Host: evil.example\r\nX-Forwarded-Host: localhost\r\n"), 421);
    assert_eq!(ask("Host: evil.example\r\nForwarded: host=localhost\r\n"), 421);
    for (target, host) in
        [("http://evil.example/a.md", "localhost"), ("http://localhost/a.md", "evil.example")]
    {
        let request = format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(served.send(request).status, 421, "{target}");
    }
    assert_eq!(served.send("GET /a.md HTTP/1.0\r\n\r\n").status, 421);
    // None, or two of them.
    assert!((400..500).contains(&ask("")));
    assert!((400..500).contains(&ask("Host: localhost\r\nHost: evil.example\r\n")));
    assert!((400..500).contains(&ask("Host: evil.example\r\nHost: localhost\r\n")));
    // The same for everything that is not a file.
    for path in ["/", "/try/", "/-/changes?path=/", "/-/reload.js", "/try/main.js"] {
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        assert_eq!(served.send(request).status, 421, "{path}");
    }
}

#[test]
fn changes_of_what_is_not_seen_are_not_told() {
    let served = tempting();
    // State 0 is that of a file that does not exist.
    for path in
        ["/../secret.md", "/.env", "%2F..%2Fsecret.md", "%2F%2e%2e%2Fsecret.md", "/docs/.x.md"]
    {
        let state =
            served.lines(&format!("/-/changes?path={path}")).find(|it| it.contains("data:"));
        assert_eq!(state.as_deref(), Some("data: 0"), "{path}");
    }
    assert_eq!(served.get("/-/changes").status, 400);
    assert_eq!(served.get("/-/changes?x=/a.md").status, 400);
    assert_eq!(served.get("/-/changes?path=%ff").status, 400);
}

#[test]
fn a_page_cannot_be_made_to_run_anything() {
    let served = Served::new();
    served.write(
        "x.md",
        "<script>alert(1)</script>\n\n[a](javascript:alert(1))\n\n<img src=x onerror=y>",
    );
    served.write("x.html", "<script>alert(1)</script>");
    served.write("x.js", "alert(1)");
    served
        .write("x.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
    served.write("\"><b>.md", "x");
    let page = served.get("/x.md");
    assert!(page.text().contains("&lt;script&gt;") && !page.text().contains("<script>"));
    assert!(!page.text().contains("href=\"javascript") && !page.text().contains("<img"));
    let policy = page.header("content-security-policy");
    for part in [
        "default-src 'none';",
        "script-src http://localhost/-/;",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("https:"), "{policy}");
    for (path, content_type) in [
        ("/x.html", "text/plain; charset=utf-8"),
        ("/x.js", "text/plain; charset=utf-8"),
        ("/x.svg", "image/svg+xml"),
    ] {
        let file = served.get(path);
        assert_eq!(file.header("content-type"), content_type);
        assert!(file.header("content-security-policy").contains("sandbox;"), "{path}");
    }
    for path in ["/", "/x.md", "/x.js", "/nothing", "/try/", "/-/reload.js", "/-/nothing"] {
        let answer = served.get(path);
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
    // Names are text and paths, not markup.
    let index = served.get("/");
    assert!(index.text().contains("<a href=\"%22%3e%3cb%3e.md\">&quot;&gt;&lt;b&gt;.md</a>"));
    let missing = served.get("/%3Cscript%3Ealert(1)%3C/script%3E");
    assert!(missing.status == 404 && !missing.text().contains("alert"));
}

#[test]
fn a_redirect_stays_here() {
    let served = Served::new();
    served.write("evil.example/a.md", "x");
    assert_eq!(served.get("/evil.example").header("location"), "/evil.example/");
    for path in ["//evil.example", "//evil.example/", "/\\evil.example", "/%2fevil.example"] {
        let answer = served.get(path);
        assert!(answer.status == 404 && answer.header("location").is_empty(), "{path}");
    }
}

#[test]
fn a_folder_must_be_one() {
    use barelink_serve::{Error, Server};
    let scratch = tempfile::TempDir::new().unwrap();
    fs::write(scratch.path().join("a.md"), "x").unwrap();
    let error = |path: &Path| Server::bind(settings(path)).unwrap_err();
    assert!(matches!(error(&scratch.path().join("gone")), Error::Folder(_)));
    assert_eq!(error(&scratch.path().join("gone")).to_string(), "no such folder");
    let message = error(&scratch.path().join("a.md")).to_string();
    assert_eq!(message, "not a folder; name the one that has the file in it");
}

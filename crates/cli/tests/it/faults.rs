//! What goes wrong outside: the message names it, the exit code tells, the rest is
//! done, and nothing half-written is left.

#[cfg(unix)]
use std::fs;
use std::fs::File;
use std::io::Read as _;

use crate::support::Scratch;

#[test]
fn a_missing_file_does_not_stop_the_others() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    scratch.write("b.md", "b\n");
    let ran = scratch.run(&["a.md", "gone.md", "b.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout, "<p>a</p>\n<p>b</p>\n");
    assert_eq!(ran.stderr, "barelink: gone.md: No such file or directory\n");
}

#[test]
fn a_directory_is_no_source() {
    let scratch = Scratch::new();
    scratch.write("docs/a.md", "a\n");
    let ran = scratch.run(&["docs", "docs/a.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout, "<p>a</p>\n");
    assert_eq!(ran.stderr, "barelink: docs: is a directory\n");
}

#[test]
fn a_target_that_cannot_be_written_is_named() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    scratch.write("docs/b.md", "b\n");
    for (target, reason) in [
        ("a.md/x.html", "Not a directory"),
        ("gone/x.html", "No such file or directory"),
        ("docs", "is a directory"),
    ] {
        let ran = scratch.run(&["a.md", "-o", target]);
        assert_eq!(ran.code, Some(2));
        assert_eq!(ran.stderr, format!("barelink: {target}: {reason}\n"));
    }
    assert_eq!(scratch.files(), ["a.md", "docs/b.md"]);
}

#[test]
fn an_output_is_left_alone_if_no_source_can_be_read() {
    let scratch = Scratch::new();
    scratch.write("old.html", "old");
    for target in ["old.html", "new.html"] {
        assert_eq!(scratch.run(&["gone.md", "-o", target]).code, Some(2));
        assert_eq!(scratch.run(&["--jsonl", "gone.md", "-o", target]).code, Some(2));
    }
    assert_eq!(scratch.read("old.html"), "old");
    assert_eq!(scratch.files(), ["old.html"]);
}

#[test]
fn an_input_is_not_replaced_by_its_output() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    let ran = scratch.run(&["a.md", "-o", "./a.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "barelink: a.md: is the input, and the output would replace it\n");
    assert_eq!(scratch.read("a.md"), "a\n");
}

#[test]
fn invalid_utf8_is_replaced_and_reported_once() {
    let scratch = Scratch::new();
    scratch.write("bad.md", b"ab\xffc\xe2\x82d\xff\n");
    let ran = scratch.run(&["bad.md"]);
    assert_eq!(ran.code, Some(0), "a warning is no failure");
    assert_eq!(ran.stdout, "<p>ab\u{fffd}c\u{fffd}d\u{fffd}</p>\n");
    assert_eq!(ran.stderr, "barelink: bad.md: warning: invalid UTF-8 at byte 2, replaced\n");

    let ran = scratch.run_with_stdin(&[], b"\xc3");
    assert_eq!(ran.stderr, "barelink: <stdin>: warning: invalid UTF-8 at byte 0, replaced\n");
}

#[test]
fn spans_for_programs_are_those_of_the_file() {
    let scratch = Scratch::new();
    scratch.write("a.md", b"\xff\xe2\x82 (www.a.bc/\xff. \"www.d.ef\" [g] (/h)\n");
    let source = fs::read(scratch.path().join("a.md")).unwrap();
    let spans = |command: &str| {
        let ran = scratch.run(&[command, "--dialect", "github", "--json", "a.md"]);
        let mut found = Vec::new();
        for line in ran.stdout.lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let span = value.get("span").or(value["candidate"].get("span")).unwrap();
            let offset = |name: &str| span[name].as_u64().unwrap() as usize;
            let text = &source[offset("start")..offset("end")];
            found.push(text.escape_ascii().to_string());
            let at = value.get("at").and_then(serde_json::Value::as_u64);
            found.extend(at.map(|at| source[at as usize].escape_ascii().to_string()));
        }
        found.join(" ")
    };
    assert_eq!(spans("links"), r"www.a.bc/\xff");
    assert_eq!(spans("explain"), r#"www.a.bc/\xff www. \" [g] (/h)  "#);
}

#[test]
fn a_source_over_4_gib_is_refused_unread() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    let sparse = File::create(scratch.path().join("long.md")).unwrap();
    if sparse.set_len(1 << 32).is_err() {
        return; // This file system has no room for it, and no holes.
    }
    let ran = scratch.run(&["long.md", "a.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout, "<p>a</p>\n");
    assert_eq!(ran.stderr, "barelink: long.md: is too long: the limit is 4 GiB\n");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let scratch = Scratch::new();
    scratch.write("long.md", "a line of a paragraph\n\n".repeat(100_000));
    scratch.write("long.jsonl", "\"a line of a paragraph\"\n".repeat(100_000));
    scratch.write("links.md", "see www.a.bc and a@b\n\n".repeat(2_000));
    for args in [
        &["long.md"][..],
        &["--jsonl", "long.jsonl"],
        &["--full", "long.md", "long.md"],
        &["links", "links.md", "links.md"],
        &["links", "--json", "links.md"],
        &["explain", "links.md"],
        &["explain", "--json", "links.md"],
    ] {
        let mut child = scratch.command(args).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}

#[test]
fn messages_have_colors_on_request() {
    let scratch = Scratch::new();
    let plain = "barelink: gone.md: No such file or directory\n";
    assert_eq!(scratch.run(&["gone.md"]).stderr, plain);
    assert_eq!(scratch.run(&["--color", "never", "gone.md"]).stderr, plain);
    let colored = scratch.run(&["html", "gone.md", "--color=always"]).stderr;
    assert!(colored.contains("\u{1b}[") && colored.contains("gone.md"), "{colored:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let scratch = Scratch::new();
    let full = || File::create("/dev/full").unwrap();
    for args in [
        &[][..],
        &["--jsonl"],
        &["links"],
        &["links", "--json"],
        &["explain"],
        &["explain", "--json"],
        &["man"],
        &["completions", "fish"],
    ] {
        let mut command = scratch.command(args);
        scratch.write("in", "\"x a@b.cd y\"\n");
        command.stdin(File::open(scratch.path().join("in")).unwrap()).stdout(full());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr, "barelink: <stdout>: No space left on device\n", "{args:?}");
    }
    // A device is written to, and never replaced by a file.
    let ran = scratch.run(&["in", "-o", "/dev/full"]);
    assert_eq!(ran.stderr, "barelink: /dev/full: No space left on device\n");
    assert!(!fs::metadata("/dev/full").unwrap().is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn an_open_file_is_written_to_and_not_replaced() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    for target in ["/dev/stdout", "/dev/fd/1", "/dev/fd/2"] {
        let log = scratch.write("log", "before\n");
        let open = File::options().append(true).open(log).unwrap();
        let mut command = scratch.command(&["a.md", "-o", target]);
        command.stdout(open.try_clone().unwrap()).stderr(open);
        assert!(command.status().unwrap().success());
        assert_eq!(scratch.read("log"), "before\n<p>a</p>\n", "{target}");
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn mode(scratch: &Scratch, name: &str) -> u32 {
        fs::metadata(scratch.path().join(name)).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn permissions_are_those_of_the_old_file_or_of_any_new_one() {
        let scratch = Scratch::new();
        scratch.write("a.md", "a\n");
        let old = scratch.write("old.html", "old");
        fs::set_permissions(old, fs::Permissions::from_mode(0o640)).unwrap();
        scratch.run(&["a.md", "-o", "old.html"]).ok();
        scratch.run(&["a.md", "-o", "new.html"]).ok();
        assert_eq!(scratch.read("old.html"), "<p>a</p>\n");
        assert_eq!(mode(&scratch, "old.html"), 0o640);
        assert_eq!(mode(&scratch, "new.html"), mode(&scratch, "a.md"));
    }

    #[test]
    fn a_symbolic_link_is_followed() {
        let scratch = Scratch::new();
        scratch.write("a.md", "a\n");
        scratch.write("site/page.html", "old");
        let link = scratch.path().join("link.html");
        symlink("site/page.html", &link).unwrap();
        scratch.run(&["a.md", "-o", "link.html"]).ok();
        assert!(fs::symlink_metadata(link).unwrap().is_symlink());
        assert_eq!(scratch.read("site/page.html"), "<p>a</p>\n");
    }

    #[test]
    fn a_protected_file_is_not_replaced() {
        let scratch = Scratch::new();
        scratch.write("a.md", "a\n");
        let path = scratch.write("old.html", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        if fs::OpenOptions::new().write(true).open(&path).is_ok() {
            return; // Permissions mean nothing to this user.
        }
        let ran = scratch.run(&["a.md", "-o", "old.html"]);
        assert_eq!(ran.stderr, "barelink: old.html: Permission denied\n");
        assert_eq!(scratch.read("old.html"), "old");
    }
}

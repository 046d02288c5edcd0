//! `check` and `fix`: which files are read, and what is done about those that cannot be.

use crate::support::{Ran, Scratch};

/// A line with one finding that has a safe fix.
const LOCAL: &str = "see http://localhost/x now\n";
const FIXED: &str = "see <http://localhost/x> now\n";

/// The files of the findings of a run with `--format concise`.
fn files(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().filter_map(|line| line.split(':').next()).collect()
}

fn concise(scratch: &Scratch, args: &[&str]) -> Ran {
    scratch.run(&[&["check", "--format", "concise"][..], args].concat())
}

#[test]
fn an_excluded_file_on_standard_input_comes_out_as_it_is() {
    let scratch = Scratch::new();
    scratch.write("barelink.toml", "exclude = ['vendor']\n");
    let args = ["fix", "--force-exclude", "--stdin-filename", "vendor/x.md"];
    assert_eq!(scratch.run_with_stdin(&args, LOCAL).ok(), LOCAL);
    assert_eq!(scratch.run_with_stdin(&[&args[..], &["--diff"]].concat(), LOCAL).ok(), "");
    // Also what is no text.
    let bytes = b"\xFF\xFEh\0t\0t\0p\0";
    let input = std::fs::File::open(scratch.write("bytes", bytes)).unwrap();
    assert_eq!(scratch.command(&args).stdin(input).output().unwrap().stdout, bytes);
    let args = ["fix", "--force-exclude", "--stdin-filename", "x.md"];
    assert_eq!(scratch.run_with_stdin(&args, LOCAL).ok(), FIXED);
}

#[test]
fn a_file_is_read_once_however_often_it_is_named() {
    let scratch = Scratch::new();
    scratch.write("docs/a.md", LOCAL);
    let paths = ["docs/a.md", "./docs/a.md", "docs", "."];
    let ran = concise(&scratch, &paths);
    assert_eq!((ran.code, files(&ran)), (Some(1), vec!["docs/a.md"]));
    let ran = scratch.run(&[&["fix"][..], &paths].concat());
    assert_eq!(ran.stderr, "barelink: 1 finding fixed in 1 file, 0 findings left\n");
    assert_eq!(scratch.read("docs/a.md"), FIXED);
    assert_eq!(scratch.run(&["links", "docs", "docs/a.md"]).ok().lines().count(), 1);
    // What is excluded is read if it is named, wherever.
    scratch.write("docs/a.md", LOCAL);
    scratch.write("barelink.toml", "exclude = ['docs']\n");
    assert_eq!(files(&concise(&scratch, &["docs", "docs/a.md"])), ["docs/a.md"]);
}

#[test]
fn globs_are_those_of_gitignore() {
    let scratch = Scratch::new();
    for name in ["a.md", "sub/b.md", "sub/c/d.md", "x/sub/e.md"] {
        scratch.write(name, LOCAL);
    }
    let all = ["a.md", "sub/b.md", "sub/c/d.md", "x/sub/e.md"];
    for (glob, n_taken) in [
        ("sub", 3),
        ("sub/", 3),
        ("./sub", 2),
        ("/sub", 2),
        ("/sub/", 2),
        ("sub/*.md", 1),
        ("sub/**/*.md", 2),
        ("**", 4),
    ] {
        for text in [
            format!("exclude = ['{glob}']\n"),
            format!("[[override]]\nfiles = ['{glob}']\nselect = []\n"),
        ] {
            scratch.write("barelink.toml", &text);
            let ran = concise(&scratch, &[]);
            assert_eq!(files(&ran).len(), all.len() - n_taken, "{text}{}", ran.stdout);
            // Wherever it runs, and however files are named.
            let ran = concise(&scratch, &["x/..", "./sub"]);
            assert_eq!(files(&ran).len(), all.len() - n_taken, "{text}{}", ran.stdout);
        }
    }
    for glob in ["", "../x", "!a.md", "a{"] {
        scratch.write("barelink.toml", format!("style = 'auto'\nexclude = ['{glob}']\n"));
        let ran = concise(&scratch, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        let place = format!("barelink.toml: line 2: `{glob}`");
        assert!(ran.stderr.contains(&place), "{}", ran.stderr);
    }
}

#[test]
fn gitignore_is_followed_without_a_repository() {
    let scratch = Scratch::new();
    scratch.write("a.md", LOCAL);
    scratch.write("out/b.md", LOCAL);
    scratch.write(".gitignore", "out\n");
    assert_eq!(files(&concise(&scratch, &[])), ["a.md"]);
    assert_eq!(files(&concise(&scratch, &["out/b.md"])), ["out/b.md"]);
}

#[test]
fn what_is_utf16_is_named() {
    let scratch = Scratch::new();
    let utf16 = |mark: [u8; 2], order: fn(u16) -> [u8; 2]| {
        let units = LOCAL.encode_utf16().flat_map(order);
        mark.into_iter().chain(units).collect::<Vec<u8>>()
    };
    scratch.write("le.md", utf16([0xFF, 0xFE], u16::to_le_bytes));
    scratch.write("be.md", utf16([0xFE, 0xFF], u16::to_be_bytes));
    for command in ["check", "fix", "links", "explain", "html"] {
        for file in ["le.md", "be.md"] {
            let ran = scratch.run(&[command, file]);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{command}");
            let what = format!("barelink: {file}: the file is UTF-16, and has to be UTF-8");
            assert!(ran.stderr.starts_with(&what), "{command}: {}", ran.stderr);
        }
    }
}

#[test]
fn of_what_is_not_utf8_nothing_is_promised() {
    let scratch = Scratch::new();
    scratch.write("a.md", b"caf\xE9 http://localhost/x \xF0\x9F\xFF \"www.a.bc\"\n");
    let ran = scratch.run(&["check", "--format", "json", "a.md"]);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found[0]["span"], serde_json::json!({ "start": 5, "end": 23 }));
    assert_eq!((&found[0]["line"], &found[0]["column"]), (&1.into(), &6.into()));
    assert_eq!(found[0]["fix"], serde_json::Value::Null);
    assert_eq!(found[1]["span"], serde_json::json!({ "start": 29, "end": 37 }));
    let ran = scratch.run(&["check", "a.md"]);
    assert!(!ran.stdout.contains("fix"), "{}", ran.stdout);
    assert_eq!(ran.stderr, "barelink: a.md: warning: invalid UTF-8 at byte 3, replaced\n");
    // It may have something to fix.
    let ran = scratch.run(&["fix", "a.md"]);
    let what = "barelink: a.md: invalid UTF-8 at byte 3, left as it is\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), what));
    scratch.write("clean.md", "x\n");
    assert_eq!(scratch.run(&["fix", "a.md", "clean.md"]).stderr, what);
    scratch.write("left.md", "\"www.a.bc\"\n");
    let ran = scratch.run(&["fix", "a.md", "left.md"]);
    assert_eq!((ran.code, ran.stderr), (Some(2), format!("{what}barelink: 1 finding left\n")));
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::support::finish;

    fn pipe(scratch: &Scratch, name: &str) {
        let made = Command::new("mkfifo").arg(scratch.path().join(name)).status().unwrap();
        assert!(made.success());
    }

    #[test]
    fn a_pipe_in_a_folder_is_not_waited_for() {
        let scratch = Scratch::new();
        scratch.write("a.md", "http://localhost/x\n");
        pipe(&scratch, "p.md");
        symlink("p.md", scratch.path().join("q.md")).unwrap();
        symlink("/dev/zero", scratch.path().join("z.md")).unwrap();
        assert_eq!(files(&concise(&scratch, &[])), ["a.md"]);
        assert_eq!(scratch.run(&["links", "."]).code, Some(0));
        assert_eq!(scratch.run(&["explain", "."]).code, Some(0));
        assert_eq!(scratch.run(&["fix"]).code, Some(0));
        assert_eq!(scratch.run(&["html", "--out-dir", "out", "."]).code, Some(0));
        // One that is named is read, and not written.
        let mut child = scratch.command(&["check", "--format", "concise", "p.md"]).spawn().unwrap();
        fs::write(scratch.path().join("p.md"), LOCAL).unwrap();
        assert!(child.try_wait().is_ok());
        assert_eq!(files(&finish(child)), ["p.md"]);
        let refused = "is not a regular file; to fix standard input, name `-`\n";
        let ran = scratch.run(&["fix", "p.md"]);
        assert_eq!((ran.code, ran.stderr), (Some(2), format!("barelink: p.md: {refused}")));
        let mut command = scratch.command(&["fix", "/dev/stdin"]);
        let file = fs::File::open(scratch.path().join("a.md")).unwrap();
        let ran = finish(command.stdin(Stdio::from(file)).spawn().unwrap());
        assert_eq!((ran.code, ran.stderr), (Some(2), format!("barelink: /dev/stdin: {refused}")));
    }

    #[test]
    fn a_link_on_the_way_is_followed_to_files_alone() {
        let scratch = Scratch::new();
        scratch.write("docs/b.md", LOCAL);
        scratch.write("other/c.md", LOCAL);
        for (to, link) in [
            ("b.md", "docs/a.md"),
            ("../other/c.md", "docs/c.md"),
            ("gone.md", "docs/d.md"),
            ("e.md", "docs/e.md"),
            ("../other", "docs/f.md"),
        ] {
            symlink(to, scratch.path().join(link)).unwrap();
        }
        let ran = concise(&scratch, &["docs"]);
        // A file has its own name, if there is one.
        assert_eq!((ran.code, files(&ran)), (Some(1), vec!["docs/b.md", "docs/c.md"]));
        let told: Vec<&str> = ran.stderr.lines().collect();
        let what = "warning: a symbolic link, passed over: No such file or directory";
        assert_eq!(told[0], format!("barelink: docs/d.md: {what}"));
        assert!(told[1].starts_with("barelink: docs/e.md: warning: a symbolic link,"), "{told:?}");
        assert_eq!(told.len(), 2);
        let ran = scratch.run(&["fix", "docs", "docs/a.md", "docs/b.md"]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.stderr.ends_with("2 findings fixed in 2 files, 0 findings left\n"));
        assert!(scratch.path().join("docs/a.md").is_symlink());
        assert_eq!([scratch.read("docs/b.md"), scratch.read("other/c.md")], [FIXED, FIXED]);
        // One that is named leads to nothing, which is an error.
        let ran = concise(&scratch, &["docs/d.md"]);
        let expected = "barelink: docs/d.md: No such file or directory\n";
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), expected));
        symlink("docs", scratch.path().join("folder")).unwrap();
        scratch.write("docs/b.md", LOCAL);
        assert_eq!(files(&concise(&scratch, &["folder"])), ["folder/b.md"]);
    }

    #[test]
    fn a_folder_that_may_not_be_read_is_named() {
        use std::os::unix::fs::PermissionsExt as _;
        use std::os::unix::process::CommandExt as _;

        const NOBODY: u32 = 65534;
        let scratch = Scratch::new();
        scratch.write("a.md", "x\n");
        scratch.write("closed/b.md", LOCAL);
        let set = |name: &str, mode| {
            let permissions = fs::Permissions::from_mode(mode);
            fs::set_permissions(scratch.path().join(name), permissions).unwrap();
        };
        set("", 0o755);
        set("closed", 0);
        // Permissions mean nothing to root, who can be somebody else.
        let is_root = fs::read_dir(scratch.path().join("closed")).is_ok();
        let run = |format: &str| {
            let mut command = scratch.command(&["check", "--format", format]);
            if is_root {
                command.uid(NOBODY).gid(NOBODY);
            }
            command.spawn().map(finish).ok()
        };
        let (sarif, junit) = (run("sarif"), run("junit"));
        set("closed", 0o755);
        let (Some(sarif), Some(junit)) = (sarif, junit) else { return };
        let told = "barelink: closed: Permission denied\n";
        assert_eq!((sarif.code, sarif.stderr.as_str()), (Some(2), told));
        let log: serde_json::Value = serde_json::from_str(&sarif.stdout).unwrap();
        let told = &log["runs"][0]["invocations"][0];
        assert_eq!(told["executionSuccessful"], false);
        let told = &told["toolExecutionNotifications"][0];
        assert_eq!(told["message"]["text"], "Permission denied");
        let place = &told["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "closed");
        assert!(junit.stdout.contains("tests=\"2\" failures=\"0\" errors=\"1\""));
        assert!(junit.stdout.contains(">closed: Permission denied</error>"), "{}", junit.stdout);
    }
}

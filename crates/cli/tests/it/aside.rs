//! What is written over a file: where symbolic links lead, and who may read it meanwhile and
//! afterwards.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Scratch, finish, wait_until};

fn link(scratch: &Scratch, target: &str, name: &str) {
    let name = scratch.path().join(name);
    fs::create_dir_all(name.parent().unwrap()).unwrap();
    symlink(target, name).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn an_output_that_is_a_link_out_of_the_folder_is_refused() {
    let scratch = Scratch::new();
    scratch.write("outside/victim.txt", "precious");
    scratch.write("a.md", "a\n");
    scratch.write("b.md", "b\n");
    link(&scratch, "../outside/victim.txt", "site/a.html");
    link(&scratch, "../outside/new.txt", "site/b.html");
    let ran = scratch.run(&["--out-dir", "site", "a.md", "b.md"]);
    assert_eq!(ran.code, Some(2));
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert!(lines[0].starts_with("barelink: site/a.html: "), "{lines:?}");
    assert!(lines[0].ends_with("site/a.html is a symbolic link that leads out"), "{lines:?}");
    assert!(lines[1].ends_with("site/b.html is a symbolic link to nothing"), "{lines:?}");
    assert_eq!(scratch.read("outside/victim.txt"), "precious");
    assert!(!scratch.path().join("outside/new.txt").exists());
}

#[test]
fn a_folder_that_is_a_link_out_is_refused() {
    let scratch = Scratch::new();
    scratch.write("outside/a.html", "precious");
    scratch.write("docs/a.md", "a\n");
    scratch.write("docs/deep/b.md", "b\n");
    scratch.write("c.md", "c\n");
    link(&scratch, "../outside", "out/docs");
    let ran = scratch.run(&["--out-dir", "out", "docs", "c.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr.matches("out/docs is a symbolic link that leads out\n").count(), 2);
    assert_eq!(scratch.read("outside/a.html"), "precious");
    assert!(!scratch.path().join("outside/deep").exists());
    assert_eq!(scratch.read("out/c.html"), "<p>c</p>\n");
}

#[test]
fn links_within_the_folder_are_followed() {
    let scratch = Scratch::new();
    scratch.write("site/guide/x.html", "old");
    scratch.write("docs/x.md", "x\n");
    scratch.write("b.md", "b\n");
    link(&scratch, "guide", "site/docs");
    link(&scratch, "guide/x.html", "site/b.html");
    // The folder itself may be a link: whoever named it meant that.
    link(&scratch, "site", "there");
    let ran = scratch.run(&["--out-dir", "there", "docs/x.md", "b.md"]);
    // Both are the same file, and one of them has it.
    assert_eq!(ran.code, Some(2));
    let taken = "barelink: b.md: there/b.html is already the output of docs/x.md\n";
    assert_eq!(ran.stderr, taken);
    assert_eq!(scratch.read("site/guide/x.html"), "<p>x</p>\n");
}

#[test]
fn an_input_is_not_replaced_through_a_link() {
    let scratch = Scratch::new();
    scratch.write("r.html", "# r\n");
    link(&scratch, "r.html", "r.md");
    scratch.write("c.md", "c\n");
    scratch.write("b.md", "# b\n");
    link(&scratch, "b.md", "c.html");
    link(&scratch, "../b.md", "site/c.html");
    let replaced = |output: &str| {
        format!("barelink: {output}: is an input, and the output would replace it\n")
    };
    let ran = scratch.run(&["--out-dir", ".", "r.md"]);
    assert_eq!((ran.code, ran.stderr), (Some(2), replaced("./r.html")));
    let ran = scratch.run(&["--out-dir", ".", "c.md", "b.md"]);
    assert_eq!((ran.code, ran.stderr), (Some(2), replaced("./c.html")));
    let ran = scratch.run(&["--out-dir", "site", "c.md", "b.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.ends_with("c.html is a symbolic link that leads out\n"), "{}", ran.stderr);
    let ran = scratch.run(&["r.md", "-o", "r.html"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(scratch.read("r.html"), "# r\n");
    assert_eq!(scratch.read("b.md"), "# b\n");
}

#[test]
fn a_private_file_is_private_all_the_time() {
    let scratch = Scratch::new();
    let path = scratch.write("p.html", "old");
    set_mode(&path, 0o640);
    let aside = || {
        let entries = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut aside = entries.filter(|path| path.extension().is_some_and(|it| it == "tmp"));
        aside.next()
    };
    let mut command = scratch.command(&["-o", "p.html"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    wait_until("a file aside", || aside().is_some());
    assert_eq!(mode(&aside().unwrap()), 0o600);
    child.stdin.take().unwrap().write_all(b"new\n").unwrap();
    finish(child).ok();
    assert_eq!(scratch.read("p.html"), "<p>new</p>\n");
    assert_eq!(mode(&path), 0o640);
}

#[test]
fn whatever_replaces_a_file_keeps_its_permissions() {
    const BARE: &str = "see www.a.bc/d*e*f and http://a.bc\n";
    let scratch = Scratch::new();
    for target in ["p.html", "out/a.html", "a.md", "known.json"] {
        for wanted in [0o600, 0o640, 0o666] {
            scratch.write("a.md", BARE);
            let path = scratch.write(
                target,
                match target {
                    "a.md" => BARE,
                    "known.json" => "{\"version\":1,\"files\":{}}",
                    _ => "old",
                },
            );
            set_mode(&path, wanted);
            let args: &[&str] = match target {
                "p.html" => &["a.md", "-o", "p.html"],
                "out/a.html" => &["--out-dir", "out", "a.md"],
                "a.md" => &["fix", "--isolated", "--exit-zero", "a.md"],
                _ => {
                    &["check", "--isolated", "a.md", "--baseline", "known.json", "--write-baseline"]
                }
            };
            let before = fs::metadata(&path).unwrap().ino();
            let ran = scratch.run(args);
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let after = fs::metadata(&path).unwrap();
            assert_ne!(after.ino(), before, "{target} was written anew");
            assert_eq!(mode(&path), wanted, "{target}");
        }
    }
    // A new one is as any new file is.
    scratch.run(&["a.md", "-o", "new.html"]).ok();
    scratch.write("as-any", "");
    assert_eq!(mode(&scratch.path().join("new.html")), mode(&scratch.path().join("as-any")));
}

#[test]
#[allow(clippy::print_stderr)] // What is skipped is said.
fn owner_and_group_are_kept() {
    const UID: u32 = 12345;
    const GID: u32 = 23456;
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    let path = scratch.write("a.html", "old");
    if chown(&path, Some(UID), Some(GID)).is_err() {
        eprintln!("skipped: this user cannot give files away");
        return;
    }
    set_mode(&path, 0o640);
    scratch.run(&["a.md", "-o", "a.html"]).ok();
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!((metadata.uid(), metadata.gid(), mode(&path)), (UID, GID, 0o640));
}

#[test]
fn a_link_to_nothing_is_followed() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path().join("there")).unwrap();
    link(&scratch, "there/next", "o.html");
    link(&scratch, "new.html", "there/next");
    scratch.run_with_stdin(&["-o", "o.html"], "a\n").ok();
    assert_eq!(scratch.read("there/new.html"), "<p>a</p>\n");
    assert!(fs::symlink_metadata(scratch.path().join("o.html")).unwrap().is_symlink());
    link(&scratch, "gone/x.html", "p.html");
    let ran = scratch.run_with_stdin(&["-o", "p.html"], "a\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    link(&scratch, "round.html", "round.html");
    assert_eq!(scratch.run_with_stdin(&["-o", "round.html"], "a\n").code, Some(2));
}

#[test]
fn below_the_folder_only_regular_files_are_written() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    scratch.write("..md", "b\n");
    fs::create_dir(scratch.path().join("site")).unwrap();
    let pipe = scratch.path().join("site/a.html");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let ran = scratch.run(&["--out-dir", "site", "a.md", "..md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "barelink: site/a.html: is no regular file\n");
    assert_eq!(scratch.read("site/..html"), "<p>b</p>\n");
}

/// As where names do not differ by case: two names of one file.
#[test]
fn an_input_is_not_replaced_under_another_name() {
    let scratch = Scratch::new();
    let input = scratch.write("X.HTML", "a\n");
    // Where they do not differ, it is there already.
    drop(fs::hard_link(&input, scratch.path().join("X.html")));
    for args in [&["--out-dir", ".", "X.HTML"], &["X.HTML", "-o", "X.html"]] {
        let ran = scratch.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert!(ran.stderr.contains("and the output would replace it"), "{}", ran.stderr);
        assert_eq!(scratch.read("X.html"), "a\n");
    }
}

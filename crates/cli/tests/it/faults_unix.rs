//! What goes wrong outside, where it takes Unix to bring it about: a full disk, files
//! that vanish, change or cannot be read. No name ever stands for half a document, and
//! the exit code tells.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::{Scratch, finish, long_document, wait_until};

/// The command, with files of more than so many blocks refused, as by a full disk.
fn limited(scratch: &Scratch, n_blocks: u32, args: &[&str]) -> Command {
    let whole = scratch.command(args);
    let mut command = Command::new("sh");
    let script = format!("ulimit -f {n_blocks}; exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(whole.get_program()).args(whole.get_args());
    command.current_dir(scratch.path()).stdin(Stdio::null());
    // Where coverage is measured, its file would be the one that does not fit.
    command.env("LLVM_PROFILE_FILE", "/dev/null");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_file_that_does_not_fit_leaves_the_old_one() {
    let scratch = Scratch::new();
    scratch.write("long.md", long_document().0);
    scratch.write("long.jsonl", format!("{:?}\n", "a ".repeat(200_000)));
    scratch.write("old.html", "old");
    for args in [
        &["long.md", "-o", "old.html"][..],
        &["--full", "long.md", "-o", "old.html"],
        &["--jsonl", "long.jsonl", "-o", "old.html"],
    ] {
        let output = limited(&scratch, 16, args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr, "barelink: old.html: File too large\n", "{args:?}");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(scratch.read("old.html"), "old");
        assert_eq!(scratch.files(), ["long.jsonl", "long.md", "old.html"]);
    }
}

#[test]
fn files_that_fit_are_written_beside_one_that_does_not() {
    let scratch = Scratch::new();
    scratch.write("long.md", long_document().0);
    scratch.write("a.md", "a\n");
    scratch.write("b.md", "b\n");
    let args = ["--out-dir", "out", "a.md", "long.md", "b.md"];
    let output = limited(&scratch, 16, &args).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr, "barelink: out/long.html: File too large\n");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(scratch.files(), ["a.md", "b.md", "long.md", "out/a.html", "out/b.html"]);
}

/// A file system of 64 KiB, for as long as it lives.
#[cfg(target_os = "linux")]
struct SmallDisk(PathBuf);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn mount(at: PathBuf) -> Option<Self> {
        fs::create_dir_all(&at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "barelink-test"]).arg(&at);
        let output = mount.output().ok()?;
        output.status.success().then_some(Self(at))
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
#[allow(clippy::print_stderr)] // What is skipped is said.
fn a_disk_that_fills_up_is_named_and_keeps_what_was_there() {
    let scratch = Scratch::new();
    let Some(disk) = SmallDisk::mount(scratch.path().join("disk")) else {
        eprintln!("skipped: this user cannot mount a small disk");
        return;
    };
    scratch.write("long.md", long_document().0);
    scratch.write("short.md", "short\n");
    scratch.write("disk/long.html", "old");
    let ran = scratch.run(&["--out-dir", "disk", "short.md", "long.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "barelink: disk/long.html: No space left on device\n");
    assert_eq!(scratch.read("disk/long.html"), "old");
    assert_eq!(scratch.read("disk/short.html"), "<p>short</p>\n");
    let ran = scratch.run(&["long.md", "-o", "disk/long.html"]);
    assert_eq!(ran.stderr, "barelink: disk/long.html: No space left on device\n");
    assert_eq!(scratch.files(), ["disk/long.html", "disk/short.html", "long.md", "short.md"]);
    drop(disk);
}

#[test]
fn what_cannot_be_read_is_named() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    symlink("round.md", scratch.path().join("round.md")).unwrap();
    symlink("nowhere", scratch.path().join("dangling.md")).unwrap();
    let long = "x".repeat(300);
    let ran = scratch.run(&["round.md", "dangling.md", &long, "a.md/b.md", "a.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stdout, "<p>a</p>\n");
    let messages: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(messages[0].starts_with("barelink: round.md: "), "{messages:?}");
    assert_eq!(messages[1], "barelink: dangling.md: No such file or directory");
    assert_eq!(messages[2], format!("barelink: {long}: File name too long"));
    assert_eq!(messages[3], "barelink: a.md/b.md: Not a directory");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_fails_while_it_is_read_is_named() {
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    // It can be opened, and nothing can be read at its start.
    let ran = scratch.run(&["/proc/self/mem", "a.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "barelink: /proc/self/mem: Input/output error\n");
    assert_eq!(ran.stdout, "<p>a</p>\n");
    // And this one says that it is empty, and is not.
    assert!(scratch.run(&["/proc/version"]).ok().starts_with("<p>Linux"));
}

#[test]
fn a_name_that_is_too_long_for_its_output_is_named() {
    let scratch = Scratch::new();
    let name = "x".repeat(252);
    scratch.write(&name, "a\n");
    scratch.write("b.md", "b\n");
    let ran = scratch.run(&["--out-dir", "out", &name, "b.md"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, format!("barelink: out/{name}.html: File name too long\n"));
    assert_eq!(scratch.files(), ["b.md", "out/b.html", &name]);
}

#[test]
fn what_may_not_be_read_or_written_is_named() {
    const NOBODY: u32 = 65534;
    let scratch = Scratch::new();
    scratch.write("a.md", "a\n");
    scratch.write("secret.md", "s\n");
    scratch.write("closed/b.md", "b\n");
    scratch.write("out/old.html", "old");
    for (name, mode) in [("", 0o755), ("secret.md", 0), ("closed", 0), ("out", 0o555)] {
        let path = scratch.path().join(name);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    // Permissions mean nothing to root, who can be somebody else.
    let is_root = fs::read(scratch.path().join("secret.md")).is_ok();
    let run = |args: &[&str]| {
        let mut command = scratch.command(args);
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        // Nobody may be kept from running what is built in a home.
        command.spawn().map(finish).ok()
    };
    let reading = run(&["secret.md", "closed/b.md", "a.md"]);
    let writing = run(&["--out-dir", "out", "a.md"]);
    let closed = scratch.path().join("closed");
    fs::set_permissions(closed, fs::Permissions::from_mode(0o755)).unwrap();
    let (Some(reading), Some(writing)) = (reading, writing) else { return };
    assert_eq!((reading.code, reading.stdout.as_str()), (Some(2), "<p>a</p>\n"));
    let denied = "barelink: secret.md: Permission denied\n\
                  barelink: closed/b.md: Permission denied\n";
    assert_eq!(reading.stderr, denied);
    assert_eq!(writing.code, Some(2));
    assert_eq!(writing.stderr, "barelink: out/a.html: Permission denied\n");
    assert_eq!(scratch.files(), ["a.md", "closed/b.md", "out/old.html", "secret.md"]);
}

#[test]
fn a_file_that_vanishes_is_named() {
    let scratch = Scratch::new();
    scratch.write("a.md", long_document().0);
    scratch.write("c.md", "c\n");
    let gone = "barelink: b.md: No such file or directory\n";

    // When the first has come out and waits to be read, the others are still to come.
    let vanishing = scratch.write("b.md", "b\n");
    let mut child = scratch.command(&["a.md", "b.md", "c.md"]).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 1]).unwrap();
    fs::remove_file(vanishing).unwrap();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let ran = finish(child);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), gone));
    assert!(rest.ends_with("<p>c</p>\n"));

    // On one thread, files are taken in order; the second waits for us.
    let vanishing = scratch.write("b.md", "b\n");
    let mut command = scratch.command(&["--out-dir", "out", "c.md", "/dev/stdin", "b.md"]);
    command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    wait_until("c.html", || scratch.path().join("out/c.html").exists());
    fs::remove_file(vanishing).unwrap();
    child.stdin.take().unwrap().write_all(b"in\n").unwrap();
    let ran = finish(child);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), gone));
    assert_eq!(scratch.files(), ["a.md", "c.md", "out/c.html", "out/stdin.html"]);
}

#[test]
fn a_file_that_changes_is_read_as_far_as_it_goes() {
    const N_RUNS: usize = 20;
    let scratch = Scratch::new();
    let (markdown, html) = long_document();
    let path = scratch.write("a.md", &markdown);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                // Cut off, and then as long as it was.
                fs::write(&path, &markdown).unwrap();
            }
        });
        for _ in 0..N_RUNS {
            let ran = scratch.run(&["a.md", "-o", "a.html"]);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
            // Its last line may be cut off too.
            let written = scratch.read("a.html");
            let whole = written.rsplit_once("<p>").map_or("", |(whole, _)| whole);
            assert!(html.starts_with(whole), "{} bytes", written.len());
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(scratch.files(), ["a.html", "a.md"]);
}

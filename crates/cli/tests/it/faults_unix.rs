//! What goes wrong outside, where it takes Unix to bring it about: a full disk, a
//! file that vanishes or cannot be read, a signal in the middle of the work. No name
//! ever stands for half a document, and the exit code tells.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::Scratch;

/// A document of half a megabyte, and its HTML.
fn long_document() -> (String, String) {
    const N: usize = 20_000;
    let paragraph = "a line of a long paragraph";
    (format!("{paragraph}\n\n").repeat(N), format!("<p>{paragraph}</p>\n").repeat(N))
}

/// The command, with files of more than so many blocks refused, as by a full disk.
fn limited(scratch: &Scratch, n_blocks: u32, args: &[&str]) -> Command {
    let whole = scratch.command(args);
    let mut command = Command::new("sh");
    // The signal would end the process before it could tell what happened.
    let script = format!("trap '' XFSZ; ulimit -f {n_blocks}; exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(whole.get_program()).args(whole.get_args());
    command.current_dir(scratch.path()).stdin(Stdio::null());
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
        assert_eq!(output.status.code(), Some(1), "{args:?}");
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
    assert_eq!(output.status.code(), Some(1));
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
    assert_eq!(ran.code, Some(1));
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
    assert_eq!(ran.code, Some(1));
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
    assert_eq!(ran.code, Some(1));
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
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stderr, format!("barelink: out/{name}.html: File name too long\n"));
    assert_eq!(scratch.files(), ["b.md", "out/b.html", &name]);
}

/// A source that makes the command wait until it is told to go on.
struct Gate(PathBuf);

impl Gate {
    fn new(scratch: &Scratch, name: &str) -> Self {
        let path = scratch.path().join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        Self(path)
    }

    /// Returns when the command reads from the gate.
    fn wait(&self) -> File {
        File::options().write(true).open(&self.0).unwrap()
    }
}

#[test]
fn a_file_that_vanishes_is_named() {
    let scratch = Scratch::new();
    scratch.write("b.md", "b\n");
    scratch.write("c.md", "c\n");
    let gate = Gate::new(&scratch, "a.md");
    for args in [&["a.md", "b.md", "c.md"][..], &["--out-dir", "out", "a.md", "b.md", "c.md"]] {
        let vanishing = scratch.write("b.md", "b\n");
        let mut command = scratch.command(args);
        let child = command.env("RAYON_NUM_THREADS", "1").spawn().unwrap();
        let mut open = gate.wait();
        fs::remove_file(vanishing).unwrap();
        open.write_all(b"a\n").unwrap();
        drop(open);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stderr, "barelink: b.md: No such file or directory\n");
        assert_eq!(output.status.code(), Some(1));
    }
    assert_eq!(scratch.files(), ["a.md", "c.md", "out/a.html", "out/c.html"]);
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    // It may have ended by itself in between, and then nobody is there to be told.
    Command::new("kill").args(["-s", name, &id]).output().unwrap();
}

#[test]
fn an_interrupt_between_files_leaves_whole_ones() {
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let scratch = Scratch::new();
        let names: Vec<String> = (10..30).map(|n| format!("{n}.md")).collect();
        for name in &names {
            scratch.write(name, format!("file {name}\n"));
        }
        fs::remove_file(scratch.path().join("20.md")).unwrap();
        let gate = Gate::new(&scratch, "20.md");
        let mut args = vec!["--out-dir", "out"];
        args.extend(names.iter().map(String::as_str));
        let mut command = scratch.command(&args);
        let mut child = command.env("RAYON_NUM_THREADS", "1").spawn().unwrap();
        let open = gate.wait();
        signal(&child, name);
        let status = child.wait().unwrap();
        drop(open);
        assert!(!status.success(), "{name}: {status}");
        let told = status.signal().or(status.code().map(|code| code - 128));
        assert_eq!(told, Some(number), "{name}: {status}");
        let mut n_outputs = 0;
        for file in scratch.files().iter().filter_map(|file| file.strip_prefix("out/")) {
            let stem = file.strip_suffix(".html").expect("nothing but outputs");
            assert_eq!(scratch.read(&format!("out/{file}")), format!("<p>file {stem}.md</p>\n"));
            n_outputs += 1;
        }
        assert!((1..names.len()).contains(&n_outputs), "{n_outputs} outputs");
    }
}

/// Whether a file that has no name yet is there.
fn is_writing(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let mut names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().ends_with(".tmp"))
}

#[test]
fn an_interrupt_in_the_middle_of_a_file_leaves_no_half_of_it() {
    const N_FILES: usize = 6;
    let scratch = Scratch::new();
    let (markdown, html) = long_document();
    let names: Vec<String> = (0..N_FILES).map(|n| format!("{n}.md")).collect();
    for name in &names {
        scratch.write(name, &markdown);
    }
    let mut args = vec!["--out-dir", "out"];
    args.extend(names.iter().map(String::as_str));
    let out = scratch.path().join("out");
    for name in ["INT", "TERM", "KILL", "INT", "TERM", "KILL"] {
        let _ = fs::remove_dir_all(&out);
        let mut child = scratch.command(&args).spawn().unwrap();
        let is_over = |child: &mut Child| child.try_wait().unwrap().is_some();
        while !is_writing(&out) && !is_over(&mut child) {
            std::hint::spin_loop();
        }
        if !is_over(&mut child) {
            signal(&child, name);
        }
        let status = child.wait().unwrap();
        for n in 0..N_FILES {
            // Anything else than the whole would be a half under the final name.
            if let Ok(written) = fs::read_to_string(out.join(format!("{n}.html"))) {
                assert!(written == html, "{} bytes after {name}: {status}", written.len());
            }
        }
    }
}

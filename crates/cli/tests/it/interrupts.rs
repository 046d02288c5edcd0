//! Signals in the middle of the work: a file is there as a whole or not at all, nothing
//! else is left behind, and the exit code tells.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{Scratch, finish, long_document, wait_until};

/// The signals that a user sends, with their numbers.
const SIGNALS: [(&str, i32); 3] = [("INT", 2), ("TERM", 15), ("QUIT", 3)];

/// More that would end a process, with their numbers on most systems.
#[cfg(target_os = "linux")]
const OTHERS: [(&str, i32); 6] =
    [("ALRM", 14), ("USR1", 10), ("USR2", 12), ("XCPU", 24), ("VTALRM", 26), ("PROF", 27)];

#[cfg(target_os = "linux")]
#[test]
fn whatever_ends_the_command_leaves_no_temporary_file() {
    let scratch = Scratch::new();
    for (name, number) in OTHERS {
        let mut child = scratch.command(&["-o", "a.html"]).stdin(Stdio::piped()).spawn().unwrap();
        let _stdin = child.stdin.take().unwrap();
        wait_until("a file aside", || is_writing(scratch.path()));
        send(&child, name);
        assert_eq!(finish(child).code, Some(128 + number), "{name}");
        assert_eq!(scratch.files(), [""; 0], "{name}");
    }
}

/// Those that are not switched off for the tests, as interrupts are where a shell has
/// started them in the background. The command leaves it at that.
fn signals() -> Vec<(&'static str, i32)> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    SIGNALS.into_iter().filter(|(_, number)| ignored >> (number - 1) & 1 == 0).collect()
}

/// Sends a signal to a child that has not been waited for.
fn send(child: &Child, signal: &str) {
    // Its own `kill`, which every shell has.
    let script = format!("kill -s {signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
}

/// Whether a file is there that has not got its name yet.
fn is_writing(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let mut names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().ends_with(".tmp"))
}

#[test]
fn an_interrupt_while_waiting_for_input_leaves_the_old_file() {
    let scratch = Scratch::new();
    scratch.write("old.html", "old");
    for (name, number) in signals() {
        for (args, target) in [
            (&["-o", "old.html"][..], "old.html"),
            (&["--full", "-o", "new.html"], "new.html"),
            (&["--jsonl", "-o", "new.jsonl"], "new.jsonl"),
        ] {
            let mut child = scratch.command(args).stdin(Stdio::piped()).spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(b"\"some of it\"\n").unwrap();
            wait_until("a file aside", || is_writing(scratch.path()));
            send(&child, name);
            let ran = finish(child);
            assert_eq!(ran.code, Some(128 + number), "{args:?}");
            // A file that is replaced is named by its whole path.
            let message = ran.stderr.strip_prefix("barelink: ").unwrap();
            assert!(message.ends_with(&format!("{target}: not written: interrupted\n")));
            assert_eq!(scratch.files(), ["old.html"], "{args:?}");
            assert_eq!(scratch.read("old.html"), "old");
        }
    }
}

#[test]
fn an_interrupt_between_files_leaves_whole_ones() {
    for (name, number) in signals() {
        let scratch = Scratch::new();
        scratch.write("a.md", "a\n");
        scratch.write("b.md", "b\n");
        scratch.write("d.md", "d\n");
        // On one thread, files are taken in order, and the third waits for us.
        let args = ["--out-dir", "out", "a.md", "b.md", "/dev/stdin", "d.md"];
        let mut command = scratch.command(&args);
        command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _stdin = child.stdin.take();
        wait_until("b.html", || scratch.path().join("out/b.html").exists());
        send(&child, name);
        let ran = finish(child);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(128 + number), "barelink: interrupted\n")
        );
        assert_eq!(scratch.files(), ["a.md", "b.md", "d.md", "out/a.html", "out/b.html"]);
        assert_eq!(scratch.read("out/b.html"), "<p>b</p>\n");
    }
}

#[test]
fn an_interrupt_at_any_time_leaves_no_half_of_a_file() {
    const N_FILES: usize = 6;
    const N_RUNS: u64 = 6;
    let scratch = Scratch::new();
    let (markdown, html) = long_document();
    let names: Vec<String> = (0..N_FILES).map(|n| format!("{n}.md")).collect();
    for name in &names {
        scratch.write(name, &markdown);
    }
    let mut args = vec!["--out-dir", "out"];
    args.extend(names.iter().map(String::as_str));
    let out = scratch.path().join("out");
    for delay in 0..N_RUNS {
        for (name, number) in signals().into_iter().chain([("KILL", 9)]) {
            drop(fs::remove_dir_all(&out));
            let mut child = scratch.command(&args).spawn().unwrap();
            wait_until("a file", || is_writing(&out) || child.try_wait().unwrap().is_some());
            thread::sleep(Duration::from_millis(delay));
            // One that was seen to end has given its number back.
            if child.try_wait().unwrap().is_none() {
                send(&child, name);
            }
            let ran = finish(child);
            // It may have ended before, or died of what cannot be caught.
            assert!([None, Some(0), Some(128 + number)].contains(&ran.code), "{ran:?}");
            assert!(name == "KILL" || !is_writing(&out), "{ran:?}");
            for n in 0..N_FILES {
                // Anything else than the whole would be a half under the final name.
                if let Ok(written) = fs::read_to_string(out.join(format!("{n}.html"))) {
                    assert!(written == html, "{} bytes after {name}", written.len());
                }
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_switched_off_stays_so() {
    let scratch = Scratch::new();
    let whole = scratch.command(&["-o", "a.html"]);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' INT HUP; exec \"$@\"", "sh"]);
    command.arg(whole.get_program()).args(whole.get_args()).current_dir(scratch.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    wait_until("a file aside", || is_writing(scratch.path()));
    send(&child, "INT");
    send(&child, "HUP");
    child.stdin.take().unwrap().write_all(b"a\n").unwrap();
    finish(child).ok();
    assert_eq!(scratch.read("a.html"), "<p>a</p>\n");
}

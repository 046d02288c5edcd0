//! The command as used by a shell or a build: the time to its first byte, and the time for many
//! files on one thread and on all.
//!
//! This measures elapsed time, not processor time, since starting a process and waiting for the
//! system count.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, ensure};

use crate::engines::BARELINK;
use crate::measure::Times;
use crate::report::Table;

/// Bytes of the small file.
const SMALL: usize = 1000;

/// Files that are rendered in one go, and how many of them a folder has. The system
/// lets one process at a time change a folder.
const N_FILES: usize = 4000;
const N_IN_FOLDER: usize = 100;

/// A process that does nothing, for the cost of starting any.
pub const NOTHING: &str = "true";

/// Commands that take part if they are installed, and their arguments for GFM.
const OTHERS: &[(&str, &[&str])] = &[
    ("md2html", &["--github"]),
    ("cmark-gfm", &["-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist"]),
    ("cmark", &[]),
    ("comrak", &["--gfm"]),
];

/// Where the command is, and a folder for its files.
#[derive(Debug)]
pub struct Bench<'a> {
    barelink: &'a Path,
    folder: PathBuf,
}

impl<'a> Bench<'a> {
    /// Creates a new folder, which is removed at the end.
    pub fn new(barelink: &'a Path, folder: PathBuf) -> anyhow::Result<Self> {
        // An interrupted run may have left one.
        remove(&folder)?;
        std::fs::create_dir_all(&folder)?;
        Ok(Self { barelink, folder })
    }

    /// The time to the first byte of the beginning of a text, for each command.
    pub fn time_first_byte(&self, text: &str, n_rounds: usize) -> anyhow::Result<Vec<Times>> {
        let path = self.folder.join("small.md");
        std::fs::write(&path, small(text))?;
        let mut commands = vec![(BARELINK, Command::new(self.barelink))];
        commands.push((NOTHING, Command::new(NOTHING)));
        for &(name, arguments) in OTHERS.iter().filter(|(name, _)| is_installed(name)) {
            let mut command = Command::new(name);
            command.args(arguments);
            commands.push((name, command));
        }
        let mut times: Vec<Times> = Vec::new();
        for (name, command) in &mut commands {
            command.arg(&path).stdin(Stdio::null()).stdout(Stdio::piped());
            let (_, result) = until_first_byte(command)?;
            let does_something = *name == NOTHING || result > SMALL / 2;
            ensure!(does_something, "{name}: {result} bytes of HTML");
            times.push(Times { label: (*name).to_owned(), seconds: Vec::new(), result });
        }
        for _ in 0..n_rounds {
            for ((_, command), times) in commands.iter_mut().zip(&mut times) {
                times.seconds.push(until_first_byte(command)?.0);
            }
        }
        Ok(times)
    }

    /// The time for many files, made of these texts, by the number of threads:
    /// one, two, four and so on, and all there are. The result is bytes of source.
    pub fn time_out_dir(&self, texts: &[&str], n_rounds: usize) -> anyhow::Result<Vec<Times>> {
        let n_bytes = texts.iter().cycle().take(N_FILES).map(|text| text.len()).sum();
        let names = self.write_files(texts)?;
        let mut times: Vec<Times> = thread_counts()
            .into_iter()
            .map(|n| Times { label: n.to_string(), seconds: Vec::new(), result: n_bytes })
            .collect();
        for round in 0..=n_rounds {
            for times in &mut times {
                // A new one each time: where many files have just been removed, some
                // file systems are slow to make others.
                let out = format!("out-{round}-{}", times.label);
                let mut command = Command::new(self.barelink);
                command.env("RAYON_NUM_THREADS", &times.label).current_dir(&self.folder);
                command.args(["--out-dir", &out]).args(&names);
                let start = Instant::now();
                let output = command.output()?;
                let taken = start.elapsed().as_secs_f64();
                let said = String::from_utf8_lossy(&output.stderr);
                ensure!(output.status.success(), "--out-dir failed: {said}");
                let last = self.folder.join(out).join(&names[N_FILES - 1]).with_extension("html");
                ensure!(last.is_file(), "there is no {}", last.display());
                // The first round only warms the system up.
                if round > 0 {
                    times.seconds.push(taken);
                }
            }
        }
        Ok(times)
    }

    /// Writes the files, and gives their names, relative to the folder.
    fn write_files(&self, texts: &[&str]) -> anyhow::Result<Vec<String>> {
        let mut names = Vec::new();
        for (idx, text) in texts.iter().cycle().take(N_FILES).enumerate() {
            if idx % N_IN_FOLDER == 0 {
                std::fs::create_dir(self.folder.join((idx / N_IN_FOLDER).to_string()))?;
            }
            let name = format!("{}/{}.md", idx / N_IN_FOLDER, idx % N_IN_FOLDER);
            std::fs::write(self.folder.join(&name), text)?;
            names.push(name);
        }
        Ok(names)
    }

    /// Removes the folder.
    pub fn finish(self) -> anyhow::Result<()> {
        remove(&self.folder)
    }
}

fn remove(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        let removed = std::fs::remove_dir_all(folder);
        removed.with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

fn is_installed(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok()
}

/// The lines that fit into [`SMALL`] bytes.
fn small(text: &str) -> &str {
    let end = text.floor_char_boundary(SMALL);
    let start = &text[..end];
    &start[..start.rfind('\n').map_or(end, |at| at + 1)]
}

/// Seconds until the first byte, or until the end if there is none, and bytes in all.
fn until_first_byte(command: &mut Command) -> anyhow::Result<(f64, usize)> {
    let program = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
    let mut out = child.stdout.take().context("no output")?;
    let n_first = out.read(&mut [0])?;
    let taken = start.elapsed().as_secs_f64();
    let mut rest = Vec::new();
    out.read_to_end(&mut rest)?;
    ensure!(child.wait()?.success(), "{program} failed");
    Ok((taken, n_first + rest.len()))
}

/// Powers of two below the number of processors, and that number.
fn thread_counts() -> Vec<usize> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let powers = std::iter::successors(Some(1), |n| Some(n * 2));
    powers.take_while(|&n| n < all).chain([all]).collect()
}

/// The times to the first byte as a table.
pub fn first_byte_table(times: &[Times]) -> String {
    let mut table = Table::new(["command", "best, ms", "median, ms"].map(str::to_owned));
    for it in times {
        let figures = [it.best(), it.median()].map(|seconds| format!("{:.2}", seconds * 1e3));
        table.push([it.label.clone()].into_iter().chain(figures));
    }
    format!(
        "## The command, until the first byte of {SMALL}\n\n`{NOTHING}` says nothing: what it \
         takes is what any process does.\n\n{}",
        table.to_markdown()
    )
}

/// The times for many files as a table.
pub fn out_dir_table(times: &[Times]) -> String {
    let heading = ["threads", "ms", "files/s", "MB/s", "times one"];
    let mut table = Table::new(heading.map(str::to_owned));
    for it in times {
        let best = it.best();
        table.push([
            it.label.clone(),
            format!("{:.0}", best * 1e3),
            format!("{:.0}", N_FILES as f64 / best),
            format!("{:.0}", it.result as f64 / best / 1e6),
            format!("{:.2}", times[0].best() / best),
        ]);
    }
    let n_bytes = times.first().map_or(0, |it| it.result);
    let megabytes = n_bytes as f64 / 1e6;
    format!(
        "## The command, {N_FILES} files of {megabytes:.1} MB into new folders\n\n{}",
        table.to_markdown()
    )
}

#[cfg(test)]
mod tests {
    use super::{SMALL, small, thread_counts};

    #[test]
    fn a_small_file_ends_with_a_line() {
        let text = "äöü\n".repeat(SMALL);
        assert!((SMALL - 7..=SMALL).contains(&small(&text).len()));
        assert!(small(&text).ends_with('\n'));
        assert_eq!(small("a\nb\n"), "a\nb\n");
    }

    #[test]
    fn threads_begin_with_one_and_end_with_all() {
        let counts = thread_counts();
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        assert_eq!((counts[0], counts[counts.len() - 1]), (1, all));
        assert!(counts.is_sorted());
    }
}

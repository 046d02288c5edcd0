//! Measurements in separate processes: peak memory, instructions, and allocations.
//!
//! The parent starts its own program again, with the engine named, and reads
//! figures from what the child prints.

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use crate::engines::{Config, Engine, make};

/// How long to wait for one figure of one engine.
const PATIENCE: Duration = Duration::from_secs(45);

/// The kind of measurement that a child makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// Renders a long document, and prints the peak memory.
    Memory,
    /// Renders a document under callgrind.
    Instructions,
}

impl Child {
    /// The child of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "memory" => Some(Self::Memory),
            "instructions" => Some(Self::Instructions),
            _ => None,
        }
    }
}

/// The task of a child.
#[derive(Debug)]
pub struct Task<'a> {
    /// The engine's name.
    pub engine: &'a str,
    /// Its configuration.
    pub config: Config,
    /// The document.
    pub path: &'a Path,
    /// The length to which the document is repeated, in bytes; 0 for once.
    pub n_bytes: usize,
}

/// Does the task, as the child, and prints its figures.
pub fn run(child: Child, task: &Task<'_>) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(task.path)?;
    let mut engine = make(task.engine, task.config).context("no such configuration")?;
    match child {
        Child::Memory => {
            let source = repeat_to(&text, task.n_bytes);
            drop(text);
            let before = memory_kib("VmRSS:")?;
            // Resets the peak, which reading the file may have raised.
            std::fs::write("/proc/self/clear_refs", "5")?;
            let n_html = engine.html(&source).len();
            println!("{} {} {n_html}", source.len(), memory_kib("VmHWM:")? - before);
        }
        Child::Instructions => {
            let n_warm = engine.html(&text).len();
            let n_html = counted_region(engine.as_mut(), &text);
            anyhow::ensure!(n_html > 0 && n_html == n_warm, "the second time is another");
        }
    }
    Ok(())
}

/// Repeats the whole document as often as necessary.
fn repeat_to(text: &str, n_bytes: usize) -> String {
    let n_times = (n_bytes / text.len()).max(1);
    let mut repeated = String::with_capacity(n_times * (text.len() + 1));
    for _ in 0..n_times {
        repeated.push_str(text);
        repeated.push('\n');
    }
    repeated
}

/// A figure of this process, as reported by Linux.
fn memory_kib(field: &str) -> anyhow::Result<usize> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let value = line.context("no such field")?.trim().trim_end_matches(" kB");
    Ok(value.parse()?)
}

/// The call whose instructions are counted; callgrind is told its name.
#[inline(never)]
fn counted_region(engine: &mut dyn Engine, source: &str) -> usize {
    black_box(engine.html(black_box(source))).len()
}

/// Runs a command that prints little, or gives `None` if it takes longer than
/// [`PATIENCE`].
fn run_patiently(command: &mut Command) -> anyhow::Result<Option<Output>> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(Some(child.wait_with_output()?))
}

/// Memory beyond the source and its HTML, as a multiple of the source, or
/// `None` if that takes too long.
pub fn measure_memory(task: &Task<'_>) -> anyhow::Result<Option<f64>> {
    let mut command = command(&std::env::current_exe()?, "memory", task);
    let Some(output) = run_patiently(&mut command)? else { return Ok(None) };
    let printed = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> = printed.split_whitespace().flat_map(str::parse).collect();
    let [n_source, peak_kib, n_html] = figures[..] else {
        bail!("{}: {}", task.engine, String::from_utf8_lossy(&output.stderr));
    };
    Ok(Some((peak_kib * 1024.0 - n_html) / n_source))
}

/// Whether callgrind can be used.
pub fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok()
}

/// Instructions for one call, all buffers being warm, or `None` if that takes too
/// long.
pub fn count_instructions(task: &Task<'_>) -> anyhow::Result<Option<u64>> {
    let program = std::env::current_exe()?;
    let child = command(&program, "instructions", task);
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    valgrind.args(["--collect-atstart=no", "--toggle-collect=*counted_region*"]);
    valgrind.arg(program).args(child.get_args());
    let Some(output) = run_patiently(&mut valgrind)? else { return Ok(None) };
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    match collected.and_then(|(_, count)| count.trim().parse().ok()) {
        Some(count) if output.status.success() && count > 0 => Ok(Some(count)),
        _ => bail!("{}: callgrind counted nothing\n{said}", task.engine),
    }
}

fn command(program: &Path, child: &str, task: &Task<'_>) -> Command {
    let mut command = Command::new(program);
    command.args(["--child", child, "--engine", task.engine, "--config", task.config.name()]);
    command.arg("--file").arg(task.path).arg("--bytes").arg(task.n_bytes.to_string());
    command
}

/// What `allocations` prints for messages in a file: configuration, engine,
/// and allocations for each message.
pub fn count_allocations(path: &Path) -> anyhow::Result<Vec<(String, String, String)>> {
    let program = std::env::current_exe()?.with_file_name("allocations");
    let output = Command::new(&program).arg(path).output();
    let output = output.with_context(|| format!("cannot start {}", program.display()))?;
    if !output.status.success() {
        bail!("allocations: {}", String::from_utf8_lossy(&output.stderr));
    }
    let printed = String::from_utf8(output.stdout)?;
    let split = |line: &str| {
        let mut words = line.split('\t').map(str::to_owned);
        Some((words.next()?, words.next()?, words.next()?))
    };
    Ok(printed.lines().filter_map(split).collect())
}

//! Instructions of one call at a time, by callgrind: the small program of
//! `fuzz/counted` is built once and does many tasks in one run, and callgrind
//! writes a file for each.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use barelink_spectest::{Unavailable, workspace_root};

/// What is done with a source, under which preset.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) what: &'static str,
    pub(crate) preset: &'static str,
    pub(crate) source: String,
}

/// What is not asked of every family: the one that is slow on purpose, and streams, which read
/// much of a paragraph without a neutral place again before they keep to what each byte earns:
/// `streams` asks for them on longer inputs.
const LEFT_OUT: [&str; 5] = ["quadratic", "stream", "stream-all", "optimistic", "stream-long"];

/// The names of all outputs that the program can make, but for [`LEFT_OUT`].
pub(crate) fn outputs() -> Result<Vec<&'static str>, Unavailable> {
    let output = run(Command::new(program()?).arg("outputs"), "")?;
    let names = String::from_utf8(output.stdout).map_err(|error| broken(&error))?;
    // They live as long as the few tests that ask for them.
    let names = names.leak().lines().filter(|name| !LEFT_OUT.contains(name));
    Ok(names.collect())
}

/// Writes the sources, and gives the list of tasks.
fn write_tasks(folder: &Path, tasks: &[Task]) -> Result<String, Unavailable> {
    let mut list = String::new();
    for (idx, Task { what, preset, source }) in tasks.iter().enumerate() {
        let path = folder.join(format!("{idx}.md"));
        fs::write(&path, source).map_err(|error| broken(&error))?;
        let _ = writeln!(list, "{what}\t{preset}\t{}", path.display());
    }
    Ok(list)
}

/// Counts the instructions of each task. `name` keeps the files of runs apart.
pub(crate) fn count(name: &str, tasks: &[Task]) -> Result<Vec<u64>, Unavailable> {
    let valgrind = Command::new("valgrind").arg("--version").output();
    if !valgrind.is_ok_and(|output| output.status.success()) {
        return Err(Unavailable::Missing("valgrind is not installed".into()));
    }
    let program = program()?;
    let folder = scratch(name)?;
    let list = write_tasks(&folder, tasks)?;
    let out = folder.join("out");
    let mut command = Command::new("valgrind");
    command
        // Where vectors lie in memory decides whether they are copied as they grow, and changes
        // with every build. From here on, the system moves their pages, and nothing is copied.
        .env("GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=8192")
        .args(["--tool=callgrind", "--collect-atstart=no", "--dump-line=no"])
        .args(["--toggle-collect=*counted_step*", "--dump-after=*counted_task*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program);
    run(&mut command, &list)?;
    let counts = (1..=tasks.len()).map(|n| read_count(&out.with_extension(n.to_string())));
    let counts = counts.collect::<Result<Vec<u64>, Unavailable>>()?;
    // Sources of a run that failed stay, to be looked at.
    let _ = fs::remove_dir_all(&folder);
    Ok(counts)
}

/// The most memory that each output of a source takes, in bytes.
pub(crate) fn memory(
    name: &str,
    outputs: &[&'static str],
    preset: &'static str,
    source: &str,
) -> Result<Vec<usize>, Unavailable> {
    let taken = memory_of_all(name, outputs, &[preset], &[source.to_owned()])?;
    Ok(taken.iter().map(|taken| taken.peak).collect())
}

/// What a task took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    /// The most memory in use, in bytes, without the source.
    pub(crate) peak: usize,
    /// Bytes of the result if it is a text, or how many parts it has.
    pub(crate) len: usize,
}

/// What the outputs of each source take, by each preset: source by source, preset by preset.
pub(crate) fn memory_of_all(
    name: &str,
    outputs: &[&'static str],
    presets: &[&'static str],
    sources: &[String],
) -> Result<Vec<Taken>, Unavailable> {
    let folder = scratch(name)?;
    let mut list = String::new();
    for (idx, source) in sources.iter().enumerate() {
        let path = folder.join(format!("{idx}.md"));
        fs::write(&path, source).map_err(|error| broken(&error))?;
        for preset in presets {
            for what in outputs {
                let _ = writeln!(list, "{what}\t{preset}\t{}", path.display());
            }
        }
    }
    let output = run(&mut Command::new(program()?), &list)?;
    let lines = String::from_utf8(output.stdout).map_err(|error| broken(&error))?;
    let _ = fs::remove_dir_all(&folder);
    let read = |line: &str| {
        let (peak, len) = line.split_once('\t')?;
        Some(Taken { peak: peak.parse().ok()?, len: len.parse().ok()? })
    };
    let taken = lines.lines().map(|line| read(line).ok_or_else(|| broken(&line)));
    taken.collect()
}

/// Looks for slow inputs by the clock, among so many, and gives its lines.
pub(crate) fn search(n_inputs: u32, seed: u64) -> Result<String, Unavailable> {
    let mut command = Command::new(program()?);
    command.args(["search", &n_inputs.to_string(), &seed.to_string()]);
    let output = run(&mut command, "")?;
    String::from_utf8(output.stdout).map_err(|error| broken(&error))
}

/// The program, built with optimization: unoptimized, counting would take minutes.
fn program() -> Result<PathBuf, Unavailable> {
    static PROGRAM: OnceLock<Result<PathBuf, Unavailable>> = OnceLock::new();
    let build = || {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counted");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(["build", "--release", "--quiet", "--manifest-path"])
            .arg(workspace_root().join("fuzz/counted/Cargo.toml"))
            .arg("--target-dir")
            .arg(&target)
            // What this test was built with does not count: instrumentation, above all.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        run(&mut cargo, "")?;
        Ok(target.join("release/barelink-counted"))
    };
    PROGRAM.get_or_init(build).clone()
}

fn scratch(name: &str) -> Result<PathBuf, Unavailable> {
    let id = std::process::id();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("linear-{name}-{id}"));
    fs::create_dir_all(&folder).map_err(|error| broken(&error))?;
    Ok(folder)
}

/// The total of a file that callgrind wrote.
fn read_count(path: &Path) -> Result<u64, Unavailable> {
    let text = fs::read_to_string(path).map_err(|error| broken(&error))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let count = total.and_then(|total| total.trim().parse().ok()).filter(|&count| count > 0);
    count.ok_or_else(|| Unavailable::Broken(format!("{}: nothing counted", path.display())))
}

fn run(command: &mut Command, input: &str) -> Result<Output, Unavailable> {
    let pipe = Stdio::piped;
    let child = command.stdin(pipe()).stdout(pipe()).stderr(pipe()).spawn();
    let mut child = child.map_err(|error| broken(&error))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that died early says so on standard error: that is the better message.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| broken(&error))?;
    if output.status.success() {
        return Ok(output);
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(Unavailable::Broken(format!("{command:?}: {}\n{complaint}", output.status)))
}

fn broken(error: &dyn std::fmt::Display) -> Unavailable {
    Unavailable::Broken(error.to_string())
}

//! Removes temporary files when the command is interrupted.
//!
//! A file that is being written is registered here, under the name it has until it is complete.
//! From the first one on, a thread waits for `SIGINT`, `SIGTERM` and every other signal that ends a
//! process and is not a fault of its own. When one comes, the thread removes the registered files
//! and ends the process with the exit code 128 + signal. It can do that whatever other threads wait
//! for, even for standard input. A run that only writes to standard output needs no such thread. On
//! Windows there is none.
//!
//! `SIGXFSZ`, a file over the user's limit, is not waited for: with a handler that does nothing,
//! the call that writes fails instead, and is reported like a full disk.
//!
//! Files are created and renamed while [`GATE`] is locked for reading. The thread locks it for
//! writing first: from then on, no file is created or renamed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

use tempfile::NamedTempFile;

/// The files that are not complete yet, with their final names.
static NOTED: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());

/// Locked for reading while a file is created or renamed.
static GATE: RwLock<()> = RwLock::new(());

/// The registration of a file, which is removed on drop.
#[derive(Debug)]
pub(crate) struct Note(PathBuf);

/// Creates a temporary file, later to be renamed to `target`, that an interrupt removes.
pub(crate) fn create(
    target: &Path,
    make: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<(NamedTempFile, Note)> {
    #[cfg(unix)]
    unix::watch();
    let _open = GATE.read().unwrap_or_else(PoisonError::into_inner);
    let file = make()?;
    let path = file.path().to_owned();
    NOTED.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone(), target.to_owned());
    Ok((file, Note(path)))
}

/// Renames a complete file to its final name.
pub(crate) fn persist(file: NamedTempFile, note: Note, target: &Path) -> io::Result<()> {
    let _open = GATE.read().unwrap_or_else(PoisonError::into_inner);
    file.persist(target)?;
    drop(note);
    Ok(())
}

impl Drop for Note {
    fn drop(&mut self) {
        NOTED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

#[cfg(unix)]
mod unix {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Once, PoisonError};
    use std::{fs, process, thread};

    use signal_hook::consts::{
        SIGALRM, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    use super::{GATE, NOTED};
    use crate::report;

    /// The signals that end the command. `SIGHUP` may be ignored, as by `nohup`, which
    /// [`ignored_signals`] can only tell on Linux.
    const SIGNALS: &[i32] = &[
        SIGINT,
        SIGTERM,
        SIGQUIT,
        SIGALRM,
        SIGUSR1,
        SIGUSR2,
        SIGXCPU,
        SIGVTALRM,
        SIGPROF,
        #[cfg(target_os = "linux")]
        signal_hook::consts::SIGHUP,
    ];

    /// Starts the thread that waits for signals, once.
    pub(super) fn watch() {
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            let ignored = ignored_signals();
            let heeded = SIGNALS.iter().filter(|signal| ignored >> (**signal - 1) & 1 == 0);
            // What fails here leaves a signal as it is.
            drop(flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))));
            // Without the thread, an interrupt ends the command in the default way.
            if let Ok(signals) = Signals::new(heeded) {
                drop(thread::Builder::new().spawn(|| wait(signals)));
            }
        });
    }

    fn wait(mut signals: Signals) {
        let Some(signal) = signals.forever().next() else { return };
        // Both locks are held until the process ends.
        let _closed = GATE.write().unwrap_or_else(PoisonError::into_inner);
        let noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
        for path in noted.keys() {
            // An error here cannot be handled any more.
            drop(fs::remove_file(path));
        }
        report::interrupted(noted.values());
        process::exit(128 + signal);
    }

    /// The signals that the parent process has set to be ignored, a bit for each, as a shell does
    /// for background jobs. They stay ignored.
    fn ignored_signals() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

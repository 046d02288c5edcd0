//! What is left behind when the command is interrupted: no temporary file.
//!
//! A file that is being written is noted here, under the name it has until it is
//! complete. From the first one on, a thread waits for `SIGINT`, `SIGTERM` and `SIGHUP`;
//! when one comes, it removes what is noted and ends the process with the exit code
//! 128 + signal. A thread can do that whatever the others wait for, be it standard
//! input. Who only writes to standard output needs no such thread. On Windows there is
//! none.
//!
//! Files are made and renamed behind a gate that the thread closes first: afterwards
//! nothing appears and nothing noted gets its name.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

use tempfile::NamedTempFile;

/// The files that are not complete yet, and the names they shall have.
static NOTED: Mutex<BTreeMap<PathBuf, PathBuf>> = Mutex::new(BTreeMap::new());

/// Held for reading while a file appears or gets its name.
static GATE: RwLock<()> = RwLock::new(());

/// The note of a file, which goes when this does.
#[derive(Debug)]
pub(crate) struct Note(PathBuf);

/// Makes a temporary file, later to be named `target`, that an interrupt removes.
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

/// Gives a complete file its name.
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
    use std::sync::{Once, PoisonError};
    use std::{fs, process, thread};

    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use super::{GATE, NOTED};
    use crate::report;

    /// What ends the command. Whether hanging up is switched off, as by `nohup`, can only
    /// be asked where [`ignored_signals`] knows.
    const SIGNALS: &[i32] = &[
        SIGINT,
        SIGTERM,
        #[cfg(target_os = "linux")]
        signal_hook::consts::SIGHUP,
    ];

    /// Has a thread wait for signals; one is enough.
    pub(super) fn watch() {
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            let ignored = ignored_signals();
            let heeded = SIGNALS.iter().filter(|signal| ignored >> (**signal - 1) & 1 == 0);
            // Without, an interrupt ends the command as it ends any other.
            if let Ok(signals) = Signals::new(heeded) {
                drop(thread::Builder::new().spawn(|| wait(signals)));
            }
        });
    }

    fn wait(mut signals: Signals) {
        let Some(signal) = signals.forever().next() else { return };
        // Both are never given back: until the process ends, nothing moves.
        let _closed = GATE.write().unwrap_or_else(PoisonError::into_inner);
        let noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
        for path in noted.keys() {
            // What fails here, nobody is left to mend.
            drop(fs::remove_file(path));
        }
        report::interrupted(noted.values());
        process::exit(128 + signal);
    }

    /// The signals that whoever started us has switched off, a bit for each: as a shell
    /// does for what runs in the background. They stay so.
    fn ignored_signals() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

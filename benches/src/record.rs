//! The conditions of a measurement: the day, the machine, the compiler, the versions.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::engines::PEERS;

const LOCK_FILE: &str = include_str!("../Cargo.lock");

/// Today, `2026-01-31`, in UTC.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (year, month, day) = date_of(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The date so many days after 1970-01-01, in years that begin in March, so
/// that the day that not every year has is the last one.
fn date_of(n_days: u64) -> (u64, u64, u64) {
    let days = n_days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

/// The processor, its cores and the compiler, in a line.
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or(std::env::consts::ARCH, |rest| rest.trim_start_matches([' ', '\t', ':']));
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let system = std::env::consts::OS;
    format!("{model}, {n_cores} cores, {system}, {}", env!("BENCH_RUSTC"))
}

/// Every engine with its version, in a line.
pub fn versions() -> String {
    let versions = PEERS.iter().map(|peer| match peer.version {
        Some(version) => format!("{} {version}", peer.name),
        None => format!("{} {}", peer.name, version(peer.name)),
    });
    versions.collect::<Vec<_>>().join(", ")
}

/// The version of a package.
pub fn version(name: &str) -> String {
    locked_version(name).unwrap_or_else(|| "unknown".to_owned())
}

/// The version of a package in this workspace's `Cargo.lock`.
fn locked_version(name: &str) -> Option<String> {
    let (_, after) = LOCK_FILE.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    after.split_once('"').map(|(version, _)| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{date_of, version, versions};

    #[test]
    fn dates() {
        assert_eq!(date_of(0), (1970, 1, 1));
        assert_eq!(date_of(19_782), (2024, 2, 29));
        assert_eq!(date_of(20_819), (2027, 1, 1));
    }

    #[test]
    fn every_version_is_known() {
        assert!(!versions().contains("unknown"), "{}", versions());
        assert_ne!(version("linkify"), "unknown");
    }
}

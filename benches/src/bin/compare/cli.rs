//! What can be asked for.

use std::path::PathBuf;
use std::time::Duration;

use barelink_bench::children::Child;
use barelink_bench::engines::Config;
use barelink_bench::measure::Plan;
use clap::{Parser, ValueEnum};

/// Measure Barelink and its peers on the same documents.
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
pub(crate) struct Cli {
    /// Fewer rounds, 10 MB instead of 100 for memory
    #[arg(long)]
    pub(crate) quick: bool,
    /// Only corpora whose name contains this; can be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Only this engine; can be given again
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Vec<String>,
    /// Only this configuration: commonmark or gfm
    #[arg(long, value_name = "NAME", value_parser = parse_config)]
    pub(crate) config: Option<Config>,
    /// Only this; can be given again
    #[arg(long, value_name = "WHAT")]
    pub(crate) measure: Vec<Measure>,
    /// Count no instructions
    #[arg(long)]
    pub(crate) no_callgrind: bool,
    /// Corpora to count instructions on
    #[arg(long, value_name = "NAME")]
    pub(crate) callgrind: Vec<String>,
    /// Timed rounds
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<usize>,
    /// Write the record although not everything was measured
    #[arg(long)]
    pub(crate) save: bool,
    /// Where the made corpora are
    #[arg(long, hide = true)]
    pub(crate) made: Option<PathBuf>,
    /// Where the real ones are
    #[arg(long, hide = true)]
    pub(crate) real: Option<PathBuf>,
    /// Where records go
    #[arg(long, hide = true)]
    pub(crate) record: Option<PathBuf>,
    /// The `barelink` command
    #[arg(long, hide = true)]
    pub(crate) command: Option<PathBuf>,
    #[arg(long, hide = true, value_parser = parse_child)]
    pub(crate) child: Option<Child>,
    #[arg(long, hide = true)]
    pub(crate) file: Option<PathBuf>,
    #[arg(long, hide = true, default_value_t = 0)]
    pub(crate) bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Measure {
    /// HTML, the whole document in one call
    Whole,
    /// HTML, a call for each section or message
    Pieces,
    /// Events without HTML
    Events,
    /// The recognizer of bare links alone
    Recognizer,
    /// What a bare URL costs
    BareUrl,
    /// How often memory is asked for
    Allocations,
    /// Peak memory
    Memory,
    /// Instructions for each byte
    Instructions,
    /// The command: its first byte, and many files on many threads
    Command,
}

impl Cli {
    /// Whether this is to be measured.
    pub(crate) fn wants(&self, measure: Measure) -> bool {
        self.measure.is_empty() || self.measure.contains(&measure)
    }

    /// Whether an engine of that name is to take part.
    pub(crate) fn has_engine(&self, name: &str) -> bool {
        self.engine.is_empty() || self.engine.iter().any(|it| it == name)
    }

    /// Whether nothing is left out.
    pub(crate) fn is_complete(&self) -> bool {
        let is_narrowed = self.quick || self.no_callgrind || self.config.is_some();
        !is_narrowed && self.only.is_empty() && self.engine.is_empty() && self.measure.is_empty()
    }

    /// How long to measure.
    pub(crate) fn plan(&self) -> Plan {
        let (n_rounds, seconds) = if self.quick { (7, 0.5) } else { (31, 2.0) };
        let n_rounds = self.rounds.unwrap_or(n_rounds).max(1);
        Plan { n_rounds, budget: Duration::from_secs_f64(seconds) }
    }
}

fn parse_config(name: &str) -> Result<Config, String> {
    Config::from_name(name).ok_or_else(|| "commonmark or gfm".to_owned())
}

fn parse_child(name: &str) -> Result<Child, String> {
    Child::from_name(name).ok_or_else(|| "no such child".to_owned())
}

//! Barelink and its peers on the same documents; `--help` says what can be
//! asked for, `benches/README.md` what the figures mean.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use barelink_bench::chart::{self, Caption};
use barelink_bench::children::{self, Child, Task};
use barelink_bench::documents::{Corpus, Mode, read_folder};
use barelink_bench::engines::{self, Config, entrants};
use barelink_bench::extra;
use barelink_bench::measure::{Plan, Runner, interleave};
use barelink_bench::record;
use barelink_bench::report::{self, Comparison, Table};
use clap::{Parser, ValueEnum};

/// Measure Barelink and its peers on the same documents.
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench")]
struct Cli {
    /// Fewer rounds, 10 MB instead of 100 for memory
    #[arg(long)]
    quick: bool,
    /// Only corpora whose name contains this; can be given again
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only this engine; can be given again
    #[arg(long, value_name = "NAME")]
    engine: Vec<String>,
    /// Only this configuration: commonmark or gfm
    #[arg(long, value_name = "NAME", value_parser = parse_config)]
    config: Option<Config>,
    /// Only this; can be given again
    #[arg(long, value_name = "WHAT")]
    measure: Vec<Measure>,
    /// Count no instructions
    #[arg(long)]
    no_callgrind: bool,
    /// Corpora to count instructions on
    #[arg(long, value_name = "NAME")]
    callgrind: Vec<String>,
    /// Timed rounds
    #[arg(long, value_name = "N")]
    rounds: Option<usize>,
    /// Write the record although not everything was measured
    #[arg(long)]
    save: bool,
    /// Where the made corpora are
    #[arg(long, hide = true)]
    made: Option<PathBuf>,
    /// Where the real ones are
    #[arg(long, hide = true)]
    real: Option<PathBuf>,
    /// Where records go
    #[arg(long, hide = true)]
    record: Option<PathBuf>,
    #[arg(long, hide = true, value_parser = parse_child)]
    child: Option<Child>,
    #[arg(long, hide = true)]
    file: Option<PathBuf>,
    #[arg(long, hide = true, default_value_t = 0)]
    bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Measure {
    /// HTML, the whole document in one call
    Whole,
    /// HTML, a call for each section or message
    Pieces,
    /// Events without HTML
    Events,
    /// The recogniser of bare links alone
    Recogniser,
    /// What a bare URL costs
    BareUrl,
    /// How often memory is asked for
    Allocations,
    /// Peak memory
    Memory,
    /// Instructions for each byte
    Instructions,
}

fn parse_config(name: &str) -> Result<Config, String> {
    Config::from_name(name).ok_or_else(|| "commonmark or gfm".to_owned())
}

fn parse_child(name: &str) -> Result<Child, String> {
    Child::from_name(name).ok_or_else(|| "no such child".to_owned())
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    if let Some(child) = cli.child {
        let engine = cli.engine.first().context("no engine")?;
        let path = cli.file.as_deref().context("no file")?;
        let config = cli.config.context("no configuration")?;
        return children::run(child, &Task { engine, config, path, n_bytes: cli.bytes });
    }
    let mut run = Run {
        today: record::today(),
        corpora: read_corpora(&cli)?,
        cli,
        text: String::new(),
        charts: Vec::new(),
    };
    run.introduce();
    for config in Config::ALL {
        if run.cli.config.is_none_or(|only| only == config) {
            run.compare_html(config)?;
        }
    }
    run.compare_events();
    run.compare_recognisers();
    run.measure_bare_url()?;
    run.count_allocations()?;
    run.measure_memory()?;
    run.count_instructions()?;
    run.save()
}

/// The real ones first.
fn read_corpora(cli: &Cli) -> anyhow::Result<Vec<Corpus>> {
    let mut corpora = Vec::new();
    for folder in [&cli.real, &cli.made].into_iter().flatten() {
        corpora.extend(read_folder(folder)?);
    }
    corpora.retain(|corpus| {
        cli.only.is_empty() || cli.only.iter().any(|name| corpus.name.contains(name.as_str()))
    });
    anyhow::ensure!(!corpora.is_empty(), "no corpus of that name");
    Ok(corpora)
}

/// A run: what is asked for, and the report so far.
struct Run {
    /// The day it began.
    today: String,
    cli: Cli,
    corpora: Vec<Corpus>,
    text: String,
    charts: Vec<(Config, Vec<Comparison>)>,
}

impl Run {
    /// Appends to the report, and prints it at once.
    fn say(&mut self, text: &str) {
        print!("{text}");
        self.text.push_str(text);
    }

    /// What is measured now, for whoever waits.
    fn note(what: &str) {
        eprintln!("… {what}");
    }

    fn wants(&self, measure: Measure) -> bool {
        self.cli.measure.is_empty() || self.cli.measure.contains(&measure)
    }

    fn plan(&self) -> Plan {
        let (n_rounds, seconds) = if self.cli.quick { (7, 0.5) } else { (31, 2.0) };
        let n_rounds = self.cli.rounds.unwrap_or(n_rounds).max(1);
        Plan { n_rounds, budget: Duration::from_secs_f64(seconds) }
    }

    fn is_complete(&self) -> bool {
        let cli = &self.cli;
        let is_narrowed = cli.quick || cli.no_callgrind || cli.config.is_some();
        !is_narrowed && cli.only.is_empty() && cli.engine.is_empty() && cli.measure.is_empty()
    }

    fn introduce(&mut self) {
        let (today, machine) = (self.today.clone(), record::machine());
        let (engines, linkify) = (record::versions(), record::version("linkify"));
        self.say(&format!(
            "# Benchmark of {today}\n\n{machine}\n\n{engines}, linkify {linkify}\n\n"
        ));
        let missing = engines::missing();
        if !missing.is_empty() {
            let packages = missing.join(" ");
            self.say(&format!("Not all peers are here: `apt-get install {packages}`\n\n"));
        }
    }

    fn compare_html(&mut self, config: Config) -> anyhow::Result<()> {
        let mut charted = Vec::new();
        for (mode, measure, what) in [
            (Mode::Whole, Measure::Whole, "whole documents"),
            (Mode::Pieces, Measure::Pieces, "a call for each section or message"),
        ] {
            if !self.wants(measure) {
                continue;
            }
            let comparisons = self.compare_mode(config, mode)?;
            self.say(&format!("## HTML, {}, {what}\n\n", config.name()));
            self.say_doing_less(&comparisons);
            self.say(&report::speeds(&comparisons));
            if let Some(factor) = report::slower_by(&comparisons, "made-references", "made-prose") {
                self.say(&format!("References are {factor:.2} times slower than prose.\n\n"));
            }
            let is_charted = |name: &str| {
                let is_messages = self.corpora.iter().any(|it| it.name == name && it.is_messages());
                is_messages == (mode == Mode::Pieces)
            };
            charted.extend(comparisons.into_iter().filter(|it| is_charted(&it.corpus)));
        }
        self.charts.push((config, chart::select(charted)));
        Ok(())
    }

    fn say_doing_less(&mut self, comparisons: &[Comparison]) {
        let Some(first) = comparisons.first() else { return };
        if first.barelink().is_none() {
            self.say("This Barelink has no such preset, so its column is not there.\n\n");
        }
        if first.times.iter().any(|times| times.label.ends_with('*')) {
            self.say("\\* makes no links of bare URLs, so does less.\n\n");
        }
    }

    fn compare_mode(&self, config: Config, mode: Mode) -> anyhow::Result<Vec<Comparison>> {
        let mut comparisons = Vec::new();
        for corpus in &self.corpora {
            let documents = corpus.documents(mode);
            if documents.is_empty() {
                continue;
            }
            Self::note(&format!("{}, {}, {mode:?}", corpus.name, config.name()));
            let mut runners = Vec::new();
            for mut entrant in entrants(config, &self.cli.engine)? {
                let documents = &documents;
                let label = entrant.label();
                let run = move || {
                    documents.iter().map(|document| entrant.engine.html(document).len()).sum()
                };
                runners.push(Runner { label, run: Box::new(run) });
            }
            let times = interleave(runners, self.plan());
            let n_bytes = documents.iter().map(|document| document.len()).sum();
            for it in &times {
                // Markup only ever adds to text.
                let is_plausible = it.result > n_bytes / 3;
                anyhow::ensure!(is_plausible, "{} on {}: {}", it.label, corpus.name, it.result);
            }
            let (corpus, n_documents) = (corpus.name.clone(), documents.len());
            comparisons.push(Comparison { corpus, n_bytes, n_documents, times });
        }
        Ok(comparisons)
    }

    fn compare_events(&mut self) {
        if !self.wants(Measure::Events) {
            return;
        }
        self.say("## Events without HTML, CommonMark\n\n");
        let mut comparisons = Vec::new();
        for corpus in &self.corpora {
            if let [document] = corpus.documents(Mode::Whole)[..] {
                Self::note(&format!("{}, events", corpus.name));
                let times = extra::compare_events(document, Config::CommonMark, self.plan());
                let (corpus, n_bytes) = (corpus.name.clone(), document.len());
                comparisons.push(Comparison { corpus, n_bytes, n_documents: 1, times });
            }
        }
        self.say(&report::speeds(&comparisons));
    }

    fn compare_recognisers(&mut self) {
        if !self.wants(Measure::Recogniser) {
            return;
        }
        self.say("## The recogniser alone, on text\n\n");
        let (mut comparisons, mut counts) = (Vec::new(), Table::default());
        for corpus in &self.corpora {
            if let [document] = corpus.documents(Mode::Whole)[..] {
                Self::note(&format!("{}, recogniser", corpus.name));
                let times = extra::compare_recognisers(document, self.plan());
                if comparisons.is_empty() {
                    let labels = times.iter().map(|it| it.label.clone());
                    counts = Table::new(["links found".to_owned()].into_iter().chain(labels));
                }
                let found = times.iter().map(|it| it.result.to_string());
                counts.push([corpus.name.clone()].into_iter().chain(found));
                let (corpus, n_bytes) = (corpus.name.clone(), document.len());
                comparisons.push(Comparison { corpus, n_bytes, n_documents: 1, times });
            }
        }
        if !comparisons.is_empty() {
            self.say(&report::speeds(&comparisons));
            self.say(&counts.to_markdown());
        }
    }

    fn measure_bare_url(&mut self) -> anyhow::Result<()> {
        if !self.wants(Measure::BareUrl) || self.cli.config == Some(Config::CommonMark) {
            return Ok(());
        }
        Self::note("a bare URL");
        let costs = extra::measure_bare_url(&self.cli.engine, self.plan())?;
        let mut table = Table::new(["engine", "ns for a bare URL"].map(str::to_owned));
        for (name, nanoseconds) in costs {
            // The slowest spend less on a URL than their rounds differ by.
            let cost = if nanoseconds > 0.0 { format!("{nanoseconds:.0}") } else { "-".to_owned() };
            table.push([name, cost]);
        }
        self.say(&format!("## What a bare URL costs\n\n{}", table.to_markdown()));
        Ok(())
    }

    fn count_allocations(&mut self) -> anyhow::Result<()> {
        if !self.wants(Measure::Allocations) {
            return Ok(());
        }
        // Not those that were joined from a file: the other program reads the file.
        let is_counted = |it: &&Corpus| it.is_messages() && stem(&it.path) == it.name;
        let Some(corpus) = self.corpora.iter().find(is_counted) else { return Ok(()) };
        Self::note("allocations");
        let title = format!("## Allocations for a message of {}, engines warm\n\n", corpus.name);
        let heading = ["configuration", "engine", "allocations"];
        let mut table = Table::new(heading.map(str::to_owned));
        for (config, engine, mean) in children::count_allocations(&corpus.path)? {
            table.push([config, engine, mean]);
        }
        self.say(&format!("{title}{}", table.to_markdown()));
        Ok(())
    }

    /// The path of the first of these corpora that there is.
    fn find_path(&self, names: &[&str]) -> Option<PathBuf> {
        let find = |name: &&str| self.corpora.iter().find(|corpus| corpus.name == **name);
        names.iter().find_map(find).map(|corpus| corpus.path.clone())
    }

    fn measure_memory(&mut self) -> anyhow::Result<()> {
        if !self.wants(Measure::Memory) {
            return Ok(());
        }
        let prose = self.find_path(&["progit", "made-prose"]);
        let paths: Vec<_> = prose.into_iter().chain(self.find_path(&["book"])).collect();
        if paths.is_empty() {
            return Ok(());
        }
        let n_bytes = if self.cli.quick { 10_000_000 } else { 100_000_000 };
        let mut table = Table::new(Self::columns("beyond source and HTML", &paths));
        for name in self.engine_names() {
            let mut row = vec![name.to_owned()];
            for path in &paths {
                for config in Config::ALL {
                    Self::note(&format!("{name}, {}, {}, memory", stem(path), config.name()));
                    let task = Task { engine: name, config, path, n_bytes };
                    row.push(if engines::make(name, config).is_none() {
                        "-".to_owned()
                    } else if let Some(multiple) = children::measure_memory(&task)? {
                        format!("{multiple:.2}")
                    } else {
                        "too slow".to_owned()
                    });
                }
            }
            table.push(row);
        }
        let n_megabytes = n_bytes / 1_000_000;
        let title = format!("## Peak memory on {n_megabytes} MB, as a multiple of the source\n\n");
        self.say(&format!("{title}{}", table.to_markdown()));
        Ok(())
    }

    /// A heading with a column for each corpus and configuration.
    fn columns(first: &str, paths: &[PathBuf]) -> Vec<String> {
        let name = |path, config: Config| format!("{}, {}", stem(path), config.name());
        let columns = paths.iter().flat_map(|path| Config::ALL.map(|config| name(path, config)));
        [first.to_owned()].into_iter().chain(columns).collect()
    }

    fn engine_names(&self) -> Vec<&'static str> {
        let names = engines::PEERS.iter().map(|peer| peer.name);
        let only = &self.cli.engine;
        names.filter(|name| only.is_empty() || only.iter().any(|it| it == name)).collect()
    }

    fn count_instructions(&mut self) -> anyhow::Result<()> {
        if self.cli.no_callgrind || !self.wants(Measure::Instructions) {
            return Ok(());
        }
        if !children::has_valgrind() {
            self.say("Instructions were not counted: `apt-get install valgrind`\n\n");
            return Ok(());
        }
        let named: Vec<&str> = self.cli.callgrind.iter().map(String::as_str).collect();
        let paths: Vec<PathBuf> = if named.is_empty() {
            let prose = self.find_path(&["book", "made-prose"]);
            let links = self.find_path(&["barelinks", "made-bare-links"]);
            prose.into_iter().chain(links).collect()
        } else {
            named.iter().filter_map(|name| self.find_path(&[name])).collect()
        };
        let mut table = Table::new(Self::columns("instructions for a byte", &paths));
        for name in self.engine_names() {
            let mut row = vec![name.to_owned()];
            for path in &paths {
                for config in Config::ALL {
                    Self::note(&format!("{name}, {}, {}, instructions", stem(path), config.name()));
                    row.push(count_for_byte(name, config, path)?);
                }
            }
            table.push(row);
        }
        if !paths.is_empty() {
            self.say(&format!("## Instructions, by callgrind\n\n{}", table.to_markdown()));
        }
        Ok(())
    }

    /// Writes the record, if it is one.
    fn save(&self) -> anyhow::Result<()> {
        let Some(records) = &self.cli.record else { return Ok(()) };
        if !self.is_complete() && !self.cli.save {
            return Ok(());
        }
        let folder = records.join(&self.today);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join("table.md"), &self.text)?;
        let notes = [
            format!("{}. {}.", self.today, record::machine()),
            format!("{}.", record::versions()),
            "Dashed and marked *: makes no links of bare URLs.".to_owned(),
        ];
        for (config, comparisons) in &self.charts {
            let (title, n_notes) = match config {
                Config::CommonMark => ("CommonMark to HTML", 2),
                Config::Gfm => ("GFM with bare links to HTML", 3),
            };
            let subtitle = "MB/s, longer is better. Best rounds of one run, engines taking turns, in \
                            memory. Each panel has its own scale.";
            let caption = Caption { title, subtitle, notes: &notes[..n_notes] };
            let path = folder.join(format!("{}.svg", config.name()));
            std::fs::write(path, chart::draw(&caption, comparisons))?;
        }
        eprintln!("recorded in {}", folder.display());
        Ok(())
    }
}

fn count_for_byte(name: &str, config: Config, path: &Path) -> anyhow::Result<String> {
    if engines::make(name, config).is_none() {
        return Ok("-".to_owned());
    }
    let n_bytes = std::fs::metadata(path)?.len();
    let task = Task { engine: name, config, path, n_bytes: 0 };
    Ok(match children::count_instructions(&task)? {
        Some(count) => format!("{:.1}", count as f64 / n_bytes as f64),
        None => "too slow".to_owned(),
    })
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

//! Barelink and its peers on the same documents; `--help` says what can be
//! asked for, `benches/README.md` what the figures mean.

mod cli;
mod html;
mod processes;

use std::path::Path;

use anyhow::Context as _;
use barelink_bench::chart::{self, Caption};
use barelink_bench::children::{self, Task};
use barelink_bench::documents::{Corpus, read_folder};
use barelink_bench::engines::{self, Config};
use barelink_bench::record;
use barelink_bench::report::Comparison;
use barelink_bench::targets::{self, Figures};
use clap::Parser as _;

use crate::cli::Cli;

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
        figures: Figures::default(),
    };
    run.introduce();
    for config in Config::ALL {
        if run.cli.config.is_none_or(|only| only == config) {
            run.compare_html(config)?;
        }
    }
    run.compare_events();
    run.compare_recognizers();
    run.measure_bare_url()?;
    run.count_allocations()?;
    run.measure_memory()?;
    run.measure_hostile_memory()?;
    run.count_instructions()?;
    run.measure_command()?;
    run.say(&targets::report(&run.figures));
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

/// A run: its arguments, and the report so far.
struct Run {
    /// The day on which it began.
    today: String,
    cli: Cli,
    corpora: Vec<Corpus>,
    text: String,
    charts: Vec<(Config, Vec<Comparison>)>,
    /// The results that the targets are checked against.
    figures: Figures,
}

impl Run {
    /// Appends to the report, and prints the text immediately.
    fn say(&mut self, text: &str) {
        print!("{text}");
        self.text.push_str(text);
    }

    /// Prints what is being measured, as progress.
    fn note(what: &str) {
        eprintln!("… {what}");
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

    /// Writes the record, if the run makes one.
    fn save(&self) -> anyhow::Result<()> {
        let Some(records) = &self.cli.record else { return Ok(()) };
        if !self.cli.is_complete() && !self.cli.save {
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

/// A file's name without its ending.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

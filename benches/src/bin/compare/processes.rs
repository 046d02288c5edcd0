//! The measurements in other processes: allocations, memory, instructions, and the command.

use std::path::{Path, PathBuf};

use barelink_bench::children::{self, Task};
use barelink_bench::command;
use barelink_bench::documents::{Corpus, Mode, PROSE};
use barelink_bench::engines::{self, BARELINK, Config};
use barelink_bench::hostile;
use barelink_bench::report::Table;

use crate::cli::Measure;
use crate::{Run, stem};

impl Run {
    pub(crate) fn count_allocations(&mut self) -> anyhow::Result<()> {
        if !self.cli.wants(Measure::Allocations) {
            return Ok(());
        }
        // Except corpora that were joined from a file: the other program reads the file.
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

    /// The path of the first of these corpora that exists.
    fn find_path(&self, names: &[&str]) -> Option<PathBuf> {
        // Except corpora that were made from a file: the other process reads the file.
        let is_file = |it: &&Corpus| stem(&it.path) == it.name;
        let find = |name: &&str| self.corpora.iter().filter(is_file).find(|it| it.name == **name);
        names.iter().find_map(find).map(|corpus| corpus.path.clone())
    }

    pub(crate) fn measure_memory(&mut self) -> anyhow::Result<()> {
        if !self.cli.wants(Measure::Memory) {
            return Ok(());
        }
        let prose = self.find_path(PROSE);
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
                    let memory = memory_of(&task)?;
                    if let Ok(multiple) = memory
                        && name == BARELINK
                        && PROSE.contains(&stem(path).as_str())
                    {
                        let place = format!("{}, {}", stem(path), config.name());
                        self.figures.memory.push((multiple, place));
                    }
                    row.push(memory.map_or_else(str::to_owned, |it| format!("{it:.2}")));
                }
            }
            table.push(row);
        }
        let n_megabytes = n_bytes / 1_000_000;
        let title = format!("## Peak memory on {n_megabytes} MB, as a multiple of the source\n\n");
        self.say(&format!("{title}{}", table.to_markdown()));
        Ok(())
    }

    /// Measures peak memory on hostile text.
    pub(crate) fn measure_hostile_memory(&mut self) -> anyhow::Result<()> {
        let Some(made) = self.cli.made.as_ref().filter(|_| self.cli.wants(Measure::Memory)) else {
            return Ok(());
        };
        let folder = made.with_file_name("hostile");
        std::fs::create_dir_all(&folder)?;
        let n_bytes = if self.cli.quick { 100_000 } else { 1_000_000 };
        let names = hostile::FAMILIES.iter().map(|(name, _)| (*name).to_owned());
        let mut table = Table::new(["beyond source and HTML".to_owned()].into_iter().chain(names));
        let config = Config::Gfm;
        for name in self.engine_names() {
            let mut row = vec![name.to_owned()];
            for (family, unit) in hostile::FAMILIES {
                Self::note(&format!("{name}, {family}, memory"));
                let path = folder.join(format!("{family}.md"));
                std::fs::write(&path, hostile::text(unit, n_bytes))?;
                let task = Task { engine: name, config, path: &path, n_bytes: 0 };
                row.push(memory_of(&task)?.map_or_else(str::to_owned, |it| format!("{it:.1}")));
            }
            table.push(row);
        }
        let title = format!(
            "## Peak memory on {n_bytes} bytes of hostile text, gfm, as a multiple of the source\n\n"
        );
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
        names.filter(|name| self.cli.has_engine(name)).collect()
    }

    pub(crate) fn count_instructions(&mut self) -> anyhow::Result<()> {
        if self.cli.no_callgrind || !self.cli.wants(Measure::Instructions) {
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

    pub(crate) fn measure_command(&mut self) -> anyhow::Result<()> {
        let (Some(program), Some(made)) = (self.cli.command.clone(), &self.cli.made) else {
            return Ok(());
        };
        if !self.cli.wants(Measure::Command) {
            return Ok(());
        }
        let documents = || self.corpora.iter().filter(|corpus| !corpus.is_messages());
        let sections: Vec<&str> = documents().flat_map(|it| it.documents(Mode::Pieces)).collect();
        let Some(first) = sections.first() else { return Ok(()) };
        let bench = command::Bench::new(&program, made.with_file_name("command"))?;
        Self::note("the command, first byte");
        let n_rounds = if self.cli.quick { 50 } else { 400 };
        let starts = bench.time_first_byte(first, n_rounds)?;
        Self::note("the command, many files");
        let n_rounds = if self.cli.quick { 3 } else { 9 };
        let out_dir = bench.time_out_dir(&sections, n_rounds)?;
        bench.finish()?;
        self.say(&command::first_byte_table(&starts));
        self.say(&command::out_dir_table(&out_dir));
        self.figures.first_byte = starts.into_iter().find(|times| times.label == BARELINK);
        self.figures.out_dir = out_dir;
        Ok(())
    }
}

/// The memory of an engine as a multiple of the source, or a text to print instead.
fn memory_of(task: &Task<'_>) -> anyhow::Result<Result<f64, &'static str>> {
    if engines::make(task.engine, task.config).is_none() {
        return Ok(Err("-"));
    }
    Ok(children::measure_memory(task)?.ok_or("too slow"))
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

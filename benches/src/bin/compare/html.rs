//! The comparisons in this process: HTML, events, links in text, and the cost of a bare URL.

use barelink_bench::chart;
use barelink_bench::documents::Mode;
use barelink_bench::engines::{Config, Engine as _, entrants};
use barelink_bench::extra;
use barelink_bench::floor::{FLOOR, Floor};
use barelink_bench::measure::{Runner, interleave};
use barelink_bench::report::{self, Comparison, Table};
use barelink_bench::targets::of_barelink;

use crate::Run;
use crate::cli::Measure;

impl Run {
    pub(crate) fn compare_html(&mut self, config: Config) -> anyhow::Result<()> {
        let mut charted = Vec::new();
        for (mode, measure, what) in [
            (Mode::Whole, Measure::Whole, "whole documents"),
            (Mode::Pieces, Measure::Pieces, "piece by piece"),
        ] {
            if !self.cli.wants(measure) {
                continue;
            }
            let comparisons = self.compare_mode(config, mode)?;
            self.say(&format!("## HTML, {}, {what}\n\n", config.name()));
            self.say_doing_less(&comparisons);
            self.say(&report::speeds(&comparisons));
            self.say(&report::share_of_floor(&comparisons));
            if let Some(factor) = report::slower_by(&comparisons, "made-references", "made-prose") {
                self.say(&format!("References are {factor:.2} times slower than prose.\n\n"));
            }
            let is_messages = |it: &Comparison| {
                self.corpora.iter().any(|corpus| corpus.name == it.corpus && corpus.is_messages())
            };
            let (messages, documents): (Vec<_>, Vec<_>) =
                comparisons.into_iter().partition(is_messages);
            charted
                .extend(if mode == Mode::Whole { &documents } else { &messages }.iter().cloned());
            let name = format!("{}, {what}", config.name());
            self.figures.documents.push((name.clone(), documents));
            self.figures.messages.push((config.name().to_owned(), messages));
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
            if mode == Mode::Whole && self.cli.has_engine(FLOOR) {
                let (mut floor, documents) = (Floor::default(), &documents);
                let run = move || documents.iter().map(|document| floor.html(document).len()).sum();
                runners.push(Runner { label: FLOOR.to_owned(), run: Box::new(run) });
            }
            let times = interleave(runners, self.cli.plan());
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

    pub(crate) fn compare_events(&mut self) {
        if !self.cli.wants(Measure::Events) {
            return;
        }
        self.say("## Events without HTML, CommonMark\n\n");
        let mut comparisons = Vec::new();
        for corpus in &self.corpora {
            if let [document] = corpus.documents(Mode::Whole)[..] {
                Self::note(&format!("{}, events", corpus.name));
                let times = extra::compare_events(document, Config::CommonMark, self.cli.plan());
                let (corpus, n_bytes) = (corpus.name.clone(), document.len());
                comparisons.push(Comparison { corpus, n_bytes, n_documents: 1, times });
            }
        }
        self.say(&report::speeds(&comparisons));
        self.figures.events = comparisons;
    }

    pub(crate) fn compare_recognizers(&mut self) {
        if !self.cli.wants(Measure::Recognizer) {
            return;
        }
        self.say("## The recognizer alone, on text\n\n");
        let (mut comparisons, mut counts) = (Vec::new(), Table::default());
        for corpus in &self.corpora {
            if let [document] = corpus.documents(Mode::Whole)[..] {
                Self::note(&format!("{}, recognizer", corpus.name));
                let times = extra::compare_recognizers(document, self.cli.plan());
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
        self.figures.recognizer = comparisons;
    }

    pub(crate) fn measure_bare_url(&mut self) -> anyhow::Result<()> {
        if !self.cli.wants(Measure::BareUrl) || self.cli.config == Some(Config::CommonMark) {
            return Ok(());
        }
        Self::note("a bare URL");
        let costs = extra::measure_bare_url(&self.cli.engine, self.cli.plan())?;
        self.figures.bare_url = of_barelink(&costs);
        let mut table = Table::new(["engine", "ns for a bare URL"].map(str::to_owned));
        for (name, nanoseconds) in costs {
            // For the slowest engines, a URL costs less than the difference between rounds.
            let cost = if nanoseconds > 0.0 { format!("{nanoseconds:.0}") } else { "-".to_owned() };
            table.push([name, cost]);
        }
        self.say(&format!("## What a bare URL costs\n\n{}", table.to_markdown()));
        Ok(())
    }
}

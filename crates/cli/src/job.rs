//! Converts the command line, plain values of `cli`, to a job.
//!
//! Everything that depends on two flags at once is decided here, so that the jobs need not know
//! about flags. Invalid combinations are a [`clap::Error`], which `main` shows with the usage line.

use std::path::{Path, PathBuf};

use barelink::stream::{Definitions, Incomplete, StreamOptions};
use barelink::{Dialect, Options};
use barelink_check::Rule;
#[cfg(feature = "serve")]
use barelink_serve::Images;
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use clap_complete::Shell;

use crate::check::args::{CheckArgs, FixArgs, Format, RulesArgs};
#[cfg(feature = "lsp")]
use crate::cli::LspArgs;
#[cfg(feature = "serve")]
use crate::cli::ServeArgs;
use crate::cli::{Cli, Command, ExplainArgs, HtmlArgs, LinksArgs, MdbookQuestion, StreamArgs};
use crate::explain::At;
use crate::links::Filter;
use crate::markdown::{Documents, MarkdownArgs};
use crate::output::Target;
use crate::source::Source;
use crate::stream::{Answers, Pieces, StreamJob};
use crate::visible;

/// The default maximum number of candidates that are explained in text for people.
const SHOWN_MAX: usize = 1000;

/// One run of the command.
#[derive(Debug)]
pub(crate) enum Job {
    /// Render Markdown.
    Html(HtmlJob),
    /// List links.
    Links(LinksJob),
    /// Explain links.
    Explain(ExplainJob),
    /// Show a folder in the browser.
    #[cfg(feature = "serve")]
    Serve(Box<barelink_serve::Settings>),
    /// Serve an editor.
    #[cfg(feature = "lsp")]
    Lsp(LspArgs),
    /// Follow a document while it is written.
    Stream(StreamJob),
    /// Check links.
    Check(CheckArgs),
    /// Fix links.
    Fix(FixArgs),
    /// Explain the rules, or one of them.
    Rule(Option<Rule>),
    /// Preprocess a book of mdBook, or answer its question whether a renderer is supported.
    Mdbook(Option<MdbookQuestion>),
    /// Print a shell's completions.
    Completions(Shell),
    /// Print the man page of this command.
    Man(Box<clap::Command>),
}

/// Markdown to HTML.
#[derive(Debug)]
pub(crate) struct HtmlJob {
    /// The options for parsing and rendering.
    pub(crate) options: Options,
    /// The inputs and outputs.
    pub(crate) route: Route,
}

/// The inputs and outputs of documents.
#[derive(Debug)]
pub(crate) enum Route {
    /// All documents into one target, in order.
    Join { sources: Vec<Source>, target: Target, form: Form },
    /// Each file into a file of its own in a directory.
    Split { files: Vec<PathBuf>, dir: PathBuf, form: Form },
    /// A document in each line.
    Lines { sources: Vec<Source>, target: Target },
}

/// What is written around the rendered documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// Nothing.
    Fragment,
    /// A complete page.
    Page {
        /// The language of documents that specify none.
        lang: String,
    },
}

/// The links of documents.
#[derive(Debug)]
pub(crate) struct LinksJob {
    /// Which links to find.
    pub(crate) options: Options,
    /// Where the documents come from.
    pub(crate) sources: Vec<Source>,
    /// The format of the documents.
    pub(crate) reading: Reading,
    /// Which of the links are listed.
    pub(crate) choice: Choice,
    /// How the links are listed.
    pub(crate) layout: Layout,
    /// Further conditions for listed links.
    pub(crate) filter: Filter,
}

/// Which links are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    All,
    /// Links that may deceive a reader.
    Suspicious,
}

/// Explanations of links.
#[derive(Debug)]
pub(crate) struct ExplainJob {
    /// How links are decided.
    pub(crate) options: Options,
    /// Where the documents come from.
    pub(crate) sources: Vec<Source>,
    /// The position to explain; all links if there is none.
    pub(crate) at: Option<At>,
    /// How the explanations are written.
    pub(crate) layout: Layout,
    /// The maximum number of candidates that are written.
    pub(crate) limit: usize,
}

/// The format of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    Markdown,
    PlainText,
}

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// For people.
    Words,
    /// For programs: a JSON object per line.
    Json,
}

impl Job {
    /// Converts the command line to a job.
    pub(crate) fn from_cli(cli: Cli) -> Result<Self, clap::Error> {
        match cli.command {
            None => {
                refuse_late_command(&cli.html.files)?;
                HtmlJob::from_args(cli.html).map(Self::Html)
            }
            Some(Command::Html(args)) => HtmlJob::from_args(args).map(Self::Html),
            Some(Command::Links(args)) => LinksJob::from_args(args).map(Self::Links),
            Some(Command::Explain(args)) => ExplainJob::from_args(args).map(Self::Explain),
            #[cfg(feature = "serve")]
            Some(Command::Serve(args)) => serve_settings(args).map(Box::new).map(Self::Serve),
            #[cfg(feature = "lsp")]
            Some(Command::Lsp(args)) => Ok(Self::Lsp(args)),
            Some(Command::Stream(args)) => StreamJob::from_args(args).map(Self::Stream),
            Some(Command::Check(args)) => {
                refuse_of_check(&args).map_err(|error| of_command("check", error))?;
                Ok(Self::Check(args))
            }
            Some(Command::Fix(args)) => {
                refuse_beside_stdin(&args.rules).map_err(|error| of_command("fix", error))?;
                Ok(Self::Fix(args))
            }
            Some(Command::Rule { name }) => Ok(Self::Rule(name)),
            Some(Command::Mdbook { question }) => Ok(Self::Mdbook(question)),
            Some(Command::Completions { shell }) => Ok(Self::Completions(shell)),
            Some(Command::Man { command }) => {
                let command = find_command(command.as_deref())?;
                Ok(Self::Man(Box::new(command)))
            }
        }
    }
}

impl HtmlJob {
    fn from_args(args: HtmlArgs) -> Result<Self, clap::Error> {
        let reading = if args.jsonl { Documents::Messages } else { Documents::Files };
        let mut options = options(&args.markdown, reading)?;
        options.policy = args.render.policy();
        args.markdown.allow_schemes(&mut options.policy.urls);
        let form = if args.full {
            options.policy.heading_ids = true;
            Form::Page { lang: args.lang }
        } else {
            Form::Fragment
        };

        let route = if let Some(dir) = args.out_dir {
            if args.files.is_empty() || args.files.iter().any(|file| is_stdin(file)) {
                let message = "--out-dir names each output after its input: \
                               give it files, not standard input";
                return Err(usage(ErrorKind::MissingRequiredArgument, message));
            }
            Route::Split { files: args.files, dir, form }
        } else {
            let sources = sources(args.files);
            let target = args.output.map_or(Target::Stdout, Target::from_arg);
            if args.jsonl {
                Route::Lines { sources, target }
            } else {
                Route::Join { sources, target, form }
            }
        };
        Ok(Self { options, route })
    }
}

impl LinksJob {
    fn from_args(args: LinksArgs) -> Result<Self, clap::Error> {
        Ok(Self {
            options: options(&args.markdown, Documents::Files)?,
            sources: sources(args.files),
            reading: if args.plain_text { Reading::PlainText } else { Reading::Markdown },
            choice: if args.suspicious { Choice::Suspicious } else { Choice::All },
            layout: if args.json { Layout::Json } else { Layout::Words },
            filter: Filter {
                kinds: args.kinds,
                forms: args.forms,
                hosts: args.hosts,
                schemes: args.url_schemes,
            },
        })
    }
}

impl StreamJob {
    fn from_args(args: StreamArgs) -> Result<Self, clap::Error> {
        let mut options = options(&args.markdown, Documents::Files)?;
        options.policy = args.render.policy();
        let pieces = if args.jsonl { Pieces::Lines } else { Pieces::Bytes };
        let mut options = StreamOptions::new(options);
        if args.optimistic {
            options.optimistic = Incomplete::OPTIMISTIC;
        }
        let answers = if args.terminal {
            // Output that has scrolled away cannot be revised.
            options.definitions = Definitions::Settled;
            Answers::Terminal
        } else {
            Answers::Json
        };
        Ok(Self { options, pieces, answers })
    }
}

impl ExplainJob {
    fn from_args(args: ExplainArgs) -> Result<Self, clap::Error> {
        let reading = if args.text.is_some() { Documents::Messages } else { Documents::Files };
        Ok(Self {
            options: options(&args.markdown, reading)?,
            sources: match args.text {
                Some(text) => vec![Source::Text(text)],
                None => sources(args.files),
            },
            at: args.at,
            layout: if args.json { Layout::Json } else { Layout::Words },
            limit: match args.limit {
                None if args.json => usize::MAX,
                None => SHOWN_MAX,
                Some(0) => usize::MAX,
                Some(limit) => limit,
            },
        })
    }
}

#[cfg(feature = "serve")]
fn serve_settings(args: ServeArgs) -> Result<barelink_serve::Settings, clap::Error> {
    let mut options = options(&args.markdown, Documents::Files)?;
    options.policy = args.render.policy();
    args.markdown.allow_schemes(&mut options.policy.urls);
    options.policy.heading_ids = true;
    Ok(barelink_serve::Settings {
        folder: args.folder,
        address: args.host,
        port: args.port,
        names: args.names,
        options,
        images: if args.remote_images { Images::Anywhere } else { Images::Local },
    })
}

fn options(args: &MarkdownArgs, documents: Documents) -> Result<Options, clap::Error> {
    let options = args
        .options(documents)
        .ok_or_else(|| usage(ErrorKind::InvalidValue, "the preset is not known"))?;
    if !options.schemes.is_empty() && options.autolinks.dialect != Some(Dialect::Natural) {
        let message = "--scheme is for the natural dialect: add --dialect natural";
        return Err(usage(ErrorKind::ArgumentConflict, message));
    }
    Ok(options)
}

fn sources(files: Vec<PathBuf>) -> Vec<Source> {
    if files.is_empty() {
        return vec![Source::Stdin];
    }
    files.into_iter().map(source).collect()
}

fn source(file: PathBuf) -> Source {
    if is_stdin(&file) { Source::Stdin } else { Source::File(file) }
}

fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// Why the flags of a command make no sense together.
type Refused = (ErrorKind, String);

/// Refuses what `check` cannot do.
fn refuse_of_check(args: &CheckArgs) -> Result<(), Refused> {
    let counts = [Format::Text, Format::Concise, Format::Json, Format::Jsonl];
    if args.statistics && !counts.contains(&args.format) {
        let message = "--statistics are written as text, json or jsonl, not in another --format";
        return Err((ErrorKind::ArgumentConflict, message.to_owned()));
    }
    refuse_beside_stdin(&args.rules)
}

/// Refuses to check standard input together with files: a fix writes its document to standard
/// output.
fn refuse_beside_stdin(args: &RulesArgs) -> Result<(), Refused> {
    let is_named = args.paths.iter().any(|path| is_stdin(path));
    // The default if no path is given.
    let is_other = |path: &&PathBuf| !is_stdin(path) && (is_named || *path != Path::new("."));
    let other = args.paths.iter().find(is_other);
    match other.filter(|_| is_named || args.stdin_filename.is_some()) {
        Some(file) => {
            let name = visible::path(file);
            let message = format!("standard input is read alone, and not together with {name}");
            Err((ErrorKind::ArgumentConflict, message))
        }
        None => Ok(()),
    }
}

/// The whole command, or its subcommand of this name, built for documentation.
fn find_command(name: Option<&str>) -> Result<clap::Command, clap::Error> {
    let mut all = Cli::command().disable_help_subcommand(true);
    all.build();
    let Some(name) = name else { return Ok(all) };
    all.find_subcommand(name)
        .cloned()
        .ok_or_else(|| usage(ErrorKind::InvalidValue, format!("there is no command '{name}'")))
}

/// Refuses `barelink --full html x.md`: after a flag, every name is that of a file, and
/// "html: no such file" would be a confusing error.
fn refuse_late_command(files: &[PathBuf]) -> Result<(), clap::Error> {
    let Some(file) = files.first().filter(|file| !file.exists()) else { return Ok(()) };
    let command = Cli::command();
    match file.to_str().and_then(|name| command.find_subcommand(name)) {
        None => Ok(()),
        Some(found) => {
            let message = format!("the command goes first: barelink {} ...", found.get_name());
            Err(usage(ErrorKind::UnknownArgument, message))
        }
    }
}

/// An error with the usage of the command of that name.
fn of_command(name: &str, (kind, message): Refused) -> clap::Error {
    let mut all = Cli::command();
    all.build();
    match all.find_subcommand_mut(name) {
        Some(command) => command.error(kind, message),
        None => all.error(kind, message),
    }
}

fn usage(kind: ErrorKind, message: impl std::fmt::Display) -> clap::Error {
    Cli::command().error(kind, message)
}

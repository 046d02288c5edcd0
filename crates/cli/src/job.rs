//! What the command line means: plain values of `cli` become work to be done.
//!
//! Everything that depends on two flags at once is decided here, so that the jobs
//! themselves need not know about flags. What makes no sense is a [`clap::Error`],
//! which `main` shows with the usage line.

use std::path::{Path, PathBuf};

use barelink::stream::{Definitions, Incomplete, StreamOptions};
use barelink::{Dialect, Options};
use barelink_check::Rule;
#[cfg(feature = "serve")]
use barelink_serve::Images;
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use clap_complete::Shell;

use crate::check::args::{CheckArgs, FixArgs, RulesArgs};
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

/// More candidates than this are not explained to people, unless they want to see more.
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
    /// Give a book its bare links; or nothing, to say that it can be done.
    Mdbook(Option<MdbookQuestion>),
    /// Print a shell's completions.
    Completions(Shell),
    /// Print the man page of this command.
    Man(Box<clap::Command>),
}

/// Markdown to HTML.
#[derive(Debug)]
pub(crate) struct HtmlJob {
    /// How to read and render.
    pub(crate) options: Options,
    /// From where to where.
    pub(crate) route: Route,
}

/// From where the documents come and where they go.
#[derive(Debug)]
pub(crate) enum Route {
    /// All documents, one after the other, into one target.
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
        /// The language of documents that name none.
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
    /// What the documents are.
    pub(crate) reading: Reading,
    /// Which of them are listed.
    pub(crate) choice: Choice,
    /// How the links are listed.
    pub(crate) layout: Layout,
    /// What else is asked of them.
    pub(crate) filter: Filter,
}

/// Which links are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    All,
    /// Those that may deceive a reader.
    Suspicious,
}

/// The reasons of documents' links.
#[derive(Debug)]
pub(crate) struct ExplainJob {
    /// How links are decided.
    pub(crate) options: Options,
    /// Where the documents come from.
    pub(crate) sources: Vec<Source>,
    /// The place asked about; everything without it.
    pub(crate) at: Option<At>,
    /// How the reasons are written.
    pub(crate) layout: Layout,
    /// How many candidates are written.
    pub(crate) limit: usize,
}

/// What a document is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    Markdown,
    PlainText,
}

/// Who shall read what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// People.
    Words,
    /// Programs: a JSON object a line.
    Json,
}

impl Job {
    /// Decides what to do.
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
                refuse_beside_stdin(&args.rules).map(|()| Self::Check(args))
            }
            Some(Command::Fix(args)) => refuse_beside_stdin(&args.rules).map(|()| Self::Fix(args)),
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
            // What has scrolled away cannot be revised.
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

/// Refuses to check standard input and files at once: a document of its own is written for it.
fn refuse_beside_stdin(args: &RulesArgs) -> Result<(), clap::Error> {
    let is_named = args.paths.iter().any(|path| is_stdin(path));
    // Who names no path has this one.
    let is_other = |path: &&PathBuf| !is_stdin(path) && (is_named || *path != Path::new("."));
    let other = args.paths.iter().find(is_other);
    match other.filter(|_| is_named || args.stdin_filename.is_some()) {
        Some(file) => {
            let name = visible::path(file);
            let message = format!("standard input is read alone, and not together with {name}");
            Err(usage(ErrorKind::ArgumentConflict, message))
        }
        None => Ok(()),
    }
}

/// The whole command, or the one of that name within it, ready to be described.
fn find_command(name: Option<&str>) -> Result<clap::Command, clap::Error> {
    let mut all = Cli::command().disable_help_subcommand(true);
    all.build();
    let Some(name) = name else { return Ok(all) };
    all.find_subcommand(name)
        .cloned()
        .ok_or_else(|| usage(ErrorKind::InvalidValue, format!("there is no command '{name}'")))
}

/// Refuses `barelink --full html x.md`: after a flag every name is that of a file, and
/// "html: no such file" would not tell what is wrong.
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

fn usage(kind: ErrorKind, message: impl std::fmt::Display) -> clap::Error {
    Cli::command().error(kind, message)
}

//! The command line as it is written: commands, flags and values, with the words
//! that `--help`, the man page and the completions show.
//!
//! Nothing here acts or looks at a file: `job` turns these plain values into work.
//! A new command is a variant of [`Command`]; a new flag of `barelink html` is a
//! field of [`HtmlArgs`], and so becomes one of plain `barelink` too.

use std::path::PathBuf;

use barelink_check::Rule;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

use crate::check::args::{CheckArgs, FixArgs};
use crate::explain::At;
use crate::help;
use crate::links;
use crate::markdown::MarkdownArgs;
use crate::page;
use crate::render::RenderArgs;

/// Turn Markdown into HTML
///
/// Barelink reads files or standard input and writes one stream, one file, or one file
/// for each input. The output is safe by default: raw HTML in the source is shown as
/// text, and links with an unknown scheme lead nowhere.
///
/// Bare URLs, `www.` names and e-mail addresses become links in one of four dialects;
/// `barelink links` lists them, and `barelink explain` shows why each is a link or is not.
///
/// `barelink FILE` is short for `barelink html FILE`. A command comes first, before any
/// flags. To read a file that has the name of a command, write `./html`.
#[derive(Debug, Parser)]
#[command(
    name = "barelink",
    version,
    args_conflicts_with_subcommands = true,
    after_long_help = help::after_long_help("barelink")
)]
pub(crate) struct Cli {
    /// What to do; `html` if it is not said.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// The flags of `html`, for when it is not said.
    #[command(flatten)]
    pub(crate) html: HtmlArgs,

    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: Color,
}

/// The jobs that have a name.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Turn Markdown into HTML (the default)
    #[command(after_long_help = help::after_long_help("html"))]
    Html(HtmlArgs),

    /// List every link: where it is, how it is written, where it leads
    ///
    /// List every link and image of the documents, in order: bare links, <angle> links,
    /// [inline](links), the three kinds of [reference] links, and `<a href>` and `<img src>` in
    /// raw HTML. Also [references][missing] without a definition, and at the end of a document
    /// definitions that nobody uses. Each has a line of its own, which begins with
    /// FILE:LINE:COLUMN, as editors and grep write it.
    ///
    /// The columns after that are the kind (`link`, `image`, `broken`, `unused`); the form (url,
    /// www and email are bare links; angle, inline, full, collapsed, shortcut; html; missing,
    /// definition); the destination, or the label in brackets; and the text, if it differs from
    /// the destination. A document without links is not an error. Filters of several sorts must
    /// all fit, and of one sort one.
    #[command(after_long_help = help::after_long_help("links"))]
    Links(LinksArgs),

    /// Show why something is a link, or why it is not
    ///
    /// Show every place where a bare link could be, that is every `://`, `www.` and `@`, and
    /// the decision about it: linked, with what was left out at the end and the rule for
    /// that; refused, with the rule and the character that broke it; or elsewhere, such as in
    /// code, where bare links are not looked for. Dialects that decide differently are listed
    /// with their reasons.
    ///
    /// Among them is what looks like a [link](with brackets) and is none: broken, with the flaw,
    /// the character where it is, and what to write instead. Such are `[a](b c)`, `[a] (b.md)`
    /// and `[a][b]` without a definition of `b`.
    ///
    /// The reasons come from the code that decides, so `explain` and `html` cannot disagree.
    #[command(after_long_help = help::after_long_help("explain"))]
    Explain(ExplainArgs),

    /// Preview the Markdown files of a folder in the browser
    ///
    /// Shows the Markdown files of a folder as GitHub would, with an index of every folder, and
    /// reloads a page by itself when its file changes. At /try/ is a page that compares the
    /// dialects of bare links and explains their decisions. Ctrl-C ends it.
    ///
    /// Only programs on this machine can ask, requests for foreign host names are refused, and
    /// neither hidden files nor anything outside of the folder is ever shown. Raw HTML is shown
    /// as text unless you say otherwise; scripts never run.
    #[cfg(feature = "serve")]
    #[command(
        after_long_help = help::after_long_help("serve"),
        mut_arg("preset", |arg| arg.default_value("github"))
    )]
    Serve(ServeArgs),

    /// Follow a document while it is written
    ///
    /// Read standard input as it comes, and print for each piece, at once, what changes on the
    /// page: a line with a JSON object, such as
    ///
    ///   {"blocks":[{"id":0,"keep":8,"html":"<em>text</em></p>\n","state":"open"}],"revised":[]}
    ///
    /// The page is the HTML of all blocks in the order of their ids. That of a block is the
    /// first `keep` bytes of what it was, and then `html`; if there is neither, the block is
    /// gone. It is `open`, `closed` by a line that is not complete, or `settled`: then it changes
    /// only by being `revised`, when something it refers to is defined. The last line has
    /// "end": true. After each piece the page is what `barelink html` makes of the text so far,
    /// but a link reference definition counts once its paragraph is closed.
    #[command(verbatim_doc_comment, after_long_help = help::after_long_help("stream"))]
    Stream(StreamArgs),

    /// Check links: those that mean different things in different places, and mistakes
    ///
    /// Check the links of documents: bare links that end in the wrong place, that some programs
    /// link and others do not, or that are none though a reader sees one; malformed and
    /// deceptive links. `barelink rule` lists the rules, `barelink fix` fixes what it can.
    ///
    /// Findings are not about local files, fragments or whether a URL answers: other tools do
    /// that.
    #[command(after_long_help = help::after_long_help("check"))]
    Check(CheckArgs),

    /// Fix links so that they mean the same everywhere
    ///
    /// Fix what `barelink check` finds, as far as there is a safe fix: one after which the page
    /// where the document is published is the same, byte for byte. That is checked before a
    /// file is written. What is left is listed.
    #[command(after_long_help = help::after_long_help("fix"))]
    Fix(FixArgs),

    /// Check links in an editor, while you type
    ///
    /// Speak the Language Server Protocol on standard input and output. Editors start it; it is
    /// of little use on a terminal. They show what `barelink check` finds while a document is
    /// typed, offer its fixes, and tell on hover why something is a link, or why not, and what
    /// other dialects make of it.
    ///
    /// Settings come from the nearest barelink.toml of each file, as for `barelink check`, and are
    /// read again when it changes. What is in the editor counts, saved or not. Nothing is written
    /// to files.
    #[cfg(feature = "lsp")]
    #[command(after_long_help = help::after_long_help("lsp"))]
    Lsp(LspArgs),

    /// List the rules of check, or explain one
    Rule {
        /// The rule, by its code or name [default: all, in a list]
        name: Option<Rule>,
    },

    /// Give a book of mdBook its bare links, as a preprocessor
    ///
    /// Read a book from standard input, as mdBook hands it to a preprocessor, and write it with
    /// its bare links in a form that mdBook links, as `barelink fix --select BL004` writes them.
    /// Nothing else in it changes. In book.toml:
    ///
    ///   [preprocessor.barelink]
    ///   command = "barelink mdbook"
    ///
    /// If `after` names the preprocessor `links`, included files have their links, too. Other keys
    /// of that table are `dialect` and `style`, as --dialect and --style of `barelink fix`.
    #[command(verbatim_doc_comment)]
    Mdbook {
        #[command(subcommand)]
        question: Option<MdbookQuestion>,
    },

    /// Print the completions for a shell
    ///
    /// Print a script that makes a shell complete this command's flags and values. Where
    /// to put it depends on the shell. For fish, for example:
    ///
    ///   barelink completions fish > ~/.config/fish/completions/barelink.fish
    #[command(verbatim_doc_comment)]
    Completions {
        /// The shell to write for
        shell: Shell,
    },

    /// Print the man page
    ///
    /// Print the manual page of `barelink`, or of one of its commands, in roff.
    /// To read it now:
    ///
    ///   barelink man | man -l -
    #[command(verbatim_doc_comment)]
    Man {
        /// The command to describe [default: barelink itself]
        command: Option<String>,
    },
}

/// What mdBook asks a preprocessor before it runs it.
#[derive(Debug, Subcommand)]
pub(crate) enum MdbookQuestion {
    /// End with 0: the book may go to any renderer
    Supports {
        /// The renderer
        renderer: String,
    },
}

/// The flags of `barelink html` and of plain `barelink`.
#[derive(Debug, Args)]
pub(crate) struct HtmlArgs {
    /// The Markdown to read; `-` or no FILE means standard input
    ///
    /// Bytes that are not UTF-8 become U+FFFD; a warning shows where the first one is.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Write to this file instead of standard output
    ///
    /// Several inputs are written one after the other. The file appears only when it is
    /// complete.
    #[arg(
        short,
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with = "out_dir",
        help_heading = "Output"
    )]
    pub(crate) output: Option<PathBuf>,

    /// Write one .html file for each input into this directory
    ///
    /// The directory is created if it is missing. An input with a relative path keeps its
    /// folders (`docs/a.md` becomes `DIR/docs/a.html`), one with an absolute path keeps only
    /// its name. Nothing is written outside DIR, through symbolic links neither, and no input
    /// is replaced. If two inputs have the same output, the second is refused. Links from one
    /// input to another become links between the pages. An input may be a folder: it stands
    /// for the Markdown files below it, without hidden files and those that .gitignore names.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Output")]
    pub(crate) out_dir: Option<PathBuf>,

    /// Write a complete page: head, title, style sheet, heading ids
    ///
    /// Title and language come from the front matter (`title`, `lang`). Without a title
    /// there, it is the text of the first heading, or else the name of the file. Several
    /// inputs in one output become one page.
    #[arg(long, help_heading = "Output")]
    pub(crate) full: bool,

    /// The language of a complete page, if its document does not name one
    #[arg(
        long,
        value_name = "LANG",
        default_value = page::DEFAULT_LANG,
        requires = "full",
        help_heading = "Output"
    )]
    pub(crate) lang: String,

    /// Read one JSON string per line, write one for each
    ///
    /// For pipelines: each line of the input is one document as a JSON string, and each
    /// line of the output is its HTML as a JSON string, in the same order. Output is
    /// flushed whenever no further line is waiting. A line that is not a JSON string is
    /// reported, and its output is `null`.
    #[arg(long, conflicts_with_all = ["out_dir", "full"], help_heading = "Output")]
    pub(crate) jsonl: bool,

    /// Which Markdown to read.
    #[command(flatten)]
    pub(crate) markdown: MarkdownArgs,

    /// How HTML is written.
    #[command(flatten)]
    pub(crate) render: RenderArgs,
}

/// The flags of `barelink links`.
#[derive(Debug, Args)]
pub(crate) struct LinksArgs {
    /// The Markdown to read; `-` or no FILE means standard input
    ///
    /// A folder stands for the Markdown files below it, without hidden files and those that
    /// .gitignore names.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Write a JSON object for each link, one per line
    ///
    /// Its fields are file, line, column, span (start and end in bytes), kind, form, href,
    /// text, title and warnings, and label if it is broken or unused. Lines and columns count from one, columns in characters.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// List only links that may deceive a reader, with the reasons
    ///
    /// Such as a text that shows another host than the link leads to, a user name before the
    /// host, a host that is a number or mixes scripts, and characters that change the
    /// direction of text.
    #[arg(long, conflicts_with = "plain_text", help_heading = "Output")]
    pub(crate) suspicious: bool,

    /// List only this kind; may be repeated
    #[arg(long = "kind", value_name = "KIND", value_parser = links::KINDS, help_heading = "Filters")]
    pub(crate) kinds: Vec<String>,

    /// List only links that are written in this form; may be repeated
    #[arg(long = "form", value_name = "FORM", value_parser = links::forms(), help_heading = "Filters")]
    pub(crate) forms: Vec<String>,

    /// List only links to this host; may be repeated
    ///
    /// NAME means that host only, `*.NAME` every host below it.
    #[arg(long = "host", value_name = "NAME", help_heading = "Filters")]
    pub(crate) hosts: Vec<String>,

    /// List only links whose destination has this scheme, such as http; may be repeated
    ///
    /// This is about links that are found. To find bare links with further schemes, name them
    /// with --scheme.
    #[arg(long = "url-scheme", value_name = "NAME", help_heading = "Filters")]
    pub(crate) url_schemes: Vec<String>,

    /// Read plain text, not Markdown: list bare links only
    ///
    /// For logs, mail and comments in code: nothing is markup, and only the bare links of
    /// --dialect are listed.
    #[arg(long, help_heading = "Markdown")]
    pub(crate) plain_text: bool,

    /// Which Markdown to read.
    #[command(flatten)]
    pub(crate) markdown: MarkdownArgs,
}

/// The flags of `barelink explain`.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The Markdown to read; `-` or no FILE means standard input
    ///
    /// A folder stands for the Markdown files below it, without hidden files and those that
    /// .gitignore names.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Read this text instead of a file
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with = "files")]
    pub(crate) text: Option<String>,

    /// Explain one place only: the candidate there, or the nearest on that line
    ///
    /// Lines and columns count from one, columns in characters, as editors show them.
    /// LINE alone means every candidate on that line. It is for one file, not for several.
    #[arg(long, value_name = "LINE:COL", value_parser = At::parse)]
    pub(crate) at: Option<At>,

    /// Write a JSON object for each candidate, one per line
    ///
    /// Its fields are file, line, column, candidate, kind, dialect and verdict; href, text,
    /// span and trims if it is linked; rule, sentence, section and at (in bytes) if it is
    /// refused; place and sentence if it is elsewhere; and the verdicts of all others. If a
    /// link of another dialect covers several candidates, it has all these fields with the
    /// first of them, and with the rest only its span.
    ///
    /// What is broken has the verdict `broken` and the kind `link` or `image`, and neither dialect
    /// nor others: its fields are file, line, column, candidate (all of it), flaw, sentence, help,
    /// at (in bytes), text and target. In another that is broken it has only the span of the
    /// candidate, and no text or target.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Write no more than this many candidates; 0 is no limit [default: 1000; none for JSON]
    ///
    /// The last line counts those that were left out; with --json, a warning does.
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) limit: Option<usize>,

    /// Which Markdown to read.
    #[command(flatten)]
    pub(crate) markdown: MarkdownArgs,
}

/// The flags of `barelink stream`.
#[derive(Debug, Args)]
pub(crate) struct StreamArgs {
    /// Read one JSON string per line: each is a piece
    ///
    /// Each is answered by one line. A line that is not a JSON string is reported, and its
    /// answer is `null`.
    #[arg(long, help_heading = "Input")]
    pub(crate) jsonl: bool,

    /// Guess what is not complete
    ///
    /// Hold back what says nothing yet, such as `**` at the end, close what is open, and show
    /// links without a destination until that is complete. What is settled is never guessed.
    #[arg(long, help_heading = "Output")]
    pub(crate) optimistic: bool,

    /// Show the document itself, in the terminal
    ///
    /// The last block is drawn again while it is written. Blocks that are settled stay as they
    /// are: a reference whose definition comes later is text. If the output is no terminal, each
    /// block is printed once it is settled.
    #[arg(long, help_heading = "Output")]
    pub(crate) terminal: bool,

    /// Which Markdown to read.
    #[command(flatten)]
    pub(crate) markdown: MarkdownArgs,

    /// How HTML is written.
    #[command(flatten)]
    pub(crate) render: RenderArgs,
}

/// The flags of `barelink serve`.
#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The folder to show
    #[arg(value_name = "FOLDER", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,

    /// The port to listen on; 0 takes any that is free
    #[arg(short, long, value_name = "PORT", default_value_t = 8000, help_heading = "Server")]
    pub(crate) port: u16,

    /// The address to listen on; 0.0.0.0 lets other machines ask
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1", help_heading = "Server")]
    pub(crate) host: std::net::IpAddr,

    /// Answer to this host name too; may be repeated
    ///
    /// Requests must be sent to an address or to `localhost`. Others are refused, because a
    /// page on the web could have sent them.
    #[arg(long = "allow-host", value_name = "NAME", help_heading = "Server")]
    pub(crate) names: Vec<String>,

    /// Load images from other sites, which tells them that you read the page
    #[arg(long, help_heading = "Server")]
    pub(crate) remote_images: bool,

    /// Which Markdown to read.
    #[command(flatten)]
    pub(crate) markdown: MarkdownArgs,

    /// How HTML is written.
    #[command(flatten)]
    pub(crate) render: RenderArgs,
}

/// The flags of `barelink lsp`.
#[cfg(feature = "lsp")]
#[derive(Debug, Args)]
pub(crate) struct LspArgs {
    /// Take the configuration from this file, whatever is nearest
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "isolated",
        value_hint = ValueHint::FilePath,
        help_heading = "Configuration"
    )]
    pub(crate) config: Option<PathBuf>,

    /// Read no configuration
    #[arg(long, help_heading = "Configuration")]
    pub(crate) isolated: bool,

    /// What is done in any case; some editors say it
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}

/// The values of `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_of_html_work_without_its_name() {
        let cli = Cli::try_parse_from(["barelink", "--unsafe", "--full", "a.md", "b.md"]).unwrap();
        assert!(cli.command.is_none());
        assert!(cli.html.render.trusted && cli.html.full);
        assert_eq!(cli.html.files, [PathBuf::from("a.md"), PathBuf::from("b.md")]);
    }
}

//! Everything that Barelink makes of a source, by name.

use std::io;

use barelink::autolink::{Rules, links, links_with, verdicts};
use barelink::html::{ElementKind, Linkifier, Renderer};
use barelink::stream::{Incomplete, StreamOptions};
use barelink::{
    Action, LineIndex, Options, Parser, SourceTooLong, Stream, Unit, Units, html, pulldown,
};
use barelink_check::{Checker, Flavor, RuleSet, Settings};

use crate::server;

/// What parts the texts of one source of plain text.
const SEPARATOR: char = '\u{1E}';

/// So many bytes are pushed into a stream at a time.
const PIECE_LEN: usize = 64;

/// The same where pieces are long, as from a file.
const LONG_PIECE_LEN: usize = 1 << 13;

/// Defines [`Output`], its list and its names together, so that none is left out.
macro_rules! outputs {
    ($($(#[$doc:meta])* $output:ident = $name:literal,)*) => {
        /// What is made of a source.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Output { $($(#[$doc])* $output,)* }

        impl Output {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$output),*];

            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$output => $name,)* }
            }
        }
    };
}

outputs! {
    Html = "html",
    /// HTML with everything that may be added to it.
    HtmlAll = "html-all",
    /// Into something that is written to.
    Written = "written",
    Events = "events",
    /// HTML from events.
    FromEvents = "from-events",
    Links = "links",
    /// Those of raw HTML, broken and unused ones too, and what is deceptive about them.
    AllLinks = "all-links",
    Explain = "explain",
    /// What looks like a link and is none.
    Near = "near",
    Headings = "headings",
    /// Events of pulldown-cmark, with spans.
    Bridge = "bridge",
    /// HTML with a hook that keeps every link.
    Hook = "hook",
    /// HTML with hooks for every element.
    Hooks = "hooks",
    /// The recognizer alone, on the source as plain text, or on each text of it.
    Plain = "plain",
    /// The same, with all that may be turned on.
    PlainAll = "plain-all",
    /// What it says about each candidate.
    Verdicts = "verdicts",
    /// The source as HTML, with links put into it.
    Linkify = "linkify",
    /// The source as plain text, with links put into it.
    LinkifyText = "linkify-text",
    /// The words of the document.
    Text = "text",
    /// Lines and columns, and units of other languages, of every place of an event.
    Places = "places",
    /// A stream, read after every piece.
    Stream = "stream",
    /// The same, with everything that may be added to its HTML.
    StreamAll = "stream-all",
    /// The same as the first, with guesses.
    Optimistic = "optimistic",
    /// The same as the first, in long pieces.
    StreamLong = "stream-long",
    /// What all rules find.
    Check = "check",
    /// The same in MDX.
    CheckMdx = "check-mdx",
    Fix = "fix",
    /// Fixes that change the page, too.
    FixAll = "fix-all",
    /// What the language server says in the middle of a document.
    Hover = "hover",
    /// What it offers for all of it.
    Actions = "actions",
    /// Nothing of use, in quadratic time: for a test that it would be seen.
    Quadratic = "quadratic",
}

impl Output {
    pub(crate) fn from_name(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().copied().find(|output| output.name() == name);
        found.ok_or_else(|| format!("no such output: {name}"))
    }

    /// Makes it, and counts what it is made of.
    pub(crate) fn make(self, options: Options, source: &str) -> Result<usize, SourceTooLong> {
        match self {
            Self::Html | Self::HtmlAll | Self::Written | Self::FromEvents | Self::Text => {
                self.make_text(options, source)
            }
            Self::Hook | Self::Hooks => hooked(self, options, source),
            Self::Plain | Self::PlainAll | Self::Verdicts => Ok(plain(self, &options, source)),
            Self::Linkify | Self::LinkifyText => Ok(linkified(self, &options, source)),
            Self::Stream | Self::StreamAll | Self::Optimistic | Self::StreamLong => {
                streamed(self, options, source)
            }
            Self::Check | Self::CheckMdx | Self::Fix | Self::FixAll => {
                checked(self, options, source)
            }
            Self::Hover | Self::Actions => Ok(server::answer(self, options, source)),
            Self::Places => places(options, source),
            Self::Quadratic => Ok(quadratic(source)),
            _ => self.make_parts(options, source),
        }
    }

    fn make_text(self, mut options: Options, source: &str) -> Result<usize, SourceTooLong> {
        if self == Self::HtmlAll {
            options.policy.heading_ids = true;
            options.policy.source_positions = true;
            options.policy.https = true;
            options.policy.external.rel = Some("nofollow".into());
            options.policy.external.target_blank = true;
            options.policy.own_hosts = vec!["*.a.bc".to_owned()];
        }
        let mut parser = Parser::new(options.clone());
        let mut out = String::new();
        match self {
            Self::Written => {
                let mut sink = io::sink();
                // A sink takes everything.
                let _ = parser.parse(source)?.write_html(&mut sink);
            }
            Self::FromEvents => {
                html::push_events(parser.parse(source)?.events(), &options, &mut out);
            }
            Self::Text => parser.parse(source)?.push_text(&mut out),
            _ => parser.push_html(source, &mut out)?,
        }
        Ok(out.len())
    }

    /// What comes one by one.
    fn make_parts(self, options: Options, source: &str) -> Result<usize, SourceTooLong> {
        let mut parser = Parser::new(options);
        let document = parser.parse(source)?;
        Ok(match self {
            Self::Events => document.events().count(),
            Self::Links => document.links().count(),
            Self::AllLinks => document.all_links().map(|link| 1 + link.warnings().len()).sum(),
            Self::Explain => document.explain().count(),
            Self::Near => document.near_links().count(),
            Self::Headings => document.headings().map(|heading| heading.text.len()).sum(),
            _ => pulldown::events_with_spans(&document).count(),
        })
    }
}

fn hooked(output: Output, options: Options, source: &str) -> Result<usize, SourceTooLong> {
    const KINDS: [ElementKind; 7] = [
        ElementKind::Paragraph,
        ElementKind::Heading,
        ElementKind::CodeBlock,
        ElementKind::HtmlBlock,
        ElementKind::Table,
        ElementKind::Link,
        ElementKind::Image,
    ];
    let mut parser = Parser::new(options);
    let document = parser.parse(source)?;
    let mut renderer = Renderer::new().on_link(|_| Action::Keep);
    if output == Output::Hooks {
        for kind in KINDS {
            renderer = renderer.on(kind, |element, out| {
                out.push_str(element.content);
                out.push_str(element.text);
            });
        }
    }
    let mut out = String::new();
    renderer.push_document(&document, &mut out);
    Ok(out.len())
}

fn plain(output: Output, options: &Options, source: &str) -> usize {
    let mut rules = Rules::new(options.autolinks.dialect.unwrap_or_default());
    let texts = source.split(SEPARATOR);
    match output {
        Output::Plain => texts.map(|text| links(text, rules).count()).sum(),
        Output::Verdicts => texts.map(|text| verdicts(text, rules).count()).sum(),
        _ => {
            rules.domains = true;
            texts.map(|text| links_with(text, rules, &["a", "b"]).count()).sum()
        }
    }
}

fn linkified(output: Output, options: &Options, source: &str) -> usize {
    let mut out = String::new();
    let mut linkifier = Linkifier::new(options);
    match output {
        Output::Linkify => linkifier.push_html(source, &mut out),
        _ => linkifier.push_text(source, &mut out),
    }
    out.len()
}

fn streamed(output: Output, options: Options, source: &str) -> Result<usize, SourceTooLong> {
    let mut options = StreamOptions::new(options);
    if output == Output::StreamAll {
        options.options.policy.heading_ids = true;
        options.options.policy.source_positions = true;
    }
    if output == Output::Optimistic {
        options.optimistic = Incomplete::OPTIMISTIC;
    }
    let mut stream = Stream::new(options);
    let piece_len = if output == Output::StreamLong { LONG_PIECE_LEN } else { PIECE_LEN };
    let mut len = 0;
    for piece in source.as_bytes().chunks(piece_len) {
        stream.push_bytes(piece)?;
        len += stream.update().blocks().map(|block| block.html.len()).sum::<usize>();
    }
    Ok(len + stream.finish().blocks().count())
}

fn checked(output: Output, options: Options, source: &str) -> Result<usize, SourceTooLong> {
    let mut settings = Settings::default();
    settings.options = options;
    settings.rules = RuleSet::ALL;
    if output == Output::CheckMdx {
        settings.flavor = Flavor::Mdx;
    }
    let mut checker = Checker::new(settings);
    Ok(match output {
        Output::Fix => checker.fix(source)?.map_or(0, |fixed| fixed.n_fixed),
        Output::FixAll => checker.fix_all(source)?.map_or(0, |fixed| fixed.n_fixed),
        _ => checker.check(source)?.len(),
    })
}

fn places(options: Options, source: &str) -> Result<usize, SourceTooLong> {
    let mut parser = Parser::new(options);
    let document = parser.parse(source)?;
    let lines = LineIndex::new(source);
    let mut chars = Units::new(source, Unit::Char);
    let mut utf16 = Units::new(source, Unit::Utf16);
    let mut sum = 0;
    for event in document.events() {
        let place = lines.line_col(event.span.start);
        let back = lines.offset(place.line, place.column);
        sum += back.unwrap_or_default() as usize + lines.byte_column(event.span.end) as usize;
        sum += (chars.at(event.span.end) + utf16.at(event.span.start)) as usize;
    }
    Ok(sum)
}

fn quadratic(source: &str) -> usize {
    let bytes = source.as_bytes();
    let is_before = |&at: &usize| bytes[..at].contains(&std::hint::black_box(b'\x01'));
    (0..bytes.len()).step_by(16).filter(is_before).count()
}

//! Barelink and its peers behind one interface: a source in, HTML out. All that can be reused from
//! call to call is.
//!
//! All get the same rules: raw HTML and every destination pass, HTML and not
//! XHTML, no footnotes, no tag filter, no identifiers on headings. `gfm` adds
//! tables, strikethrough, task items and bare links to `commonmark`.

use anyhow::{bail, ensure};
use barelink::{Options, Policy};

/// What is recognized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Config {
    /// CommonMark alone.
    CommonMark,
    /// GFM with bare links.
    Gfm,
}

impl Config {
    /// Both, in the order of reports.
    pub const ALL: [Self; 2] = [Self::CommonMark, Self::Gfm];

    /// The name of Barelink's preset, and of the configuration in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CommonMark => "commonmark",
            Self::Gfm => "gfm",
        }
    }

    /// The configuration of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|config| config.name() == name)
    }

    /// Barelink's options for it, or `None` if this Barelink has no such preset.
    pub fn options(self) -> Option<Options> {
        let mut options = Options::preset(self.name())?;
        options.policy = Policy::TRUSTED;
        options.tag_filter = false;
        Some(options)
    }
}

/// Something that makes HTML of Markdown.
pub trait Engine {
    /// The HTML of `source`, in memory that the engine keeps until the next call.
    fn html(&mut self, source: &str) -> &[u8];
}

/// Data about an engine, available without creating it.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    /// Its name in reports and in `Cargo.lock`.
    pub name: &'static str,
    /// Its version where it is not in `Cargo.lock`.
    pub version: Option<&'static str>,
}

impl Peer {
    const fn new(name: &'static str) -> Self {
        Self { name, version: None }
    }
}

/// Barelink's name among the engines.
pub const BARELINK: &str = "barelink";

/// All engines of this build, Barelink first.
pub const PEERS: &[Peer] = &[
    Peer::new(BARELINK),
    Peer::new("ferromark"),
    Peer::new("pulldown-cmark"),
    #[cfg(md4c)]
    Peer { name: "md4c", version: Some(env!("BENCH_MD4C")) },
    Peer::new("comrak"),
    #[cfg(cmark_gfm)]
    Peer { name: "cmark-gfm", version: Some(env!("BENCH_CMARK_GFM")) },
    Peer::new("rushdown"),
    Peer::new("markdown"),
];

/// An engine that takes part, checked.
pub struct Entrant {
    /// Its name.
    pub name: &'static str,
    /// Whether it does less than the configuration says: no bare links.
    pub does_less: bool,
    /// The engine.
    pub engine: Box<dyn Engine>,
}

impl Entrant {
    /// The name, with an asterisk if it does less than asked for.
    pub fn label(&self) -> String {
        format!("{}{}", self.name, if self.does_less { "*" } else { "" })
    }
}

/// The engines that have the configuration, `only` those named if any are.
pub fn entrants(config: Config, only: &[String]) -> anyhow::Result<Vec<Entrant>> {
    let is_wanted = |peer: &&Peer| only.is_empty() || only.iter().any(|name| name == peer.name);
    let mut found = Vec::new();
    for peer in PEERS.iter().filter(is_wanted) {
        if let Some(mut engine) = make(peer.name, config) {
            let has_bare_links = check(peer.name, config, engine.as_mut())?;
            let does_less = config == Config::Gfm && !has_bare_links;
            found.push(Entrant { name: peer.name, does_less, engine });
        }
    }
    Ok(found)
}

/// What to install for the peers that this build lacks.
pub fn missing() -> Vec<&'static str> {
    let mut packages = Vec::new();
    if cfg!(not(md4c)) {
        packages.extend(["libmd4c-dev", "libmd4c-html0-dev"]);
    }
    if cfg!(not(cmark_gfm)) {
        packages.extend(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"]);
    }
    packages
}

/// The engine of that name, or `None` if it does not have the configuration.
///
/// # Panics
/// If there is no such engine in this build.
pub fn make(name: &str, config: Config) -> Option<Box<dyn Engine>> {
    Some(match name {
        BARELINK => Box::new(Barelink::new(config.options()?)),
        "ferromark" => Box::new(Ferromark::new(config)),
        "pulldown-cmark" => Box::new(PulldownCmark::new(config)),
        "comrak" => Box::new(Comrak::new(config)),
        "rushdown" => Box::new(Rushdown::new(config)),
        "markdown" => Box::new(Markdown::new(config)),
        #[cfg(md4c)]
        "md4c" => Box::new(crate::foreign::md4c::Md4c::new(config)),
        #[cfg(cmark_gfm)]
        "cmark-gfm" => Box::new(crate::foreign::cmark_gfm::CmarkGfm::new(config)),
        _ => panic!("no engine {name}"),
    })
}

struct Barelink {
    parser: barelink::Parser,
    out: String,
}

impl Barelink {
    fn new(options: Options) -> Self {
        Self { parser: barelink::Parser::new(options), out: String::new() }
    }
}

impl Engine for Barelink {
    fn html(&mut self, source: &str) -> &[u8] {
        self.out.clear();
        self.parser.push_html(source, &mut self.out).expect("a corpus is below 4 GiB");
        self.out.as_bytes()
    }
}

/// The renderer, its buffer and the arena are kept; a new arena is made when
/// the old one is smaller than its own functions would make it.
struct Ferromark {
    options: ferromark::ParserOptions,
    renderer: ferromark::HtmlRenderer,
    arena: ferromark::Allocator,
}

impl Ferromark {
    fn new(config: Config) -> Self {
        let (options, mut rendering) = match config {
            Config::CommonMark => (
                ferromark::ParserOptions::commonmark(),
                ferromark::HtmlRendererOptions::commonmark(),
            ),
            Config::Gfm => {
                (ferromark::ParserOptions::gfm_spec(), ferromark::HtmlRendererOptions::gfm_spec())
            }
        };
        rendering.disallow_raw_html = false;
        let renderer = ferromark::HtmlRenderer::with_options(rendering);
        Self { options, renderer, arena: ferromark::Allocator::new() }
    }
}

impl Engine for Ferromark {
    fn html(&mut self, source: &str) -> &[u8] {
        self.arena.reset();
        let wanted = ferromark::Allocator::capacity_for_source_len(source.len());
        if self.arena.allocated_bytes() < wanted {
            self.arena = ferromark::Allocator::with_capacity(wanted);
        }
        let parser = ferromark::Parser::with_options(&self.arena, source, self.options.clone());
        let document = parser.parse().expect("no document nests that deep");
        self.renderer.render_borrowed(&document).as_bytes()
    }
}

struct PulldownCmark {
    options: pulldown_cmark::Options,
    out: String,
}

impl PulldownCmark {
    fn new(config: Config) -> Self {
        Self { options: pulldown_options(config), out: String::new() }
    }
}

/// pulldown-cmark's options: it has all of GFM but for bare links.
pub fn pulldown_options(config: Config) -> pulldown_cmark::Options {
    match config {
        Config::CommonMark => pulldown_cmark::Options::empty(),
        Config::Gfm => {
            pulldown_cmark::Options::ENABLE_TABLES
                | pulldown_cmark::Options::ENABLE_STRIKETHROUGH
                | pulldown_cmark::Options::ENABLE_TASKLISTS
        }
    }
}

impl Engine for PulldownCmark {
    fn html(&mut self, source: &str) -> &[u8] {
        self.out.clear();
        let parser = pulldown_cmark::Parser::new_ext(source, self.options);
        pulldown_cmark::html::push_html(&mut self.out, parser);
        self.out.as_bytes()
    }
}

struct Comrak {
    options: comrak::Options<'static>,
    out: String,
}

impl Comrak {
    fn new(config: Config) -> Self {
        let mut options = comrak::Options::default();
        options.render.r#unsafe = true;
        if config == Config::Gfm {
            options.extension.table = true;
            options.extension.strikethrough = true;
            options.extension.tasklist = true;
            options.extension.autolink = true;
        }
        Self { options, out: String::new() }
    }
}

impl Engine for Comrak {
    fn html(&mut self, source: &str) -> &[u8] {
        self.out.clear();
        let arena = comrak::Arena::new();
        let root = comrak::parse_document(&arena, source, &self.options);
        comrak::format_html(root, &self.options, &mut self.out).expect("a string takes all");
        self.out.as_bytes()
    }
}

type RushdownFn = Box<dyn Fn(&mut String, &str) -> rushdown::Result<()>>;

struct Rushdown {
    convert: RushdownFn,
    out: String,
}

impl Rushdown {
    fn new(config: Config) -> Self {
        use rushdown::renderer::html;
        let rendering = html::Options { allows_unsafe: true, ..html::Options::default() };
        let parsing = rushdown::parser::Options::default();
        let convert: RushdownFn = match config {
            Config::CommonMark => Box::new(rushdown::new_markdown_to_html_string(
                parsing,
                rendering,
                rushdown::parser::NO_EXTENSIONS,
                html::NO_EXTENSIONS,
            )),
            Config::Gfm => Box::new(rushdown::new_markdown_to_html_string(
                parsing,
                rendering,
                rushdown::parser::gfm(rushdown::parser::GfmOptions::default()),
                html::NO_EXTENSIONS,
            )),
        };
        Self { convert, out: String::new() }
    }
}

impl Engine for Rushdown {
    fn html(&mut self, source: &str) -> &[u8] {
        self.out.clear();
        (self.convert)(&mut self.out, source).expect("a string takes all");
        self.out.as_bytes()
    }
}

/// It returns a new string at each call; it has no other interface.
struct Markdown {
    options: markdown::Options,
    out: String,
}

impl Markdown {
    fn new(config: Config) -> Self {
        let mut options = match config {
            Config::CommonMark => markdown::Options::default(),
            Config::Gfm => markdown::Options::gfm(),
        };
        options.compile.allow_dangerous_html = true;
        options.compile.allow_dangerous_protocol = true;
        options.compile.gfm_tagfilter = false;
        options.parse.constructs.gfm_footnote_definition = false;
        options.parse.constructs.gfm_label_start_footnote = false;
        Self { options, out: String::new() }
    }
}

impl Engine for Markdown {
    fn html(&mut self, source: &str) -> &[u8] {
        self.out = markdown::to_html_with_options(source, &self.options).expect("no MDX, no error");
        self.out.as_bytes()
    }
}

const SAMPLE: &str = "# Hi *there*\n\n- a\n- [b](/c \"d\")\n\n> q <b>raw</b> `x`\n\n    code\n\n\
                      [e][f] javascript [g](javascript:h)\n\n[f]: /i\n";

const SAMPLE_PARTS: &[&str] = &[
    ">Hi <em>there</em></h1>",
    "<a href=\"/c\" title=\"d\">b</a>",
    "<blockquote>",
    "<b>raw</b> <code>x</code>",
    "<pre><code>code\n</code></pre>",
    "<a href=\"/i\">e</a>",
    "<a href=\"javascript:h\">g</a>",
];

const GFM_SAMPLE: &str = "| a | b |\n|---|---|\n| ~~c~~ | d |\n\n- [x] done\n\n\
                          <script>s</script> <title>t</title>\n\nsee https://a.example/b now\n";

const GFM_SAMPLE_PARTS: &[&str] = &["<table>", "<del>c</del>", "checked"];

const RAW_HTML: &str = "<title>t</title>";

const BARE_LINK: &str = "<a href=\"https://a.example/b\">https://a.example/b</a>";

/// Checks that an engine does exactly what its configuration says. Returns whether it links bare
/// URLs.
fn check(name: &str, config: Config, engine: &mut dyn Engine) -> anyhow::Result<bool> {
    let who = format!("{name}, {}", config.name());
    let html = String::from_utf8(engine.html(SAMPLE).to_vec())?;
    if let Some(part) = SAMPLE_PARTS.iter().find(|part| !html.contains(**part)) {
        bail!("{who}: no {part} in\n{html}");
    }
    let is_gfm = config == Config::Gfm;
    let html = String::from_utf8(engine.html(GFM_SAMPLE).to_vec())?;
    for part in GFM_SAMPLE_PARTS {
        ensure!(html.contains(part) == is_gfm, "{who}: {part} is expected in GFM alone\n{html}");
    }
    ensure!(html.contains(RAW_HTML), "{who}: raw HTML does not pass\n{html}");
    let has_bare_links = html.contains(BARE_LINK);
    ensure!(is_gfm || !has_bare_links, "{who}: a link that is none in CommonMark\n{html}");
    Ok(has_bare_links)
}

#[cfg(test)]
mod tests {
    use super::{Config, PEERS, entrants};

    #[test]
    fn every_engine_does_what_it_says() {
        for config in Config::ALL {
            let entrants = entrants(config, &[]).unwrap();
            assert!(entrants.len() + 1 >= PEERS.len());
            for entrant in entrants {
                let is_known = ["pulldown-cmark", "barelink"].contains(&entrant.name);
                assert!(is_known || !entrant.does_less, "{}", entrant.name);
            }
        }
    }
}

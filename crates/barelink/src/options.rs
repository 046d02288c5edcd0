//! What the engine recognizes and how the renderer treats dangerous content: one plain struct, and
//! one `const` preset for each dialect.

use barelink_autolink::{Dialect, Rules};

use crate::policy::Policy;

/// All options of parsing and rendering.
///
/// Start from a preset and change fields:
///
/// ```
/// use barelink::{Options, RawHtml};
/// let mut options = Options::commonmark();
/// options.policy.raw_html = RawHtml::Pass;
/// assert_eq!(barelink::to_html("a <b>c</b>", &options)?, "<p>a <b>c</b></p>\n");
/// # Ok::<(), barelink::SourceTooLong>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools)] // One for each extension.
pub struct Options {
    /// Tables, as in GFM.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.tables = true;
    /// let html = to_html("|a|b|\n|-|-|\n|1|2|", &options)?;
    /// assert!(html.starts_with("<table>\n<thead>\n<tr>\n<th>a</th>"));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub tables: bool,
    /// `~~struck~~`, with one or two tildes, as in GFM.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.strikethrough = true;
    /// assert_eq!(to_html("~~no~~", &options)?, "<p><del>no</del></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub strikethrough: bool,
    /// Whether one tilde strikes through like two, as in GFM. On in every preset; without effect
    /// unless [`strikethrough`](Self::strikethrough) is on, too.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::gfm();
    /// options.single_tilde = false;
    /// assert_eq!(to_html("~5 to ~~6~~", &options)?, "<p>~5 to <del>6</del></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub single_tilde: bool,
    /// `==marked==`, as with comrak's option `highlight`. Off in every preset. Next to other
    /// delimiters, it pairs as in comrak with [`Reading::CmarkGfm`].
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.mark = true;
    /// assert_eq!(to_html("==this==", &options)?, "<p><mark>this</mark></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub mark: bool,
    /// `2^10^`, as in comrak, and also within brackets, where comrak has none. Off in every preset.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.superscript = true;
    /// assert_eq!(to_html("2^10^", &options)?, "<p>2<sup>10</sup></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub superscript: bool,
    /// `H~2~O`, as in comrak: one tilde is a subscript, and only two strike through. Off in every
    /// preset. Next to other delimiters, it pairs as in comrak with [`Reading::CmarkGfm`].
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::gfm();
    /// options.subscript = true;
    /// let html = to_html("H~2~O ~~no~~", &options)?;
    /// assert_eq!(html, "<p>H<sub>2</sub>O <del>no</del></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub subscript: bool,
    /// `- [ ]` and `- [x]`, as in GFM.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.task_lists = true;
    /// let html = to_html("- [x] done", &options)?;
    /// assert!(html.contains(r#"<input type="checkbox" checked="" disabled="" /> done"#));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub task_lists: bool,
    /// GFM's tag filter: if [raw HTML](Policy::raw_html) passes, the `<` of tags that change how
    /// the rest of the page is read, such as `<script>`, is escaped.
    ///
    /// ```
    /// # use barelink::{Options, Policy, to_html};
    /// let mut options = Options::commonmark();
    /// options.policy = Policy::TRUSTED;
    /// options.tag_filter = true;
    /// let html = to_html("<b>a</b> <title>b</title>", &options)?;
    /// assert_eq!(html, "<p><b>a</b> &lt;title>b&lt;/title></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub tag_filter: bool,
    /// Footnotes, as on GitHub.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.footnotes = true;
    /// let html = to_html("text[^1]\n\n[^1]: note", &options)?;
    /// assert!(html.contains(r##"<a href="#fn-1" id="fnref-1" data-footnote-ref>1</a>"##));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub footnotes: bool,
    /// `> [!NOTE]`, as on GitHub.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.alerts = true;
    /// let html = to_html("> [!TIP]\n> Read on.", &options)?;
    /// assert!(html.starts_with(r#"<div class="markdown-alert markdown-alert-tip">"#));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub alerts: bool,
    /// Definition lists, as in pulldown-cmark: a paragraph is a term if it is followed by lines
    /// that start with `:`, possibly after blank lines. Off in every preset.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.definition_lists = true;
    /// let html = to_html("tape\n: flat records\n: in document order", &options)?;
    /// assert_eq!(
    ///     html,
    ///     "<dl>\n<dt>tape</dt>\n<dd>flat records</dd>\n<dd>in document order</dd>\n</dl>\n"
    /// );
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub definition_lists: bool,
    /// Attributes of headings, `# Title {#id .class name=value}`, as in pulldown-cmark. An id gets
    /// the [prefix](Policy::id_prefix), and a number if it is taken. Attributes other than ids and
    /// classes are written only if [raw HTML](Policy::raw_html) passes. Off in every preset.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.heading_attributes = true;
    /// let html = to_html("# The tape {#tape .wide onclick=x()}", &options)?;
    /// assert_eq!(html, "<h1 id=\"tape\" class=\"wide\">The tape</h1>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub heading_attributes: bool,
    /// Emoji by their names, `:tada:`, as on GitHub. The list of names requires the feature
    /// `emoji`, which is on by default. A backslash before a colon prevents the replacement.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.emoji = true;
    /// # #[cfg(feature = "emoji")]
    /// assert_eq!(to_html("done :tada: \\:tada:", &options)?, "<p>done 🎉 :tada:</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub emoji: bool,
    /// Smart punctuation, as in cmark and pulldown-cmark: quotes, dashes and ellipses are displayed
    /// in their typographic forms. Bare links and the ids of headings are not affected. Off in
    /// every preset.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.smart_punctuation = true;
    /// let html = to_html("\"It's\" -- well... `--`", &options)?;
    /// assert_eq!(html, "<p>“It’s” – well… <code>--</code></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub smart_punctuation: bool,
    /// Math: `$…$`, `$$…$$`, `` $`…`$ ``, and code blocks of the language `math`. It is marked for
    /// a script that displays it, with the same attribute as in comrak. On in `github` and
    /// `natural`.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.math = true;
    /// let html = to_html("$x_1$ for $5 or $10", &options)?;
    /// assert_eq!(html, "<p><span data-math-style=\"inline\">x_1</span> for $5 or $10</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub math: bool,
    /// `[[target]]` and `[[target|text]]`, with the text after the pipe, as in comrak. Off in every
    /// preset. In `![[a.png]]`, the mark is text.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.wiki_links = true;
    /// let html = to_html("[[Home page|home]]", &options)?;
    /// assert_eq!(html, "<p><a href=\"Home%20page\" data-wikilink=\"true\">home</a></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub wiki_links: bool,
    /// Front matter: at the very start of the source, lines between two lines of `---` (YAML) or
    /// `+++` (TOML), the first of which sets a key. It becomes an
    /// [event](crate::EventKind::FrontMatter) and is never displayed. Off in every preset; the
    /// command turns it on for files.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.front_matter = true;
    /// let html = to_html("---\ntitle: Home\n---\n# Home", &options)?;
    /// assert_eq!(html, "<h1>Home</h1>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub front_matter: bool,
    /// Emphasis next to Chinese, Japanese and Korean text, where CommonMark expects spaces that
    /// these languages do not use.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::commonmark();
    /// assert_eq!(to_html("**注意：**请看", &options)?, "<p>**注意：**请看</p>\n");
    /// options.cjk_friendly_emphasis = true;
    /// let html = to_html("**注意：**请看", &options)?;
    /// assert_eq!(html, "<p><strong>注意：</strong>请看</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub cjk_friendly_emphasis: bool,
    /// The style of markup for what no standard defines: task lists, footnotes, alerts.
    ///
    /// ```
    /// # use barelink::{Markup, Options, to_html};
    /// let mut options = Options::commonmark();
    /// options.task_lists = true;
    /// options.markup = Markup::Md4c;
    /// assert!(to_html("- [x] done", &options)?.contains("task-list-item-checkbox"));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub markup: Markup,
    /// The reading of GFM's extensions where its specification and its implementation, cmark-gfm,
    /// differ. comrak reads `~` and `==` as cmark-gfm reads `~`: another delimiter run ignores them
    /// when it looks for the characters around it, so `*~a~*b` is emphasis and `*~ a*` is none.
    ///
    /// ```
    /// # use barelink::{Options, Reading, to_html};
    /// let mut options = Options::gfm();
    /// assert_eq!(to_html("**~~a~~**b", &options)?, "<p>**<del>a</del>**b</p>\n");
    /// options.reading = Reading::CmarkGfm;
    /// assert_eq!(to_html("**~~a~~**b", &options)?, "<p><strong><del>a</del></strong>b</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub reading: Reading,
    /// Bare links: the dialect, and the kinds.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::gfm();
    /// options.autolinks.email = false;
    /// let html = to_html("www.a.bc a@b.cd", &options)?;
    /// assert_eq!(html, "<p><a href=\"http://www.a.bc\">www.a.bc</a> a@b.cd</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub autolinks: Autolinks,
    /// Further schemes of bare URLs, without their colon: `tel`, `magnet`, `app`. Only the natural
    /// dialect looks for them. A scheme may be followed by `//` or not, and the rest of the URL
    /// ends as a path does.
    ///
    /// [`own_scheme`](crate::own_scheme) normalizes them from the form in which people write them.
    /// The policy does not include them: unless it [allows](crate::Urls::and_schemes) such a
    /// scheme, the links get an empty destination.
    ///
    /// ```
    /// # use barelink::{Options, Urls, to_html};
    /// let mut options = Options::natural();
    /// options.schemes = vec!["app".into()];
    /// options.policy.urls = Urls::Safe.and_schemes(["app"]);
    /// let html = to_html("open app://settings.", &options)?;
    /// assert_eq!(html, "<p>open <a href=\"app://settings\">app://settings</a>.</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub schemes: Vec<String>,
    /// How the renderer treats raw HTML and URLs. Safe by default.
    pub policy: Policy,
}

/// Which bare text becomes a link. See [`Options::autolinks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
#[allow(clippy::struct_excessive_bools)] // One for each kind.
pub struct Autolinks {
    /// The dialect that decides candidates; `None` for no bare links at all.
    #[cfg_attr(feature = "serde", serde(with = "crate::names::dialect"))]
    pub dialect: Option<Dialect>,
    /// Whether URLs with a scheme become links.
    pub url: bool,
    /// Whether `www.` names become links.
    pub www: bool,
    /// Whether e-mail addresses become links.
    pub email: bool,
    /// Whether names without a scheme become links if they end in a top-level domain. Off in every
    /// preset, and without effect except in the natural dialect. A name that may also be a file
    /// needs a port or a path.
    ///
    /// ```
    /// # use barelink::{Options, to_html};
    /// let mut options = Options::natural();
    /// options.autolinks.domains = true;
    /// let html = to_html("example.com has README.md", &options)?;
    /// assert_eq!(html, "<p><a href=\"http://example.com\">example.com</a> has README.md</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub domains: bool,
}

impl Autolinks {
    /// No bare links.
    pub const NONE: Self =
        Self { dialect: None, url: true, www: true, email: true, domains: false };

    /// All kinds of links that this dialect recognizes by `://`, `www.` or `@`; `domains` is off.
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect: Some(dialect), ..Self::NONE }
    }

    /// The rules for the recognizer; `None` if no kind is enabled.
    pub const fn rules(&self) -> Option<Rules> {
        match self.dialect {
            Some(dialect) if self.url || self.www || self.email || self.domains => {
                let mut rules = Rules::none(dialect);
                (rules.url, rules.www, rules.email) = (self.url, self.www, self.email);
                rules.domains = self.domains;
                Some(rules)
            }
            _ => None,
        }
    }
}

/// A style of markup. See [`Options::markup`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Markup {
    /// The markup of cmark-gfm and GitHub.
    #[default]
    Github,
    /// The markup of md2html.
    Md4c,
}

/// A reading of GFM's extensions. See [`Options::reading`].
///
/// | input | specification | cmark-gfm |
/// |---|---|---|
/// | `**~~a~~**b` | tildes are punctuation next to `**`, which stays | they are ignored: bold |
/// | `- [ ] a` and `===` below | a task is a paragraph: a heading `[ ] a` | a check box and a heading |
/// | `- [ ]` and a space | no text, no task | an empty task |
/// | ``[^`a`]`` without a definition | text like any other | as written, without code |
/// | a second delimiter row in a paragraph | may make a table | makes none after one that did not fit |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reading {
    /// That of the specification.
    #[default]
    Specification,
    /// That of the implementation.
    CmarkGfm,
}

impl Options {
    /// The names that [`Options::preset`] accepts.
    pub const PRESETS: &'static [&'static str] =
        &["commonmark", "gfm", "github", "md4c", "natural"];

    /// CommonMark 0.31.2 and nothing else.
    ///
    /// ```
    /// let html = barelink::to_html("*hi* ~~there~~", &barelink::Options::commonmark())?;
    /// assert_eq!(html, "<p><em>hi</em> ~~there~~</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub const fn commonmark() -> Self {
        Self {
            tables: false,
            strikethrough: false,
            single_tilde: true,
            mark: false,
            superscript: false,
            subscript: false,
            task_lists: false,
            tag_filter: false,
            footnotes: false,
            alerts: false,
            definition_lists: false,
            heading_attributes: false,
            emoji: false,
            smart_punctuation: false,
            math: false,
            wiki_links: false,
            front_matter: false,
            cjk_friendly_emphasis: false,
            markup: Markup::Github,
            reading: Reading::Specification,
            autolinks: Autolinks::NONE,
            schemes: Vec::new(),
            policy: Policy::SAFE,
        }
    }

    /// GitHub Flavored Markdown as specified: tables, strikethrough, task lists, the tag filter,
    /// extended autolinks.
    ///
    /// ```
    /// let html = barelink::to_html("~~see~~ www.a.bc", &barelink::Options::gfm())?;
    /// assert_eq!(html, "<p><del>see</del> <a href=\"http://www.a.bc\">www.a.bc</a></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub const fn gfm() -> Self {
        let mut options = Self::commonmark();
        options.tables = true;
        options.strikethrough = true;
        options.task_lists = true;
        options.tag_filter = true;
        options.autolinks = Autolinks::new(Dialect::Gfm);
        options
    }

    /// The features of GitHub: [`Options::gfm`] with footnotes, alerts, emoji and math, and the
    /// extensions as cmark-gfm reads them.
    ///
    /// ```
    /// let html = barelink::to_html("> [!NOTE]\n> hi", &barelink::Options::github())?;
    /// assert!(html.contains("markdown-alert-note"));
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub const fn github() -> Self {
        let mut options = Self::gfm();
        options.footnotes = true;
        options.alerts = true;
        options.emoji = true;
        options.math = true;
        options.reading = Reading::CmarkGfm;
        options.autolinks = Autolinks::new(Dialect::Github);
        options
    }

    /// [`Options::github`] with bare links wherever a reader sees one, and emphasis next to
    /// Chinese, Japanese and Korean text.
    ///
    /// ```
    /// let html = barelink::to_html("見て：http://a.bc/x。", &barelink::Options::natural())?;
    /// assert_eq!(html, "<p>見て：<a href=\"http://a.bc/x\">http://a.bc/x</a>。</p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub const fn natural() -> Self {
        let mut options = Self::github();
        options.autolinks = Autolinks::new(Dialect::Natural);
        options.cjk_friendly_emphasis = true;
        options
    }

    /// What MD4C calls its GitHub dialect: tables, strikethrough, task lists.
    ///
    /// ```
    /// let html = barelink::to_html("*hi* ~~there~~", &barelink::Options::md4c())?;
    /// assert_eq!(html, "<p><em>hi</em> <del>there</del></p>\n");
    /// # Ok::<(), barelink::SourceTooLong>(())
    /// ```
    pub const fn md4c() -> Self {
        let mut options = Self::gfm();
        options.tag_filter = false;
        options.markup = Markup::Md4c;
        options.autolinks = Autolinks::new(Dialect::Md4c);
        options
    }

    /// The preset of that name, or `None` if the name is not in [`Options::PRESETS`].
    /// [`str::parse`] does the same, with an error that lists the names.
    ///
    /// ```
    /// use barelink::Options;
    /// assert_eq!(Options::preset("commonmark"), Some(Options::commonmark()));
    /// assert_eq!(Options::preset("latex"), None);
    /// ```
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "commonmark" => Some(Self::commonmark()),
            "gfm" => Some(Self::gfm()),
            "github" => Some(Self::github()),
            "md4c" => Some(Self::md4c()),
            "natural" => Some(Self::natural()),
            _ => None,
        }
    }
}

impl Default for Options {
    /// [`Options::gfm`], which is also the default of the command.
    fn default() -> Self {
        Self::gfm()
    }
}

impl Default for Autolinks {
    /// Those of [`Options::gfm`].
    fn default() -> Self {
        Self::new(Dialect::Gfm)
    }
}

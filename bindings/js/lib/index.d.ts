/** Markdown, as text or as UTF-8. What is not UTF-8 becomes U+FFFD. */
export type Source = string | Uint8Array;

/** A complete set of options, by its name. */
export type Preset = "commonmark" | "gfm" | "github" | "md4c" | "natural";

/** How bare links are recognized. */
export type Dialect = "gfm" | "github" | "md4c" | "natural";

/** What is recognized and how it is written. What is left out is as the preset has it. */
export interface Options {
    /** What to start from. The default is `gfm`. */
    preset?: Preset;
    /** Tables, as in GFM. */
    tables?: boolean;
    /** `~~struck~~`, with one or two tildes, as in GFM. */
    strikethrough?: boolean;
    /** One tilde strikes through like two. On in every preset. */
    singleTilde?: boolean;
    /** `==marked==`. Off in every preset. */
    mark?: boolean;
    /** `2^10^`. Off in every preset. */
    superscript?: boolean;
    /** `H~2~O`; two tildes still strike through. Off in every preset. */
    subscript?: boolean;
    /** `- [ ]` and `- [x]`, as in GFM. */
    taskLists?: boolean;
    /** If raw HTML passes, the `<` of tags such as `<script>` is escaped. */
    tagFilter?: boolean;
    /** Footnotes, as on GitHub. */
    footnotes?: boolean;
    /** `> [!NOTE]`, as on GitHub. */
    alerts?: boolean;
    /** `$x$`, `$$x$$` and code blocks of the language `math`. On in `github` and `natural`. */
    math?: boolean;
    /** `[[target]]` and `[[target|text]]`. Off in every preset. */
    wikiLinks?: boolean;
    /** YAML or TOML at the very start, which is not shown. Off in every preset. */
    frontMatter?: boolean;
    /** Terms, and `:` before what they mean, as in pulldown-cmark. Off in every preset. */
    definitionLists?: boolean;
    /** `:tada:`, as on GitHub. On in `github` and `natural`. */
    emoji?: boolean;
    /** Quotes, dashes and ellipses as typesetters write them, as in cmark. Off in every preset. */
    smartPunctuation?: boolean;
    /** `# Title {#id .class}`, as in pulldown-cmark. Off in every preset. */
    headingAttributes?: boolean;
    /** Emphasis next to Chinese, Japanese and Korean. */
    cjkFriendlyEmphasis?: boolean;
    /** Whose markup to write for task lists, footnotes and alerts. */
    markup?: "github" | "md4c";
    /** Whose reading of GFM's extensions counts where its specification and cmark-gfm part. */
    reading?: "specification" | "cmark-gfm";
    /** Which bare text becomes a link. */
    autolinks?: Autolinks;
    /**
     * Further schemes of bare URLs, such as `tel` or `app`, in the natural dialect. The policy
     * lets them through.
     */
    schemes?: readonly string[];
    /** What the HTML lets through, and what is added. Safe by default. */
    policy?: Policy;
}

/** Options with a function that decides about links. */
export interface RenderOptions extends Options {
    /** Decides about each link and image. What it throws is thrown by the caller. */
    onLink?: (link: Link) => Action;
}

/** Which bare text becomes a link. */
export interface Autolinks {
    /** How candidates are decided; `none` for no bare links. */
    dialect?: Dialect | "none";
    /** Whether URLs with a scheme become links. */
    url?: boolean;
    /** Whether `www.` names become links. */
    www?: boolean;
    /** Whether e-mail addresses become links. */
    email?: boolean;
    /** Whether names such as `example.com` become links, in the natural dialect. Off by default. */
    domains?: boolean;
}

/** What to look for in plain text. */
export interface FindOptions extends Autolinks {
    /** More schemes to look for, such as `tel`, in the natural dialect. */
    schemes?: readonly string[];
}

/** What the HTML lets through, and what is added to it. */
export interface Policy {
    /** Raw HTML is shown as text (the default), left out, or copied. */
    rawHtml?: "escape" | "drop" | "pass";
    /**
     * Which destinations are written: those with safe schemes (the default), with these
     * schemes, or any.
     */
    urls?: "safe" | "any" | readonly string[];
    /** Attributes of bare links. */
    bare?: LinkAttributes;
    /** Attributes of links to other sites. */
    external?: LinkAttributes;
    /** Hosts that are no other sites: a name, or `*.` and a name for all below it. */
    ownHosts?: readonly string[];
    /** Whether bare `www.` names are linked with `https`. */
    https?: boolean;
    /** Whether headings get ids made from their text, as on GitHub. */
    headingIds?: boolean;
    /** The prefix of every id, and of links to them. */
    idPrefix?: string;
    /** Whether blocks have an attribute `data-sourcepos`: lines, and columns in bytes of UTF-8. */
    sourcePositions?: boolean;
    /** What a line ending in a paragraph becomes: a line ending, a space or `<br />`. */
    softBreaks?: "newline" | "space" | "hard";
}

/** Attributes for links of some kind. */
export interface LinkAttributes {
    rel?: string | null;
    /** Whether the link opens in a new window: `target="_blank"`. */
    targetBlank?: boolean;
}

/** A piece of the text, in UTF-16 units: `text.slice(span.start, span.end)`. */
export interface Span {
    start: number;
    end: number;
}

/** How a link is written: the last three are bare. */
export type Form = "inline" | "full" | "collapsed" | "shortcut" | "angle" | "wiki" | "url" | "www" | "email";

/** A link or an image. */
export interface Link {
    /** Whether it is an image. */
    image: boolean;
    form: Form;
    /** Where it leads: unescaped, not percent-encoded, even if the policy refuses it. */
    destination: string;
    /** The same as in HTML: percent-encoded, empty if the policy refuses it. */
    href: string;
    /** Its title; empty if there is none. */
    title: string;
    /** What a reader sees, without markup. */
    text: string;
    /** Whether it leads to another site. */
    external: boolean;
    span: Span;
}

/**
 * What to do with a link or image: `true` or nothing keeps it, `false` writes only its text,
 * `null` leaves it out, a string is its new destination, an object changes it.
 */
export type Action = boolean | string | null | undefined | void | Change;

/** Changes to a link or image. The policy still decides about the destination. */
export interface Change {
    destination?: string;
    /** `null` leaves it out, even if the policy asks for it. */
    rel?: string | null;
    target?: string | null;
    /** Other attributes, by their names. */
    attributes?: Readonly<Record<string, string | null>>;
}

/** What a bare link begins with. */
export type Kind = "url" | "www" | "email" | "domain" | "scheme";

/** A bare link in plain text. */
export interface BareLink {
    kind: Kind;
    /** Where it leads, not percent-encoded. */
    href: string;
    text: string;
    span: Span;
}

/** A rule of a dialect, in one sentence, and where it is written. */
export interface Rule {
    rule: string;
    sentence: string;
    section: string;
}

/** Something left outside at the end of a link. */
export interface Trim extends Rule {
    text: string;
    span: Span;
}

/** What was decided about a candidate for a bare link: each `://`, `www.` and `@`. */
export type Decision = {
    kind: Kind;
    /** The `://`, `www.` or `@` itself. */
    candidate: Span;
} & (
    | { verdict: "linked"; href: string; text: string; span: Span; trims: Trim[] }
    | ({ verdict: "refused"; /** Where the rule is broken. */ at: number } & Rule)
    | { verdict: "elsewhere"; /** Such as `code-span`. */ place: string; sentence: string }
);

/** Something in a text, and where: what starts, what ends, and what is between. */
export type Event = { span: Span } & (
    | Start
    | { event: "end"; /** What ends is the last that started and has not ended. */ tag: Start["tag"] }
    | { event: "text" | "code" | "html" | "inline-html"; text: string }
    | { event: "math"; text: string; style: "inline" | "display" | "code" }
    | { event: "soft-break" | "hard-break" | "thematic-break" }
    | { event: "footnote-reference"; label: string; written: string }
    | { event: "definition"; label: string; destination: string; title: string }
    | { event: "front-matter"; format: "yaml" | "toml"; text: string }
);

/** An element starts. */
export type Start = { event: "start" } & (
    | { tag: "paragraph" | "cell" | "html-block" | "emphasis" | "strong" | "strikethrough" }
    | { tag: "mark" | "superscript" | "subscript" }
    | {
          tag: "heading";
          level: number;
          /** With the option `headingIds`, or as the heading says. */
          id: string | null;
          /** What the heading says about itself, with the option `headingAttributes`. */
          classes: string[];
          attributes: [name: string, value: string | null][];
      }
    | { tag: "block-quote"; alert: "note" | "tip" | "important" | "warning" | "caution" | null }
    | { tag: "list"; /** The first number of an ordered list. */ start: number | null; tight: boolean }
    | { tag: "item"; /** Whether a task is done. */ task: boolean | null }
    | { tag: "definition-list"; tight: boolean }
    | { tag: "term" | "details" }
    | { tag: "code-block"; /** `null` if it is indented. */ info: string | null }
    | { tag: "footnote-definition"; label: string; duplicate: boolean }
    | { tag: "table"; alignments: ("left" | "center" | "right" | null)[] }
    | { tag: "row"; header: boolean }
    | { tag: "link" | "image"; destination: string; title: string; form: Form }
);

/** The HTML of Markdown. */
export function toHtml(source: Source, options?: RenderOptions): string;

/** The HTML of Markdown in UTF-8. No string is made of it, which saves time on long texts. */
export function toHtmlBytes(source: Source, options?: RenderOptions): Uint8Array;

/** Every link and image of Markdown, in order. */
export function links(source: Source, options?: Options): Link[];

/** What was decided about every candidate for a bare link in Markdown, and why. */
export function explain(source: Source, options?: Options): Decision[];

/** The events of Markdown, or only the first `limit` of them. */
export function events(source: Source, options?: Options, limit?: number): Event[];

/** The bare links of plain text. */
export function findLinks(source: Source, options?: FindOptions): BareLink[];

/** Plain text as HTML: escaped, with its bare links as anchors. */
export function linkify(source: Source, options?: RenderOptions): string;

/** The same functions, with options that are read once and memory that is kept. */
export class Renderer {
    constructor(options?: RenderOptions);
    toHtml(source: Source): string;
    toHtmlBytes(source: Source): Uint8Array;
    links(source: Source): Link[];
    explain(source: Source): Decision[];
    events(source: Source, limit?: number): Event[];
    linkify(source: Source): string;
    /** Gives its memory back at once, and not when it is collected. */
    free(): void;
    [Symbol.dispose](): void;
}

/** Options of a text that is still being written. */
export interface StreamOptions extends Options {
    /**
     * What a definition does for links that came before it: they are revised (the default), or
     * stay text, so that what is settled never changes.
     */
    definitions?: "revise" | "settled";
    /**
     * Whether what is not complete is guessed, so that `**bold` is bold before it is closed. Off by
     * default: the page is then what `toHtml` gives. After `finish` it always is.
     */
    optimistic?: boolean;
}

/** A text that is still being written, as a page that is up to date after every piece. */
export class Stream {
    constructor(options?: StreamOptions);
    /** Takes a piece. Nothing is read before the next update. */
    push(piece: string): void;
    /** Takes a piece in UTF-8, which may end within a character. */
    pushBytes(piece: Uint8Array): void;
    /** What changed since the last update. */
    update(): Update;
    /** What changed, when there is nothing more to come. */
    finish(): Update;
    /**
     * Shows the page in an element: what there is now, and what each update changes. It changes
     * nodes in place, so that a selection survives. Returns a function that ends it.
     */
    applyTo(element: Element, options?: ViewOptions): () => void;
    /** The HTML, as of the last update. */
    readonly html: string;
    /** The text so far. */
    readonly source: string;
    /** Gives its memory back at once, and not when it is collected. */
    free(): void;
    [Symbol.dispose](): void;
}

/** What changed in a stream. A plain object, which can be sent from a worker to its page. */
export interface Update {
    /** Blocks that had been settled and are now different, in full. */
    revised: Block[];
    /** Blocks that are new or changed. The last one is open, unless this is the end. */
    blocks: Block[];
    /** Whether nothing is open. */
    isEnd: boolean;
}

/** A top-level block of a page. The page is the HTML of all blocks in the order of their ids. */
export interface Block {
    /** Where it starts in the text, which never changes. The footnotes have 4294967295. */
    id: number;
    /** What it is so far. */
    kind: "paragraph" | "heading" | "code" | "html" | "break" | "quote" | "list" | "table" | "notes";
    span: Span;
    /** How much of its HTML stays as it was, in UTF-16 units. */
    keep: number;
    /** What follows. If this is empty and nothing is kept, the block is gone. */
    html: string;
    /** Settled blocks only change by being revised. */
    state: "open" | "closed" | "settled";
    /** What is not complete in it, if it is open. */
    pending: "line" | "paragraph" | "code" | "html" | "table" | null;
}

export interface ViewOptions {
    /** Makes nodes of HTML: for a sanitizer of your own, or a page with Trusted Types. */
    parse?: (html: string) => ParentNode & Node;
    /**
     * Whether the page is parsed as a whole and not block by block. Raw HTML needs that, and
     * `applyTo` knows.
     */
    whole?: boolean;
    /**
     * What `keep` counts: UTF-16 units, as in updates of this package, or bytes of UTF-8, as in
     * those of the Rust library and of `barelink stream`.
     */
    units?: "utf-16" | "bytes";
}

/** What a `View` needs to know of an update: also what `barelink stream` prints is one. */
export interface Changes {
    revised: { id: number; html: string; keep?: number }[];
    blocks: { id: number; html: string; keep: number }[];
}

/**
 * The content of an element, kept up to date. `applyTo` makes one; for updates from a worker or
 * from a server.
 */
export class View {
    /** What is in the element is removed. */
    constructor(element: Element, options?: ViewOptions);
    /** Shows what an update changes. All updates of a stream must come, in order. */
    apply(update: Changes): void;
}

/** Where the WebAssembly module comes from: its address, a response, its bytes, or itself. */
export type ModuleSource = string | URL | Request | Response | BufferSource | WebAssembly.Module;

/**
 * A part of the engine that a browser can do without. Without any, there is `toHtml` and
 * `toHtmlBytes`, also of a `Renderer`.
 *
 * - `links`: `links`, `findLinks`, `linkify`, `events`, `explain`, and the option `onLink`.
 * - `natural`: the preset and the dialect of this name, and with `links` also `explain`.
 * - `stream`: `Stream`.
 */
export type Part = "links" | "natural" | "stream";

export interface InitOptions {
    /** Where the core comes from, if not from beside the script. */
    source?: ModuleSource | Promise<ModuleSource>;
    /**
     * What else is fetched, or where that comes from; `[]` for nothing else. The default is every
     * part, or none if `source` is given.
     */
    parts?: Part[] | { [P in Part]?: ModuleSource | Promise<ModuleSource> };
}

/**
 * Starts the engine in browsers and workers, before all else. Without an argument, all of it is
 * fetched from beside the script. Parts can be added by another call. Elsewhere the engine starts
 * by itself, and this does nothing.
 */
export function init(options?: InitOptions | ModuleSource | Promise<ModuleSource>): Promise<void>;

/** The same at once, from bytes or compiled modules. */
export function initSync(
    module: BufferSource | WebAssembly.Module,
    parts?: { [P in Part]?: BufferSource | WebAssembly.Module },
): void;

/** Whether the engine has started. */
export function isStarted(): boolean;

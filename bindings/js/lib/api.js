// What users call, over the engine: options are checked and read once, text is copied into
// the engine's memory and out of it, JSON becomes objects.
import { Engine } from "./generated/engine.js";

/** How the platform copies text: see text.js and buffer.js. Null until the engine runs. */
let text = null;

/** Engines with the options of calls that were made before, by `key`. */
const kept = new Map();
const MAX_KEPT = 16;

/** An engine that has grown beyond this many bytes is not kept by functions. */
const MAX_KEPT_BYTES = 1 << 24;

/** Lets the functions begin: the engine runs, and this is how to copy text. */
export function start(copying) {
    text = copying;
}

export function isStarted() {
    return text !== null;
}

/** The methods of an engine that may ask a function about links, with those that do. */
const HOOKED = { html: "htmlWith", linkify: "linkifyWith" };

/** An engine with options, and what JavaScript has to know about it. */
class Keeper {
    constructor({ entries, onLink }) {
        if (text === null) {
            throw new Error("barelink has not started: `await init()` comes first");
        }
        this.engine = new Engine();
        /** Where the engine's input is, and how long it may be. */
        this.address = 0;
        this.capacity = 0;
        this.isBusy = false;
        this.hook = onLink && { decide: (link) => answer(onLink(JSON.parse(link))) };
        for (const [scope, name, value] of entries) {
            const wrong = set(this.engine, scope, name, value);
            if (wrong !== undefined) {
                this.engine.free();
                throw new TypeError(wrong);
            }
        }
    }

    /** Makes room for a text of so many bytes. */
    reserve(length) {
        if (length > this.capacity) {
            // A little more, so that a series of longer and longer texts does not copy each.
            const capacity = length + (length >>> 3) + 64;
            this.address = this.engine.input(capacity);
            if (this.address === 0) {
                this.capacity = 0;
                throw new RangeError(`there is no memory for a text of ${length} bytes`);
            }
            this.capacity = capacity;
        }
        return this.address;
    }

    /** Calls a method of the engine. Returns what it says about its output. */
    run(method, source) {
        if (this.isBusy) {
            throw new Error("a renderer cannot be used by its own onLink");
        }
        this.isBusy = true;
        try {
            const length = write(this, source);
            const { engine, hook } = this;
            const said = hook && HOOKED[method] ? engine[HOOKED[method]](length, hook) : engine[method](length);
            if (said < 0) {
                throw new RangeError(`the text has ${length} bytes, which is too long`);
            }
            return said;
        } finally {
            this.isBusy = false;
        }
    }

    string(method, source) {
        const said = this.run(method, source);
        return text.read(this.engine.output(), Math.floor(said / 2), said % 2 === 1);
    }

    bytes(method, source) {
        const said = this.run(method, source);
        return text.copy(this.engine.output(), Math.floor(said / 2));
    }

    json(method, source) {
        return JSON.parse(this.string(method, source));
    }
}

function write(keeper, source) {
    if (typeof source === "string") {
        return text.write(keeper, source);
    }
    if (source instanceof Uint8Array) {
        return text.put(keeper, source);
    }
    throw new TypeError(`the text must be a string or a Uint8Array, not ${kindOf(source)}`);
}

/** Sets an option of an engine. Returns what is wrong, if anything is. */
function set(engine, scope, name, value) {
    if (isBoolean(value)) {
        return value ? engine.turnOn(scope, name) : engine.turnOff(scope, name);
    }
    if (isString(value)) {
        return engine.setText(scope, name, value);
    }
    if (Array.isArray(value)) {
        const at = value.findIndex((item) => !isString(item));
        return at < 0
            ? engine.setList(scope, name, value)
            : engine.setOther(scope, name, `an array with ${kindOf(value[at])}`);
    }
    return engine.setOther(scope, name, kindOf(value));
}

const isBoolean = (value) => typeof value === "boolean";
const isString = (value) => typeof value === "string";

/** What a value is, in a message. */
function kindOf(value) {
    if (value === null || value === undefined) {
        return String(value);
    }
    if (Array.isArray(value)) {
        return "an array";
    }
    const type = typeof value;
    return type === "object" ? "an object" : `a ${type}`;
}

/** Groups of options: all other options are values. */
const GROUPS = new Set(["autolinks", "policy", "policy.bare", "policy.external"]);

/**
 * Options as a list of [scope, name, value], the preset first, with a key that is the same for
 * the same options; null if nothing is kept for them.
 */
function readOptions(options, scope) {
    const entries = [];
    let onLink;
    let key = scope;
    let isKept = true;
    const add = (name, value) => {
        const entry = [scope, name, value];
        if (name === "preset") {
            entries.unshift(entry);
        } else {
            entries.push(entry);
        }
        if (isBoolean(value) || isString(value) || (Array.isArray(value) && value.every(isString))) {
            key += `\n${name} ${JSON.stringify(value)}`;
        } else {
            // It is an error, unless it is null; no engine is kept for it.
            isKept = false;
        }
    };
    const walk = (group, prefix) => {
        for (const name of Object.keys(group)) {
            const value = group[name];
            const path = prefix + name;
            if (value === undefined) {
                continue;
            }
            if (path === "onLink" && scope === "") {
                if (typeof value !== "function") {
                    throw new TypeError(`the option \`onLink\` must be a function, not ${kindOf(value)}`);
                }
                onLink = value;
            } else if (GROUPS.has(scope + path)) {
                if (value === null || typeof value !== "object" || Array.isArray(value)) {
                    throw new TypeError(`the option \`${path}\` must be an object, not ${kindOf(value)}`);
                }
                walk(value, `${path}.`);
            } else {
                add(path, value);
            }
        }
    };
    if (options !== undefined && options !== null) {
        if (typeof options !== "object" || Array.isArray(options)) {
            throw new TypeError(`options must be an object, not ${kindOf(options)}`);
        }
        walk(options, "");
    }
    return { entries, onLink, key: isKept && onLink === undefined ? key : null };
}

/** Names of what `onLink` may change, besides `attributes`. */
const CHANGES = ["destination", "rel", "target"];

/** The answer of an `onLink` in the engine's words. */
function answer(action) {
    if (action === undefined || action === true) {
        return ["keep"];
    }
    if (action === false) {
        return ["plain"];
    }
    if (action === null) {
        return ["drop"];
    }
    if (typeof action === "string") {
        return ["change", "href", action];
    }
    if (typeof action !== "object" || Array.isArray(action)) {
        throw new TypeError(`onLink must return a boolean, a string, null or an object, not ${kindOf(action)}`);
    }
    const words = ["change"];
    const add = (name, value) => {
        if (value === null) {
            words.push(`-${name}`, "");
        } else if (typeof value === "string") {
            words.push(name, value);
        } else if (value !== undefined) {
            throw new TypeError(`\`${name}\` from onLink must be a string or null, not ${kindOf(value)}`);
        }
    };
    for (const name of Object.keys(action)) {
        if (name === "attributes") {
            for (const [attribute, value] of Object.entries(action.attributes ?? {})) {
                add(attribute, value);
            }
        } else if (CHANGES.includes(name)) {
            add(name === "destination" ? "href" : name, action[name]);
        } else {
            throw new TypeError(
                `unknown change \`${name}\` from onLink: expected one of ${CHANGES.join(", ")}, attributes`,
            );
        }
    }
    return words;
}

/** Calls `use` with an engine that has these options: one of an earlier call, if possible. */
function withOptions(options, scope, use) {
    const read = readOptions(options, scope);
    if (read.key === null) {
        return withNew(read, use);
    }
    let keeper = kept.get(read.key);
    if (keeper === undefined) {
        keeper = new Keeper(read);
        if (kept.size >= MAX_KEPT) {
            const [[oldest, { engine }]] = kept;
            kept.delete(oldest);
            engine.free();
        }
        kept.set(read.key, keeper);
    } else if (keeper.isBusy) {
        return withNew(read, use);
    }
    try {
        return use(keeper);
    } finally {
        if (keeper.capacity > MAX_KEPT_BYTES) {
            kept.delete(read.key);
            keeper.engine.free();
        }
    }
}

function withNew(read, use) {
    const keeper = new Keeper(read);
    try {
        return use(keeper);
    } finally {
        keeper.engine.free();
    }
}

export function toHtml(source, options) {
    return withOptions(options, "", (keeper) => keeper.string("html", source));
}

export function toHtmlBytes(source, options) {
    return withOptions(options, "", (keeper) => keeper.bytes("html", source));
}

export function links(source, options) {
    return withOptions(options, "", (keeper) => keeper.json("links", source));
}

export function explain(source, options) {
    return withOptions(options, "", (keeper) => keeper.json("explain", source));
}

export function findLinks(source, options) {
    return withOptions(options, "autolinks.", (keeper) => keeper.json("findLinks", source));
}

export function linkify(source, options) {
    return withOptions(options, "", (keeper) => keeper.string("linkify", source));
}

export class Renderer {
    #keeper;

    constructor(options) {
        this.#keeper = new Keeper(readOptions(options, ""));
    }

    toHtml(source) {
        return this.#use().string("html", source);
    }

    toHtmlBytes(source) {
        return this.#use().bytes("html", source);
    }

    links(source) {
        return this.#use().json("links", source);
    }

    explain(source) {
        return this.#use().json("explain", source);
    }

    linkify(source) {
        return this.#use().string("linkify", source);
    }

    free() {
        this.#keeper?.engine.free();
        this.#keeper = null;
    }

    #use() {
        if (this.#keeper === null) {
            throw new Error("the renderer was freed");
        }
        return this.#keeper;
    }
}

if (Symbol.dispose) {
    Renderer.prototype[Symbol.dispose] = Renderer.prototype.free;
}

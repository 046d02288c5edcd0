// What users call. Engines are kept from call to call, with the options they were made for.
import { Keeper } from "./keeper.js";
import { readOptions } from "./options.js";

/** Engines with the options of calls that were made before, by `key`. */
const kept = new Map();
const MAX_KEPT = 16;

/** An engine that has grown beyond this many bytes is not kept by functions. */
const MAX_KEPT_BYTES = 1 << 24;

/** The options that are not the engine's own. */
const HOOK = ["onLink"];

/** Calls `use` with an engine that has these options: one of an earlier call, if possible. */
function withOptions(options, scope, use) {
    const read = options === undefined ? { entries: [], key: scope } : readOptions(options, scope, scope === "" ? HOOK : []);
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
        if (keeper.size > MAX_KEPT_BYTES) {
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
    return withOptions(options, "", (keeper) => keeper.callString("html", source));
}

export function toHtmlBytes(source, options) {
    return withOptions(options, "", (keeper) => keeper.callBytes("html", source));
}

export function links(source, options) {
    return withOptions(options, "", (keeper) => keeper.callJson("links", source));
}

export function explain(source, options) {
    return withOptions(options, "", (keeper) => keeper.callJson("explain", source));
}

export function events(source, options, limit) {
    return withOptions(options, "", (keeper) => keeper.callJson("events", source, countOf(limit)));
}

/** A limit for the engine, which counts with 32 bits. */
function countOf(limit = Infinity) {
    if (typeof limit !== "number" || !(limit >= 0)) {
        throw new TypeError(`the limit must be a number that is not negative, not ${limit}`);
    }
    return Math.min(limit, 2 ** 32 - 1);
}

export function findLinks(source, options) {
    return withOptions(options, "autolinks.", (keeper) => keeper.callJson("findLinks", source));
}

export function linkify(source, options) {
    return withOptions(options, "", (keeper) => keeper.callString("linkify", source));
}

export class Renderer {
    #keeper;

    constructor(options) {
        this.#keeper = new Keeper(readOptions(options, "", HOOK));
    }

    toHtml(source) {
        return this.#use().callString("html", source);
    }

    toHtmlBytes(source) {
        return this.#use().callBytes("html", source);
    }

    links(source) {
        return this.#use().callJson("links", source);
    }

    explain(source) {
        return this.#use().callJson("explain", source);
    }

    events(source, limit) {
        return this.#use().callJson("events", source, countOf(limit));
    }

    linkify(source) {
        return this.#use().callString("linkify", source);
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

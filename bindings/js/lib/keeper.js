// Engines with a buffer on either side: text is copied into the engine's memory and out of it.
import { answer } from "./action.js";
import { Engine } from "./generated/engine.js";
import { kindOf } from "./kinds.js";
import { setAll } from "./options.js";
import { mustRun, need, startParts } from "./parts.js";

/** How the platform copies text: see text.js and buffer.js. Null until the engine runs. */
let text = null;

/**
 * Lets the functions begin: the engine's core runs, this is how to copy text, and `findModule` gives
 * the module of a part, unless nobody can wait for it.
 */
export function start(copying, findModule = null) {
    text = copying;
    startParts(findModule);
}

export function isStarted() {
    return text !== null;
}

/** An engine with these options. */
export function makeEngine(entries) {
    mustRun();
    const engine = new Engine();
    setAll(engine, entries);
    return engine;
}

/** What has an input and an output: an engine, or a stream. */
export class Buffers {
    constructor(engine) {
        this.engine = engine;
        /** Where the input is, and how long it may be. */
        this.address = 0;
        this.capacity = 0;
        /** The longest text so far, in bytes. */
        this.size = 0;
    }

    /** Makes room for a text of so many bytes. */
    reserve(length) {
        if (length > this.capacity) {
            // A little more, so that a series of longer and longer texts does not copy each.
            const capacity = length + (length >>> 3) + 64;
            this.address = this.engine.input(capacity);
            this.size = Math.max(this.size, capacity);
            if (this.address === 0) {
                this.capacity = 0;
                throw new RangeError(`there is no memory for a text of ${length} bytes`);
            }
            this.capacity = capacity;
        }
        return this.address;
    }

    /** Makes room for a text of so many UTF-16 units. */
    reserveWide(length) {
        const address = this.engine.wideInput(length);
        if (address === 0) {
            throw new RangeError(`there is no memory for a text of ${length} units`);
        }
        return address;
    }

    /** Takes the text that was written there as the input. Returns its length in bytes. */
    takeWide(length) {
        // The input moves.
        this.capacity = 0;
        const size = this.engine.takeWide(length);
        this.size = Math.max(this.size, size);
        return size;
    }

    /** Writes a text into the input. Returns its length. */
    write(source) {
        if (typeof source === "string") {
            return text.write(this, source);
        }
        if (source instanceof Uint8Array) {
            return text.put(this, source);
        }
        throw new TypeError(`the text must be a string or a Uint8Array, not ${kindOf(source)}`);
    }

    /** The output that a method said this about, as a string. */
    string(said) {
        return text.read(this, Math.floor(said / 2), said % 2 === 1);
    }

    /** The same as bytes. */
    bytes(said) {
        return text.copy(this.engine.output(), Math.floor(said / 2));
    }
}

/** What a method said that has read so many bytes, unless that it could not. */
export function checked(said, length) {
    if (said < 0) {
        throw new RangeError(`the text has ${length} bytes, which is too long`);
    }
    return said;
}

/** The methods of an engine that may ask a function about links, with those that do. */
const HOOKED = { html: "htmlWith", linkify: "linkifyWith" };

/** An engine with options, one text after the other. */
export class Keeper extends Buffers {
    constructor({ entries, onLink }) {
        if (onLink !== undefined && typeof onLink !== "function") {
            throw new TypeError(`the option \`onLink\` must be a function, not ${kindOf(onLink)}`);
        }
        if (onLink !== undefined) {
            need("links", "`onLink`");
        }
        super(makeEngine(entries));
        this.isBusy = false;
        this.hook = onLink && { decide: (link) => answer(onLink(JSON.parse(link))) };
    }

    /** Calls a method of the engine. Returns what it says about its output. */
    run(method, source, ...more) {
        if (this.isBusy) {
            throw new Error("a renderer cannot be used by its own onLink");
        }
        if (method !== "html") {
            need("links", `\`${method}\``);
        }
        if (method === "explain") {
            // It tells of names that only this dialect would link.
            need("natural", "`explain`");
        }
        this.isBusy = true;
        try {
            const length = this.write(source);
            const { engine, hook } = this;
            const said = hook && HOOKED[method] ? engine[HOOKED[method]](length, hook) : engine[method](length, ...more);
            return checked(said, length);
        } finally {
            this.isBusy = false;
        }
    }

    callString(method, source, ...more) {
        return this.string(this.run(method, source, ...more));
    }

    callBytes(method, source) {
        return this.bytes(this.run(method, source));
    }

    callJson(method, source, ...more) {
        return JSON.parse(this.callString(method, source, ...more));
    }
}

// A text that is still being written.
import { Buffers, checked, makeEngine } from "./keeper.js";
import { kindOf } from "./kinds.js";
import { Page, View } from "./live.js";
import { readOptions } from "./options.js";
import { need } from "./parts.js";

/** The options that only a stream has. */
const OWN = ["definitions", "optimistic"];

export class Stream {
    #buffers;
    #page = new Page();
    #views = new Set();
    /** The first half of a character, whose second one is in the next piece. */
    #half = "";
    #isWhole;

    constructor(options) {
        const { entries, definitions = "revise", optimistic = false } = readOptions(options, "", OWN);
        if (typeof optimistic !== "boolean") {
            throw new TypeError(`the option \`optimistic\` must be true or false, not ${kindOf(optimistic)}`);
        }
        need("stream", "`Stream`");
        const engine = makeEngine(entries);
        const live = engine.stream(String(definitions), optimistic ? "optimistic" : "exact");
        engine.free();
        if (live === undefined) {
            throw new TypeError("the option `definitions` must be `revise` or `settled`");
        }
        this.#buffers = new Buffers(live);
        // An element of raw HTML may reach over several blocks.
        this.#isWhole = entries.some(([, name, value]) => name === "policy.rawHtml" && value === "pass");
    }

    push(piece) {
        if (typeof piece !== "string") {
            throw new TypeError(`a piece must be a string, not ${kindOf(piece)}`);
        }
        const text = this.#half + piece;
        const end = text.length - (isFirstHalf(text.charCodeAt(text.length - 1)) ? 1 : 0);
        this.#push("push", text.slice(0, end));
        this.#half = text.slice(end);
    }

    pushBytes(piece) {
        if (!(piece instanceof Uint8Array)) {
            throw new TypeError(`a piece must be a Uint8Array, not ${kindOf(piece)}`);
        }
        this.#giveUpHalf();
        this.#push("pushBytes", piece);
    }

    update() {
        return this.#show(this.#use().engine.update());
    }

    finish() {
        this.#giveUpHalf();
        return this.#show(this.#use().engine.finish());
    }

    /** The HTML as of the last update. */
    get html() {
        return this.#page.html;
    }

    get source() {
        const buffers = this.#use();
        return buffers.string(buffers.engine.source());
    }

    applyTo(element, options) {
        const view = new View(element, { whole: this.#isWhole, ...options });
        const blocks = this.#page.blocks.map(({ id, html }) => ({ id, keep: 0, html }));
        view.apply({ revised: [], blocks });
        this.#views.add(view);
        return () => {
            this.#views.delete(view);
        };
    }

    free() {
        this.#buffers?.engine.free();
        this.#buffers = null;
        this.#views.clear();
    }

    #use() {
        if (this.#buffers === null) {
            throw new Error("the stream was freed");
        }
        return this.#buffers;
    }

    #push(method, piece) {
        const buffers = this.#use();
        if (piece.length > 0) {
            const length = buffers.write(piece);
            checked(buffers.engine[method](length), length);
        }
    }

    /** What follows is no second half. */
    #giveUpHalf() {
        this.#push("push", this.#half);
        this.#half = "";
    }

    #show(said) {
        const update = JSON.parse(this.#buffers.string(said));
        this.#page.apply(update);
        for (const view of this.#views) {
            view.apply(update);
        }
        return update;
    }
}

const isFirstHalf = (unit) => unit >= 0xd800 && unit < 0xdc00;

if (Symbol.dispose) {
    Stream.prototype[Symbol.dispose] = Stream.prototype.free;
}

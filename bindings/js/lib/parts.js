// The engine's core, and the parts that come when they are needed: the bindgen step cuts them.
import { addPart, forParts } from "./generated/engine.js";

/**
 * What there is besides the core: what reads and changes links, the dialect `natural`, and
 * streams.
 */
export const PARTS = ["links", "natural", "stream"];

/** Those that are there. */
const present = new Set();

/** Whether the core runs. */
let isRunning = false;

/** Gives the module of a part at once; null if nobody can wait for it. */
let moduleNow = null;

/** The core runs. Parts come from `findModule`, or have to be there before they are needed. */
export function startParts(findModule) {
    isRunning = true;
    moduleNow = findModule;
}

export const hasPart = (part) => present.has(part);

/** Takes a part that was instantiated with what `forParts` gives. */
export function takePart(part, instance) {
    addPart(instance);
    present.add(part);
}

/** Takes a part from its module, at once. */
export function takeModule(part, module) {
    takePart(part, new WebAssembly.Instance(module, forParts()));
}

/** Sees to it that a part is there, for `what` takes it. */
export function need(part, what) {
    if (present.has(part)) {
        return;
    }
    mustRun();
    if (moduleNow === null) {
        throw new Error(`${what} takes a part that was not fetched: \`await init({ parts: ["${part}"] })\``);
    }
    takeModule(part, moduleNow(part));
}

export function mustRun() {
    if (!isRunning) {
        throw new Error("barelink has not started: `await init()` comes first");
    }
}

export { forParts };

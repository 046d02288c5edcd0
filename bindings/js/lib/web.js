// For browsers, workers and bundlers: the module is fetched, and `init` waits for it.
import { isStarted, start } from "./keeper.js";
import startEngine, { initSync as startEngineSync } from "./generated/engine.js";
import { hasVectors } from "./simd.js";
import { Text } from "./text.js";

/** Where the module is, unless `init` is told. Bundlers look for exactly this form. */
function place() {
    return hasVectors
        ? new URL("./barelink.wasm", import.meta.url)
        : new URL("./barelink.scalar.wasm", import.meta.url);
}

let starting = null;

export function init(source) {
    starting ??= run(source);
    return starting;
}

async function run(source) {
    try {
        const { memory } = await startEngine({ module_or_path: source ?? place() });
        start(new Text(memory));
    } catch (error) {
        // The next call may have more luck.
        starting = null;
        throw error;
    }
}

export function initSync(module) {
    if (!isStarted()) {
        start(new Text(startEngineSync({ module }).memory));
        starting = Promise.resolve();
    }
}

export { isStarted };
export * from "./api.js";
export { View } from "./live.js";
export { Stream } from "./stream.js";

// For browsers, workers and bundlers: modules are fetched, and `init` waits for them.
import { isStarted, start } from "./keeper.js";
import startEngine, { initSync as startEngineSync } from "./generated/engine.js";
import { kindOf } from "./kinds.js";
import { PARTS, forParts, hasPart, takeModule, takePart } from "./parts.js";
import { hasVectors } from "./simd.js";
import { Text } from "./text.js";

/** Where the modules are, unless `init` is told. Bundlers look for exactly this form. */
const PLACES = hasVectors
    ? {
          core: () => new URL("./barelink.wasm", import.meta.url),
          links: () => new URL("./barelink.links.wasm", import.meta.url),
          natural: () => new URL("./barelink.natural.wasm", import.meta.url),
          stream: () => new URL("./barelink.stream.wasm", import.meta.url),
      }
    : {
          core: () => new URL("./barelink.scalar.wasm", import.meta.url),
          links: () => new URL("./barelink.links.scalar.wasm", import.meta.url),
          natural: () => new URL("./barelink.natural.scalar.wasm", import.meta.url),
          stream: () => new URL("./barelink.stream.scalar.wasm", import.meta.url),
      };

/** What is on its way or there: promises, by the names of `PLACES`. */
const coming = new Map();

export async function init(given) {
    const { source, parts } = readInit(given);
    await Promise.all([once("core", () => run(source)), ...parts.map(([part, from]) => once(part, () => add(part, from)))]);
}

/**
 * Where to get the core, and the parts with where to get them; undefined is the usual place. All
 * parts are wanted unless they are named, or the core comes from elsewhere: then nobody has said
 * where they are.
 */
function readInit(given) {
    const hasOptions = typeof given === "object" && given !== null && Object.getPrototypeOf(given) === Object.prototype;
    if (!hasOptions) {
        return readInit({ source: given ?? undefined });
    }
    for (const name of Object.keys(given)) {
        if (name !== "source" && name !== "parts") {
            throw new TypeError(`unknown option \`${name}\` of init: expected source or parts`);
        }
    }
    const { source, parts = source === undefined ? PARTS : [] } = given;
    if (parts === null || typeof parts !== "object") {
        throw new TypeError(`\`parts\` must be an array or an object, not ${kindOf(parts)}`);
    }
    const entries = Array.isArray(parts) ? parts.map((part) => [part]) : Object.entries(parts);
    for (const [part] of entries) {
        if (!PARTS.includes(part)) {
            throw new TypeError(`unknown part \`${part}\`: expected one of ${PARTS.join(", ")}`);
        }
    }
    return { source, parts: entries };
}

function once(name, get) {
    if (!coming.has(name)) {
        // After a failure, the next call may have more luck.
        const promise = get().catch((error) => {
            coming.delete(name);
            throw error;
        });
        coming.set(name, promise);
    }
    return coming.get(name);
}

async function run(source) {
    if (!isStarted()) {
        const { memory } = await startEngine({ module_or_path: source ?? PLACES.core() });
        start(new Text(memory));
    }
}

/** Fetches a part while the core comes, and adds it when that is there. */
async function add(part, source) {
    const fetched = compile(await (source ?? PLACES[part]()));
    // If the core fails, nobody waits for this any more.
    fetched.catch(() => {});
    await coming.get("core");
    if (!hasPart(part)) {
        takePart(part, await WebAssembly.instantiate(await fetched, forParts()));
    }
}

async function compile(source) {
    if (source instanceof WebAssembly.Module) {
        return source;
    }
    if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) {
        return WebAssembly.compile(source);
    }
    const response = source instanceof Response ? source : await fetch(source);
    if (!response.ok) {
        throw new Error(`failed to fetch ${response.url}: ${response.status} ${response.statusText}`);
    }
    const isWasm = response.headers.get("Content-Type")?.startsWith("application/wasm");
    return isWasm && WebAssembly.compileStreaming
        ? WebAssembly.compileStreaming(response)
        : WebAssembly.compile(await response.arrayBuffer());
}

export function initSync(module, parts = {}) {
    const { parts: entries } = readInit({ parts });
    if (!isStarted()) {
        start(new Text(startEngineSync({ module }).memory));
    }
    for (const [part, from] of entries) {
        if (!hasPart(part)) {
            takeModule(part, from instanceof WebAssembly.Module ? from : new WebAssembly.Module(from));
        }
    }
}

export { isStarted };
export * from "./api.js";
export { View } from "./live.js";
export { Stream } from "./stream.js";

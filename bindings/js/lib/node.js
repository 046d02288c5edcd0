// For node, deno and bun: the modules are files beside this one. The core starts at once, and a part
// when something in it is called.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { isStarted, start } from "./keeper.js";
import { BufferText } from "./buffer.js";
import { initSync as startEngine } from "./generated/engine.js";
import { hasVectors } from "./simd.js";
import { Text } from "./text.js";

const moduleOf = (name) =>
    new WebAssembly.Module(readFileSync(join(__dirname, `${name}${hasVectors ? "" : ".scalar"}.wasm`)));

const { memory } = startEngine({ module: moduleOf("barelink") });
// Deno's buffers are made of what `Text` uses.
const text = typeof Deno === "undefined" ? new BufferText(memory) : new Text(memory);
start(text, (part) => moduleOf(`barelink.${part}`));

/** Does nothing: for code that also runs in browsers. */
export async function init() {}

export function initSync() {}

export { isStarted };
export * from "./api.js";
export { View } from "./live.js";
export { Stream } from "./stream.js";

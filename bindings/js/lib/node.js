// For node, deno and bun: the module is a file beside this one, and starts at once.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { isStarted, start } from "./keeper.js";
import { BufferText } from "./buffer.js";
import { initSync as startEngine } from "./generated/engine.js";
import { hasVectors } from "./simd.js";
import { Text } from "./text.js";

const path = join(__dirname, hasVectors ? "barelink.wasm" : "barelink.scalar.wasm");
const { memory } = startEngine({ module: readFileSync(path) });
// Deno's buffers are made of what `Text` uses.
start(typeof Deno === "undefined" ? new BufferText(memory) : new Text(memory));

/** Does nothing: for code that also runs in browsers. */
export async function init() {}

export function initSync() {}

export { isStarted };
export * from "./api.js";
export { View } from "./live.js";
export { Stream } from "./stream.js";

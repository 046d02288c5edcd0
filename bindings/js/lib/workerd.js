// For Cloudflare's workers, which compile modules when they are imported and fetch none.
import core from "./barelink.wasm";
import links from "./barelink.links.wasm";
import natural from "./barelink.natural.wasm";
import stream from "./barelink.stream.wasm";

import { isStarted, start } from "./keeper.js";
import { initSync as startEngine } from "./generated/engine.js";
import { Text } from "./text.js";

const PARTS = { links, natural, stream };
start(new Text(startEngine({ module: core }).memory), (part) => PARTS[part]);

/** Does nothing: for code that also runs in browsers. */
export async function init() {}

export function initSync() {}

export { isStarted };
export * from "./api.js";
export { View } from "./live.js";
export { Stream } from "./stream.js";

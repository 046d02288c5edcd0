// For Cloudflare's workers, which compile a module when it is imported and fetch none.
import module from "./barelink.wasm";

import { isStarted, start } from "./keeper.js";
import { initSync as startEngine } from "./generated/engine.js";
import { Text } from "./text.js";

start(new Text(startEngine({ module }).memory));

/** Does nothing: for code that also runs in browsers. */
export async function init() {}

export function initSync() {}

export { isStarted };
export * from "./api.js";
export { View } from "./live.js";
export { Stream } from "./stream.js";

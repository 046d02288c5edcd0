// The engine of the static page: the npm package, as WebAssembly in this worker.

import * as barelink from "./barelink/web.js";

export const ready = barelink.init();
export const toHtml = (text, preset) => barelink.toHtml(text, { preset });
export const links = (text, preset) => barelink.links(text, { preset });
export const explain = (text, preset) => barelink.explain(text, { preset });

// The engine of the static page: the npm package, as WebAssembly in this worker.

import * as barelink from "./barelink/web.js";

export const ready = barelink.init();
export const toHtml = (text, preset) => barelink.toHtml(text, { preset });
export const links = (text, preset) => barelink.links(text, { preset });
export const explain = (text, preset) => barelink.explain(text, { preset });
export const stream = (preset) => new barelink.Stream({ preset });

/** More events than these are not asked for: nobody reads them. */
const EVENTS_MAX = 5000;

export const events = (text, preset) => barelink.events(text, { preset }, EVENTS_MAX).map(told);

/** An event in words. */
function told({ event, tag, span, text, ...about }) {
  return { event, tag, span, text: text ?? (WORDS[tag ?? event]?.(about) || undefined) };
}

const WORDS = {
  heading: ({ level }) => level && `level ${level}`,
  "block-quote": ({ alert }) => alert,
  list: ({ start, tight }) => tight !== undefined && `${tight ? "tight" : "loose"}${start === null ? "" : `, from ${start}`}`,
  item: ({ task }) => ({ true: "done", false: "not done" })[task],
  "code-block": ({ info }) => info,
  "footnote-definition": ({ label }) => label,
  "footnote-reference": ({ label }) => label,
  row: ({ header }) => header && "header",
  link: ({ destination }) => destination,
  image: ({ destination }) => destination,
  definition: ({ destination }) => destination,
};

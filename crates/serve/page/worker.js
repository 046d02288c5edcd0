// Everything that takes long, off the thread that the page is drawn on. One request after the
// other; the page does not send a second one before it has the answer.

import * as engine from "./engine.js";
import { DIALECTS, compare, nextDifference, partAt, piecesOf, whyAt } from "./compare.js";

/** Longer HTML is cut: nobody reads it, and drawing it would take long. */
const HTML_MAX = 40_000;
const EVENTS_MAX = 500;

let model = null;

/** The text that is being played, in each dialect. */
let streams = [];

async function analyze(text) {
  if (model?.text !== text) {
    await engine.ready;
    const answers = await Promise.all(
      DIALECTS.map(async (preset) => ({
        decisions: await engine.explain(text, preset),
        links: await engine.links(text, preset),
      })),
    );
    model = compare(text, answers);
  }
  return model;
}

async function htmlOf(text) {
  await engine.ready;
  return Promise.all(DIALECTS.map(async (preset) => cut(await engine.toHtml(text, preset))));
}

function cut(html) {
  if (html.length <= HTML_MAX) {
    return { html, length: html.length };
  }
  return { html: html.slice(0, html.lastIndexOf("\n", HTML_MAX) + 1 || HTML_MAX), length: html.length };
}

const VIEWS = {
  links: (now, part) => piecesOf(now, part),
  page: async (now) => {
    const pages = await htmlOf(now.text);
    const linksOf = ({ marks }) => marks.filter((mark) => mark.type !== "none").slice(0, 10_000);
    const brief = ({ start, differs, link }) => ({ start, differs, href: link.href, text: link.text });
    return pages.map((page, idx) => ({ ...page, links: linksOf(now.dialects[idx]).map(brief) }));
  },
  html: (now) => htmlOf(now.text),
  events: (now) =>
    Promise.all(
      DIALECTS.map(async (preset) => {
        const events = await engine.events(now.text, preset);
        return { events: events.slice(0, EVENTS_MAX), isCut: events.length > EVENTS_MAX };
      }),
    ),
};

const TASKS = {
  async show({ text, view, part, toDifference }) {
    const now = await analyze(text ?? model.text);
    let shown = Math.min(part ?? 0, now.parts.length - 1);
    let difference;
    if (toDifference) {
      difference = nextDifference(now, shown);
      shown = difference === undefined ? shown : partAt(now, difference.start);
    }
    return {
      length: now.text.length,
      part: shown,
      parts: now.parts.length,
      differences: now.differences.length,
      dialects: now.dialects.map(({ name, count, differing }) => ({ name, count, differing })),
      view,
      content: await VIEWS[view](now, shown),
      difference,
    };
  },

  async why({ dialect, offset }) {
    return whyAt(model, dialect, offset);
  },

  /** Another piece of a text that is being written: what it changes on the page of each dialect. */
  async play({ piece, isFirst }) {
    await engine.ready;
    if (isFirst) {
      streams.forEach((stream) => stream.free());
      streams = DIALECTS.map((preset) => engine.stream(preset));
    }
    return Promise.all(
      streams.map((stream) => {
        stream.push(piece);
        return stream.update();
      }),
    );
  },
};

self.onmessage = async ({ data: { id, task, ...rest } }) => {
  try {
    self.postMessage({ id, result: await TASKS[task](rest) });
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
};

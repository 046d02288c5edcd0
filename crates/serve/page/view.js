// The four columns, and what is in them.

import { inert } from "./inert.js";
import { View, showHtml } from "./live.js";

export const DIALECTS = [
  { name: "gfm", says: "as GFM's specification is written" },
  { name: "github", says: "as GitHub's cmark-gfm runs it" },
  { name: "md4c", says: "as MD4C documents it" },
  { name: "natural", says: "wherever a reader sees a link" },
];

/** A link in HTML, on one line. */
const LINK = /(<a [^>]*>.*?<\/a>)/g;

const COUNT = new Intl.NumberFormat("en");

/** Makes the columns, empty. */
export function makeColumns(columns) {
  columns.replaceChildren(
    ...DIALECTS.map(({ name, says }) => {
      const column = make("section", "column");
      column.setAttribute("aria-labelledby", `name-${name}`);
      column.dataset.dialect = name;
      const header = make("header", "");
      const heading = make("h3", "", name);
      heading.id = `name-${name}`;
      heading.append(make("span", "count"));
      header.append(heading, make("p", "", says));
      column.append(header, make("div", "body"));
      return column;
    }),
  );
}

/** Shows an answer of the worker. */
export function draw(columns, result) {
  [...columns.children].forEach((column, idx) => {
    const { count, differing } = result.dialects[idx];
    const counted = column.querySelector(".count");
    counted.textContent = count === 1 ? "1 link" : `${COUNT.format(count)} links`;
    if (differing > 0) {
      counted.append(" · ", make("b", "", `${COUNT.format(differing)} differ${differing === 1 ? "s" : ""}`));
    }
    const body = column.querySelector(".body");
    body.removeAttribute("role");
    body.removeAttribute("tabindex");
    if (result.length === 0) {
      body.replaceChildren(make("p", "empty", "Nothing yet. Type above, or start from an example."));
    } else {
      DRAW[result.view](body, result.content[idx], result.content);
    }
  });
}

const DRAW = {
  links(body, pieces) {
    const source = make("div", "source");
    source.setAttribute("role", "group");
    source.dir = "auto";
    let isFirst = true;
    for (const piece of pieces) {
      if (piece.type === undefined) {
        source.append(piece.text);
        continue;
      }
      const mark = make("span", `mark ${piece.type}${piece.differs ? " differs" : ""}`, piece.text);
      mark.dataset.start = piece.start;
      mark.setAttribute("role", "button");
      // One stop of the tab key for each column; arrows go from mark to mark.
      mark.tabIndex = isFirst ? 0 : -1;
      mark.setAttribute("aria-label", label(piece));
      isFirst = false;
      source.append(mark);
    }
    body.replaceChildren(source);
  },

  page(body, page) {
    const rendered = patched(body, page.html);
    rendered.classList.remove("playing");
    nameLinks(rendered, page.links);
    body.querySelector(".more")?.remove();
    body.append(...cutNote(page));
  },

  html(body, page, all) {
    const code = make("pre", "code");
    const others = all.map(({ html }) => ({
      lines: new Set(html.split("\n")),
      bare: new Set(withoutLinks(html).split("\n")),
      links: new Set(html.match(LINK)),
    }));
    for (const text of page.html.replace(/\n$/, "").split("\n")) {
      const line = make("span", "line");
      if (others.every(({ lines }) => lines.has(text))) {
        line.textContent = text;
      } else if (others.every(({ bare }) => bare.has(withoutLinks(text)))) {
        // Only its links differ.
        line.className = "line near";
        text.split(LINK).forEach((piece, idx) => {
          const isShared = idx % 2 === 0 || others.every(({ links }) => links.has(piece));
          line.append(isShared ? piece : make("span", "differs", piece));
        });
      } else {
        line.className = "line differs";
        line.textContent = text;
      }
      code.append(line);
    }
    body.tabIndex = 0;
    body.replaceChildren(code, ...cutNote(page));
  },

  events(body, { events, isCut }) {
    const list = make("ol", "events");
    let depth = 0;
    for (const { event, tag, text, span } of events) {
      depth -= event === "end" ? 1 : 0;
      const item = make("li", event);
      const button = make("button", "");
      button.type = "button";
      button.dataset.start = span.start;
      button.dataset.end = span.end;
      button.title = "Select this in the text";
      button.style.paddingInlineStart = `${4 + Math.min(depth, 12) * 12}px`;
      button.append(make("b", "", tag === undefined ? event : `${event === "end" ? "/" : ""}${tag}`));
      if (text !== undefined) {
        button.append(" ", make("i", "", tag === undefined ? JSON.stringify(text) : text));
      }
      button.append(make("small", "", `${span.start}–${span.end}`));
      item.append(button);
      list.append(item);
      depth += event === "start" ? 1 : 0;
    }
    body.replaceChildren(list, ...(isCut ? [make("p", "more", `The first ${COUNT.format(events.length)} events.`)] : []));
  },
};

function withoutLinks(html) {
  return html.replace(/<a [^>]*>|<\/a>/g, "");
}

function label(piece) {
  const words = { link: "linked", markup: "linked, written as a link", none: "not linked" }[piece.type];
  return `${piece.text}: ${words}${piece.differs ? ", other dialects differ" : ""}`;
}

function cutNote({ html, length }) {
  if (html.length >= length) {
    return [];
  }
  return [make("p", "more", `The first ${COUNT.format(html.length)} of ${COUNT.format(length)} characters of HTML.`)];
}

/** Tells each link of a page where it is in the source: by its destination and text, in order. */
function nameLinks(rendered, links) {
  const byKey = new Map();
  for (const link of links) {
    const key = `${link.href}\n${link.text}`;
    if (!byKey.has(key)) {
      byKey.set(key, []);
    }
    byKey.get(key).push(link);
  }
  // The next of each comes off the end.
  byKey.forEach((same) => same.reverse());
  for (const anchor of rendered.querySelectorAll("a")) {
    const known = byKey.get(`${anchor.dataset.href}\n${anchor.textContent.replaceAll("\n", " ")}`)?.pop();
    if (known !== undefined) {
      anchor.dataset.start = known.start;
      anchor.setAttribute("role", "button");
      anchor.tabIndex = 0;
      if (known.differs) {
        anchor.classList.add("differs");
      }
    }
  }
}

/** Empty pages in all columns, to follow a text that is being written. */
export function startPages(columns) {
  return [...columns.children].map((column) => {
    const body = column.querySelector(".body");
    const rendered = make("div", "rendered playing");
    rendered.dir = "auto";
    body.replaceChildren(rendered);
    const view = new View(rendered, { parse: inert });
    return {
      apply(update) {
        // Who has scrolled up stays there.
        const isAtEnd = body.scrollHeight - body.clientHeight - body.scrollTop < 40;
        view.apply(update);
        placeCaret(rendered);
        if (isAtEnd) {
          body.scrollTop = body.scrollHeight;
        }
      },
    };
  });
}

/** What text is written in, and what has such in it. */
const BLOCKS = "p, h1, h2, h3, h4, h5, h6, ul, ol, li, dl, dt, dd, blockquote, pre, pre > code, table, thead, tbody, tr, th, td, section, div";

/** Marks the block that is being written, so that a caret is shown at its end. */
function placeCaret(rendered) {
  rendered.parentNode.querySelector(".caret")?.classList.remove("caret");
  let block = rendered;
  while (block.lastElementChild?.matches(BLOCKS)) {
    block = block.lastElementChild;
  }
  block.classList.add("caret");
}

/** The rendered page with this HTML. What stays the same is not touched, nor a selection in it. */
function patched(body, html) {
  let rendered = body.querySelector(".rendered");
  if (rendered === null) {
    rendered = make("div", "rendered");
    rendered.dir = "auto";
    body.replaceChildren(rendered);
  }
  showHtml(rendered, html, inert);
  return rendered;
}

function make(name, className, text) {
  const it = document.createElement(name);
  if (className) {
    it.className = className;
  }
  if (text !== undefined) {
    it.textContent = text;
  }
  return it;
}

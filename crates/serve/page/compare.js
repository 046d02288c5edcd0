// What the dialects make of one text, brought together. Runs in the worker; offsets are
// those of JavaScript's strings.

export const DIALECTS = ["gfm", "github", "md4c", "natural"];

const BARE = new Set(["url", "www", "email", "domain"]);

/** A part of a long text is about this long. */
export const PART = 20_000;

/**
 * Of each dialect its decisions about bare links (`explain`) and all its links (`links`).
 * The result has, for each dialect, its marks in order: what to show and what can be asked.
 */
export function compare(text, answers) {
  const shared = countLinks(answers);
  const dialects = answers.map(({ decisions, links }, idx) => ({
    name: DIALECTS[idx],
    count: links.filter((link) => !link.image).length,
    byCandidate: new Map(decisions.map((decision) => [decision.candidate.start, decision])),
    marks: marksOf(decisions, links, (link) => shared.get(key(link)) !== answers.length),
  }));
  const differences = regions(dialects);
  for (const dialect of dialects) {
    dialect.differing = markMissing(dialect.marks, differences);
    widen(dialect.marks, text);
  }
  return { text, dialects, differences, parts: partsOf(text) };
}

function key(link) {
  return `${link.span.start} ${link.span.end} ${link.href}`;
}

/** In how many dialects each link is. */
function countLinks(answers) {
  const counts = new Map();
  for (const { links } of answers) {
    for (const link of links) {
      counts.set(key(link), (counts.get(key(link)) ?? 0) + 1);
    }
  }
  return counts;
}

/** Links, and candidates that are none and do not lie in a link. */
function marksOf(decisions, links, differs) {
  const linked = new Map();
  for (const decision of decisions) {
    if (decision.verdict === "linked") {
      linked.set(decision.span.start, decision);
    }
  }
  const marks = links.map((link) => ({
    type: BARE.has(link.form) ? "link" : "markup",
    start: link.span.start,
    end: link.span.end,
    differs: differs(link),
    link,
    decision: BARE.has(link.form) ? linked.get(link.span.start) : undefined,
  }));
  marks.sort((a, b) => a.start - b.start || b.end - a.end);
  // An image within a link is shown as part of it.
  const outer = [];
  for (const mark of marks) {
    if (outer.length === 0 || mark.start >= outer.at(-1).end) {
      outer.push(mark);
    }
  }
  const all = [];
  let idx = 0;
  for (const decision of decisions) {
    if (decision.verdict === "linked") {
      continue;
    }
    const { start, end } = decision.candidate;
    while (idx < outer.length && outer[idx].start < end) {
      all.push(outer[idx]);
      idx += 1;
    }
    const last = all.at(-1);
    if (last === undefined || last.end <= start) {
      all.push({ type: "none", start, end, differs: false, decision });
    }
  }
  return all.concat(outer.slice(idx));
}

/** The pieces of the text that some dialects link and others do not, or not to the same end. */
function regions(dialects) {
  const differing = dialects.flatMap(({ marks }) => marks.filter((mark) => mark.differs));
  differing.sort((a, b) => a.start - b.start);
  const regions = [];
  for (const { start, end } of differing) {
    const last = regions.at(-1);
    if (last !== undefined && start < last.end) {
      last.end = Math.max(last.end, end);
    } else {
      regions.push({ start, end });
    }
  }
  return regions;
}

/** Candidates that are none here, but in another dialect. Returns how many marks differ. */
function markMissing(marks, regions) {
  let differing = 0;
  let idx = 0;
  for (const mark of marks) {
    while (idx < regions.length && regions[idx].end <= mark.start) {
      idx += 1;
    }
    if (mark.type === "none") {
      mark.differs = idx < regions.length && regions[idx].start < mark.end;
    }
    differing += mark.differs ? 1 : 0;
  }
  return differing;
}

/** A candidate that is none is a few characters; what one sees and clicks is the word around it. */
function widen(marks, text) {
  const WORD = /[^\s<>"'`()[\]{}|,;*]/u;
  const FARTHEST = 80;
  let before = 0;
  marks.forEach((mark, idx) => {
    if (mark.type === "none") {
      const after = marks[idx + 1]?.start ?? text.length;
      const [least, most] = [Math.max(before, mark.start - FARTHEST), Math.min(after, mark.end + FARTHEST)];
      while (mark.start > least && WORD.test(text[mark.start - 1])) {
        mark.start -= 1;
      }
      while (mark.end < most && WORD.test(text[mark.end])) {
        mark.end += 1;
      }
    }
    before = mark.end;
  });
}

/** Where the parts of a text start: after a line, if one ends soon. */
function partsOf(text) {
  const starts = [0];
  while (text.length - starts.at(-1) > PART * 1.25) {
    const from = starts.at(-1) + PART;
    const line = text.indexOf("\n", from);
    let start = line === -1 || line > from + PART / 4 ? from : line + 1;
    // Not between the two halves of a character.
    if (/[\uDC00-\uDFFF]/.test(text[start])) {
      start += 1;
    }
    starts.push(start);
  }
  return starts;
}

/** The first of the sorted `items` whose end is after `offset`. */
function firstAfter(items, offset) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle].end <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The part that has this offset in it. */
export function partAt(model, offset) {
  let part = 0;
  while (part + 1 < model.parts.length && model.parts[part + 1] <= offset) {
    part += 1;
  }
  return part;
}

/** One part of the text as pieces, for each dialect: text, with a mark or without. */
export function piecesOf(model, part) {
  const from = model.parts[part];
  const to = model.parts[part + 1] ?? model.text.length;
  return model.dialects.map(({ marks }) => {
    const pieces = [];
    let at = from;
    for (let idx = firstAfter(marks, from); idx < marks.length && marks[idx].start < to; idx += 1) {
      const mark = marks[idx];
      const [start, end] = [Math.max(mark.start, from), Math.min(mark.end, to)];
      if (start > at) {
        pieces.push({ text: model.text.slice(at, start) });
      }
      pieces.push({ text: model.text.slice(start, end), type: mark.type, start: mark.start, differs: mark.differs });
      at = end;
    }
    if (to > at) {
      pieces.push({ text: model.text.slice(at, to) });
    }
    return pieces;
  });
}

/** The first difference in a later part than this one, or else the first of all. */
export function nextDifference(model, part) {
  const from = model.parts[part + 1];
  const later = from === undefined ? undefined : model.differences[firstAfter(model.differences, from)];
  return later ?? model.differences[0];
}

/**
 * Why there is a link at `offset`, or none: what each dialect decided about the mark that
 * `asked` shows there, or undefined if nothing could be a link there.
 */
export function whyAt(model, asked, offset) {
  const order = [asked, ...DIALECTS.keys()];
  let mark;
  for (const idx of order) {
    const marks = model.dialects[idx].marks;
    const near = marks[firstAfter(marks, offset)];
    if (near !== undefined && near.start <= offset) {
      mark = near;
      break;
    }
  }
  if (mark === undefined) {
    return undefined;
  }
  const candidate = mark.decision?.candidate ?? { start: mark.start, end: mark.end };
  const answers = model.dialects.map((dialect) => ({
    dialect: dialect.name,
    ...answerAbout(dialect, mark, candidate.start),
  }));
  const spans = answers.map((answer) => answer.span).filter((span) => span !== undefined);
  const start = Math.min(mark.decision?.candidate.start ?? mark.start, ...spans.map((span) => span.start));
  const end = Math.max(mark.decision?.candidate.end ?? mark.end, ...spans.map((span) => span.end));
  return { start, end, excerpt: excerptOf(model.text, start, end), answers };
}

function answerAbout(dialect, mark, start) {
  const around = dialect.marks[firstAfter(dialect.marks, start)];
  const covering = around !== undefined && around.start <= start && around.type !== "none" ? around : undefined;
  const decision = mark.type === "markup" ? undefined : dialect.byCandidate.get(start);
  if (decision?.verdict === "linked") {
    return decision;
  }
  if (covering?.type === "markup") {
    return { verdict: "markup", ...covering.link };
  }
  if (decision !== undefined) {
    return decision;
  }
  return covering?.decision ?? { verdict: "unseen" };
}

/** The place with some of what is around it on its line. */
function excerptOf(text, start, end) {
  const AROUND = 60;
  const LONGEST = 300;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const from = Math.max(start === 0 ? 0 : lineStart, start - AROUND);
  const to = Math.min(lineEnd === -1 ? text.length : lineEnd, end + AROUND);
  const cut = (piece) => (piece.length > LONGEST ? `${piece.slice(0, LONGEST)}…` : piece);
  return {
    before: (from > lineStart ? "…" : "") + text.slice(from, start),
    place: cut(text.slice(start, end)),
    after: text.slice(end, to) + (to < (lineEnd === -1 ? text.length : lineEnd) ? "…" : ""),
    line: 1 + countLines(text, start),
  };
}

function countLines(text, end) {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}

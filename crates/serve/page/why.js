// The explanation of one place: what each dialect decided, by which rule, and where it is
// written.

const VERDICTS = {
  linked: ["yes", "Linked"],
  markup: ["yes", "Linked"],
  refused: ["no", "Not linked"],
  elsewhere: ["neither", "Not looked for"],
  unseen: ["neither", "Not looked for"],
};

const KINDS = {
  url: "A scheme and a valid domain make it a link, and nothing at its end is left out.",
  www: "`www.` and a valid domain make it a link, and nothing at its end is left out.",
  email: "What is before and after the `@` makes it an address, and nothing at its end is left out.",
  domain: "It is a name that can be looked up, without a scheme.",
};

// Where the dialect says what a link of a kind is.
const SECTIONS = {
  gfm: {
    url: "GFM 0.29 §6.9, extended url autolink",
    www: "GFM 0.29 §6.9, extended www autolink",
    email: "GFM 0.29 §6.9, extended email autolink",
  },
  github: {
    url: "GFM 0.29 §6.9, as cmark-gfm 0.29.0.gfm.13 runs it",
    www: "GFM 0.29 §6.9, as cmark-gfm 0.29.0.gfm.13 runs it",
    email: "GFM 0.29 §6.9, as cmark-gfm 0.29.0.gfm.13 runs it",
  },
  md4c: {
    url: "MD4C permissive autolinks, Permissive URL Autolinks",
    www: "MD4C permissive autolinks, Permissive WWW Autolinks",
    email: "MD4C permissive autolinks, Permissive E-mail Autolinks",
  },
  natural: {
    url: "Barelink natural dialect, principle 4 (real hosts)",
    www: "Barelink natural dialect, principle 4 (real hosts)",
    email: "Barelink natural dialect, principle 4 (real hosts)",
    domain: "Barelink natural dialect, names without a scheme (option `domains`)",
  },
};

const FORMS = {
  inline: ["An inline link, `[text](destination)`: not a bare link.", "CommonMark 0.31.2 §6.3, Links"],
  full: ["A reference link, `[text][label]`: not a bare link.", "CommonMark 0.31.2 §6.3, Links"],
  collapsed: ["A reference link, `[label][]`: not a bare link.", "CommonMark 0.31.2 §6.3, Links"],
  shortcut: ["A reference link, `[label]`: not a bare link.", "CommonMark 0.31.2 §6.3, Links"],
  angle: ["A link in angle brackets, `<destination>`: not a bare link.", "CommonMark 0.31.2 §6.5, Autolinks"],
  image: ["An image, `![description](destination)`.", "CommonMark 0.31.2 §6.4, Images"],
};

// Specifications that are on the web. They are opened by a click only.
const WHERE = [
  ["GFM 0.29", "https://github.github.com/gfm/#autolinks-extension-"],
  ["CommonMark 0.31.2 §6.3", "https://spec.commonmark.org/0.31.2/#links"],
  ["CommonMark 0.31.2 §6.4", "https://spec.commonmark.org/0.31.2/#images"],
  ["CommonMark 0.31.2 §6.5", "https://spec.commonmark.org/0.31.2/#autolinks"],
  ["MD4C", "https://github.com/mity/md4c/wiki/Markdown-Syntax:-Permissive-Autolinks"],
  ["UTS #58", "https://www.unicode.org/reports/tr58/"],
];

/** Fills the sheet with what was found out about a place. */
export function tellWhy(found, text, elements) {
  const { title, place, answers } = elements;
  const linked = found.answers.filter(({ verdict }) => verdict === "linked" || verdict === "markup").length;
  const SUMMARIES = ["No dialect links this", "One dialect links this", "Two dialects link this", "Three dialects link this", "Every dialect links this"];
  title.textContent = `${SUMMARIES[linked]} (line ${found.excerpt.line})`;
  const mark = document.createElement("mark");
  mark.textContent = found.excerpt.place;
  place.replaceChildren(found.excerpt.before, mark, found.excerpt.after);
  answers.replaceChildren(...found.answers.map((answer) => card(answer, text)));
}

function card(answer, text) {
  const card = element("section", "answer");
  const [style, word] = VERDICTS[answer.verdict];
  const head = element("h3", "", answer.dialect);
  head.append(element("span", `verdict ${style}`, word));
  card.append(head);
  switch (answer.verdict) {
    case "linked":
      card.append(element("p", "destination", answer.href));
      if (answer.trims.length === 0) {
        card.append(sentence(KINDS[answer.kind] ?? "It is a bare link."));
        card.append(cite(SECTIONS[answer.dialect]?.[answer.kind] ?? ""));
      }
      for (const trim of answer.trims) {
        card.append(sentence(`\`${text.slice(trim.span.start, trim.span.end)}\` is left outside. ${trim.sentence}`), cite(trim.section));
      }
      break;
    case "markup": {
      const [words, section] = FORMS[answer.image ? "image" : answer.form] ?? FORMS.inline;
      card.append(element("p", "destination", answer.href || "leads nowhere: its scheme is not on the safe list"));
      card.append(sentence(words), cite(section));
      break;
    }
    case "refused":
      card.append(sentence(answer.sentence));
      if (answer.at < text.length) {
        card.append(sentence(`Broken at \`${characterAt(text, answer.at)}\`.`));
      }
      card.append(cite(answer.section));
      break;
    case "elsewhere":
      card.append(sentence(answer.sentence));
      break;
    default:
      card.append(sentence("This dialect does not look for a link here."));
  }
  return card;
}

function characterAt(text, at) {
  const character = String.fromCodePoint(text.codePointAt(at));
  return { "\n": "the end of the line", " ": "space", "\t": "tab" }[character] ?? character;
}

/** Words with `code` in them. */
function sentence(words) {
  const paragraph = element("p", "");
  words.split(/`((?:[^`]|`(?=`))+)`/).forEach((piece, idx) => {
    paragraph.append(idx % 2 === 1 ? element("code", "", piece) : piece);
  });
  return paragraph;
}

function cite(section) {
  const cite = element("cite", "");
  const url = WHERE.find(([start]) => section.startsWith(start))?.[1];
  if (url === undefined) {
    cite.textContent = section.replaceAll("`", "");
  } else {
    const link = element("a", "", section);
    link.href = url;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    cite.append(link);
  }
  return cite;
}

function element(name, className, text) {
  const it = document.createElement(name);
  if (className) {
    it.className = className;
  }
  if (text !== undefined) {
    it.textContent = text;
  }
  return it;
}

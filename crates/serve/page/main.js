// The page: what is typed goes to a worker, and its answers are drawn.

import { ask, onBroken } from "./ask.js";
import { EXAMPLES } from "./examples.js";
import { readHash, writeHash } from "./share.js";
import { DIALECTS, draw, makeColumns, startPages } from "./view.js";
import { tellWhy } from "./why.js";

/** Longer texts are not put into the text field, which would take seconds to lay them out. */
const EDITABLE_MAX = 300_000;
const EXCERPT = 5_000;

const $ = (id) => document.getElementById(id);
const field = $("text");
const columns = $("columns");
const tabs = [...$("tabs").children];
const COUNT = new Intl.NumberFormat("en");

const state = { text: "", view: "links", part: 0, isLong: false, playing: null, asked: null };

// ---- Showing ----

onBroken(() => showProblem("The page could not be started. Is its folder complete?"));

async function show(more = {}) {
  try {
    const result = await ask({ task: "show", text: state.text, view: state.view, part: state.part, ...more });
    if (result === undefined || state.playing !== null) {
      return;
    }
    state.part = result.part;
    draw(columns, result);
    drawSummary(result);
    if (state.text !== "") {
      $("problem").hidden = true;
    }
    if (result.difference !== undefined) {
      goTo(result.difference.start);
    }
  } catch (error) {
    showProblem(error.message, againButton());
  }
}

function showProblem(message, ...more) {
  $("problem").replaceChildren(message, ...more);
  $("problem").hidden = false;
}

function againButton() {
  const again = document.createElement("button");
  again.type = "button";
  again.textContent = "Try again";
  again.addEventListener("click", () => show());
  return again;
}

function drawSummary(result) {
  const { differences, parts, part } = result;
  const words = ["The dialects agree", "1 place differs"][differences] ?? `${COUNT.format(differences)} places differ`;
  $("summary").textContent = result.length === 0 ? "" : words;
  $("legend").hidden = state.view !== "links";
  $("pager").hidden = parts === 1 || state.view !== "links";
  $("part").textContent = `Part ${COUNT.format(part + 1)} of ${COUNT.format(parts)}`;
  $("previous").disabled = part === 0;
  $("next").disabled = part + 1 === parts;
  $("difference").disabled = differences === 0;
}

function goTo(offset) {
  for (const column of columns.children) {
    const marks = [...column.querySelectorAll(".mark.differs")];
    const mark = marks.find((it) => Number(it.dataset.start) >= offset - 300);
    if (mark !== undefined) {
      const body = column.querySelector(".body");
      body.scrollTop += mark.getBoundingClientRect().top - body.getBoundingClientRect().top - 60;
    }
  }
}

/** What cannot be done without a text. */
function enableTools() {
  for (const id of ["play", "share", "clear"]) {
    $(id).disabled = state.text === "";
  }
}

function describeSize() {
  if (state.isLong) {
    const size = (new Blob([state.text]).size / 1e6).toFixed(1);
    $("size").textContent = `A text of ${size} MB, read as a whole and shown in parts. Only its start is here, and it cannot be changed.`;
  } else {
    $("size").textContent = "";
  }
}

// ---- The text ----

function setText(text) {
  stopPlaying();
  closeWhy();
  state.text = text;
  state.part = 0;
  state.isLong = text.length > EDITABLE_MAX;
  field.readOnly = state.isLong;
  field.value = state.isLong ? `${text.slice(0, EXCERPT)}…` : text;
  describeSize();
  enableTools();
  saveHash();
  show();
}

let hashTimer = 0;
function saveHash() {
  clearTimeout(hashTimer);
  hashTimer = setTimeout(async () => {
    const hash = await writeHash(state.text);
    history.replaceState(null, "", hash ?? location.pathname + location.search);
  }, 300);
}

field.addEventListener("input", () => {
  stopPlaying();
  closeWhy();
  state.text = field.value;
  state.part = 0;
  enableTools();
  $("example").value = "";
  saveHash();
  show();
});

field.addEventListener("paste", (event) => {
  const pasted = event.clipboardData?.getData("text/plain") ?? "";
  if (field.readOnly || pasted.length + field.value.length > EDITABLE_MAX) {
    event.preventDefault();
    const kept = field.readOnly ? ["", ""] : [field.value.slice(0, field.selectionStart), field.value.slice(field.selectionEnd)];
    setText((kept[0] + pasted + kept[1]).replaceAll("\r\n", "\n"));
  }
});

for (const type of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(type, (event) => {
    field.classList.toggle("over", type === "dragover");
    const file = event.dataTransfer?.files?.[0];
    if (type !== "dragleave" && (file !== undefined || event.dataTransfer?.types.includes("Files"))) {
      event.preventDefault();
    }
    if (type === "drop" && file !== undefined) {
      file.text().then(setText, () => showProblem("The file could not be read."));
    }
  });
}

for (const { name, lang } of EXAMPLES) {
  const option = new Option(name, name);
  option.lang = lang;
  $("example").append(option);
}
$("example").addEventListener("change", () => {
  const example = EXAMPLES.find(({ name }) => name === $("example").value);
  if (example !== undefined) {
    setText(example.text);
    field.lang = example.lang;
  }
});

$("clear").addEventListener("click", () => {
  $("example").value = "";
  setText("");
  field.focus();
});

$("share").addEventListener("click", async () => {
  const hash = await writeHash(state.text);
  if (hash === null) {
    say("This text is too long for an address.");
    return;
  }
  clearTimeout(hashTimer);
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    say("Copied. The address has the text in it.");
  } catch {
    say("The text is in the address of this page: copy it from there.");
  }
});

let sayTimer = 0;
function say(words) {
  $("said").textContent = words;
  $("size").textContent = words;
  clearTimeout(sayTimer);
  sayTimer = setTimeout(describeSize, 4000);
}

async function loadHash() {
  try {
    const text = await readHash(location.hash);
    if (text !== null && text !== state.text) {
      setText(text);
    }
    return text !== null;
  } catch {
    showProblem("The address of this page does not hold a text that can be read.");
    return false;
  }
}
addEventListener("hashchange", loadHash);

// ---- Tabs, parts ----

function select(view) {
  stopPlaying();
  closeWhy();
  state.view = view;
  for (const tab of tabs) {
    const isSelected = tab.dataset.view === view;
    tab.setAttribute("aria-selected", String(isSelected));
    tab.tabIndex = isSelected ? 0 : -1;
  }
  columns.setAttribute("aria-labelledby", `tab-${view}`);
}

for (const tab of tabs) {
  tab.addEventListener("click", () => {
    select(tab.dataset.view);
    show();
  });
}

$("tabs").addEventListener("keydown", (event) => {
  const shown = tabs.filter((tab) => !tab.hidden);
  const at = shown.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
  if (to !== undefined) {
    event.preventDefault();
    shown.at(to % shown.length).focus();
    shown.at(to % shown.length).click();
  }
});

function turn(by) {
  state.part += by;
  closeWhy();
  show();
}
$("previous").addEventListener("click", () => turn(-1));
$("next").addEventListener("click", () => turn(1));
$("difference").addEventListener("click", () => show({ toDifference: true }));

// ---- Why ----

async function explain(element, dialect, offset) {
  let found;
  try {
    found = await ask({ task: "why", dialect, offset });
  } catch (error) {
    showProblem(error.message);
    return;
  }
  if (found === undefined) {
    return;
  }
  tellWhy(found, state.text, { title: $("why-title"), place: $("why-place"), answers: $("why-answers") });
  state.asked?.classList.remove("asked");
  state.asked = element;
  element.classList.add("asked");
  $("why").hidden = false;
  $("why").scrollTop = 0;
  document.body.classList.add("explained");
  $("why-title").focus();
  reveal(element);
}

/** Moves the page if the sheet covers what it is about. */
function reveal(element) {
  const { bottom } = element.getBoundingClientRect();
  const covered = bottom + 24 - $("why").getBoundingClientRect().top;
  if (covered > 0) {
    scrollBy(0, covered);
  }
}

function closeWhy() {
  if ($("why").hidden) {
    return;
  }
  const hadFocus = $("why").contains(document.activeElement);
  $("why").hidden = true;
  document.body.classList.remove("explained");
  state.asked?.classList.remove("asked");
  if (hadFocus && state.asked?.isConnected) {
    state.asked.focus();
  }
  state.asked = null;
}
$("why-close").addEventListener("click", closeWhy);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    closeWhy();
  }
});

columns.addEventListener("click", (event) => {
  const place = event.target.closest("[data-start]");
  if (event.target.closest("a") !== null) {
    event.preventDefault();
  }
  const dialect = [...columns.children].indexOf(event.target.closest(".column"));
  if (place === null) {
    if (state.view === "links" && event.target.closest(".source") !== null && state.text !== "") {
      say("No link could begin here: bare links are looked for at ://, www. and @.");
    }
  } else if (state.view === "events") {
    selectInField(Number(place.dataset.start), Number(place.dataset.end));
  } else if (state.playing === null) {
    explain(place, dialect, Number(place.dataset.start));
  }
});

function selectInField(start, end) {
  if (!state.isLong) {
    field.focus();
    field.setSelectionRange(start, end);
  }
}

columns.addEventListener("keydown", (event) => {
  const mark = event.target.closest(".mark, .rendered a[data-start]");
  if (mark === null) {
    return;
  }
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    mark.click();
    return;
  }
  const marks = [...mark.closest(".body").querySelectorAll(".mark, .rendered a[data-start]")];
  const at = marks.indexOf(mark);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: marks.length - 1 }[event.key];
  if (to !== undefined && marks[to] !== undefined) {
    event.preventDefault();
    mark.tabIndex = -1;
    marks[to].tabIndex = 0;
    marks[to].focus();
  }
});

// ---- Play: the text as a language model would write it ----

/** How long a piece of about a word takes. */
const PIECE_MS = 35;

async function play() {
  select("page");
  const pages = startPages(columns);
  const run = {};
  state.playing = run;
  $("play").textContent = "Stop";
  $("play").setAttribute("aria-pressed", "true");
  $("pager").hidden = true;
  $("summary").textContent = "Writing…";
  const pieces = state.text.slice(0, EDITABLE_MAX).match(/\s*\S{1,5}|\s+$/gu) ?? [];
  const started = performance.now();
  let written = 0;
  try {
    while (state.playing === run && written < pieces.length) {
      // What time has passed decides, so that a slow machine skips and does not lag.
      const until = Math.min(pieces.length, 1 + Math.floor((performance.now() - started) / PIECE_MS));
      const updates = await ask({ task: "play", piece: pieces.slice(written, until).join(""), isFirst: written === 0 });
      written = until;
      if (state.playing === run && updates !== undefined) {
        updates.forEach((update, idx) => pages[idx].apply(update));
      }
      await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
    }
  } catch (error) {
    showProblem(error.message);
  }
  if (state.playing === run) {
    stopPlaying();
    show();
  }
}

function stopPlaying() {
  state.playing = null;
  $("play").textContent = "Play";
  $("play").removeAttribute("aria-pressed");
}

$("play").addEventListener("click", () => {
  if (state.playing !== null) {
    stopPlaying();
    show();
  } else if (state.text !== "") {
    closeWhy();
    play();
  }
});

// ---- Colors ----

function useTheme(theme) {
  document.documentElement.dataset.theme = theme;
  $("theme").value = theme;
}
$("theme").addEventListener("change", () => {
  useTheme($("theme").value);
  try {
    localStorage.setItem("theme", $("theme").value);
  } catch {
    // Without storage the choice holds until the page is closed.
  }
});
try {
  useTheme(localStorage.getItem("theme") ?? "");
} catch {
  useTheme("");
}

makeColumns(columns);
select("links");
console.assert(columns.children.length === DIALECTS.length);
if (!(await loadHash())) {
  setText($("problem").hidden ? EXAMPLES[0].text : "");
}

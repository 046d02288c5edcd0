// The engine behind `barelink serve`: asks the server that the page came from, which runs on
// this computer.

async function ask(what, preset, text) {
  let response;
  try {
    const url = new URL(`./api/${what}/${preset}`, import.meta.url);
    response = await fetch(url, { method: "POST", body: text, headers: { "Content-Type": "text/plain" } });
  } catch {
    throw new Error("The server does not answer. Is `barelink serve` still running?");
  }
  if (!response.ok) {
    throw new Error((await response.text()).trim() || response.statusText);
  }
  return response.json();
}

export const ready = Promise.resolve();
export const toHtml = (text, preset) => ask("html", preset, text);
export const links = (text, preset) => ask("links", preset, text);
export const explain = (text, preset) => ask("explain", preset, text);
export const events = (text, preset) => ask("events", preset, text);

/** A text that is still being written: all of its page is one block, made anew each time. */
export function stream(preset) {
  let text = "";
  return {
    push(piece) {
      text += piece;
    },
    async update() {
      return { revised: [], blocks: [{ id: 0, keep: 0, html: await toHtml(text, preset) }] };
    },
    free() {},
  };
}

// Questions to the worker: one at a time, and of those that wait only the last.

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
let running = null;
let waiting = null;
let lastId = 0;
let sentText = null;

worker.onmessage = ({ data: { id, result, error } }) => {
  if (running?.id !== id) {
    return;
  }
  const { resolve, reject } = running;
  running = null;
  document.body.classList.remove("waiting");
  if (error === undefined) {
    resolve(result);
  } else {
    sentText = null;
    reject(new Error(error));
  }
  if (waiting !== null) {
    const next = waiting;
    waiting = null;
    send(next);
  }
};
/** Calls back if the worker cannot be started. */
export function onBroken(callback) {
  worker.onerror = callback;
}

function send(question) {
  running = question;
  lastId += 1;
  question.id = lastId;
  // The worker remembers the last text that it showed: a long one is not sent for every click.
  const { text, ...rest } = question.message;
  const isKnown = question.message.task === "show" && text === sentText;
  if (question.message.task === "show") {
    sentText = text;
  }
  document.body.classList.add("waiting");
  worker.postMessage({ id: lastId, ...(isKnown ? rest : question.message) });
}

/** Resolves with the answer, or with undefined if a later question took its place. */
export function ask(message) {
  return new Promise((resolve, reject) => {
    const question = { message, resolve, reject };
    if (running === null) {
      send(question);
    } else {
      waiting?.resolve(undefined);
      waiting = question;
    }
  });
}

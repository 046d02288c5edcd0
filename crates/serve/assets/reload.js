// Keeps a page up to date: listens for changes of its file, and puts the new content in
// place of the old one, so that the reader stays where they are.

const status = document.getElementById("status");
let source = null;

async function refresh() {
  const response = await fetch(location.pathname, { cache: "no-store" });
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  document.title = next.title;
  document.body.dataset.state = next.body.dataset.state;
  for (const part of ["header", "main"]) {
    document.querySelector(part).replaceWith(document.adoptNode(next.querySelector(part)));
  }
  status.textContent = "Updated";
  setTimeout(() => (status.textContent = ""), 1500);
}

function listen() {
  source = new EventSource(`/-/changes?path=${encodeURIComponent(location.pathname)}`);
  source.addEventListener("state", (event) => {
    if (event.data !== document.body.dataset.state) {
      refresh().catch(() => (status.textContent = "The server does not answer."));
    }
  });
  source.addEventListener("open", () => (status.textContent = ""));
  source.addEventListener("error", () => (status.textContent = "The server does not answer."));
}

// Browsers open few connections to one server: pages that nobody sees give theirs back.
function follow() {
  if (document.hidden) {
    source?.close();
    source = null;
  } else if (source === null) {
    listen();
  }
}

document.addEventListener("visibilitychange", follow);
follow();

// Keeps a page up to date: listens for changes of its file, and puts the new content in
// place of the old one, so that the reader stays where they are.

const status = document.getElementById("status");
let source = null;
// An editor may empty a file before it writes it again. Then the page is too short for a moment:
// where the reader was, and where that left them.
let place = null;
// One after the other: an older answer must not come last.
let refreshed = Promise.resolve();

async function refresh() {
  const response = await fetch(location.pathname, { cache: "no-store" });
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const wanted = place?.now === scrollY ? place.wanted : scrollY;
  document.title = next.title;
  document.body.dataset.state = next.body.dataset.state;
  for (const part of ["header", "main"]) {
    document.querySelector(part).replaceWith(document.adoptNode(next.querySelector(part)));
  }
  scrollTo({ top: wanted, behavior: "instant" });
  place = { wanted, now: scrollY };
  status.textContent = "Updated";
  setTimeout(() => (status.textContent = ""), 1500);
}

function listen() {
  source = new EventSource(`/-/changes?path=${encodeURIComponent(location.pathname)}`);
  source.addEventListener("state", (event) => {
    if (event.data !== document.body.dataset.state) {
      refreshed = refreshed
        .then(refresh)
        .catch(() => (status.textContent = "The server does not answer."));
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

// The engine's HTML as elements that can do nothing. The engine's output is safe by itself;
// this is the second lock: only known elements and attributes get into the page, an image is
// its description, and a link leads nowhere until the page decides what a click means.

const ELEMENTS = new Set(
  `a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr input li ol p pre section strong sup
   table tbody td th thead tr ul`.split(/\s+/),
);

const ATTRIBUTES = {
  a: ["href", "class"],
  code: ["class"],
  div: ["class"],
  input: ["checked", "disabled", "type"],
  li: ["class"],
  ol: ["start"],
  p: ["class"],
  section: ["class"],
  sup: ["class"],
  td: ["align"],
  th: ["align"],
  ul: ["class"],
};

/** A fragment for this HTML. */
export function inert(html) {
  // Nothing is loaded or run in a document that is only parsed.
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  // Nesting may be deeper than the stack allows, so no recursion.
  const waiting = [[parsed.body, fragment]];
  while (waiting.length > 0) {
    const [from, to] = waiting.pop();
    for (const child of from.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        to.append(child.data);
      } else if (child.nodeType === Node.ELEMENT_NODE) {
        const copy = inertElement(child);
        to.append(copy);
        waiting.push([child, copy]);
      }
    }
  }
  return fragment;
}

function inertElement(element) {
  const name = element.localName;
  if (name === "img") {
    const image = document.createElement("span");
    image.className = "image";
    image.textContent = element.getAttribute("alt") || "image";
    image.title = element.getAttribute("src") ?? "";
    return image;
  }
  const isKnown = ELEMENTS.has(name) && element.namespaceURI === "http://www.w3.org/1999/xhtml";
  const copy = document.createElement(isKnown ? name : "span");
  for (const attribute of isKnown ? (ATTRIBUTES[name] ?? []) : []) {
    if (element.hasAttribute(attribute)) {
      copy.setAttribute(attribute === "href" ? "data-href" : attribute, element.getAttribute(attribute));
    }
  }
  if (name === "input") {
    copy.type = "checkbox";
    copy.disabled = true;
  }
  return copy;
}

// `Stream.applyTo` of the npm package in a real browser: the element shows what `toHtml` gives,
// and a selection survives while the text is written.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { PATIENCE, close, openPage, serveStatic, startBrowser } from "./support.mjs";

let chrome, server;

before(async () => {
  chrome = await startBrowser();
  server = await serveStatic(process.env.BARELINK_SITE);
});

after(async () => {
  await chrome.stop();
  await server.stop();
});

/** Runs `body` in the browser, with the package and an element. */
function inBrowser(name, body, more) {
  test(name, { timeout: 2 * PATIENCE }, async () => {
    const opened = await openPage(chrome.browser, server.url);
    await opened.page.evaluate(async () => {
      window.barelink = await import(new URL("./barelink/web.js", document.baseURI));
      await barelink.init({ parts: ["natural", "stream"] });
      window.element = document.createElement("article");
      document.body.prepend(element);
      /** Writes a text piece by piece. */
      window.write = (stream, text, size = 1) => {
        for (let at = 0; at < text.length; at += size) {
          stream.push(text.slice(at, at + size));
          stream.update();
        }
      };
      /** Selects the first place with this text. */
      window.selectText = (text, isBackward) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const at = walker.currentNode.data.indexOf(text);
          if (at >= 0) {
            const ends = [[walker.currentNode, at], [walker.currentNode, at + text.length]];
            const [from, to] = isBackward ? ends.reverse() : ends;
            getSelection().setBaseAndExtent(...from, ...to);
            return;
          }
        }
        throw new Error(`${text} is not there`);
      };
      /** What the browser makes of HTML. */
      window.parsed = (html) => {
        const template = document.createElement("template");
        template.innerHTML = html;
        return template.innerHTML;
      };
    });
    assert.deepEqual(await opened.page.evaluate(body, more), "as expected");
    await close(opened, server.url);
  });
}

const TEXT = `# A title

A paragraph with *emphasis*, a [link](/x "t") & <entities>, https://example.com/a_b and more
on a second line.

- one
- two
  - nested \`code\`

  loose from here

1. [ ] task

| a | b |
|---|--:|
| 1 | **2** |

\`\`\`js
if (a < b && c > "d") {}
\`\`\`

> [!NOTE]
> quoted[^n], see [late].

Setext
------

<div>raw</div>

[late]: /defined
[^n]: The note.

![image](/data.png) end[^n]
`;

for (const preset of ["gfm", "github", "md4c"]) {
  for (const rawHtml of ["escape", "drop", "pass"]) {
    inBrowser(`${preset}, raw HTML ${rawHtml}: the element at every prefix`, ([text, options]) => {
      const stream = new barelink.Stream(options);
      stream.applyTo(element);
      let soFar = "";
      for (const piece of text.match(/[^]{1,3}/g)) {
        soFar += piece;
        stream.push(piece);
        stream.update();
        if (element.innerHTML !== parsed(stream.html)) {
          return [soFar, element.innerHTML, stream.html];
        }
      }
      stream.finish();
      const html = parsed(barelink.toHtml(text, options));
      // Another element that comes late shows the same, and so does a stream that goes on.
      const other = document.createElement("div");
      const stop = stream.applyTo(other);
      if (element.innerHTML !== html || other.innerHTML !== html) {
        return [element.innerHTML, other.innerHTML, html];
      }
      stop();
      stream.push("\n\nmore[^n]");
      stream.finish();
      const now = parsed(barelink.toHtml(`${text}\n\nmore[^n]`, options));
      return element.innerHTML === now && other.innerHTML === html ? "as expected" : [element.innerHTML, other.innerHTML, now];
    }, [TEXT + (rawHtml === "pass" ? "\n<section>\n\n*in* it\n\n</section>\n\nafter <b>bold\n\nend" : ""), { preset, policy: { rawHtml } }]);
  }
}

inBrowser("a selection in a settled block survives", () => {
  const stream = new barelink.Stream();
  stream.applyTo(element);
  write(stream, "# Keep this\n\nfirst\n\n");
  selectText("this");
  const heading = element.querySelector("h1");
  write(stream, "second *paragraph*\n\n- a\n- b\n\n```\ncode\n```\n");
  stream.finish();
  return getSelection().toString() === "this" && element.querySelector("h1") === heading ? "as expected" : getSelection().toString();
});

const GROWING = [
  ["a paragraph", "Some words to keep, and *emp", "words to", "hasis* that www.a.bc/grows & grows\non a second line"],
  ["emphasis that closes later", "keep **bold words", "keep", "** and more"],
  ["a list", "- first item\n- second it", "first item", "em\n- third\n  - nested\n"],
  ["the item that is written", "- first\n- second item", "second", " grows\n- third"],
  ["a list that gets loose", "- first item\n- second", "first item", "\n\n- third\n"],
  ["code", "```js\nlet kept = 1;\nlet b", "kept = 1", " = 2;\nlet c = 3;\n"],
  ["a table", "| a | b |\n|---|---|\n| kept | 2", "kept", " |\n| 3 | 4 |\n| 5"],
  ["a quotation", "> kept words\n> and", "kept words", " more\n>\n> - list\n"],
  ["a line that becomes a heading", "Kept title\n", "Kept title", "===\n"],
  ["a paragraph whose link is defined later", "see [this] kept text", "kept text", "\n\nmore\n\n[this]: /u\n\nend"],
  ["bold text that is not closed", "some **bold words", "bold words", "** and more"],
  ["a link that is not closed", "a [kept text](/u", "kept text", ") more"],
  ["a line that becomes a table", "| kept | b |\n", "kept", "|---|---|\n| 1 | 2"],
  ["text before an entity", "kept &am", "kept", "p; and"],
  ["a link in the text", "kept [text](/u", "kept", ") more"],
];

for (const isBackward of [false, true]) {
  inBrowser(`a selection in the block that is written survives${isBackward ? ", backward" : ""}`, ([cases, isBackward]) => {
    const wrong = [];
    for (const [name, start, selected, rest] of cases) {
      for (const size of [1, 4, 1000]) {
        const stream = new barelink.Stream({ preset: "github" });
        const stop = stream.applyTo(element);
        write(stream, start, size);
        selectText(selected, isBackward);
        for (let at = 0; at < rest.length; at += size) {
          stream.push(rest.slice(at, at + size));
          stream.update();
          const selection = getSelection();
          const range = selection.getRangeAt(0);
          const wasBackward = range.startContainer !== selection.anchorNode || range.startOffset !== selection.anchorOffset;
          if (selection.toString() !== selected || wasBackward !== isBackward) {
            wrong.push([name, size, rest.slice(0, at + size), selection.toString()]);
            break;
          }
        }
        if (element.innerHTML !== parsed(stream.html)) {
          wrong.push([name, size, element.innerHTML]);
        }
        stop();
      }
    }
    return wrong.length === 0 ? "as expected" : wrong;
  }, [GROWING, isBackward]);
}

inBrowser("a selection over several blocks survives, and a caret", () => {
  const stream = new barelink.Stream();
  stream.applyTo(element);
  write(stream, "First block\n\nSecond **block");
  const [first, second] = element.querySelectorAll("p");
  getSelection().setBaseAndExtent(first.firstChild, 6, second.firstChild, 4);
  write(stream, "** goes on");
  const over = getSelection().toString().replace(/\s+/g, " ");
  getSelection().collapse(second.querySelector("strong").firstChild, 3);
  write(stream, "\n---\n");
  const { anchorNode, anchorOffset, isCollapsed } = getSelection();
  const caret = [anchorNode.parentNode.localName, anchorOffset, isCollapsed, element.querySelector("h2 strong") === anchorNode.parentNode];
  return over === "block Seco" && caret.join() === "strong,3,true,true" ? "as expected" : [over, caret];
});

inBrowser("nodes stay, and only the text that grew is changed", () => {
  const stream = new barelink.Stream();
  stream.applyTo(element);
  write(stream, "Some *text* with a [link](/x) and mo");
  const paragraph = element.firstChild;
  const nodes = [...paragraph.childNodes];
  const seen = [];
  const observer = new MutationObserver((records) => seen.push(...records));
  observer.observe(element, { childList: true, subtree: true, characterData: true, attributes: true });
  stream.push("re text");
  stream.update();
  seen.push(...observer.takeRecords());
  observer.disconnect();
  const isSame = element.firstChild === paragraph && [...paragraph.childNodes].every((node, idx) => node === nodes[idx]);
  const changes = seen.map((record) => `${record.type} ${record.target.data}`);
  return isSame && changes.join() === "characterData  and more text" ? "as expected" : changes;
});

inBrowser("focus stays on a link, and what others added is left alone", () => {
  const stream = new barelink.Stream();
  stream.applyTo(element);
  write(stream, "settled\n\n[link](/x) and");
  const mine = document.createElement("button");
  element.firstElementChild.append(mine);
  element.querySelector("a").focus();
  write(stream, " more *text*\n\nnext");
  if (document.activeElement !== element.querySelector("a") || !mine.isConnected) {
    return document.activeElement.outerHTML;
  }
  // A block that somebody removed comes back when it changes, and nothing fails.
  element.lastElementChild.remove();
  element.firstElementChild.remove();
  write(stream, " one\n\nlast");
  stream.finish();
  return element.textContent.includes("next one") && element.textContent.includes("last") ? "as expected" : element.innerHTML;
});

inBrowser("updates can be applied elsewhere, with a parser of one's own", () => {
  const stream = new barelink.Stream();
  const view = new barelink.View(element, {
    parse(html) {
      const { body } = new DOMParser().parseFromString(html, "text/html");
      body.querySelectorAll("a").forEach((link) => link.replaceWith(...link.childNodes));
      return body;
    },
  });
  for (const piece of ["see www.a.bc ", "and *more", "*\n\nend"]) {
    stream.push(piece);
    view.apply(structuredClone(stream.update()));
  }
  return element.innerHTML === "<p>see www.a.bc and <em>more</em></p>\n<p>end</p>\n" ? "as expected" : element.innerHTML;
});

inBrowser("a long answer is shown fast enough", () => {
  const stream = new barelink.Stream({ preset: "github" });
  stream.applyTo(element);
  const start = performance.now();
  write(stream, "Some *words* and a link, www.example.com, in a paragraph.\n\n- item\n- item\n\n".repeat(100), 4);
  const taken = performance.now() - start;
  // Some 2,000 updates: each would have 16 ms.
  return taken < 2000 * 16 && element.querySelectorAll("p").length === 100 ? "as expected" : taken;
});

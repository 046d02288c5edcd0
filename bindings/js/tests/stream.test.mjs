// A text that is still being written: after every piece, the page is what `toHtml` makes of the
// text so far.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Stream, toHtml } from "barelink";

const TEXT = `# Héading 😀 with *emphasis*

A paragraph with https://example.com/資料 and **bold**, 漢字
and a [link](https://example.com "title") — and \`code\`.

- one
- two 😀

  loose now
- [x] three

| a | b |
|---|:-:|
| 1 | www.a.bc |

\`\`\`js
const a = "<b>";
\`\`\`

> [!NOTE]
> quoted

Title
===

1. end
`;

/** In the other presets this is the definition of a link, which counts when it is complete. */
const NOTE = "\ntext[^1] and[^1]\n\n[^1]: A note with x@y.zz.\n\n    more\n\nlast[^1]";

/** What a client does that keeps the HTML of each block. */
class Client {
    blocks = new Map();

    apply({ revised, blocks }) {
        for (const { id, keep, html } of [...revised, ...blocks]) {
            const before = this.blocks.get(id) ?? "";
            assert.ok(keep <= before.length);
            this.blocks.set(id, before.slice(0, keep) + html);
        }
    }

    get html() {
        return [...this.blocks].sort(([a], [b]) => a - b).map(([, html]) => html).join("");
    }
}

for (const preset of ["commonmark", "gfm", "github", "md4c", "natural"]) {
    test(`${preset}: the page at every prefix`, () => {
        const stream = new Stream({ preset });
        const client = new Client();
        const whole = ["github", "natural"].includes(preset) ? TEXT + NOTE : TEXT;
        let text = "";
        for (const character of whole) {
            text += character;
            stream.push(character);
            const update = stream.update();
            assert.equal(update.isEnd, false);
            client.apply(update);
            assert.equal(client.html, toHtml(text, { preset }), text);
            assert.equal(stream.html, client.html);
        }
        assert.equal(stream.source, whole);
        const last = stream.finish();
        client.apply(last);
        assert.equal(last.isEnd, true);
        assert.equal(client.html, toHtml(whole, { preset }));
        assert.ok(last.blocks.every(({ state }) => state === "settled"));
    });
}

test("a block tells what it is and where, in UTF-16 units", () => {
    const stream = new Stream();
    stream.push("# é😀\n\nSome *te");
    assert.deepEqual(stream.update(), {
        revised: [],
        blocks: [
            { id: 0, kind: "heading", span: { start: 0, end: 5 }, keep: 0, html: "<h1>é😀</h1>\n", state: "settled", pending: null },
            { id: 7, kind: "paragraph", span: { start: 7, end: 15 }, keep: 0, html: "<p>Some *te</p>\n", state: "open", pending: "paragraph" },
        ],
        isEnd: false,
    });
    stream.push("xt* 漢");
    stream.update();
    stream.push("字");
    const { blocks } = stream.update();
    // Three letters of the tag, five, the tags and the word, a space and a sign.
    assert.deepEqual(blocks.map(({ id, keep, html }) => [id, keep, html]), [[7, 3 + 5 + 13 + 2, "字</p>\n"]]);
    assert.deepEqual(stream.update(), { revised: [], blocks: [], isEnd: false });
});

test("offsets far into a long text, and into a long block", () => {
    const stream = new Stream();
    const part = "漢字 😀 é\n\n";
    stream.push(part.repeat(3000));
    stream.update();
    stream.push("```\n");
    let client = 0;
    for (let i = 0; i < 300; i++) {
        stream.push("é😀 x\n");
        const { blocks } = stream.update();
        const code = blocks.at(-1);
        assert.equal(code.span.start, part.length * 3000);
        assert.equal(code.span.end, part.length * 3000 + 4 + 6 * (i + 1) - 1);
        assert.ok(code.keep <= client);
        client = code.keep + code.html.length;
    }
    assert.equal(client, "<pre><code></code></pre>\n".length + 300 * 6);
});

test("definitions revise what came before, or do not", () => {
    const text = "see [a]\n\nmore\n\n[a]: /u\n\nend";
    const stream = new Stream();
    const revised = [...text].flatMap((piece) => {
        stream.push(piece);
        return stream.update().revised;
    });
    assert.deepEqual(revised.map(({ id, keep, html }) => [id, keep, html]), [[0, 0, '<p>see <a href="/u">a</a></p>\n']]);
    assert.equal(stream.html, toHtml(text));
    const settled = new Stream({ definitions: "settled" });
    for (const piece of text) {
        settled.push(piece);
        assert.deepEqual(settled.update().revised, []);
    }
    settled.finish();
    assert.equal(settled.html, "<p>see [a]</p>\n<p>more</p>\n<p>end</p>\n");
});

test("characters that are cut in two wait for their rest", () => {
    const stream = new Stream();
    for (const unit of "a😀b".split("")) {
        stream.push(unit);
        stream.update();
        assert.ok(!stream.html.includes("\uFFFD"));
    }
    for (const byte of new TextEncoder().encode("漢")) {
        stream.pushBytes(new Uint8Array([byte]));
        stream.update();
    }
    assert.equal(stream.html, "<p>a😀b漢</p>\n");
    stream.push("\uD83D");
    stream.pushBytes(new Uint8Array([0x21, 0xff]));
    stream.push("\uD83D");
    stream.finish();
    assert.equal(stream.source, "a😀b漢\uFFFD!\uFFFD\uFFFD");
    assert.equal(stream.html, "<p>a😀b漢\uFFFD!\uFFFD\uFFFD</p>\n");
});

test("a finished stream goes on", () => {
    const stream = new Stream({ preset: "github" });
    stream.push("# a\n\nb[^1]\n\n[^1]: c");
    stream.finish();
    stream.push("\n\nd");
    stream.update();
    assert.equal(stream.html, toHtml("# a\n\nb[^1]\n\n[^1]: c\n\nd", { preset: "github" }));
});

test("what is not complete can be guessed", () => {
    const stream = new Stream({ optimistic: true });
    stream.push("some **bold and [a link](https://exam");
    stream.update();
    assert.equal(stream.html, '<p>some <strong>bold and <a data-pending="link">a link</a></strong></p>\n');
    stream.finish();
    assert.equal(stream.html, toHtml("some **bold and [a link](https://exam"));
    assert.throws(() => new Stream({ optimistic: 1 }), /^TypeError: the option `optimistic` must be true or false, not a number$/);
});

test("wrong uses are errors", () => {
    assert.throws(() => new Stream({ tabels: true }), /^TypeError: unknown option `tabels`/);
    assert.throws(() => new Stream({ onLink: () => true }), /^TypeError: unknown option `onLink`/);
    assert.throws(() => new Stream({ definitions: "x" }), /^TypeError: the option `definitions` must be/);
    assert.throws(() => toHtml("a", { definitions: "settled" }), /^TypeError: unknown option `definitions`/);
    const stream = new Stream();
    assert.throws(() => stream.push(5), /^TypeError: a piece must be a string, not a number$/);
    assert.throws(() => stream.pushBytes("a"), /^TypeError: a piece must be a Uint8Array, not a string$/);
    stream.free();
    stream.free();
    assert.throws(() => stream.push("a"), /^Error: the stream was freed$/);
    assert.throws(() => stream.update(), /^Error: the stream was freed$/);
    const { html } = stream;
    assert.equal(html, "");
});

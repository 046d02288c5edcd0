// What users call, in node. Run by test.d/js, with the package installed beside it.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

import * as barelink from "barelink";

const { Renderer, events, explain, findLinks, init, linkify, links, toHtml, toHtmlBytes } = barelink;
const decode = (bytes) => new TextDecoder().decode(bytes);

test("HTML of strings and bytes, in both", async () => {
    await init();
    const source = "# Hé *you* 😀 www.a.bc";
    const html = '<h1>Hé <em>you</em> 😀 <a href="http://www.a.bc">www.a.bc</a></h1>\n';
    assert.equal(toHtml(source), html);
    assert.equal(toHtml(new TextEncoder().encode(source)), html);
    assert.equal(decode(toHtmlBytes(source)), html);
    assert.equal(toHtml(""), "");
    assert.equal(toHtml(new Uint8Array([65, 0xff, 66])), "<p>A\uFFFDB</p>\n");
    assert.equal(toHtml("a\uD800b"), "<p>a\uFFFDb</p>\n");
});

test("`require` gives the same instance", () => {
    const required = createRequire(import.meta.url)("barelink");
    assert.equal(required.toHtml, toHtml);
    assert.deepEqual(Object.keys(required).sort(), Object.keys(barelink).filter((it) => it !== "default").sort());
});

test("texts of every length, of one to four bytes a character", () => {
    const renderer = new Renderer({ preset: "commonmark" });
    for (const letter of ["a", "é", "漢", "😀"]) {
        for (const length of [0, 1, 63, 64, 4095, 4096, 16383, 16384, 16385, 70000, 1 << 20, 3]) {
            const text = letter.repeat(length);
            const html = length === 0 ? "" : `<p>${text}</p>\n`;
            assert.ok(renderer.toHtml(text) === html, `${length} times ${letter}`);
            assert.ok(decode(renderer.toHtmlBytes(text)) === html, `${length} times ${letter}, as bytes`);
            assert.ok(toHtml(text) === html, `${length} times ${letter}, by the function`);
        }
    }
});

test("presets and options", () => {
    assert.equal(toHtml("~~a~~ www.a.bc", { preset: "commonmark" }), "<p>~~a~~ www.a.bc</p>\n");
    // The preset comes first, wherever it stands.
    assert.equal(toHtml("~~a~~", { strikethrough: true, preset: "commonmark" }), "<p><del>a</del></p>\n");
    assert.equal(toHtml("~~a~~", { tables: undefined, policy: undefined }), "<p><del>a</del></p>\n");
    assert.equal(toHtml("a <b>", { policy: { rawHtml: "pass" } }), "<p>a <b></p>\n");
    assert.equal(toHtml("[a](x:b)", { policy: { urls: ["x"] } }), '<p><a href="x:b">a</a></p>\n');
    assert.equal(toHtml("[a](x:b)", { policy: { urls: "any" } }), '<p><a href="x:b">a</a></p>\n');
    assert.equal(toHtml("[a](x:b)", { policy: { urls: ["any"] } }), '<p><a href="">a</a></p>\n');
    const policy = { external: { rel: "nofollow", targetBlank: true }, ownHosts: ["*.a.bc"], bare: { rel: null } };
    assert.equal(
        toHtml("[a](http://b.cd) [b](http://x.a.bc)", { policy }),
        '<p><a href="http://b.cd" rel="nofollow" target="_blank">a</a> <a href="http://x.a.bc">b</a></p>\n',
    );
    assert.equal(toHtml("a\nb", { policy: { softBreaks: "hard" } }), "<p>a<br />\nb</p>\n");
    assert.equal(toHtml("www.a.bc", { autolinks: { dialect: "none" } }), "<p>www.a.bc</p>\n");
    assert.equal(
        toHtml("# A", { policy: { headingIds: true, idPrefix: "x-", sourcePositions: true } }),
        '<h1 data-sourcepos="1:1-1:3" id="x-a">A</h1>\n',
    );
});

test("the engine knows every option and every value", () => {
    const messageOf = (options) => {
        try {
            toHtml("a", options);
            return "";
        } catch (error) {
            return error.message;
        }
    };
    const namesIn = (message) => message.match(/expected one of (.*)$/)?.[1].split(", ") ?? [];
    const at = (path, value) => path.reduceRight((inner, name) => ({ [name]: inner }), value);
    let n_values = 0;
    const tryAll = (group) => {
        for (const name of namesIn(messageOf(at([...group, "?"], 0)))) {
            const path = [...group, name];
            if (messageOf(at(path, 0)).endsWith("must be an object, not a number")) {
                tryAll(path);
                continue;
            }
            const values = [true, false, "?", ["a"], null, ...namesIn(messageOf(at(path, "?")))];
            const right = values.filter((value) => {
                const message = messageOf(at(path, value));
                assert.doesNotMatch(message, /the engine/, path.join("."));
                return message === "";
            });
            assert.ok(right.length > 0, path.join("."));
            n_values += right.length;
        }
    };
    tryAll([]);
    assert.ok(n_values > 75, `${n_values}`);
    assert.equal(toHtml('"a" -- b...', { smartPunctuation: true }), "<p>“a” – b…</p>\n");
});

test("wrong options are errors that name them", () => {
    const wrong = [
        [{ tabels: true }, "unknown option `tabels`: expected one of preset, tables, "],
        [{ policy: { rawHTML: "pass" } }, "unknown option `policy.rawHTML`: expected one of rawHtml, urls, "],
        [{ policy: { bare: { rol: "" } } }, "unknown option `policy.bare.rol`: expected one of rel, targetBlank"],
        [{ x: { y: 1 } }, "unknown option `x`: "],
        [{ tables: "yes" }, "the option `tables` must be true or false, not the string `yes`"],
        [{ tables: () => 1 }, "the option `tables` must be true or false, not a function"],
        [{ tables: 1n }, "the option `tables` must be true or false, not a bigint"],
        [{ tables: Symbol("x") }, "the option `tables` must be true or false, not a symbol"],
        [{ tables: null }, "the option `tables` must be true or false, not null"],
        [{ preset: "latex" }, "the option `preset` is wrong: unknown preset `latex`: expected one of commonmark, "],
        [{ policy: { rawHtml: "no" } }, "the option `policy.rawHtml` is wrong: "],
        [{ policy: { bare: { rel: 5 } } }, "the option `policy.bare.rel` must be a string or null, not a number"],
        [{ policy: { urls: "all" } }, "the option `policy.urls` is wrong: "],
        [{ policy: { ownHosts: ["a", 1] } }, "the option `policy.ownHosts` must be an array of strings, not an array with a number"],
        [{ policy: 3 }, "the option `policy` must be an object, not a number"],
        [{ autolinks: { dialect: "x" } }, "the option `autolinks.dialect` is wrong: "],
        [{ onLink: "x" }, "the option `onLink` must be a function, not a string"],
        [[], "options must be an object, not an array"],
        ["gfm", "options must be an object, not a string"],
    ];
    for (const [options, message] of wrong) {
        for (const call of [() => toHtml("a", options), () => new Renderer(options)]) {
            assert.throws(call, (error) => error instanceof TypeError && error.message.startsWith(message), message);
        }
    }
    assert.throws(() => findLinks("a", { dilect: "gfm" }), /^TypeError: unknown option `dilect`: expected one of dialect,/);
    assert.throws(() => toHtml(5), /^TypeError: the text must be a string or a Uint8Array, not a number$/);
    assert.throws(() => toHtml(), /^TypeError: the text must be .* not undefined$/);
    assert.equal(toHtml("a"), "<p>a</p>\n");
});

test("links, with places in UTF-16 units", () => {
    const source = 'é😀 www.a.bc ![x](y "t") [漢](<z z>)';
    const found = links(source);
    assert.deepEqual(found[1], {
        image: true,
        form: "inline",
        destination: "y",
        href: "y",
        title: "t",
        text: "x",
        external: false,
        span: { start: 13, end: 24 },
    });
    const pieces = found.map(({ span }) => source.slice(span.start, span.end));
    assert.deepEqual(pieces, ["www.a.bc", '![x](y "t")', "[漢](<z z>)"]);
    assert.deepEqual([found[2].destination, found[2].href], ["z z", "z%20z"]);
    assert.equal(links('[\\"\u0001](a\\\\b)')[0].text, '"\u0001');
    // Far into a long text.
    const long = "漢字 and 😀\n".repeat(5000) + "www.a.bc";
    const [{ span }] = links(long);
    assert.deepEqual(span, { start: long.length - 8, end: long.length });
});

test("explanations", () => {
    const source = 'é "www.a.bc" www.x.org. ssh://y `www.b.c`';
    const decisions = explain(source);
    assert.deepEqual(decisions.map((it) => it.verdict), ["refused", "linked", "refused", "elsewhere"]);
    const [refused, linked, , elsewhere] = decisions;
    assert.deepEqual([refused.rule, refused.at, source.slice(refused.candidate.start, refused.candidate.end)], ["before", 2, "www."]);
    assert.match(refused.section, /GFM/);
    assert.equal(source.slice(linked.span.start, linked.span.end), "www.x.org");
    assert.equal(linked.href, "http://www.x.org");
    assert.deepEqual(linked.trims.map((it) => [it.text, it.rule]), [[".", "trailing-punctuation"]]);
    assert.equal(elsewhere.place, "code-span");
    const [idn] = explain("http://例え.jp/x", { preset: "natural" });
    assert.equal(idn.href, "http://xn--r8jz45g.jp/x");
});

test("events", () => {
    const source = "# é [a](/b \"t\") 😀\n\n- [x] c `d`\n";
    const found = events(source, { policy: { headingIds: true } });
    const told = found.map(({ event, tag, span }) => [event === "start" ? tag : event === "end" ? `/${tag}` : event, source.slice(span.start, span.end)]);
    assert.deepEqual(told, [
        ["heading", '# é [a](/b "t") 😀'],
        ["text", "é "],
        ["link", '[a](/b "t")'],
        ["text", "a"],
        ["/link", '[a](/b "t")'],
        ["text", " 😀"],
        ["/heading", '# é [a](/b "t") 😀'],
        ["list", "- [x] c `d`"],
        ["item", "- [x] c `d`"],
        ["paragraph", "c `d`"],
        ["text", "c "],
        ["code", "`d`"],
        ["/paragraph", "c `d`"],
        ["/item", "- [x] c `d`"],
        ["/list", "- [x] c `d`"],
    ]);
    const about = (wanted, options, text) => {
        const { event, span, ...rest } = events(text ?? source, options).find((it) => it.tag === wanted || it.event === wanted);
        return rest;
    };
    assert.deepEqual(about("heading", { policy: { headingIds: true } }), { tag: "heading", level: 1, id: "é-a-", classes: [], attributes: [] });
    assert.deepEqual(about("heading"), { tag: "heading", level: 1, id: null, classes: [], attributes: [] });
    assert.deepEqual(about("link"), { tag: "link", destination: "/b", title: "t", form: "inline" });
    assert.deepEqual(about("list"), { tag: "list", start: null, tight: true });
    assert.deepEqual(about("item"), { tag: "item", task: true });
    assert.deepEqual(about("code"), { text: "d" });
    assert.deepEqual(about("list", {}, "3. a"), { tag: "list", start: 3, tight: true });
    assert.deepEqual(about("item", {}, "3. a"), { tag: "item", task: null });
    assert.deepEqual(about("table", {}, "|a|b|c|\n|-|:-:|-:|"), { tag: "table", alignments: [null, "center", "right"] });
    assert.deepEqual(about("row", {}, "|a|\n|-|"), { tag: "row", header: true });
    assert.deepEqual(about("block-quote", { preset: "github" }, "> [!TIP]\n> a"), { tag: "block-quote", alert: "tip" });
    assert.deepEqual(about("code-block", {}, "```js x\n```"), { tag: "code-block", info: "js x" });
    assert.deepEqual(about("code-block", {}, "    a"), { tag: "code-block", info: null });
    assert.deepEqual(about("definition", {}, '[A  b]: /c "d"'), { label: "a b", destination: "/c", title: "d" });
    const note = "a[^X]\n\n[^x]: b";
    assert.deepEqual(about("footnote-reference", { preset: "github" }, note), { label: "x", written: "[^X]" });
    assert.deepEqual(about("footnote-definition", { preset: "github" }, note), { tag: "footnote-definition", label: "x", duplicate: false });
    assert.deepEqual(about("front-matter", { frontMatter: true }, "+++\na = 1\n+++\n"), { format: "toml", text: "a = 1\n" });
    assert.deepEqual(events(""), []);
    assert.deepEqual(new Renderer().events("a"), events("a"));
    assert.deepEqual(events(source, {}, 2), events(source).slice(0, 2));
    assert.deepEqual(new Renderer().events("a", 0), []);
    assert.throws(() => events("a", {}, -1), /^TypeError: the limit must be/);
});

test("schemes of one's own", () => {
    const options = { preset: "natural", schemes: ["APP:"] };
    assert.equal(toHtml("app://x, tel:1", options), '<p><a href="app://x">app://x</a>, tel:1</p>\n');
    assert.equal(toHtml("app://x", { schemes: ["app"] }), "<p>app://x</p>\n");
    // They are added to what the policy lets through, wherever that is said.
    const strict = { schemes: ["app"], preset: "natural", policy: { urls: ["https"] } };
    assert.equal(toHtml("app:x http://a.bc", strict), '<p><a href="app:x">app:x</a> <a href="">http://a.bc</a></p>\n');
    assert.deepEqual(links("see app:x.", options).map((it) => it.href), ["app:x"]);
    assert.equal(linkify("app:x", options), '<a href="app:x">app:x</a>');
    assert.throws(() => toHtml("a", { schemes: "app" }), /^TypeError: the option `schemes` must be an array of strings/);
});

test("bare links of plain text", () => {
    const text = "é x@y.zz, tel:+1-555 example.com";
    const options = { dialect: "natural", domains: true, schemes: ["TEL:"] };
    const found = findLinks(text, options);
    assert.deepEqual(found.map((it) => it.kind), ["email", "scheme", "domain"]);
    assert.equal(found[0].href, "mailto:x@y.zz");
    assert.ok(found.every(({ span, text: its }) => text.slice(span.start, span.end) === its));
    assert.deepEqual(findLinks("www.a.bc", { www: false }), []);
    assert.deepEqual(findLinks("www.a.bc", { dialect: "none" }), []);
    assert.equal(linkify("1 < 2 www.a.bc."), '1 &lt; 2 <a href="http://www.a.bc">www.a.bc</a>.');
    assert.equal(linkify("www.a.bc", { onLink: () => false }), "www.a.bc");
});

test("onLink keeps, vetoes, leaves out, rewrites and changes", () => {
    const seen = [];
    const answers = [undefined, true, false, null, "/new", "javascript:x", { rel: "me", target: "_top" }];
    answers.push({ destination: "/d", attributes: { class: 'a"b', title: null } });
    const onLink = (link) => {
        seen.push(link.text);
        return answers[seen.length - 1];
    };
    const source = '[a](b) [c](d) [e](f) [g](h) [i](j) [k](l) [m](n) [o](p "q")';
    assert.equal(
        toHtml(source, { onLink }),
        '<p><a href="b">a</a> <a href="d">c</a> e  <a href="/new">i</a> <a href="">k</a> ' +
            '<a href="n" rel="me" target="_top">m</a> <a href="/d" class="a&quot;b">o</a></p>\n',
    );
    assert.deepEqual(seen, ["a", "c", "e", "g", "i", "k", "m", "o"]);
});

test("what onLink throws is thrown, and nothing is broken by it", () => {
    const error = new RangeError("mine");
    const renderer = new Renderer({
        onLink() {
            throw error;
        },
    });
    assert.throws(() => renderer.toHtml("www.a.bc www.d.ef"), (thrown) => thrown === error);
    assert.throws(() => renderer.toHtmlBytes("www.a.bc"), (thrown) => thrown === error);
    assert.equal(renderer.toHtml("a"), "<p>a</p>\n");
    const returning = (value) => () => toHtml("www.a.bc", { onLink: () => value });
    assert.throws(returning(5), /^TypeError: onLink must return /);
    assert.throws(returning({ hrev: "x" }), /^TypeError: unknown change `hrev` from onLink/);
    assert.throws(returning({ rel: 5 }), /^TypeError: `rel` from onLink must be /);
    // Functions may be called from within; a renderer not by itself.
    assert.equal(toHtml("www.a.bc", { onLink: (link) => links(link.text)[0].href }), toHtml("www.a.bc"));
    const own = new Renderer({ onLink: () => own.toHtml("a") });
    assert.throws(() => own.toHtml("www.a.bc"), /cannot be used by its own onLink/);
});

test("many options, big texts and freed renderers", () => {
    for (let i = 0; i < 100; i++) {
        assert.equal(toHtml("# a", { policy: { headingIds: true, idPrefix: `n${i}-` } }), `<h1 id="n${i}-a">a</h1>\n`);
    }
    const big = "a".repeat(20_000_000);
    assert.ok(toHtml(big) === `<p>${big}</p>\n`);
    assert.equal(toHtml("a"), "<p>a</p>\n");
    const renderer = new Renderer();
    renderer.free();
    renderer.free();
    assert.throws(() => renderer.toHtml("a"), /^Error: the renderer was freed$/);
});

test("characters of every kind at every place, short and long", () => {
    const renderer = new Renderer({ preset: "commonmark" });
    const kinds = ["a", "é", "漢", "😀", "\uD83D", "\uDE00"];
    for (const kind of kinds) {
        for (const before of [0, 1, 13, 14, 15, 16, 17, 1023, 1024, 1040]) {
            for (const after of [0, 1, 2, 3, 17, 1100]) {
                const text = "x".repeat(before) + kind + kind + "é" + "y".repeat(after);
                const html = `<p>${text.toWellFormed?.() ?? text}</p>\n`;
                if (text.toWellFormed || kinds.indexOf(kind) < 4) {
                    assert.ok(renderer.toHtml(text) === html, `${JSON.stringify(kind)} after ${before}, before ${after}`);
                }
            }
        }
    }
    // A short one after a long one, and the other way round.
    for (const length of [5, 100_000, 7, 2_000, 300_000, 1]) {
        for (const letter of ["a", "漢", "😀"]) {
            assert.ok(renderer.toHtml(letter.repeat(length)) === `<p>${letter.repeat(length)}</p>\n`);
        }
    }
});

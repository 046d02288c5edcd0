// The package as a browser gets it: everything is fetched, or the core and the parts that are named.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const address = pathToFileURL(require.resolve("barelink/web"));

const asked = [];
globalThis.fetch = async (from) => {
    const name = new URL(from).pathname.split("/").at(-1);
    asked.push(name);
    return new Response(readFileSync(require.resolve(`barelink/${name}`)), { headers: { "content-type": "application/wasm" } });
};

/** Each call gives another instance, which has not started. */
const fresh = (name) => import(`${address}?${name}`);

const PARTS = ["links", "natural", "stream"];

/** What takes parts, and which. */
const USES = [
    ["`links`", ["links"], (it) => it.links("www.a.bc").length],
    ["`events`", ["links"], (it) => it.events("a").length],
    ["`findLinks`", ["links"], (it) => it.findLinks("www.a.bc").length],
    ["`linkify`", ["links"], (it) => it.linkify("a").length],
    ["`onLink`", ["links"], (it) => it.toHtml("www.a.bc", { onLink: () => true }).length],
    ["`explain`", ["links", "natural"], (it) => it.explain("www.a.bc").length],
    ['`preset: "natural"`', ["natural"], (it) => it.toHtml("https://a.bc。", { preset: "natural" }).length],
    ['`autolinks.dialect: "natural"`', ["natural"], (it) => it.toHtml("a@b.cd", { autolinks: { dialect: "natural" } }).length],
    ["`Stream`", ["stream"], (it) => new it.Stream().finish().blocks.length + 1],
];

test("nothing runs before init", async () => {
    const barelink = await fresh("none");
    for (const [, , use] of [...USES, ["", [], (it) => it.toHtml("a")]]) {
        assert.throws(() => use(barelink), /^Error: barelink has not started: `await init\(\)` comes first$/);
    }
    assert.deepEqual(asked, []);
});

test("init alone fetches all there is, once", async () => {
    const barelink = await fresh("all");
    await Promise.all([barelink.init(), barelink.init()]);
    assert.deepEqual(asked.splice(0).sort(), ["barelink.links.wasm", "barelink.natural.wasm", "barelink.stream.wasm", "barelink.wasm"]);
    for (const [what, , use] of USES) {
        assert.ok(use(barelink) > 0, what);
    }
});

test("the core is enough for HTML, and says which part is missing", async () => {
    const barelink = await fresh("core");
    await Promise.all([barelink.init({ parts: [] }), barelink.init({ parts: {} })]);
    assert.deepEqual(asked.splice(0), ["barelink.wasm"]);
    const html = '<p><em>a</em> <a href="http://www.a.bc">www.a.bc</a> 👍</p>\n';
    assert.equal(barelink.toHtml("*a* www.a.bc :+1:", { preset: "github" }), html);
    for (const [what, [part], use] of USES) {
        const message = `${what} takes a part that was not fetched: \`await init({ parts: ["${part}"] })\``;
        assert.throws(() => use(barelink), { message });
    }
});

test("each use takes the parts that it names", async () => {
    for (const [idx, [what, parts, use]] of USES.entries()) {
        const barelink = await fresh(`use-${idx}`);
        await barelink.init({ parts });
        assert.ok(use(barelink) > 0, what);
    }
    asked.splice(0);
});

test("parts can be added later, and are fetched once", async () => {
    const barelink = await fresh("later");
    await barelink.init({ parts: [] });
    const renderer = new barelink.Renderer({ preset: "github" });
    await Promise.all([barelink.init({ parts: PARTS }), barelink.init({ parts: ["links"] })]);
    await barelink.init({ parts: PARTS });
    assert.deepEqual(asked.splice(0).sort(), ["barelink.links.wasm", "barelink.natural.wasm", "barelink.stream.wasm", "barelink.wasm"]);
    assert.equal(renderer.links("www.a.bc")[0].href, "http://www.a.bc");
});

test("modules from elsewhere, and at once", async () => {
    const bytes = (part) => readFileSync(require.resolve(`barelink/barelink${part}.wasm`));
    const given = await fresh("given");
    await given.init({
        source: bytes(""),
        parts: { links: fetch(new URL("http://a.bc/barelink.links.wasm")), stream: new WebAssembly.Module(bytes(".stream")) },
    });
    assert.equal(given.links("www.a.bc").length, 1);
    assert.equal(new given.Stream().html, "");
    assert.deepEqual(asked.splice(0), ["barelink.links.wasm"]);
    const alone = await fresh("alone");
    await alone.init(bytes(""));
    assert.equal(alone.toHtml("a"), "<p>a</p>\n");
    assert.deepEqual(asked, []);
    const atOnce = await fresh("sync");
    atOnce.initSync(bytes(".scalar"), { natural: bytes(".natural.scalar") });
    assert.equal(atOnce.toHtml("a", { preset: "natural" }), "<p>a</p>\n");
});

test("wrong uses of init are errors", async () => {
    const barelink = await fresh("wrong");
    await assert.rejects(barelink.init({ parts: ["emoji"] }), /^TypeError: unknown part `emoji`: expected one of links, natural, stream$/);
    await assert.rejects(barelink.init({ part: ["links"] }), /^TypeError: unknown option `part` of init/);
    await assert.rejects(barelink.init({ parts: "links" }), /^TypeError: `parts` must be an array or an object, not a string$/);
    await assert.rejects(barelink.init({ parts: { links: Promise.reject(new Error("no")) } }), /^Error: no$/);
    await barelink.init({ parts: ["links"] });
    assert.equal(barelink.links("www.a.bc").length, 1);
});

// What vite made of a page (test.d/js runs it): all modules are beside the script, and the script
// runs with one of them.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

test("vite copies the modules, and the page works", async () => {
    const assets = readdirSync("users/dist/assets");
    const modules = assets.filter((name) => name.endsWith(".wasm"));
    assert.equal(modules.length, 8, `${assets}`);
    const script = assets.find((name) => name.endsWith(".js"));
    // As much of a browser as the page asks for.
    const main = {};
    globalThis.document = { querySelector: () => main, baseURI: "http://localhost/" };
    const asked = [];
    globalThis.fetch = async (address) => {
        const name = new URL(address).pathname.split("/").at(-1);
        asked.push(name);
        const headers = { "content-type": "application/wasm" };
        return new Response(readFileSync(`users/dist/assets/${name}`), { headers });
    };
    await import(pathToFileURL(`users/dist/assets/${script}`));
    assert.equal(main.innerHTML, '<p>see <a href="http://www.a.bc">www.a.bc</a></p>\n');
    assert.deepEqual(asked.length, 1);
    assert.ok(modules.includes(asked[0]));
});

// The examples of the npm package, built by vite: each shows an answer that it fetches.
// BARELINK_EXAMPLES is the folder they were built in.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { PATIENCE, serveStatic, startBrowser } from "./support.mjs";

let chrome;

before(async () => {
  chrome = await startBrowser();
});

after(() => chrome.stop());

for (const name of ["react", "vue", "svelte"]) {
  test(`${name} shows an answer`, { timeout: 2 * PATIENCE }, async () => {
    const server = await serveStatic(join(process.env.BARELINK_EXAMPLES, name, "dist"));
    const page = await chrome.browser.newPage();
    const wrong = [];
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("console", (message) => message.type() === "error" && !message.text().includes("404") && wrong.push(message.text()));
    await page.goto(server.url);
    await page.waitForSelector("article table td", { timeout: PATIENCE });
    assert.equal(await page.textContent("article h2"), "An answer");
    assert.equal(await page.getAttribute("article a", "href"), "http://www.example.com");
    assert.deepEqual(wrong, []);
    await page.close();
    await server.stop();
  });
}

// The example that answers over server-sent events: its page shows the answer while it is written,
// and keeps what is selected. BARELINK_EVENTS is the program.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";

import { PATIENCE, startBrowser } from "./support.mjs";

let chrome, server, url;

before(async () => {
  chrome = await startBrowser();
  server = spawn(process.env.BARELINK_EVENTS, ["127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  url = await new Promise((resolve) => createInterface(server.stdout).once("line", resolve));
});

after(async () => {
  await chrome.stop();
  await new Promise((resolve) => server.once("exit", resolve) && server.kill("SIGTERM"));
});

const complete = (page) => page.waitForFunction(() => document.getElementById("state").textContent === "complete");

test("an answer is shown while it is written, and a selection stays", { timeout: 2 * PATIENCE }, async () => {
  const context = await chrome.browser.newContext();
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  await page.goto(url);
  // The heading has a character of three bytes, so that bytes and units differ from then on.
  await page.waitForFunction(() => document.querySelector("#answer p")?.textContent.includes("answer different"));
  await page.evaluate(() => {
    const text = document.querySelector("#answer p").firstChild;
    document.getSelection().setBaseAndExtent(text, 4, text, 10);
    window.paragraph = document.querySelector("#answer p");
  });
  assert.notEqual(await page.textContent("#state"), "complete");
  await complete(page);
  assert.equal(await page.evaluate(() => String(document.getSelection())), "clocks");
  assert.ok(await page.evaluate(() => window.paragraph === document.querySelector("#answer p")));
  assert.equal(await page.locator("#answer td").count(), 6);
  assert.match(await page.textContent("#answer pre"), /start\.elapsed\(\)\); \/\/ 12\.3ms/);
  assert.equal(await page.getAttribute("#answer li a", "title"), "The documentation of black_box");
  assert.equal(await page.locator("#answer b, #answer [onclick], #answer [data-pending]").count(), 0);
  assert.match(await page.textContent("#answer section"), /drops outliers/);
  const whole = await page.innerHTML("#answer");
  // The same answer again gives the same page.
  await page.click("#ask");
  await page.waitForFunction(() => document.getElementById("state").textContent !== "complete");
  await complete(page);
  assert.equal(await page.innerHTML("#answer"), whole);
  assert.deepEqual(wrong, []);
  await context.close();
});

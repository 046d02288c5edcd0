// The preview of a folder, in a browser.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { PATIENCE, close, openPage, serveFolder, startBrowser } from "./support.mjs";

let chrome, server, folder;

before(async () => {
  chrome = await startBrowser();
  folder = await mkdtemp(join(tmpdir(), "barelink-serve-"));
  server = await serveFolder(folder);
});

after(async () => {
  await chrome.stop();
  await server.stop();
  await rm(folder, { recursive: true });
});

const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** Opens a page of the folder. */
async function open(path, options) {
  const context = await chrome.browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const watched = { requests: [], wrong: [] };
  page.on("request", (request) => watched.requests.push(request.url()));
  page.on("pageerror", (error) => watched.wrong.push(error.message));
  await page.goto(server.url + path);
  return { context, page, watched };
}

test("a page changes when its file does, and stays where it was", { timeout: 2 * PATIENCE }, async () => {
  const long = "A paragraph.\n\n".repeat(200);
  await writeFile(join(folder, "a.md"), `# One\n\n${long}`);
  const opened = await open("a.md");
  const { page } = opened;
  assert.equal(await page.title(), "One");
  await page.evaluate(() => {
    window.isSame = true;
    scrollTo(0, 1500);
  });
  await writeFile(join(folder, "a.md"), `# Two\n\n${long}`);
  await page.waitForFunction(() => document.title === "Two");
  assert.equal(await page.textContent("h1"), "Two");
  assert.ok(await page.evaluate(() => window.isSame && Math.abs(scrollY - 1500) < 10));
  // As editors save: empty for a moment; another file under the same name; or gone for a moment.
  await writeFile(join(folder, "a.md"), "");
  await page.waitForFunction(() => document.title === "a.md" && scrollY === 0);
  await writeFile(join(folder, "a.md"), `# Two again\n\n${long}`);
  await page.waitForFunction(() => document.title === "Two again");
  assert.ok(await page.evaluate(() => Math.abs(scrollY - 1500) < 10));
  await writeFile(join(folder, "a.md~"), "# Three");
  await rename(join(folder, "a.md~"), join(folder, "a.md"));
  await page.waitForFunction(() => document.title === "Three");
  await rm(join(folder, "a.md"));
  await page.waitForFunction(() => document.querySelector("h1").textContent === "404");
  await writeFile(join(folder, "a.md"), "# Four");
  await page.waitForFunction(() => document.title === "Four");
  await close(opened, server.url);
});

test("images of the folder are shown, and appear when they are made", { timeout: 2 * PATIENCE }, async () => {
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "docs/b.md"), "![x](../my%20pixel.png) ![y](https://evil.example/pixel.png)");
  const opened = await open("docs/b.md");
  const { page } = opened;
  const failed = [];
  page.on("requestfailed", (request) => failed.push(`${request.url()} ${request.failure().errorText}`));
  await writeFile(join(folder, "my pixel.png"), PIXEL);
  await page.waitForFunction(() => document.querySelector("img")?.naturalWidth === 1);
  // The other one never leaves the browser: the policy forbids it.
  assert.equal(await page.evaluate(() => document.querySelectorAll("img")[1].naturalWidth), 0);
  assert.ok(failed.length > 0 && failed.every((it) => it === "https://evil.example/pixel.png csp"), `${failed}`);
  opened.watched.requests = opened.watched.requests.filter((it) => it !== "https://evil.example/pixel.png");
  await close(opened, server.url);
});

test("folders have an index that follows", { timeout: 2 * PATIENCE }, async () => {
  await writeFile(join(folder, "docs/c.md"), "www.a.bc");
  await writeFile(join(folder, "README.md"), "# Read me\n\n[next](docs/c.md)");
  const opened = await open("");
  const { page } = opened;
  assert.equal(await page.textContent("article h1"), "Read me");
  await writeFile(join(folder, "new & old.md"), "# New");
  await page.click("text=new & old.md");
  await page.waitForFunction(() => document.title === "New");
  await page.click("nav a");
  await page.click("text=next");
  await page.waitForFunction(() => location.pathname === "/docs/c.md");
  await page.click("text=Try links");
  await page.waitForSelector(".mark");
  await close(opened, server.url);
});

test("scripts in documents do not run, even if HTML may pass", { timeout: 2 * PATIENCE }, async () => {
  await writeFile(join(folder, "x.js"), "window.hacked = 1");
  await writeFile(join(folder, "x.html"), "<script>window.hacked = 1</script>");
  const evil = "<script>window.hacked = 1</script><script src=x.js></script><script src=/-/../x.js></script>"
    + "<img src=x onerror='window.hacked = 1'><svg onload='window.hacked = 1'></svg><iframe src=x.html></iframe>"
    + "<a id=a href='javascript:window.hacked = 1'>x</a><base href='https://evil.example/'>";
  await writeFile(join(folder, "x.md"), `${evil}\n\n[b](javascript:window.hacked=1)`);
  const { spawn } = await import("node:child_process");
  const { createInterface } = await import("node:readline");
  const child = spawn(process.env.BARELINK_COMMAND, ["serve", "--port", "0", "--unsafe", folder], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const line = await new Promise((resolve) => createInterface(child.stdout).once("line", resolve));
    const unsafe = /http:\/\/\S+/.exec(line)[0];
    for (const url of [`${server.url}x.md`, `${unsafe}x.md`]) {
      const page = await (await chrome.browser.newContext()).newPage();
      await page.goto(url);
      // A destination that was refused is empty: a click would load the page again, and hide what
      // the clicks before it did.
      await page.evaluate(() => document.addEventListener("click", (event) => {
        if (event.target.getAttribute("href") === "") {
          event.preventDefault();
        }
      }));
      for (const link of await page.$$("article a")) {
        await link.dispatchEvent("click");
      }
      await page.waitForTimeout(200);
      assert.equal(await page.evaluate(() => window.hacked), undefined, url);
      assert.equal(new URL(page.url()).pathname, "/x.md");
      if (!url.startsWith(unsafe)) {
        assert.equal(await page.locator("article script").count(), 0);
      }
      await page.context().close();
    }
    const page = await (await chrome.browser.newContext()).newPage();
    await page.goto(`${server.url}x.html`);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    await page.context().close();
  } finally {
    child.kill();
  }
});

test("another site cannot read it", { timeout: 2 * PATIENCE }, async () => {
  const { createServer } = await import("node:http");
  const evil = createServer((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<title>evil</title>"));
  await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
  const page = await (await chrome.browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${evil.address().port}/`);
  const outcome = await page.evaluate(async (url) => {
    const tries = {};
    tries.fetch = await fetch(`${url}a.md`).then(() => "read", () => "refused");
    tries.image = await new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve("read");
      image.onerror = () => resolve("refused");
      image.src = `${url}my%20pixel.png`;
    });
    tries.script = await new Promise((resolve) => {
      const script = document.createElement("script");
      script.onload = () => resolve("read");
      script.onerror = () => resolve("refused");
      script.src = `${url}x.js`;
      document.body.append(script);
    });
    return tries;
  }, server.url);
  // The same host on another port is the same site, so what is refused is refused by us.
  assert.equal(outcome.fetch, "refused");
  assert.equal(outcome.image, "refused");
  assert.equal(outcome.script, "refused");
  await page.context().close();
  evil.close();
});

test("the page says so when the server is gone", { timeout: 2 * PATIENCE }, async () => {
  const other = await serveFolder(folder);
  const { context, page } = await openPage(chrome.browser, `${other.url}try/`);
  await page.fill("#text", "www.a.bc");
  await other.stop();
  await page.fill("#text", "www.a.bc x");
  await page.waitForSelector("#problem:not([hidden])");
  assert.match(await page.textContent("#problem"), /Is `barelink serve` still running\?/);
  assert.equal(await page.inputValue("#text"), "www.a.bc x");
  await context.close();
});

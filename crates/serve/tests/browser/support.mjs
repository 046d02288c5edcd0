// A browser, a server over a folder of its own, and what the tests ask the page.
//
// BARELINK_COMMAND is the command, BARELINK_BROWSER a folder with playwright-core in it,
// BARELINK_SITE the folder of the static page, which is tested if BARELINK_STATIC is set.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { createInterface } from "node:readline";

const { chromium } = createRequire(join(process.env.BARELINK_BROWSER, "x.js"))("playwright-core");

/** Nothing is waited for longer than this, however busy the machine is. */
export const PATIENCE = 120_000;

export const isStatic = process.env.BARELINK_STATIC !== undefined;

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update",
];

/** A browser with an empty profile. */
export async function startBrowser() {
  const profile = await mkdtemp(join(tmpdir(), "barelink-browser-"));
  const executablePath = process.env.BARELINK_CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, headless: true, args: FLAGS, env: { ...process.env, HOME: profile } });
  return {
    browser,
    async stop() {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

/** `barelink serve` over a folder; `url` ends with a slash. */
export async function serveFolder(folder) {
  const child = spawn(process.env.BARELINK_COMMAND, ["serve", "--port", "0", folder], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await new Promise((resolve) => createInterface(child.stdout).once("line", (...words) => resolve(words)));
  const url = /http:\/\/\S+/.exec(line)[0];
  return { url, stop: () => new Promise((resolve) => child.once("exit", resolve) && child.kill("SIGTERM")) };
}

const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm" };

/** Any static host: no header but the type. */
export async function serveStatic(folder) {
  const server = createServer(async (request, response) => {
    const name = new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html");
    try {
      const bytes = await readFile(join(folder, name));
      response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  return { url, stop: () => new Promise((resolve) => server.close(resolve) && server.closeAllConnections()) };
}

/** The page in a fresh profile, watched: what it asked for, and what went wrong in it. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const watched = { requests: [], wrong: [] };
  context.on("request", (request) => watched.requests.push(request.url()));
  page.on("pageerror", (error) => watched.wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && watched.wrong.push(message.text()));
  page.on("dialog", (dialog) => watched.wrong.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
  await page.goto(url);
  await page.waitForSelector(".mark, .empty, #problem:not([hidden]), .rendered");
  return { context, page, watched };
}

/** Closes a page that nothing may have gone wrong in. */
export async function close({ context, watched }, url) {
  assert.deepEqual(watched.wrong, []);
  const origin = new URL(url).origin;
  for (const request of watched.requests) {
    assert.ok(request.startsWith(`${origin}/`) || request.startsWith("data:") || request.startsWith("blob:"), request);
  }
  await context.close();
}

/** Puts a text into the field as a user would, and waits until it is shown. */
export async function enter(page, text) {
  await page.fill("#text", text);
  await settled(page);
}

/** Waits until the columns show what is in the field. */
export async function settled(page) {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  await page.waitForFunction(() => !document.body.classList.contains("waiting"));
}

/** What is linked in each dialect, as the tab Links shows it. */
export function linked(page) {
  return page.$$eval(".column", (columns) =>
    columns.map((column) => [...column.querySelectorAll(".mark.link, .mark.markup")].map((mark) => mark.textContent)));
}

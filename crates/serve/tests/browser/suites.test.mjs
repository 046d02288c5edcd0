// Every example of the suites and of the cases, in every preset: the package in the browser
// gives the bytes that the command gives.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PATIENCE, serveStatic, startBrowser } from "./support.mjs";

const root = new URL("../../../../", import.meta.url).pathname;
const PRESETS = ["commonmark", "gfm", "github", "md4c", "natural"];

/** The Markdown of the suites, where they are to be had. */
function suites() {
  const folders = [process.env.BARELINK_SUITES, join(root, "target/suites"), join(root, "../shared/suites")];
  const folder = folders.find((it) => it !== undefined && existsSync(it));
  if (folder === undefined) {
    return [];
  }
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const entries = names.flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return entries.map((entry) => entry.markdown).filter((text) => typeof text === "string");
}

/** The cases of the repository: what is between a fence of 32 backticks and the first dot. */
function cases() {
  const signs = { "→": "\t", "␠": " ", "␍": "\r", "␀": "\0" };
  const found = [];
  for (const folder of ["autolink", "commonmark", "gfm", "github", "natural"]) {
    for (const name of readdirSync(join(root, "testdata", folder)).filter((it) => it.endsWith(".txt"))) {
      const text = readFileSync(join(root, "testdata", folder, name), "utf8");
      for (const [, source] of text.matchAll(/^`{32} example[^\n]*\n([^]*?)^\.\n/gm)) {
        found.push(source.replace(/[→␠␍␀]/g, (sign) => signs[sign]));
      }
    }
  }
  return found;
}

test("the package in the browser agrees with the command", { timeout: 4 * PATIENCE }, async () => {
  // Long ones, as different kinds of text are copied in different ways.
  const long = ["Some text, www.a.bc. ", "漢字、かな交じり文。 ", "é😀 ", "a 😀 b "].map((it) => it.repeat(3000));
  const texts = [...suites(), ...cases(), ...long];
  assert.ok(texts.length > 300, `${texts.length}`);
  const { browser, stop } = await startBrowser();
  const server = await serveStatic(process.env.BARELINK_SITE);
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    for (const preset of PRESETS) {
      const input = texts.map((text) => `${JSON.stringify(text)}\n`).join("");
      const output = execFileSync(process.env.BARELINK_COMMAND, ["--jsonl", "--preset", preset], { input, maxBuffer: 1 << 28 });
      const expected = output.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
      const got = await page.evaluate(async ([sources, name]) => {
        const barelink = await import(new URL("./barelink/web.js", document.baseURI));
        // One part is enough for all presets, and four presets take none.
        await barelink.init({ parts: name === "natural" ? ["natural"] : [] });
        return sources.map((source) => barelink.toHtml(source, { preset: name }));
      }, [texts, preset]);
      assert.equal(got.length, expected.length);
      texts.forEach((text, idx) => assert.equal(got[idx], expected[idx], `${preset}: ${JSON.stringify(text)}`));
    }
  } finally {
    await server.stop();
    await stop();
  }
});

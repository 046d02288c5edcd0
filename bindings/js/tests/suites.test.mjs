// The suites through the package, with vectors and without, give the same bytes as the command,
// which BARELINK_COMMAND names. The suites are in the folders of BARELINK_SUITES, parted by `:`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import { Renderer } from "barelink";
import * as web from "barelink/web";

const PRESETS = ["commonmark", "gfm", "github", "md4c", "natural"];
const TRUSTED = { rawHtml: "pass", urls: "any" };

const scalar = createRequire(import.meta.url).resolve("barelink/barelink.scalar.wasm");
assert.ok(!web.isStarted());
assert.throws(() => web.toHtml("a"), /barelink has not started/);
const natural = scalar.replace("barelink.scalar", "barelink.natural.scalar");
await web.init({ source: readFileSync(scalar), parts: { natural: readFileSync(natural) } });

/** Every file below a folder. */
function* files(folder) {
    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
        const path = join(folder, name);
        if (statSync(path).isDirectory()) {
            yield* files(path);
        } else {
            yield path;
        }
    }
}

/** The sources of a file of examples, or a file as it is. */
function sources(path) {
    const text = readFileSync(path, "utf8");
    const fence = "`".repeat(32);
    const examples = text.split(`\n${fence} example`).slice(1);
    if (examples.length > 0) {
        return examples.map((it) => it.slice(it.indexOf("\n") + 1).split("\n.\n")[0].replaceAll("→", "\t"));
    }
    if (path.endsWith(".json")) {
        const found = [];
        JSON.parse(text, (name, value) => {
            if ((name === "markdown" || name === "input") && typeof value === "string") {
                found.push(value);
            }
            return value;
        });
        return found;
    }
    return [text];
}

// Long ones, as different kinds of text are copied in different ways.
const all = ["Some text, www.a.bc. ", "漢字、かな交じり文。 ", "é😀 ", "a 😀 b "].map((it) => it.repeat(3000));
for (const folder of process.env.BARELINK_SUITES.split(":")) {
    for (const path of files(folder)) {
        all.push(...sources(path));
    }
}

test("there are suites", () => assert.ok(all.length > 500, `${all.length} sources`));

for (const preset of PRESETS) {
    for (const [flags, policy] of [[[], {}], [["--unsafe"], TRUSTED]]) {
        test(`${preset} ${flags}: ${all.length} sources`, () => {
            const input = all.map((source) => `${JSON.stringify(source)}\n`).join("");
            const command = ["html", "--preset", preset, "--jsonl", ...flags];
            const output = execFileSync(process.env.BARELINK_COMMAND, command, { input, maxBuffer: 1 << 30 });
            const expected = output.toString().trimEnd().split("\n").map((line) => JSON.parse(line));
            assert.equal(expected.length, all.length);
            const renderers = [new Renderer({ preset, policy }), new web.Renderer({ preset, policy })];
            all.forEach((source, idx) => {
                for (const renderer of renderers) {
                    assert.equal(renderer.toHtml(source), expected[idx], source);
                    assert.equal(new TextDecoder().decode(renderer.toHtmlBytes(source)), expected[idx], source);
                }
            });
        });
    }
}

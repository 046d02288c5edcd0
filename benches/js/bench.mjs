// The npm package against its peers, in one run, by CPU time. `benches/js/run` installs them and
// runs this.
//
// The documents are those of the other benchmark: see benches/README.md. Strings go in and out.
// The engines take turns, each round begins with another one, and the best round of each counts.
// All are told to make bare links; those that do not are marked, and so are those without tables.
// One that is far behind is timed on a part of the text. `--quick` takes fewer rounds.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import oxContent from "@ox-content/napi";
import * as barelink from "barelink";
import * as commonmark from "commonmark";
import markdownIt from "markdown-it";
import { Marked } from "marked";
import * as md4w from "md4w";
import * as md4x from "md4x/napi";
import * as md4xWasm from "md4x/wasm";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const require = createRequire(import.meta.url);
const markdownWasm = require("markdown-wasm");
const CORPORA = process.env.BARELINK_CORPORA;
const DOCUMENTS = ["awesome", "barelinks", "book", "progit", "tables", "zh"];
const ROUNDS = process.argv.includes("--quick") ? 5 : 25;

/** An engine that is far behind gets no more than this, and only three rounds. */
const SLOW_LENGTH = 60_000;
const SLOW_ROUNDS = 3;

/** What an engine reads in a round at the least. */
const ROUND_LENGTH = 1_000_000;

await md4w.init();
await md4xWasm.init();
const { ParseFlags } = markdownWasm;
const FLAGS =
    ParseFlags.DEFAULT | ParseFlags.PERMISSIVE_EMAIL_AUTO_LINKS | ParseFlags.PERMISSIVE_WWW_AUTOLINKS |
    ParseFlags.TABLES | ParseFlags.TASK_LISTS;
const renderer = new barelink.Renderer();
const marked = new Marked();
const it = markdownIt({ html: true, linkify: true });
const [reader, writer] = [new commonmark.Parser(), new commonmark.HtmlRenderer()];
const remark = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeStringify);
const micromarkOptions = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };

/** Of each engine its package, whether it is far behind, and how it is called. */
const ENGINES = {
    barelink: { call: (text) => barelink.toHtml(text) },
    Renderer: { call: (text) => renderer.toHtml(text) },
    bytes: { call: (text) => renderer.toHtmlBytes(text) },
    "md4x, native": { package: "md4x", call: (text) => md4x.renderToHtml(text) },
    "md4x, wasm": { package: "md4x", call: (text) => md4xWasm.renderToHtml(text) },
    "ox-content, native": { package: "@ox-content/napi", call: (text) => oxContent.parseAndRender(text, { gfm: true, autolinks: true }).html },
    md4w: { package: "md4w", call: (text) => md4w.mdToHtml(text) },
    "markdown-wasm": { package: "markdown-wasm", call: (text) => markdownWasm.parse(text, { parseFlags: FLAGS }) },
    marked: { package: "marked", isSlow: true, call: (text) => marked.parse(text) },
    "markdown-it": { package: "markdown-it", isSlow: true, call: (text) => it.render(text) },
    commonmark: { package: "commonmark", isSlow: true, call: (text) => writer.render(reader.parse(text)) },
    micromark: { package: "micromark", isSlow: true, call: (text) => micromark(text, micromarkOptions) },
    remark: { package: "remark-parse", isSlow: true, call: (text) => String(remark.processSync(text)) },
};

const SAMPLE = "# Title\n\nSee www.example.com, https://example.com/a and *this*.\n\n|a|b|\n|---|---|\n|1|2|\n";

/** What an engine makes of the sample: nothing is measured that does no work. */
function notesAbout(name, { call }) {
    const output = call(SAMPLE);
    const html = typeof output === "string" ? output : new TextDecoder().decode(output);
    for (const part of ["<h1", "Title", "<em>this</em>"]) {
        if (!html.includes(part)) {
            throw new Error(`${name} does not write ${part}: ${html}`);
        }
    }
    const links = ['href="http://www.example.com"', 'href="https://example.com/a"'].filter((it) => html.includes(it));
    return `${links.length < 2 ? "*" : ""}${html.includes("<td>1</td>") ? "" : "†"}`;
}

function part(texts, length) {
    const taken = [];
    let left = length;
    for (const text of texts) {
        if (left <= 0) {
            break;
        }
        taken.push(text.slice(0, left));
        left -= text.length;
    }
    return taken;
}

const sizeOf = (texts) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** MB/s of each engine: the best of all rounds. */
function measure(texts) {
    const names = Object.keys(ENGINES);
    const tasks = names.map((name) => {
        const { isSlow, call } = ENGINES[name];
        const mine = isSlow ? part(texts, SLOW_LENGTH) : texts;
        const n_bytes = sizeOf(mine);
        const n_times = isSlow ? 1 : Math.max(1, Math.ceil(ROUND_LENGTH / n_bytes));
        let length = 0;
        const run = () => {
            for (let i = 0; i < n_times; i += 1) {
                for (const text of mine) {
                    length += call(text).length;
                }
            }
        };
        return { run, n_bytes: n_bytes * n_times, rounds: isSlow ? SLOW_ROUNDS : ROUNDS, best: 0, written: () => length };
    });
    // The first is not counted: the engines get compiled.
    for (let round = -1; round < ROUNDS; round += 1) {
        for (let idx = 0; idx < tasks.length; idx += 1) {
            const task = tasks[(idx + Math.max(round, 0)) % tasks.length];
            if (round >= task.rounds) {
                continue;
            }
            const start = process.cpuUsage();
            task.run();
            const { user, system } = process.cpuUsage(start);
            if (round >= 0) {
                task.best = Math.max(task.best, task.n_bytes / (user + system));
            }
        }
    }
    for (const [idx, { written }] of tasks.entries()) {
        if (written() === 0) {
            throw new Error(`${names[idx]} wrote nothing`);
        }
    }
    return Object.fromEntries(names.map((name, idx) => [name, tasks[idx].best]));
}

function printTable(head, names, rows, cell) {
    console.log(`\n| ${head} | ${names.map((name) => name + (ENGINES[name].notes ?? "")).join(" | ")} |`);
    console.log(`|---|${"--:|".repeat(names.length)}`);
    for (const [label, row] of Object.entries(rows)) {
        console.log(`| ${label} | ${names.map((name) => cell(row, name)).join(" | ")} |`);
    }
}

const versionOf = (name) => JSON.parse(readFileSync(join("node_modules", name, "package.json"))).version;
const names = Object.keys(ENGINES);
for (const name of names) {
    ENGINES[name].notes = notesAbout(name, ENGINES[name]);
}
const documents = DOCUMENTS.map((name) => [name, [readFileSync(join(CORPORA, `${name}.md`), "utf8")]]);
const chat = readFileSync(join(CORPORA, "chat.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const rows = Object.fromEntries([...documents, ["chat", chat]].map(([name, texts]) => [name, measure(texts)]));
const peers = [...new Set(names.map((name) => ENGINES[name].package).filter(Boolean))];
console.log(`# Benchmark of the npm package, ${new Date().toISOString().slice(0, 10)}

node ${process.versions.node}, barelink ${versionOf("barelink")}, ${peers.map((name) => `${name} ${versionOf(name)}`).join(", ")}.
CPU time of the process, strings in and out, engines taking turns; the best of ${ROUNDS} rounds.
\`barelink\` is \`toHtml\`, \`Renderer\` one that is kept, \`bytes\` its \`toHtmlBytes\`, which is in no ratio.`);
const notes = names.map((name) => ENGINES[name].notes).join("");
if (notes.includes("*")) {
    console.log("An asterisk marks an engine that does not link all bare URLs, and so does less.");
}
if (notes.includes("†")) {
    console.log("A dagger marks one that made no table of the sample.");
}
printTable("MB/s", names, rows, (row, name) => (row[name] >= 10 ? row[name].toFixed(0) : row[name].toFixed(1)));
const others = names.filter((name) => !["barelink", "bytes"].includes(name));
printTable("`toHtml` is faster by", others, rows, (row, name) => (row.barelink / row[name]).toFixed(2));
const ratios = Object.entries(rows).flatMap(([label, row]) =>
    names.filter((name) => ENGINES[name].package !== undefined).map((name) => [row.barelink / row[name], name, label]));
const [least, peer, label] = ratios.sort(([a], [b]) => a - b)[0];
console.log(`\nThe smallest ratio to a peer is ${least.toFixed(2)}, to ${peer} on ${label}.`);

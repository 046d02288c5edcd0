// Texts that are still being written: 40 kB in pieces of 20 bytes, shown after each, by CPU time.
// `benches/js/run --stream` installs the peers and runs this.
//
// What counts is the time for all pieces divided by that for the whole text at once, by the same
// engine: how much it costs to show a text while it comes. Whether both end with the same is in
// the table too. Engines without streams read everything again for each piece, as their users do.
// `--quick` takes one text.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { createIncremarkParser } from "@incremark/core";
import * as barelink from "barelink";
import { createParse } from "comark";
import markdownIt from "markdown-it";
import { Marked } from "marked";
import remend from "remend";
import * as smd from "streaming-markdown";

const CORPORA = process.env.BARELINK_CORPORA;
const DOCUMENTS = process.argv.includes("--quick") ? ["book"] : ["book", "progit", "tables", "zh"];
const LENGTH = 40_000;
const PIECE = 20;

/** The one-shot time is the best of so many rounds. */
const ROUNDS = 15;

/** All pieces are written again and again until that took so many microseconds. The best counts. */
const ENOUGH = 1_000_000;

const it = markdownIt({ html: true, linkify: true });
const marked = new Marked();

/** The whole text again for each piece. */
const again = (read) => () => {
    let text = "";
    return { push: (piece) => read((text += piece)), end: () => read(text) };
};

/** What of a tree is the same however it was made: no ids, and no places. */
const plain = (tree) => JSON.stringify(tree, (name, value) => (["position", "id", "key", "$"].includes(name) ? undefined : value));

/** smd calls a renderer for each token; this one writes down what it hears. */
function hearing() {
    const heard = [];
    const renderer = {
        data: heard,
        add_token: (data, type) => data.push(`<${type}>`),
        end_token: (data) => data.push("</>"),
        add_text: (data, text) => data.push(text),
        set_attr: (data, type, value) => data.push(` ${type}=${value}`),
    };
    const parser = smd.parser(renderer);
    return {
        push: (piece) => smd.parser_write(parser, piece),
        end: () => {
            smd.parser_end(parser);
            return heard.join("");
        },
    };
}

function barelinkStream(options) {
    const stream = new barelink.Stream(options);
    return {
        push: (piece) => {
            stream.push(piece);
            stream.update();
        },
        end: () => {
            stream.finish();
            const { html } = stream;
            stream.free();
            return html;
        },
    };
}

const parseComark = createParse();

/** Of each engine its package, a stream with `push` and `end`, and one call for the whole text. */
const ENGINES = {
    barelink: { stream: () => barelinkStream(), whole: (text) => barelink.toHtml(text) },
    "barelink, optimistic": { stream: () => barelinkStream({ optimistic: true }), whole: (text) => barelink.toHtml(text) },
    incremark: {
        package: "@incremark/core",
        stream: () => {
            const parser = createIncremarkParser({ gfm: true });
            return {
                push: (piece) => parser.append(piece),
                end: () => {
                    parser.finalize();
                    return plain(parser.getAst());
                },
            };
        },
        whole: (text) => {
            const parser = createIncremarkParser({ gfm: true });
            parser.render(text);
            return plain(parser.getAst());
        },
    },
    comark: {
        package: "comark",
        stream: () => {
            const parse = createParse();
            let text = "";
            return {
                push: (piece) => parse((text += piece), { streaming: true }),
                end: async () => plain((await parse(text, { streaming: true })).nodes),
            };
        },
        whole: async (text) => plain((await parseComark(text)).nodes),
    },
    "streamdown's front end": {
        package: "remend",
        stream: again((text) => marked.lexer(remend(text)).length),
        whole: (text) => marked.lexer(remend(text)).length,
    },
    marked: { package: "marked", stream: again((text) => marked.parse(text)), whole: (text) => marked.parse(text) },
    "markdown-it": { package: "markdown-it", stream: again((text) => it.render(text)), whole: (text) => it.render(text) },
    smd: {
        package: "streaming-markdown",
        stream: hearing,
        whole: (text) => {
            const parser = hearing();
            parser.push(text);
            return parser.end();
        },
    },
};

async function cpuTime(run) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    return user + system;
}

/** All pieces, one after the other. */
async function write(engine, text) {
    const stream = engine.stream();
    for (let at = 0; at < text.length; at += PIECE) {
        await stream.push(text.slice(at, at + PIECE));
    }
    return stream.end();
}

async function measure(engine, text) {
    // The first is not counted: the engine gets compiled.
    let whole = Infinity;
    const expected = await engine.whole(text);
    for (let round = 0; round < ROUNDS; round += 1) {
        whole = Math.min(whole, await cpuTime(() => engine.whole(text)));
    }
    let [last, pieces, spent] = [null, Infinity, 0];
    // The slow ones need no second chance to get warm.
    while (spent < ENOUGH) {
        const time = await cpuTime(async () => (last = await write(engine, text)));
        [pieces, spent] = [Math.min(pieces, time), spent + time];
    }
    return { times: pieces / whole, push: pieces / Math.ceil(text.length / PIECE), isSame: last === expected };
}

const rounded = (number) => number.toFixed(number < 10 ? 1 : 0);
const cell = ({ times, push, isSame }) => `${rounded(times)}${isSame ? "" : "*"} (${rounded(push)})`;

const versionOf = (name) => JSON.parse(readFileSync(join("node_modules", name, "package.json"))).version;
const peers = Object.values(ENGINES).map((engine) => engine.package).filter(Boolean);
console.log(`# Texts that are still being written, ${new Date().toISOString().slice(0, 10)}

node ${process.versions.node}, barelink ${versionOf("barelink")}, ${peers.map((name) => `${name} ${versionOf(name)}`).join(", ")}.
${LENGTH / 1000} kB in pieces of ${PIECE} characters, shown after each: CPU time of all pieces divided by that of one parse of
the whole, by the same engine; in parentheses, microseconds for a piece. An asterisk: it ends with
something else than one parse gives. Streamdown's front end completes what is open and splits the
text into blocks, which others then parse.

| times one parse | ${DOCUMENTS.join(" | ")} |
|---|${"--:|".repeat(DOCUMENTS.length)}`);
const texts = DOCUMENTS.map((name) => readFileSync(join(CORPORA, `${name}.md`), "utf8").slice(0, LENGTH));
for (const [name, engine] of Object.entries(ENGINES)) {
    const cells = [];
    for (const text of texts) {
        cells.push(await measure(engine, text).then(cell, (error) => {
            console.error(`${name}: ${error.message}`);
            return "throws";
        }));
    }
    console.log(`| ${name} | ${cells.join(" | ")} |`);
}

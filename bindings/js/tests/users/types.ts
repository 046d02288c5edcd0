// Compiles with `tsc --strict`; the lines after `@ts-expect-error` must not.
import {
    Renderer, Stream, View, events, explain, findLinks, init, linkify, links, toHtml, toHtmlBytes,
} from "barelink";
import type { Action, Block, Decision, Event, Link, RenderOptions, Update } from "barelink";

await init();
await init("/barelink.wasm");
await init({ source: new URL("https://a.bc/barelink.wasm"), parts: ["links", "stream"] });
await init({ parts: { natural: fetch("/barelink.natural.wasm") } });
const options: RenderOptions = {
    preset: "github",
    policy: { urls: ["https"], external: { rel: "nofollow" } },
    onLink(link: Link): Action {
        return link.image ? false : { destination: link.href, attributes: { class: "a", title: null } };
    },
};
const html: string = toHtml("a", options);
const bytes: Uint8Array = toHtmlBytes(new Uint8Array(1));
const starts: number[] = links("a", { tables: true }).map((link) => link.span.start);
const why = (decision: Decision): string =>
    decision.verdict === "linked" ? decision.href : decision.sentence;
const renderer = new Renderer({ onLink: () => undefined });
console.log(html, bytes, starts, explain("a").map(why), renderer.linkify("a"), linkify("a"));
console.log(findLinks("a", { dialect: "natural", schemes: ["tel"] }).map((link) => link.kind));
const told = (event: Event): string =>
    event.event === "start" && event.tag === "heading" ? `${event.level}` : event.event;
console.log(events("a", { schemes: ["app"] }).map(told));
const stream = new Stream({ definitions: "settled", optimistic: true });
stream.push("a");
const update: Update = stream.update();
const open: Block | undefined = update.blocks.find((block) => block.state === "open");
const stop: () => void = stream.applyTo(document.body, { parse: (html) => new DOMParser().parseFromString(html, "text/html").body });
new View(document.body).apply(update);
console.log(open?.pending, stop, stream.finish().isEnd, stream.html, stream.source);
// @ts-expect-error: a stream asks nobody about links
new Stream({ onLink: () => true });
// @ts-expect-error: a piece is a string
stream.push(new Uint8Array(1));
// @ts-expect-error: an option that is not there
toHtml("a", { tabels: true });
// @ts-expect-error: a preset that is not there
toHtml("a", { preset: "latex" });
// @ts-expect-error: a number is no text
toHtml(1);

// What every platform has to do: run by deno and bun.
import { Renderer, Stream, events, explain, init, links, toHtml, toHtmlBytes } from "barelink";

function check(actual, expected) {
    if (actual !== expected) {
        throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
    }
}

check(toHtml("*hé* 😀 www.a.bc"), '<p><em>hé</em> 😀 <a href="http://www.a.bc">www.a.bc</a></p>\n');
check(new TextDecoder().decode(toHtmlBytes("*hé*")), "<p><em>hé</em></p>\n");
check(links("😀 www.a.bc")[0].span.start, 3);
check(explain("ssh://a")[0].rule, "scheme");
const renderer = new Renderer({ preset: "commonmark" });
for (const length of [1, 100, 20_000, 1_000_000]) {
    for (const letter of ["a", "漢"]) {
        check(renderer.toHtml(letter.repeat(length)) === `<p>${letter.repeat(length)}</p>\n`, true);
    }
}
check(events("😀 *a*")[2].span.start, 3);
const stream = new Stream();
for (const unit of "# 😀\n\n*a*".split("")) {
    stream.push(unit);
    stream.update();
}
check(stream.finish().isEnd, true);
check(stream.html, "<h1>😀</h1>\n<p><em>a</em></p>\n");
let message = "";
try {
    toHtml("a", { tabels: true });
} catch (error) {
    message = error.message;
}
check(message.startsWith("unknown option `tabels`"), true);
await init();
console.log("as expected");

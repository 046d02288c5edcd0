// What node.cjs has, for `import`: both are one instance.
import barelink from "./node.cjs";

export const {
    Renderer, Stream, View, events, explain, findLinks, init, initSync, isStarted, linkify, links, toHtml, toHtmlBytes,
} = barelink;

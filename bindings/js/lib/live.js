// A page that is still being written, block by block: as HTML, and as the content of an
// element that changes in place. It needs no engine, only updates.

/** The blocks of a page, in the order of their ids. */
export class Page {
    blocks = [];
    #cut;

    /** Updates tell how much of a block stays in UTF-16 units, or in bytes of UTF-8. */
    constructor(units = "utf-16") {
        this.#cut = units === "bytes" ? cutBytes : (html, keep) => html.slice(0, keep);
    }

    get html() {
        return this.blocks.map(({ html }) => html).join("");
    }

    /** Takes an update. Returns the blocks that changed, by their ids; what is gone has no HTML. */
    apply({ revised, blocks }) {
        const changed = new Map();
        for (const { id, keep = 0, html } of [...revised, ...blocks]) {
            const at = this.#placeOf(id);
            const known = this.blocks[at]?.id === id;
            // One that goes and comes back in the same update is the same.
            const block = known ? this.blocks[at] : (changed.get(id) ?? { id, html: "", nodes: [] });
            const kept = this.#cut(block.html, keep);
            if (html === "" && kept === block.html && known) {
                continue;
            }
            block.html = kept + html;
            changed.set(id, block);
            this.blocks.splice(at, known ? 1 : 0, ...(block.html === "" ? [] : [block]));
        }
        return changed;
    }

    /** The first block that does not come before `id`. As a rule it is one of the last. */
    #placeOf(id) {
        let at = this.blocks.length;
        while (at > 0 && this.blocks[at - 1].id >= id && at > this.blocks.length - 4) {
            at -= 1;
        }
        if (at === 0 || this.blocks[at - 1].id < id) {
            return at;
        }
        let low = 0;
        while (low < at) {
            const middle = (low + at) >> 1;
            if (this.blocks[middle].id < id) {
                low = middle + 1;
            } else {
                at = middle;
            }
        }
        return low;
    }
}

/** The first `n_bytes` bytes of a text, as a text. They end with a character. */
function cutBytes(text, n_bytes) {
    let at = 0;
    for (let left = n_bytes; left > 0 && at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        // A surrogate is half of four bytes.
        left -= unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
    }
    return text.slice(0, at);
}

/** The content of an element, which follows a page. */
export class View {
    #element;
    #parse;
    #isWhole;
    #page;

    constructor(element, { parse = parserFor(element), whole = false, units } = {}) {
        this.#element = element;
        this.#parse = parse;
        this.#isWhole = whole;
        this.#page = new Page(units);
        element.replaceChildren();
    }

    /** Shows what an update changes. */
    apply(update) {
        const changed = this.#page.apply(update);
        if (this.#isWhole) {
            if (changed.size > 0) {
                showHtml(this.#element, this.#page.html, this.#parse);
            }
            return;
        }
        for (const block of changed.values()) {
            const nodes = block.nodes.filter((node) => node.parentNode === this.#element);
            const selected = rememberSelection(this.#element, nodes);
            const next = block.html === "" ? [] : [...this.#parse(block.html).childNodes];
            block.nodes = patch(this.#element, nodes, next, () => this.#nodeAfter(block));
            selected?.restore(block.nodes);
        }
    }

    /** The first node of a later block; null if there is none. */
    #nodeAfter({ id }) {
        const { blocks } = this.#page;
        let after = null;
        for (let idx = blocks.length - 1; idx >= 0 && blocks[idx].id > id; idx -= 1) {
            after = blocks[idx].nodes.find((node) => node.parentNode === this.#element) ?? after;
        }
        return after;
    }
}

/** Makes HTML the content of an element, and changes only what is different. */
export function showHtml(element, html, parse = parserFor(element)) {
    const nodes = [...element.childNodes];
    const selected = rememberSelection(element, nodes);
    const shown = patch(element, nodes, [...parse(html).childNodes], () => null);
    selected?.restore(shown);
}

/** Makes nodes of HTML as the browser does. Nothing in them runs or loads before it is shown. */
function parserFor(element) {
    return (html) => {
        const template = element.ownerDocument.createElement("template");
        template.innerHTML = html;
        return template.content;
    };
}

const ELEMENT = 1;

/**
 * Turns the nodes `before`, children of `parent`, into `after`. What is alike stays the same
 * node, and only what is different in it changes. Returns the nodes that are there then. New ones
 * come in front of the node that `end` gives.
 */
function patch(parent, before, after, end) {
    // Nesting may be deeper than the stack allows, so no recursion.
    const waiting = [];
    const patchRow = (row, old, fresh, endOf) => {
        const nodes = fresh.map((node, idx) => {
            if (old[idx] === undefined) {
                row.insertBefore(node, endOf());
                return node;
            }
            if (old[idx].nodeType !== node.nodeType || old[idx].nodeName !== node.nodeName) {
                old[idx].replaceWith(node);
                return node;
            }
            if (node.nodeType === ELEMENT) {
                copyAttributes(node, old[idx]);
                waiting.push([old[idx], node]);
            } else {
                changeText(old[idx], node.data);
            }
            return old[idx];
        });
        old.slice(fresh.length).forEach((node) => node.remove());
        return nodes;
    };
    const shown = patchRow(parent, before, after, end);
    while (waiting.length > 0) {
        const [old, fresh] = waiting.pop();
        patchRow(old, [...old.childNodes], [...fresh.childNodes], () => null);
    }
    return shown;
}

function copyAttributes(from, to) {
    for (const { name, value } of from.attributes) {
        if (to.getAttribute(name) !== value) {
            to.setAttribute(name, value);
        }
    }
    for (const name of to.getAttributeNames()) {
        if (!from.hasAttribute(name)) {
            to.removeAttribute(name);
        }
    }
}

/** Changes the text of a node from where it is different: a selection before that stays. */
function changeText(node, text) {
    const { data } = node;
    if (data === text) {
        return;
    }
    let same = 0;
    while (same < data.length && data.charCodeAt(same) === text.charCodeAt(same)) {
        same += 1;
    }
    node.replaceData(same, data.length - same, text.slice(same));
}

/** How far a selected text may move, in characters that are no white space. */
const FARTHEST = 100;

/**
 * What is selected in these nodes; null if nothing is. A selection stays by itself in nodes
 * that stay. Where they are replaced, as when a line becomes a heading, it is set again if its
 * text is still near. White space does not count, as it comes and goes with tags.
 */
function rememberSelection(element, nodes) {
    const selection = element.getRootNode().getSelection?.() ?? element.ownerDocument.getSelection();
    if (!selection || selection.rangeCount === 0 || nodes.length === 0) {
        return null;
    }
    const ends = () => [
        [selection.anchorNode, selection.anchorOffset],
        [selection.focusNode, selection.focusOffset],
    ];
    const were = ends();
    const isInside = were.map(([node]) => nodes.some((it) => it.contains(node)));
    if (!isInside.includes(true)) {
        return null;
    }
    const range = selection.getRangeAt(0);
    const isForward = range.startContainer === were[0][0] && range.startOffset === were[0][1];
    const [hasStart, hasEnd] = isForward ? isInside : [...isInside].reverse();
    const all = element.ownerDocument.createRange();
    all.setStartBefore(nodes[0]);
    all.setEndAfter(nodes.at(-1));
    const before = all.cloneRange();
    before.collapse(true);
    const inside = all.cloneRange();
    if (hasStart) {
        before.setEnd(range.startContainer, range.startOffset);
        inside.setStart(range.startContainer, range.startOffset);
    }
    if (hasEnd) {
        inside.setEnd(range.endContainer, range.endOffset);
    }
    const [start, text] = [visible(before.toString()).length, visible(inside.toString())];
    const restore = (shown) => {
        if (ends().every(([node, offset], idx) => were[idx][0] === node && were[idx][1] === offset)) {
            return;
        }
        const at = findNear(visible(shown.map((node) => node.textContent).join("")), text, start);
        const places = [hasStart && placeOf(shown, at, text !== ""), hasEnd && placeOf(shown, at + text.length, false)];
        const now = (isForward ? places : places.reverse()).map((place, idx) => place || were[idx]);
        if (at !== -1 && !places.includes(null) && now.every(([node]) => node.isConnected)) {
            selection.setBaseAndExtent(...now[0], ...now[1]);
        }
    };
    return { restore };
}

function visible(text) {
    return text.replace(/\s+/g, "");
}

/** Where `part` is in `text`, as near to `start` as can be; -1 if it is not near. */
function findNear(text, part, start) {
    for (let by = 0; by <= FARTHEST; by += 1) {
        for (const at of [start - by, start + by]) {
            if (at >= 0 && text.startsWith(part, at)) {
                return at;
            }
        }
    }
    return -1;
}

/**
 * The place after so many characters that are no white space: in front of the next one if a
 * selection starts there, else right behind the last one. Null if there are not so many.
 */
function placeOf(nodes, count, isStart) {
    let left = count;
    let last = null;
    for (const top of nodes) {
        const walker = top.ownerDocument.createTreeWalker(top, 4 /* NodeFilter.SHOW_TEXT */);
        for (let node = top.nodeType === 3 ? top : walker.nextNode(); node !== null; node = walker.nextNode()) {
            last ??= [node, 0];
            for (const { index } of node.data.matchAll(/\S/g)) {
                if (left === 0) {
                    return isStart ? [node, index] : last;
                }
                left -= 1;
                last = [node, index + 1];
            }
        }
    }
    return left === 0 && !isStart ? last : null;
}

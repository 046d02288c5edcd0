// An answer that comes in pieces, shown as it comes. The examples for React, Vue and Svelte use it.
import { Stream, init } from "barelink";

/**
 * Shows the text of a response in an element while it is read, once for each frame of the screen
 * at the most. `signal` ends it.
 */
export async function showAnswer(response, element, signal) {
    await init({ parts: ["stream"] });
    const stream = new Stream({ preset: "github" });
    stream.applyTo(element);
    let frame = 0;
    try {
        for await (const piece of piecesOf(response.body)) {
            if (signal.aborted) {
                return;
            }
            stream.pushBytes(piece);
            frame ||= requestAnimationFrame(() => {
                frame = 0;
                stream.update();
            });
        }
        stream.finish();
    } finally {
        cancelAnimationFrame(frame);
        stream.free();
    }
}

/** Not every browser can go over a body by itself. */
async function* piecesOf(body) {
    const reader = body.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
        yield next.value;
    }
}

// Shows an answer while it is written: what `/answer` sends changes the page in place, so that
// whatever a reader has selected stays selected.
import { View } from "./live.js";

const answer = document.getElementById("answer");
const state = document.getElementById("state");
let source = null;

function ask() {
    source?.close();
    source = new EventSource("answer");
    let view = null;
    // Also after a lost connection: the server then begins anew, and so does the page.
    source.onopen = () => {
        view = new View(answer, { units: "bytes" });
        show("writing");
    };
    source.onmessage = ({ data }) => {
        const update = JSON.parse(data);
        view.apply(update);
        if (update.end) {
            // Otherwise the browser would ask again.
            source.close();
            show("complete");
        }
    };
    source.onerror = () => show(source.readyState === EventSource.CLOSED ? "failed" : "connecting");
}

function show(text) {
    state.textContent = text;
    answer.setAttribute("aria-busy", String(text !== "complete"));
}

document.getElementById("ask").onclick = ask;
ask();

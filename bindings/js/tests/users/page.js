import { init, toHtml } from "barelink";

await init({ parts: [] });
document.querySelector("main").innerHTML = toHtml("see www.a.bc");

import { init, toHtml } from "barelink";

await init();
document.querySelector("main").innerHTML = toHtml("see www.a.bc");

import { mount } from "svelte";

import Answer from "./Answer.svelte";

mount(Answer, { target: document.querySelector("main"), props: { url: "/answer.md" } });

import { createApp } from "vue";

import Answer from "./Answer.vue";

createApp(Answer, { url: "/answer.md" }).mount("main");

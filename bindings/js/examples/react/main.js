import { createElement } from "react";
import { createRoot } from "react-dom/client";

import { Answer } from "./Answer.jsx";

createRoot(document.querySelector("main")).render(createElement(Answer, { url: "/answer.md" }));

// Builds one of the examples: `vite build react`, `vite build vue`, `vite build svelte`.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import react from "@vitejs/plugin-react";
import vue from "@vitejs/plugin-vue";

const here = (path) => new URL(path, import.meta.url).pathname;

export default { plugins: [react(), vue(), svelte()], publicDir: here("public") };

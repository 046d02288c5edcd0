// The modules stay small: what a browser fetches is watched.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

/** Of each module, how many bytes it may have by brotli: the core is what every page takes. */
const LIMITS = { "": 130_000, ".links": 55_000, ".natural": 20_000, ".stream": 51_000 };

for (const [part, limit] of Object.entries(LIMITS)) {
    for (const build of ["", ".scalar"]) {
        const name = `barelink${part}${build}.wasm`;
        test(`${name} is below ${limit} bytes by brotli`, () => {
            const path = createRequire(import.meta.url).resolve(`barelink/${name}`);
            const { length } = brotliCompressSync(readFileSync(path));
            assert.ok(length < limit, `${length} bytes`);
            // A module that is much smaller lacks something.
            assert.ok(length > limit / 2, `${length} bytes`);
        });
    }
}

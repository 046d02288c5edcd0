// The modules stay small: what a browser fetches is watched.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const LIMIT = 215_000;

for (const name of ["barelink.wasm", "barelink.scalar.wasm"]) {
    test(`${name} is below ${LIMIT} bytes by brotli`, () => {
        const path = createRequire(import.meta.url).resolve(`barelink/${name}`);
        const { length } = brotliCompressSync(readFileSync(path));
        assert.ok(length < LIMIT, `${length} bytes`);
        // A module that is much smaller lacks something.
        assert.ok(length > LIMIT / 2, `${length} bytes`);
    });
}

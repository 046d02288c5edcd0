// Whether this platform has the vectors of WebAssembly: it accepts a function that makes one.
const MODULE = [
    0, 97, 115, 109, 1, 0, 0, 0, // the magic number, version 1
    1, 5, 1, 96, 0, 1, 123, // a type: no parameters, one v128
    3, 2, 1, 0, // a function of that type
    10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11, // i32.const 0, i8x16.splat, i8x16.popcnt
];

export const hasVectors = WebAssembly.validate(new Uint8Array(MODULE));

// Copies text into the engine's memory and out of it, with what every platform has.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

// Chromium decodes ASCII three times as fast if it is told so, and Chinese in UTF-16 too.
const asciiDecoder = decoderFor("latin1");
const wideDecoder = decoderFor("utf-16le");

/** Not every platform has these: null then. */
function decoderFor(label) {
    try {
        return new TextDecoder(label, { ignoreBOM: true });
    } catch {
        return null;
    }
}

/** For shorter texts it does not matter. */
const LONG = 1 << 12;

/** How many bytes are looked at to see what a text is made of. */
const SAMPLE = 64;

/** Whether at least a quarter of some bytes is not ASCII, as far as a sample tells. */
function isMostlyWide(bytes, address, length) {
    let n_wide = 0;
    for (let idx = 0; idx < SAMPLE; idx += 1) {
        n_wide += bytes[address + Math.floor((idx * length) / SAMPLE)] >> 7;
    }
    return n_wide >= SAMPLE / 4;
}

/** Up to this many units, room for the longest encoding of a text is simply there. */
const SHORT = 1 << 14;

export class Text {
    constructor(memory) {
        this.memory = memory;
        this.view = new Uint8Array(memory.buffer);
    }

    /** All of the memory. It moves when it grows. */
    bytes() {
        if (this.view.buffer !== this.memory.buffer) {
            this.view = new Uint8Array(this.memory.buffer);
        }
        return this.view;
    }

    /** Writes a string into the input of an engine. Returns its length in bytes. */
    write(buffers, string) {
        const short = string.length <= SHORT;
        // Longer ones are mostly ASCII, or else encoded twice.
        const room = string.length * (short ? 3 : 1);
        const { read, written } = this.encode(string, buffers.reserve(room), room);
        if (read === string.length) {
            return written;
        }
        const enough = string.length * 3;
        return this.encode(string, buffers.reserve(enough), enough).written;
    }

    encode(string, address, room) {
        return encoder.encodeInto(string, this.bytes().subarray(address, address + room));
    }

    /** Writes bytes into the input of an engine. */
    put(buffers, bytes) {
        const address = buffers.reserve(bytes.length);
        this.bytes().set(bytes, address);
        return bytes.length;
    }

    /** Reads the output of an engine. */
    read({ engine }, length, isAscii) {
        const address = engine.output();
        if (!isAscii && length >= LONG && wideDecoder && isMostlyWide(this.bytes(), address, length)) {
            const n_units = engine.widenOutput();
            if (n_units >= 0) {
                const wide = engine.wideOutput();
                return wideDecoder.decode(this.bytes().subarray(wide, wide + 2 * n_units));
            }
        }
        return ((isAscii && asciiDecoder) || decoder).decode(this.bytes().subarray(address, address + length));
    }

    /** Copies bytes from the engine. */
    copy(address, length) {
        return this.bytes().slice(address, address + length);
    }
}

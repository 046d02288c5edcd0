// Copies text into the engine's memory and out of it, with what every platform has.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

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
    read({ engine }, length, _isAscii) {
        const address = engine.output();
        return decoder.decode(this.bytes().subarray(address, address + length));
    }

    /** Copies bytes from the engine. */
    copy(address, length) {
        return this.bytes().slice(address, address + length);
    }
}

// The same for node and bun, whose buffers read and write strings faster. Node copies UTF-16 more
// than ten times as fast as it decodes UTF-8, so the engine does that.
import { Buffer } from "node:buffer";

import { Text } from "./text.js";

/** Up to this many units, room for the longest encoding of a text is simply there. */
const SHORT = 1 << 10;

export class BufferText extends Text {
    bytes() {
        if (this.view.buffer !== this.memory.buffer || !Buffer.isBuffer(this.view)) {
            this.view = Buffer.from(this.memory.buffer);
        }
        return this.view;
    }

    write(buffers, string) {
        if (string.length <= SHORT) {
            const room = string.length * 3;
            const address = buffers.reserve(room);
            return this.bytes().write(string, address, room, "utf8");
        }
        const address = buffers.reserveWide(string.length);
        this.bytes().write(string, address, string.length * 2, "utf16le");
        return buffers.takeWide(string.length);
    }

    read(buffers, length, isAscii) {
        const { engine } = buffers;
        if (isAscii) {
            const address = engine.output();
            return this.bytes().latin1Slice(address, address + length);
        }
        const size = 2 * engine.widenOutput();
        if (size < 0) {
            return super.read(buffers, length, isAscii);
        }
        const address = engine.wideOutput();
        return this.bytes().ucs2Slice(address, address + size);
    }

    copy(address, length) {
        return Uint8Array.prototype.slice.call(this.bytes(), address, address + length);
    }
}

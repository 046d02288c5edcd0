// The same for node and bun, whose buffers read and write strings faster.
import { Buffer } from "node:buffer";

import { Text } from "./text.js";

export class BufferText extends Text {
    bytes() {
        if (this.view.buffer !== this.memory.buffer || !Buffer.isBuffer(this.view)) {
            this.view = Buffer.from(this.memory.buffer);
        }
        return this.view;
    }

    write(keeper, string) {
        const room = string.length <= 1 << 14 ? string.length * 3 : Buffer.byteLength(string);
        const address = keeper.reserve(room);
        return this.bytes().write(string, address, room, "utf8");
    }

    read(address, length, isAscii) {
        return this.bytes().toString(isAscii ? "latin1" : "utf8", address, address + length);
    }

    copy(address, length) {
        return Uint8Array.prototype.slice.call(this.bytes(), address, address + length);
    }
}

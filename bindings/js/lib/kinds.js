// What a value is.

export const isBoolean = (value) => typeof value === "boolean";
export const isString = (value) => typeof value === "string";

/** What a value is, in a message. */
export function kindOf(value) {
    if (value === null || value === undefined) {
        return String(value);
    }
    if (Array.isArray(value)) {
        return "an array";
    }
    const type = typeof value;
    return type === "object" ? "an object" : `a ${type}`;
}

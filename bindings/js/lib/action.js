// What `onLink` answers, in the engine's words.
import { kindOf } from "./kinds.js";

/** Names of what `onLink` may change, besides `attributes`. */
const CHANGES = ["destination", "rel", "target"];

/** The answer of an `onLink` in the engine's words. */
export function answer(action) {
    if (action === undefined || action === true) {
        return ["keep"];
    }
    if (action === false) {
        return ["plain"];
    }
    if (action === null) {
        return ["drop"];
    }
    if (typeof action === "string") {
        return ["change", "href", action];
    }
    if (typeof action !== "object" || Array.isArray(action)) {
        throw new TypeError(`onLink must return a boolean, a string, null or an object, not ${kindOf(action)}`);
    }
    const words = ["change"];
    const add = (name, value) => {
        if (value === null) {
            words.push(`-${name}`, "");
        } else if (typeof value === "string") {
            words.push(name, value);
        } else if (value !== undefined) {
            throw new TypeError(`\`${name}\` from onLink must be a string or null, not ${kindOf(value)}`);
        }
    };
    for (const name of Object.keys(action)) {
        if (name === "attributes") {
            for (const [attribute, value] of Object.entries(action.attributes ?? {})) {
                add(attribute, value);
            }
        } else if (CHANGES.includes(name)) {
            add(name === "destination" ? "href" : name, action[name]);
        } else {
            throw new TypeError(
                `unknown change \`${name}\` from onLink: expected one of ${CHANGES.join(", ")}, attributes`,
            );
        }
    }
    return words;
}

// Options as users write them, for the engine, which knows their names and says what is wrong.
import { isBoolean, isString, kindOf } from "./kinds.js";

/** Groups of options: all other options are values. */
const GROUPS = new Set(["autolinks", "policy", "policy.bare", "policy.external"]);

/**
 * Options as a list of [scope, name, value], with a key that is the same for the same options;
 * null if nothing is kept for them. Those that are named in `apart` are not for the engine.
 */
export function readOptions(options, scope, apart = []) {
    const entries = [];
    const others = {};
    let key = scope;
    let isKept = true;
    const add = (name, value) => {
        const entry = [scope, name, value];
        entries.push(entry);
        if (isBoolean(value) || isString(value) || (Array.isArray(value) && value.every(isString))) {
            key += `\n${name} ${JSON.stringify(value)}`;
        } else {
            // It is an error, unless it is null; no engine is kept for it.
            isKept = false;
        }
    };
    const walk = (group, prefix) => {
        for (const name of Object.keys(group)) {
            const value = group[name];
            const path = prefix + name;
            if (value === undefined) {
                continue;
            }
            if (apart.includes(path)) {
                others[path] = value;
                isKept = false;
            } else if (GROUPS.has(scope + path)) {
                if (value === null || typeof value !== "object" || Array.isArray(value)) {
                    throw new TypeError(`the option \`${path}\` must be an object, not ${kindOf(value)}`);
                }
                walk(value, `${path}.`);
            } else {
                add(path, value);
            }
        }
    };
    if (options !== undefined && options !== null) {
        if (typeof options !== "object" || Array.isArray(options)) {
            throw new TypeError(`options must be an object, not ${kindOf(options)}`);
        }
        walk(options, "");
    }
    // The preset is what others change, and schemes are added to those of the policy.
    const rank = ([, name]) => (name === "preset" ? 0 : name === "schemes" ? 2 : 1);
    entries.sort((a, b) => rank(a) - rank(b));
    return { entries, ...others, key: isKept ? key : null };
}

/** Gives an engine its options. */
export function setAll(engine, entries) {
    for (const [scope, name, value] of entries) {
        const wrong = set(engine, scope, name, value);
        if (wrong !== undefined) {
            engine.free();
            throw new TypeError(wrong);
        }
    }
}

/** Sets an option of an engine. Returns what is wrong, if anything is. */
function set(engine, scope, name, value) {
    if (isBoolean(value)) {
        return value ? engine.turnOn(scope, name) : engine.turnOff(scope, name);
    }
    if (isString(value)) {
        return engine.setText(scope, name, value);
    }
    if (Array.isArray(value)) {
        const at = value.findIndex((item) => !isString(item));
        return at < 0
            ? engine.setList(scope, name, value)
            : engine.setOther(scope, name, `an array with ${kindOf(value[at])}`);
    }
    return engine.setOther(scope, name, kindOf(value));
}

// Options as users write them, for the engine, which knows them by number. What is wrong is told
// in a sentence that names the option.
import { Setting } from "./generated/engine.js";
import { isBoolean, isString, kindOf } from "./kinds.js";
import { need } from "./parts.js";

/** Groups of options: all other options are values. */
const GROUPS = new Set(["autolinks", "policy", "policy.bare", "policy.external"]);

/** What an option may be, in a message. */
const FLAG = "true or false";
const TEXT = "a string";
const TEXT_OR_NULL = "a string or null";
const LIST = "an array of strings";

/** One of some names, which the engine lists in the same order. */
const choice = (what, ...names) => ({ what, names });

/** Every option, in the order of the documentation. */
const OPTIONS = {
    preset: choice("preset", "commonmark", "gfm", "github", "md4c", "natural"),
    tables: FLAG,
    strikethrough: FLAG,
    singleTilde: FLAG,
    mark: FLAG,
    superscript: FLAG,
    subscript: FLAG,
    taskLists: FLAG,
    tagFilter: FLAG,
    footnotes: FLAG,
    alerts: FLAG,
    math: FLAG,
    wikiLinks: FLAG,
    frontMatter: FLAG,
    cjkFriendlyEmphasis: FLAG,
    definitionLists: FLAG,
    headingAttributes: FLAG,
    emoji: FLAG,
    smartPunctuation: FLAG,
    markup: choice("markup", "github", "md4c"),
    reading: choice("reading", "specification", "cmark-gfm"),
    schemes: LIST,
    "autolinks.dialect": choice("dialect", "none", "gfm", "github", "md4c", "natural"),
    "autolinks.url": FLAG,
    "autolinks.www": FLAG,
    "autolinks.email": FLAG,
    "autolinks.domains": FLAG,
    "autolinks.schemes": LIST,
    "policy.rawHtml": choice("way to treat raw HTML", "escape", "drop", "pass"),
    "policy.urls": { ...choice("policy", "safe", "any"), type: "`safe`, `any` or an array of schemes" },
    "policy.bare.rel": TEXT_OR_NULL,
    "policy.bare.targetBlank": FLAG,
    "policy.external.rel": TEXT_OR_NULL,
    "policy.external.targetBlank": FLAG,
    "policy.ownHosts": LIST,
    "policy.https": FLAG,
    "policy.headingIds": FLAG,
    "policy.idPrefix": TEXT,
    "policy.sourcePositions": FLAG,
    "policy.softBreaks": choice("soft break", "newline", "space", "hard"),
};

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
        if (isBoolean(value) || isString(value) || isList(value)) {
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
    try {
        for (const [scope, name, value] of entries) {
            if (!set(engine, scope, name, value)) {
                throw new Error(`the engine has no option \`${name}\` with such values`);
            }
        }
    } catch (error) {
        engine.free();
        throw error;
    }
}

/** Sets an option of an engine. Returns whether it knows it. */
function set(engine, scope, name, value) {
    const path = scope + name;
    const kind = Object.hasOwn(OPTIONS, path) ? OPTIONS[path] : undefined;
    const setting = Setting[path.replace(/(?:^|\.)[a-z]/g, (it) => it.at(-1).toUpperCase())];
    if (kind === undefined) {
        throw new TypeError(unknownOption(scope, name));
    }
    if (kind === FLAG && isBoolean(value)) {
        return value ? engine.turnOn(setting) : engine.turnOff(setting);
    }
    if ((isString(value) && (kind === TEXT || kind === TEXT_OR_NULL)) || (value === null && kind === TEXT_OR_NULL)) {
        return engine.setText(setting, value);
    }
    if ((kind === LIST || kind.type) && isList(value)) {
        return engine.setList(setting, value);
    }
    if (kind.names && isString(value)) {
        const idx = kind.names.indexOf(value);
        if (idx === -1) {
            throw new TypeError(`the option \`${name}\` is wrong: ${unknownName(kind, value)}`);
        }
        if (value === "natural") {
            need("natural", `\`${name}: "natural"\``);
        }
        return engine.choose(setting, idx);
    }
    throw new TypeError(`the option \`${name}\` must be ${kind.type ?? (kind.names ? TEXT : kind)}, not ${described(value)}`);
}

const isList = (value) => Array.isArray(value) && value.every(isString);

function unknownName({ type, what, names }, value) {
    if (type) {
        return `expected safe, any or an array of schemes, not \`${value}\``;
    }
    return `unknown ${what} \`${value}\`: expected one of ${names.join(", ")}`;
}

/** A value that is wrong. */
function described(value) {
    if (isString(value)) {
        return `the string \`${value}\``;
    }
    if (Array.isArray(value) && !isList(value)) {
        return `an array with ${kindOf(value.find((item) => !isString(item)))}`;
    }
    return isBoolean(value) ? String(value) : kindOf(value);
}

/** Says what there is beside an option that is not; with a wrong name before a period, beside that. */
function unknownOption(scope, name) {
    const names = Object.keys(OPTIONS);
    const path = scope + name;
    let group = path;
    do {
        group = group.slice(0, group.slice(0, -1).lastIndexOf(".") + 1);
    } while (!names.some((it) => it.startsWith(group)));
    const beside = names.filter((it) => it.startsWith(group)).map((it) => it.slice(group.length).split(".")[0]);
    return `unknown option \`${name}\`: expected one of ${[...new Set(beside)].join(", ")}`;
}

// The text in the address: `#text=…` as it is, or `#z=…` compressed if it is longer. What
// comes after `#` is never sent to a server.

/** Texts to this length stay readable in the address. */
const PLAIN_MAX = 500;

/** Longer addresses do not survive mail and chat. */
const HASH_MAX = 30_000;

/** The hash for a text, empty for an empty one; null if it would be too long. */
export async function writeHash(text) {
  if (text === "") {
    return "#";
  }
  if (text.length > HASH_MAX * 20) {
    return null;
  }
  const plain = `#text=${encodeURIComponent(text.toWellFormed())}`;
  if (plain.length <= PLAIN_MAX) {
    return plain;
  }
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  const hash = `#z=${toBase64(bytes)}`;
  return hash.length <= HASH_MAX ? hash : null;
}

/** The text of a hash; null if it has none. Throws if it cannot be read. */
export async function readHash(hash) {
  if (hash.startsWith("#text=")) {
    return decodeURIComponent(hash.slice("#text=".length).replaceAll("+", "%20"));
  }
  if (hash.startsWith("#z=")) {
    const bytes = await through(new DecompressionStream("deflate-raw"), fromBase64(hash.slice("#z=".length)));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  }
  return null;
}

async function through(transform, bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function toBase64(bytes) {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

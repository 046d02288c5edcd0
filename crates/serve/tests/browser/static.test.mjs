// The page from a static host does all that it does on the server.

process.env.BARELINK_STATIC = "1";
await import("./page.test.mjs");

//! The server as a browser meets it, and as somebody does who is up to no good: over a raw
//! socket, because a client library would tidy up the paths.

mod api;
mod attacks;
mod changes;
mod pages;
mod support;

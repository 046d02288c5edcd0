//! What holds of optimistic completion, whatever is guessed.

use barelink::stream::{BlockState, Incomplete, StreamOptions, Update};
use barelink::{Options, Stream, to_html};

use crate::streamed::{Client, boundary_from};

pub(crate) fn stream(options: &Options, optimistic: Incomplete) -> Stream {
    let mut options = StreamOptions::new(options.clone());
    options.optimistic = optimistic;
    Stream::new(options)
}

/// Leaves out where links and images lead.
fn without_destinations(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = [rest.find("<a "), rest.find("<img ")].into_iter().flatten().min() {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let end = if tag.starts_with("<img ") { tag.find(" alt=") } else { tag.find('>') };
        let end = end.unwrap_or(tag.len());
        out.push_str(if tag.starts_with("<img ") { "<img" } else { "<a" });
        rest = &tag[end..];
    }
    out + rest
}

fn apply(client: &mut Client, update: Update<'_>, source: &str) -> String {
    for block in update.blocks().filter(|block| block.state == BlockState::Settled) {
        // Unless it is the text of the document itself.
        let is_written = source.contains("data-pending");
        assert!(is_written || !block.html.contains("data-pending"), "{block:?}");
    }
    let completion = update.completion();
    let text = format!("{}{}", &source[..completion.held.start as usize], completion.added);
    client.apply(update);
    text
}

/// Whatever is guessed, the page is what the source gives with what was added in place of what
/// was held back, but for destinations; and the end is exact.
pub(crate) fn check(source: &str, options: &Options, optimistic: Incomplete, len: usize) {
    let mut stream = stream(options, optimistic);
    let mut client = Client::default();
    let mut start = 0;
    while start < source.len() {
        let end = boundary_from(source, start + len);
        stream.push(&source[start..end]).unwrap();
        start = end;
        let text = apply(&mut client, stream.update(), &source[..end]);
        assert_eq!(stream.source(), &source[..end]);
        assert_eq!(stream.document().source(), text);
        // A definition counts once its paragraph is closed.
        if !text.contains("]:") {
            let expected = without_destinations(&to_html(&text, options).unwrap());
            let shown = without_destinations(&client.html());
            assert_eq!(shown, expected, "{:?} shown as {text:?}", &source[..end]);
        }
    }
    client.apply(stream.finish());
    assert_eq!(client.html(), to_html(source, options).unwrap(), "the end of {source:?}");
}

//! A stream shows after every piece what the text so far gives in one go, its settled blocks
//! change only by being revised, and its splices say the same as its blocks.
//!
//! A definition counts once its paragraph is closed, and front matter once its last line is
//! complete. So while one may be open, the pieces are compared with a stream that gets the
//! text in one piece.

use std::collections::BTreeMap;

use barelink::stream::{BlockId, BlockState, Update};
use barelink::{Options, Stream, to_html};

/// What a client keeps: the HTML of blocks, and the page as one string.
#[derive(Default)]
pub(crate) struct Client {
    blocks: BTreeMap<BlockId, (String, BlockState)>,
    page: String,
}

impl Client {
    pub(crate) fn apply(&mut self, update: Update<'_>) {
        for block in update.revised() {
            assert_eq!(block.keep, 0);
            let (html, state) = self.blocks.get_mut(&block.id).expect("a revised block is known");
            assert_eq!(*state, BlockState::Settled);
            block.html.clone_into(html);
        }
        self.blocks.retain(|_, (html, _)| !html.is_empty());
        for block in update.blocks() {
            let fresh = || (String::new(), BlockState::Open);
            let (html, state) = self.blocks.entry(block.id).or_insert_with(fresh);
            assert_ne!(*state, BlockState::Settled, "{block:?} was settled");
            html.truncate(block.keep);
            html.push_str(block.html);
            *state = block.state;
        }
        self.blocks.retain(|_, (html, _)| !html.is_empty());
        for splice in update.splices() {
            self.page.replace_range(splice.start..splice.end, splice.html);
        }
    }

    pub(crate) fn html(&self) -> String {
        let html: String = self.blocks.values().map(|(html, _)| html.as_str()).collect();
        assert_eq!(html, self.page, "blocks and splices give the same");
        html
    }
}

/// The first boundary of a character at `at` or after it.
pub(crate) fn boundary_from(source: &str, at: usize) -> usize {
    (at..source.len()).find(|at| source.is_char_boundary(*at)).unwrap_or(source.len())
}

fn in_one_piece(source: &str, options: &Options) -> String {
    let mut stream = Stream::new(options.clone());
    let mut client = Client::default();
    stream.push(source).unwrap();
    client.apply(stream.update());
    client.html()
}

/// Whether a definition could be open at the end of the text.
fn may_define(source: &str) -> bool {
    source.contains("]:")
}

/// Whether front matter could be open at the end of the text.
fn may_be_front_matter(source: &str, options: &Options) -> bool {
    options.front_matter && source.trim_start_matches('\u{FEFF}').starts_with(['-', '+'])
}

pub(crate) fn check(source: &str, options: &Options, cuts: &[usize]) {
    let mut stream = Stream::new(options.clone());
    let mut client = Client::default();
    let mut start = 0;
    for &end in cuts {
        stream.push(&source[start..end]).unwrap();
        start = end;
        client.apply(stream.update());
        let prefix = &source[..end];
        let shown = client.html();
        let expected = to_html(prefix, options).unwrap();
        if shown != expected {
            assert!(
                may_define(prefix) || may_be_front_matter(prefix, options),
                "{prefix:?}\nshown    {shown:?}\nexpected {expected:?}"
            );
            let expected = in_one_piece(prefix, options);
            assert_eq!(shown, expected, "in pieces and in one piece: {prefix:?}");
        }
    }
    client.apply(stream.finish());
    assert_eq!(client.html(), to_html(source, options).unwrap(), "the end of {source:?} {cuts:?}");
    assert!(client.blocks.values().all(|(_, state)| *state == BlockState::Settled));
}

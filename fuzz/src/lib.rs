//! What the fuzz targets share: how bytes become a case, and what has to hold
//! for it. The checks are those of the ordinary tests, in
//! `crates/barelink/tests/checks`.

mod command;
mod document;
mod documents;
mod oracle;

#[path = "../../crates/barelink/tests/checks/bridged.rs"]
mod bridged;
#[path = "../../crates/barelink/tests/checks/changed.rs"]
mod changed;
#[path = "../../crates/barelink/tests/checks/crlf.rs"]
mod crlf;
#[path = "../../crates/barelink/tests/checks/destinations.rs"]
mod destinations;
#[path = "../../crates/barelink/tests/checks/events.rs"]
mod events;
#[path = "../../crates/barelink/tests/checks/explained.rs"]
mod explained;
#[path = "../../crates/check/tests/checks/fixed.rs"]
mod fixed;
#[path = "../../crates/barelink/tests/checks/guessed.rs"]
mod guessed;
#[path = "../../crates/barelink/tests/checks/hooked.rs"]
mod hooked;
#[path = "../../crates/barelink/tests/checks/linkified.rs"]
mod linkified;
#[path = "../../crates/barelink/tests/checks/options.rs"]
mod options;
#[path = "../../crates/barelink/tests/checks/output.rs"]
mod output;
#[path = "../../crates/barelink/tests/checks/plain.rs"]
mod plain;
#[path = "../../crates/barelink/tests/checks/reused.rs"]
mod reused;
#[path = "../../crates/barelink/tests/checks/scan.rs"]
mod scan;
#[path = "../../crates/barelink/tests/checks/schemed.rs"]
mod schemed;
#[path = "../../crates/barelink/tests/checks/streamed.rs"]
mod streamed;
#[path = "../../crates/barelink/tests/xss/tree.rs"]
mod tree;
#[path = "../../crates/barelink/tests/xss/well_formed.rs"]
mod well_formed;

use arbitrary::{Arbitrary, Unstructured};
use barelink::autolink::Rules;
use barelink::stream::{Incomplete, Rule};
use barelink::{Autolinks, Dialect, Options};

pub use self::command::check_command;
pub use self::document::Document;
pub use self::documents::check_documents;
pub use self::oracle::check_github;

/// A document and the options it is parsed with: the first four bytes of the
/// input are the options' number, all others are the document, made UTF-8 as the
/// command does.
#[derive(Debug)]
pub struct Case {
    /// The number of the options.
    pub bits: u32,
    /// The document.
    pub source: String,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(input: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Self::arbitrary_take_rest(Unstructured::new(input.bytes(input.len())?))
    }

    fn arbitrary_take_rest(mut input: Unstructured<'a>) -> arbitrary::Result<Self> {
        let bits = input.arbitrary()?;
        let source = String::from_utf8_lossy(input.take_rest()).into_owned();
        Ok(Self { bits, source })
    }
}

impl Case {
    /// The options of its number.
    pub fn options(&self) -> Options {
        options::options_of(self.bits)
    }

    /// The rules of bare links of its number.
    pub fn rules(&self) -> Rules {
        let is_set = |bit: u32| self.bits >> bit & 1 == 1;
        let mut rules = Rules::new(Dialect::ALL[(self.bits & 3) as usize]);
        // Mostly all kinds: they get in each other's way.
        rules.url = !(is_set(4) && is_set(5));
        rules.www = !(is_set(6) && is_set(7));
        rules.email = !(is_set(8) && is_set(9));
        rules
    }
}

/// The HTML is well-formed and safe where it has to be.
pub fn check_html(case: &Case) {
    output::check(&case.source, &case.options());
}

/// Events that a program has changed are written without a panic, and no destination
/// passes that the policy forbids.
pub fn check_changed(case: &Case) {
    changed::check(&case.source, &case.options(), u64::from(case.bits));
}

/// Events balance, nest and render as the walker does; explanations agree.
pub fn check_events(case: &Case) {
    events::check(&case.source, &case.options());
    explained::check(&case.source, &case.options());
}

/// The recognizer alone and in a document agree, and links stay in the text.
pub fn check_autolink(case: &Case) {
    plain::check(&case.source, case.rules());
}

/// Searches of many bytes at a time find what a loop over the bytes finds.
pub fn check_scan(bytes: &[u8], skips: &[u8]) {
    scan::check(bytes, skips);
}

/// A stream shows what the text so far gives, however it is cut.
pub fn check_stream(case: &Case) {
    let mut cuts = Vec::new();
    let mut state = u64::from(case.bits) | 1;
    let mut end = 0;
    while end < case.source.len() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        end = streamed::boundary_from(&case.source, end + 1 + (state >> 59) as usize);
        cuts.push(end);
    }
    streamed::check(&case.source, &case.options(), &cuts);
    check_optimistic(case);
}

/// Whatever is guessed about the end, the page is that of the text that is shown, and the end is
/// exact.
fn check_optimistic(case: &Case) {
    let mut bits = case.bits;
    let mut next = |n: usize| {
        bits = bits.rotate_right(3) ^ 0x9E37;
        bits as usize % n
    };
    let options = Options::preset(Options::PRESETS[next(Options::PRESETS.len())]);
    let mut rules = Incomplete::OPTIMISTIC;
    for rule in [
        &mut rules.endings,
        &mut rules.markers,
        &mut rules.inlines,
        &mut rules.links,
        &mut rules.tables,
        &mut rules.definitions,
        &mut rules.bare_links,
    ] {
        if next(4) == 0 {
            *rule = Rule::Off;
        }
    }
    guessed::check(&case.source, &options.unwrap_or_default(), rules, 1 + next(20));
}

/// What parts the documents that a parser reads one after the other.
const SEPARATOR: char = '\u{1E}';

/// Hooks that write what they get change nothing, whatever the options.
pub fn check_hooks(case: &Case) {
    hooked::check(&case.source, &case.options(), case.bits >> 3 ^ case.bits >> 20);
}

/// A used parser is as good as a fresh one, whatever it read.
pub fn check_reused(case: &Case) {
    let options = (0..).map(|idx: u32| options::options_of(case.bits.rotate_left(5 * idx) ^ idx));
    let documents: Vec<_> =
        case.source.split(SEPARATOR).map(str::to_owned).zip(options).take(8).collect();
    reused::check(&documents);
}

/// The HTML of a document is the same with LF and with CRLF, and its events with CRLF hold what those
/// of any document do.
pub fn check_crlf(case: &Case) {
    let mut options = case.options();
    options.policy.source_positions = false;
    let short = case.source.replace("\r\n", "\n").replace('\r', "\n");
    // A long source is read from a copy, a short one leaf by leaf.
    let long = format!("{short}\n\n{}", "long ".repeat(220));
    for source in [short, long] {
        crlf::check_html(&source, &options);
        events::check(&source.replace('\n', "\r\n"), &options);
    }
}

/// Events of pulldown-cmark nest, and its writer takes them.
pub fn check_bridge(case: &Case) {
    bridged::check(&case.source, &case.options());
}

/// Explanations agree with links in every dialect, and about every place.
pub fn check_explain(case: &Case) {
    let mut options = case.options();
    explained::check(&case.source, &options);
    for &dialect in Dialect::ALL {
        options.autolinks = Autolinks::new(dialect);
        explained::check(&case.source, &options);
    }
}

/// A safe fix leaves the page as it is, and a second run changes nothing.
pub fn check_fix(case: &Case) {
    fixed::check(&case.source, &case.options(), case.bits >> 16);
}

/// The recognizer with schemes of one's own, and with domains.
pub fn check_schemes(case: &Case) {
    schemed::check(&case.source, case.rules(), case.bits >> 12);
}

/// But for links, HTML stays as it is.
pub fn check_linkify(case: &Case) {
    linkified::check(&case.source, &case.options());
}

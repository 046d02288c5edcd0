//! What holds for events that a program has changed, in whatever way: they are written
//! without a panic, every tag is closed, and no destination passes that the policy forbids.

use std::borrow::Cow;
use std::sync::Arc;

use barelink::html::{self, Action, Change, ElementKind, Renderer};
use barelink::{
    Event, EventKind, Form, HeadingAttributes, Link, Options, RawHtml, Span, Tag, TagEnd, Target,
};
use barelink_spectest::random::Random;

use super::destinations;
use super::well_formed;

/// Destinations that somebody could have put into an event.
const DESTINATIONS: &[&str] = &[
    "javascript:alert(1)",
    "JAVASCRIPT:x",
    "java\tscript:x",
    " javascript:x",
    "\u{1}javascript:x",
    "data:text/html,x",
    "data:image/png;base64,x",
    "vbscript:x",
    "/x",
    "x",
    "",
    "#x",
    "//h/x",
    "ftp://a.bc",
    "http://a.bc",
    "é:x",
    "\"><script>",
    "https",
    "h",
];

/// Fails if something of it does not hold for the events of `source`, changed at random.
pub(crate) fn check(source: &str, options: &Options, seed: u64) {
    let mut random = Random::new(seed);
    let document = barelink::parse(source, options).expect("the source is short");
    let mut events: Vec<Event<'_>> = document.events().collect();
    for _ in 0..=*random.pick(&[0, 1, 3, 10]) {
        change(&mut events, &mut random);
    }
    let mut written = String::new();
    html::push_events(events.clone(), options, &mut written);
    let mut hooked = String::new();
    Renderer::new()
        .on_link(|link| decide(link, &mut random))
        .on(ElementKind::Heading, |element, out| out.push_str(element.html))
        .on(ElementKind::Table, |element, out| out.push_str(element.html))
        .on(ElementKind::Image, |element, out| out.push_str(element.html))
        .on(ElementKind::Link, |element, out| out.push_str(element.html))
        .push_events(events, options, &mut hooked);
    if options.policy.raw_html == RawHtml::Pass {
        return;
    }
    for html in [&written, &hooked] {
        assert_eq!(well_formed::check(html), Ok(()), "out of {source:?}: {html:?}");
        destinations::check_destinations(html, options);
    }
}

/// What a hook could say.
fn decide(link: &Link<'_>, random: &mut Random) -> Action {
    match random.pick(&[0, 1, 2, 3, 4]) {
        0 => Action::Drop,
        1 => Action::Plain,
        2 => Action::rewrite(*random.pick(DESTINATIONS)),
        3 => {
            let value = *random.pick(DESTINATIONS);
            Change::new().attribute("src", value).attribute("title", &*link.text).into()
        }
        _ => Action::Keep,
    }
}

/// Changes something.
fn change(events: &mut Vec<Event<'_>>, random: &mut Random) {
    let places: Vec<usize> = (0..events.len()).collect();
    let new = Event { kind: new_kind(random), span: Span::new(0, 0) };
    if places.is_empty() {
        return events.push(new);
    }
    let (at, other) = (*random.pick(&places), *random.pick(&places));
    match random.pick(&[0, 1, 2, 3, 4, 5]) {
        0 => drop(events.remove(at)),
        1 => events.swap(at, other),
        2 => events.insert(at, events[other].clone()),
        3 => events.insert(at, new),
        4 => events.truncate(at),
        _ => {
            for event in events {
                if let EventKind::Start(Tag::Link(target) | Tag::Image(target)) = &mut event.kind {
                    target.destination = Cow::Borrowed(*random.pick(DESTINATIONS));
                }
            }
        }
    }
}

/// An event from nowhere.
fn new_kind<'s>(random: &mut Random) -> EventKind<'s> {
    let mut target = Target::new(*random.pick(DESTINATIONS));
    target.form = *random.pick(Form::ALL);
    target.title = Cow::Borrowed(*random.pick(DESTINATIONS));
    let mut attributes = HeadingAttributes::default();
    attributes.classes = vec!["\"<".into()];
    attributes.others = vec![("onclick".into(), Some("\"<".into())), ("\"<".into(), None)];
    let starts = [
        Tag::Paragraph,
        Tag::Heading { level: 9, id: None, attributes: None },
        Tag::Heading { level: 0, id: Some("\"<".into()), attributes: Some(Arc::new(attributes)) },
        Tag::List { start: Some(7), tight: true },
        Tag::Item { task: Some(true) },
        Tag::DefinitionList { tight: true },
        Tag::Term,
        Tag::Details,
        Tag::Table { alignments: Vec::new() },
        Tag::Row { header: true },
        Tag::Row { header: false },
        Tag::Cell,
        Tag::FootnoteDefinition { label: "a".into(), duplicate: false },
        Tag::Link(target.clone()),
        Tag::Image(target),
        Tag::CodeBlock { info: Some("\"<".into()) },
        Tag::BlockQuote { alert: None },
        Tag::Emphasis,
    ];
    let start = random.pick(&starts).clone();
    match random.pick(&[0, 1, 2, 3]) {
        0 => EventKind::Start(start),
        1 => EventKind::End(start.end()),
        2 => EventKind::FootnoteReference { label: "a".into(), written: "<".into() },
        _ => EventKind::End(TagEnd::Link),
    }
}

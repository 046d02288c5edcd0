//! Ids of headings as GitHub makes them: the text in lower case, with letters, digits, `-` and `_`
//! kept, spaces as `-`, the rest left out, and a number if the id is taken.
//!
//! LINEAR: the last number of each text is stored, so that the search does not start from 1 each
//! time.

use std::collections::HashMap;

use super::footnote;
use crate::options::Options;

/// Makes unique ids from texts.
///
/// ```
/// let mut slugger = barelink::html::Slugger::new();
/// assert_eq!(slugger.slug("So, what?"), "so-what");
/// assert_eq!(slugger.slug("So what"), "so-what-1");
/// assert_eq!(slugger.slug("?!"), "");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Slugger {
    taken: Unique,
    /// The ids of headings before they were made unique, if they are recorded.
    trail: Option<Vec<String>>,
}

impl Slugger {
    /// A slugger that has made no ids yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id for a heading with this text; empty if nothing of the text can be in an id.
    pub fn slug(&mut self, text: &str) -> String {
        self.claim(slug(text))
    }

    /// The id for a heading of a document, with the prefix.
    pub(crate) fn heading_id(&mut self, text: &str, options: &Options) -> Option<String> {
        self.claim_id(slug(text), options)
    }

    /// The id for a heading that specifies one, with the prefix, and a number if it is taken.
    pub(crate) fn given_id(&mut self, id: &str, options: &Options) -> Option<String> {
        self.claim_id(id.to_owned(), options)
    }

    /// Claims an id, with a number if it is taken. An empty one stays empty.
    fn claim(&mut self, id: String) -> String {
        if id.is_empty() { id } else { self.taken.claim(id, 0) }
    }

    fn claim_id(&mut self, mut slug: String, options: &Options) -> Option<String> {
        // The ids of footnotes are reserved.
        if options.footnotes && footnote::is_id(&slug) {
            slug.insert_str(0, "heading-");
        }
        if slug.is_empty() {
            return None;
        }
        if let Some(trail) = &mut self.trail {
            trail.push(slug.clone());
        }
        let slug = self.claim_beside_notes(slug, options);
        let mut id = String::new();
        options.policy.push_id_prefix(&mut id);
        id.push_str(&slug);
        Some(id)
    }

    /// Claims the id, with a number if it is taken. If the id with a number could be that of a
    /// footnote, `heading-` is put before it.
    fn claim_beside_notes(&mut self, mut slug: String, options: &Options) -> String {
        let is_taken = |slug: &str| self.taken.taken_by(slug).is_some();
        if options.footnotes && footnote::is_id_with_number(&slug) && is_taken(&slug) {
            slug.insert_str(0, "heading-");
        }
        self.claim(slug)
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.taken.clear();
    }

    /// Takes the ids recorded since the last call, and records them from now on.
    pub(super) fn take_trail(&mut self) -> Vec<String> {
        let mut trail = self.trail.replace(Vec::new()).unwrap_or_default();
        // Each block keeps its own.
        trail.shrink_to_fit();
        trail
    }

    /// Whether anything has changed since the mark.
    #[inline]
    pub(super) fn is_changed(&self) -> bool {
        !self.taken.undo.is_empty() || self.has_trail()
    }

    #[inline]
    pub(super) fn has_trail(&self) -> bool {
        self.trail.as_ref().is_some_and(|trail| !trail.is_empty())
    }

    /// Claims the id of a heading again, given the id before it was made unique.
    pub(super) fn replay(&mut self, slug: &str, options: &Options) {
        self.claim_beside_notes(slug.to_owned(), options);
    }

    #[inline]
    pub(super) fn mark(&mut self) {
        self.taken.mark();
    }

    #[inline]
    pub(super) fn keep(&mut self) {
        self.taken.keep();
    }

    pub(super) fn take_back(&mut self) {
        self.taken.take_back();
        self.take_trail();
    }
}

/// Names that can be claimed once.
#[derive(Debug, Clone, Default)]
pub(super) struct Unique {
    taken: HashMap<String, Taken>,
    /// The former entries for names claimed since the mark.
    undo: Vec<(String, Option<Taken>)>,
    is_marked: bool,
}

/// A name that is taken.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    /// The owner of the name.
    by: u32,
    /// The last number that was appended to it.
    last: u32,
}

impl Unique {
    #[inline]
    pub(super) fn clear(&mut self) {
        if !self.taken.is_empty() {
            self.taken.clear();
        }
        self.keep();
    }

    /// Sets the mark: claims from now on can be undone.
    #[inline]
    pub(super) fn mark(&mut self) {
        self.keep();
        self.is_marked = true;
    }

    /// Makes the claims since the mark permanent.
    #[inline]
    pub(super) fn keep(&mut self) {
        self.is_marked = false;
        if !self.undo.is_empty() {
            self.undo.clear();
        }
    }

    /// Undoes the claims since the mark.
    #[inline]
    pub(super) fn take_back(&mut self) {
        self.is_marked = false;
        while let Some((name, before)) = self.undo.pop() {
            match before {
                Some(before) => self.taken.insert(name, before),
                None => self.taken.remove(&name),
            };
        }
    }

    fn set(&mut self, name: String, taken: Taken) {
        if self.is_marked {
            let before = self.taken.insert(name.clone(), taken);
            self.undo.push((name, before));
        } else {
            self.taken.insert(name, taken);
        }
    }

    /// The owner of a name.
    pub(super) fn taken_by(&self, name: &str) -> Option<u32> {
        self.taken.get(name).map(|taken| taken.by)
    }

    /// Claims the name, or if it is taken, the name with the next free number.
    pub(super) fn claim(&mut self, name: String, by: u32) -> String {
        if self.taken.contains_key(&name) {
            return self.claim_numbered(name, by, |_| false);
        }
        self.set(name.clone(), Taken { by, last: 0 });
        name
    }

    /// Claims the name with the next number that is free, also according to `is_taken`.
    pub(super) fn claim_numbered(
        &mut self,
        name: String,
        by: u32,
        is_taken: impl Fn(&str) -> bool,
    ) -> String {
        let mut taken = self.taken.get(&name).copied().unwrap_or_default();
        let numbered = loop {
            taken.last += 1;
            let numbered = format!("{name}-{}", taken.last);
            if !self.taken.contains_key(&numbered) && !is_taken(&numbered) {
                break numbered;
            }
        };
        self.set(name, taken);
        self.set(numbered.clone(), Taken { by, last: 0 });
        numbered
    }
}

fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' ' => slug.push('-'),
            '-' | '_' => slug.push(c),
            _ if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ => {}
        }
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::{Slugger, slug};
    use crate::options::Options;

    #[test]
    fn slugs_are_githubs() {
        for (text, id) in [
            ("Hello, World!", "hello-world"),
            ("a b & c", "a-b--c"),
            ("snake_case-x", "snake_case-x"),
            ("Ünïcödé 中文", "ünïcödé-中文"),
            ("!!!", ""),
        ] {
            assert_eq!(slug(text), id);
        }
    }

    #[test]
    fn taken_ids_get_numbers() {
        let mut slugger = Slugger::new();
        let ids: Vec<_> = ["a", "a", "a-1", "a"].iter().map(|text| slugger.slug(text)).collect();
        assert_eq!(ids, ["a", "a-1", "a-1-1", "a-2"]);
    }

    #[test]
    fn no_heading_has_the_id_of_a_footnote() {
        let mut options = Options::github();
        options.policy.id_prefix = "x-".into();
        let mut slugger = Slugger::new();
        let mut id = |text| slugger.heading_id(text, &options);
        assert_eq!(id("fn-1").as_deref(), Some("x-heading-fn-1"));
        assert_eq!(id("Heading fn-1").as_deref(), Some("x-heading-fn-1-1"));
        assert_eq!(id("fn 1").as_deref(), Some("x-heading-fn-1-2"));
        assert_eq!(id("fnref-a").as_deref(), Some("x-heading-fnref-a"));
        assert_eq!(id("fnord").as_deref(), Some("x-fnord"));
        assert_eq!(id("..."), None);
        // A number would make the id of a footnote of it.
        assert_eq!(id("fn").as_deref(), Some("x-fn"));
        assert_eq!(id("fn").as_deref(), Some("x-heading-fn"));
        assert_eq!(id("fn").as_deref(), Some("x-heading-fn-2"));
        assert_eq!([id("fnref"), id("fnref")].map(Option::unwrap), ["x-fnref", "x-heading-fnref"]);
    }
}

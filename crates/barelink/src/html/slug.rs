//! Ids of headings, as GitHub makes them: the text in lower case, letters,
//! digits, `-` and `_` kept, spaces as `-`, the rest left out, and a number
//! where an id is taken.
//!
//! LINEAR: how often a text came is counted, so a number is not searched for
//! from 1 each time.

use std::collections::HashMap;

use super::escape::decode_entities;

/// The ids of a document so far.
#[derive(Debug, Default)]
pub(super) struct Slugs {
    /// For each id, the last number that was put behind it.
    taken: HashMap<String, u32>,
}

impl Slugs {
    pub(super) fn clear(&mut self) {
        self.taken.clear();
    }

    /// Puts an id into the tag that ends at `start`, made from the heading's
    /// content, which is all that follows.
    pub(super) fn insert_id(&mut self, start: usize, out: &mut String) {
        let id = self.make_unique(slug(out.get(start..).unwrap_or_default()));
        if !id.is_empty() {
            out.insert_str(start.saturating_sub(1), &format!(" id=\"{id}\""));
        }
    }

    fn make_unique(&mut self, slug: String) -> String {
        if slug.is_empty() {
            return slug;
        }
        let Some(&last) = self.taken.get(&slug) else {
            self.taken.insert(slug.clone(), 0);
            return slug;
        };
        let mut number = last;
        let id = loop {
            number += 1;
            let id = format!("{slug}-{number}");
            if !self.taken.contains_key(&id) {
                break id;
            }
        };
        self.taken.insert(slug, number);
        self.taken.insert(id.clone(), 0);
        id
    }
}

/// The id for a heading with this HTML.
fn slug(html: &str) -> String {
    let mut slug = String::new();
    for c in decode_entities(&strip_tags(html)).chars() {
        match c {
            ' ' => slug.push('-'),
            '-' | '_' => slug.push(c),
            _ if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ => {}
        }
    }
    slug
}

fn strip_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut in_tag = false;
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' if in_tag => in_tag = false,
            '\n' if !in_tag => text.push(' '),
            _ if !in_tag => text.push(c),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Slugs, slug};

    #[test]
    fn slugs_are_githubs() {
        for (html, id) in [
            ("Hello, World!", "hello-world"),
            ("a <em>b</em> &amp; c", "a-b--c"),
            ("snake_case-x", "snake_case-x"),
            ("Ünïcödé 中文", "ünïcödé-中文"),
            ("!!!", ""),
        ] {
            assert_eq!(slug(html), id);
        }
    }

    #[test]
    fn taken_ids_get_numbers() {
        let mut slugs = Slugs::default();
        let ids: Vec<_> = ["a", "a", "a-1", "a"]
            .iter()
            .map(|text| slugs.make_unique((*text).to_owned()))
            .collect();
        assert_eq!(ids, ["a", "a-1", "a-1-1", "a-2"]);
    }
}

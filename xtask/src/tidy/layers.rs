//! Which modules of a crate may import which: the arrows of ARCHITECTURE.md.
//!
//! ```text
//! barelink   url ← policy ← options ← block, inline
//!            url ← event ← tape ← block
//!            syntax ← tape, inline
//!            block, inline ← html, event_iter ← converter ← crlf ← document ← stream, pulldown
//! text       set ← find ← escape
//! lsp        protocol ← position ← document ← actions ← server
//! autolink   rules ← verdict ← the dialects ← decide ← plain, links
//! ```
//!
//! Every module of these crates has a row in [`CRATES`], and imports only what its row names, be it
//! by `crate::` or by `super::`, and nothing by way of the crate's root. That alone may name
//! everything. Tests may import what they like.
//!
//! Arrows go one way, but within an entry of `KNOTS`.

mod rows;

use syn::visit::Visit;

use self::rows::{CRATES, Row};
use super::Report;

/// Reports the imports of a file that its row does not name.
pub(super) fn check(file: &syn::File, report: &mut Report<'_>) {
    let found = CRATES.iter().find_map(|(folder, rows)| {
        let path = report.path.strip_prefix(folder)?;
        let mut home: Vec<_> = path.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
        home.pop_if(|name| name == "mod");
        Some((home, *rows))
    });
    let Some((home, rows)) = found else { return };
    // The root of the crate says which modules there are, and what users get.
    let Some(module) = home.first().filter(|name| *name != "lib") else { return };
    match rows.iter().find(|row| row.module == module) {
        Some(row) => Imports { home, row, report }.visit_file(file),
        None => report.push(1, &format!("`{module}` has no row in `layers/rows.rs`")),
    }
}

/// Looks at the paths of a file.
struct Imports<'a, 'b> {
    /// The module that the visitor is in, from the root of the crate.
    home: Vec<String>,
    row: &'a Row,
    report: &'a mut Report<'b>,
}

impl Imports<'_, '_> {
    /// Checks the module that a path names.
    fn check(&mut self, words: &[&syn::Ident]) {
        let Some(first) = words.first() else { return };
        let mut module = match first.to_string().as_str() {
            "crate" => Vec::new(),
            "super" => self.home.clone(),
            _ => return,
        };
        for word in words {
            if *word == "super" {
                module.pop();
            } else if *word != "crate" {
                module.push(word.to_string());
            }
        }
        // A path that ends at the root is everything, and what the root exports is for users.
        if module.is_empty() {
            module.push("crate".to_owned());
        }
        let target = &module[0];
        if target != self.row.module && !self.row.imports.contains(&target.as_str()) {
            let (module, row) = (module.join("::"), self.row.module);
            let line = first.span().start().line;
            self.report.push(line, &format!("`{row}` imports `{module}`, which is not below it"));
        }
    }

    fn check_tree<'t>(&mut self, tree: &'t syn::UseTree, words: &mut Vec<&'t syn::Ident>) {
        match tree {
            syn::UseTree::Path(path) => {
                words.push(&path.ident);
                self.check_tree(&path.tree, words);
                words.pop();
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.check_tree(tree, words);
                }
            }
            syn::UseTree::Name(syn::UseName { ident, .. })
            | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
                words.push(ident);
                self.check(words);
                words.pop();
            }
            syn::UseTree::Glob(_) => self.check(words),
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_test = |list: &syn::MetaList| list.tokens.to_string() == "test";
        attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(is_test)
    })
}

impl<'ast> Visit<'ast> for Imports<'_, '_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            self.home.push(item.ident.to_string());
            syn::visit::visit_item_mod(self, item);
            self.home.pop();
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.check_tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<_> = path.segments.iter().map(|segment| &segment.ident).collect();
        self.check(&words);
        syn::visit::visit_path(self, path);
    }

    /// `pub(crate)` and `pub(in …)` import nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::tests::problems;
    use super::rows::{CRATES, KNOTS, Row};

    fn assert_one(path: &str, code: &str, expected: &str) {
        let found = problems(path, code);
        assert_eq!(found.len(), 1, "{code:?}: {found:?}");
        assert_eq!(found[0], format!("{path}:2: {expected}"));
    }

    #[test]
    fn blocks_and_inlines_do_not_know_each_other() {
        let block = "crates/barelink/src/block/html.rs";
        let message = "`block` imports `inline::mark::Mark`, which is not below it";
        assert_one(block, "use crate::inline::mark::Mark;", message);
        assert_one(block, "use crate::{inline::mark::Mark, options::Options};", message);
        assert_one(block, "use super::super::inline::mark::Mark;", message);
        assert_one(block, "fn f(mark: crate::inline::mark::Mark) {}", message);
        assert_one(block, "use crate::inline::mark::Mark as M;", message);
        assert_one(
            "crates/barelink/src/inline/mod.rs",
            "use crate::block::*;",
            "`inline` imports `block`, which is not below it",
        );
        assert_one(
            "crates/barelink/src/inline/mod.rs",
            "mod a { use super::super::html; }",
            "`inline` imports `html`, which is not below it",
        );
    }

    #[test]
    fn what_the_phases_share_knows_neither() {
        let message = "`syntax` imports `tape::Tape`, which is not below it";
        assert_one("crates/barelink/src/syntax/text.rs", "use crate::tape::Tape;", message);
        let message = "`tape` imports `block::list::Marker`, which is not below it";
        assert_one("crates/barelink/src/tape/join.rs", "use crate::block::list::Marker;", message);
        let message = "`event` imports `block::alert`, which is not below it";
        assert_one("crates/barelink/src/event.rs", "use crate::block::alert;", message);
    }

    #[test]
    fn kernels_know_nothing_of_html() {
        let message = "`find` imports `escape::push_escaped`, which is not below it";
        assert_one("crates/text/src/find/copy.rs", "use crate::escape::push_escaped;", message);
        assert_one("crates/text/src/find.rs", "use super::escape::push_escaped;", message);
        let message = "`find` imports `entity::scan_entity`, which is not below it";
        assert_one("crates/text/src/find/copy.rs", "use crate::entity::scan_entity;", message);
    }

    #[test]
    fn dialects_stay_apart() {
        let message = "`md4c` imports `natural::Memory`, which is not below it";
        assert_one("crates/autolink/src/md4c.rs", "use crate::natural::Memory;", message);
    }

    #[test]
    fn nothing_comes_by_way_of_the_root() {
        let block = "crates/barelink/src/block/html.rs";
        let message = "`block` imports `Document`, which is not below it";
        assert_one(block, "use crate::Document;", message);
        assert_one(block, "use crate::*;", "`block` imports `crate`, which is not below it");
    }

    #[test]
    fn every_module_has_a_row_and_every_row_a_module() {
        for path in ["crates/barelink/src/new.rs", "crates/barelink/src/new/part.rs"] {
            let message = format!("{path}:1: `new` has no row in `layers/rows.rs`");
            assert_eq!(problems(path, "fn f() {}"), [message]);
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (folder, rows) in CRATES {
            for (idx, row) in rows.iter().enumerate() {
                let place = root.join(folder).join(row.module);
                assert!(place.with_extension("rs").is_file() || place.is_dir(), "{}", row.module);
                assert!(rows[..idx].iter().all(|it| it.module != row.module), "{}", row.module);
                for import in row.imports {
                    assert!(rows.iter().any(|it| it.module == *import), "{import} has no row");
                }
            }
        }
    }

    /// Whether `from` imports `to`, be it through others.
    fn reaches(rows: &[Row], from: &str, to: &str) -> bool {
        let (mut seen, mut left) = (Vec::new(), vec![from]);
        while let Some(module) = left.pop() {
            let row = rows.iter().find(|row| row.module == module);
            for import in row.map_or(&[][..], |row| row.imports) {
                if !seen.contains(import) {
                    seen.push(*import);
                    left.push(*import);
                }
            }
        }
        seen.contains(&to)
    }

    #[test]
    fn no_module_comes_back_to_itself_outside_of_the_knots() {
        for (folder, rows) in CRATES {
            let knots = KNOTS.iter().filter(|(of, _)| of == folder);
            let knots: Vec<_> = knots.map(|(_, modules)| *modules).collect();
            for row in *rows {
                let knot = knots.iter().find(|knot| knot.contains(&row.module));
                let is_tied = reaches(rows, row.module, row.module);
                assert_eq!(is_tied, knot.is_some(), "{}", row.module);
                for other in rows.iter().filter(|_| is_tied) {
                    let both = reaches(rows, row.module, other.module)
                        && reaches(rows, other.module, row.module);
                    let is_named = knot.is_some_and(|knot| knot.contains(&other.module));
                    assert_eq!(both, is_named, "{} and {}", row.module, other.module);
                }
            }
        }
    }

    #[test]
    fn what_is_below_and_what_is_at_home_is_fine() {
        for code in [
            "use crate::tape::join::Joined;",
            "use super::line::Line;\nuse self::a::B;\nuse super::super::options::Options;",
            "#[cfg(test)]\nmod tests { use crate::inline::Inlines; }",
            "#[cfg(test)]\nuse crate::inline::Inlines;",
            "fn f() -> super::Phase { std::mem::take(crate::block::f()) }",
        ] {
            assert_eq!(problems("crates/barelink/src/block/html.rs", code), [""; 0], "{code}");
        }
        // The top of the crate, and other crates.
        for path in ["crates/barelink/src/document.rs", "crates/barelink/src/lib.rs", "a.rs"] {
            assert_eq!(problems(path, "use crate::inline::Inlines;"), [""; 0], "{path}");
        }
    }
}

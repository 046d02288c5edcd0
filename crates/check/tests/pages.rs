//! The pages in `docs/rules` are those of the rules. With `BARELINK_WRITE` set, they are written.

use std::fmt::Write as _;
use std::fs;

use barelink_check::{Rule, Safety};
use barelink_spectest::workspace_root;

/// The list of all rules.
fn index() -> String {
    let mut page = "# Rules\n\nWhat `barelink check` finds. `barelink rule NAME` shows these \
                    pages, too.\n\n| code | name | finds | fix | default |\n|---|---|---|---|---|\n"
        .to_owned();
    for rule in Rule::ALL {
        let about = rule.about();
        let (code, name, summary) = (about.code, about.name, about.summary);
        let fix = about.fix.map_or("none", Safety::name);
        let on = if about.on { "on" } else { "off" };
        let _ = writeln!(page, "| {code} | [{name}]({name}.md) | {summary} | {fix} | {on} |");
    }
    page
}

#[test]
fn pages_are_current() {
    let folder = workspace_root().join("docs/rules");
    let pages = Rule::ALL.iter().map(|rule| (format!("{}.md", rule.name()), rule.page()));
    for (name, page) in pages.chain([("README.md".to_owned(), index())]) {
        let path = folder.join(&name);
        if std::env::var_os("BARELINK_WRITE").is_some() {
            fs::write(&path, &page).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == page, "docs/rules/{name} is stale: run this test with BARELINK_WRITE=1");
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), Rule::ALL.len() + 1);
}

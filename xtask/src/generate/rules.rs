//! The pages of `docs/rules`: one for each rule of `barelink check`, and the list of all.

use std::fmt::Write as _;

use barelink_check::{Rule, Safety};

use super::Table;

/// Where the pages live.
const DIRECTORY: &str = "docs/rules";

/// All pages, as they should be.
pub(super) fn pages() -> Vec<Table> {
    let page = |file_name: String, text| Table { directory: DIRECTORY, file_name, text };
    let rules = Rule::ALL.iter().map(|rule| page(format!("{}.md", rule.name()), rule.page()));
    rules.chain([page("README.md".to_owned(), index())]).collect()
}

/// The list of all rules.
fn index() -> String {
    let mut page = "# Rules\n\nWhat `barelink check` finds. `barelink rule NAME` shows these \
                    pages, too.\n\n| code | name | finds | fix | default |\n|---|---|---|---|---|\n"
        .to_owned();
    for rule in Rule::ALL {
        let about = rule.about();
        let (code, name, summary) = (about.code, about.name, about.summary);
        let fix = about.fix.map_or("none", Safety::name);
        let on = match rule {
            Rule::AngleInMdx => "in `.mdx`",
            _ if about.on => "on",
            _ => "off",
        };
        let _ = writeln!(page, "| {code} | [{name}]({name}.md) | {summary} | {fix} | {on} |");
    }
    page
}

//! The job `rule`: describes the rules of `check`.

use std::fmt::Write as _;
use std::io::Write as _;

use barelink_check::Rule;

use crate::output::Target;
use crate::report::Report;

/// Prints a rule's page, or a list of all.
pub(crate) fn run(rule: Option<Rule>, report: &Report) {
    let text = rule.map_or_else(list, Rule::page);
    let written = Target::Stdout.open().and_then(|mut sink| {
        sink.write_all(text.as_bytes())?;
        sink.finish()
    });
    if let Err(error) = written {
        report.write_error(Target::Stdout, &error);
    }
}

fn list() -> String {
    let width = Rule::ALL.iter().map(|rule| rule.name().len()).max().unwrap_or_default();
    let mut text = String::new();
    for rule in Rule::ALL {
        let about = rule.about();
        let on = match rule {
            Rule::AngleInMdx => "in .mdx",
            _ if about.on => "on",
            _ => "off",
        };
        let fix = about.fix.map_or("-", barelink_check::Safety::name);
        let (code, name, summary) = (about.code, about.name, about.summary);
        let _ = writeln!(text, "{code}  {name:width$}  {on:7}  {fix:6}  {summary}");
    }
    text
}

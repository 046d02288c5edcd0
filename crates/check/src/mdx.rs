//! The rule angle-in-mdx, and the parts of an MDX file that are not Markdown.

use barelink::{Form, Link, Span};

use crate::finding::{Edit, Finding, Fix, Fixable, Safety, add};
use crate::rule::Rule;
use crate::settings::{Flavor, Style};
use crate::write::{Way, Written, way};

/// Adds a finding for a link in angle brackets.
pub(crate) fn check(link: &Link<'_>, findings: &mut Vec<Finding>) {
    if link.form != Form::Angle {
        return;
    }
    let fix = inline(link).map(|Way { text, .. }| Fix {
        safety: Safety::Safe,
        title: "write an inline link",
        edits: vec![Edit::new(link.span, text)],
        has_otherwise: false,
        links: Vec::new(),
    });
    let message = "MDX reads `<` as the start of a tag, and this is no link";
    add(Finding::new(Rule::AngleInMdx, link.span, message).with_fix(fix), findings);
}

/// Adds all of them, without messages.
pub(crate) fn check_fixable<'s>(links: impl Iterator<Item = Link<'s>>, found: &mut Vec<Fixable>) {
    let links = links.filter(|link| link.form == Form::Angle);
    let fixable = |link: Link<'_>| {
        let way = inline(&link);
        Fixable { rule: Rule::AngleInMdx, span: link.span, way }
    };
    found.extend(links.map(fixable));
}

/// The form of a link in MDX.
fn inline(link: &Link<'_>) -> Option<Way> {
    let written = Written { text: &link.text, destination: &link.destination };
    way(written, Style::Inline, Flavor::Mdx)
}

/// The statements of a file, imports and exports: each extends to the next blank line.
///
/// LINEAR: every line is read once.
pub(crate) fn statements(source: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open = None;
    let mut is_first = true;
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if is_blank {
            found.extend(open.take().map(|from| Span::new(from, start)));
        } else if is_first && ["import ", "export "].iter().any(|word| line.starts_with(word)) {
            open = Some(start);
        }
        is_first = is_blank;
        start += line.len() as u32;
    }
    found.extend(open.map(|from| Span::new(from, start)));
    found
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn statements_end_with_a_blank_line() {
        let source = "import a from 'b'\nexport c\n\ntext\nimport d\n\nexport e";
        let found: Vec<&str> = statements(source).iter().map(|span| span.slice(source)).collect();
        assert_eq!(found, ["import a from 'b'\nexport c\n", "export e"]);
    }
}

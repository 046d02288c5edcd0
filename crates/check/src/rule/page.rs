//! The page of a rule, in Markdown: what `barelink rule NAME` prints and `docs/rules` has.

use std::fmt::Write as _;

use super::Rule;
use crate::finding::Safety;

impl Rule {
    /// The description of the rule, as a Markdown document.
    ///
    /// ```
    /// let page = barelink_check::Rule::WrongEnd.page();
    /// assert!(page.starts_with("# BL001 wrong-end\n"));
    /// ```
    pub fn page(self) -> String {
        let about = self.about();
        let mut page = format!("# {} {}\n\n{}.\n\n", about.code, about.name, about.summary);
        let on = match self {
            Self::AngleInMdx => "on, for `.mdx` files",
            _ if about.on => "on",
            _ => "off",
        };
        let fix = match about.fix {
            Some(Safety::Safe) => "safe: `barelink fix`",
            Some(Safety::Unsafe) => "unsafe: `barelink fix --unsafe`",
            None => "none",
        };
        let _ = write!(page, "Default: {on}. Fix: {fix}.\n\n{}\n\n## Example\n\n", about.why);
        let _ = write!(page, "```markdown\n{}```\n", about.example);
        if let Some(fixed) = about.fixed {
            let _ = write!(page, "\nFixed:\n\n```markdown\n{fixed}```\n");
        }
        let (language, open, close) = match self {
            Self::AngleInMdx => ("mdx", "{/*", "*/}"),
            _ => ("html", "<!--", "-->"),
        };
        let _ = write!(
            page,
            "\n## To switch it off\n\nFor a line, in the document:\n\n\
             ```{language}\n{open} barelink-disable-next-line {0} {close}\n```\n\n\
             For a project, in `barelink.toml`:\n\n\
             ```toml\nignore = [\"{0}\"]\n```\n",
            about.code
        );
        page
    }
}

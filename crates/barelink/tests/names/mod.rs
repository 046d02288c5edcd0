//! What others' names for features mean here: cmark-gfm's extensions and
//! md2html's flags, as the suites give them with each example.

use barelink::{Autolinks, Dialect, Options};

/// Flags of md2html for what no preset of ours has. An example that names one
/// runs without it: either it does not matter there, or the example is listed
/// as a known difference.
const NOT_OURS: &[&str] =
    &["--fcollapse-whitespace", "--fspoilers", "--fsuperscripts", "--fwiki-links"];

/// Switches on the extension that cmark-gfm, or `barelink -e`, knows by this name.
pub(crate) fn add_extension(options: &mut Options, name: &str) -> Result<(), String> {
    match name {
        "table" => options.tables = true,
        "strikethrough" => options.strikethrough = true,
        "autolink" => options.autolinks = Autolinks::new(Dialect::Gfm),
        "tagfilter" => options.tag_filter = true,
        "tasklist" => options.task_lists = true,
        "footnotes" => options.footnotes = true,
        "alerts" => options.alerts = true,
        "no-single-tilde" => options.single_tilde = false,
        "math" => options.math = true,
        "no-math" => options.math = false,
        "wiki-links" => options.wiki_links = true,
        "mark" => options.mark = true,
        "superscript" => options.superscript = true,
        "subscript" => options.subscript = true,
        "heading-attributes" => options.heading_attributes = true,
        "smart-punctuation" => options.smart_punctuation = true,
        "emoji" => options.emoji = true,
        "definition-lists" => options.definition_lists = true,
        _ => return Err(format!("unknown extension `{name}`")),
    }
    Ok(())
}

/// Switches on what md2html's flag of this name does. Bare links of other
/// kinds and in other dialects are switched off by the first flag for one.
pub(crate) fn add_flag(options: &mut Options, flag: &str) -> Result<(), String> {
    let links = &mut options.autolinks;
    if flag.starts_with("--fpermissive-") && links.dialect != Some(Dialect::Md4c) {
        *links = Autolinks::new(Dialect::Md4c);
        (links.url, links.www, links.email) = (false, false, false);
    }
    match flag {
        "--ftables" => options.tables = true,
        "--fstrikethrough" => options.strikethrough = true,
        "--ftasklists" => options.task_lists = true,
        "--ffootnotes" => options.footnotes = true,
        "--fadmonitions" => options.alerts = true,
        "--fpermissive-url-autolinks" => links.url = true,
        "--fpermissive-www-autolinks" => links.www = true,
        "--fpermissive-email-autolinks" => links.email = true,
        "--fpermissive-autolinks" => (links.url, links.www, links.email) = (true, true, true),
        _ if NOT_OURS.contains(&flag) => {}
        _ => return Err(format!("unknown flag `{flag}`")),
    }
    Ok(())
}

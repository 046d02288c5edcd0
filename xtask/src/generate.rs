//! `cargo xtask generate`: writes the tables in the crates' `generated/` folders, the pages of
//! rules and the picture in the README, or checks that they are current.
//!
//! Each table is taken from the crate that owns its data, so that nothing is
//! typed in by hand and nothing is fetched: `unicode` reads general
//! categories, widths and case foldings, `entity` the names of HTML, `top_level` the
//! top-level domains, `emoji` the names of emoji. The outcome
//! depends on those crates' versions alone, which `Cargo.lock` fixes. Only
//! `link` reads files, which are not part of the repository: where they are not
//! to be had, their table is left as it is.

mod emoji;
mod entity;
mod link;
mod picture;
mod rules;
mod top_level;
mod unicode;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// Where most tables live, seen from the workspace's root.
const TEXT: &str = "crates/text/src/generated";

/// Where the table of link detection lives.
const AUTOLINK: &str = "crates/autolink/src/generated";

/// Where the names of emoji live.
const INLINE: &str = "crates/barelink/src/inline";

/// The table that is made from files.
const LINK_TERM: &str = "link_term.rs";

/// Where the picture lives.
const DOCS: &str = "docs";

/// The maximum length of a line of a table.
const MAX_WIDTH: usize = 100;

/// The indentation of the lines of a table.
const INDENT: &str = "    ";

/// Write the tables of Unicode and of HTML's character references, the pages of rules, and the
/// README's picture
///
/// The tables are Rust sources in the crates' `generated` folders. They are
/// checked in, so this is only needed after updating a crate they come from
/// or changing their layout. The pages in `docs/rules` say what
/// `barelink rule` says. The picture shows what `barelink explain` prints.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write nothing; fail if a file differs from what would be written
    #[arg(long)]
    check: bool,
}

/// One generated file.
struct Table {
    directory: &'static str,
    file_name: String,
    text: String,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut tables = tables()?;
    if !tables.iter().any(|table| table.file_name == LINK_TERM) {
        writeln!(io::stdout(), "{AUTOLINK}: skipped, as the data of UTS #58 is not here")?;
    }
    let root = root();
    // Not one of `tables`, since it requires a build of the command.
    let text = picture::svg(&root)?;
    tables.push(Table { directory: DOCS, file_name: "explain.svg".into(), text });
    tables.extend(rules::pages());
    if args.check { check(&tables, &root) } else { write(&tables, &root) }
}

/// All tables, as they should be.
fn tables() -> anyhow::Result<Vec<Table>> {
    let table = |directory, file_name: &str, text| Table {
        directory,
        file_name: file_name.to_owned(),
        text,
    };
    let of_text = |file_name, text| table(TEXT, file_name, text);
    let mut tables = vec![
        of_text("entity.rs", entity::table()?),
        of_text("fold.rs", unicode::fold_table()?),
        of_text("punctuation.rs", unicode::punctuation_table()?),
        of_text("cjk.rs", unicode::cjk_table()),
        table(AUTOLINK, "top_level.rs", top_level::table()?),
        table(INLINE, "emoji.txt", emoji::table()?),
    ];
    if let Some(folder) = link::data()? {
        tables.push(table(AUTOLINK, LINK_TERM, link::table(&folder)?));
    }
    Ok(tables)
}

/// The root of this checkout.
fn root() -> PathBuf {
    // The manifest is `xtask/Cargo.toml`, one level below the root.
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Writes the tables that differ from their files, and prints their names.
fn write(tables: &[Table], root: &Path) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    for table in tables {
        let state = if is_current(table, root)? {
            "unchanged"
        } else {
            let path = root.join(table.directory).join(&table.file_name);
            fs::write(&path, &table.text)
                .with_context(|| format!("cannot write {}", path.display()))?;
            "written"
        };
        writeln!(stdout, "{}/{}: {state}", table.directory, table.file_name)?;
    }
    Ok(())
}

/// Fails, naming them, if any tables differ from their files.
fn check(tables: &[Table], root: &Path) -> anyhow::Result<()> {
    let mut stale = Vec::new();
    for table in tables {
        if !is_current(table, root)? {
            stale.push(format!("  {}/{}", table.directory, table.file_name));
        }
    }
    if !stale.is_empty() {
        bail!(
            "not what the generator writes:\n{}\nrun `cargo xtask generate` to update",
            stale.join("\n")
        );
    }
    Ok(())
}

/// Whether a table's file is current.
fn is_current(table: &Table, root: &Path) -> anyhow::Result<bool> {
    let path = root.join(table.directory).join(&table.file_name);
    match fs::read_to_string(&path) {
        // A checkout on Windows may have other line endings.
        Ok(text) => Ok(text.replace("\r\n", "\n") == table.text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// The head of every generated file.
fn header(what: &str, source: &str) -> String {
    format!(
        "//! {what}\n//!\n//! Generated by `cargo xtask generate` from {source}.\n//! Do not edit.\n"
    )
}

/// A `static` array, documented, with as many items on a line as fit.
fn static_array(doc: &str, name: &str, item_type: &str, items: &[String]) -> String {
    format!(
        "\n/// {doc}\n#[rustfmt::skip]\npub(crate) static {name}: [{item_type}; {}] = [\n{}];\n",
        items.len(),
        wrap(items),
    )
}

/// A `static` list of words as `barelink_text::words` reads it: sorted entries with a space
/// between, escaped for a string literal. Each line ends with a backslash: Rust then leaves out
/// the break and the spaces after it.
fn words(doc: &str, name: &str, entries: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    let mut width = 0;
    for entry in entries {
        if width > 0 {
            // Spaces at the start of a line would be left out.
            text.push(' ');
        }
        if width + entry.len() >= MAX_WIDTH - 2 {
            text.push_str("\\\n");
            width = 0;
        }
        text.push_str(&entry);
        width += entry.len() + 1;
    }
    format!("\n/// {doc}\n#[rustfmt::skip]\npub(crate) static {name}: &str = \"\\\n{text}\";\n")
}

/// Items, each followed by a comma, filled into indented lines.
fn wrap(items: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for item in items {
        let item_width = " ".len() + item.len() + ",".len();
        if width > 0 && width + item_width <= MAX_WIDTH {
            text.push(' ');
            width += item_width;
        } else {
            if width > 0 {
                text.push('\n');
            }
            text.push_str(INDENT);
            width = INDENT.len() + item_width - " ".len();
        }
        text.push_str(item);
        text.push(',');
    }
    if width > 0 {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{MAX_WIDTH, check, root, rules, tables, wrap};

    #[test]
    fn checked_in_tables_are_current() {
        check(&tables().unwrap(), &root()).unwrap();
    }

    #[test]
    fn checked_in_pages_are_current_and_all() {
        let pages = rules::pages();
        check(&pages, &root()).unwrap();
        let found = std::fs::read_dir(root().join(pages[0].directory)).unwrap();
        assert_eq!(found.count(), pages.len(), "a page of no rule");
    }

    #[test]
    fn stale_tables_are_named() {
        let mut tables = tables().unwrap();
        tables[1].text.push(' ');
        let message = check(&tables, &root()).unwrap_err().to_string();
        assert!(message.contains("generated/fold.rs"), "{message}");
        assert!(!message.contains("generated/entity.rs"), "{message}");
    }

    #[test]
    fn missing_tables_are_stale() {
        let nowhere = root().join("nowhere");
        assert!(check(&tables().unwrap(), &nowhere).is_err());
    }

    #[test]
    fn lines_are_short_and_end_cleanly() {
        for table in tables().unwrap() {
            assert!(table.text.ends_with('\n'));
            for line in table.text.lines() {
                assert!(line.len() <= MAX_WIDTH, "{}: {line}", table.file_name);
                assert_eq!(line, line.trim_end(), "{}", table.file_name);
            }
        }
    }

    #[test]
    fn wrapping_fills_lines() {
        assert_eq!(wrap(&[]), "");
        assert_eq!(wrap(&["1".into(), "2".into()]), "    1, 2,\n");
        let text = wrap(&vec!["12345".to_owned(); 40]);
        assert!(text.lines().all(|line| line.len() <= MAX_WIDTH));
        assert_eq!(text.lines().count(), 4);
    }
}

//! The tour in ARCHITECTURE.md: every function that it names is in the file beside it.
//!
//! ```text
//! | `html/gate.rs` | `push` | … |          `fn push` in crates/barelink/src/html/gate.rs
//! | `autolink/src/gfm.rs` | `match_www` | … |      the same in crates/autolink/src/gfm.rs
//! ```

use std::path::Path;

use super::holds_word;

/// Where the tour is, and where it starts.
const PAGE: &str = "ARCHITECTURE.md";
const HEADING: &str = "## Follow one paragraph";

/// The minimum number of rows of the tour: with fewer, it was not found.
const MIN_ROWS: usize = 10;

/// Reports errors in the tour of the repository at `root`.
pub(super) fn check(root: &Path, problems: &mut Vec<String>) {
    let page = match std::fs::read_to_string(root.join(PAGE)) {
        Ok(page) => page,
        Err(error) => return problems.push(format!("{PAGE}: {error}")),
    };
    check_page(&page, |path| std::fs::read_to_string(root.join(path)).ok(), problems);
}

/// Reports errors in the tour; `read` reads a file of the repository.
fn check_page(page: &str, read: impl Fn(&str) -> Option<String>, problems: &mut Vec<String>) {
    let lines = page.lines().enumerate().skip_while(|(_, line)| *line != HEADING);
    let tour = lines.skip(1).take_while(|(_, line)| !line.starts_with("## "));
    let mut n_rows = 0;
    for (line_idx, line) in tour {
        let Some(row) = line.strip_prefix("| `") else { continue };
        let Some((file, row)) = row.split_once('`') else { continue };
        let functions = row.split('|').nth(1).unwrap_or_default();
        n_rows += 1;
        let path = match file.split_once("/src/") {
            Some((name, rest)) => format!("crates/{name}/src/{rest}"),
            None => format!("crates/barelink/src/{file}"),
        };
        let Some(code) = read(&path) else {
            problems.push(format!("{PAGE}:{}: there is no {path}", line_idx + 1));
            continue;
        };
        let is_there =
            |name: &str| code.lines().any(|line| holds_word(line, "fn") && holds_word(line, name));
        for name in quoted(functions).filter(|name| !is_there(name)) {
            problems.push(format!("{PAGE}:{}: there is no `fn {name}` in {path}", line_idx + 1));
        }
    }
    if n_rows < MIN_ROWS {
        problems.push(format!("{PAGE}: `{HEADING}` has {n_rows} rows"));
    }
}

/// The texts between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::{HEADING, MIN_ROWS, check_page};

    fn problems(rows: &str) -> Vec<String> {
        let good = "| `a.rs` | `f` | it |\n".repeat(MIN_ROWS);
        let page = format!(
            "# Page\n| `b.rs` | `x` | not in the tour |\n{HEADING}\n{good}{rows}## Next\n| `c.rs` | `x` | nor this |\n"
        );
        let read = |path: &str| match path {
            "crates/barelink/src/a.rs" => Some(String::from("pub(crate) fn f<T>() {}")),
            "crates/autolink/src/b.rs" => Some(String::from("const fn g() {}\nlet h = 1;")),
            _ => None,
        };
        let mut problems = Vec::new();
        check_page(&page, read, &mut problems);
        problems
    }

    #[test]
    fn functions_are_where_they_are_said_to_be() {
        assert_eq!(problems("| `autolink/src/b.rs` | `g` | it |\n"), [""; 0]);
        let line = MIN_ROWS + 4;
        for (row, problem) in [
            ("| `a.rs` | `f`, `g` | it |", "there is no `fn g` in crates/barelink/src/a.rs"),
            (
                "| `autolink/src/b.rs` | `h` | it |",
                "there is no `fn h` in crates/autolink/src/b.rs",
            ),
            ("| `b.rs` | `g` | it |", "there is no crates/barelink/src/b.rs"),
        ] {
            let expected = format!("ARCHITECTURE.md:{line}: {problem}");
            assert_eq!(problems(&format!("{row}\n")), [expected]);
        }
    }

    #[test]
    fn a_tour_that_is_gone_is_missed() {
        let mut problems = Vec::new();
        check_page("# Page\n", |_| None, &mut problems);
        assert_eq!(problems, ["ARCHITECTURE.md: `## Follow one paragraph` has 0 rows"]);
    }
}

//! Every row of DIALECTS.md is a test: its input is parsed in all four dialects, and the
//! links are compared with the row's cells.
//!
//! The file is read by the engine itself. A table whose first heading is `input` shows
//! links between `⟦` and `⟧`, one with `written` shows destinations; a cell without code
//! says that there is no link. The last cell is the name of the test:
//!
//! ```text
//! cargo test -p barelink --test dialects -- --exact before/1
//! ```

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use barelink::{Autolinks, Dialect, EventKind, Options, Parser, Tag, TagEnd};
use libtest_mimic::{Arguments, Failed, Trial};

/// Fewer rows than this are a mistake in how the tables are read.
const ROWS_MIN: usize = 120;

/// What the cells of a row show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// The input with its links marked.
    Links,
    /// Where the links lead.
    Destinations,
}

/// A row of a table.
#[derive(Debug)]
struct Row {
    shows: Shows,
    input: String,
    /// In the order of [`Dialect::ALL`]; a cell may have several destinations.
    cells: Vec<Vec<String>>,
    name: String,
}

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DIALECTS.md");
    let text = std::fs::read_to_string(path).expect("DIALECTS.md at the root of the workspace");
    let rows = rows(&text);
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let mut trials = vec![Trial::test("the_tables_are_read", move || check_names(&names))];
    for row in rows {
        trials.push(Trial::test(row.name.clone(), move || check(&row)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn check_names(names: &[String]) -> Result<(), Failed> {
    if names.len() < ROWS_MIN {
        return Err(format!("{} rows; {ROWS_MIN} are the least", names.len()).into());
    }
    let mut seen = HashSet::new();
    match names.iter().find(|name| name.is_empty() || !seen.insert(name.as_str())) {
        Some(name) => Err(format!("the name `{name}` is there twice, or is none").into()),
        None => Ok(()),
    }
}

/// The rows of all tables that are about inputs.
fn rows(text: &str) -> Vec<Row> {
    let mut parser = Parser::new(Options::gfm());
    let document = parser.parse(text).expect("a short file");
    let mut rows = Vec::new();
    let mut shows = None;
    let mut is_header = false;
    // Each cell has its plain text and its pieces of code.
    let mut cells: Vec<(String, Vec<String>)> = Vec::new();
    for event in document.events() {
        match event.kind {
            EventKind::Start(Tag::Row { header }) => {
                is_header = header;
                cells.clear();
            }
            EventKind::Start(Tag::Cell) => cells.push(<(String, Vec<String>)>::default()),
            EventKind::Text(text) => {
                if let Some((plain, _)) = cells.last_mut() {
                    plain.push_str(&text);
                }
            }
            EventKind::Code(code) => {
                if let Some((_, codes)) = cells.last_mut() {
                    codes.push(visible(&code));
                }
            }
            EventKind::End(TagEnd::Row) if is_header => shows = shown_by(&cells),
            EventKind::End(TagEnd::Row) => rows.extend(shows.map(|shows| row(shows, &cells))),
            EventKind::End(TagEnd::Table) => shows = None,
            _ => {}
        }
    }
    rows
}

/// What a table with these headings shows, if it is about inputs.
fn shown_by(headings: &[(String, Vec<String>)]) -> Option<Shows> {
    let shows = match headings.first()?.0.as_str() {
        "input" => Shows::Links,
        "written" => Shows::Destinations,
        _ => return None,
    };
    let named: Vec<&str> =
        headings[1..5].iter().flat_map(|(_, codes)| codes).map(|s| &**s).collect();
    let dialects: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    assert_eq!(named, dialects, "the columns of a table");
    Some(shows)
}

fn row(shows: Shows, cells: &[(String, Vec<String>)]) -> Row {
    let [(_, input), answers @ .., (_, name)] = cells else { panic!("a row without cells") };
    assert_eq!(answers.len(), Dialect::ALL.len(), "{cells:?}");
    for (plain, codes) in answers {
        assert!(codes.is_empty() == (plain == "–"), "a cell has links, or a dash: {cells:?}");
    }
    Row {
        shows,
        input: input.concat(),
        cells: answers.iter().map(|(_, codes)| codes.clone()).collect(),
        name: name.concat(),
    }
}

/// Puts characters in the place of their numbers: `‹00A0›` is a no-break space.
fn visible(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('‹') {
        let (number, after) = after.split_once('›').expect("a number between ‹ and ›");
        let number = u32::from_str_radix(number, 16).expect("a hexadecimal number");
        out.push_str(before);
        out.push(char::from_u32(number).expect("the number of a character"));
        rest = after;
    }
    out + rest
}

/// Compares what the engine gives with the cells of a row.
fn check(row: &Row) -> Result<(), Failed> {
    let mut wrong = String::new();
    for (dialect, expected) in Dialect::ALL.iter().copied().zip(&row.cells) {
        let (marked, destinations) = parse(&row.input, dialect);
        let found = match row.shows {
            Shows::Links if destinations.is_empty() => Vec::new(),
            Shows::Links => vec![marked],
            Shows::Destinations => destinations,
        };
        if found != *expected {
            let name = dialect.name();
            let _ = write!(wrong, "\n{name:>8}: {found:?}\n   table: {expected:?}");
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{:?}{wrong}", row.input).into()) }
}

/// The input with its bare links marked, and where they lead.
fn parse(input: &str, dialect: Dialect) -> (String, Vec<String>) {
    let mut options = Options::gfm();
    options.autolinks = Autolinks::new(dialect);
    let mut parser = Parser::new(options);
    let document = parser.parse(input).expect("a short input");
    let mut marked = String::new();
    let mut destinations = Vec::new();
    let mut at = 0;
    for link in document.links().filter(|link| link.form.is_bare()) {
        let (start, end) = (link.span.start as usize, link.span.end as usize);
        let _ = write!(marked, "{}⟦{}⟧", &input[at..start], &input[start..end]);
        at = end;
        destinations.push(link.destination.into_owned());
    }
    (marked + &input[at..], destinations)
}

//! Reads a JSON string a line and writes its links, a JSON array a line:
//! `links_of_lines github < inputs.jsonl`. For comparisons with other programs.

use std::io::{self, BufRead, Write};

use barelink_autolink::{Dialect, links};

fn main() -> io::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let dialect = Dialect::ALL.iter().copied().find(|dialect| dialect.name() == name);
    let dialect = dialect.ok_or_else(|| io::Error::other("which dialect?"))?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let found: Vec<_> = links(&text, dialect)
            .map(|link| [link.text.to_owned(), link.href().to_string()])
            .collect();
        serde_json::to_writer(&mut out, &found)?;
        writeln!(out)?;
    }
    out.flush()
}

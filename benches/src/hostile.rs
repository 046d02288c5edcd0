//! Texts that need much memory for their length: only constructs that an engine must keep until it
//! knows more, or that nest.

/// A name, and the text that is repeated.
pub type Family = (&'static str, &'static str);

/// The texts for peak memory, besides prose.
pub const FAMILIES: &[Family] = &[
    ("openers", "*a _b "),
    ("emphasis", "*a* "),
    ("brackets", "[a "),
    ("links", "[a](b) "),
    ("addresses", "a@b.cd "),
    ("lists", "- - - - - - - - - - - - - - - - - - - - a\n"),
    ("quotes", "> > > > > > > > > > > > > > > > > > > > a\n\n"),
    ("cells", "|a|b\n|-|-\n|c|d\n\n"),
];

/// Repeats the text to at least `len` bytes.
pub fn text(unit: &str, n_bytes: usize) -> String {
    unit.repeat(n_bytes.div_ceil(unit.len()))
}

#[cfg(test)]
mod tests {
    use super::{FAMILIES, text};
    use crate::engines::{BARELINK, Config, make};

    #[test]
    fn each_family_does_what_its_name_says() {
        let signs = [
            "<p>*a _b ",
            "<em>",
            "<p>[a ",
            "<a href=\"b\">",
            "mailto:",
            "<ul>\n<li>\n<ul>",
            "<blockquote>\n<blockquote>",
            "<td>c</td>\n<td>d</td>",
        ];
        let mut engine = make(BARELINK, Config::Gfm).expect("ours");
        for ((name, unit), sign) in FAMILIES.iter().zip(signs) {
            let html = String::from_utf8(engine.html(&text(unit, 1000)).to_vec());
            assert!(html.is_ok_and(|html| html.contains(sign)), "{name}");
        }
    }
}

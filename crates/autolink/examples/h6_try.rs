//! Scratch.
use std::io::BufRead as _;
fn main() {
    for line in std::io::stdin().lock().lines() {
        let text = line.unwrap();
        let (mut m, mut d) = (String::new(), 0);
        for l in barelink_autolink::links(&text, barelink_autolink::Dialect::Natural) {
            let r = l.span.range();
            m += &text[d..r.start]; m += "⟦"; m += l.text; m += "⟧"; d = r.end;
        }
        m += &text[d..];
        println!("{m}");
    }
}

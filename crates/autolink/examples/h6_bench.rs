//! Scratch.
use barelink_autolink::{links, Dialect};
use std::time::Instant;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        for d in Dialect::ALL {
            let mut best = f64::MAX; let mut n = 0;
            for _ in 0..15 {
                let t = Instant::now();
                n = links(&text, d).map(|l| l.text.len()).count();
                best = best.min(t.elapsed().as_secs_f64());
            }
            println!("{path} {} {n} links {:.0} MB/s", d.name(), text.len() as f64 / best / 1e6);
        }
    }
}

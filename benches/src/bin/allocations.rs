//! The number of allocations of each engine for a message, after warm-up.
//!
//! `allocations FILE.jsonl` prints configuration, engine and the mean for each
//! message. What C asks for cannot be seen from here.

use barelink_bench::documents::parse_messages;
use barelink_bench::engines::{Config, PEERS, entrants};
use barelink_bench::foreign::allocator::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> anyhow::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else { anyhow::bail!("allocations FILE.jsonl") };
    let messages = parse_messages(&std::fs::read_to_string(path)?)?;
    for config in Config::ALL {
        for mut entrant in entrants(config, &[])? {
            for message in &messages {
                entrant.engine.html(message);
            }
            let before = Counting::n_allocations();
            for message in &messages {
                entrant.engine.html(message);
            }
            let n_allocations = (Counting::n_allocations() - before) as f64;
            let is_foreign =
                PEERS.iter().any(|peer| peer.name == entrant.name && peer.version.is_some());
            let mean = if is_foreign {
                "not counted".to_owned()
            } else {
                format!("{:.2}", n_allocations / messages.len() as f64)
            };
            println!("{}\t{}\t{mean}", config.name(), entrant.label());
        }
    }
    Ok(())
}

//! Every output of every family by every preset.
//!
//! All of them would take half an hour. So a run counts a share, always the same one, so that
//! nobody is stopped by what another run has let pass; `BARELINK_SEED` chooses another.
//! `BARELINK_LINEAR=all` counts everything, and `BARELINK_LINEAR=NAME` all of one output.

use barelink::Options;
use barelink_spectest::random;

use super::families::{
    BLOCKS, BRACKETS, CODE_AND_HTML, EMPHASIS, EXTENDED, FOOTNOTES, LINKS, LISTS, NEAR, OUTPUTS,
    REFERENCES, STYLES, TABLES,
};
use super::{Family, LEN, Step, check, counting, made, of_shapes};

/// Of so many steps one is counted in a run.
const SHARE: u64 = 128;

/// So many are counted in one go.
const N_AT_ONCE: usize = 500;

/// Asks for all of them, or for those of an output.
const VARIABLE: &str = "BARELINK_LINEAR";

/// Every family.
pub(super) fn families() -> Vec<Family> {
    let mut families = of_shapes(&[
        EMPHASIS,
        STYLES,
        EXTENDED,
        BRACKETS,
        NEAR,
        CODE_AND_HTML,
        BLOCKS,
        REFERENCES,
        TABLES,
        FOOTNOTES,
        LISTS,
        LINKS,
        OUTPUTS,
    ]);
    families.extend(made());
    families
}

#[test]
fn every_output_is_linear() {
    let seed = random::seed_or(1).expect("no seed, or a good one");
    let asked = std::env::var(VARIABLE).unwrap_or_default();
    let families = families();
    let outputs = match counting::outputs() {
        Ok(outputs) => outputs,
        Err(problem) => panic!("{problem}"),
    };
    let mut steps: Vec<Step<'_>> = Vec::new();
    for output in outputs {
        for family in &families {
            steps.extend(Options::PRESETS.iter().map(|preset| (family, output, *preset)));
        }
    }
    match asked.as_str() {
        "all" => {}
        "" => {
            eprintln!("{}", random::repeat_hint(seed));
            let mut numbers = seed % SHARE..;
            steps.retain(|_| numbers.next().is_some_and(|number| number % SHARE == 0));
        }
        output => steps.retain(|(_, it, _)| *it == output),
    }
    assert!(!steps.is_empty(), "{VARIABLE}={asked} asks for nothing");
    for steps in steps.chunks(N_AT_ONCE) {
        check("outputs", steps, LEN);
    }
}

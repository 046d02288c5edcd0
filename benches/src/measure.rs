//! Time, measured in turns: in each round every runner runs once, beginning
//! with another one, so that whatever else the machine does meets all of them.
//! Time is the processor's for this thread, where the system tells it.

use std::hint::black_box;
use std::time::Duration;

use crate::foreign::clock;

/// The minimum duration of a single timing; shorter runs are repeated.
const MIN_TIMING: Duration = Duration::from_millis(3);

/// The number of rounds that even the slowest takes part in.
const MIN_ROUNDS: usize = 3;

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The number of timed rounds, after an untimed one.
    pub n_rounds: usize,
    /// The time limit of a runner in one comparison; it skips later rounds.
    pub budget: Duration,
}

/// Something to time, which returns a number that depends on all its work.
pub struct Runner<'a> {
    /// Its name.
    pub label: String,
    /// The function that is timed.
    pub run: Box<dyn FnMut() -> usize + 'a>,
}

/// The times of a runner, one for each round it took part in.
#[derive(Debug, Clone)]
pub struct Times {
    /// The runner's name.
    pub label: String,
    /// Seconds, by round.
    pub seconds: Vec<f64>,
    /// The number that the runner returned.
    pub result: usize,
}

/// Times all runners in turns.
pub fn interleave(mut runners: Vec<Runner<'_>>, plan: Plan) -> Vec<Times> {
    let mut n_repeats = Vec::new();
    let mut times = Vec::new();
    for runner in &mut runners {
        let start = clock::now();
        let result = (runner.run)();
        let taken = clock::since(start).max(Duration::from_nanos(1));
        let n = (MIN_TIMING.as_nanos() / taken.as_nanos() + 1).min(1000) as usize;
        n_repeats.push(n);
        times.push(Times { label: runner.label.clone(), seconds: Vec::new(), result });
    }
    let mut spent = vec![Duration::ZERO; runners.len()];
    for round in 0..plan.n_rounds {
        for turn in 0..runners.len() {
            let idx = (round + turn) % runners.len();
            if spent[idx] > plan.budget && round >= MIN_ROUNDS {
                continue;
            }
            let start = clock::now();
            for _ in 0..n_repeats[idx] {
                black_box((runners[idx].run)());
            }
            let taken = clock::since(start);
            spent[idx] += taken;
            times[idx].seconds.push(taken.as_secs_f64() / n_repeats[idx] as f64);
        }
    }
    times
}

impl Times {
    /// The shortest time: that without disturbance.
    pub fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The median.
    pub fn median(&self) -> f64 {
        median(&self.seconds)
    }

    /// The interquartile range of the rounds, in percent of the median.
    pub fn spread_percent(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        let quarter = sorted.len() / 4;
        let (low, high) = (sorted[quarter], sorted[sorted.len() - 1 - quarter]);
        (high - low) / self.median() * 100.0
    }

    /// How many times faster this is than another: the median of what each
    /// round says, so that a slow moment of the machine cancels out.
    pub fn paired_ratio(&self, other: &Self) -> f64 {
        let rounds = self.seconds.iter().zip(&other.seconds);
        median(&rounds.map(|(mine, theirs)| theirs / mine).collect::<Vec<_>>())
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::{Plan, Runner, Times, interleave};
    use std::time::Duration;

    fn times(seconds: &[f64]) -> Times {
        Times { label: String::new(), seconds: seconds.to_vec(), result: 0 }
    }

    #[test]
    fn figures() {
        let it = times(&[3.0, 1.0, 2.0, 5.0, 4.0]);
        assert!((it.best() - 1.0).abs() < 1e-9);
        assert!((it.median() - 3.0).abs() < 1e-9);
        assert!((it.spread_percent() - 2.0 / 3.0 * 100.0).abs() < 1e-9);
        let twice = times(&[6.0, 2.0, 4.0, 10.0, 8.0]);
        assert!((it.paired_ratio(&twice) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn all_take_turns() {
        let runner = |label: &str, n| Runner { label: label.into(), run: Box::new(move || n) };
        let plan = Plan { n_rounds: 4, budget: Duration::MAX };
        let found = interleave(vec![runner("a", 1), runner("b", 2)], plan);
        assert!(found.iter().all(|times| times.seconds.len() == 4));
        assert_eq!(found.iter().map(|times| times.result).collect::<Vec<_>>(), [1, 2]);
    }
}

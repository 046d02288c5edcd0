//! The code that the benchmark's programs share: engines, documents, measuring and reporting.
//!
//! | program | what it does |
//! |---|---|
//! | `compare` | times every engine, and starts itself and `allocations` for the rest |
//! | `allocations` | counts how often each engine asks for memory |

pub mod chart;
pub mod children;
pub mod command;
pub mod documents;
pub mod engines;
pub mod extra;
pub mod floor;
pub mod foreign;
pub mod hostile;
pub mod measure;
pub mod record;
pub mod report;
pub mod targets;

//! Hierarchies: approximate, and patched when cells change.

mod hpa;
mod local;
mod pra;
#[cfg(test)]
mod storms;

pub use hpa::{Hpa, HpaBuild, HpaOptions, HpaOptionsError, HpaPart, Levels, Transitions};
pub use pra::{Pra, PraOptions, PraOptionsError, Refinement, StartLayer};

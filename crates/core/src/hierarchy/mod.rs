//! Hierarchies: approximate, and patched when cells change.

mod hpa;
mod local;
mod pra;
#[cfg(test)]
mod storms;

pub use hpa::{Hpa, HpaBuild, HpaOptions, HpaOptionsError, HpaPart, Levels, Transitions};
pub use pra::{Pra, PraOptions, PraOptionsError, Refinement, StartLayer};

pub(crate) use hpa::ENTRY as HPA;
pub(crate) use pra::ENTRY as PRA;

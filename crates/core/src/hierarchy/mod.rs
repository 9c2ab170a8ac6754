//! Hierarchies: approximate, and patched when cells change.

mod hpa;
mod pra;
mod query;
#[cfg(test)]
mod storms;

pub use hpa::{Hpa, HpaBuild, HpaOptions, HpaOptionsError, HpaPart, Levels, Transitions};
pub use pra::{Pra, PraOptions, PraOptionsError, Refinement, StartLayer};

pub(crate) use hpa::HpaScratch;
pub(crate) use pra::PraScratch;

//! Hierarchies: approximate, and patched when cells change.

mod hpa;
mod pra;

pub use hpa::{Hpa, HpaBuild, HpaOptions, HpaOptionsError, HpaPart, Levels, Transitions};
pub use pra::{Pra, PraOptions, PraOptionsError, Refinement, StartLayer};

pub(crate) use hpa::HpaScratch;
pub(crate) use pra::PraScratch;

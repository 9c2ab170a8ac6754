//! Hierarchies: approximate, and patched when cells change.

mod hpa;

pub use hpa::{Hpa, HpaBuild, HpaOptions, HpaOptionsError, HpaPart, Levels, Transitions};

pub(crate) use hpa::HpaScratch;

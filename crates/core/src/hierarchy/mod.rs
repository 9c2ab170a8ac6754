//! Hierarchies: approximate, and patched when cells change.

mod hpa;

pub use hpa::{Hpa, HpaOptions, HpaOptionsError, Transitions};

pub(crate) use hpa::HpaScratch;

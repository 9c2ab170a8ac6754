//! Hierarchies: approximate, and patched when cells change.

mod hpa;

pub use hpa::{ClusterRow, Hpa, HpaBuild, HpaOptions, HpaOptionsError, Transitions};

pub(crate) use hpa::HpaScratch;

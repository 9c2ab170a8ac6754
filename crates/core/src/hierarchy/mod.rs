//! Hierarchies: a coarse path first, then the way in detail.
//!
//! [`Hpa`] and [`Pra`] are planners for grids: they are patched when cells change. [`EntranceGraph`] and [`Regions`] are
//! planners for graphs: the first is patched when edges change, the second is built again.

mod hpa;
mod local;
mod pra;
mod regions;
#[cfg(test)]
mod storms;

pub use hpa::{Hpa, HpaBuild, HpaOptions, HpaOptionsError, HpaPart, Levels, Transitions};
pub use pra::{Pra, PraOptions, PraOptionsError, Refinement, StartLayer};
pub use regions::{
    ConnectionCost, EntranceGraph, RegionError, RegionOptions, RegionRefinement, Regions,
};

pub(crate) use hpa::ENTRY as HPA;
pub(crate) use pra::ENTRY as PRA;
pub(crate) use regions::{ENTRANCES, REGIONS};

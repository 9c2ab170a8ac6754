//! Searches on meshes.

mod any_angle;
mod cone;
mod entries;
mod funnel;
mod sketch;

pub use any_angle::AnyAngle;
pub use funnel::Funnel;

pub(crate) use entries::{ANY_ANGLE, FUNNEL};

#[cfg(test)]
mod tests;

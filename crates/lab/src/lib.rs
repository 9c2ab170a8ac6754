//! The laboratory: scenario files, map generators, measuring, verifying, pictures.

pub mod bench;
pub mod builtin;
pub mod generate;
pub mod picture;
pub mod quality;
pub mod scenario;
pub mod storm;
pub mod table;
pub mod verify;
pub mod workload;

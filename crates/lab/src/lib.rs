//! The laboratory: scenario files, map generators, measuring, verifying, pictures.

pub mod bench;
pub mod builtin;
pub mod case;
pub mod crowd;
pub mod generate;
pub mod gppc;
pub mod graphs;
pub mod paint;
pub mod picture;
pub mod posthoc;
pub mod puzzle;
pub mod quality;
pub mod replay;
pub mod scenario;
pub mod storm;
pub mod table;
pub mod thesis;
pub mod verify;
pub mod workload;

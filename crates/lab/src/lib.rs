//! The laboratory: scenario files, map generators, measuring, verifying, reports.

pub mod bench;
pub mod builtin;
pub mod case;
pub mod compare;
pub mod crowd;
pub mod files;
pub mod generate;
pub mod gppc;
pub mod graphs;
pub mod hunt;
pub mod measurable;
pub mod measure;
pub mod meshes;
pub mod puzzle;
pub mod quality;
pub mod report;
pub mod scenario;
pub mod storm;
pub mod survey;
pub mod table;
pub mod teams;
pub mod thesis;
pub mod thread_time;
pub mod verify;
pub mod workload;
pub mod worst;

//! The fuzzer: gives bytes to the target that `HIGHROAD_FUZZ_TARGET` names, and looks for bytes that reach new code.
//!
//! `fuzz/run` builds and calls it. All targets are one program, so that it is built once.
#![no_main]

use highroad_fuzz_targets::{TARGETS, Target, find};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TARGET: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var("HIGHROAD_FUZZ_TARGET").unwrap_or_default();
    find(&name).unwrap_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        panic!("HIGHROAD_FUZZ_TARGET is '{name}', but should be one of: {}", names.join(", "))
    })
});

fuzz_target!(|bytes: &[u8]| (TARGET.run)(bytes));

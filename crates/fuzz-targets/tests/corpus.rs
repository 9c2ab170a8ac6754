//! Runs every target on its seeds, on what fuzzing has kept, and on the seeds with single bytes changed.
//!
//! `HIGHROAD_SEEDS=FOLDER cargo test -p highroad-fuzz-targets --test corpus write` writes seeds and kept inputs to files,
//! for the fuzzer to begin with.

use highroad_fuzz_targets::{TARGETS, Target};
use std::fs;
use std::path::Path;

/// Runs a target; a panic says on which bytes.
fn run(target: &Target, bytes: &[u8]) {
    let run = std::panic::catch_unwind(|| (target.run)(bytes));
    assert!(run.is_ok(), "{} on {bytes:?}", target.name);
}

#[test]
fn what_fuzzing_has_kept_is_refused_or_does_what_is_promised() {
    for target in TARGETS {
        let inputs = target.kept();
        // Targets of features are not part of the usual build.
        let is_optional = ["batch_json", "setting"].contains(&target.name);
        assert!(is_optional || !inputs.is_empty(), "fuzz/corpus/{}.hex is missing", target.name);
        inputs.iter().for_each(|bytes| run(target, bytes));
    }
}

#[test]
fn seeds_with_single_bytes_changed_are_refused_or_do_what_is_promised() {
    /// Bytes that are changed for each target.
    const CHANGES_MAX: usize = 300;
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        let bytes: usize = seeds.iter().map(Vec::len).sum();
        let stride = bytes.div_ceil(CHANGES_MAX).max(1);
        for seed in &seeds {
            run(target, seed);
            for at in (0..seed.len()).step_by(stride) {
                let mut changed = seed.clone();
                changed[at] = changed[at].wrapping_add(1 + (at % 7) as u8);
                run(target, &changed);
                run(target, &seed[..at]);
            }
        }
    }
}

#[test]
fn write_inputs_if_asked_to() {
    let Some(folder) = std::env::var_os("HIGHROAD_SEEDS") else { return };
    for target in TARGETS {
        let folder = Path::new(&folder).join(target.name);
        fs::create_dir_all(&folder).unwrap();
        for (number, input) in (target.seeds)().iter().chain(&target.kept()).enumerate() {
            fs::write(folder.join(format!("input-{number}")), input).unwrap();
        }
    }
}

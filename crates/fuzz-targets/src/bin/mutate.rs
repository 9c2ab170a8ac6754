//! `mutate`: runs targets on kept inputs with random changes, without a fuzzer.
//!
//! It does not look which code an input reaches, and so runs far more of them than the fuzzer, which finds the inputs that
//! it begins with. It needs neither another toolchain nor another build: tests and this share one.
//!
//! ```sh
//! cargo run -p highroad-fuzz-targets --bin mutate -- SECONDS [TARGET…]
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use highroad_fuzz_targets::{TARGETS, Target};
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

/// SplitMix64, as `highroad_lab::generate::Random`.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }
}

/// Texts and numbers at which readers decide.
const WORDS: [&[u8]; 14] = [
    b"0",
    b"-1",
    b"1",
    b"16384",
    b"16385",
    b"4294967295",
    b"4294967296",
    b"18446744073709551616",
    b"nan",
    b"1e9",
    b"\0\0\0\0\0\0\0\0",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\x01\0\0\0\0\0\0\0",
    b"\0\0\0\x80",
];
const LENGTH_MAX: usize = 4096;

/// Changes bytes in one of several ways.
fn change(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let at = dice.below(bytes.len());
    match dice.below(8) {
        0 | 1 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
        2 if !bytes.is_empty() => bytes[at] = dice.next() as u8,
        3 => bytes.insert(at, dice.next() as u8),
        4 => {
            let end = (at + 1 + dice.below(8)).min(bytes.len());
            bytes.drain(at..end);
        }
        5 => {
            let word = WORDS[dice.below(WORDS.len())];
            let end = (at + dice.below(word.len() + 1)).min(bytes.len());
            bytes.splice(at..end, word.iter().copied());
        }
        6 => {
            // A part of the input once more, somewhere else.
            let end = (at + 1 + dice.below(32)).min(bytes.len());
            let part = bytes[at..end].to_vec();
            let to = dice.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        _ => {
            // The rest of another input.
            bytes.truncate(at);
            bytes.extend_from_slice(&other[dice.below(other.len())..]);
        }
    }
    bytes.truncate(LENGTH_MAX);
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The seeds of a target and what fuzzing has kept for it.
fn inputs(target: &Target) -> Vec<Vec<u8>> {
    let mut inputs = [(target.seeds)(), target.kept()].concat();
    let found = fs::read_dir(folder().join("found").join(target.name)).into_iter().flatten();
    inputs.extend(found.flatten().filter_map(|entry| fs::read(entry.path()).ok()));
    inputs
}

/// Runs a target for so long. Returns how many inputs it ran, and the one on which it panicked.
fn mutate(target: &Target, lasts: Duration, dice: &mut Dice) -> (u64, Option<Vec<u8>>) {
    let (inputs, begun) = (inputs(target), Instant::now());
    let mut executions = 0;
    while begun.elapsed() < lasts {
        for _ in 0..64 {
            let mut bytes = inputs[dice.below(inputs.len())].clone();
            let other = &inputs[dice.below(inputs.len())];
            for _ in 0..=dice.below(4) {
                change(&mut bytes, other, dice);
            }
            executions += 1;
            if catch_unwind(|| (target.run)(&bytes)).is_err() {
                return (executions, Some(bytes));
            }
        }
    }
    (executions, None)
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(seconds) = arguments.next().and_then(|text| text.parse().ok()) else {
        eprintln!("usage: mutate SECONDS [TARGET…]");
        return ExitCode::from(2);
    };
    let names: Vec<String> = arguments.collect();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seed = std::env::var("HIGHROAD_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or(now.as_nanos() as u64);
    println!("HIGHROAD_SEED={seed}");
    let mut dice = Dice(seed);
    let mut outcome = ExitCode::SUCCESS;
    let is_wanted =
        |target: &&Target| names.is_empty() || names.iter().any(|name| name == target.name);
    for target in TARGETS.iter().filter(is_wanted) {
        let (executions, found) = mutate(target, Duration::from_secs(seconds), &mut dice);
        println!("{} {executions} {}", target.name, if found.is_some() { "FOUND" } else { "ok" });
        if let Some(bytes) = found {
            outcome = ExitCode::FAILURE;
            let file = folder().join("artifacts").join(format!("{}-{executions}", target.name));
            let written = fs::create_dir_all(folder().join("artifacts"))
                .and_then(|()| fs::write(&file, &bytes));
            match written {
                Ok(()) => println!("the input is in {}", file.display()),
                Err(error) => println!("{}: {error}; the input is {bytes:?}", file.display()),
            }
        }
    }
    outcome
}

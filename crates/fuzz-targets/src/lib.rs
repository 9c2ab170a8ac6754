//! What fuzzing does with any bytes: every reader of Highroad, and small worlds that bytes are the program of.
//!
//! A [`Target`] takes any bytes. It may panic only if something is wrong; it takes little memory and time for few
//! bytes. The workspace `fuzz/` has the fuzzer, which looks for bytes that reach new code; `tests/corpus.rs` runs the
//! bytes that it found before, on the stable toolchain and without a fuzzer.

mod maps;
mod meshes;
mod saved;
mod texts;
mod worlds;

use std::path::Path;

/// One thing to do with any bytes.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is that of its folder of inputs.
    pub name: &'static str,
    /// What the bytes are.
    pub input: &'static str,
    /// What must hold.
    pub promise: &'static str,
    /// Runs it. Panics if something is wrong.
    pub run: fn(&[u8]),
    /// Bytes to begin with: each is accepted, so that a fuzzer need not find out the format.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

impl Target {
    /// The inputs that fuzzing has kept for it: `fuzz/corpus/NAME.hex` has one in each line, two hexadecimal digits a byte.
    /// Lines that are none are passed over.
    pub fn kept(&self) -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
        let text = std::fs::read_to_string(folder.join(self.name).with_extension("hex"));
        text.unwrap_or_default().lines().filter_map(bytes_of_hex).collect()
    }
}

fn bytes_of_hex(line: &str) -> Option<Vec<u8>> {
    let digit = |letter: u8| char::from(letter).to_digit(16);
    let (pairs, rest) = line.as_bytes().as_chunks::<2>();
    let byte = |&[high, low]: &[u8; 2]| Some((digit(high)? * 16 + digit(low)?) as u8);
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

/// Every target, quick ones first.
pub const TARGETS: &[Target] = &[
    texts::RECIPE,
    texts::SPEC,
    texts::BOARD,
    texts::INSTANCES,
    maps::MOVINGAI_MAP,
    maps::DRAWING,
    texts::SCENARIO,
    meshes::MESH,
    meshes::MESH_JSON,
    meshes::TILED_MESH,
    texts::EDGE_LIST,
    texts::DIMACS,
    texts::TEACHING_GRAPH,
    texts::SUITE_CASES,
    #[cfg(feature = "serde")]
    texts::BATCH_JSON,
    #[cfg(feature = "workbench")]
    texts::SETTING,
    maps::MAP_FILE,
    maps::TILED,
    texts::DYNAMIC_SCENARIO,
    texts::CASE,
    saved::GRAPH_INDEX,
    saved::GRID_INDEX,
    saved::WORLD,
    saved::GRAPH_WORLD,
    saved::MESH_WORLD,
    saved::SIMULATION,
    meshes::MESH_SEARCH,
    worlds::SEARCH,
    worlds::WORLD_PROGRAM,
];

/// The target of that name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Two texts, with a zero byte between them: a file and one that lies beside it.
fn two_texts(bytes: &[u8]) -> Option<(&str, &str)> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(text.split_once('\0').unwrap_or((text, "")))
}

/// Seeds that are texts.
fn texts(seeds: &[&str]) -> Vec<Vec<u8>> {
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

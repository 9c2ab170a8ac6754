//! What hierarchies do on a few cells at a time: floods of small blocks, ways between ends that lie close together,
//! smoothing where terrain differs. HPA* and PRA* both stand on it.

mod cell_box;
mod flood;
mod mend;
mod near;
mod packed;
mod spread;
mod tighten;

pub(super) use cell_box::CellBox;
pub(super) use flood::{Flood, NO_STEP, row_bits};
pub(super) use near::{LOOKING, Nearby, look_nearby};
pub(super) use packed::{UNREACHED, pack, unpack};
pub(super) use tighten::{TIGHTENED_MIN, TIGHTENED_PER_EXPANSION, Tightening};

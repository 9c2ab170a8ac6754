//! Random maps and edits, for the tests of hierarchies.

use crate::grid::{
    Batch, Cell, CellRect, Grid, GridMap, Movement, MovementRule, Profile, StepCosts, Terrain,
};
use proptest::prelude::*;

const TERRAINS: [Terrain; 5] =
    [Terrain::GROUND, Terrain::GROUND, Terrain::WALL, Terrain::SWAMP, Terrain::WATER];

/// The map that those kinds of cells make up.
pub(super) fn grid(
    rule: MovementRule,
    width: u32,
    height: u32,
    cells: &[u8],
    weighted: bool,
) -> Grid {
    let map = GridMap::from_fn(width, height, |cell| {
        TERRAINS[usize::from(cells[(cell.y * width + cell.x) as usize])]
    });
    let mut profile = Profile::movingai();
    if weighted {
        profile = profile.with_cost(Terrain::SWAMP, 3).unwrap();
    }
    let movement = Movement::new(profile, rule, StepCosts::EXACT).unwrap();
    Grid::new(map.unwrap(), movement)
}

/// A change of a cell: column, row, kind, and whether it is a surcharge.
pub(super) type RandomEdit = (u32, u32, u8, bool);

/// A random map, how to abstract it, and batches of edits to come.
#[derive(Clone, Debug)]
pub(super) struct Storm<O> {
    pub(super) grid: Grid,
    pub(super) options: O,
    pub(super) batches: Vec<Vec<RandomEdit>>,
}

pub(super) fn storms<O: Clone + std::fmt::Debug>(
    options: impl Strategy<Value = O>,
) -> impl Strategy<Value = Storm<O>> {
    let rules = proptest::sample::select(&MovementRule::ALL[..]);
    let shape = (rules, options, 1u32..40, 1u32..40, any::<bool>());
    shape.prop_flat_map(|(rule, options, width, height, weighted)| {
        let cells = proptest::collection::vec(0u8..5, (width * height) as usize);
        let edit = (0..width, 0..height, 0u8..5, proptest::bool::weighted(0.1));
        let batches = proptest::collection::vec(proptest::collection::vec(edit, 1..5), 0..12);
        (cells, batches).prop_map(move |(cells, batches)| Storm {
            grid: grid(rule, width, height, &cells, weighted),
            options: options.clone(),
            batches,
        })
    })
}

pub(super) fn batch(edits: &[RandomEdit]) -> Batch {
    let mut batch = Batch::new();
    for &(x, y, kind, surcharged) in edits {
        if surcharged {
            let cell = Cell::new(x, y);
            batch.surcharge(CellRect::new(cell, cell), u16::from(kind));
        } else {
            batch.set((x, y), TERRAINS[usize::from(kind)]);
        }
    }
    batch
}

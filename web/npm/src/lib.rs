//! The engine as an npm package: typed arrays in, typed arrays out.
//!
//! `package/index.d.ts` is what users see, and has the documentation; `package/index.js` puts a class around what is here.
//! Cells are numbered by rows: `y * width + x`. A cell costs 0 (it cannot be entered) or 1 to 16.

use highroad::catalog::{CATALOG, Spec};
use highroad::grid::{CellRect, MovementRule, Palette, Profile, StepCosts};
use highroad::{Cell, GridMap, Path, PathWorld, Terrain};
use wasm_bindgen::prelude::*;

/// The largest cost of a cell.
const COST_MAX: u8 = 16;

fn failed(error: impl ToString) -> JsError {
    JsError::new(&error.to_string())
}

/// The names of all planners for maps, one a line.
#[wasm_bindgen]
pub fn planner_names() -> String {
    let names = CATALOG.iter().filter(|entry| entry.grid.is_some()).map(|entry| entry.name);
    names.collect::<Vec<_>>().join("\n")
}

/// A map that changes, with a planner.
#[wasm_bindgen]
pub struct Engine {
    world: PathWorld,
    palette: Palette,
}

/// A path.
#[wasm_bindgen]
pub struct Found {
    cells: Vec<u32>,
    cost: f64,
}

#[wasm_bindgen]
impl Found {
    /// The number of every cell, from start to goal.
    pub fn cells(&self) -> Vec<u32> {
        self.cells.clone()
    }

    /// What the path costs: a straight step between cells that cost 1 costs 1.
    pub fn cost(&self) -> f64 {
        self.cost
    }
}

/// Many paths, one after the other in one array.
#[wasm_bindgen]
pub struct FoundMany {
    cells: Vec<u32>,
    ends: Vec<u32>,
    costs: Vec<f64>,
}

#[wasm_bindgen]
impl FoundMany {
    /// The cells of all paths.
    pub fn cells(&self) -> Vec<u32> {
        self.cells.clone()
    }

    /// Where each path ends in the array of cells.
    pub fn ends(&self) -> Vec<u32> {
        self.ends.clone()
    }

    /// What each path costs; -1 where there is none.
    pub fn costs(&self) -> Vec<f64> {
        self.costs.clone()
    }
}

#[wasm_bindgen]
impl Engine {
    /// A map of costs by rows, with a planner and a movement rule by their names.
    #[wasm_bindgen(constructor)]
    pub fn new(
        costs: &[u8],
        width: u32,
        height: u32,
        planner: &str,
        rule: &str,
        is_weighted: bool,
    ) -> Result<Self, JsError> {
        let cells = u64::from(width) * u64::from(height);
        if cells != costs.len() as u64 {
            return Err(failed(format!(
                "{} costs are given for {width} × {height} = {cells} cells",
                costs.len()
            )));
        }
        let palette = match is_weighted || costs.iter().any(|&cost| cost > 1) {
            true => Palette::Weighted,
            false => Palette::Standard,
        };
        for (number, &cost) in costs.iter().enumerate() {
            terrain_of(cost, palette).map_err(|e| failed(format!("cell {number}: {e}")))?;
        }
        let map = GridMap::from_fn(width, height, |cell| {
            let cost = costs[cell.y as usize * width as usize + cell.x as usize];
            terrain_of(cost, palette).unwrap_or(Terrain::WALL)
        })
        .map_err(failed)?;
        let rule = MovementRule::from_name(rule).ok_or_else(|| {
            let names = MovementRule::ALL.map(MovementRule::name).join(", ");
            failed(format!("'{rule}' is no movement rule; there are {names}"))
        })?;
        let movement = highroad::grid::Movement::new(
            Profile::for_palette(palette),
            rule,
            StepCosts::default(),
        )
        .map_err(failed)?;
        let spec: Spec = planner.parse().map_err(failed)?;
        let world = PathWorld::with_movement(map, movement);
        let world = world.with_planner(spec).build().map_err(failed)?;
        Ok(Self { world, palette })
    }

    /// A path between two cells, by their numbers; `undefined` if there is none.
    pub fn find(&mut self, start: u32, goal: u32) -> Result<Option<Found>, JsError> {
        let (start, goal) = (self.cell(start)?, self.cell(goal)?);
        let path = self.world.find_path(start, goal).map_err(failed)?;
        Ok(path.map(|path| Found { cells: self.numbers(&path), cost: self.cost(&path) }))
    }

    /// Paths between pairs of cells: start, goal, start, goal and so on.
    pub fn find_many(&mut self, pairs: &[u32]) -> Result<FoundMany, JsError> {
        if !pairs.len().is_multiple_of(2) {
            return Err(failed("the last start has no goal"));
        }
        let (mut cells, mut ends, mut costs) = (Vec::new(), Vec::new(), Vec::new());
        for pair in pairs.chunks_exact(2) {
            match self.find(pair[0], pair[1])? {
                Some(found) => {
                    cells.extend_from_slice(&found.cells);
                    costs.push(found.cost);
                }
                None => costs.push(-1.0),
            }
            ends.push(cells.len() as u32);
        }
        Ok(FoundMany { cells, ends, costs })
    }

    /// Gives cells other costs, in one edit: all of them, or none if one is wrong. The planner follows.
    pub fn set_cells(&mut self, cells: &[u32], costs: &[u8]) -> Result<(), JsError> {
        if cells.len() != costs.len() {
            return Err(failed(format!("{} cells, but {} costs", cells.len(), costs.len())));
        }
        let mut changes = Vec::with_capacity(cells.len());
        for (&number, &cost) in cells.iter().zip(costs) {
            changes.push((self.cell(number)?, terrain_of(cost, self.palette).map_err(failed)?));
        }
        let edited = self.world.edit(|batch| {
            for (cell, terrain) in changes {
                batch.set(cell, terrain);
            }
        });
        self.follow(edited.map(|_| ()).map_err(failed))
    }

    /// Gives all cells of a rectangle another cost.
    pub fn fill(
        &mut self,
        x: u32,
        y: u32,
        width: u32,
        height: u32,
        cost: u8,
    ) -> Result<(), JsError> {
        let terrain = terrain_of(cost, self.palette).map_err(failed)?;
        if width == 0 || height == 0 {
            return Ok(());
        }
        let far = |from: u32, side: u32| from.checked_add(side - 1);
        let (Some(right), Some(bottom)) = (far(x, width), far(y, height)) else {
            return Err(failed("the rectangle leaves the map"));
        };
        let rect = CellRect::new(Cell::new(x, y), Cell::new(right, bottom));
        let edited = self.world.edit(|batch| _ = batch.fill(rect, terrain));
        self.follow(edited.map(|_| ()).map_err(failed))
    }

    /// What each cell costs, by rows.
    pub fn costs(&self) -> Vec<u8> {
        let grid = self.world.grid();
        let cost = |cell: Cell| {
            grid.map().terrain(cell).and_then(|t| grid.movement().profile().cost_of(t))
        };
        grid.extent().cells().map(|cell| cost(cell).unwrap_or(0) as u8).collect()
    }

    /// What the planner promises on this map.
    pub fn guarantee(&self) -> Option<String> {
        let planner = self.world.planners().next()?;
        self.world.guarantee(planner).map(|guarantee| guarantee.to_string())
    }

    /// How many edits have changed something.
    pub fn revision(&self) -> f64 {
        self.world.revision().0 as f64
    }
}

impl Engine {
    fn cell(&self, number: u32) -> Result<Cell, JsError> {
        let extent = self.world.grid().extent();
        let cell = Cell::new(number % extent.width(), number / extent.width());
        match extent.id(cell) {
            Some(_) => Ok(cell),
            None => Err(failed(format!(
                "cell {number} is not on the map: it has {} cells",
                extent.cell_count()
            ))),
        }
    }

    fn numbers(&self, path: &Path) -> Vec<u32> {
        let width = self.world.grid().extent().width();
        path.cells().iter().map(|cell| cell.y * width + cell.x).collect()
    }

    fn cost(&self, path: &Path) -> f64 {
        path.cost().0 as f64 / (2.0 * f64::from(self.world.grid().movement().steps().straight()))
    }

    /// Lets the planner follow an edit to the end: there is no thread that could do so later.
    fn follow(&mut self, edited: Result<(), JsError>) -> Result<(), JsError> {
        edited?;
        self.world.finish_rebuilds();
        Ok(())
    }
}

/// The terrain of a cost.
fn terrain_of(cost: u8, palette: Palette) -> Result<Terrain, String> {
    let letter = match (cost, palette) {
        (0, _) => b'@',
        (1, Palette::Standard) => b'.',
        (1..=COST_MAX, Palette::Weighted) => b'A' + cost - 1,
        (2..=COST_MAX, _) => {
            return Err(format!(
                "the map has no costs but 0 and 1; cost {cost} needs the option weighted"
            ));
        }
        _ => return Err(format!("{cost} is no cost: they are from 0 to {COST_MAX}")),
    };
    Terrain::from_letter(letter).ok_or_else(|| format!("cost {cost} is not known"))
}

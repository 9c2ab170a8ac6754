//! The cases: what is done to the map, and between which places paths are asked for.

use crate::generate::Random;
use highroad::grid::{Batch, Components, EditError, Grid};
use highroad::planner::PathQuery;
use highroad::{Cell, CellRect, Terrain};

/// Something that goes badly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorstCase {
    /// Nothing does: random places that a path joins. What the other cases are compared with.
    Usual,
    /// Goals that no path leads to, in another part of the map; where there is only one part, in closed chambers.
    Unreachable,
    /// A wall through the middle of the map, starts on one side and goals on the other.
    Divided,
    /// Terrain of differing cost everywhere, unless the map has such terrain already.
    Weighted,
    /// One cell of the map costs three times what others cost.
    OneCostlyCell,
    /// All requests have one of four goals.
    Crowded,
    /// A cell changes before every tick.
    Edits,
    /// The same, while somebody holds a snapshot.
    Snapshots,
}

/// Every case, the usual one first.
pub static WORST_CASES: &[WorstCase] = &[
    WorstCase::Usual,
    WorstCase::Unreachable,
    WorstCase::Divided,
    WorstCase::Weighted,
    WorstCase::OneCostlyCell,
    WorstCase::Crowded,
    WorstCase::Edits,
    WorstCase::Snapshots,
];

/// Closed chambers that are built where a map has only one part.
const CHAMBERS: usize = 16;

impl WorstCase {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Unreachable => "unreachable",
            Self::Divided => "divided",
            Self::Weighted => "weighted",
            Self::OneCostlyCell => "one costly cell",
            Self::Crowded => "crowded",
            Self::Edits => "edits",
            Self::Snapshots => "snapshots held",
        }
    }

    /// Whether the map changes while ticks are measured.
    pub(super) fn edits(self) -> bool {
        matches!(self, Self::Edits | Self::Snapshots)
    }

    /// Whether paths join the places that are asked about.
    pub(super) fn has_paths(self) -> bool {
        !matches!(self, Self::Unreachable | Self::Divided)
    }

    pub(super) fn holds_snapshots(self) -> bool {
        self == Self::Snapshots
    }

    /// The map as the case has it, and queries between its places; `None` if the map has no two places.
    pub fn queries(
        self,
        grid: &Grid,
        count: usize,
        seed: u64,
    ) -> Result<Option<(Grid, Vec<PathQuery>)>, EditError> {
        let mut random = Random::new(seed);
        let grid = self.ground(grid, &mut random)?;
        let Some(pairs) = Pairs::of(&grid, self) else { return Ok(None) };
        let mut query = || {
            let (start, goal) = pairs.draw(&grid, &mut random);
            PathQuery::new(start, goal)
        };
        let queries = (0..count).map(|_| query()).collect();
        Ok(Some((grid, queries)))
    }

    /// The map as the case has it. It keeps its connected parts, as the grids of worlds do.
    pub(super) fn ground(self, grid: &Grid, random: &mut Random) -> Result<Grid, EditError> {
        let mut grid = grid.clone();
        grid.keep_connectivity();
        let mut batch = Batch::new();
        let (width, height) = (grid.extent().width(), grid.extent().height());
        let mut along = |length: u32| random.below(u64::from(length.max(1))) as u32;
        match self {
            Self::Usual | Self::Crowded | Self::Edits | Self::Snapshots => return Ok(grid),
            Self::Unreachable => {
                let parts = Components::of(&grid);
                // Single cells that are walled in are no parts to speak of.
                let large = parts.sizes().iter().filter(|&&size| size > 4).count();
                if large > 1 {
                    return Ok(grid);
                }
                for _ in 0..CHAMBERS {
                    let (x, y) = (along(width.saturating_sub(4)), along(height.saturating_sub(4)));
                    let last = Cell::new((x + 4).min(width - 1), (y + 4).min(height - 1));
                    batch.fill(CellRect::new((x, y), last), Terrain::WALL);
                    let inner = Cell::new((x + 3).min(width - 1), (y + 3).min(height - 1));
                    batch.fill(
                        CellRect::new(((x + 1).min(inner.x), (y + 1).min(inner.y)), inner),
                        Terrain::GROUND,
                    );
                }
            }
            Self::Divided => {
                let middle = width / 2;
                batch.fill(CellRect::new((middle, 0), (middle, height - 1)), Terrain::WALL);
            }
            Self::Weighted => {
                if grid.uniform_cost().is_none() {
                    return Ok(grid);
                }
                // Rectangles up to 16 cells long that together cover the map about once.
                for _ in 0..u64::from(width) * u64::from(height) / 64 {
                    let (x, y) = (along(width), along(height));
                    let last =
                        Cell::new((x + along(16)).min(width - 1), (y + along(16)).min(height - 1));
                    batch.surcharge(CellRect::new((x, y), last), along(9) as u16);
                }
            }
            Self::OneCostlyCell => {
                let middle = Cell::new(width / 2, height / 2);
                let near = |cell: &Cell| cell.x.abs_diff(middle.x).max(cell.y.abs_diff(middle.y));
                let cells = grid.extent().cells().filter(|&cell| grid.is_enterable(cell));
                if let Some(cell) = cells.min_by_key(near) {
                    let surcharge = 2 * grid.cost_of(cell).unwrap_or(1);
                    batch.surcharge(CellRect::new(cell, cell), surcharge as u16);
                }
            }
        }
        grid.apply(&batch)?;
        Ok(grid)
    }
}

/// Between which places paths are asked for.
pub(super) struct Pairs {
    starts: Vec<Cell>,
    goals: Vec<Cell>,
}

impl Pairs {
    /// Those of a case; `None` if there are no two places.
    pub(super) fn of(grid: &Grid, case: WorstCase) -> Option<Self> {
        let parts = Components::of(grid);
        let largest = (0..parts.count()).max_by_key(|&part| parts.sizes()[part])?;
        let inside: Vec<(Cell, usize)> = grid
            .extent()
            .cells()
            .zip(parts.numbers())
            .filter(|&(_, &number)| (number as usize) < parts.count())
            .map(|(cell, &number)| (cell, number as usize))
            .collect();
        let those = |wanted: &dyn Fn(Cell, usize) -> bool| -> Vec<Cell> {
            inside.iter().filter(|(cell, part)| wanted(*cell, *part)).map(|pair| pair.0).collect()
        };
        let main = || those(&|_, part| part == largest);
        let (starts, goals) = match case {
            WorstCase::Unreachable => (main(), those(&|_, part| part != largest)),
            WorstCase::Divided => {
                let middle = grid.extent().width() / 2;
                (those(&|cell, _| cell.x < middle), those(&|cell, _| cell.x > middle))
            }
            WorstCase::Crowded => {
                let cells = main();
                let every = (cells.len() / 5).max(1);
                let goals = (1..=4).filter_map(|at| cells.get(at * every).copied()).collect();
                (cells, goals)
            }
            _ => (main(), main()),
        };
        let some = !starts.is_empty() && !goals.is_empty() && inside.len() > 1;
        some.then_some(Self { starts, goals })
    }

    /// A random pair whose places can be entered now.
    pub(super) fn draw(&self, grid: &Grid, random: &mut Random) -> (Cell, Cell) {
        let mut one = |cells: &[Cell]| {
            let mut draw = || cells[random.below(cells.len() as u64) as usize];
            let open = (0..100).map(|_| draw()).find(|&cell| grid.is_enterable(cell));
            open.unwrap_or(cells[0])
        };
        (one(&self.starts), one(&self.goals))
    }
}

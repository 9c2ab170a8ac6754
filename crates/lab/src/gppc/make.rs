//! Making dynamic scenarios for any map: walls come and go, with queries between.

use super::{Command, DynamicScenario, Patch};
use crate::generate::Random;
use crate::workload::random_cell;
use highroad::grid::{Batch, Components, Grid, Palette};
use highroad::online::online_search;
use highroad::planner::{PathQuery, Scratch};
use highroad::{Cell, CellRect, GridMap, Terrain};
use thiserror::Error;

/// What is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicPlan {
    /// How often the map changes.
    pub changes: u32,
    /// Patches laid at each change.
    pub patches: u32,
    /// Columns and rows of a wall that is laid, at most.
    pub side_max: u32,
    /// Queries asked before the first change and after each.
    pub queries: u32,
    /// Where the randomness begins.
    pub seed: u64,
}

/// Why there can be no dynamic scenario for a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MakeError {
    /// The format says `cost 1 octile`: it has no weights.
    #[error("the map has weighted terrain, and dynamic scenarios have no place for what it costs")]
    Weighted,
    /// Nobody can stand anywhere.
    #[error("no cell of the map can be entered")]
    Blocked,
}

/// Of so many queries one may be without a path.
const UNREACHABLE_EVERY: u64 = 10;
/// Pairs of cells drawn for a query that is to have a path.
const DRAWS_MAX: usize = 50;

/// Makes a scenario on a map, by the benchmarks' rules, and its patches: patch 0 is the map as it is, the
/// others are walls that are laid on it, and what they covered. `progress` hears of each query.
pub fn make_dynamic(
    map: &GridMap,
    patch_name: &str,
    plan: DynamicPlan,
    mut progress: impl FnMut(),
) -> Result<(DynamicScenario, Vec<Patch>), MakeError> {
    let grid = Grid::with_defaults(map.clone());
    if map.palette() == Palette::Weighted {
        return Err(MakeError::Weighted);
    }
    if grid.enterable_count() == 0 {
        return Err(MakeError::Blocked);
    }
    let (width, height) = (map.extent().width(), map.extent().height());
    let whole = CellRect::new((0, 0), (width - 1, height - 1));
    let first = Command::Patch { patch: 0, at: Cell::new(0, 0), line: 0 };
    let mut maker = Maker {
        map,
        grid,
        random: Random::new(plan.seed),
        patches: vec![Patch::of(map, whole)],
        commands: vec![first],
        laid: Vec::new(),
        scratch: Scratch::new(),
    };
    for change in 0..=plan.changes {
        if change > 0 {
            maker.change(plan);
        }
        let components = Components::of(&maker.grid);
        for _ in 0..plan.queries {
            maker.ask(&components);
            progress();
        }
    }
    let patch_name = patch_name.to_owned();
    let scenario = DynamicScenario { size: (width, height), patch_name, commands: maker.commands };
    Ok((scenario, maker.patches))
}

struct Maker<'m> {
    map: &'m GridMap,
    grid: Grid,
    random: Random,
    patches: Vec<Patch>,
    commands: Vec<Command>,
    /// Walls that lie on the map.
    laid: Vec<CellRect>,
    scratch: Scratch,
}

impl Maker<'_> {
    /// Lays walls, or takes some away that have been laid: about as many of each in the long run.
    fn change(&mut self, plan: DynamicPlan) {
        let mut batch = Batch::new();
        for _ in 0..plan.patches {
            let take = !self.laid.is_empty() && self.random.chance(1, 2);
            let (part, patch) = if take {
                let which = self.random.below(self.laid.len() as u64) as usize;
                let part = self.laid.swap_remove(which);
                (part, Patch::of(self.map, part))
            } else {
                let part = self.wall(plan.side_max);
                self.laid.push(part);
                let (min, max) = (part.min(), part.max());
                (part, Patch::filled(max.x - min.x + 1, max.y - min.y + 1, Terrain::WALL))
            };
            patch.lay(part.min(), &mut batch);
            let number = self.number(patch);
            self.commands.push(Command::Patch { patch: number, at: part.min(), line: 0 });
        }
        let changed = self.grid.apply(&batch);
        changed.expect("patches are cut to the map");
        if self.grid.enterable_count() == 0 {
            // Nothing could be asked any more: the map as it was.
            let mut batch = Batch::new();
            self.patches[0].lay(Cell::new(0, 0), &mut batch);
            let changed = self.grid.apply(&batch);
            changed.expect("the map's own cells lie inside");
            self.commands.push(Command::Patch { patch: 0, at: Cell::new(0, 0), line: 0 });
            self.laid.clear();
        }
    }

    /// A rectangle around a cell on which somebody could stand: a wall in the way.
    fn wall(&mut self, side_max: u32) -> CellRect {
        let at = random_cell(&self.grid, &mut self.random);
        let extent = self.map.extent();
        let mut span = |at: u32, side: u32| {
            let length = 1 + self.random.below(u64::from(side_max.max(1))) as u32;
            let first = at.saturating_sub(self.random.below(u64::from(length)) as u32);
            (first, (first + length - 1).min(side - 1))
        };
        let (left, right) = span(at.x, extent.width());
        let (top, bottom) = span(at.y, extent.height());
        CellRect::new((left, top), (right, bottom))
    }

    /// The number of a patch, which is the same for equal ones.
    fn number(&mut self, patch: Patch) -> usize {
        self.patches.iter().position(|known| *known == patch).unwrap_or_else(|| {
            self.patches.push(patch);
            self.patches.len() - 1
        })
    }

    /// Adds a query with its optimal length at this moment.
    fn ask(&mut self, components: &Components) {
        let anywhere = self.random.chance(1, UNREACHABLE_EVERY);
        let mut draw = || [(); 2].map(|()| random_cell(&self.grid, &mut self.random));
        let part = |cell: Cell| {
            let id = self.map.extent().id(cell);
            id.and_then(|id| components.numbers().get(id.index()))
        };
        let joined = |pair: &[Cell; 2]| anywhere || part(pair[0]) == part(pair[1]);
        let drawn = (0..DRAWS_MAX).map(|_| draw()).find(joined);
        let [start, goal] = drawn.unwrap_or_else(draw);
        let query = PathQuery::new(start, goal);
        let answer = online_search(&self.grid).solve(&self.grid, &query, &mut self.scratch);
        let answer = answer.expect("both cells can be entered");
        let length = answer.path().map(|path| path.length());
        self.commands.push(Command::Query { start, goal, length });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DynamicReplay, replay};
    use super::*;
    use crate::generate::MapRecipe;

    const PLAN: DynamicPlan =
        DynamicPlan { changes: 12, patches: 3, side_max: 9, queries: 6, seed: 5 };

    fn made(recipe: &str, plan: DynamicPlan) -> (DynamicScenario, Vec<Patch>) {
        let map = recipe.parse::<MapRecipe>().unwrap().generate().unwrap();
        make_dynamic(&map, "x.patch", plan, || ()).unwrap()
    }

    #[test]
    fn what_is_written_is_read_back_and_replayed_without_a_mismatch() {
        for recipe in [
            "rooms width=60 height=40 room=7 doors=70 seed=1",
            "islands width=60 height=40 size=16 land=70 swamp=20 trees=20 seed=1",
            "obstacles width=5 height=4 blocked=60 seed=1",
        ] {
            let (scenario, patches) = made(recipe, PLAN);
            let again = DynamicScenario::parse(&scenario.to_text()).unwrap();
            let patches_again = Patch::parse_all(&Patch::all_to_text(&patches)).unwrap();
            assert_eq!(patches_again, patches);
            for spec in ["astar", "dijkstra", "hpa"] {
                let read = DynamicReplay::new("x.scen".into(), again.clone(), patches.clone());
                let spec = spec.parse().unwrap();
                let (row, wrong) = replay(&read.unwrap(), &spec, false, || ()).unwrap();
                assert_eq!(wrong, Vec::<String>::new(), "{recipe}");
                assert_eq!(row.queries, 13 * 6);
                assert!(row.edits == 12, "{} changes on {recipe}", row.edits);
            }
            assert_eq!(again.commands.len(), scenario.commands.len());
            for pair in again.commands.iter().zip(&scenario.commands) {
                match pair {
                    (Command::Query { length: a, .. }, Command::Query { length: b, .. }) => {
                        assert_eq!(a.is_some(), b.is_some());
                        assert!((a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs() < 1e-9);
                    }
                    (Command::Patch { patch: a, .. }, Command::Patch { patch: b, .. }) => {
                        assert_eq!(a, b);
                    }
                    pair => panic!("{pair:?}"),
                }
            }
        }
    }

    #[test]
    fn walls_come_and_go_and_some_queries_have_no_path() {
        let recipe = "maze width=41 height=41 corridor=2 braid=0 seed=1";
        let (scenario, patches) = made(recipe, DynamicPlan { changes: 40, ..PLAN });
        let is_wall = |patch: &Patch| {
            let (width, height) = patch.size();
            *patch == Patch::filled(width, height, Terrain::WALL)
        };
        let laid = scenario.commands.iter().filter_map(|command| match *command {
            Command::Patch { patch, .. } => Some(is_wall(&patches[patch])),
            Command::Query { .. } => None,
        });
        let (walls, others): (Vec<bool>, Vec<bool>) = laid.skip(1).partition(|&wall| wall);
        assert!(walls.len() > 30 && others.len() > 30, "{} and {}", walls.len(), others.len());
        let without = scenario
            .commands
            .iter()
            .filter(|command| matches!(command, Command::Query { length: None, .. }));
        assert!((1..60).contains(&without.count()));
    }

    #[test]
    fn the_seed_decides_and_maps_that_cannot_be_are_refused() {
        let recipe = "caves width=40 height=40 noise=45 steps=4 joined=yes seed=1";
        assert_eq!(made(recipe, PLAN), made(recipe, PLAN));
        assert_ne!(made(recipe, PLAN).0, made(recipe, DynamicPlan { seed: 6, ..PLAN }).0);
        let refused =
            |drawing: &str| make_dynamic(&drawing.parse().unwrap(), "x", PLAN, || ()).unwrap_err();
        assert_eq!(refused("AB\n"), MakeError::Weighted);
        assert_eq!(refused("##\n"), MakeError::Blocked);
    }
}

//! A planner that is written outside of Highroad: Dijkstra's algorithm that knows the connected parts of the map. By
//! implementing `Algorithm` it gets slices, traces, budgets, edits and snapshots; the tests at the end put it through
//! the same suite as Highroad's own planners.
//!
//! `cargo run --release -p highroad --example foreign_planner`

#![allow(clippy::print_stdout)]

use highroad::environment::{Edition, NodeId};
use highroad::grid::{Change, Components, Grid, StepCosts};
use highroad::planner::{
    Algorithm, Answer, CatchUp, Guarantee, Memory, PathQuery, Planner, Progress, Scratch, Session,
};
use highroad::search::{SearchObserver, Side, TraceEvent, TraceKind, TraceLog};
use highroad::world::{BuildWatch, RebuildError, Recipe};
use highroad::{Budget, Cell, Cost, Path, PathWorld, Reply, Request, Terrain};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

#[derive(Clone)]
struct PartSearch {
    parts: Components,
    /// Which state of which grid the parts belong to.
    edition: Edition,
}

/// What a query remembers between slices. It is kept for the next query.
#[derive(Default)]
struct SearchMemory {
    /// The cheapest first.
    open: BinaryHeap<Reverse<(u64, Cell)>>,
    /// The cost of a cell, and where it was reached from.
    reached: HashMap<Cell, (u64, Cell)>,
    /// No goal can be reached: the search is for the nearest cell.
    is_redirected: bool,
}

impl Memory for SearchMemory {
    fn bytes(&self) -> usize {
        self.open.capacity() * 16 + self.reached.capacity() * 24
    }
}

impl PartSearch {
    fn new(grid: &Grid) -> Self {
        Self { parts: Components::of(grid), edition: grid.edition() }
    }

    fn part_of(&self, grid: &Grid, cell: Cell) -> Option<u32> {
        let part = self.parts.numbers()[grid.extent().id(cell)?.index()];
        (part != Components::NONE).then_some(part)
    }
}

/// The distance to the nearest goal as the crow flies.
fn remoteness(cell: Cell, goals: &[Cell]) -> Option<u32> {
    let octile = |goal: &Cell| {
        let (columns, rows) = cell.offset(*goal);
        let (straight, diagonal) = (columns.abs_diff(rows), columns.min(rows));
        straight * StepCosts::EXACT.straight() + diagonal * StepCosts::EXACT.diagonal()
    };
    goals.iter().map(octile).min()
}

fn event(grid: &Grid, kind: TraceKind, cell: Cell, parent: Cell, g: u64) -> TraceEvent {
    let node = |cell| NodeId(grid.extent().id(cell).map_or(u32::MAX, |id| id.0));
    TraceEvent { kind, node: node(cell), parent: node(parent), g, h: 0, side: Side::Forward }
}

fn path_to(grid: &Grid, memory: &SearchMemory, goal: Cell) -> Path {
    let mut cells = vec![goal];
    while let Some(&(_, parent)) = memory.reached.get(&cells[cells.len() - 1])
        && parent != cells[cells.len() - 1]
    {
        cells.push(parent);
    }
    cells.reverse();
    Path::new(grid, cells).expect("the search makes allowed steps only")
}

impl Algorithm<Grid> for PartSearch {
    type Memory = SearchMemory;

    fn guarantee_for(&self, _: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn is_current(&self, grid: &Grid) -> bool {
        self.edition == grid.edition()
    }

    fn identity(&self) -> Option<Edition> {
        Some(self.edition)
    }

    fn start(
        &self,
        grid: &Grid,
        _: &PathQuery,
        session: &mut Session<'_, Cell>,
        memory: &mut SearchMemory,
    ) {
        let parts: Vec<_> = session.starts.iter().map(|&start| self.part_of(grid, start)).collect();
        let can_be_reached = |cell: &Cell| parts.contains(&self.part_of(grid, *cell));
        memory.is_redirected = !session.goals.iter().any(can_be_reached);
        if memory.is_redirected {
            let candidates = grid.extent().cells().filter(can_be_reached);
            let nearest = candidates.min_by_key(|&cell| remoteness(cell, session.goals));
            *session.goals = nearest.into_iter().collect();
        }
        memory.open.clear();
        memory.reached.clear();
        for &start in session.starts.iter() {
            if memory.reached.insert(start, (0, start)).is_none() {
                memory.open.push(Reverse((0, start)));
            }
        }
        session.statistics().generated = memory.open.len() as u64;
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        memory: &mut SearchMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        if session.first_report() {
            for &start in session.starts.iter() {
                observer.event(event(grid, TraceKind::Start, start, start, 0));
            }
        }
        let slice_end = session.slice_end(slice);
        while let Some(&Reverse((cost, cell))) = memory.open.peek() {
            let (cheapest, parent) = memory.reached[&cell];
            if cost > cheapest {
                memory.open.pop();
                continue;
            }
            if session.goals.contains(&cell) {
                observer.event(event(grid, TraceKind::Goal, cell, parent, cost));
                let path = path_to(grid, memory, cell);
                let no_path = memory.is_redirected;
                let answer = if no_path {
                    Answer::Unreachable { nearest: path }
                } else {
                    Answer::Found(path)
                };
                return Progress::Done(answer);
            }
            if session.is_exhausted() {
                break;
            }
            if session.statistics().expanded == slice_end {
                return Progress::Running;
            }
            memory.open.pop();
            session.statistics().expanded += 1;
            observer.event(event(grid, TraceKind::Expand, cell, parent, cost));
            for (next, step) in grid.steps_from(cell) {
                let (cost, known) = (cost + u64::from(step), memory.reached.get(&next));
                if known.is_some_and(|known| known.0 <= cost) || cost > session.limits().cost_max {
                    continue;
                }
                let kind = if known.is_some() { TraceKind::Improve } else { TraceKind::Open };
                observer.event(event(grid, kind, next, cell, cost));
                session.statistics().generated += 1;
                memory.reached.insert(next, (cost, cell));
                memory.open.push(Reverse((cost, next)));
            }
        }
        // There is a way to the goal: only a limit can keep the search from it.
        let nearest = Path::vouched(vec![session.starts[0]], Cost::ZERO, grid.revision());
        Progress::Done(Answer::LimitReached { nearest })
    }

    fn follow(&mut self, grid: &Grid, changes: &[Change], _: &mut SearchMemory) -> CatchUp {
        if changes.iter().any(|change| change.before.terrain != change.after.terrain) {
            self.parts = Components::of(grid);
        }
        self.edition = grid.edition();
        CatchUp::Done
    }

    fn copy(&self) -> Option<Self> {
        Some(self.clone())
    }
}

/// How a world makes the planner.
struct PartRecipe;

impl Recipe for PartRecipe {
    fn name(&self) -> String {
        "parts".to_owned()
    }

    fn build(&self, grid: &Grid, _: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        Ok(Box::new(PartSearch::new(grid)))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = "........\n.######.\n.#....#.\n.#.##.#.\n...#....\n".parse()?;
    let mut world = PathWorld::new(map).with_planner(PartRecipe).build()?;
    let ticket = world.request(Request::path((0, 0), (5, 4)));
    let mut ticks = 1;
    while world.tick(Budget::expansions(5)).waiting > 0 {
        ticks += 1;
    }
    let Reply::Ready(path) = world.poll(ticket) else { return Err("no path".into()) };
    println!("{} steps, found in {ticks} ticks of five expansions", path.steps());

    let before = world.snapshot();
    world.edit(|edit| _ = edit.set((7, 2), Terrain::WALL).set((2, 4), Terrain::WALL))?;
    println!("after the edit there is a path: {}", world.find_path((0, 0), (5, 4))?.is_some());
    println!("in the snapshot there is one: {}", before.find_path((0, 0), (5, 4))?.is_some());

    let (grid, mut log) = (world.grid(), TraceLog::default());
    let query = PathQuery::new((0, 0), (5, 4));
    let answer = PartSearch::new(grid).solve_traced(grid, &query, &mut Scratch::new(), &mut log)?;
    if let Answer::Unreachable { nearest } = answer {
        println!("the nearest cell is {}, traced in {} events", nearest.goal(), log.events().len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::world::PlannerStatus;
    use highroad_suite::{Candidate, Rounds, check_grid};

    #[test]
    fn it_passes_the_common_suite() {
        let planner = Candidate::new(|grid| Some(Box::new(PartSearch::new(grid))));
        let summary =
            check_grid(&planner, Rounds::new(200)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(summary.not_served, 0);
    }

    #[test]
    fn a_world_gives_it_budgets_edits_and_snapshots() {
        let map = "........\n........\n........\n".parse().unwrap();
        let mut world = PathWorld::new(map).with_planner(PartRecipe).build().unwrap();
        let ticket = world.request(Request::path((0, 1), (7, 1)));
        assert_eq!(world.tick(Budget::expansions(2)).waiting, 1);
        assert_eq!(world.poll(ticket), Reply::Pending);
        let before = world.snapshot();
        for y in 0..3 {
            world.edit(|edit| _ = edit.set((4, y), Terrain::WALL)).unwrap();
            let own = world.planners().next().expect("the world has it");
            assert_eq!(world.planner_status(own), Some(PlannerStatus::Ready), "it follows edits");
        }
        world.tick(Budget::unlimited());
        let Reply::Unreachable(nearest) = world.poll(ticket) else { panic!("there is a wall") };
        assert_eq!(nearest.goal(), Cell::new(3, 1));
        assert_eq!(before.find_path((0, 1), (7, 1)).unwrap().unwrap().length(), 7.0);
    }

    #[test]
    fn the_example_runs() {
        main().unwrap();
    }
}

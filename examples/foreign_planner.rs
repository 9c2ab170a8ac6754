//! A planner written outside of Highroad, Dijkstra's algorithm: by `Algorithm` it gets slices, budgets, limits, traces,
//! edits and snapshots. `crates/highroad/tests/foreign_planner.rs` puts it through the suite of Highroad's own planners.
//!
//! `cargo run --release -p highroad --example foreign_planner`

#![allow(clippy::print_stdout)]

use highroad::environment::NodeId;
use highroad::grid::{Grid, StepCosts};
use highroad::planner::{
    Algorithm, Answer, Guarantee, Memory, PathQuery, Planner, Progress, Session,
};
use highroad::search::{SearchObserver, Side, TraceEvent, TraceKind};
use highroad::world::{BuildWatch, RebuildError, Recipe};
use highroad::{Budget, Cell, Path, PathWorld, Reply, Request};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// It precomputes nothing, so that there is nothing to do after an edit.
pub(crate) struct PlainDijkstra;

/// What a query remembers between slices. It is kept for the next query.
#[derive(Default)]
pub(crate) struct SearchMemory {
    open: BinaryHeap<Reverse<(u64, Cell)>>, // the cheapest first
    /// The cost of each cell so far, and the cell before it.
    reached: HashMap<Cell, (u64, Cell)>,
}

impl Memory for SearchMemory {
    fn bytes(&self) -> usize {
        self.open.capacity() * 16 + self.reached.capacity() * 24
    }
}

fn path_to(grid: &Grid, memory: &SearchMemory, goal: Cell) -> Path {
    let before = |cell: &Cell| Some(memory.reached[cell].1).filter(|before| before != cell);
    let mut cells: Vec<Cell> = std::iter::successors(Some(goal), before).collect();
    cells.reverse();
    Path::new(grid, cells).expect("the search makes allowed steps only")
}

/// The distance between two cells as the crow flies.
fn octile(cell: Cell, goal: Cell) -> u32 {
    let (columns, rows) = cell.offset(goal);
    let (straight, diagonal) = (columns.abs_diff(rows), columns.min(rows));
    straight * StepCosts::EXACT.straight() + diagonal * StepCosts::EXACT.diagonal()
}

fn event(grid: &Grid, kind: TraceKind, cell: Cell, parent: Cell, g: u64) -> TraceEvent {
    let node = |cell| NodeId(grid.extent().id(cell).map_or(u32::MAX, |id| id.0));
    TraceEvent { kind, node: node(cell), parent: node(parent), g, h: 0, side: Side::Forward }
}

impl Algorithm<Grid> for PlainDijkstra {
    type Memory = SearchMemory;

    fn guarantee_for(&self, _: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn start(
        &self,
        _: &Grid,
        _: &PathQuery,
        session: &mut Session<'_, Cell>,
        memory: &mut SearchMemory,
    ) {
        memory.reached.clear();
        memory.open.clear();
        memory.reached.extend(session.starts.iter().map(|&start| (start, (0, start))));
        memory.open.extend(memory.reached.keys().map(|&start| Reverse((0, start))));
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
            let start = |&start| event(grid, TraceKind::Start, start, start, 0);
            session.starts.iter().map(start).for_each(|start| observer.event(start));
        }
        let slice_end = session.slice_end(slice);
        while let Some(&Reverse((cost, cell))) = memory.open.peek() {
            let (cheapest, parent) = memory.reached[&cell];
            if cost > cheapest {
                memory.open.pop(); // a cheaper way was found since
            } else if session.goals.contains(&cell) && cost <= session.limits().cost_max {
                observer.event(event(grid, TraceKind::Goal, cell, parent, cost));
                return Progress::Done(Answer::Found(path_to(grid, memory, cell)));
            } else if session.is_exhausted() || cost > session.limits().cost_max {
                let nearest = path_to(grid, memory, session.starts[0]);
                return Progress::Done(Answer::LimitReached { nearest });
            } else if session.statistics().expanded == slice_end {
                return Progress::Running;
            } else {
                memory.open.pop();
                session.statistics().expanded += 1;
                observer.event(event(grid, TraceKind::Expand, cell, parent, cost));
                for (next, step) in grid.steps_from(cell) {
                    let (cost, known) = (cost + u64::from(step), memory.reached.get(&next));
                    if known.is_none_or(|known| cost < known.0) {
                        let known = known.is_some();
                        let kind = if known { TraceKind::Improve } else { TraceKind::Open };
                        observer.event(event(grid, kind, next, cell, cost));
                        session.statistics().generated += 1;
                        memory.reached.insert(next, (cost, cell));
                        memory.open.push(Reverse((cost, next)));
                    }
                }
            }
        }
        // There is no way. An agent can at least go where a goal is nearest.
        let remoteness = |cell| session.goals.iter().map(|&goal| octile(cell, goal)).min();
        let rank = |cell: &Cell| (remoteness(*cell), cell.y, cell.x);
        let nearest = memory.reached.keys().copied().min_by_key(rank);
        let nearest = path_to(grid, memory, nearest.unwrap_or(session.starts[0]));
        Progress::Done(Answer::Unreachable { nearest })
    }

    fn copy(&self) -> Option<Self> {
        Some(Self) // what a snapshot holds is copied before it follows an edit
    }
}

/// How a world makes the planner.
impl Recipe for PlainDijkstra {
    fn name(&self) -> String {
        "plain-dijkstra".to_owned()
    }

    fn build(&self, _: &Grid, _: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        Ok(Box::new(Self))
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = "........\n.######.\n.#....#.\n.#.##.#.\n...#....\n".parse()?;
    let mut world = PathWorld::new(map).with_planner(PlainDijkstra).build()?;
    let ticket = world.request(Request::path((0, 0), (5, 4)));
    let ticks = (1..).find(|_| world.tick(Budget::expansions(5)).waiting == 0).unwrap_or(0);
    let Reply::Ready(path) = world.poll(ticket) else { return Err("no path".into()) };
    println!("{} steps, found in {ticks} ticks of five expansions", path.steps());
    Ok(())
}

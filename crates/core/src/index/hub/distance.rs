//! Distances without paths: one to one, one to many, many to many; and turning points without cells.

use super::meet::Slots;
use super::pruned::Entry;
use super::search::HubMemory;
use super::{Answers, HubLabels, Labelled};
use crate::environment::End;
use crate::grid::{Cell, Cost, Grid};
use crate::index::DistanceTable;
use crate::index::subgoal::{Ground, Link, Lookout};
use crate::path::octile_cost;
use crate::planner::{Answer, PathQuery, Planner, QueryError, Scratch, check_places};

/// What tables are made with.
#[derive(Default)]
pub(super) struct TableMemory {
    /// How far each hub is from a start; [`FAR`] between starts.
    near: Vec<u32>,
    /// The hubs around one end, and how far they are.
    merged: Vec<Entry>,
    links: Vec<Link>,
}

/// Further than any hub, with room for another distance.
const FAR: u32 = u32::MAX / 2;

impl TableMemory {
    pub(super) fn memory_bytes(&self) -> usize {
        self.near.capacity() * size_of::<u32>()
            + self.merged.capacity() * size_of::<Entry>()
            + self.links.capacity() * size_of::<Link>()
    }
}

impl HubLabels {
    /// What the cheapest path costs; `None` if there is none. Fails with a [`QueryError`] if an end lies outside the map or is
    /// blocked, or if the grid was edited since the index was built.
    ///
    /// ```
    /// use highroad::{Cell, Cost};
    /// use highroad::grid::Grid;
    /// use highroad::index::{HubLabels, HubOptions};
    /// use highroad::planner::Scratch;
    /// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
    /// let index = HubLabels::build(&grid, HubOptions::default())?;
    /// let cost = index.distance(&grid, Cell::new(0, 0), Cell::new(3, 2), &mut Scratch::new())?;
    /// assert_eq!(cost, Some(Cost::steps(5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance(
        &self,
        grid: &Grid,
        start: Cell,
        goal: Cell,
        scratch: &mut Scratch,
    ) -> Result<Option<Cost>, QueryError> {
        let labelled = match &self.answers {
            Answers::Labels(labelled) => labelled,
            Answers::Hierarchy { index, .. } => {
                let answer = index.solve(grid, &PathQuery::new(start, goal), scratch)?;
                return Ok(match answer {
                    Answer::Found(path) => Some(path.cost()),
                    _ => None,
                });
            }
        };
        let own = self.check(grid, &[start], &[goal], scratch)?;
        let cost = labelled.least_cost(own, &[start], &[goal]);
        let unit = 2 * u64::from(grid.uniform_cost().unwrap_or(1));
        Ok(cost.map(|cost| Cost(cost * unit)))
    }

    /// The cells where the cheapest path changes direction, with its ends; `None` if there is no path. Errors are those of
    /// [`HubLabels::distance`].
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::grid::Grid;
    /// use highroad::index::{HubLabels, HubOptions};
    /// use highroad::planner::Scratch;
    /// let grid = Grid::with_defaults("....\n###.\n".parse()?);
    /// let index = HubLabels::build(&grid, HubOptions::default())?;
    /// let turns = index.turning_points(&grid, Cell::new(0, 0), Cell::new(3, 1), &mut Scratch::new())?;
    /// assert_eq!(turns, Some([(0, 0), (3, 0), (3, 1)].map(Cell::from).to_vec()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turning_points(
        &self,
        grid: &Grid,
        start: Cell,
        goal: Cell,
        scratch: &mut Scratch,
    ) -> Result<Option<Vec<Cell>>, QueryError> {
        let labelled = match &self.answers {
            Answers::Labels(labelled) => labelled,
            Answers::Hierarchy { index, .. } => {
                let answer = index.solve(grid, &PathQuery::new(start, goal), scratch)?;
                return Ok(match answer {
                    Answer::Found(path) => Some(path.turning_points().collect()),
                    _ => None,
                });
            }
        };
        let own = self.check(grid, &[start], &[goal], scratch)?;
        labelled.least_cost(own, &[start], &[goal]);
        Ok(labelled.find_turns(own, &[start], &[goal]).map(|_| turning_points(&own.turns)))
    }

    /// What the cheapest paths from each start to each goal cost. Takes far less time than as many
    /// queries: what is known of an end is put together once. Errors are those of [`HubLabels::distance`]. See
    /// [`DistanceTable`] for an example.
    pub fn distance_table(
        &self,
        grid: &Grid,
        starts: &[Cell],
        goals: &[Cell],
        scratch: &mut Scratch,
    ) -> Result<DistanceTable, QueryError> {
        let columns = goals.len();
        let mut costs = Vec::with_capacity(starts.len() * columns);
        if let Answers::Labels(labelled) = &self.answers {
            let own = self.check(grid, starts, goals, scratch)?;
            let unit = 2 * u64::from(grid.uniform_cost().unwrap_or(1));
            labelled.fill_table(starts, goals, own, |cost| {
                costs.push(cost.map_or(DistanceTable::NO_PATH, |cost| cost * unit));
            });
        } else {
            for &start in starts {
                for &goal in goals {
                    let cost = self.distance(grid, start, goal, scratch)?;
                    costs.push(cost.map_or(DistanceTable::NO_PATH, |cost| cost.0));
                }
            }
        }
        Ok(DistanceTable::of(columns, costs))
    }

    /// Checks the ends of a query, and gives the memory to answer it in.
    fn check<'s>(
        &self,
        grid: &Grid,
        starts: &[Cell],
        goals: &[Cell],
        scratch: &'s mut Scratch,
    ) -> Result<&'s mut HubMemory, QueryError> {
        if self.grid != grid.edition() {
            return Err(QueryError::Stale);
        }
        check_places(grid, End::Start, starts)?;
        check_places(grid, End::Goal, goals)?;
        Ok(scratch.memory_of(self))
    }
}

impl Labelled {
    /// The cost of the cheapest path between some starts and goals.
    fn least_cost(&self, own: &mut HubMemory, starts: &[Cell], goals: &[Cell]) -> Option<u64> {
        own.terminals.join_to(self, starts, goals);
        own.meet(self, starts, goals);
        let direct = own.terminals.direct.iter().map(|&(_, _, cost)| cost);
        let met = own.meeting.map(|met| met.cost);
        let glimpsed = own.glimpse.map(|(_, _, cost)| cost);
        direct.chain(met).chain(glimpsed).min()
    }

    /// Reports the cost from each start to each goal, start by start.
    fn fill_table(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        own: &mut HubMemory,
        mut report: impl FnMut(Option<u64>),
    ) {
        let map = &self.subgoals.map;
        let hub_count = self.subgoals.subgoal_count();
        let HubMemory { table: TableMemory { near, merged, links }, slots, .. } = own;
        let mut around = Vec::new();
        let mut ends = Vec::with_capacity(goals.len());
        for &goal in goals {
            self.merge(goal, slots, links, merged);
            around.extend_from_slice(merged);
            ends.push((Lookout::new(map, goal), around.len()));
        }
        if near.len() < hub_count {
            near.resize(hub_count, FAR);
        }
        for &start in starts {
            self.merge(start, slots, links, merged);
            for entry in &*merged {
                near[entry.hub as usize] = entry.distance;
            }
            let mut begin = 0;
            for (&goal, &(ref lookout, end)) in goals.iter().zip(&ends) {
                let mut best = u32::MAX;
                for entry in &around[begin..end] {
                    best = best.min(near[entry.hub as usize] + entry.distance);
                }
                begin = end;
                let met = if best < FAR { u64::from(best) } else { u64::MAX };
                report(self.better_by_sight(start, goal, links, lookout, met));
            }
            for entry in &*merged {
                near[entry.hub as usize] = FAR;
            }
        }
    }

    /// The cost of a way, or of one that leads by sight from the start or the end of one of its links, if
    /// that is cheaper.
    fn better_by_sight(
        &self,
        start: Cell,
        goal: Cell,
        links: &[Link],
        lookout: &Lookout<'_>,
        met: u64,
    ) -> Option<u64> {
        let map = &self.subgoals.map;
        let direct = octile_cost(start, goal, map.straight, map.diagonal);
        if direct < met && lookout.sees(start) {
            return Some(direct);
        }
        let mut best = met;
        for link in links {
            let cost = u64::from(link.cost) + u64::from(map.way(goal, link.subgoal));
            if cost < best && lookout.sees(map.cells[link.subgoal as usize]) {
                best = cost;
            }
        }
        (best != u64::MAX).then_some(best)
    }

    /// The links of a cell, and the hubs that their labels know, each once.
    fn merge(&self, cell: Cell, slots: &mut Slots, links: &mut Vec<Link>, merged: &mut Vec<Entry>) {
        links.clear();
        self.links_onwards(cell, |link| links.push(link));
        merged.clear();
        slots.merge(&self.labels, links, merged);
    }
}

/// The cells where ways of diagonal steps first, then straight ones, change direction, with the ends.
fn turning_points(turns: &[Cell]) -> Vec<Cell> {
    let mut points: Vec<Cell> = Vec::with_capacity(turns.len());
    let mut push = |cell: Cell| {
        if let [.., before, last] = points[..]
            && direction(before, last) == direction(last, cell)
        {
            points.pop();
        }
        if points.last() != Some(&cell) {
            points.push(cell);
        }
    };
    push(turns[0]);
    for leg in turns.windows(2) {
        let [from, to] = [leg[0], leg[1]];
        let (columns, rows) = from.offset(to);
        let diagonals = columns.min(rows);
        if diagonals > 0 && columns != rows {
            let moved = |from: u32, to: u32| {
                if to > from { from + diagonals } else { from - diagonals }
            };
            push(Cell::new(moved(from.x, to.x), moved(from.y, to.y)));
        }
        push(to);
    }
    points
}

/// The direction of a way that does not turn.
fn direction(from: Cell, to: Cell) -> (std::cmp::Ordering, std::cmp::Ordering) {
    (from.x.cmp(&to.x), from.y.cmp(&to.y))
}

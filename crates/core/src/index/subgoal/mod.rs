//! Subgoal graphs: the corners of obstacles, and the ways between them that a shortest path may take.
//!
//! Uras, Koenig and Hernández, "Subgoal Graphs for Optimal Pathfinding in Eight-Neighbor Grids"
//! (2013), with stops that depend on the direction of travel, as in jump point search (Harabor and
//! Grastien 2011): an edge into a subgoal is kept only if a shortest path could turn there. The edges
//! are directed: one leads onwards by diagonal steps first, then straight ones, whichever way round it
//! is cheaper to describe.
//!
//! Serves uniform terrain where no corner may be cut. Building takes a few passes over the cells and a
//! look around each subgoal; [connecting](connect) a cell takes the words of its lines and diagonals.

mod connect;
mod corners;
mod entry;
mod lines;
mod save;
mod search;
mod terminals;

pub(crate) use connect::{Link, Lookout};
pub(crate) use entry::ENTRY;
pub(crate) use search::answer_for;
pub(crate) use terminals::{Ground, Terminals};

use crate::grid::{Cell, Connectivity, Edition, Extent, Grid, MovementRule, serves_jump_points};
use crate::index::contraction::CheckedEdge;
use crate::planner::{BuildError, Watch};
use connect::{FALLING, RISING};
use corners::Corners;
use lines::{Diagonals, Lines};
use std::ops::Range;

/// The bits of the map, and the subgoals by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SubgoalMap {
    pub(crate) extent: Extent,
    rows: Lines,
    columns: Lines,
    /// Rising to the right, and falling.
    diagonals: [Diagonals; 2],
    /// How many subgoals come before each word of the rows.
    ranks: Vec<u32>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) straight: u32,
    pub(crate) diagonal: u32,
}

/// Subgoals and the edges between them: an index for exact queries, and a planner that runs A* on it.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::index::SubgoalGraph;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let index = SubgoalGraph::build(&grid)?;
/// assert_eq!(index.subgoal_count(), 4);
/// let answer = index.solve(&grid, &PathQuery::new((0, 0), (3, 2)), &mut Scratch::new())?;
/// assert_eq!(answer.path().map(|path| path.length()), Some(5.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubgoalGraph {
    pub(crate) map: SubgoalMap,
    /// Where the edges of each subgoal begin, and where the last end.
    first_out: Vec<u32>,
    edges: Vec<Link>,
    /// Subgoals that a path joins have the same number.
    pub(crate) parts: Vec<u32>,
    /// Which cells a path joins: where there is none, the nearest cell is found by these.
    connectivity: Connectivity,
    pub(crate) grid: Edition,
    own: Edition,
    fingerprint: u64,
}

/// Whether a grid can have a subgoal graph; if not, why.
pub(crate) fn serves_subgoals(grid: &Grid) -> Result<(), String> {
    if grid.movement().rule() != MovementRule::NeverCutCorners {
        return Err("it needs the rule never-cut-corners".to_owned());
    }
    serves_jump_points(grid)
}

impl SubgoalMap {
    fn new(grid: &Grid) -> Self {
        let corners = Corners::new(grid);
        let steps = grid.movement().steps();
        let rows = Lines::new(&corners, true);
        let (ranks, cells) = cells_of(&rows);
        Self {
            extent: grid.extent(),
            columns: Lines::new(&corners, false),
            diagonals: [Diagonals::new(&corners, true), Diagonals::new(&corners, false)],
            rows,
            ranks,
            cells,
            straight: steps.straight(),
            diagonal: steps.diagonal(),
        }
    }

    /// The number of a subgoal; `None` if the cell is none. Bits that were loaded from bytes may say
    /// that one is where there is none.
    #[inline]
    fn number_of(&self, cell: Cell) -> Option<u32> {
        let index = cell.y as usize * self.rows.stride + cell.x as usize / 64;
        let bits = self.rows.words.get(index)?.subgoals;
        let bit = 1 << (cell.x % 64);
        (bits & bit != 0).then(|| self.ranks[index] + (bits & (bit - 1)).count_ones())
    }

    /// The families of diagonals that taut paths leave a subgoal by.
    fn families(&self, cell: Cell) -> u8 {
        let through = |family: usize| {
            let place = self.diagonals[family].place(cell.x, cell.y);
            place.words[place.at as usize / 64].through >> (place.at % 64) & 1 == 1
        };
        (u8::from(through(0)) * RISING) | (u8::from(through(1)) * FALLING)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let lines = (self.rows.words.capacity() + self.columns.words.capacity())
            * size_of::<lines::LineWord>();
        let diagonal = |family: &Diagonals| {
            family.words.capacity() * size_of::<lines::DiagonalWord>() + family.first.capacity() * 4
        };
        lines
            + self.diagonals.iter().map(diagonal).sum::<usize>()
            + self.ranks.capacity() * size_of::<u32>()
            + self.cells.capacity() * size_of::<Cell>()
    }
}

/// How many subgoals come before each word of the rows, and their cells.
fn cells_of(rows: &Lines) -> (Vec<u32>, Vec<Cell>) {
    let mut cells = Vec::new();
    let mut ranks = Vec::with_capacity(rows.words.len());
    for (index, word) in rows.words.iter().enumerate() {
        ranks.push(cells.len() as u32);
        let (y, x) = (index / rows.stride, index % rows.stride * 64);
        let mut bits = word.subgoals;
        while bits != 0 {
            cells.push(Cell::new(x as u32 + bits.trailing_zeros(), y as u32));
            bits &= bits - 1;
        }
    }
    (ranks, cells)
}

/// Subgoals whose edges make one job.
const JOB_SUBGOALS: usize = 512;

/// A build in progress: jobs to run in any order, on any threads, then [`SubgoalBuild::finish`].
pub struct SubgoalBuild<'g> {
    grid: &'g Grid,
    map: SubgoalMap,
}

/// What a job of a build has made.
pub struct SubgoalEdges {
    job: usize,
    counts: Vec<u32>,
    edges: Vec<Link>,
}

impl SubgoalBuild<'_> {
    /// How many jobs there are.
    pub fn job_count(&self) -> usize {
        self.map.cells.len().div_ceil(JOB_SUBGOALS)
    }

    /// Runs one job, from 0: the edges of some subgoals. Past the last there is nothing to do.
    pub fn run(&self, job: usize) -> SubgoalEdges {
        let mut made = SubgoalEdges { job, counts: Vec::new(), edges: Vec::new() };
        let begin = job.saturating_mul(JOB_SUBGOALS).min(self.map.cells.len());
        let end = (begin + JOB_SUBGOALS).min(self.map.cells.len());
        for &cell in &self.map.cells[begin..end] {
            let before = made.edges.len();
            self.map.links_onwards(cell, self.map.families(cell), |link| made.edges.push(link));
            made.counts.push((made.edges.len() - before) as u32);
        }
        made
    }

    /// Puts the parts together, in whatever order they come; an error if not each job's is there once.
    pub fn finish(self, mut parts: Vec<SubgoalEdges>) -> Result<SubgoalGraph, BuildError> {
        parts.sort_by_key(|part| part.job);
        let jobs = parts.iter().map(|part| part.job);
        if !jobs.eq(0..self.job_count()) {
            return Err(BuildError::Incomplete);
        }
        let mut first_out = Vec::with_capacity(self.map.cells.len() + 1);
        first_out.push(0);
        let mut edges = Vec::with_capacity(parts.iter().map(|part| part.edges.len()).sum());
        for part in parts {
            for count in part.counts {
                first_out.push(first_out[first_out.len() - 1] + count);
            }
            edges.extend(part.edges);
        }
        Ok(SubgoalGraph::of(self.map, first_out, edges, self.grid))
    }
}

impl SubgoalGraph {
    /// Builds the index on this thread. [`SubgoalGraph::plan_build`] does so on several.
    pub fn build(grid: &Grid) -> Result<Self, BuildError> {
        Self::build_watched(grid, &mut Watch::none())
    }

    /// As [`SubgoalGraph::build`], reporting progress, and stopping when requested.
    pub fn build_watched(grid: &Grid, watch: &mut Watch<'_>) -> Result<Self, BuildError> {
        let build = Self::plan_build(grid)?;
        let jobs = build.job_count();
        let mut parts = Vec::with_capacity(jobs);
        for job in 0..jobs {
            watch.report(job as u64, jobs as u64)?;
            parts.push(build.run(job));
        }
        build.finish(parts)
    }

    /// Finds the subgoals, and splits the search for their edges into jobs that do not depend on each
    /// other.
    pub fn plan_build(grid: &Grid) -> Result<SubgoalBuild<'_>, BuildError> {
        serves_subgoals(grid).map_err(BuildError::NotServed)?;
        Ok(SubgoalBuild { grid, map: SubgoalMap::new(grid) })
    }

    pub(crate) fn of(map: SubgoalMap, first_out: Vec<u32>, edges: Vec<Link>, grid: &Grid) -> Self {
        let parts = parts_of(&first_out, &edges);
        let (own, fingerprint) = (Edition::new(), grid.fingerprint());
        let connectivity = Connectivity::of(grid);
        let grid = grid.edition();
        Self { map, first_out, edges, parts, connectivity, grid, own, fingerprint }
    }

    /// How many subgoals there are.
    pub fn subgoal_count(&self) -> usize {
        self.map.cells.len()
    }

    /// How many edges there are between them, each in one direction.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn edges_of(&self, subgoal: usize) -> &[Link] {
        &self.edges[self.edge_range(subgoal)]
    }

    /// Its edges, for contraction.
    pub(crate) fn graph_edges(&self) -> impl Iterator<Item = CheckedEdge> + '_ {
        (0..self.subgoal_count()).flat_map(|from| {
            let edge = move |link: &Link| CheckedEdge {
                from: from as u32,
                to: link.subgoal,
                weight: link.cost,
            };
            self.edges_of(from).iter().map(edge)
        })
    }

    fn edge_range(&self, subgoal: usize) -> Range<usize> {
        self.first_out[subgoal] as usize..self.first_out[subgoal + 1] as usize
    }
}

impl Ground for SubgoalGraph {
    fn direct_cost(&self, from: Cell, to: Cell) -> Option<u64> {
        self.map.cost_in_sight(from, to)
    }

    fn links_onwards(&self, from: Cell, visit: impl FnMut(Link)) {
        self.map.links_onwards(from, RISING | FALLING, visit);
    }

    fn links_back(&self, to: Cell, visit: impl FnMut(Link)) {
        self.map.links_back(to, visit);
    }

    fn part_of(&self, node: u32) -> u32 {
        self.parts[node as usize]
    }

    fn connectivity(&self) -> Option<&Connectivity> {
        Some(&self.connectivity)
    }
}

/// For each subgoal, the smallest one that a path joins it with.
fn parts_of(first_out: &[u32], edges: &[Link]) -> Vec<u32> {
    let count = first_out.len() - 1;
    let mut parts: Vec<u32> = (0..count as u32).collect();
    for subgoal in 0..count {
        for edge in &edges[first_out[subgoal] as usize..first_out[subgoal + 1] as usize] {
            let (a, b) = (root(&mut parts, subgoal as u32), root(&mut parts, edge.subgoal));
            parts[a.max(b) as usize] = a.min(b);
        }
    }
    for subgoal in 0..count as u32 {
        parts[subgoal as usize] = root(&mut parts, subgoal);
    }
    parts
}

/// The part that a subgoal belongs to so far; the ways there get shorter.
fn root(parts: &mut [u32], subgoal: u32) -> u32 {
    let mut at = subgoal;
    while parts[at as usize] != at {
        let above = parts[parts[at as usize] as usize];
        parts[at as usize] = above;
        at = above;
    }
    at
}

#[cfg(test)]
mod tests;

//! The crate `hierarchical_pathfinding`: HPA* over chunks, with the paths inside them cached.
//!
//! A cell has a cost and a step has none of its own, so diagonals cost as much as straight steps, and
//! the library's `MooreNeighborhood` goes round corners and between two walls. Which cells are
//! neighbours is the user's to say, though: [`UncutNeighborhood`] keeps to our steps. Both take part.
//!
//! Cached paths and no second search for short paths are the library's settings for speed. The size of
//! chunks is left to experiments, and trades queries for edits: two sizes take part.

use super::{Peer, PeerPlanner, Rules, locked_version};
use ::hierarchical_pathfinding::neighbors::Neighborhood;
use ::hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use anyhow::Result;
use highroad::Cell;
use highroad::grid::{Grid, MovementRule};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

type Point = (usize, usize);

/// A `PathCache` whose neighbourhood never cuts corners.
pub(crate) struct Hierarchical {
    pub(crate) chunk_size: usize,
}

impl Peer for Hierarchical {
    fn name(&self) -> String {
        format!("hierarchical_pathfinding {}", self.chunk_size)
    }

    fn version(&self) -> &'static str {
        locked_version("hierarchical_pathfinding")
    }

    fn rules(&self) -> Rules {
        Rules { note: "diagonals cost 1, approximate", ..Rules::SAME }
    }

    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>> {
        let cells = Arc::new(FreeCells::of(grid));
        let neighborhood = UncutNeighborhood { cells: Arc::clone(&cells) };
        Ok(Box::new(Chunks::of(cells, neighborhood, self.chunk_size)))
    }
}

/// A `PathCache` with the library's own neighbourhood.
pub(crate) struct HierarchicalMoore {
    pub(crate) chunk_size: usize,
}

impl Peer for HierarchicalMoore {
    fn name(&self) -> String {
        format!("hierarchical_pathfinding moore {}", self.chunk_size)
    }

    fn version(&self) -> &'static str {
        locked_version("hierarchical_pathfinding")
    }

    fn rules(&self) -> Rules {
        let note = "cuts corners, diagonals cost 1, approximate";
        Rules { movement: MovementRule::AlwaysDiagonal, note }
    }

    fn build<'g>(&self, grid: &'g Grid) -> Result<Box<dyn PeerPlanner + 'g>> {
        let cells = Arc::new(FreeCells::of(grid));
        let neighborhood = MooreNeighborhood::new(cells.width, cells.height);
        Ok(Box::new(Chunks::of(cells, neighborhood, self.chunk_size)))
    }
}

/// The map as a list of flags, row by row. The neighbourhood, which the cache owns, reads them too,
/// from the threads that build; so an edit needs flags that can change while shared.
#[derive(Debug)]
struct FreeCells {
    width: usize,
    height: usize,
    free: Vec<AtomicBool>,
}

impl FreeCells {
    fn of(grid: &Grid) -> Self {
        let extent = grid.extent();
        let free = extent.cells().map(|cell| AtomicBool::new(grid.is_enterable(cell)));
        Self {
            width: extent.width() as usize,
            height: extent.height() as usize,
            free: free.collect(),
        }
    }

    fn is_free(&self, (x, y): Point) -> bool {
        self.free[y * self.width + x].load(Ordering::Relaxed)
    }

    /// What the library calls the cost of a cell: below zero it is solid.
    fn cost(&self, at: Point) -> isize {
        if self.is_free(at) { 1 } else { -1 }
    }
}

/// The eight neighbours, without those round a corner.
#[derive(Clone, Debug)]
struct UncutNeighborhood {
    cells: Arc<FreeCells>,
}

impl Neighborhood for UncutNeighborhood {
    fn get_all_neighbors(&self, (x, y): Point, target: &mut Vec<Point>) {
        let (width, height) = (self.cells.width, self.cells.height);
        let left = (x > 0 && self.cells.is_free((x - 1, y))).then(|| x - 1);
        let right = (x + 1 < width && self.cells.is_free((x + 1, y))).then_some(x + 1);
        let above = (y > 0 && self.cells.is_free((x, y - 1))).then(|| y - 1);
        let below = (y + 1 < height && self.cells.is_free((x, y + 1))).then_some(y + 1);
        target.extend(left.into_iter().chain(right).map(|beside| (beside, y)));
        for next_y in above.into_iter().chain(below) {
            target.push((x, next_y));
            // Whether the corner itself is solid, the library checks.
            target.extend(left.into_iter().chain(right).map(|beside| (beside, next_y)));
        }
    }

    fn heuristic(&self, from: Point, to: Point) -> usize {
        from.0.abs_diff(to.0).max(from.1.abs_diff(to.1))
    }
}

struct Chunks<N: Neighborhood> {
    cells: Arc<FreeCells>,
    cache: PathCache<N>,
}

impl<N: Neighborhood + Sync> Chunks<N> {
    fn of(cells: Arc<FreeCells>, neighborhood: N, chunk_size: usize) -> Self {
        let size = (cells.width, cells.height);
        let config = PathCacheConfig { chunk_size, ..PathCacheConfig::HIGH_PERFORMANCE };
        let cache = PathCache::new(size, |at| cells.cost(at), neighborhood, config);
        Self { cells, cache }
    }
}

impl<N: Neighborhood + Sync> PeerPlanner for Chunks<N> {
    fn query(&mut self, start: Cell, goal: Cell) -> Option<Vec<Cell>> {
        if start == goal {
            return Some(vec![start]);
        }
        let (from, to) = (point(start), point(goal));
        let rest = self.cache.find_path(from, to, |at| self.cells.cost(at))?;
        let rest = rest.map(|(x, y)| Cell::new(x as u32, y as u32));
        Some(std::iter::once(start).chain(rest).collect())
    }

    fn edit(&mut self, cell: Cell, free: bool) -> bool {
        let (x, y) = point(cell);
        self.cells.free[y * self.cells.width + x].store(free, Ordering::Relaxed);
        self.cache.tiles_changed(&[(x, y)], |at| self.cells.cost(at));
        true
    }
}

fn point(cell: Cell) -> Point {
    (cell.x as usize, cell.y as usize)
}

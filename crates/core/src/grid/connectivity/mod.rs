//! Which cells can reach each other, kept in step with edits.
//!
//! The map is cut into blocks of 64 × 64 cells, and these are gathered four by four into larger blocks, up
//! to one that is the whole map. Each block knows how the connected parts of its children join inside it.
//!
//! ```text
//!   level 2   ┌───────────┐   run of cells ─> part of its block of cells ─> part of the block above ─> …
//!             │ ┌─┬─┬─┬─┐ │
//!   level 1   │ ├─┼─┼─┼─┤ │   A part that touches no side of its block is closed: it is known by that block
//!             │ ├─┼─┼─┼─┤ │   alone. The others go on upwards. Two cells are connected exactly if the
//!   leaves    │ └─┴─┴─┴─┘ │   two ways up end at the same part of the same block.
//!             └───────────┘
//! ```
//!
//! Invariant: the structure follows from the cells alone, whatever happened before, so that a patched one
//! equals one built afresh, number by number. (`tests.rs`)
//!
//! On a map of n × n cells: building takes O(n²) time by words of 64 cells; a look-up climbs log₄(n / 64)
//! levels, at most four; an edit reads one block again, and stops there if the border of the block is
//! connected as before. Otherwise one block a level is joined again, along the lines between its
//! children: O(n / 64) edges. A third of a byte a cell. A clone copies a few pointers.

mod joint;
mod leaf;
mod nearest;
mod patch;
#[cfg(test)]
mod tests;

pub(crate) use nearest::DescentMemory;

use super::shared::Table;
use super::{Board, Cell, Change, Edition, Extent, Grid, MovementRule};
use joint::{CHILDREN, FAN, FAN_BITS, Joint, unite};
use leaf::{Leaf, SIDE_BITS, TOWARDS};
use std::sync::Arc;

/// The connected parts of a grid, which follow its edits.
///
/// Where borders or heights count ([`Grid::is_shaped`]), parts are those of the terrain alone: cells of different parts
/// cannot reach each other but by links, cells of one part may not, either. See [`Connectivity::is_exact`].
///
/// ```
/// use highroad::Terrain;
/// use highroad::grid::{Batch, Connectivity, Grid};
/// let mut grid = Grid::with_defaults("..#.\n..#.\n".parse()?);
/// let mut parts = Connectivity::of(&grid);
/// assert!(parts.connected((0, 0), (1, 1)) && !parts.connected((0, 0), (3, 0)));
///
/// let mut batch = Batch::new();
/// batch.set((2, 1), Terrain::GROUND);
/// let changes = grid.apply(&batch)?;
/// parts.follow(&grid, &changes);
/// assert!(parts.connected((0, 0), (3, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Connectivity {
    extent: Extent,
    rule: MovementRule,
    /// One a domain.
    domains: Vec<Pyramid>,
    /// Whether nothing but terrain decides which steps there are.
    exact: bool,
    /// Whether links may join parts.
    linked: bool,
    grid: Edition,
}

/// A connected part of a grid: two cells have the same exactly if a path joins them. It means something only
/// beside others of the same [`Connectivity`], until that follows another edit.
///
/// ```
/// use highroad::grid::{ConnectedPart, Connectivity, Grid};
/// use std::collections::BTreeMap;
/// let grid = Grid::with_defaults("..#.\n..#.\n".parse()?);
/// let parts = Connectivity::of(&grid);
/// assert!(parts.is_current(&grid));
/// let mut sizes: BTreeMap<ConnectedPart, usize> = BTreeMap::new();
/// for part in grid.extent().cells().filter_map(|cell| parts.part_of(cell)) {
///     *sizes.entry(part).or_default() += 1;
/// }
/// assert_eq!(sizes.into_values().max(), Some(4), "the largest island");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectedPart {
    domain: u8,
    /// How many levels up its block is, which one, and the number of the part there.
    level: u8,
    block: u32,
    part: u32,
}

impl PartialEq for Connectivity {
    /// Whether they are the same block by block.
    fn eq(&self, other: &Self) -> bool {
        (self.extent, self.rule, &self.domains) == (other.extent, other.rule, &other.domains)
    }
}

impl Connectivity {
    /// The parts of a grid under its movement rule and profile.
    pub fn of(grid: &Grid) -> Self {
        let (extent, rule) = (grid.extent(), grid.movement().rule());
        let build = |board| Pyramid::build(board, extent, slips_aside(rule));
        Self {
            extent,
            rule,
            domains: grid.boards().iter().map(build).collect(),
            exact: !grid.is_shaped(),
            linked: grid.has_links(),
            grid: grid.edition(),
        }
    }

    /// Whether a path leads from some start to some goal.
    pub(crate) fn join_any(
        &self,
        starts: &[Cell],
        goals: &[Cell],
        memory: &mut DescentMemory,
    ) -> bool {
        let parts = memory.parts_of(self, starts);
        goals.iter().filter_map(|&goal| self.part_of(goal)).any(|part| parts.contains(&part))
    }

    /// Whether it describes that grid as it is.
    pub fn is_current(&self, grid: &Grid) -> bool {
        self.grid == grid.edition()
    }

    /// Whether cells of one part can reach each other: always, but where borders or heights count. There, only that
    /// cells are not connected is certain.
    ///
    /// ```
    /// use highroad::grid::{Batch, Border, Connectivity, Grid};
    /// let mut grid = Grid::with_defaults("..\n".parse()?);
    /// assert!(Connectivity::of(&grid).is_exact());
    /// grid.apply(Batch::new().border((0, 0), (1, 0), Border::Closed))?;
    /// let parts = Connectivity::of(&grid);
    /// assert!(parts.connected((0, 0), (1, 0)) && !parts.is_exact(), "a search has to say");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether links may lead from part to part.
    pub fn is_linked(&self) -> bool {
        self.linked
    }

    /// Whether a path leads from one cell to another, as far as terrain decides it. Only cells that agents may stand on are connected, even
    /// to themselves.
    #[inline]
    pub fn connected(&self, a: impl Into<Cell>, b: impl Into<Cell>) -> bool {
        self.part_of(a).is_some_and(|part| self.part_of(b) == Some(part))
    }

    /// The part that a cell belongs to; `None` where no agent may stand.
    pub fn part_of(&self, cell: impl Into<Cell>) -> Option<ConnectedPart> {
        let cell = cell.into();
        if !self.extent.contains(cell) {
            return None;
        }
        let parts = (0..).zip(&self.domains).filter_map(|(domain, pyramid)| {
            let (place, inside) = split(cell);
            let leaf = &pyramid.leaves[pyramid.extent.id_inside(place).index()];
            let part = u32::from(leaf.part_at(inside.x, inside.y)?);
            let (level, place, part) = pyramid.climb(pyramid.levels.len(), place, part);
            let block = pyramid.extent_at(level).id_inside(place).0;
            Some(ConnectedPart { domain, level: level as u8, block, part })
        });
        parts.last()
    }

    /// Bytes held, those that are shared with clones included.
    pub fn memory_bytes(&self) -> usize {
        self.domains.iter().map(Pyramid::memory_bytes).sum()
    }
}

impl Grid {
    /// From now on keeps its connected parts, and lets them follow edits. Planners then know at once that there is no
    /// path, and find the nearest cell without looking at the whole map. Clones share what they keep. Worlds do this for
    /// the grids of all kinds of agents.
    ///
    /// Takes time in proportion to the map, once, and about a fifth of a byte a cell. An edit then takes a few
    /// microseconds more for each block of 64 by 64 cells that it changes.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::online::GridSearch;
    /// use highroad::planner::{Answer, PathQuery, Planner, Scratch};
    /// let mut grid = Grid::with_defaults("....#.\n....#.\n".parse()?);
    /// grid.keep_connectivity();
    /// assert!(grid.connectivity().is_some_and(|parts| !parts.connected((0, 0), (5, 0))));
    /// let (query, mut scratch) = (PathQuery::new((0, 0), (5, 0)), Scratch::new());
    /// let answer = GridSearch::astar().solve(&grid, &query, &mut scratch)?;
    /// assert!(matches!(answer, Answer::Unreachable { nearest } if nearest.goal() == (3, 0).into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn keep_connectivity(&mut self) {
        if self.connectivity.is_none() {
            self.connectivity = Some(Arc::new(Connectivity::of(self)));
        }
    }

    /// Its connected parts, if it [keeps](Grid::keep_connectivity) them.
    #[inline]
    pub fn connectivity(&self) -> Option<&Connectivity> {
        self.connectivity.as_deref()
    }

    /// Follows an edit that has just been made.
    pub(super) fn follow_connectivity(&mut self, changes: &[Change]) {
        if let Some(mut parts) = self.connectivity.take() {
            Arc::make_mut(&mut parts).follow(self, changes);
            self.connectivity = Some(parts);
        }
    }
}

/// Whether diagonal steps lead between two obstacles: only then do they join what straight steps do not.
fn slips_aside(rule: MovementRule) -> bool {
    rule == MovementRule::AlwaysDiagonal
}

/// The block of a cell, and where it is inside.
#[inline]
fn split(cell: Cell) -> (Cell, Cell) {
    let inside = (1 << SIDE_BITS) - 1;
    let place = Cell::new(cell.x >> SIDE_BITS, cell.y >> SIDE_BITS);
    (place, Cell::new(cell.x & inside, cell.y & inside))
}

/// The blocks of one domain.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pyramid {
    extent: Extent,
    leaves: Table<Leaf>,
    /// From blocks of four by four leaves up to the whole map.
    levels: Vec<Level>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Level {
    extent: Extent,
    joints: Table<Joint>,
}

impl Pyramid {
    fn build(board: &Board, cells: Extent, aside: bool) -> Self {
        let extent = coarser(cells, SIDE_BITS);
        // Much of a domain's board may be empty: water, on a map of land.
        let mut blank: Option<Arc<Leaf>> = None;
        let leaves = extent.cells().map(|place| {
            let leaf = Leaf::read(board, cells.height(), (place.x, place.y), aside);
            match leaf.rows == [0; 64] {
                true => Arc::clone(blank.get_or_insert_with(|| Arc::new(leaf))),
                false => Arc::new(leaf),
            }
        });
        let mut pyramid = Self { extent, leaves: leaves.collect(), levels: Vec::new() };
        for place in extent.cells() {
            pyramid.renew_edges(place, aside);
        }
        let mut below = extent;
        while below.cell_count() > 1 {
            let extent = coarser(below, FAN_BITS);
            let level = pyramid.levels.len();
            let joints = extent.cells().map(|block| Arc::new(pyramid.join(level, block)));
            let joints = joints.collect();
            pyramid.levels.push(Level { extent, joints });
            below = extent;
        }
        pyramid
    }

    /// Blocks of that level, where leaves are level 0.
    fn extent_at(&self, level: usize) -> Extent {
        level.checked_sub(1).map_or(self.extent, |above| self.levels[above].extent)
    }

    fn leaf_at(&self, place: Cell) -> Option<&Leaf> {
        self.extent.id(place).map(|id| &*self.leaves[id.index()])
    }

    /// The sides that the open parts of a block touch; none outside the map.
    fn sides_at(&self, level: usize, place: Cell) -> &[u8] {
        let Some(id) = self.extent_at(level).id(place) else { return &[] };
        match level.checked_sub(1) {
            None => &self.leaves[id.index()].sides,
            Some(above) => &self.levels[above].joints[id.index()].sides,
        }
    }

    /// From a part of a leaf up to a level, or to the block below it where the part is closed.
    #[inline]
    fn climb(&self, height: usize, mut place: Cell, mut part: u32) -> (usize, Cell, u32) {
        let mut open = self.leaves[self.extent.id_inside(place).index()].sides.len();
        for (at, level) in self.levels[..height].iter().enumerate() {
            if part as usize >= open {
                return (at, place, part);
            }
            let child = child_at(place);
            place = Cell::new(place.x >> FAN_BITS, place.y >> FAN_BITS);
            let joint = &level.joints[level.extent.id_inside(place).index()];
            part = joint.joined[(joint.first[child] + part) as usize];
            open = joint.sides.len();
        }
        (height, place, part)
    }

    /// Finds the edges of a leaf again; whether they differ from before.
    fn renew_edges(&mut self, place: Cell, aside: bool) -> bool {
        let Some(id) = self.extent.id(place) else { return false };
        let neighbours = TOWARDS.map(|toward| self.leaf_at(moved(place, toward)));
        let edges = self.leaves[id.index()].find_edges(neighbours, aside);
        let differs = self.leaves[id.index()].edges != edges;
        if differs {
            Arc::make_mut(&mut self.leaves[id.index()]).edges = edges;
        }
        differs
    }

    /// How the children of a block join. `level` is theirs.
    fn join(&self, level: usize, block: Cell) -> Joint {
        let origin = Cell::new(block.x << FAN_BITS, block.y << FAN_BITS);
        let place_of = |child: usize| {
            let child = child as u32;
            Cell::new(origin.x + child % FAN, origin.y + child / FAN)
        };
        let mut first = [0; CHILDREN + 1];
        for child in 0..CHILDREN {
            first[child + 1] = first[child] + self.sides_at(level, place_of(child)).len() as u32;
        }
        let mut sets: Vec<u32> = (0..first[CHILDREN]).collect();
        if sets.len() > 1 {
            self.join_across(level, block, &first, &mut sets);
        }
        Joint::new(first, &mut sets, |child, part| {
            self.sides_at(level, place_of(child))[part as usize]
        })
    }

    /// Follows every edge from one child of a block to another. Those begin in the leaves along the sides of
    /// children.
    fn join_across(&self, level: usize, block: Cell, first: &[u32], sets: &mut [u32]) {
        let child_bits = FAN_BITS * level as u32;
        let (side, block_side) = (1 << child_bits, FAN << child_bits);
        let origin = Cell::new(block.x * block_side, block.y * block_side);
        let (width, height) = (self.extent.width(), self.extent.height());
        let child_place = |leaf: Cell| Cell::new(leaf.x >> child_bits, leaf.y >> child_bits);
        let mut follow = |leaf: Cell| {
            let from = child_place(leaf);
            for edge in &*self.leaves[self.extent.id_inside(leaf).index()].edges {
                let target = moved(leaf, TOWARDS[usize::from(edge.toward)]);
                let to = child_place(target);
                let inside = to.x >> FAN_BITS == block.x && to.y >> FAN_BITS == block.y;
                if to == from || !inside {
                    continue;
                }
                let (_, _, own) = self.climb(level, leaf, u32::from(edge.own));
                let (_, _, other) = self.climb(level, target, u32::from(edge.other));
                unite(sets, first[child_at(from)] + own, first[child_at(to)] + other);
            }
        };
        for y in origin.y..(origin.y + block_side).min(height) {
            let columns = origin.x..(origin.x + block_side).min(width);
            if (y + 1) % side == 0 {
                columns.for_each(|x| follow(Cell::new(x, y)));
                continue;
            }
            for column in columns.step_by(side as usize) {
                follow(Cell::new(column, y));
                if column + side - 1 < width {
                    follow(Cell::new(column + side - 1, y));
                }
            }
        }
    }

    fn memory_bytes(&self) -> usize {
        /// The counts of an [`Arc`], and the pointer to it.
        const SHARED_BYTES: usize = 24;
        let joints = self.levels.iter().flat_map(|level| level.joints.iter());
        self.leaves.iter().map(|leaf| SHARED_BYTES + leaf.memory_bytes()).sum::<usize>()
            + joints.map(|joint| SHARED_BYTES + joint.memory_bytes()).sum::<usize>()
    }
}

/// Which child of its block a place is.
#[inline]
fn child_at(place: Cell) -> usize {
    ((place.x & (FAN - 1)) + (place.y & (FAN - 1)) * FAN) as usize
}

/// Also outside the map, where no block is.
fn moved(place: Cell, (columns, rows): (i32, i32)) -> Cell {
    Cell::new(place.x.wrapping_add_signed(columns), place.y.wrapping_add_signed(rows))
}

/// How many blocks of a side of so many bits cover an extent.
fn coarser(extent: Extent, bits: u32) -> Extent {
    let blocks = |side: u32| u64::from(side.div_ceil(1 << bits));
    Extent::new(blocks(extent.width()), blocks(extent.height()))
        .expect("smaller than an extent that is there")
}

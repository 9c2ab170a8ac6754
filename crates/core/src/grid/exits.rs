//! Which steps borders and heights close, for one kind of agent.
//!
//! A step is *closed* if the nine bits around its place and the movement rule allow it, and the [relief](super::relief)
//! does not. For a straight step every covered cell must get across its border, within what the agent climbs and drops, and
//! the place that it leads to must not be divided by a wall or a cliff that lets nobody pass either way.
//!
//! ```text
//!   a | b      A diagonal step from a to d has two ways round, by b and by c, of two straight steps each.
//!   --+--      never-cut-corners needs both. at-most-one-obstacle needs one whose corner can be entered.
//!   c | d      always-diagonal needs one as far as borders go: past the end of a wall, and past the outer side of
//!              the corner of two walls, but not through a wall, nor out of the corner of two walls.
//! ```
//!
//! The heights of a and d themselves must be within what the agent climbs and drops, too. For always-diagonal those of b
//! and c do not count, as it does not count whether they are blocked. So whatever is blocked opens no step, and a path
//! that meets none of some obstacles is as good with them as without. Whether a step is closed
//! depends on the cells that the agent covers on the nine places around it, so edits stay local. Nothing is stored while no step is
//! closed, and searches on such grids look at the nine bits alone.

use super::footprint::{Run, places_over};
use super::layer::Layer;
use super::rule::Direction;
use super::{Cell, CellId, CellRect, Change, DELTAS, Grid, MovementRule};

/// The closed steps of a grid.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    /// A bit for each direction in which a place cannot be left.
    closed: Layer<u8>,
    /// How many steps are closed while the step back is open.
    one_way: u32,
}

impl Exits {
    /// Whether no step is closed.
    pub(super) fn is_empty(&self) -> bool {
        self.closed.is_empty()
    }

    /// Whether steps back are closed wherever steps are.
    pub(super) fn lead_both_ways(&self) -> bool {
        self.one_way == 0
    }

    /// The directions in which a place cannot be left.
    #[inline]
    pub(super) fn closed_at(&self, id: CellId) -> u8 {
        self.closed.at(id)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.closed.memory_bytes()
    }

    /// Notes which steps from a place are closed. What a direction adds to a place's number is in `offsets`.
    fn set(&mut self, cell_count: usize, id: CellId, closed: u8, offsets: [i32; 8]) {
        let before = self.closed.set(cell_count, id, closed);
        for (direction, offset) in offsets.into_iter().enumerate() {
            if (before ^ closed) >> direction & 1 == 0 {
                continue;
            }
            let beside = CellId(id.0.wrapping_add_signed(offset));
            let back_closed = self.closed.at(beside) >> (direction ^ 2) & 1 == 1;
            let closed = closed >> direction & 1 == 1;
            match closed != back_closed {
                true => self.one_way += 1,
                false => self.one_way -= 1,
            }
        }
    }
}

impl Grid {
    /// Whether borders or heights close steps, heights make steps cost more, or there are links: then the nine bits around a place do not say
    /// all about its steps. Searches, fields and the hierarchies serve such grids; planners that read the bits alone refuse them.
    ///
    /// ```
    /// use highroad::grid::{Batch, Border, Grid};
    /// let mut grid = Grid::with_defaults("..\n".parse()?);
    /// let changes = grid.apply(Batch::new().border((0, 0), (1, 0), Border::Closed))?;
    /// assert!(grid.is_shaped());
    /// grid.apply(&Batch::undoing(&changes))?;
    /// assert!(!grid.is_shaped());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_shaped(&self) -> bool {
        self.shaped
    }

    /// Whether a step that the nine bits allow is closed.
    #[inline]
    pub(crate) fn is_closed(&self, from: CellId, direction: usize) -> bool {
        self.exits.closed_at(from) >> (direction & 7) & 1 == 1
    }

    /// What a step costs on top for the slope.
    #[inline]
    pub(crate) fn slope(&self, from: CellId, to: CellId) -> u32 {
        if !self.sloped {
            return 0;
        }
        let (slopes, heights) = (self.movement.slopes(), &self.ground.map.relief().heights);
        let straight = 2 * self.movement.steps().straight();
        let price = |from: u32, to: u32| {
            slopes.price(heights.at(CellId(from)), heights.at(CellId(to)), straight)
        };
        let size = u32::from(self.movement.footprint().size());
        if size == 1 {
            return price(from.0, to.0) as u32;
        }
        let width = self.extent().width();
        let covered = (0..size).flat_map(|y| (0..size).map(move |x| y * width + x));
        covered.map(|offset| price(from.0 + offset, to.0 + offset)).max().unwrap_or(0) as u32
    }

    /// The most that a slope adds to a step.
    pub(crate) fn slope_max(&self) -> u64 {
        if !self.sloped {
            return 0;
        }
        let span = self.ground.map.relief().height_span(self.extent().cell_count());
        self.movement.slopes().price_max(span, 2 * self.movement.steps().straight())
    }

    /// The most that a slope adds to a step between places of a rectangle.
    pub(crate) fn slope_max_in(&self, rect: CellRect) -> u64 {
        if !self.sloped {
            return 0;
        }
        let (extent, heights) = (self.extent(), &self.ground.map.relief().heights);
        let reach = u32::from(self.movement.footprint().size() - 1);
        let last = Cell::new(rect.max().x + reach, rect.max().y + reach);
        let inside = CellRect::new(rect.min(), last).overlap(&extent.rect());
        let of = |cell| heights.at(extent.id_inside(cell));
        let (low, high) = inside
            .iter()
            .flat_map(CellRect::cells)
            .map(of)
            .fold((u16::MAX, 0), |(low, high), height| (low.min(height), high.max(height)));
        let span = high.saturating_sub(low);
        self.movement.slopes().price_max(span, 2 * self.movement.steps().straight())
    }

    /// Whether the step back costs the same wherever heights count.
    pub(super) fn slopes_are_even(&self) -> bool {
        let slopes = self.movement.slopes();
        !self.sloped || slopes.uphill() == slopes.downhill()
    }

    /// Whether relief changes nothing about the steps from a place and to it.
    pub(crate) fn is_plain(&self, place: Cell) -> bool {
        if !self.shaped {
            return true;
        }
        let extent = self.extent();
        let id = extent.id_inside(place);
        let plain = |(direction, offset): (usize, (i32, i32))| {
            let Some(beside) = extent.id(moved(place, offset)) else { return true };
            let steep = || {
                self.is_enterable(extent.cell(beside))
                    && (self.slope(id, beside), self.slope(beside, id)) != (0, 0)
            };
            !self.is_closed(beside, direction ^ 2) && !steep()
        };
        self.exits.closed_at(id) == 0
            && !self.hops.touch(id)
            && DELTAS.into_iter().enumerate().all(plain)
    }

    /// Finds all closed steps.
    pub(super) fn find_exits(&mut self) {
        self.exits = Exits::default();
        if !self.ground.map.relief().is_flat() {
            let extent = self.extent();
            let last = extent.width() - 1;
            self.renew_exits((0..extent.height()).map(|y| Run { y, first: 0, last }));
        }
        self.note_shape();
    }

    /// Keeps closed steps in step with changes of the ground. Returns the places whose steps may be others, or around
    /// which there is more or less level ground.
    pub(super) fn follow_exits(&mut self, changes: &[Change]) -> Vec<CellRect> {
        let relief = self.ground.map.relief();
        let reshaped = |change: &Change| change.is_of_relief();
        if relief.is_flat() && self.exits.is_empty() && !changes.iter().any(reshaped) {
            self.note_shape();
            return Vec::new();
        }
        let rects: Vec<CellRect> = changes.iter().map(|change| change.rect.with_ring()).collect();
        let extent = self.extent();
        let runs = places_over(self.movement.footprint(), rects.into_iter());
        let inside = |run: &Run| run.y < extent.height() && run.first < extent.width();
        let clipped = |run: Run| Run { last: run.last.min(extent.width() - 1), ..run };
        let runs: Vec<Run> = runs.into_iter().filter(inside).map(clipped).collect();
        self.renew_exits(runs.iter().copied());
        self.note_shape();
        runs.iter().map(|run| CellRect::new((run.first, run.y), (run.last, run.y))).collect()
    }

    fn renew_exits(&mut self, runs: impl Iterator<Item = Run>) {
        let extent = self.extent();
        let width = extent.width() as i32;
        let offsets = DELTAS.map(|(dx, dy)| dy * width + dx);
        for run in runs {
            for x in run.first..=run.last {
                let place = Cell::new(x, run.y);
                let closed = self.closed_steps(place);
                self.exits.set(extent.cell_count(), extent.id_inside(place), closed, offsets);
            }
        }
    }

    fn note_shape(&mut self) {
        let has_heights = !self.ground.map.relief().heights.is_empty();
        self.sloped = has_heights && self.movement.slopes().has_price();
        self.shaped = self.sloped || !self.exits.is_empty() || self.has_links();
    }

    /// The directions in which a place cannot be left, by definition.
    fn closed_steps(&self, place: Cell) -> u8 {
        let Some(board) = self.board_of(place) else { return 0 };
        let moves = self.movement.rule().moves()[board.neighbourhood(place)];
        if moves == 0 || self.is_flat_around(place) {
            return 0;
        }
        let closes = |direction: &Direction| {
            moves >> (*direction as u8) & 1 == 1 && !self.relief_allows(place, *direction)
        };
        Direction::ALL.iter().filter(|at| closes(at)).fold(0, |bits, at| bits | 1 << *at as u8)
    }

    /// Whether nothing around a place can close a step.
    fn is_flat_around(&self, place: Cell) -> bool {
        let relief = self.ground.map.relief();
        if !relief.heights.is_empty() && self.movement.slopes().has_limits() {
            return false;
        }
        let (extent, reach) = (self.extent(), u32::from(self.movement.footprint().size()));
        let first = Cell::new(place.x.saturating_sub(1), place.y.saturating_sub(1));
        let last = Cell::new(place.x + reach, place.y + reach);
        let around = CellRect::new(first, last).overlap(&extent.rect());
        let mut cells = around.iter().flat_map(CellRect::cells);
        cells.all(|cell| relief.borders.at(extent.id_inside(cell)) == 0)
    }

    fn relief_allows(&self, from: Cell, direction: Direction) -> bool {
        let (dx, dy) = direction.delta();
        if !direction.is_diagonal() {
            return self.gets_across(from, direction);
        }
        let aside = if dx > 0 { Direction::East } else { Direction::West };
        let along = if dy > 0 { Direction::South } else { Direction::North };
        let (rule, home) = (self.movement.rule(), self.domain_of(from));
        let way = |first: Direction, second: Direction| {
            let corner = moved(from, first.delta());
            if rule == MovementRule::AlwaysDiagonal {
                return self.crosses_borders(from, first) && self.crosses_borders(corner, second);
            }
            self.domain_of(corner) == home
                && self.gets_across(from, first)
                && self.gets_across(corner, second)
        };
        let ways = match rule {
            MovementRule::NeverCutCorners => way(aside, along) && way(along, aside),
            _ => way(aside, along) || way(along, aside),
        };
        let to = moved(from, (dx, dy));
        ways && !self.is_divided(to, |cell, direction| self.passes(cell, direction))
            && self.covered(from).all(|cell| self.heights_allow(cell, moved(cell, (dx, dy))))
    }

    /// Whether a straight step gets across all borders and cliffs, and leads to a place that is not divided.
    fn gets_across(&self, from: Cell, direction: Direction) -> bool {
        self.gets_past(from, direction, |cell, direction| self.passes(cell, direction))
    }

    /// The same as far as borders go.
    fn crosses_borders(&self, from: Cell, direction: Direction) -> bool {
        self.gets_past(from, direction, |cell, direction| self.borders_allow(cell, direction))
    }

    fn gets_past(
        &self,
        from: Cell,
        direction: Direction,
        passes: impl Fn(Cell, Direction) -> bool,
    ) -> bool {
        let to = moved(from, direction.delta());
        self.covered(from).all(|cell| passes(cell, direction)) && !self.is_divided(to, passes)
    }

    /// Whether a single cell can be left in a straight direction, as far as relief goes.
    fn passes(&self, from: Cell, direction: Direction) -> bool {
        self.borders_allow(from, direction)
            && self.heights_allow(from, moved(from, direction.delta()))
    }

    fn borders_allow(&self, from: Cell, direction: Direction) -> bool {
        let (extent, relief) = (self.extent(), self.ground.map.relief());
        extent.contains(from)
            && extent.contains(moved(from, direction.delta()))
            && relief.lets_pass(extent, from, direction)
    }

    fn heights_allow(&self, from: Cell, to: Cell) -> bool {
        let (heights, slopes) = (&self.ground.map.relief().heights, self.movement.slopes());
        if heights.is_empty() || !slopes.has_limits() {
            return true;
        }
        let height = |cell: Cell| heights.at(self.extent().id_inside(cell));
        let enterable = |cell: Cell| self.ground_footing(cell).is_some();
        !enterable(from) || !enterable(to) || slopes.allows(height(from), height(to))
    }

    /// Whether a wall or a cliff that lets nobody pass either way runs under an agent at a place.
    fn is_divided(&self, place: Cell, passes: impl Fn(Cell, Direction) -> bool) -> bool {
        let last = u32::from(self.movement.footprint().size()) - 1;
        let parted = |cell: Cell, there: Direction, back: Direction| {
            !passes(cell, there) && !passes(moved(cell, there.delta()), back)
        };
        last > 0
            && self.covered(place).any(|cell| {
                (cell.x < place.x + last && parted(cell, Direction::East, Direction::West))
                    || (cell.y < place.y + last && parted(cell, Direction::South, Direction::North))
            })
    }

    /// The cells that an agent at a place covers.
    fn covered(&self, place: Cell) -> impl Iterator<Item = Cell> + use<> {
        let last = u32::from(self.movement.footprint().size()) - 1;
        CellRect::new(place, Cell::new(place.x.saturating_add(last), place.y.saturating_add(last)))
            .cells()
    }
}

/// Also outside the map.
fn moved(cell: Cell, (columns, rows): (i32, i32)) -> Cell {
    Cell::new(cell.x.wrapping_add_signed(columns), cell.y.wrapping_add_signed(rows))
}

#[cfg(test)]
mod tests;

//! Batches of changes.

use super::cell::{Cell, Extent};
use super::ground::KindId;
use super::links::{Link, LinkChange, LinkProblem};
use super::relief::{Border, BorderSide};
use super::terrain::Terrain;
use thiserror::Error;

/// A rectangle of cells, both corners included.
///
/// ```
/// use highroad::{Cell, CellRect};
/// let rect = CellRect::new((3, 1), (2, 0));
/// assert_eq!((rect.min(), rect.max()), (Cell::new(2, 0), Cell::new(3, 1)));
/// assert_eq!(rect.cells().count(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellRect {
    min: Cell,
    max: Cell,
}

impl CellRect {
    /// The rectangle between two opposite corners, whichever they are.
    pub fn new(a: impl Into<Cell>, b: impl Into<Cell>) -> Self {
        let (a, b) = (a.into(), b.into());
        Self {
            min: Cell::new(a.x.min(b.x), a.y.min(b.y)),
            max: Cell::new(a.x.max(b.x), a.y.max(b.y)),
        }
    }

    /// The corner nearest to the top left.
    pub fn min(&self) -> Cell {
        self.min
    }

    /// The corner nearest to the bottom right.
    pub fn max(&self) -> Cell {
        self.max
    }

    /// How many cells it has.
    pub fn cell_count(&self) -> u64 {
        let side = |min: u32, max: u32| u64::from(max - min) + 1;
        // All columns and rows that there are numbers for are one more cell than fits.
        side(self.min.x, self.max.x).saturating_mul(side(self.min.y, self.max.y))
    }

    /// Whether a cell lies in it.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        (self.min.x..=self.max.x).contains(&cell.x) && (self.min.y..=self.max.y).contains(&cell.y)
    }

    /// The cells that lie in both; `None` if there are none.
    ///
    /// ```
    /// use highroad::CellRect;
    /// let wall = CellRect::new((0, 5), (9, 5));
    /// assert_eq!(wall.overlap(&CellRect::new((8, 0), (20, 9))), Some(CellRect::new((8, 5), (9, 5))));
    /// assert_eq!(wall.overlap(&CellRect::new((0, 6), (9, 9))), None);
    /// assert!(wall.contains((3, 5).into()) && wall.cell_count() == 10);
    /// ```
    pub fn overlap(&self, other: &Self) -> Option<Self> {
        let min = Cell::new(self.min.x.max(other.min.x), self.min.y.max(other.min.y));
        let max = Cell::new(self.max.x.min(other.max.x), self.max.y.min(other.max.y));
        (min.x <= max.x && min.y <= max.y).then_some(Self { min, max })
    }

    /// Its cell, if it has only one.
    #[inline]
    pub(crate) fn single(&self) -> Option<Cell> {
        (self.min == self.max).then_some(self.min)
    }

    /// Whether some cell lies in both.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// Whether all cells of another lie in it.
    pub(crate) fn holds(&self, other: &Self) -> bool {
        self.contains(other.min) && self.contains(other.max)
    }

    /// The same with a ring of cells around it, as far as there are numbers for them.
    pub(crate) fn with_ring(&self) -> Self {
        let min = Cell::new(self.min.x.saturating_sub(1), self.min.y.saturating_sub(1));
        let max = Cell::new(self.max.x.saturating_add(1), self.max.y.saturating_add(1));
        Self { min, max }
    }

    /// The cell of it that is nearest to another.
    ///
    /// ```
    /// use highroad::{Cell, CellRect};
    /// assert_eq!(CellRect::new((2, 2), (4, 4)).nearest_to(Cell::new(9, 3)), Cell::new(4, 3));
    /// ```
    pub fn nearest_to(&self, cell: Cell) -> Cell {
        Cell::new(cell.x.clamp(self.min.x, self.max.x), cell.y.clamp(self.min.y, self.max.y))
    }

    /// Its cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (min, max) = (self.min, self.max);
        (min.y..=max.y).flat_map(move |y| (min.x..=max.x).map(move |x| Cell { x, y }))
    }
}

impl From<Cell> for CellRect {
    /// The rectangle of one cell.
    fn from(cell: Cell) -> Self {
        Self { min: cell, max: cell }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Terrain(Terrain),
    Surcharge(u16),
    Height(u16),
    Border(BorderSide, Border),
    /// A border between cells that are not neighbours: refused when the batch is made.
    NoBorder {
        from: Cell,
        to: Cell,
        border: Border,
    },
    /// A link that is opened, or closed.
    Link {
        link: Link,
        opened: bool,
    },
    /// A link that was there before, and is opened again: its ends may have been blocked meanwhile.
    RestoredLink(Link),
}

/// One step of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) rect: CellRect,
    pub(super) paint: Paint,
    /// The kind of agent that a surcharge applies to; all of them if none is named.
    pub(super) kind: Option<KindId>,
}

/// Changes to be made together: one batch, one revision.
///
/// ```
/// use highroad::{Cell, CellRect, Terrain};
/// use highroad::grid::{Batch, Grid};
/// let mut grid = Grid::with_defaults("....\n....\n".parse()?);
/// let mut batch = Batch::new();
/// batch.fill(CellRect::new((1, 0), (2, 0)), Terrain::WALL).set((0, 1), Terrain::SWAMP);
/// let changes = grid.apply(&batch)?;
/// assert_eq!(grid.map().to_string(), ".@@.\nS...\n");
///
/// grid.apply(&Batch::undoing(&changes))?;
/// assert_eq!(grid.map().to_string(), "....\n....\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` a batch is a list of named operations, such as a game sends to others:
///
#[cfg_attr(feature = "serde", doc = "```")]
#[cfg_attr(not(feature = "serde"), doc = "```ignore")]
/// use highroad::{CellRect, Terrain};
/// use highroad::grid::{Batch, KindId};
/// let mut batch = Batch::new();
/// batch.set((0, 1), Terrain::SWAMP).surcharge_for(KindId(1), CellRect::new((2, 0), (3, 1)), 5);
/// let json = serde_json::to_string(&batch)?;
/// assert_eq!(json, concat!(
///     r#"[{"set":{"cell":{"x":0,"y":1},"terrain":"S"}},"#,
///     r#"{"surcharge_for":{"kind":1,"min":{"x":2,"y":0},"max":{"x":3,"y":1},"amount":5}}]"#,
/// ));
/// assert_eq!(serde_json::from_str::<Batch>(&json)?, batch);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    pub(super) edits: Vec<Edit>,
}

impl Batch {
    /// A batch without changes yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes one cell to that terrain.
    pub fn set(&mut self, cell: impl Into<Cell>, terrain: Terrain) -> &mut Self {
        let cell = cell.into();
        self.fill(CellRect::new(cell, cell), terrain)
    }

    /// Changes every cell of a rectangle to that terrain.
    pub fn fill(&mut self, rect: CellRect, terrain: Terrain) -> &mut Self {
        self.push(rect, Paint::Terrain(terrain), None)
    }

    /// Makes the cells of a rectangle cost `amount` more than their terrain for every kind of agent, or takes that
    /// back with 0: bandits on the road, fire nearby. The cells stay enterable.
    ///
    /// ```
    /// use highroad::{CellRect, PathWorld};
    /// let mut world = PathWorld::new(".....\n.....\n.....\n".parse()?);
    /// world.edit(|edit| _ = edit.surcharge(CellRect::new((2, 0), (2, 1)), 9))?;
    /// let path = world.find_path((0, 0), (4, 0))?.expect("all is open");
    /// assert!(path.cells().contains(&(2, 2).into()), "it goes around the costly cells");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn surcharge(&mut self, rect: CellRect, amount: u16) -> &mut Self {
        self.push(rect, Paint::Surcharge(amount), None)
    }

    /// As [`Batch::surcharge`], for one kind of agent: a hunter fears the bear that a tank does not notice. It is
    /// added to what all kinds pay; together they count up to 65,535.
    ///
    /// ```
    /// use highroad::{Cell, CellRect};
    /// use highroad::grid::{Batch, Grid, KindId, Movement};
    /// let tanks = Grid::with_defaults("...\n".parse()?);
    /// let hunters = tanks.another_kind(KindId(1), Movement::default());
    /// let mut kinds = [tanks, hunters];
    /// let bear = CellRect::new((1, 0), (1, 0));
    /// let changes = Grid::apply_to_all(&mut kinds, Batch::new().surcharge_for(KindId(1), bear, 50))?;
    /// let [tanks, hunters] = &kinds;
    /// assert_eq!((tanks.surcharge_of(Cell::new(1, 0)), hunters.surcharge_of(Cell::new(1, 0))), (Some(0), Some(50)));
    /// assert!(hunters.is_concerned_by(&changes[0]) && !tanks.is_concerned_by(&changes[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn surcharge_for(&mut self, kind: KindId, rect: CellRect, amount: u16) -> &mut Self {
        self.push(rect, Paint::Surcharge(amount), Some(kind))
    }

    /// Raises every cell of a rectangle to that height. What heights mean to a kind of agent say its
    /// [`Slopes`](super::Slopes), where there is an example.
    pub fn height(&mut self, rect: CellRect, height: u16) -> &mut Self {
        self.push(rect, Paint::Height(height), None)
    }

    /// Opens or closes the border between two cells that are neighbours in a row or column; [`Border::OneWay`] leads from
    /// the first to the second. See [`Border`] for an example. If they are not neighbours, the batch is refused.
    pub fn border(
        &mut self,
        from: impl Into<Cell>,
        to: impl Into<Cell>,
        border: Border,
    ) -> &mut Self {
        let (from, to) = (from.into(), to.into());
        match BorderSide::between(from, to) {
            Some((cell, side, true)) => self.borders(cell.into(), side, border),
            Some((cell, side, false)) => self.borders(cell.into(), side, border.reversed()),
            None => self.push(from.into(), Paint::NoBorder { from, to, border }, None),
        }
    }

    /// Opens a link: a ladder, a door, a portal. See [`Link`] for an example. If an end lies outside the map, or is blocked to all
    /// agents that it is for, the batch is refused.
    pub fn open_link(&mut self, link: Link) -> &mut Self {
        self.push(link.from.into(), Paint::Link { link, opened: true }, link.kind)
    }

    /// Closes a link, which must be open: the batch is refused otherwise.
    ///
    /// ```
    /// use highroad::grid::{Batch, Grid, Link};
    /// let mut grid = Grid::with_defaults("...\n".parse()?);
    /// let door = Link::new((0, 0), (2, 0), 9);
    /// grid.apply(Batch::new().open_link(door))?;
    /// let changes = grid.apply(Batch::new().close_link(door))?;
    /// assert!(!grid.has_links());
    /// grid.apply(&Batch::undoing(&changes))?;
    /// assert!(grid.has_links());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn close_link(&mut self, link: Link) -> &mut Self {
        self.push(link.from.into(), Paint::Link { link, opened: false }, link.kind)
    }

    /// Opens a link that was closed, whether agents can stand at its ends now or not.
    pub(super) fn restore_link(&mut self, link: Link) -> &mut Self {
        self.push(link.from.into(), Paint::RestoredLink(link), link.kind)
    }

    /// Opens or closes the right or the lower border of every cell of a rectangle; [`Border::OneWay`] leads to the right, or
    /// down. See [`BorderSide`] for an example.
    pub fn borders(&mut self, rect: CellRect, side: BorderSide, border: Border) -> &mut Self {
        self.push(rect, Paint::Border(side, border), None)
    }

    fn push(&mut self, rect: CellRect, paint: Paint, kind: Option<KindId>) -> &mut Self {
        self.edits.push(Edit { rect, paint, kind });
        self
    }

    /// Whether it can be made on a map of that size with those kinds of agents; if not, why.
    pub(super) fn check(
        &self,
        extent: Extent,
        exists: impl Fn(KindId) -> bool,
    ) -> Result<(), EditError> {
        for edit in &self.edits {
            if let Paint::Link { link, .. } | Paint::RestoredLink(link) = edit.paint {
                link.check(extent).map_err(|problem| EditError::Link { link, problem })?;
            }
            if !extent.contains(edit.rect.max()) {
                let cell = edit.rect.cells().find(|&cell| !extent.contains(cell));
                return Err(EditError::Outside { cell: cell.unwrap_or(edit.rect.max()), extent });
            }
            match edit.paint {
                Paint::NoBorder { from, to, .. } => return Err(EditError::NoBorder { from, to }),
                Paint::Border(side, _) if !extent.contains(side.beyond(edit.rect.max())) => {
                    let cell = side.beyond(edit.rect.max());
                    return Err(EditError::Outside { cell, extent });
                }
                _ => {}
            }
            if let Some(kind) = edit.kind.filter(|&kind| !exists(kind)) {
                return Err(EditError::NoSuchKind { kind });
            }
        }
        Ok(())
    }

    /// The batch that takes these changes back.
    pub fn undoing(changes: &[Change]) -> Self {
        let mut batch = Self::new();
        for Change { rect, kind, before, after, link } in changes.iter().rev() {
            match *link {
                Some(LinkChange { link, opened: true }) => _ = batch.close_link(link),
                Some(LinkChange { link, opened: false }) => _ = batch.restore_link(link),
                None => {}
            }
            if before.terrain != after.terrain {
                batch.fill(*rect, before.terrain);
            }
            if before.surcharge != after.surcharge {
                batch.push(*rect, Paint::Surcharge(before.surcharge), *kind);
            }
            if before.height != after.height {
                batch.height(*rect, before.height);
            }
            if before.east != after.east {
                batch.borders(*rect, BorderSide::East, before.east);
            }
            if before.south != after.south {
                batch.borders(*rect, BorderSide::South, before.south);
            }
        }
        batch
    }
}

/// What a cell is to searches: its terrain, what it costs on top, its height, and the two borders that it names.
///
/// See [`Change`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CellState {
    /// The terrain class.
    pub terrain: Terrain,
    /// Cost on top of the terrain's.
    pub surcharge: u16,
    /// Its height.
    #[cfg_attr(feature = "serde", serde(default))]
    pub height: u16,
    /// The border with the cell to its right.
    #[cfg_attr(feature = "serde", serde(default))]
    pub east: Border,
    /// The border with the cell below.
    #[cfg_attr(feature = "serde", serde(default))]
    pub south: Border,
}

impl CellState {
    /// A cell of height 0 with open borders.
    pub const fn flat(terrain: Terrain, surcharge: u16) -> Self {
        Self { terrain, surcharge, height: 0, east: Border::Open, south: Border::Open }
    }

    /// All but terrain and surcharge.
    pub(super) fn relief(self) -> (u16, Border, Border) {
        (self.height, self.east, self.south)
    }
}

/// Cells that a batch changed: a rectangle of cells that were alike before, and are alike now.
///
/// ```
/// use highroad::{CellRect, Terrain};
/// use highroad::grid::{Batch, CellState, Change, Grid};
/// let mut grid = Grid::with_defaults("....\n....\n...W\n".parse()?);
/// let changes: Vec<Change> = grid.apply(Batch::new().fill(CellRect::new((0, 1), (3, 2)), Terrain::WALL))?;
/// let ground = changes[0];
/// assert_eq!((ground.rect, ground.before.terrain), (CellRect::new((0, 1), (3, 1)), Terrain::GROUND));
/// assert_eq!(ground.after, CellState::flat(Terrain::WALL, 0));
/// let cells: Vec<usize> = changes.iter().map(|change| change.cells().count()).collect();
/// assert_eq!(cells, [4, 3, 1], "a row of ground, three cells of ground, and water");
/// assert_eq!(Change::cell_count(&changes), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Change {
    /// Which cells.
    pub rect: CellRect,
    /// The kind of agent whose own surcharge has changed; `None` if the change concerns all kinds.
    pub kind: Option<KindId>,
    /// What each of them was.
    pub before: CellState,
    /// What each of them is now.
    pub after: CellState,
    /// A link that has been opened or closed; the cell is the one that it begins at.
    #[cfg_attr(feature = "serde", serde(default))]
    pub link: Option<LinkChange>,
}

impl Change {
    /// The cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.rect.cells()
    }

    /// How many cells changes have together; one that has changed twice counts twice.
    pub fn cell_count(changes: &[Self]) -> u64 {
        changes.iter().fold(0, |sum: u64, change| sum.saturating_add(change.rect.cell_count()))
    }

    /// Whether it changes borders, heights or links: then steps of the cells beside it may be others as well.
    ///
    /// ```
    /// use highroad::grid::{Batch, Border, Grid};
    /// let mut grid = Grid::with_defaults("..\n".parse()?);
    /// let changes = grid.apply(Batch::new().border((1, 0), (0, 0), Border::OneWay))?;
    /// assert!(changes[0].is_of_relief());
    /// assert_eq!(changes[0].after.east, Border::OneWayBack, "it is kept with the cell on its left");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_of_relief(&self) -> bool {
        self.before.relief() != self.after.relief() || self.link.is_some()
    }

    /// Whether it is the same change for other cells.
    fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.before, self.after) == (other.kind, other.before, other.after)
            && self.link.is_none()
    }
}

/// Puts the changes of one edit together, in the order of rows: cells that change alike become runs of a
/// row, and equal runs of successive rows become rectangles. So what a large fill takes depends on how different
/// the cells were before, not on how many there are.
#[derive(Default)]
pub(super) struct ChangeList {
    changes: Vec<Change>,
    /// The change that goes on in this row, with the cells so far.
    run: Option<Change>,
    /// The changes that reach the row above, and this row, from left to right.
    above: Vec<usize>,
    here: Vec<usize>,
    /// The first of `above` that may go on in this row.
    next_above: usize,
    row: u32,
    /// Whether the edit has several rows.
    has_rows: bool,
}

impl ChangeList {
    /// What comes belongs to another edit.
    pub(super) fn begin_edit(&mut self, rect: CellRect) {
        self.end_run();
        self.above.clear();
        self.here.clear();
        self.next_above = 0;
        self.has_rows = rect.min.y < rect.max.y;
    }

    /// All changes, in their order.
    pub(super) fn finish(mut self) -> Vec<Change> {
        self.end_run();
        self.changes
    }

    /// Adds a change of cells of one row.
    pub(super) fn push(&mut self, change: Change) {
        let cell = change.rect.min;
        if let Some(run) = &mut self.run
            && cell.y == run.rect.max.y
            && cell.x == run.rect.max.x + 1
            && run.is_like(&change)
        {
            run.rect.max = change.rect.max;
            return;
        }
        self.end_run();
        if cell.y != self.row {
            self.end_row(cell.y);
        }
        self.run = Some(change);
    }

    fn end_row(&mut self, row: u32) {
        std::mem::swap(&mut self.above, &mut self.here);
        self.here.clear();
        if row != self.row.wrapping_add(1) {
            self.above.clear();
        }
        self.row = row;
        self.next_above = 0;
    }

    fn end_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        if !self.has_rows {
            self.changes.push(run);
            return;
        }
        let left = |at: &usize| self.changes[*at].rect.min.x;
        while self.above.get(self.next_above).is_some_and(|at| left(at) < run.rect.min.x) {
            self.next_above += 1;
        }
        if let Some(&at) = self.above.get(self.next_above) {
            let before = &mut self.changes[at];
            let columns = |rect: CellRect| (rect.min.x, rect.max.x);
            if columns(before.rect) == columns(run.rect) && before.is_like(&run) {
                before.rect.max.y = run.rect.max.y;
                self.here.push(at);
                return;
            }
        }
        self.here.push(self.changes.len());
        self.changes.push(run);
    }
}

/// Why a batch was not made; nothing of it was done.
///
/// ```
/// use highroad::{PathWorld, Terrain};
/// use highroad::grid::EditError;
/// let mut world = PathWorld::new("...\n".parse()?);
/// let error: EditError = world.edit(|edit| _ = edit.set((0, 7), Terrain::WALL)).unwrap_err();
/// assert_eq!(error.to_string(), "cell (0, 7) lies outside the map of 3 × 1 cells; nothing was changed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// It reaches outside the map.
    #[error("cell {cell} lies outside the map of {} × {} cells; nothing was changed", .extent.width(), .extent.height())]
    Outside {
        /// The first cell found outside.
        cell: Cell,
        /// The map's size.
        extent: Extent,
    },
    /// It has a link that cannot be.
    #[error("the link from {} to {}: {problem}; nothing was changed", .link.from, .link.to)]
    Link {
        /// Which link.
        link: Link,
        /// What is wrong with it.
        problem: LinkProblem,
    },
    /// It has a border between cells that are not neighbours in a row or column.
    #[error(
        "there is no border between {from} and {to}: they are not neighbours in a row or column; nothing was changed"
    )]
    NoBorder {
        /// The first cell.
        from: Cell,
        /// The second.
        to: Cell,
    },
    /// It has a surcharge for a kind of agent that does not exist.
    #[error("there is no {kind}; nothing was changed")]
    NoSuchKind {
        /// Which kind.
        kind: KindId,
    },
}

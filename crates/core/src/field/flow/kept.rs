//! Flow fields that many agents share, within a cap of memory.

use super::FlowField;
use crate::environment::End;
use crate::grid::{Cell, Change, Grid, Revision};
use crate::planner::{QueryError, check_places};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The flow fields of a game: one for each set of goals, shared by all agents that go there, and repaired after edits. While they
/// would take more memory than allowed, the one that nobody has asked for the longest time goes first.
///
/// Time passes by [`FlowFields::advance`], once a tick: whoever asks between two ticks asks at the same time, so that what is
/// kept does not depend on the order of agents or threads.
///
/// ```
/// use highroad::{Cell, Terrain};
/// use highroad::field::FlowFields;
/// use highroad::grid::{Batch, Grid};
/// let mut grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let mut fields = FlowFields::new(64 << 20);
/// let castle = fields.open(&grid, &[Cell::new(3, 1)])?;
/// assert_eq!(fields.open(&grid, &[Cell::new(3, 1)])?, castle, "it is shared");
/// fields.advance(1000);
/// let field = fields.get(castle).expect("it was just asked for");
/// assert_eq!(field.next(Cell::new(0, 1)), Some(Cell::new(0, 0)));
///
/// let changes = grid.apply(Batch::new().set((2, 0), Terrain::WALL))?;
/// fields.follow(&grid, &changes);
/// fields.advance(1000);
/// assert_eq!(fields.get(castle).and_then(|field| field.next(Cell::new(0, 1))), Some(Cell::new(0, 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct FlowFields {
    kept: BTreeMap<FlowId, Kept>,
    ids: BTreeMap<Vec<Cell>, FlowId>,
    bytes_max: usize,
    next_id: u64,
    tick: u64,
}

struct Kept {
    field: FlowField,
    goals: Vec<Cell>,
    /// The tick at which somebody has asked for it last.
    asked: AtomicU64,
}

impl Clone for Kept {
    fn clone(&self) -> Self {
        let asked = AtomicU64::new(self.asked.load(Ordering::Relaxed));
        Self { field: self.field.clone(), goals: self.goals.clone(), asked }
    }
}

/// The id of a field of [`FlowFields`]. It is never given to another field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FlowId(u64);

impl FlowFields {
    /// No fields yet, which may take so many bytes together; one is always kept.
    pub fn new(bytes_max: usize) -> Self {
        Self { kept: BTreeMap::new(), ids: BTreeMap::new(), bytes_max, next_id: 0, tick: 0 }
    }

    /// The field of ways to the nearest of some goals, which is begun if there is none. If that takes more memory than allowed,
    /// the field that was asked for longest ago makes room and gives its memory. Fails as [`FlowField::towards`].
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::field::{FlowFields, FlowId};
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....\n".parse()?);
    /// let mut fields = FlowFields::new(0); // one field at a time
    /// let first: FlowId = fields.open(&grid, &[Cell::new(0, 0)])?;
    /// let second = fields.open(&grid, &[Cell::new(3, 0)])?;
    /// assert!(fields.get(first).is_none() && fields.get(second).is_some());
    /// assert_eq!(fields.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&mut self, grid: &Grid, goals: &[Cell]) -> Result<FlowId, QueryError> {
        let mut key = goals.to_vec();
        key.sort_unstable();
        key.dedup();
        if let Some(&id) = self.ids.get(&key) {
            self.kept[&id].asked.store(self.tick, Ordering::Relaxed);
            return Ok(id);
        }
        check_places(grid, End::Goal, goals)?;
        let field = match self.make_room(FlowField::bytes_of(grid)) {
            Some(mut field) => field.renew(grid, &key).map(|()| field),
            None => FlowField::towards(grid, &key),
        }?;
        let id = FlowId(self.next_id);
        self.next_id += 1;
        let asked = AtomicU64::new(self.tick);
        self.kept.insert(id, Kept { field, goals: key.clone(), asked });
        self.ids.insert(key, id);
        Ok(id)
    }

    /// Forgets fields until one of so many bytes has room. Returns the last one that went.
    fn make_room(&mut self, bytes: usize) -> Option<FlowField> {
        let mut gone = None;
        while !self.kept.is_empty() && self.memory_bytes().saturating_add(bytes) > self.bytes_max {
            let age = |(id, kept): &(&FlowId, &Kept)| (kept.asked.load(Ordering::Relaxed), **id);
            let oldest = self.kept.iter().min_by_key(age).map(|(&id, _)| id)?;
            let kept = self.kept.remove(&oldest)?;
            self.ids.remove(&kept.goals);
            gone = Some(kept.field);
        }
        gone
    }

    /// A field; `None` if it had to make room. Asking keeps it from being the next that goes.
    pub fn get(&self, id: FlowId) -> Option<&FlowField> {
        let kept = self.kept.get(&id)?;
        // PERF: mostly somebody has asked already, and threads that only read do not wait for each other.
        if kept.asked.load(Ordering::Relaxed) != self.tick {
            kept.asked.store(self.tick, Ordering::Relaxed);
        }
        Some(&kept.field)
    }

    /// Lets all fields follow an edit: see [`FlowField::follow`].
    pub fn follow(&mut self, grid: &Grid, changes: &[Change]) {
        self.kept.values_mut().for_each(|kept| kept.field.follow(grid, changes));
    }

    /// Begins all fields again on a grid as it is: see [`FlowField::restart`].
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::field::FlowFields;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("....\n".parse()?);
    /// let mut fields = FlowFields::new(1 << 20);
    /// fields.open(&grid, &[Cell::new(0, 0)])?;
    /// fields.advance(100);
    /// fields.restart(&grid);
    /// assert!(!fields.is_complete());
    /// assert_eq!(fields.revision(), Some(grid.revision()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restart(&mut self, grid: &Grid) {
        self.kept.values_mut().for_each(|kept| kept.field.restart(grid));
    }

    /// The earliest revision that a field is for; `None` without fields.
    pub fn revision(&self) -> Option<Revision> {
        self.kept.values().map(|kept| kept.field.revision()).min()
    }

    /// Begins another tick: works on the fields for up to `slice` looks at a cell, those first that were asked for last, and of these
    /// the oldest. Returns how many looks it has taken.
    pub fn advance(&mut self, slice: u64) -> u64 {
        self.tick += 1;
        let unfinished = self.kept.iter().filter(|(_, kept)| !kept.field.is_complete());
        let mut order: Vec<(u64, FlowId)> = unfinished
            .map(|(&id, kept)| (u64::MAX - kept.asked.load(Ordering::Relaxed), id))
            .collect();
        order.sort_unstable();
        let mut left = slice;
        for (_, id) in order {
            let Some(kept) = self.kept.get_mut(&id) else { continue };
            while left > 0 && !kept.field.is_complete() {
                left -= kept.field.advance(left);
            }
        }
        slice - left
    }

    /// Whether everything is settled in all fields.
    pub fn is_complete(&self) -> bool {
        self.kept.values().all(|kept| kept.field.is_complete())
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// The bytes that fields may take together.
    pub fn bytes_max(&self) -> usize {
        self.bytes_max
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Bytes held, beside the snapshot of the grid.
    pub fn memory_bytes(&self) -> usize {
        self.kept.values().map(|kept| kept.field.memory_bytes()).sum()
    }
}

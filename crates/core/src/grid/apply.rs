//! Making the changes of a batch, and keeping bits and counts in step with them.

use super::edit::{ChangeList, Edit, Paint};
use super::ground::Ground;
use super::{
    Batch, Board, Cell, CellRect, CellState, Change, Domain, EditError, Edition, Grid, LinkProblem,
};
use std::sync::Arc;

impl Grid {
    /// Makes all changes of a batch, or none. Returns the cells that now differ, in rectangles of cells that changed
    /// alike and in the order of the batch; a cell that the batch changes twice occurs twice. The revision goes up by one, or
    /// stays if nothing differs. O(cells of the batch's rectangles).
    ///
    /// Fails with an [`EditError`] if a cell lies outside the map, or if a surcharge is for a kind of agent that does not exist.
    pub fn apply(&mut self, batch: &Batch) -> Result<Vec<Change>, EditError> {
        Self::apply_to_all(std::slice::from_mut(self), batch)
    }

    /// Makes all changes of a batch in all grids of one map, each for another kind of agent: one batch, one revision
    /// for all kinds. Time and errors are those of [`Grid::apply`]. See [`Grid::another_kind`] for an example.
    pub fn apply_to_all(kinds: &mut [Self], batch: &Batch) -> Result<Vec<Change>, EditError> {
        let Some(first) = kinds.first() else { return Ok(Vec::new()) };
        batch.check(first.extent(), |kind| kinds.iter().any(|grid| grid.kind == kind))?;
        Self::check_links(kinds, batch)?;
        // All let go of the ground: where no snapshot holds it either, it is changed in place.
        let mut shared = Arc::clone(&first.ground);
        kinds.iter_mut().for_each(|grid| grid.ground = Ground::nowhere());
        let ground = Arc::make_mut(&mut shared);
        let mut changes = ChangeList::default();
        for edit in &batch.edits {
            changes.begin_edit(edit.rect);
            for y in edit.rect.min().y..=edit.rect.max().y {
                Self::apply_to_row(kinds, ground, edit, y, &mut changes);
            }
        }
        let changes = changes.finish();
        for grid in kinds {
            grid.ground = Arc::clone(&shared);
            if !changes.is_empty() {
                grid.has_own_costs = grid.place_costs.is_some() || !grid.own_surcharges.is_empty();
                let mut places: Vec<CellRect> = match grid.place_costs.is_some() {
                    true => grid.follow_places(&changes),
                    false => {
                        grid.follow_bits(&changes);
                        changes.iter().map(|change| change.rect).collect()
                    }
                };
                grid.cost_range = grid.find_cost_range();
                places.extend(grid.follow_links(&changes).into_iter().map(CellRect::from));
                places.extend(grid.follow_exits(&changes));
                grid.follow_level_ground(places.iter().copied());
                grid.revision.0 += 1;
                grid.edition = Edition::new();
                grid.follow_connectivity(&changes);
            }
        }
        Ok(changes)
    }

    /// Makes one edit in one row, by runs of cells that are alike.
    fn apply_to_row(
        kinds: &mut [Self],
        ground: &mut Ground,
        edit: &Edit,
        y: u32,
        changes: &mut ChangeList,
    ) {
        let last = edit.rect.max().x;
        let mut x = edit.rect.min().x;
        while x <= last {
            let rest = CellRect::new((x, y), (last, y));
            let (run, change) = match (edit.kind, edit.paint) {
                (Some(kind), Paint::Surcharge(amount)) => {
                    let grid = kinds.iter_mut().find(|grid| grid.kind == kind);
                    grid.map_or((rest, None), |grid| grid.own_surcharge(rest, ground, amount))
                }
                (_, paint) => ground.paint(rest, paint),
            };
            if let Some(change) = change {
                kinds.iter_mut().for_each(|grid| grid.follow(&change, ground));
                changes.push(change);
            }
            x = run.max().x + 1;
        }
    }

    /// Whether the links of a batch can be opened and closed: also such as an earlier edit of the same batch makes possible.
    fn check_links(kinds: &[Self], batch: &Batch) -> Result<(), EditError> {
        let is_link = |paint| matches!(paint, Paint::Link { .. } | Paint::RestoredLink(_));
        if !batch.edits.iter().any(|edit| is_link(edit.paint)) {
            return Ok(());
        }
        let Some(first) = kinds.first() else { return Ok(()) };
        let mut links = first.map().links().clone();
        for (at, edit) in batch.edits.iter().enumerate() {
            let (link, opened) = match edit.paint {
                Paint::Link { link, opened } => (link, opened),
                Paint::RestoredLink(link) => {
                    links.open(link);
                    continue;
                }
                _ => continue,
            };
            if !opened {
                let missing = EditError::Link { link, problem: LinkProblem::Missing };
                links.close(link).then_some(()).ok_or(missing)?;
                continue;
            }
            links.open(link);
            let painted = |cell: Cell| {
                let earlier = batch.edits[..at].iter().rev();
                let mut earlier = earlier.filter(|edit| edit.rect.contains(cell));
                earlier.find_map(|edit| match edit.paint {
                    Paint::Terrain(terrain) => Some(terrain),
                    _ => None,
                })
            };
            let stands = |grid: &Self, cell: Cell| match painted(cell) {
                Some(terrain) => grid.movement.profile().domain_of(terrain).is_some(),
                None => grid.ground_footing(cell).is_some(),
            };
            let is_for = |grid: &&Self| link.kind.is_none_or(|kind| kind == grid.kind);
            let blocked =
                |cell: &Cell| !kinds.iter().filter(is_for).any(|grid| stands(grid, *cell));
            if let Some(cell) = [link.from, link.to].into_iter().find(blocked) {
                return Err(EditError::Link { link, problem: LinkProblem::Blocked { cell } });
            }
        }
        Ok(())
    }

    /// Changes what the first cells of a row cost this kind alone, as far as they are alike. Returns them, and the change;
    /// `None` if they cost that already.
    fn own_surcharge(
        &mut self,
        row: CellRect,
        ground: &Ground,
        amount: u16,
    ) -> (CellRect, Option<Change>) {
        let (run, before) = ground.alike(row, &self.own_surcharges);
        if before.surcharge == amount {
            return (run, None);
        }
        let extent = ground.map.extent();
        for cell in run.cells() {
            self.own_surcharges.set(extent.cell_count(), extent.id_inside(cell), amount);
        }
        let after = CellState { surcharge: amount, ..before };
        (run, Some(Change { rect: run, kind: Some(self.kind), before, after, link: None }))
    }

    /// Keeps the count of surcharges in step with cells that have just changed.
    fn follow(&mut self, change: &Change, ground: &Ground) {
        if !self.is_concerned_by(change) || self.place_costs.is_some() {
            return;
        }
        let [old, new] = self.domains_of(change);
        let paid = |domain: Option<Domain>, state: CellState, other: u16| {
            domain.map_or(0, |_| state.surcharge.saturating_add(other))
        };
        // The part of the surcharge that the change is not about.
        let is_all = match change.kind {
            None => self.own_surcharges.is_empty(),
            Some(_) => ground.surcharges.is_empty(),
        };
        if is_all {
            let cells = change.rect.cell_count() as u32;
            self.count_surcharges(paid(old, change.before, 0), paid(new, change.after, 0), cells);
            return;
        }
        for cell in change.rect.cells() {
            let id = ground.map.extent().id_inside(cell);
            let other = match change.kind {
                None => self.own_surcharges.at(id),
                Some(_) => ground.surcharges.at(id),
            };
            self.count_surcharge(paid(old, change.before, other), paid(new, change.after, other));
        }
    }

    /// The domains that the cells of a change were in, and are in now.
    fn domains_of(&self, change: &Change) -> [Option<Domain>; 2] {
        let profile = self.movement.profile();
        [change.before, change.after].map(|state| profile.domain_of(state.terrain))
    }

    /// Keeps the bits in step with all changes of a batch, rectangle by rectangle. Where that would be slower, the columns
    /// are found from the rows again.
    fn follow_bits(&mut self, changes: &[Change]) {
        let mut columns = 0;
        for change in changes {
            let [old, new] = self.domains_of(change);
            if old != new {
                fill(&mut self.boards, change.rect, old, new);
                columns += u64::from(change.rect.max().x - change.rect.min().x) + 1;
            }
        }
        let extent = self.extent();
        if columns > (extent.cell_count() as u64 / COLUMNS_SHARE).max(COLUMNS_FEW) {
            let rows = self.boards.iter();
            self.column_boards = rows.map(|board| board.transposed(extent)).collect();
            return;
        }
        for change in changes.iter().filter(|_| columns > 0) {
            let [old, new] = self.domains_of(change);
            if old != new {
                let across = |cell: Cell| Cell { x: cell.y, y: cell.x };
                let rect = CellRect::new(across(change.rect.min()), across(change.rect.max()));
                fill(&mut self.column_boards, rect, old, new);
            }
        }
    }

    /// Counts what an enterable cell costs on top of its terrain, before and after a change; 0 for others.
    pub(super) fn count_surcharge(&mut self, before: u16, after: u16) {
        self.count_surcharges(before, after, 1);
    }

    /// The same for several cells that are alike.
    fn count_surcharges(&mut self, before: u16, after: u16, cells: u32) {
        if before == after {
            return;
        }
        if after > 0 {
            *self.surcharge_counts.entry(after).or_default() += cells;
        }
        if let Some(count) = self.surcharge_counts.get_mut(&before) {
            *count -= cells;
            if *count == 0 {
                self.surcharge_counts.remove(&before);
            }
        }
    }

    pub(super) fn set_bit(&mut self, domain: Domain, cell: Cell, value: bool) {
        self.boards[domain.index()].set(cell, value);
        self.column_boards[domain.index()].set(Cell { x: cell.y, y: cell.x }, value);
    }
}

/// With more columns of changed rectangles than one for so many cells of the map, the bits in columns are found again:
/// a tile of 64 × 64 bits is transposed in the time of about as many single ones.
const COLUMNS_SHARE: u64 = 64;
/// So many columns are always set one by one.
const COLUMNS_FEW: u64 = 64;

/// Moves the cells of a rectangle from one domain to another.
fn fill(boards: &mut [Board], rect: CellRect, from: Option<Domain>, to: Option<Domain>) {
    from.into_iter().for_each(|domain| boards[domain.index()].fill(rect, false));
    to.into_iter().for_each(|domain| boards[domain.index()].fill(rect, true));
}

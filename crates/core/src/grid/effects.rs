//! What changes of the map mean to one kind of agent.

use super::footprint::{places_over, visit_places};
use super::{Cell, CellRect, CellState, Change, Domain, Grid, LinkChange, Terrain};
use std::collections::BTreeMap;

/// From so many changed cells on, effects are found by rectangles.
const MANY_CELLS: u64 = 4096;

/// What agents find on a place where they can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Footing {
    /// The domain, which paths do not leave.
    pub domain: Domain,
    /// What the place costs.
    pub cost: u32,
}

/// Places that an edit has made others for a kind of agent: they can be entered now, or no longer, lie in another
/// domain, or cost something else; or borders and heights around them have changed. They form a rectangle, and are alike.
/// From [`Grid::effects_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellEffect {
    /// Which places.
    pub rect: CellRect,
    /// What agents found on each of them; `None` if they could not stand there.
    pub before: Option<Footing>,
    /// What they find there now.
    pub after: Option<Footing>,
    /// Whether they are as before, and only steps from or to them may be others, since a border or a height has changed.
    pub steps_alone: bool,
}

impl CellEffect {
    /// The places, row by row. See [`Grid::effects_of`] for an example.
    pub fn places(&self) -> impl Iterator<Item = Cell> + use<> {
        self.rect.cells()
    }

    /// Whether the places can be entered or not as before, in the same domain, and only cost something else.
    pub fn is_cost_alone(&self) -> bool {
        let domain = |footing: Option<Footing>| footing.map(|footing| footing.domain);
        domain(self.before) == domain(self.after) && !self.steps_alone
    }
}

/// What a cell was before some changes.
struct Former {
    cell: Cell,
    terrain: Terrain,
    /// What all kinds paid on top, and what the grid's own kind did; `None` if no change was about it.
    surcharge: Option<u16>,
    own_surcharge: Option<u16>,
}

impl Former {
    /// What a cell of a change was before it.
    fn of(change: &Change, cell: Cell) -> Self {
        let surcharge = Some(change.before.surcharge);
        let (surcharge, own_surcharge) = match change.kind {
            None => (surcharge, None),
            Some(_) => (None, surcharge),
        };
        Self { cell, terrain: change.before.terrain, surcharge, own_surcharge }
    }
}

impl Grid {
    /// What changes have made of the places where agents of this kind stand, each place once, by their top left corners
    /// in the order of rows; places that are as before are left out. A place that costs something else, and whose steps may be others
    /// as well, occurs for both. `changes` are all that this grid differs by from what it was before, in
    /// their order. One cell is under up to [`Footprint::SIZE_MAX`](super::Footprint::SIZE_MAX)² places of large agents.
    /// O(changes · size²), and a sort.
    ///
    /// ```
    /// use highroad::{Cell, Terrain};
    /// use highroad::grid::{Batch, CellEffect, Footing, Footprint, Grid, Movement};
    /// let wide = Movement::default().with_footprint(Footprint::new(2)?);
    /// let mut grid = Grid::new("....\n....\n....\n".parse()?, wide);
    /// let changes = grid.apply(Batch::new().set((3, 0), Terrain::WALL))?;
    /// let effects: Vec<CellEffect> = grid.effects_of(&changes);
    /// assert_eq!(effects.len(), 1, "of the places over (3, 0) only (2, 0) was inside the map");
    /// assert_eq!(effects[0].places().collect::<Vec<_>>(), [Cell::new(2, 0)]);
    /// assert_eq!(effects[0].after, None);
    /// assert!(!effects[0].is_cost_alone());
    /// let beside: Option<Footing> = grid.footing(Cell::new(1, 0));
    /// assert_eq!(effects[0].before, beside, "it was like its neighbour");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn effects_of(&self, changes: &[Change]) -> Vec<CellEffect> {
        if let [change] = changes
            && change.rect.single().is_some()
            && self.movement.footprint().is_cell()
            && !change.is_of_relief()
            && self.ground.map.links().all().is_empty()
        {
            return self.effect_of_one(change).into_iter().collect();
        }
        let mut effects =
            self.effects_of_many(changes).unwrap_or_else(|| self.effects_of_few(changes));
        let far_ends = self.far_ends(changes);
        if !far_ends.is_empty() || changes.iter().any(|change| change.is_of_relief()) {
            self.add_other_steps(changes, &far_ends, &mut effects);
        }
        effects
    }

    /// Adds the places around which borders or heights have changed, or where links lead now that did not, and that are as
    /// before.
    fn add_other_steps(&self, changes: &[Change], linked: &[Cell], effects: &mut Vec<CellEffect>) {
        let of_relief = changes.iter().filter(|change| change.is_of_relief());
        let rects = of_relief.flat_map(|change| match change.link {
            Some(LinkChange { link, .. }) => [link.from.into(), link.to.into()],
            None => [change.rect.with_ring(); 2],
        });
        let rects = rects.chain(linked.iter().map(|&cell| CellRect::from(cell)));
        let mut reached: Vec<CellEffect> = Vec::new();
        for run in places_over(self.movement.footprint(), rects) {
            for cell in CellRect::new((run.first, run.y), (run.last, run.y)).cells() {
                if let Some(footing) = self.footing(cell).map(Some) {
                    let (before, after, rect) = (footing, footing, cell.into());
                    reached.push(CellEffect { rect, before, after, steps_alone: true });
                }
            }
        }
        // Whoever looks at costs alone must hear of the steps, too.
        let other = effects.iter().filter(|effect| !effect.is_cost_alone());
        let known: Vec<CellRect> = other.map(|effect| effect.rect).collect();
        let is_known = |cell: Cell| match known.iter().all(|rect| rect.cell_count() == 1) {
            true => {
                known.binary_search_by_key(&(cell.y, cell.x), |at| (at.min().y, at.min().x)).is_ok()
            }
            false => known.iter().any(|rect| rect.contains(cell)),
        };
        reached.retain(|effect| !is_known(effect.rect.min()));
        effects.append(&mut reached);
        effects.sort_by_key(|effect| (effect.rect.min().y, effect.rect.min().x));
    }

    fn effects_of_few(&self, changes: &[Change]) -> Vec<CellEffect> {
        let former = self.former(changes);
        let mut effects = Vec::new();
        let mut note = |cell: Cell, before: Option<Footing>| {
            let after = self.footing(cell);
            if before != after {
                let rect = cell.into();
                effects.push(CellEffect { rect, before, after, steps_alone: false });
            }
        };
        let footprint = self.movement.footprint();
        if footprint.is_cell() {
            former.iter().for_each(|cell| note(cell.cell, self.former_footing(cell)));
            return effects;
        }
        let before = |cell: Cell| match former
            .binary_search_by_key(&(cell.y, cell.x), |at| (at.cell.y, at.cell.x))
        {
            Ok(at) => self.former_footing(&former[at]),
            Err(_) => self.ground_footing(cell),
        };
        for run in places_over(footprint, former.iter().map(|former| former.cell.into())) {
            visit_places(footprint, run, before, &mut note);
        }
        effects
    }

    /// What the change of one cell means to agents of one cell: what edits mostly are.
    fn effect_of_one(&self, change: &Change) -> Option<CellEffect> {
        let cell = change.rect.min();
        if !self.is_concerned_by(change) || !self.extent().contains(cell) {
            return None;
        }
        let (before, after) = (self.former_footing(&Former::of(change, cell)), self.footing(cell));
        let (rect, steps_alone) = (cell.into(), false);
        (before != after).then_some(CellEffect { rect, before, after, steps_alone })
    }

    /// The same for large changes, rectangle by rectangle instead of cell by cell; `None` where that does not do: where a
    /// cell has changed more than once, or is more than one place of large agents.
    fn effects_of_many(&self, changes: &[Change]) -> Option<Vec<CellEffect>> {
        let simple = self.movement.footprint().is_cell() && self.own_surcharges.is_empty();
        let shared = |change: &Change| change.kind.is_none();
        if Change::cell_count(changes) < MANY_CELLS || !simple || !changes.iter().all(shared) {
            return None;
        }
        let profile = self.movement.profile();
        let footing = |state: CellState| {
            let domain = profile.domain_of(state.terrain)?;
            let cost = u32::from(profile.raw_cost(state.terrain)) + u32::from(state.surcharge);
            Some(Footing { domain, cost })
        };
        let effect = |change: &Change| {
            let (before, after) = (footing(change.before), footing(change.after));
            let rect = change.rect.overlap(&self.extent().rect())?;
            (before != after).then_some(CellEffect { rect, before, after, steps_alone: false })
        };
        let mut rects: Vec<CellRect> = changes.iter().map(|change| change.rect).collect();
        rects.sort_unstable_by_key(|rect| (rect.min().y, rect.min().x));
        if !are_apart(&rects) {
            return None;
        }
        let mut effects: Vec<CellEffect> = changes.iter().filter_map(effect).collect();
        effects.sort_unstable_by_key(|effect| (effect.rect.min().y, effect.rect.min().x));
        Some(effects)
    }

    /// What the cells were that changes are about and that lie inside, each once, in the order of rows.
    fn former(&self, changes: &[Change]) -> Vec<Former> {
        let concerning = changes.iter().filter(|change| self.is_concerned_by(change));
        let inside = concerning.filter_map(|change| {
            let inside = change.rect.overlap(&self.extent().rect())?;
            Some(inside.cells().map(move |cell| (change, cell)))
        });
        let mut cells: Vec<Former> =
            inside.flatten().map(|(change, cell)| Former::of(change, cell)).collect();
        // Stable: the first change of a cell says what it was.
        cells.sort_by_key(|former| (former.cell.y, former.cell.x));
        cells.dedup_by(|later, first| {
            let same = later.cell == first.cell;
            if same {
                first.surcharge = first.surcharge.or(later.surcharge);
                first.own_surcharge = first.own_surcharge.or(later.own_surcharge);
            }
            same
        });
        cells
    }

    /// What a single cell was to the agents.
    fn former_footing(&self, former: &Former) -> Option<Footing> {
        let profile = self.movement.profile();
        let domain = profile.domain_of(former.terrain)?;
        let id = self.extent().id_inside(former.cell);
        let shared = former.surcharge.unwrap_or_else(|| self.ground.surcharges.at(id));
        let own = former.own_surcharge.unwrap_or_else(|| self.own_surcharges.at(id));
        let surcharge = u32::from(shared.saturating_add(own));
        Some(Footing { domain, cost: u32::from(profile.raw_cost(former.terrain)) + surcharge })
    }

    /// What a single cell is to the agents, however many they cover; `None` outside the map.
    pub(super) fn ground_footing(&self, cell: Cell) -> Option<Footing> {
        let id = self.extent().id(cell)?;
        let terrain = self.ground.map.terrain_at(id);
        let domain = self.movement.profile().domain_of(terrain)?;
        let cost = u32::from(self.movement.profile().raw_cost(terrain));
        Some(Footing { domain, cost: cost + u32::from(self.surcharge_at(id)) })
    }

    /// The places on which an agent covers a cell, or any of a rectangle of cells; they may lie outside the map.
    ///
    /// ```
    /// use highroad::{Cell, CellRect};
    /// use highroad::grid::{Footprint, Grid, Movement};
    /// let wide = Movement::default().with_footprint(Footprint::new(3)?);
    /// let grid = Grid::new("....\n....\n....\n....\n".parse()?, wide);
    /// assert_eq!(grid.places_over(Cell::new(3, 1)), CellRect::new((1, 0), (3, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn places_over(&self, cells: impl Into<CellRect>) -> CellRect {
        let cells = cells.into();
        let reach = u32::from(self.movement.footprint().size() - 1);
        let first = |at: u32| at.saturating_sub(reach);
        CellRect::new((first(cells.min().x), first(cells.min().y)), cells.max())
    }

    /// The places whose steps a change may have made others: those over its cells, and where borders or heights have
    /// changed also those beside them. For a link, all between its ends. They may lie outside the map.
    ///
    /// ```
    /// use highroad::{Cell, CellRect};
    /// use highroad::grid::{Batch, Border, Grid};
    /// let mut grid = Grid::with_defaults("....\n....\n....\n".parse()?);
    /// let changes = grid.apply(Batch::new().border((1, 1), (2, 1), Border::Closed))?;
    /// assert_eq!(grid.places_touched_by(&changes[0]), CellRect::new((0, 0), (2, 2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn places_touched_by(&self, change: &Change) -> CellRect {
        match change.link {
            Some(LinkChange { link, .. }) => CellRect::new(link.from, link.to),
            None if change.is_of_relief() => self.places_over(change.rect.with_ring()),
            None => self.places_over(change.rect),
        }
    }

    /// What agents find on a place; `None` where they cannot stand.
    pub fn footing(&self, cell: Cell) -> Option<Footing> {
        let domain = self.domain_of(cell)?;
        Some(Footing { domain, cost: self.cost_at(self.extent().id_inside(cell)) })
    }
}

/// Whether no two of some rectangles overlap, which are sorted by their first rows. O(n · log n).
fn are_apart(rects: &[CellRect]) -> bool {
    // Those that reach the row, by their first columns: their last columns and rows.
    let mut active: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
    for rect in rects {
        let (min, max) = (rect.min(), rect.max());
        // The last that begins at or before the right end may reach into it; if it has ended above, the one before may.
        while let Some((&first, &(last, bottom))) = active.range(..=max.x).next_back() {
            if last < min.x {
                break;
            }
            if bottom >= min.y {
                return false;
            }
            active.remove(&first);
        }
        active.insert(min.x, (max.x, max.y));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Batch, GridMap};

    #[test]
    fn rectangles_are_apart_exactly_if_no_cell_lies_in_two() {
        let mut seed = 5u64;
        let mut below = |limit: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as u32 % limit
        };
        let mut apart = 0;
        for _ in 0..3000 {
            let mut rects: Vec<CellRect> = (0..1 + below(5))
                .map(|_| {
                    let (x, y) = (below(9), below(9));
                    CellRect::new((x, y), (x + below(3), y + below(4)))
                })
                .collect();
            rects.sort_unstable_by_key(|rect| (rect.min().y, rect.min().x));
            let mut cells: Vec<Cell> = rects.iter().flat_map(CellRect::cells).collect();
            let count = cells.len();
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(are_apart(&rects), cells.len() == count, "{rects:?}");
            apart += u32::from(cells.len() == count);
        }
        assert!((500..2500).contains(&apart), "{apart}");
    }

    /// Large changes are looked at by rectangles, small ones by cells: both say the same.
    #[test]
    fn large_changes_have_the_effects_of_their_cells() {
        let map = GridMap::from_fn(120, 90, |Cell { x, y }| match (x * 7 + y * 5) % 11 {
            0 => Terrain::WALL,
            1 | 2 => Terrain::WATER,
            _ => Terrain::GROUND,
        });
        let before = Grid::with_defaults(map.unwrap());
        let mut grid = before.clone();
        let mut batch = Batch::new();
        batch.fill(CellRect::new((3, 4), (110, 80)), Terrain::SWAMP);
        let changes = grid.apply(&batch).unwrap();
        let effects = grid.effects_of_many(&changes).expect("they are many, and apart");
        let mut cells: Vec<(Cell, Option<Footing>, Option<Footing>)> = effects
            .iter()
            .flat_map(|effect| effect.places().map(|cell| (cell, effect.before, effect.after)))
            .collect();
        cells.sort_unstable_by_key(|(cell, ..)| (cell.y, cell.x));
        let differing =
            grid.extent().cells().filter(|&cell| before.footing(cell) != grid.footing(cell));
        let expected: Vec<_> =
            differing.map(|cell| (cell, before.footing(cell), grid.footing(cell))).collect();
        assert_eq!(cells, expected);
        // A cell that has changed twice is looked at by itself.
        batch.fill(CellRect::new((100, 70), (112, 85)), Terrain::WALL);
        let mut twice = before.clone();
        let changes = twice.apply(&batch).unwrap();
        assert_eq!(twice.effects_of_many(&changes), None);
        let differs = |cell: &Cell| before.footing(*cell) != twice.footing(*cell);
        let count = twice.extent().cells().filter(differs).count();
        assert_eq!(twice.effects_of(&changes).len(), count);
    }
}

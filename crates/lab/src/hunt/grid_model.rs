//! The model of a grid: plain arrays, and the oracle of the suite on them.

use super::model::{Distances, Model};
use super::program::{Crossing, Edit, GridSetting, KindSetting, LinkSetting};
use highroad::grid::{
    Batch, Border, BorderSide, Domain, Footprint, FootprintCost, Grid, KindId, Link, Movement,
    MovementRule, PaidCells, Profile, Slopes, StepCosts,
};
use highroad::{Cell, CellRect, GridMap, PathWorld, Terrain};
use highroad_suite::{Measure, Oracle, remoteness};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A grid: terrain, borders, heights and links, and surcharges for all kinds and for each.
#[derive(Clone)]
pub(super) struct GridModel {
    map: GridMap,
    movements: Vec<Movement>,
    shared: BTreeMap<Cell, u16>,
    own: Vec<BTreeMap<Cell, u16>>,
}

impl GridModel {
    pub(super) fn new(setting: &GridSetting) -> Result<Self, String> {
        let map: GridMap = setting.rows.join("\n").parse().map_err(|e| format!("the map: {e}"))?;
        let movements = setting.kinds.iter().map(movement).collect::<Result<Vec<_>, _>>()?;
        let own = vec![BTreeMap::new(); movements.len()];
        let mut model = Self { map, movements, shared: BTreeMap::new(), own };
        // A map has no surcharges; what else it cannot have is left out.
        for edit in setting.ground.iter().filter(|edit| !matches!(edit, Edit::Surcharge(..))) {
            model.make(edit);
        }
        Ok(model)
    }

    pub(super) fn map(&self) -> &GridMap {
        &self.map
    }

    pub(super) fn movements(&self) -> &[Movement] {
        &self.movements
    }

    fn surcharges(&self, kind: u16) -> BTreeMap<Cell, u16> {
        let mut all = self.shared.clone();
        for (&cell, &amount) in &self.own[usize::from(kind)] {
            let sum = all.entry(cell).or_insert(0);
            *sum = sum.saturating_add(amount);
        }
        all
    }

    /// How many columns and rows a cell is away from an agent of a kind, which covers a square.
    fn apart(&self, kind: u16, at: Cell, place: Cell) -> (u32, u32) {
        let side = u32::from(self.movements[usize::from(kind)].footprint().size());
        let gap =
            |from: u32, to: u32| from.saturating_sub(to) + (to + 1).saturating_sub(from + side);
        (gap(at.x, place.x), gap(at.y, place.y))
    }

    /// The map with the links for a kind alone, which are for all kinds then.
    fn map_of(&self, kind: u16) -> Cow<'_, GridMap> {
        if self.map.link_list().iter().all(|link| link.kind.is_none()) {
            return Cow::Borrowed(&self.map);
        }
        let mut map = self.map.clone();
        for &link in self.map.link_list() {
            map.remove_link(link);
            if link.kind.is_none_or(|of| of == KindId(kind)) {
                // It was checked when it was opened.
                _ = map.add_link(Link { kind: None, ..link });
            }
        }
        Cow::Owned(map)
    }

    fn link(&self, link: LinkSetting) -> Link {
        Link {
            from: self.place(link.from),
            to: self.place(link.to),
            cost: link.cost,
            both_ways: link.both_ways,
            kind: link.kind.map(KindId),
        }
    }

    /// Makes one edit. Returns whether it could be made; what it has done until then does not matter.
    fn make(&mut self, edit: &Edit) -> bool {
        match *edit {
            Edit::Fill(from, to, letter) => {
                let paint = terrain(letter).unwrap_or(Terrain::WALL);
                self.each(from, to, |model, cell| model.map.set(cell, paint).is_some())
            }
            Edit::Surcharge(kind, from, to, amount) => self.each(from, to, |model, cell| {
                let table = match kind {
                    Some(kind) => model.own.get_mut(usize::from(kind)),
                    None => Some(&mut model.shared),
                };
                table.is_some_and(|table| {
                    table.insert(cell, amount);
                    model.map.extent().contains(cell)
                })
            }),
            Edit::Height(from, to, height) => self.each(from, to, |model, cell| {
                model.map.set_height(cell, height);
                model.map.extent().contains(cell)
            }),
            Edit::Borders(from, to, is_south, crossing) => self.each(from, to, |model, cell| {
                model.map.set_border(cell, side(is_south), border(crossing));
                model.map.border(cell, side(is_south)).is_some()
            }),
            Edit::Border(from, to, crossing) => self.set_border(from, to, border(crossing)),
            Edit::OpenLink(link) => {
                let kinds = match link.kind {
                    Some(kind) => kind..kind.saturating_add(1).min(self.kinds()),
                    None => 0..self.kinds(),
                };
                let stands = |kind: u16, number: u32| {
                    let terrain = self.map.terrain(self.place(number));
                    let profile = self.movements[usize::from(kind)].profile();
                    terrain.is_some_and(|terrain| profile.domain_of(terrain).is_some())
                };
                let stands = |number| kinds.clone().any(|kind| stands(kind, number));
                let fits = stands(link.from) && stands(link.to);
                let link = self.link(link);
                fits && self.map.add_link(link).is_ok()
            }
            Edit::CloseLink(link) => {
                let known = link.kind.is_none_or(|kind| kind < self.kinds());
                let link = self.link(link);
                known && self.map.remove_link(link)
            }
            _ => true,
        }
    }

    /// Does something to each cell of the rectangle between two. Returns whether it could be done to all.
    fn each(&mut self, from: u32, to: u32, mut act: impl FnMut(&mut Self, Cell) -> bool) -> bool {
        let rect = CellRect::new(self.place(from), self.place(to));
        rect.cells().all(|cell| act(self, cell))
    }

    fn set_border(&mut self, from: u32, to: u32, border: Border) -> bool {
        let (from, to) = (self.place(from), self.place(to));
        let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
        let (cell, side, border) = match (dx, dy) {
            (1, 0) => (from, BorderSide::East, border),
            (0, 1) => (from, BorderSide::South, border),
            (-1, 0) => (to, BorderSide::East, border.reversed()),
            (0, -1) => (to, BorderSide::South, border.reversed()),
            _ => return false,
        };
        self.map.set_border(cell, side, border);
        self.map.border(cell, side).is_some()
    }

    fn with_oracle<T>(&self, kind: u16, ask: impl FnOnce(Oracle<'_>) -> T) -> T {
        let movement = &self.movements[usize::from(kind)];
        ask(Oracle {
            map: &self.map_of(kind),
            profile: movement.profile(),
            footprint: movement.footprint(),
            rule: movement.rule(),
            steps: movement.steps(),
            paid: movement.paid_cells(),
            slopes: movement.slopes(),
            surcharges: &self.surcharges(kind),
        })
    }
}

fn movement(kind: &KindSetting) -> Result<Movement, String> {
    let mut profile = Profile::movingai();
    for &(letter, cost) in &kind.costs {
        profile = profile.with_cost(terrain(letter)?, cost).map_err(|e| e.to_string())?;
    }
    for letter in kind.water.chars() {
        profile = profile.with_domain(terrain(letter)?, Domain::WATER);
    }
    let rule = MovementRule::from_name(&kind.rule).ok_or("there is no such rule")?;
    let steps = StepCosts::new(kind.steps.0, kind.steps.1).map_err(|e| e.to_string())?;
    let movement = Movement::new(profile, rule, steps).map_err(|e| e.to_string())?;
    let footprint = Footprint::new(kind.size).map_err(|e| e.to_string())?;
    let cost = if kind.mean { FootprintCost::Mean } else { FootprintCost::Max };
    let movement = movement.with_footprint(footprint.with_cost(cost));
    let movement =
        if kind.entered { movement.with_paid_cells(PaidCells::Entered) } else { movement };
    let Some(slope) = kind.slope else { return Ok(movement) };
    let slopes = Slopes::new().with_climb_max(slope.climb).with_drop_max(slope.drop);
    let slopes = slopes.with_uphill(slope.up).with_downhill(slope.down);
    movement.with_slopes(slopes).map_err(|e| e.to_string())
}

fn border(crossing: Crossing) -> Border {
    match crossing {
        Crossing::Open => Border::Open,
        Crossing::Closed => Border::Closed,
        Crossing::Onwards => Border::OneWay,
        Crossing::Back => Border::OneWayBack,
    }
}

fn side(is_south: bool) -> BorderSide {
    if is_south { BorderSide::South } else { BorderSide::East }
}

fn terrain(letter: char) -> Result<Terrain, String> {
    let byte = u8::try_from(letter).ok();
    byte.and_then(Terrain::from_letter).ok_or_else(|| format!("'{letter}' is no terrain"))
}

impl Model for GridModel {
    type World = Grid;

    fn place(&self, number: u32) -> Cell {
        let width = self.map.extent().width();
        Cell::new(number % width, number / width)
    }

    fn batch(&self, edits: &[Edit]) -> Batch {
        let mut batch = Batch::new();
        for edit in edits {
            match *edit {
                Edit::Fill(from, to, letter) => {
                    let rect = CellRect::new(self.place(from), self.place(to));
                    batch.fill(rect, terrain(letter).unwrap_or(Terrain::WALL));
                }
                Edit::Surcharge(kind, from, to, amount) => {
                    let rect = CellRect::new(self.place(from), self.place(to));
                    match kind {
                        Some(kind) => batch.surcharge_for(KindId(kind), rect, amount),
                        None => batch.surcharge(rect, amount),
                    };
                }
                Edit::Height(from, to, height) => {
                    let rect = CellRect::new(self.place(from), self.place(to));
                    batch.height(rect, height);
                }
                Edit::Borders(from, to, is_south, crossing) => {
                    let rect = CellRect::new(self.place(from), self.place(to));
                    batch.borders(rect, side(is_south), border(crossing));
                }
                Edit::Border(from, to, crossing) => {
                    batch.border(self.place(from), self.place(to), border(crossing));
                }
                Edit::OpenLink(link) => _ = batch.open_link(self.link(link)),
                Edit::CloseLink(link) => _ = batch.close_link(self.link(link)),
                _ => {}
            }
        }
        batch
    }

    fn apply(&mut self, edits: &[Edit]) -> bool {
        let mut changed = self.clone();
        let fits = edits.iter().all(|edit| changed.make(edit));
        if fits {
            *self = changed;
        }
        fits
    }

    fn may_stand(&self, kind: u16, place: Cell) -> bool {
        self.with_oracle(kind, |oracle| oracle.may_stand(place))
    }

    fn distances(&self, kind: u16, starts: &[Cell]) -> Distances<Cell> {
        let reach = self.with_oracle(kind, |oracle| oracle.reach(starts, Measure::Cost));
        let cells = self.map.extent().cells();
        cells.filter_map(|cell| Some((cell, reach.distance(cell)?))).collect()
    }

    fn walk(&self, kind: u16, places: &[Cell]) -> Option<u64> {
        self.with_oracle(kind, |oracle| oracle.walk(places))
    }

    fn remoteness(&self, place: Cell, goals: &[Cell]) -> Option<u64> {
        remoteness(place, goals)
    }

    fn exists(&self, place: Cell) -> bool {
        self.map.extent().contains(place)
    }

    fn without(&self, places: &[Cell]) -> Self {
        let mut blocked = self.clone();
        for &place in places.iter().filter(|&&place| self.exists(place)) {
            blocked.map.set(place, Terrain::WALL);
        }
        blocked
    }

    fn covers(&self, kind: u16, at: Cell, place: Cell) -> bool {
        self.apart(kind, at, place) == (0, 0)
    }

    fn beside(&self, kind: u16, place: Cell) -> Vec<Cell> {
        let four_way = self.movements[usize::from(kind)].rule() == MovementRule::FourWay;
        let mut cells: Vec<Cell> = self.map.extent().cells().collect();
        cells.retain(|cell| {
            let (columns, rows) = self.apart(kind, *cell, place);
            let beside = if four_way { columns + rows == 1 } else { columns.max(rows) == 1 };
            beside && self.may_stand(kind, *cell)
        });
        cells
    }

    fn is_near(&self, one: Cell, other: Cell, margin: u32) -> bool {
        one.x.abs_diff(other.x).max(one.y.abs_diff(other.y)) <= margin
    }

    fn kinds(&self) -> u16 {
        self.movements.len() as u16
    }

    fn compare(&self, world: &PathWorld) -> Result<(), String> {
        for (kind, _) in world.kinds() {
            let grid = world.environment_of(kind).ok_or("a kind has no grid")?;
            let links = self.map.link_list();
            if grid.map().link_list() != links {
                return Err(format!("the links should be {links:?}"));
            }
            let surcharges = self.surcharges(kind.0);
            for cell in self.map.extent().cells() {
                let expected = self.map.terrain(cell);
                if grid.map().terrain(cell) != expected {
                    return Err(format!("{cell} should be {expected:?}"));
                }
                let height = self.map.height(cell);
                if grid.map().height(cell) != height {
                    return Err(format!("{cell} should have the height {height:?}"));
                }
                for side in BorderSide::ALL {
                    let border = self.map.border(cell, side);
                    if grid.map().border(cell, side) != border {
                        return Err(format!("{cell}: the border {side:?} should be {border:?}"));
                    }
                }
                let surcharge = surcharges.get(&cell).copied().unwrap_or(0);
                if grid.surcharge_of(cell) != Some(surcharge) {
                    return Err(format!("{cell} should have the surcharge {surcharge} for {kind}"));
                }
            }
        }
        Ok(())
    }
}

//! Grids in saved worlds: the map once, and what each kind of agent has of its own.

use super::ground::{Ground, Surcharges};
use super::layer::Layer;
use super::{
    Border, BorderSide, Cell, CellId, CellRect, CellRefusal, CellState, Change, Domain, Extent,
    Footprint, FootprintCost, Grid, GridMap, KindId, Link, LinkChange, Movement, MovementRule,
    PaidCells, Profile, Revision, Slopes, StepCosts, Terrain,
};
use crate::saved::{Encode, LoadError, Reader, Writer, encoded_enum, encoded_struct};
use std::sync::Arc;

encoded_struct!(Cell { x: x, y: y });
encoded_struct!(KindId { 0: number });
encoded_struct!(CellState {
    terrain: terrain,
    surcharge: surcharge,
    height: height,
    east: east,
    south: south,
});
encoded_enum!(Border, "borders" {
    0 => Open {},
    1 => Closed {},
    2 => OneWay {},
    3 => OneWayBack {},
});
encoded_struct!(Change { rect: rect, kind: kind, before: before, after: after, link: link });
encoded_struct!(LinkChange { link: link, opened: opened });
encoded_struct!(Link { from: from, to: to, cost: cost, both_ways: both_ways, kind: kind });
encoded_enum!(CellRefusal, "refusals" {
    0 => Outside { cell: cell, extent: extent },
    1 => Blocked { cell: cell, terrain: terrain },
    2 => Obstacle { cell: cell },
    3 => NoRoom { cell: cell, size: size, blocked: blocked },
    4 => LargerThanMap { size: size, extent: extent },
});
encoded_enum!(FootprintCost, "costs of footprints" {
    0 => Max {},
    1 => Mean {},
});
encoded_enum!(PaidCells, "cells paid for" {
    0 => Both {},
    1 => Entered {},
});
encoded_enum!(MovementRule, "movement rules" {
    0 => FourWay {},
    1 => NeverCutCorners {},
    2 => AtMostOneObstacle {},
    3 => AlwaysDiagonal {},
});

impl Encode for Terrain {
    fn write(&self, writer: &mut Writer) {
        self.letter().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Self::from_letter(u8::read(reader)?).ok_or_else(|| reader.malformed("terrains"))
    }
}

impl Encode for CellRect {
    fn write(&self, writer: &mut Writer) {
        [self.min(), self.max()].write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let [a, b] = <[Cell; 2]>::read(reader)?;
        Ok(Self::new(a, b))
    }
}

impl Encode for Extent {
    fn write(&self, writer: &mut Writer) {
        [self.width(), self.height()].write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let [width, height] = <[u32; 2]>::read(reader)?;
        Self::new(width.into(), height.into()).map_err(|_| reader.malformed("sizes of maps"))
    }
}

impl Encode for Movement {
    fn write(&self, writer: &mut Writer) {
        for &letter in Terrain::LETTERS {
            let (cost, domain) = self.profile().class(Terrain::from_map(letter));
            (cost, domain.index() as u8).write(writer);
        }
        self.rule().write(writer);
        (self.steps().straight() as u16, self.steps().diagonal() as u16).write(writer);
        self.paid_cells().write(writer);
        (self.footprint().size(), self.footprint().cost()).write(writer);
        let slopes = self.slopes();
        (slopes.climb_max(), slopes.drop_max()).write(writer);
        (slopes.uphill(), slopes.downhill()).write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut profile = Profile::nothing();
        for &letter in Terrain::LETTERS {
            let (cost, domain) = <(u16, u8)>::read(reader)?;
            let domain = Domain::new(domain).ok_or_else(|| reader.malformed("profiles"))?;
            profile = profile.with_class(Terrain::from_map(letter), cost, domain);
        }
        let rule = MovementRule::read(reader)?;
        let (straight, diagonal) = <(u16, u16)>::read(reader)?;
        let paid = PaidCells::read(reader)?;
        let (size, cost) = <(u8, FootprintCost)>::read(reader)?;
        let footprint = Footprint::new(size).map_err(|_| reader.malformed("footprints"))?;
        let steps = StepCosts::new(straight, diagonal);
        let movement = steps.ok().and_then(|steps| Self::new(profile, rule, steps).ok());
        let movement = movement.ok_or_else(|| reader.malformed("movements"))?;
        let (climb_max, drop_max) = <(u16, u16)>::read(reader)?;
        let (uphill, downhill) = <(u16, u16)>::read(reader)?;
        let slopes = Slopes::new().with_climb_max(climb_max).with_drop_max(drop_max);
        let slopes = slopes.with_uphill(uphill).with_downhill(downhill);
        let movement = movement.with_slopes(slopes).map_err(|_| reader.malformed("slopes"))?;
        Ok(movement.with_paid_cells(paid).with_footprint(footprint.with_cost(cost)))
    }
}

impl<T: Encode + Copy + Default + PartialEq> Layer<T> {
    /// The cells that have another value than the default, each by its number.
    fn write(&self, cell_count: usize, writer: &mut Writer) {
        let all = (0u32..).zip(self.from(0, cell_count));
        let others: Vec<(u32, T)> = all.filter(|&(_, value)| value != T::default()).collect();
        others.write(writer);
    }

    /// Calls `set` with each of them. `what` they are is named if they make no sense.
    fn read_each(
        cell_count: usize,
        reader: &mut Reader<'_>,
        what: &'static str,
        mut set: impl FnMut(CellId, T),
    ) -> Result<(), LoadError> {
        for (id, value) in <Vec<(u32, T)>>::read(reader)? {
            if id as usize >= cell_count || value == T::default() {
                return Err(reader.malformed(what));
            }
            set(CellId(id), value);
        }
        Ok(())
    }
}

fn read_surcharges(cell_count: usize, reader: &mut Reader<'_>) -> Result<Surcharges, LoadError> {
    let mut surcharges = Surcharges::default();
    Layer::read_each(cell_count, reader, "surcharges", |id, amount| {
        surcharges.set(cell_count, id, amount);
    })?;
    Ok(surcharges)
}

impl GridMap {
    fn write_relief(&self, writer: &mut Writer) {
        let cell_count = self.extent().cell_count();
        self.relief().heights.write(cell_count, writer);
        let borders =
            |cell: Cell| BorderSide::ALL.map(|side| self.border(cell, side).unwrap_or_default());
        let named =
            self.extent().cells().map(|cell| (self.extent().id_inside(cell).0, borders(cell)));
        let named: Vec<(u32, [Border; 2])> = match self.relief().borders.is_empty() {
            true => Vec::new(),
            false => named.filter(|(_, borders)| *borders != [Border::Open; 2]).collect(),
        };
        named.write(writer);
        self.link_list().to_vec().write(writer);
    }

    fn read_relief(&mut self, reader: &mut Reader<'_>) -> Result<(), LoadError> {
        let extent = self.extent();
        let cell_count = extent.cell_count();
        Layer::read_each(cell_count, reader, "heights", |id, height: u16| {
            self.set_height(extent.cell(id), height);
        })?;
        for (id, borders) in <Vec<(u32, [Border; 2])>>::read(reader)? {
            if id as usize >= cell_count {
                return Err(reader.malformed("borders"));
            }
            for (side, border) in BorderSide::ALL.into_iter().zip(borders) {
                self.set_border(extent.cell(CellId(id)), side, border);
            }
        }
        for link in <Vec<Link>>::read(reader)? {
            self.add_link(link).map_err(|_| reader.malformed("links"))?;
        }
        Ok(())
    }
}

impl Grid {
    /// Writes the grids of all kinds of agents on one map.
    #[doc(hidden)]
    pub fn write_kinds(kinds: &[Self], writer: &mut Writer) {
        let Some(first) = kinds.first() else { return };
        let cell_count = first.extent().cell_count();
        writer.bytes(&first.map().to_movingai());
        first.map().write_relief(writer);
        first.ground.surcharges.write(cell_count, writer);
        first.revision.write(writer);
        (kinds.len() as u16).write(writer);
        for grid in kinds {
            grid.movement().write(writer);
            grid.own_surcharges.write(cell_count, writer);
        }
    }

    /// Reads what [`Grid::write_kinds`] has written: at least one kind, at most so many, numbered from 0. They take memory in
    /// proportion to the bytes, and for each kind its bit layers.
    #[doc(hidden)]
    pub fn read_kinds(reader: &mut Reader<'_>, kinds_max: usize) -> Result<Vec<Self>, LoadError> {
        let text = reader.bytes("maps")?;
        let mut map = GridMap::from_movingai(text).map_err(|_| reader.malformed("maps"))?;
        map.read_relief(reader)?;
        let cell_count = map.extent().cell_count();
        let surcharges = read_surcharges(cell_count, reader)?;
        let revision = Revision::read(reader)?;
        let ground = Arc::new(Ground { map, surcharges });
        let count = u16::read(reader)?;
        if count == 0 || usize::from(count) > kinds_max {
            return Err(reader.malformed("kinds of agents"));
        }
        let mut kinds = Vec::new();
        for number in 0..count {
            let movement = Movement::read(reader)?;
            let own = read_surcharges(cell_count, reader)?;
            kinds.push(Self::on(Arc::clone(&ground), KindId(number), movement, own, revision));
        }
        Ok(kinds)
    }
}

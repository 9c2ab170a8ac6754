//! Grids in saved worlds: the map once, and what each kind of agent has of its own.

use super::ground::{Ground, Surcharges};
use super::{
    Cell, CellId, CellRefusal, CellState, Change, Domain, Extent, Grid, GridMap, KindId, Movement,
    MovementRule, PaidCells, Profile, Revision, StepCosts, Terrain,
};
use crate::saved::{Encode, LoadError, Reader, Writer, encoded_enum, encoded_struct};
use std::sync::Arc;

encoded_struct!(Cell { x: x, y: y });
encoded_struct!(KindId { 0: number });
encoded_struct!(CellState { terrain: terrain, surcharge: surcharge });
encoded_struct!(Change { cell: cell, kind: kind, before: before, after: after });
encoded_enum!(CellRefusal, "refusals" {
    0 => Outside { cell: cell, extent: extent },
    1 => Blocked { cell: cell, terrain: terrain },
    2 => Obstacle { cell: cell },
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
        let steps = StepCosts::new(straight, diagonal);
        let movement = steps.ok().and_then(|steps| Self::new(profile, rule, steps).ok());
        let movement = movement.ok_or_else(|| reader.malformed("movements"))?;
        Ok(movement.with_paid_cells(paid))
    }
}

impl Surcharges {
    /// The cells that have one, each by its number, and the amounts.
    fn write(&self, cell_count: usize, writer: &mut Writer) {
        let costly: Vec<(u32, u16)> = if self.is_empty() {
            Vec::new()
        } else {
            let all = (0..).zip(self.from(0, cell_count));
            all.filter(|&(_, amount)| amount > 0).collect()
        };
        costly.write(writer);
    }

    fn read(cell_count: usize, reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut surcharges = Self::default();
        for (id, amount) in <Vec<(u32, u16)>>::read(reader)? {
            if id as usize >= cell_count || amount == 0 {
                return Err(reader.malformed("surcharges"));
            }
            surcharges.set(cell_count, CellId(id), amount);
        }
        Ok(surcharges)
    }
}

impl Grid {
    /// Writes the grids of all kinds of agents on one map.
    #[doc(hidden)]
    pub fn write_kinds(kinds: &[Self], writer: &mut Writer) {
        let Some(first) = kinds.first() else { return };
        let cell_count = first.extent().cell_count();
        writer.bytes(&first.map().to_movingai());
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
        let map = GridMap::from_movingai(text).map_err(|_| reader.malformed("maps"))?;
        let cell_count = map.extent().cell_count();
        let surcharges = Surcharges::read(cell_count, reader)?;
        let revision = Revision::read(reader)?;
        let ground = Arc::new(Ground { map, surcharges });
        let count = u16::read(reader)?;
        if count == 0 || usize::from(count) > kinds_max {
            return Err(reader.malformed("kinds of agents"));
        }
        let mut kinds = Vec::new();
        for number in 0..count {
            let movement = Movement::read(reader)?;
            let own = Surcharges::read(cell_count, reader)?;
            kinds.push(Self::on(Arc::clone(&ground), KindId(number), movement, own, revision));
        }
        Ok(kinds)
    }
}

//! What of a grid crosses a network or a save file, for `serde`: readable in formats that are, and checked when read.

use super::edit::{Edit, Paint};
use super::{
    Batch, Border, BorderSide, Cell, CellRect, Domain, Extent, Footprint, FootprintCost, GridMap,
    KindId, Link, Movement, MovementRule, PaidCells, Profile, Slopes, StepCosts, Terrain,
};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a type as another, and reads it by a check.
macro_rules! as_another {
    ($($type:ident as $other:ty: $write:expr, $read:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$type) -> $other = $write;
                write(self).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let read: fn($other) -> Result<$type, String> = $read;
                read(<$other>::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }
    )*};
}

as_another! {
    Terrain as char: |terrain| char::from(terrain.letter()), terrain;
    CellRect as Corners: |rect| Corners { min: rect.min(), max: rect.max() }, |corners| {
        Ok(CellRect::new(corners.min, corners.max))
    };
    Extent as Sides: |extent| {
        Sides { width: extent.width().into(), height: extent.height().into() }
    }, |sides| Extent::new(sides.width, sides.height).map_err(|error| error.to_string());
    StepCosts as Pair: |steps| {
        Pair { straight: steps.straight() as u16, diagonal: steps.diagonal() as u16 }
    }, |pair| StepCosts::new(pair.straight, pair.diagonal).map_err(|error| error.to_string());
    GridMap as String: ToString::to_string, |text| {
        text.parse().map_err(|error: super::MapError| error.to_string())
    };
    Domain as u8: |domain| domain.index() as u8, |number| {
        Domain::new(number).ok_or_else(|| format!("there is no domain {number}"))
    };
    Profile as Vec<Class>: classes, profile;
    Movement as Moving: |movement| {
        let (profile, rule, steps) =
            (movement.profile().clone(), movement.rule(), movement.steps());
        let (paid, footprint) = (movement.paid_cells(), movement.footprint());
        let slopes = movement.slopes();
        Moving { profile, rule, steps, paid, footprint, slopes }
    }, |Moving { profile, rule, steps, paid, footprint, slopes }| {
        let movement = Movement::new(profile, rule, steps).map_err(|error| error.to_string())?;
        let movement = movement.with_slopes(slopes).map_err(|error| error.to_string())?;
        Ok(movement.with_paid_cells(paid).with_footprint(footprint))
    };
    Footprint as Square: |footprint| Square { size: footprint.size(), cost: footprint.cost() }, |square| {
        let footprint = Footprint::new(square.size).map_err(|error| error.to_string())?;
        Ok(footprint.with_cost(square.cost))
    };
    Batch as Vec<Operation>: |batch| batch.edits.iter().map(Operation::of).collect(), |operations| {
        let mut batch = Batch::new();
        operations.into_iter().for_each(|operation| operation.add_to(&mut batch));
        Ok(batch)
    };
}

fn terrain(letter: char) -> Result<Terrain, String> {
    let terrain = u8::try_from(letter).ok().and_then(Terrain::from_letter);
    terrain.ok_or_else(|| format!("'{}' is no letter of a terrain", letter.escape_default()))
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Corners {
    min: Cell,
    max: Cell,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sides {
    width: u64,
    height: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    straight: u16,
    diagonal: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Moving {
    profile: Profile,
    rule: MovementRule,
    steps: StepCosts,
    #[serde(default)]
    paid: PaidCells,
    #[serde(default)]
    footprint: Footprint,
    #[serde(default)]
    slopes: Slopes,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Square {
    size: u8,
    #[serde(default)]
    cost: FootprintCost,
}

/// What a terrain is to an agent. A cost of 0: it is forbidden.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    terrain: Terrain,
    cost: u16,
    domain: Domain,
}

/// Every class that is not forbidden, or has a domain other than that of ground.
fn classes(profile: &Profile) -> Vec<Class> {
    let all = Terrain::LETTERS.iter().map(|&letter| Terrain::from_map(letter));
    let class = |terrain| {
        let (cost, domain) = profile.class(terrain);
        Class { terrain, cost, domain }
    };
    all.map(class).filter(|class| class.cost > 0 || class.domain != Domain::GROUND).collect()
}

fn profile(classes: Vec<Class>) -> Result<Profile, String> {
    let mut profile = Profile::nothing();
    let mut seen = [false; 256];
    for Class { terrain, cost, domain } in classes {
        if std::mem::replace(&mut seen[usize::from(terrain.letter())], true) {
            return Err(format!("terrain '{}' is given twice", char::from(terrain.letter())));
        }
        profile = profile.with_class(terrain, cost, domain);
    }
    Ok(profile)
}

/// One step of a batch by its name.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Operation {
    Set { cell: Cell, terrain: Terrain },
    Fill { min: Cell, max: Cell, terrain: Terrain },
    Surcharge { min: Cell, max: Cell, amount: u16 },
    SurchargeFor { kind: KindId, min: Cell, max: Cell, amount: u16 },
    Height { min: Cell, max: Cell, height: u16 },
    Border { from: Cell, to: Cell, border: Border },
    Borders { min: Cell, max: Cell, side: BorderSide, border: Border },
    OpenLink(Link),
    CloseLink(Link),
    RestoreLink(Link),
}

impl Operation {
    fn of(edit: &Edit) -> Self {
        let (min, max) = (edit.rect.min(), edit.rect.max());
        match (edit.paint, edit.kind) {
            (Paint::Terrain(terrain), _) if min == max => Self::Set { cell: min, terrain },
            (Paint::Terrain(terrain), _) => Self::Fill { min, max, terrain },
            (Paint::Surcharge(amount), None) => Self::Surcharge { min, max, amount },
            (Paint::Surcharge(amount), Some(kind)) => Self::SurchargeFor { kind, min, max, amount },
            (Paint::Height(height), _) => Self::Height { min, max, height },
            (Paint::Border(side, border), _) if min == max => {
                Self::Border { from: min, to: side.beyond(min), border }
            }
            (Paint::Border(side, border), _) => Self::Borders { min, max, side, border },
            (Paint::NoBorder { from, to, border }, _) => Self::Border { from, to, border },
            (Paint::Link { link, opened: true }, _) => Self::OpenLink(link),
            (Paint::Link { link, opened: false }, _) => Self::CloseLink(link),
            (Paint::RestoredLink(link), _) => Self::RestoreLink(link),
        }
    }

    fn add_to(self, batch: &mut Batch) {
        _ = match self {
            Self::Set { cell, terrain } => batch.set(cell, terrain),
            Self::Fill { min, max, terrain } => batch.fill(CellRect::new(min, max), terrain),
            Self::Surcharge { min, max, amount } => {
                batch.surcharge(CellRect::new(min, max), amount)
            }
            Self::SurchargeFor { kind, min, max, amount } => {
                batch.surcharge_for(kind, CellRect::new(min, max), amount)
            }
            Self::Height { min, max, height } => batch.height(CellRect::new(min, max), height),
            Self::Border { from, to, border } => batch.border(from, to, border),
            Self::Borders { min, max, side, border } => {
                batch.borders(CellRect::new(min, max), side, border)
            }
            Self::OpenLink(link) => batch.open_link(link),
            Self::CloseLink(link) => batch.close_link(link),
            Self::RestoreLink(link) => batch.restore_link(link),
        };
    }
}

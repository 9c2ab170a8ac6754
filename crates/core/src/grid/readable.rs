//! What of a grid crosses a network or a save file, for `serde`: readable in formats that are, and checked when read.

use super::edit::{Edit, Paint};
use super::{
    Batch, Cell, CellRect, Domain, Extent, GridMap, KindId, Movement, MovementRule, PaidCells,
    Profile, StepCosts, Terrain,
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
        Moving { profile, rule, steps, paid: movement.paid_cells() }
    }, |Moving { profile, rule, steps, paid }| {
        let movement = Movement::new(profile, rule, steps).map_err(|error| error.to_string())?;
        Ok(movement.with_paid_cells(paid))
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
}

impl Operation {
    fn of(edit: &Edit) -> Self {
        let (min, max) = (edit.rect.min(), edit.rect.max());
        match (edit.paint, edit.kind) {
            (Paint::Terrain(terrain), _) if min == max => Self::Set { cell: min, terrain },
            (Paint::Terrain(terrain), _) => Self::Fill { min, max, terrain },
            (Paint::Surcharge(amount), None) => Self::Surcharge { min, max, amount },
            (Paint::Surcharge(amount), Some(kind)) => Self::SurchargeFor { kind, min, max, amount },
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
        };
    }
}

//! Paths for `serde`. What is read is checked as far as that is possible without the map: there is a place, and each
//! cell is a neighbour of the one before. Whether the steps are allowed and cost what the path says, [`Path::validate`]
//! checks.

use super::Path;
use crate::environment::{Cost, NodeId, Revision};
use crate::grid::{Cell, Direction};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written<P> {
    places: Vec<P>,
    cost: Cost,
    revision: Revision,
}

impl<P> Written<P> {
    fn path<E: Error>(self) -> Result<Path<P>, E> {
        if self.places.is_empty() {
            return Err(E::custom("a path has at least one place"));
        }
        let Self { places, cost, revision } = self;
        Ok(Path { places, cost, revision })
    }
}

impl<'de> Deserialize<'de> for Path<Cell> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let path: Self = Written::deserialize(deserializer)?.path()?;
        for step in path.places.windows(2) {
            if Direction::between(step[0], step[1]).is_none() {
                let text = format!("a path cannot step from {} to {}", step[0], step[1]);
                return Err(D::Error::custom(text));
            }
        }
        Ok(path)
    }
}

impl<'de> Deserialize<'de> for Path<NodeId> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer)?.path()
    }
}

impl<P: Serialize> Serialize for Path<P> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("Path", 3)?;
        fields.serialize_field("places", &self.places)?;
        fields.serialize_field("cost", &self.cost)?;
        fields.serialize_field("revision", &self.revision)?;
        fields.end()
    }
}

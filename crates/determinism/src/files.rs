//! Maps in every format that they are written in.

use crate::Part;
use crate::grids::maps;
use crate::hash::Hash;
use highroad_formats::{MapFormat, encode_map, map_from_bytes};

fn written() -> Hash {
    let mut hash = Hash::default();
    let formats =
        [MapFormat::MovingAi, MapFormat::Drawing, MapFormat::Png, MapFormat::Tmx, MapFormat::Tmj];
    for (name, map) in maps() {
        for format in formats {
            match encode_map(&map, format, name) {
                Ok(file) => {
                    hash.bytes(&file.bytes);
                    hash.text(&map_from_bytes(&file.bytes).map(|map| map.to_string()).ok());
                }
                Err(error) => hash.text(&error.to_string()),
            }
        }
    }
    hash
}

/// Every map in every format, and what is read of it.
pub(crate) fn maps_part() -> Part {
    written().part("files of maps")
}

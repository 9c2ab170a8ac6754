//! Maps that come with the program.

use highroad::{Cell, GridMap};

/// A map with a query that shows it off.
pub struct BuiltinMap {
    /// Its name on the command line, as `builtin:NAME`.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    text: &'static [u8],
    /// Where a path is worth looking at.
    pub query: (Cell, Cell),
}

/// All built-in maps.
pub static BUILTIN_MAPS: &[BuiltinMap] = &[BuiltinMap {
    name: "castle",
    summary: "a castle with three gates in a moat, among woods, a swamp and a lake",
    text: include_bytes!("../maps/castle.map"),
    query: (Cell::new(4, 47), Cell::new(66, 22)),
}];

impl BuiltinMap {
    /// The built-in map of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        BUILTIN_MAPS.iter().find(|map| map.name == name)
    }

    /// The map itself.
    pub fn load(&self) -> GridMap {
        GridMap::from_movingai(self.text).expect("built-in maps are tested")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::World;

    #[test]
    fn every_built_in_map_loads_and_its_query_has_a_path() {
        for map in BUILTIN_MAPS {
            let mut world = World::new(map.load());
            let (start, goal) = map.query;
            assert!(world.find_path(start, goal).unwrap().is_some(), "{}", map.name);
        }
    }
}

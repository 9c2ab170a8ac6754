//! Maps that come with the program, each to show the character of some algorithms.

use crate::generate::{MapRecipe, Random};
use highroad::grid::SizeError;
use highroad::{Cell, GridMap, Terrain};

/// A map with a query that shows it off.
pub struct BuiltinMap {
    /// Its name on the command line, as `builtin:NAME`.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    source: Source,
    /// Where a path is worth looking at.
    pub query: (Cell, Cell),
}

enum Source {
    /// In MovingAI's format.
    Text(&'static [u8]),
    /// A generator's recipe.
    Recipe(&'static str),
    /// A drawing of its own.
    Drawn(fn() -> Result<GridMap, SizeError>),
}

/// All built-in maps.
pub static BUILTIN_MAPS: &[BuiltinMap] = &[
    BuiltinMap {
        name: "castle",
        summary: "a castle with three gates in a moat, among woods, a swamp and a lake",
        source: Source::Text(include_bytes!("../maps/castle.map")),
        query: (Cell::new(4, 47), Cell::new(66, 22)),
    },
    BuiltinMap {
        name: "caves",
        summary: "winding caves: HPA* crosses them from gate to gate",
        source: Source::Recipe("caves width=288 height=176 noise=47 steps=5 joined=yes seed=11"),
        query: (Cell::new(20, 19), Cell::new(263, 150)),
    },
    BuiltinMap {
        name: "rooms",
        summary: "rooms with narrow doors: clusters and entrances at their best",
        source: Source::Recipe("rooms width=193 height=129 room=15 doors=70 seed=5"),
        query: (Cell::new(5, 5), Cell::new(185, 120)),
    },
    BuiltinMap {
        name: "maze",
        summary: "a maze: estimates mislead, and searching from both ends helps",
        source: Source::Recipe("maze width=151 height=100 corridor=2 braid=8 seed=3"),
        query: (Cell::new(0, 0), Cell::new(148, 97)),
    },
    BuiltinMap {
        name: "trap",
        summary: "a pocket that opens towards the start: greedy search walks right in",
        source: Source::Drawn(draw_trap),
        query: (Cell::new(12, 30), Cell::new(88, 30)),
    },
    BuiltinMap {
        name: "field",
        summary: "an open field with stones: Dijkstra spreads out, A* keeps its course",
        source: Source::Recipe("obstacles width=160 height=100 blocked=12 seed=8"),
        query: (Cell::new(20, 70), Cell::new(140, 30)),
    },
    BuiltinMap {
        name: "hills",
        summary: "weighted terrain: the cheapest way is not the shortest",
        source: Source::Drawn(draw_hills),
        query: (Cell::new(10, 80), Cell::new(148, 18)),
    },
    BuiltinMap {
        name: "islands",
        summary: "caves without a way between them: show the components",
        source: Source::Recipe("caves width=200 height=120 noise=50 steps=5 joined=no seed=4"),
        query: (Cell::new(9, 20), Cell::new(101, 62)),
    },
];

impl BuiltinMap {
    /// The built-in map of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        BUILTIN_MAPS.iter().find(|map| map.name == name)
    }

    /// The map itself.
    pub fn load(&self) -> GridMap {
        const TESTED: &str = "built-in maps are tested";
        match self.source {
            Source::Text(text) => GridMap::from_movingai(text).expect(TESTED),
            Source::Recipe(line) => {
                line.parse::<MapRecipe>().expect(TESTED).generate().expect(TESTED)
            }
            Source::Drawn(draw) => draw().expect(TESTED),
        }
    }
}

/// Three walls of a pocket, a screen before it, and a wall with a gate behind.
fn draw_trap() -> Result<GridMap, SizeError> {
    GridMap::from_fn(100, 60, |Cell { x, y }| {
        let pocket = (40..=66).contains(&x) && (8..=9).contains(&y)
            || (40..=66).contains(&x) && (50..=51).contains(&y)
            || (66..=67).contains(&x) && (8..=51).contains(&y);
        let screen = (24..=25).contains(&x) && (18..=42).contains(&y);
        let gate = x == 80 && !(52..=55).contains(&y) && !(3..=4).contains(&y);
        if pocket || screen || gate { Terrain::WALL } else { Terrain::GROUND }
    })
}

/// Hills and valleys: heights at the corners of squares, evened out between them, in three sizes.
fn draw_hills() -> Result<GridMap, SizeError> {
    const SIDES: [(u32, i64); 3] = [(32, 4), (16, 2), (8, 1)];
    let mut random = Random::new(6);
    let mut heights = |side: u32| -> Vec<Vec<i64>> {
        let corners = |cells: u32| cells / side + 2;
        (0..corners(100))
            .map(|_| (0..corners(160)).map(|_| random.below(1000) as i64).collect())
            .collect()
    };
    let layers = SIDES.map(|(side, share)| (i64::from(side), share, heights(side)));
    GridMap::from_fn(160, 100, |cell| {
        let (x, y) = (i64::from(cell.x), i64::from(cell.y));
        let height: i64 = layers
            .iter()
            .map(|(side, share, corners)| {
                let (column, row) = ((x / side) as usize, (y / side) as usize);
                let (right, down) = (x % side, y % side);
                let mix = |a: i64, b: i64, at: i64| (a * (side - at) + b * at) / side;
                let upper = mix(corners[row][column], corners[row][column + 1], right);
                let lower = mix(corners[row + 1][column], corners[row + 1][column + 1], right);
                share * mix(upper, lower, down)
            })
            .sum();
        // From 0 to 7,000, mostly in the middle: stretched to sixteen letters.
        let level = ((height - 2000) / 200).clamp(0, 15) as u8;
        Terrain::from_letter(b'A' + level).unwrap_or(Terrain::GROUND)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::PathWorld;

    #[test]
    fn every_built_in_map_loads_and_its_query_has_a_path() {
        for map in BUILTIN_MAPS {
            let mut world = PathWorld::new(map.load());
            let (start, goal) = map.query;
            assert!(world.find_path(start, goal).unwrap().is_some(), "{}", map.name);
        }
    }

    #[test]
    fn the_maps_are_what_they_say() {
        let parts = |name| {
            let map = BuiltinMap::find(name).unwrap().load();
            highroad::grid::Components::of(&highroad::grid::Grid::with_defaults(map)).count()
        };
        assert!(parts("islands") > 3);
        assert_eq!((parts("caves"), parts("rooms"), parts("maze")), (1, 1, 1));
        let hills = BuiltinMap::find("hills").unwrap().load();
        assert_eq!(hills.palette(), highroad::grid::Palette::Weighted);
        assert!(hills.terrains().count() >= 12);
    }
}

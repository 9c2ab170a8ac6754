//! Maps made by a recipe: random obstacles, rooms, mazes, caves, cities, islands, hills, highlands with heights and colony
//! bases with thin walls, of any size up to the largest.
//!
//! A [`MapRecipe`] is a size, a [`Layout`] with its parameters, and a seed. It has a one-line form,
//! which is all that a report needs to note: the same line makes the same map on every machine. A map
//! file carries it as a comment ([`MapRecipe::sign`]), so that it can be made again from itself
//! ([`MapRecipe::of`]).
//! [`Random`] is where the numbers come from.
//!
//! Invariants: integers only, one thread, one stream of random numbers drawn in a documented order;
//! no recursion; beside the map itself at most half a byte of working memory a cell, but for the
//! floods that join caves or keep the largest part, which hold one entry for each run of ground waiting to
//! be entered, and for mazes that branch, which hold four bytes for each place to branch off from.
//!
//! ```
//! use highroad_lab::generate::MapRecipe;
//! let recipe: MapRecipe = "maze width=11 height=5 corridor=1 braid=0 seed=3".parse()?;
//! let map = recipe.generate()?;
//! assert_eq!((map.extent().width(), map.extent().height()), (11, 5));
//! assert_eq!(recipe.to_string(), "maze width=11 height=5 corridor=1 braid=0 seed=3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod caves;
mod city;
mod colony;
mod highlands;
mod hills;
mod islands;
mod line;
mod maze;
mod noise;
mod obstacles;
mod parts;
mod passages;
mod random;
mod rooms;
mod walls;
mod work;

pub use line::RecipeError;
pub use random::Random;

use highroad::GridMap;
use highroad::grid::{Extent, SIDE_MAX, SizeError};
use highroad::planner::Watch;
use std::ops::RangeInclusive;
use thiserror::Error;
use work::Work;

/// Everything that decides a generated map.
///
/// Maps consist of ground `.` and walls `@` unless the layout says otherwise. Where a layout promises that ground is connected, it
/// means by straight steps, so it holds under every movement rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapRecipe {
    /// Columns, from 1 to [`SIDE_MAX`].
    pub width: u32,
    /// Rows, from 1 to [`SIDE_MAX`].
    pub height: u32,
    /// What is to be built.
    pub layout: Layout,
    /// Where the random numbers begin: another seed is another map of the same kind.
    pub seed: u64,
}

/// What a generated map looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Every cell is a wall with the same probability, whatever its neighbours are. Nothing is
    /// promised about connection unless asked for: above some 40 per cent of walls, most ground is cut off.
    Obstacles {
        /// Share of cells that are walls, 0 to 100.
        blocked_percent: u32,
        /// Turns everything but the largest part of the ground into wall, as the published random maps
        /// have it; there are more walls than asked for then.
        connected: bool,
    },
    /// Square rooms, counted from the top left and cut short at the right and the bottom edge (where
    /// the edge falls on a wall, it stays a wall), with walls one cell thick between them and at most
    /// one door, one cell wide, in each wall.
    ///
    /// Every room can be reached from every other.
    Rooms {
        /// Columns and rows of a room without its walls, from 1.
        room_side: u32,
        /// Share of the walls between two rooms that have a door, 0 to 100. It is an expectation,
        /// and no fewer doors are made than join all rooms: one less than there are rooms, which is
        /// a share of about a half.
        doors_percent: u32,
    },
    /// Corridors of one width, with walls one cell thick between them: without braiding a perfect
    /// maze, in which exactly one way leads from any corridor to any other.
    ///
    /// Only whole corridors are dug: what is left over at the right and the bottom is wall. On a map
    /// narrower than one corridor, the corridor is as wide as the map.
    Maze {
        /// Columns or rows across a corridor, from 1.
        corridor_width: u32,
        /// Share of dead ends that get a second way out, 0 to 100. It is an expectation; at 100 no
        /// dead end remains, unless the maze is a single corridor.
        braid_percent: u32,
        /// How often a corridor goes on where it was dug last, instead of branching off anywhere, 0 to 100.
        /// At 100 ways wind through the whole map and hardly branch; published mazes branch more.
        winding_percent: u32,
    },
    /// Noise smoothed by a cellular automaton until it looks like caves.
    ///
    /// The map's edge counts as wall, so a small map, or one begun with many walls, may end up
    /// without any ground.
    Caves {
        /// Share of walls in the noise, 0 to 100: at 45 wide halls with pillars come about, at 50
        /// winding caves, and above 55 there is little ground left.
        noise_percent: u32,
        /// How often the noise is smoothed, 0 to 100; 4 to 6 is usual.
        steps: u32,
        /// Fills parts of fewer than 16 cells and joins the others by tunnels one cell wide, so
        /// that all ground is connected.
        joined: bool,
    },
    /// A city: districts whose streets run in directions of their own, with boulevards between them; streets
    /// of three widths; blocks with yards, large houses, or rows of small ones.
    ///
    /// All ground is connected: what buildings cut off is joined, or filled where it is of fewer than 16
    /// cells.
    City {
        /// Cells from street to street, 8 to [`SIDE_MAX`].
        block: u32,
        /// Cells across the widest streets, 2 to half a block.
        street: u32,
        /// Share of blocks that are built upon, 0 to 100; the others are squares and parks.
        built_percent: u32,
    },
    /// Islands in the sea: ground `.`, swamp `S` where it is low and wet, trees `T`, and water `W`. By the
    /// benchmarks' rules one walks on ground and swamp, and swims in water, but not from one to the other.
    Islands {
        /// Cells across an island, more or less, 2 to [`SIDE_MAX`].
        size: u32,
        /// Share of cells that are not water, 0 to 100.
        land_percent: u32,
        /// Share of land that is wet enough for swamp, 0 to 100; where trees are as well, there are trees.
        swamp_percent: u32,
        /// Share of land under trees, 0 to 100.
        trees_percent: u32,
    },
    /// Weighted terrain: letters from `A`, which costs 1, on, in bands from the valleys to the ridges, and
    /// lakes `@` that cannot be crossed.
    Hills {
        /// Cells across a hill, more or less, 2 to [`SIDE_MAX`].
        size: u32,
        /// How many finer hills there are on the hills, 0 to 8: 0 is smooth.
        roughness: u32,
        /// How many letters, 2 to 16: the most costly costs as much.
        classes: u32,
        /// Share of cells that are lakes, 0 to 100.
        lakes_percent: u32,
    },
    /// Ground `.` with heights, and lakes of water `W` where it is lowest.
    Highlands {
        /// Cells across a hill, more or less, 2 to [`SIDE_MAX`].
        size: u32,
        /// How many finer hills there are on the hills, 0 to 8: 0 is smooth.
        roughness: u32,
        /// The greatest height that may occur, 1 to 65,535.
        highest: u32,
        /// Share of cells that are lakes, 0 to 100.
        lakes_percent: u32,
    },
    /// A colony base: all cells are ground, and closed borders are the walls of rooms. Every room can be reached from every
    /// other, through doors one cell wide.
    Colony {
        /// Columns and rows that a room has at least, from 2.
        room: u32,
        /// Share of walls with a second door, 0 to 100.
        doors_percent: u32,
    },
}

const PERCENT: RangeInclusive<u32> = 0..=100;
const SIDE: RangeInclusive<u32> = 1..=SIDE_MAX;
/// The automaton settles long before, and a hundred steps on the largest map are still seconds.
const STEPS: RangeInclusive<u32> = 0..=100;
const ROUGHNESS: RangeInclusive<u32> = 0..=8;
const CLASSES: RangeInclusive<u32> = 2..=16;
/// Smaller blocks have no room for a house between their streets.
const BLOCK: RangeInclusive<u32> = 8..=SIDE_MAX;
const HILL: RangeInclusive<u32> = 2..=SIDE_MAX;
const HIGHEST: RangeInclusive<u32> = 1..=u16::MAX as u32;

/// What a map file's comment says before the recipe: together a command that makes it again.
const SIGNATURE: &str = "made by: highroad generate recipe '";

impl MapRecipe {
    /// Makes the map. O(cells), and for caves once more for each step.
    pub fn generate(&self) -> Result<GridMap, GenerateError> {
        self.generate_watched(&mut Watch::none())
    }

    /// As [`MapRecipe::generate`], with progress. Fails with [`GenerateError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::planner::Watch;
    /// use highroad_lab::generate::{GenerateError, MapRecipe};
    /// use std::ops::ControlFlow;
    /// let recipe: MapRecipe = "rooms width=90 height=90 room=7 doors=90 seed=1".parse()?;
    /// let mut stop = |_done, _of| ControlFlow::Break(());
    /// let stopped = recipe.generate_watched(&mut Watch::new(&mut stop));
    /// assert_eq!(stopped.err(), Some(GenerateError::Stopped));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generate_watched(&self, watch: &mut Watch<'_>) -> Result<GridMap, GenerateError> {
        let extent = Extent::new(u64::from(self.width), u64::from(self.height))?;
        self.layout.check()?;
        let mut random = Random::new(self.seed);
        let mut work = Work::new(watch, self.layout.passes() * u64::from(self.height));
        let (random, work) = (&mut random, &mut work);
        match self.layout {
            Layout::Obstacles { blocked_percent, connected } => {
                obstacles::generate(extent, blocked_percent, connected, random, work)?
                    .into_map(work)
            }
            Layout::Rooms { room_side, doors_percent } => {
                rooms::generate(extent, room_side, doors_percent, random, work)?.into_map(work)
            }
            Layout::Maze { corridor_width, braid_percent, winding_percent } => {
                let percents = (braid_percent, winding_percent);
                maze::generate(extent, corridor_width, percents, random, work)?.into_map(work)
            }
            Layout::Caves { noise_percent, steps, joined } => {
                let caves = caves::generate(extent, noise_percent, steps, joined, random, work)?;
                caves.into_map(work)
            }
            Layout::City { block, street, built_percent } => {
                let city = city::City { block, street, built_percent };
                city::generate(extent, city, random, work)?.into_map(work)
            }
            Layout::Islands { size, land_percent, swamp_percent, trees_percent } => {
                let islands = islands::Islands { size, land_percent, swamp_percent, trees_percent };
                islands::generate(extent, islands, random, work)
            }
            Layout::Hills { size, roughness, classes, lakes_percent } => {
                let shape = (size, roughness);
                hills::generate(extent, shape, classes, lakes_percent, random, work)
            }
            Layout::Highlands { size, roughness, highest, lakes_percent } => {
                let shape = (size, roughness);
                highlands::generate(extent, shape, highest, lakes_percent, random, work)
            }
            Layout::Colony { room, doors_percent } => {
                colony::generate(extent, room, doors_percent, random, work)
            }
        }
    }

    /// Writes the recipe into a map made by it, as a comment after the rows.
    ///
    /// ```
    /// use highroad_lab::generate::MapRecipe;
    /// let recipe: MapRecipe = "obstacles width=4 height=1 blocked=0 seed=1".parse()?;
    /// let mut map = recipe.generate()?;
    /// recipe.sign(&mut map);
    /// let text = String::from_utf8(map.to_movingai())?;
    /// assert!(text.ends_with(
    ///     "....\n# made by: highroad generate recipe 'obstacles width=4 height=1 blocked=0 seed=1'\n"
    /// ));
    /// assert_eq!(MapRecipe::of(&map), Some(Ok(recipe)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sign(&self, map: &mut GridMap) {
        map.add_comment(&format!("{SIGNATURE}{self}'"));
    }

    /// The recipe that a map says it was made by, if it says so; an error if that is no recipe.
    pub fn of(map: &GridMap) -> Option<Result<Self, RecipeError>> {
        map.comments().find_map(|comment| {
            let line = comment.strip_prefix(SIGNATURE)?;
            Some(line.strip_suffix('\'').unwrap_or(line).parse())
        })
    }
}

impl Layout {
    /// How often a generator goes over the rows of the map, more or less.
    fn passes(&self) -> u64 {
        match self {
            Self::Obstacles { connected: false, .. }
            | Self::Hills { .. }
            | Self::Highlands { .. } => 2,
            Self::Obstacles { .. } | Self::Caves { .. } | Self::City { .. } => 3,
            Self::Rooms { .. } | Self::Maze { .. } | Self::Colony { .. } => 1,
            Self::Islands { .. } => 3,
        }
    }

    /// Whether every parameter is in its range.
    fn check(&self) -> Result<(), GenerateError> {
        match *self {
            Self::Obstacles { blocked_percent, connected: _ } => {
                check("blocked", blocked_percent, PERCENT)
            }
            Self::Rooms { room_side, doors_percent } => {
                check("room", room_side, SIDE)?;
                check("doors", doors_percent, PERCENT)
            }
            Self::Maze { corridor_width, braid_percent, winding_percent } => {
                check("corridor", corridor_width, SIDE)?;
                check("braid", braid_percent, PERCENT)?;
                check("winding", winding_percent, PERCENT)
            }
            Self::Caves { noise_percent, steps, joined: _ } => {
                check("noise", noise_percent, PERCENT)?;
                check("steps", steps, STEPS)
            }
            Self::City { block, street, built_percent } => {
                check("block", block, BLOCK)?;
                check("street", street, 2..=block / 2)?;
                check("built", built_percent, PERCENT)
            }
            Self::Islands { size, land_percent, swamp_percent, trees_percent } => {
                check("size", size, HILL)?;
                check("land", land_percent, PERCENT)?;
                check("swamp", swamp_percent, PERCENT)?;
                check("trees", trees_percent, PERCENT)
            }
            Self::Hills { size, roughness, classes, lakes_percent } => {
                check("size", size, HILL)?;
                check("roughness", roughness, ROUGHNESS)?;
                check("classes", classes, CLASSES)?;
                check("lakes", lakes_percent, PERCENT)
            }
            Self::Highlands { size, roughness, highest, lakes_percent } => {
                check("size", size, HILL)?;
                check("roughness", roughness, ROUGHNESS)?;
                check("highest", highest, HIGHEST)?;
                check("lakes", lakes_percent, PERCENT)
            }
            Self::Colony { room, doors_percent } => {
                check("room", room, HILL)?;
                check("doors", doors_percent, PERCENT)
            }
        }
    }
}

fn check(
    parameter: &'static str,
    value: u32,
    allowed: RangeInclusive<u32>,
) -> Result<(), GenerateError> {
    if allowed.contains(&value) {
        return Ok(());
    }
    let (min, max) = allowed.into_inner();
    Err(GenerateError::OutOfRange { parameter, value, min, max })
}

/// Why a recipe makes no map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// No map can have that size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// A parameter is too small or too large.
    #[error("{parameter}={value}: it must be from {min} to {max}")]
    OutOfRange {
        /// The parameter, as it is called in the recipe's line.
        parameter: &'static str,
        /// What was asked for.
        value: u32,
        /// The smallest it can be.
        min: u32,
        /// The largest it can be.
        max: u32,
    },
    /// The watch has stopped it.
    #[error("the map was stopped while it was made")]
    Stopped,
}

#[cfg(test)]
mod tests;

//! What can be written on the command line about making and changing files of maps.

use clap::{Args, Subcommand};
use highroad::Terrain;
use highroad::grid::{MovementRule, SIDE_MAX, StepCosts};
use highroad_formats::Rgb;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Make a map: the same recipe gives the same map on every machine.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad generate rooms --width 256 --height 256 --room 15 --seed 7 --out rooms.map
  highroad generate caves --out caves.map --draw caves.png
  highroad generate city --width 1024 --height 1024 --out city.map
  highroad generate recipe 'maze width=99 height=99 corridor=2 braid=10 seed=3' --out maze.map
  highroad generate like rooms.map --out again.map

The recipe of a map is printed when it is made, and is the last line of its file: `recipe` makes
the same map from that line, `like` from the file.")]
pub(crate) struct GenerateArguments {
    #[command(subcommand)]
    pub(crate) kind: MapKind,
}

#[derive(Subcommand)]
pub(crate) enum MapKind {
    /// Every cell is a wall with the same probability.
    Obstacles {
        /// Share of walls in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 25)]
        blocked: u32,
        /// Keep the largest part alone, as published random maps do: everything is connected, and there
        /// are more walls.
        #[arg(long)]
        connected: bool,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// Square rooms with doors between them, all of them connected.
    Rooms {
        /// Columns and rows of a room, without its walls.
        #[arg(long, value_name = "CELLS", default_value_t = 15)]
        room: u32,
        /// Share of walls between rooms that have a door, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 80)]
        doors: u32,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// Corridors of one width, with one way from anywhere to anywhere unless braided.
    Maze {
        /// Cells across a corridor.
        #[arg(long, value_name = "CELLS", default_value_t = 4)]
        corridor: u32,
        /// Share of dead ends that get a second way out, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 0)]
        braid: u32,
        /// How often corridors go on where they were dug last instead of branching off, in per cent: 90 is
        /// like published mazes, 100 winds most.
        #[arg(long, value_name = "PERCENT", default_value_t = 90)]
        winding: u32,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// Smoothed noise that looks like caves, joined by tunnels.
    Caves {
        /// Share of walls in the noise, in per cent: 45 wide halls, 50 winding caves.
        #[arg(long, value_name = "PERCENT", default_value_t = 46)]
        noise: u32,
        /// How often the noise is smoothed.
        #[arg(long, value_name = "N", default_value_t = 5)]
        steps: u32,
        /// Leave caves apart that have no way between them.
        #[arg(long)]
        apart: bool,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// Streets of three widths, blocks and buildings, in districts turned by angles of their own.
    City {
        /// Cells from street to street.
        #[arg(long, value_name = "CELLS", default_value_t = 48)]
        block: u32,
        /// Cells across the widest streets.
        #[arg(long, value_name = "CELLS", default_value_t = 12)]
        street: u32,
        /// Share of blocks that are built upon, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 85)]
        built: u32,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// Land and water, swamp and trees: one walks, or swims, but not from one to the other.
    Islands {
        /// Cells across an island, more or less.
        #[arg(long, value_name = "CELLS", default_value_t = 96)]
        size: u32,
        /// Share of cells that are not water, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 45)]
        land: u32,
        /// Share of land that is swamp where no trees are, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 20)]
        swamp: u32,
        /// Share of land under trees, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 20)]
        trees: u32,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// Weighted terrain: valleys that cost 1 a step, ridges that cost up to 16, and lakes.
    Hills {
        /// Cells across a hill, more or less.
        #[arg(long, value_name = "CELLS", default_value_t = 128)]
        size: u32,
        /// How many finer hills there are on the hills: 0 is smooth.
        #[arg(long, value_name = "N", default_value_t = 4)]
        roughness: u32,
        /// How many kinds of terrain; the most costly costs as much.
        #[arg(long, value_name = "N", default_value_t = 16)]
        classes: u32,
        /// Share of cells that are lakes, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 5)]
        lakes: u32,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// Ground with heights, and lakes: the heights are a picture beside the map.
    Highlands {
        /// Cells across a hill, more or less.
        #[arg(long, value_name = "CELLS", default_value_t = 128)]
        size: u32,
        /// How many finer hills there are on the hills: 0 is smooth.
        #[arg(long, value_name = "N", default_value_t = 4)]
        roughness: u32,
        /// The greatest height that may occur.
        #[arg(long, value_name = "HEIGHT", default_value_t = 200)]
        highest: u32,
        /// Share of cells that are lakes, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 5)]
        lakes: u32,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// A colony base: rooms with doors, and walls that take no cells but lie between them, in a file beside the map.
    Colony {
        /// Columns and rows that a room has at least.
        #[arg(long, value_name = "CELLS", default_value_t = 8)]
        room: u32,
        /// Share of walls with a second door, in per cent.
        #[arg(long, value_name = "PERCENT", default_value_t = 25)]
        doors: u32,
        #[command(flatten)]
        canvas: MapArguments,
    },
    /// A map once more, from a file that this program made: the same bytes.
    Like {
        /// The file, with its recipe in the last line.
        #[arg(value_name = "FILE.map")]
        file: PathBuf,
        #[command(flatten)]
        output: OutputArguments,
    },
    /// A map by the recipe that was printed when it was first made.
    Recipe {
        /// The recipe's line.
        line: String,
        #[command(flatten)]
        output: OutputArguments,
    },
}

#[derive(Args)]
pub(crate) struct MapArguments {
    /// Columns.
    #[arg(long, default_value_t = 512)]
    pub(crate) width: u32,
    /// Rows.
    #[arg(long, default_value_t = 512)]
    pub(crate) height: u32,
    /// Where the random numbers begin: another seed is another map of the same kind.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Args)]
pub(crate) struct OutputArguments {
    /// The map file to write, in MovingAI's format. Without it, the map goes to standard output.
    #[arg(long, short, value_name = "FILE.map")]
    pub(crate) out: Option<PathBuf>,
    /// Draw the map into a PNG file.
    #[arg(long, value_name = "FILE.png")]
    pub(crate) draw: Option<PathBuf>,
}

/// Make a benchmark for a map: queries of every length, with the lengths of the shortest paths.
///
/// Queries come in buckets, as in MovingAI's files: a path of length L is in bucket L / 4, rounded down.
/// Buckets are filled evenly where the map allows. The same seed gives the same file.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad scenario town.map                                  town.map.scen, ten queries a bucket
  highroad scenario hills.map --queries 500 --seed 7          weighted terrain as well
  highroad scenario town.map --buckets 50-100 --out far.scen  only some lengths
  highroad scenario town.map --dynamic --changes 100          walls come and go between queries
  highroad verify town.map --planner all                      checks what was written
  highroad replay town.map.dynamic.scen --planner all         the same for a dynamic one

On weighted terrain a length is a cost: a straight step between cells that cost 1 is 1, and a step
is as many times as long as the mean of its two cells costs. Version 1 of the format has no place
for rules and step costs; if they are not the benchmarks' own, lines that begin with # say so after
the queries, which other programs do not read.")]
pub(crate) struct ScenarioArguments {
    /// The map.
    pub(crate) map: PathBuf,
    /// The file to write [default: beside the map, MAP.scen or MAP.dynamic.scen].
    #[arg(long, short, value_name = "FILE.scen")]
    pub(crate) out: Option<PathBuf>,
    /// Write over files that are there.
    #[arg(long)]
    pub(crate) force: bool,
    /// How many queries in all, spread evenly over the buckets.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=super::MANY as i64))]
    pub(crate) queries: Option<u32>,
    /// How many queries in each bucket; in a dynamic scenario, at each state of the map.
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "queries", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) per_bucket: u32,
    /// Only these buckets, such as 20-30 or 20.
    #[arg(long, value_name = "LOW-HIGH", conflicts_with = "dynamic", value_parser = parse_buckets)]
    pub(crate) buckets: Option<RangeInclusive<u32>>,
    /// Where the randomness begins.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Which steps are allowed: four-way, never-cut-corners, at-most-one-obstacle or
    /// always-diagonal.
    #[arg(long, default_value = MovementRule::default().name(), value_parser = super::parse_rule)]
    pub(crate) rule: MovementRule,
    /// What steps cost: exact, thesis (1 and 1.4), unit, or a pair of whole numbers such as 5/7.
    #[arg(long, value_name = "S/D", default_value = "exact", value_parser = super::parse_steps)]
    pub(crate) steps: StepCosts,
    /// Make a dynamic scenario of the Grid-Based Path Planning Competition: walls come and go.
    #[arg(long)]
    pub(crate) dynamic: bool,
    /// How often the map of a dynamic scenario changes.
    #[arg(long, value_name = "N", default_value_t = 50, requires = "dynamic", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) changes: u32,
    /// How many walls are laid or taken away at each change.
    #[arg(long, value_name = "N", default_value_t = 3, requires = "dynamic", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) patches: u32,
    /// The longest side of a wall that is laid, in cells.
    #[arg(long, value_name = "CELLS", default_value_t = 16, requires = "dynamic", value_parser = clap::value_parser!(u32).range(1..=i64::from(SIDE_MAX)))]
    pub(crate) side: u32,
}

fn parse_buckets(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    match (low.trim().parse(), high.trim().parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok(low..=high),
        _ => Err("write buckets as two numbers, the smaller first: 20-30".to_owned()),
    }
}

/// Turn a map into another format: MovingAI, PNG, drawings, levels of the editor Tiled.
///
/// Nothing is lost: every format keeps every kind of terrain. All other commands read these files as well.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad convert town.map town.png             to paint in any program, a pixel a cell
  highroad convert town.png town.map             and back
  highroad convert level.tmx level.map           by a property of the tiles: walkable, solid, cost …
  highroad convert level.tmx level.map --layer Ground --property deep --empty W
  highroad convert levels/level.tmx level.map --project .
  highroad convert photo.png town.map --threshold 100
  highroad convert plan.png town.map --colour 7f7f7f=@ --colour 3366ff=W
  highroad convert builtin:castle castle.txt     a drawing

Formats, by the ending:
  .map          MovingAI's
  .txt          rows of letters; # is a wall as well
  .png          ffffff ground, 000000 wall, 006400 trees, 808000 swamp, 0000ff water, and fae6c8
                to 643214 for weighted terrain from A to P; in shades of grey, dark is wall
  .tmx .tmj     Tiled: layers are looked through from the top, and the first tile that has the
                property decides. Text is a letter or ground, wall, trees, swamp, water; a number
                is what the cell costs, 0 a wall; true is ground, but wall if the property is
                called blocked, solid, collides, collision, impassable or wall. Tilesets may lie
                in files beside the level.

Borders, heights and links lie in files beside the map: NAME.ground.toml, and a picture or a matrix
of heights. All commands read them; see docs/maps.md.")]
pub(crate) struct ConvertArguments {
    /// The map to read, or builtin:castle.
    pub(crate) input: String,
    /// The file to write.
    pub(crate) output: PathBuf,
    /// Of a level: the layer to read, instead of all visible ones.
    #[arg(long, value_name = "NAME")]
    pub(crate) layer: Option<String>,
    /// Of a level: the property that says what a tile is.
    #[arg(long, value_name = "NAME")]
    pub(crate) property: Option<String>,
    /// Of a level: what cells without a tile are, such as . @ W.
    #[arg(long, value_name = "LETTER", value_parser = parse_terrain)]
    pub(crate) empty: Option<Terrain>,
    /// Of a level: the folder of the whole project, if tilesets lie outside of the level's own folder; nothing outside of
    /// it is read.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// Write heights as a matrix, rows of numbers, instead of a picture.
    #[arg(long)]
    pub(crate) matrix: bool,
    /// Of a picture: how bright ground is at least, 0 to 255, whatever its colour.
    #[arg(long, value_name = "SHADE", conflicts_with = "colours")]
    pub(crate) threshold: Option<u8>,
    /// Of a picture: what another colour stands for; may be given several times.
    #[arg(long = "colour", value_name = "RRGGBB=LETTER", value_parser = parse_colour)]
    pub(crate) colours: Vec<(Rgb, Terrain)>,
}

fn parse_terrain(text: &str) -> Result<Terrain, String> {
    let terrain = match text.as_bytes() {
        b"#" => Some(Terrain::WALL),
        [letter] => Terrain::from_letter(*letter),
        _ => None,
    };
    terrain.ok_or_else(|| "write one of the letters . @ T S W, or A to P".to_owned())
}

fn parse_colour(text: &str) -> Result<(Rgb, Terrain), String> {
    let (colour, terrain) = text.split_once('=').ok_or("write a colour and a letter: 3366ff=W")?;
    let colour = colour.trim_start_matches('#');
    let number = u32::from_str_radix(colour, 16).ok().filter(|_| colour.len() == 6);
    let [_, red, green, blue] =
        number.ok_or("write a colour as six digits, such as 3366ff")?.to_be_bytes();
    Ok((Rgb(red, green, blue), parse_terrain(terrain)?))
}

/// Tell what maps are like to search: how much can be walked on, in how many parts, how far queries lead
/// around obstacles, how much A* looks at.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad survey city.map maps/street           a generated city beside real ones
  highroad survey maps/ --queries 1000 --json

The detour is how many times as long as on an empty map a shortest path is; on weighted terrain, an
empty map of the cheapest terrain there.")]
pub(crate) struct SurveyArguments {
    /// Maps, or folders of them.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// How many random queries a map.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=super::MANY as i64))]
    pub(crate) queries: u32,
    /// Where the randomness begins.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Which steps are allowed: four-way, never-cut-corners, at-most-one-obstacle or
    /// always-diagonal.
    #[arg(long, default_value = MovementRule::default().name(), value_parser = super::parse_rule)]
    pub(crate) rule: MovementRule,
    /// Print JSON, one object a line, instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

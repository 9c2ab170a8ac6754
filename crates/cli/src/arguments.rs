//! What can be written on the command line.

mod agent;
mod compare;
mod mapf;
mod maps;
mod place;
mod report;
mod thesis;
mod world;

pub(crate) use agent::MeshAgentArguments;
pub(crate) use compare::{CompareArguments, CompareFormat, CompletionsArguments};
pub(crate) use mapf::MapfArguments;
pub(crate) use maps::{
    ConvertArguments, GenerateArguments, MapArguments, MapKind, OutputArguments, ScenarioArguments,
    SurveyArguments,
};
pub(crate) use place::{Place, both};
pub(crate) use report::ReportArguments;
pub(crate) use thesis::{TableFormat, ThesisArguments};
pub(crate) use world::{CrowdArguments, ReplayArguments, SimulateArguments};

use crate::graph_arguments::{GraphArguments, PuzzleArguments};
use clap::{Args, Parser, Subcommand};
use highroad::catalog::Spec;
use highroad::grid::{Footprint, FootprintCost, MovementRule, Slopes, StepCosts};
use highroad::mesh::Obstacle;
use highroad_lab::workload::{AgentMovement, Sample};
use highroad_pictures::{Colouring, Theme};
use std::path::PathBuf;

/// Find paths on grid maps, watch planners at work, measure them, and check them against published
/// results.
///
/// Without a command it opens the workbench; where there is no display, it takes you on a short tour.
#[derive(Parser)]
#[command(name = "highroad", version, about, max_term_width = 100)]
#[command(after_help = "\
Examples:
  highroad                                        the workbench
  highroad open town.map                          the workbench on a map of yours
  highroad solve builtin:castle --draw path.png   one path, shown and drawn
  highroad compare builtin:castle                 every planner on one query
  highroad bench maps/ --planner astar,hpa        how fast, how good
  highroad report --maps maps/ --out report       a page of tables and plots
  highroad verify maps/ --planner all             are they right?

`highroad COMMAND --help` has more.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Open(OpenArguments),
    Solve(SolveArguments),
    Compare(CompareArguments),
    Render(RenderArguments),
    Bench(BenchArguments),
    Report(ReportArguments),
    Verify(VerifyArguments),
    Storm(StormArguments),
    Hunt(HuntArguments),
    Replay(ReplayArguments),
    Simulate(SimulateArguments),
    Mapf(MapfArguments),
    /// List every planner with what it guarantees and its options.
    Planners,
    Generate(GenerateArguments),
    Scenario(ScenarioArguments),
    Survey(SurveyArguments),
    Convert(ConvertArguments),
    Graph(GraphArguments),
    Puzzle(PuzzleArguments),
    Thesis(ThesisArguments),
    Completions(CompletionsArguments),
}

/// Open the workbench.
#[derive(Args, Default)]
#[command(after_help = "\
Examples:
  highroad open town.map
  highroad open lesson.highroad.json
  highroad open town.map --planner astar:heuristic=manhattan
  highroad open 'https://example.org/workbench/#highroad=1.eNq…'")]
pub(crate) struct OpenArguments {
    /// A map (.map, .png, .tmx, .tmj or .txt, or builtin:NAME), a setting of the workbench, or a link.
    pub(crate) file: Option<PathBuf>,
    /// The planner and its options; `highroad planners` lists them.
    #[arg(long)]
    pub(crate) planner: Option<Spec>,
    /// When it is closed, show how long it took to the first frame and between frames.
    #[arg(long)]
    pub(crate) measure: bool,
}

/// Draw a map, a search, a path and layers, as the workbench shows them, without a window.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad render builtin:castle --out castle.png
  highroad render town.map --from 3,4 --to 88,17 --planner hpa --layers path,clusters --out town.svg
  highroad render builtin:maze --events 500 --theme dark --out half-way.png
  highroad render town.mesh --from 3.5,4 --to 88,17.2 --layers path,corridor,funnel --out mesh.png")]
pub(crate) struct RenderArguments {
    /// A map (.map, .png, .tmx, .tmj or .txt), builtin:castle, or a mesh (.mesh).
    pub(crate) map: String,
    /// The picture to write, .png or .svg.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The start cell, as column,row from the top left; on a mesh a point. A built-in map brings its own.
    #[arg(long, value_name = "X,Y", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<Place>,
    /// The goal cell, as column,row from the top left; on a mesh a point.
    #[arg(long, value_name = "X,Y", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) to: Option<Place>,
    /// The planner and its options; `highroad planners` lists them. Without it astar, on meshes any-angle.
    #[arg(long)]
    pub(crate) planner: Option<Spec>,
    /// Make a mesh of the map's free ground, and find paths in any direction on it. A .mesh, .mesh.json or
    /// .geojson file is one without this.
    #[arg(long, conflicts_with_all = ["rule", "colours"])]
    pub(crate) mesh: bool,
    /// An obstacle on the mesh: the corners of a polygon, one after another. May be given several times.
    #[arg(long = "obstacle", value_name = "X,Y,X,Y,X,Y…", value_parser = parse_obstacle, allow_hyphen_values = true)]
    pub(crate) obstacles: Vec<Obstacle>,
    #[command(flatten)]
    pub(crate) agent: MeshAgentArguments,
    /// Which steps are allowed: four-way, never-cut-corners, at-most-one-obstacle or
    /// always-diagonal.
    #[arg(long, default_value = MovementRule::default().name(), value_parser = parse_rule)]
    pub(crate) rule: MovementRule,
    /// What is drawn: search, path, tree, components, clearance, grid-lines, a planner's own layers such as
    /// clusters; or all. Heights, borders and links always are. On meshes: search, path, corridor, funnel, a planner's own layers; or all.
    #[arg(long, value_name = "LAYER,…", value_delimiter = ',', default_value = "search,path")]
    pub(crate) layers: Vec<String>,
    /// What the colours of expanded cells show: order, cost or visits.
    #[arg(long, default_value = "order", value_parser = parse_colours)]
    pub(crate) colours: Colours,
    /// The theme of the picture: light or dark.
    #[arg(long, default_value = "light", value_parser = parse_theme)]
    pub(crate) theme: PictureTheme,
    /// Stop the search after so many events.
    #[arg(long, value_name = "N")]
    pub(crate) events: Option<usize>,
}

/// What colours show.
#[derive(Clone, Copy)]
pub(crate) struct Colours(pub(crate) Colouring);

/// Light or dark.
#[derive(Clone, Copy)]
pub(crate) struct PictureTheme(pub(crate) Theme);

fn parse_colours(text: &str) -> Result<Colours, String> {
    match text {
        "order" => Ok(Colours(Colouring::Order)),
        "cost" => Ok(Colours(Colouring::Cost)),
        "visits" => Ok(Colours(Colouring::Visits)),
        _ => Err("colours are: order, cost, visits".to_owned()),
    }
}

fn parse_theme(text: &str) -> Result<PictureTheme, String> {
    match text {
        "light" => Ok(PictureTheme(Theme::Light)),
        "dark" => Ok(PictureTheme(Theme::Dark)),
        _ => Err("themes are: light, dark".to_owned()),
    }
}

/// An obstacle: the corners of a polygon.
pub(crate) fn parse_obstacle(text: &str) -> Result<Obstacle, String> {
    let number =
        |part: &str| part.trim().parse::<f64>().map_err(|_| format!("{part:?} is no number"));
    let numbers: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    if !numbers.len().is_multiple_of(2) {
        return Err("a corner has two coordinates: there is one too many".to_owned());
    }
    let corners = numbers.chunks_exact(2).map(|corner| [corner[0], corner[1]]);
    Obstacle::new(corners.collect()).map_err(|error| error.to_string())
}

/// Find one path and report on it.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad solve builtin:castle
  highroad solve town.map --from 3,4 --to 88,17
  highroad solve town.map --from 3,4 --to 88,17 --planner weighted-astar:weight=2 --draw path.png
  highroad solve town.map --mesh --from 3.5,4.5 --to 88,17 --cells
  highroad solve town.mesh --from 3.5,4.5 --to 88,17 --planner funnel
  highroad solve town.map --mesh --from 3.5,4.5 --to 88,17 --obstacle 20,8,30,8,25,16")]
pub(crate) struct SolveArguments {
    /// A map (.map, .png, .tmx, .tmj or .txt), builtin:castle, or a mesh (.mesh).
    pub(crate) map: String,
    /// The start cell, as column,row from the top left; on a mesh a point. A built-in map brings its own.
    #[arg(long, value_name = "X,Y", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<Place>,
    /// The goal cell, as column,row from the top left; on a mesh a point.
    #[arg(long, value_name = "X,Y", value_parser = Place::parse, allow_hyphen_values = true)]
    pub(crate) to: Option<Place>,
    /// The planner and its options; `highroad planners` lists them. Without it astar, on meshes any-angle.
    #[arg(long)]
    pub(crate) planner: Option<Spec>,
    /// Make a mesh of the map's free ground, and find paths in any direction on it. A .mesh, .mesh.json or
    /// .geojson file is one without this.
    #[arg(long, conflicts_with_all = ["rule", "steps", "swamp", "size", "slopes"])]
    pub(crate) mesh: bool,
    /// An obstacle on the mesh: the corners of a polygon, one after another. May be given several times.
    #[arg(long = "obstacle", value_name = "X,Y,X,Y,X,Y…", value_parser = parse_obstacle, allow_hyphen_values = true)]
    pub(crate) obstacles: Vec<Obstacle>,
    #[command(flatten)]
    pub(crate) agent: MeshAgentArguments,
    /// Which steps are allowed: four-way, never-cut-corners, at-most-one-obstacle or
    /// always-diagonal.
    #[arg(long, default_value = MovementRule::default().name(), value_parser = parse_rule, hide_default_value = false)]
    pub(crate) rule: MovementRule,
    /// What steps cost: exact, thesis (1 and 1.4), unit, or a pair of whole numbers such as 5/7.
    #[arg(long, value_name = "S/D", default_value = "exact", value_parser = parse_steps)]
    pub(crate) steps: StepCosts,
    /// What a cell of swamp costs, ground being 1; on weighted maps it plays no part.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) swamp: u16,
    /// How many cells a side an agent covers, from 1 to 8; it pays the maximum of what they cost, or with 3:mean the mean.
    /// Its place is the top left one.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_size)]
    pub(crate) size: Footprint,
    /// What heights mean to the agent: how much it climbs and drops at most in a step, and what a unit of height costs up
    /// and down, in hundredths of a straight step. Without it heights mean nothing.
    #[arg(long, value_name = "CLIMB/DROP/UP/DOWN", value_parser = parse_slopes)]
    pub(crate) slopes: Option<Slopes>,
    /// Give up after expanding so many cells, or nodes of another kind.
    #[arg(long, value_name = "N")]
    pub(crate) expansions_max: Option<u64>,
    /// Print every cell of the path; on a mesh every point.
    #[arg(long)]
    pub(crate) cells: bool,
    /// Draw the map, the search and the path into a PNG file.
    #[arg(long, value_name = "FILE.png")]
    pub(crate) draw: Option<PathBuf>,
}

/// Measure planners: time, expanded cells, suboptimality, memory.
///
/// Times cover the whole answer, search and path as cells: warm, one thread, the smallest of
/// several passes for each query.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad bench town.map
  highroad bench maps/ --planner astar,dijkstra --queries 50
  highroad bench maps/ --queries all --json > results.jsonl
  highroad bench --worst --planner hpa
  highroad bench town.mesh --scenario town.scen --planner all
  highroad bench town.map --mesh

A map is measured on the scenario file beside it (town.map.scen), or on seeded random queries where
there is none. With --json, each line is one object for a map and a planner.")]
pub(crate) struct BenchArguments {
    /// Maps, meshes, scenarios, or folders of them; with --worst also builtin:NAME.
    #[arg(required_unless_present = "worst", value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Planners with their options, separated by commas; or all. Without it astar, on meshes any-angle,
    /// and with --worst hpa, pra, jps, astar and hub-labels.
    #[arg(long, value_name = "P,…")]
    pub(crate) planner: Option<String>,
    /// Make a mesh of the map's free ground, and find paths in any direction on it. A .mesh, .mesh.json or
    /// .geojson file is one without this.
    #[arg(long, conflicts_with_all = ["rule", "steps", "size"])]
    pub(crate) mesh: bool,
    /// The queries to ask on meshes; without it those beside a mesh (town.scen beside town.mesh).
    #[arg(long, value_name = "FILE.scen", conflicts_with = "worst")]
    pub(crate) scenario: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) movement: MovementArguments,
    /// Measure worst cases instead: unreachable goals, terrain of differing cost, one costly cell,
    /// crowded requests, edits, snapshots; single queries and the ticks of a world. Without maps, on
    /// maps that are made on the spot.
    #[arg(long, conflicts_with_all = ["passes", "first_leg", "edits", "saved", "mesh"])]
    pub(crate) worst: bool,
    /// With --worst, how many ticks to measure a case.
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "worst", value_parser = clap::value_parser!(u32).range(1..=MANY as i64))]
    pub(crate) ticks: u32,
    /// With --worst, only cases whose name contains this.
    #[arg(long, value_name = "NAME", requires = "worst")]
    pub(crate) case: Option<String>,
    /// How many queries a map, spread over its scenario; or all.
    #[arg(long, value_name = "N", default_value = "200", value_parser = parse_sample)]
    pub(crate) queries: Sample,
    /// How many measured passes; the smallest time of each query counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) passes: u8,
    /// Measure as well how long it takes until an agent can walk so many steps, where planners report
    /// of the beginning of a path before the whole.
    #[arg(long, value_name = "STEPS", default_value_t = 0)]
    pub(crate) first_leg: u32,
    /// Change so many random cells afterwards, one by one, and measure how long planners take to
    /// follow.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=MANY as i64))]
    pub(crate) edits: u32,
    /// Save indexes that can be, and measure how long loading them takes.
    #[arg(long)]
    pub(crate) saved: bool,
    /// Print JSON, one object a line, instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Check planners against published lengths and their own guarantees.
///
/// Every answer is checked: the path step by step, that it is found exactly when there is one, and
/// that its length keeps the planner's promise. Ends with exit code 1 if any check fails.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad verify town.map
  highroad verify maps/ --planner all --sample 20
  highroad verify meshes/ --planner all
  highroad verify town.map --mesh --scenario town.any-angle.scen

Where a map has no scenario file, or the rule is not the one that scenarios are made for, planners
are checked against an exact search on the same queries. On meshes, lengths of scenarios are those of
paths in any direction where the scenario names a mesh or ends with .any-angle.scen; else they are those
of paths from cell to cell, and no shortest path may be longer.")]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    pub(crate) work: WorkArguments,
    /// Make a mesh of the map's free ground, and find paths in any direction on it. A .mesh, .mesh.json or
    /// .geojson file is one without this.
    #[arg(long, conflicts_with_all = ["rule", "steps", "size"])]
    pub(crate) mesh: bool,
    /// The queries to ask on meshes; without it those beside a mesh (town.scen beside town.mesh).
    #[arg(long, value_name = "FILE.scen")]
    pub(crate) scenario: Option<PathBuf>,
    /// How many queries a scenario, spread over the file; or all.
    #[arg(long, value_name = "N", default_value = "all", value_parser = parse_sample)]
    pub(crate) sample: Sample,
    /// Print by how much paths are longer than the shortest, map by map.
    #[arg(long)]
    pub(crate) quality: bool,
}

/// Run random programs on random worlds and compare everything with a plain model.
///
/// A program makes a small world (a grid with several kinds of agents, half of them with borders, heights or links; a
/// graph; or a mesh; with planners of random options) and edits it, takes edits back, asks, cancels, keeps snapshots, stops rebuilds, lets
/// agents walk. Everything that the world answers is compared with plain arrays and a plain Dijkstra. A program that fails
/// is shrunk to a small one and printed, or written to a folder. Ends with exit code 1 if anything is wrong.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad hunt                                    ten seconds on new seeds
  highroad hunt --seconds 3600 --out finds         an hour; finds become files
  highroad hunt --seed 26 --programs 1             one program again
  highroad hunt --case finds/seed-26.json          a file again")]
pub(crate) struct HuntArguments {
    /// How long to hunt.
    #[arg(long, value_name = "S", default_value_t = 10)]
    pub(crate) seconds: u64,
    /// The first seed; a new one if it is left out. Each program has the seed after the one before.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Run so many programs instead of for some seconds.
    #[arg(long, value_name = "N")]
    pub(crate) programs: Option<u64>,
    /// Write each find into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Run programs from files instead.
    #[arg(long = "case", value_name = "FILE", num_args = 1..)]
    pub(crate) cases: Vec<PathBuf>,
}

/// Change random cells by the thousand and check that planners keep up.
///
/// Now and then every invariant of what a planner has precomputed is checked, that it equals one made
/// afresh where it promises so, and its answers against an exact search. Ends with exit code 1 if any
/// check fails.
#[derive(Args)]
#[command(after_help = "\
Examples:
  highroad storm town.map --planner hpa
  highroad storm maps/ --planner hpa:levels=2 --edits 100000 --seed 7")]
pub(crate) struct StormArguments {
    #[command(flatten)]
    pub(crate) work: WorkArguments,
    /// How many cells to change on each map.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=MANY as i64))]
    pub(crate) edits: u32,
    /// How often everything is checked.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) checkpoints: u16,
    /// How many queries are checked at each of these times.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) queries: u16,
    /// Where the randomness begins: the same seed gives the same storm.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print JSON, one object a line, instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct WorkArguments {
    /// Maps, scenarios, or folders of them; for verify also meshes.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Planners with their options, separated by commas; or all. Without it astar, on meshes any-angle.
    #[arg(long, value_name = "P,…")]
    pub(crate) planner: Option<String>,
    #[command(flatten)]
    pub(crate) movement: MovementArguments,
}

/// How agents move.
#[derive(Args)]
pub(crate) struct MovementArguments {
    /// Which steps are allowed: four-way, never-cut-corners, at-most-one-obstacle or
    /// always-diagonal.
    #[arg(long, default_value = MovementRule::default().name(), value_parser = parse_rule)]
    pub(crate) rule: MovementRule,
    /// What steps cost: exact, thesis (1 and 1.4), unit, or a pair of whole numbers such as 5/7.
    #[arg(long, value_name = "S/D", default_value = "exact", value_parser = parse_steps)]
    pub(crate) steps: StepCosts,
    /// How many cells a side an agent covers, from 1 to 8; it pays the maximum of what they cost, or with 3:mean the mean.
    /// Queries whose ends have no room are left out.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_size)]
    pub(crate) size: Footprint,
}

impl MovementArguments {
    /// The movement that they describe.
    pub(crate) fn agents(&self) -> AgentMovement {
        AgentMovement { rule: self.rule, steps: self.steps, footprint: self.size }
    }
}

fn parse_slopes(text: &str) -> Result<Slopes, String> {
    let numbers: Result<Vec<u16>, _> =
        text.split('/').map(|part| part.trim().parse::<u16>()).collect();
    match numbers.as_deref() {
        Ok(&[climb, drop, up, down]) => {
            let slopes = Slopes::new().with_climb_max(climb).with_drop_max(drop);
            Ok(slopes.with_uphill(up).with_downhill(down))
        }
        _ => Err("write four whole numbers up to 65535, such as 6/9/20/5".to_owned()),
    }
}

fn parse_size(text: &str) -> Result<Footprint, String> {
    let (size, cost) = match text.split_once(':') {
        None | Some((_, "max")) => (text.split(':').next(), FootprintCost::Max),
        Some((size, "mean")) => (Some(size), FootprintCost::Mean),
        Some(_) => (None, FootprintCost::Max),
    };
    let size = size.and_then(|size| size.trim().parse().ok());
    let size = size.ok_or("write a number of cells, such as 3, 3:max or 3:mean")?;
    Ok(Footprint::new(size).map_err(|error| error.to_string())?.with_cost(cost))
}

fn parse_rule(text: &str) -> Result<MovementRule, String> {
    MovementRule::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = MovementRule::ALL.iter().map(|rule| rule.name()).collect();
        format!("known rules are: {}", names.join(", "))
    })
}

fn parse_steps(text: &str) -> Result<StepCosts, String> {
    match text {
        "exact" => Ok(StepCosts::EXACT),
        "thesis" => Ok(StepCosts::THESIS),
        "unit" => Ok(StepCosts::UNIT),
        _ => {
            let pair = text.split_once('/').and_then(|(straight, diagonal)| {
                Some((straight.trim().parse().ok()?, diagonal.trim().parse().ok()?))
            });
            let (straight, diagonal) = pair.ok_or("write exact, thesis, unit or a pair: 5/7")?;
            StepCosts::new(straight, diagonal).map_err(|error| error.to_string())
        }
    }
}

/// More queries or edits than anyone waits for.
const MANY: usize = 10_000_000;

fn parse_sample(text: &str) -> Result<Sample, String> {
    match text {
        "all" => Ok(Sample::All),
        _ => match text.parse() {
            Ok(count @ 1..=MANY) => Ok(Sample::Spread(count)),
            _ => Err("write a number from 1 to 10000000, or all".to_owned()),
        },
    }
}

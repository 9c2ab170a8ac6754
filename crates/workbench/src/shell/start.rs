//! The start page: what one can do here, each with a small picture that moves.

use super::dialog::Next;
use super::{FilePurpose, Mode, Shell, files};
use crate::graph::BUILTIN_GRAPHS;
use crate::map::Tab;
use crate::teach::lesson::BUILTIN_LESSONS;
use highroad::catalog::Spec;
use highroad::environment::NodeId;
use highroad::graph::Graph;
use highroad::grid::{Batch, Grid};
use highroad::online::GraphSearch;
use highroad::planner::{PathQuery, Planner, Point, Scratch, SketchLayer};
use highroad::search::TraceLog;
use highroad::simulation::{AgentId, AgentState, Pace};
use highroad::{AgentPlan, Budget, Cell, CellRect, PathWorld, Simulation, Terrain};
use highroad_lab::builtin::BuiltinMap;
use highroad_lab::generate::{MapRecipe, Random};
use highroad_pictures::replay::Replay;
use highroad_pictures::{
    Canvas, Colouring, GraphLayout, GraphScene, Scene, SceneAgent, SceneLayer, Theme, Viewport,
    extent_of_nodes,
};
use std::time::Duration;

/// What one can begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Card {
    /// Lessons.
    Learn,
    /// Draw on a map, and see what every planner makes of it.
    Draw,
    /// Agents walk while the map changes.
    Agents,
    /// Graphs, and puzzles beside them.
    Graphs,
    /// Open a file.
    Open,
}

impl Card {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [Self::Learn, Self::Draw, Self::Agents, Self::Graphs, Self::Open];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Learn => "Learn",
            Self::Draw => "Draw and compare",
            Self::Agents => "Agents in a changing world",
            Self::Graphs => "Graphs and puzzles",
            Self::Open => "Open a map",
        }
    }

    /// What one does there.
    pub fn text(self) -> &'static str {
        match self {
            Self::Learn => {
                "Ten short lessons: read, guess, try. From breadth-first search to maps that change."
            }
            Self::Draw => {
                "Draw walls, drag start and goal, watch each step of the search, compare all planners."
            }
            Self::Agents => {
                "An agent walks its path. Put a wall in its way: it plans again while it walks."
            }
            Self::Graphs => {
                "Searches on a graph, with the lecture's table row by row. Sliding puzzles, solved and played back."
            }
            Self::Open => {
                "Maps of MovingAI and Tiled, drawings and pictures. Or drop a file anywhere."
            }
        }
    }
}

/// How long a replay in a small picture takes, and how long its end is shown.
const REPLAY_SECONDS: f32 = 5.0;
const END_SECONDS: f32 = 2.0;

/// Ticks of agents in a second.
const TICKS_PER_SECOND: f32 = 30.0;
/// Ticks between two edits of the agents' world.
const EDIT_TICKS: u64 = 60;
const AGENTS: usize = 28;

/// A small picture that moves.
pub struct Thumbnail {
    moving: Moving,
    seconds: f32,
}

enum Moving {
    Search {
        grid: Box<Grid>,
        replay: Box<Replay>,
        path: Vec<Cell>,
        layers: Vec<SketchLayer>,
        ends: (Cell, Cell),
    },
    Agents {
        simulation: Box<Simulation>,
        random: Random,
        ticks: u64,
        places: Vec<Point>,
    },
    Graph {
        graph: Box<Graph>,
        layout: GraphLayout,
        replay: Box<Replay>,
        path: Vec<NodeId>,
    },
}

/// A small picture's content: of a map, or of a graph.
pub enum ThumbnailScene<'a> {
    /// A map.
    Map(Box<Scene<'a>>),
    /// A graph.
    Graph(GraphScene<'a>),
}

impl ThumbnailScene<'_> {
    /// The picture in so many pixels: a map fills it, a graph fits into it.
    pub fn to_canvas(&self, (width, height): (f32, f32)) -> Canvas {
        match self {
            Self::Map(scene) => {
                let extent = scene.grid.extent();
                let (columns, rows) = (extent.width() as f32, extent.height() as f32);
                let scale = (width / columns).max(height / rows);
                let origin = ((columns - width / scale) / 2.0, (rows - height / scale) / 2.0);
                let size = (width, height);
                scene.to_canvas(&Viewport { origin, scale, corner: (0.0, 0.0), size })
            }
            Self::Graph(scene) => {
                scene.to_canvas(&scene.layout.viewport((0.0, 0.0), (width, height)))
            }
        }
    }
}

impl Thumbnail {
    /// The picture of a card.
    pub fn of(card: Card) -> Option<Self> {
        let moving = match card {
            Card::Learn => search("field", "astar:textbook=yes")?,
            Card::Draw => search("trap", "astar")?,
            Card::Open => search("castle", "hpa")?,
            Card::Agents => agents()?,
            Card::Graphs => graph()?,
        };
        Some(Self { moving, seconds: 0.0 })
    }

    /// Lets time pass.
    pub fn advance(&mut self, elapsed: Duration) {
        // After a pause, it goes on from where it was.
        let elapsed = elapsed.as_secs_f32().min(0.1);
        self.seconds += elapsed;
        match &mut self.moving {
            Moving::Search { replay, .. } | Moving::Graph { replay, .. } => {
                let at = self.seconds % (REPLAY_SECONDS + END_SECONDS);
                let share = (at / REPLAY_SECONDS).min(1.0);
                let position = (replay.len() as f32 * share) as usize;
                replay.go_to(position, |_| ());
            }
            Moving::Agents { simulation, random, ticks, places } => {
                let due = (self.seconds * TICKS_PER_SECOND) as u64;
                while *ticks < due {
                    *ticks += 1;
                    tick(simulation, random, *ticks);
                }
                places.clear();
                places.extend(simulation.agents().iter().map(|agent| Point::middle_of(agent.at())));
            }
        }
    }

    /// What is to be seen.
    pub fn scene(&self, theme: Theme) -> ThumbnailScene<'_> {
        let scene = match &self.moving {
            Moving::Search { grid, replay, path, layers, ends } => {
                let is_done = replay.position() == replay.len();
                let shown = |layer| SceneLayer { layer, opacity: 0.5, shown: usize::MAX };
                Scene {
                    theme,
                    search: Some((replay, Colouring::Order, 0.7)),
                    layers: layers.iter().map(shown).collect(),
                    path: is_done.then_some((path.as_slice(), 1.0)),
                    start: Some(ends.0),
                    goal: Some(ends.1),
                    ..Scene::new(grid)
                }
            }
            Moving::Agents { simulation, places, .. } => Scene {
                theme,
                agents: places.iter().map(|&at| SceneAgent { at, trail: &[] }).collect(),
                ..Scene::new(simulation.world().grid())
            },
            Moving::Graph { graph, layout, replay, path } => {
                let is_done = replay.position() == replay.len();
                return ThumbnailScene::Graph(GraphScene {
                    theme,
                    search: Some(replay),
                    path: if is_done { path } else { &[] },
                    ..GraphScene::new(graph, layout)
                });
            }
        };
        ThumbnailScene::Map(Box::new(scene))
    }
}

/// A search on a built-in map.
fn search(map: &str, planner: &str) -> Option<Moving> {
    let builtin = BuiltinMap::find(map)?;
    let grid = Grid::with_defaults(builtin.load());
    let planner = planner.parse::<Spec>().ok()?.build(&grid).ok()?;
    let mut log = TraceLog::default();
    let query = PathQuery::new(builtin.query.0, builtin.query.1);
    let answer = planner.solve_traced(&grid, &query, &mut Scratch::new(), &mut log).ok()?;
    let path = answer.path()?.cells().to_vec();
    let mut layers = planner.sketch(&grid);
    layers.retain(|layer| layer.level == 1 && layer.info.visible_levels > 0);
    let replay = Box::new(Replay::new(grid.extent(), log));
    Some(Moving::Search { grid: Box::new(grid), replay, path, layers, ends: builtin.query })
}

/// A search on the first built-in graph.
fn graph() -> Option<Moving> {
    let graph = Box::new(BUILTIN_GRAPHS.first()?.load());
    let last = NodeId(graph.node_count().checked_sub(1)? as u32);
    let mut log = TraceLog::default();
    let query = PathQuery::new(NodeId(0), last);
    let search = GraphSearch::dijkstra();
    let answer = search.solve_traced(&graph, &query, &mut Scratch::new(), &mut log).ok()?;
    let path = answer.path()?.nodes().to_vec();
    let replay = Box::new(Replay::new(extent_of_nodes(graph.node_count())?, log));
    Some(Moving::Graph { layout: GraphLayout::new(&graph), graph, replay, path })
}

/// Agents among rooms.
fn agents() -> Option<Moving> {
    let recipe: MapRecipe = "rooms width=73 height=41 room=7 doors=85 seed=5".parse().ok()?;
    let world = PathWorld::new(recipe.generate().ok()?);
    let mut simulation = Box::new(Simulation::new(world, Budget::expansions(20_000)));
    let mut random = Random::new(3);
    for _ in 0..AGENTS {
        let grid = simulation.world().grid();
        let (start, goal) = (random_cell(grid, &mut random), random_cell(grid, &mut random));
        simulation.add(AgentPlan::new(start, goal).with_pace(Pace::new(1, 3)));
    }
    Some(Moving::Agents { simulation, random, ticks: 0, places: Vec::new() })
}

/// A cell that agents can enter; a corner where chance finds none.
fn random_cell(grid: &Grid, random: &mut Random) -> Cell {
    let extent = grid.extent();
    let (width, height) = (u64::from(extent.width()), u64::from(extent.height()));
    let mut any = || Cell::new(random.below(width) as u32, random.below(height) as u32);
    (0..1000).map(|_| any()).find(|&cell| grid.is_enterable(cell)).unwrap_or_default()
}

/// Walls come and go, and whoever has arrived is sent elsewhere.
fn tick(simulation: &mut Simulation, random: &mut Random, ticks: u64) {
    let edits = ticks / EDIT_TICKS;
    if ticks.is_multiple_of(EDIT_TICKS) && edits.is_multiple_of(6) {
        while simulation.undo().is_some() {}
    } else if ticks.is_multiple_of(EDIT_TICKS) {
        let Cell { x, y } = random_cell(simulation.world().grid(), random);
        let mut batch = Batch::new();
        let far = Cell::new((x + 4).min(72), (y + 2).min(40));
        batch.fill(CellRect::new(Cell::new(x, y), far), Terrain::WATER);
        // Both corners lie inside.
        _ = simulation.edit(&batch);
    }
    simulation.tick();
    simulation.take_events();
    for number in 0..simulation.agents().len() {
        let rests = matches!(
            simulation.agents()[number].state(),
            AgentState::Arrived | AgentState::Stopped(_)
        );
        if rests && ticks.is_multiple_of(15) {
            let goal = random_cell(simulation.world().grid(), random);
            simulation.send(AgentId(number as u32), goal);
        }
    }
}

/// The start page's pictures, while it is shown.
#[derive(Default)]
pub struct StartPage {
    /// A picture for each card.
    pub thumbnails: Vec<(Card, Thumbnail)>,
}

impl StartPage {
    pub(super) fn new() -> Self {
        let of = |card| Some((card, Thumbnail::of(card)?));
        Self { thumbnails: Card::ALL.into_iter().filter_map(of).collect() }
    }

    pub(super) fn advance(&mut self, elapsed: Duration) {
        for (_, thumbnail) in &mut self.thumbnails {
            thumbnail.advance(elapsed);
        }
    }
}

impl Shell {
    /// Goes where a card leads.
    pub fn choose_card(&mut self, card: Card) {
        match card {
            Card::Learn => {
                if let Some(Ok(lesson)) = BUILTIN_LESSONS.first().map(|builtin| builtin.read()) {
                    self.careful(Next::Learn(Box::new(lesson)));
                }
                return;
            }
            Card::Draw => self.begin_with("field", Tab::Compare),
            Card::Agents => self.begin_with("rooms", Tab::Agent),
            Card::Graphs => {
                self.mode = Mode::Graph;
                return;
            }
            Card::Open => {
                self.ask_for_file(FilePurpose::Open);
                return;
            }
        }
        self.map.starts_walking = card == Card::Agents;
        self.map.starts_comparing = card == Card::Draw;
    }

    fn begin_with(&mut self, map: &str, tab: Tab) {
        self.map.tab = tab;
        match BuiltinMap::find(map) {
            Some(builtin) => self.careful(Next::Take(Box::new(files::builtin_document(builtin)))),
            None => self.mode = Mode::Map,
        }
    }
}

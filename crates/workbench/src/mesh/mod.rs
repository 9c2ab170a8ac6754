//! The mesh mode: a navigation mesh, a planner, a shortest path from point to point, and obstacles that come and go.
//!
//! [`MeshMode`] is its state, and `draw` shows it. The mesh is that of a [`PathWorld`], whose edits and undo place, move and
//! remove obstacles. A node of a search is a cell of the recording, so that player and timeline are those of other modes.

pub(crate) mod draw;
mod engine;
mod obstacles;

pub use engine::MeshOutcome;
pub use obstacles::MeshTool;

use crate::seams::Seams;
use crate::shared::job::{Job, JobState};
use crate::shared::{Busy, PlannerChoice, Player, View};
use engine::{Prepared, Solved, solve};
use highroad::PathWorld;
use highroad::catalog::CATALOG;
use highroad::environment::Environment;
use highroad::grid::Grid;
use highroad::mesh::{Mesh, MeshPoint};
use highroad::planner::{CatalogEntry, Watch};
use highroad::search::TraceKind;
use highroad_lab::builtin::BuiltinMap;
use highroad_lab::meshes::mesh_of_grid;
use highroad_pictures::replay::{Replay, kind_name};
use highroad_pictures::{MeshScene, SceneLayer, Theme, Viewport};
use obstacles::Gesture;
use std::time::Duration;

/// Polygons of a mesh that is drawn, at the most: all of them are drawn in every frame.
pub const POLYGONS_MAX: usize = 40_000;

/// The map whose mesh is shown first.
const FIRST_MAP: &str = "caves";

/// What is shown of a mesh and of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshLayers {
    /// The edges between polygons.
    pub edges: bool,
    /// What the search has looked at.
    pub search: bool,
    /// The polygons that the path passes.
    pub corridor: bool,
    /// The edges that the path crosses.
    pub funnel: bool,
}

impl Default for MeshLayers {
    fn default() -> Self {
        Self { edges: true, search: true, corridor: true, funnel: false }
    }
}

/// The state of the mesh mode.
pub struct MeshMode {
    /// What the mesh is called.
    pub name: String,
    /// The recording of the search.
    pub player: Player,
    /// Which part of the mesh is seen.
    pub view: View,
    /// What the pointer does.
    pub tool: MeshTool,
    /// What is shown.
    pub layers: MeshLayers,
    /// Light or dark.
    pub theme: Theme,
    world: PathWorld<Mesh>,
    ends: [MeshPoint; 2],
    planner: PlannerChoice,
    outcome: Option<Result<MeshOutcome, String>>,
    /// Why the last edit was refused.
    refusal: Option<String>,
    gesture: Option<Gesture>,
    /// Corners of an obstacle that is being drawn.
    corners: Vec<[f64; 2]>,
    /// How many obstacles were drawn so far: each has a name of its own.
    drawn: u32,
    job: Option<Job<Result<Solved, String>>>,
    /// Whether something has changed since the job began.
    is_outdated: bool,
    prepared: Option<Prepared>,
    seams: Seams,
}

impl MeshMode {
    /// The mode with the mesh of a built-in map.
    pub fn new(seams: Seams) -> Self {
        let nothing =
            Mesh::from_polygons(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], &[vec![0, 1, 2]]);
        let nothing = nothing.expect("a triangle is a mesh");
        let corner = MeshPoint::new(0.0, 0.0).expect("zero is a coordinate");
        let mut mode = Self {
            name: String::new(),
            player: Player::default(),
            view: View::default(),
            tool: MeshTool::default(),
            layers: MeshLayers::default(),
            theme: Theme::default(),
            world: PathWorld::on(nothing),
            ends: [corner; 2],
            planner: Self::planners().next().map(PlannerChoice::of_entry).unwrap_or_default(),
            outcome: None,
            refusal: None,
            gesture: None,
            corners: Vec::new(),
            drawn: 0,
            job: None,
            is_outdated: false,
            prepared: None,
            seams,
        };
        if let Some(builtin) = BuiltinMap::find(FIRST_MAP) {
            // The tests look whether it can be drawn.
            _ = mode.take_builtin(builtin);
        }
        mode
    }

    /// Takes up a mesh, with a path between two of its places that lie far apart, or says why not.
    pub fn take(&mut self, name: &str, mesh: Mesh) -> Result<(), String> {
        let polygons = mesh.polygon_count();
        if polygons > POLYGONS_MAX {
            return Err(format!(
                "{name} has {polygons} polygons, too many to be drawn: at most {POLYGONS_MAX}. The command highroad solve \
                 works on larger meshes."
            ));
        }
        let ends = ends_of(&mesh).ok_or_else(|| format!("{name} has no polygons."))?;
        self.take_with(name, mesh, ends);
        Ok(())
    }

    /// Takes up the mesh of the free ground of a map, or says why not.
    pub fn take_grid(&mut self, name: &str, grid: &Grid) -> Result<(), String> {
        let mesh = mesh_of_grid(grid).map_err(|reason| format!("No mesh of {name}: {reason}."))?;
        self.take(name, mesh)
    }

    /// Takes up the mesh of a built-in map, with its query, or says why not.
    pub fn take_builtin(&mut self, builtin: &BuiltinMap) -> Result<(), String> {
        self.take_grid(builtin.name, &Grid::with_defaults(builtin.load()))?;
        let (start, goal) = builtin.query;
        let middle =
            |at: highroad::Cell| MeshPoint::new(f64::from(at.x) + 0.5, f64::from(at.y) + 0.5).ok();
        if let (Some(start), Some(goal)) = (middle(start), middle(goal)) {
            self.set_end(0, start);
            self.set_end(1, goal);
        }
        Ok(())
    }

    fn take_with(&mut self, name: &str, mesh: Mesh, ends: [MeshPoint; 2]) {
        self.world = PathWorld::on(mesh);
        self.ends = ends;
        self.name = name.to_owned();
        (self.refusal, self.gesture, self.prepared) = (None, None, None);
        self.corners.clear();
        self.drawn = 0;
        self.view = View::default();
        self.run();
    }

    /// The mesh, with its obstacles.
    pub fn mesh(&self) -> &Mesh {
        self.world.environment()
    }

    /// Where the path starts and ends.
    pub fn ends(&self) -> [MeshPoint; 2] {
        self.ends
    }

    /// The planner and its options.
    pub fn planner(&self) -> &PlannerChoice {
        &self.planner
    }

    /// The planners that are made for meshes, in the catalog's order.
    pub fn planners() -> impl Iterator<Item = &'static CatalogEntry> {
        CATALOG.iter().copied().filter(|entry| entry.mesh.is_some())
    }

    /// Moves the start (0) or the goal (1). A point beside the mesh changes nothing.
    pub fn set_end(&mut self, which: usize, point: MeshPoint) {
        if self.ends[which] != point && self.mesh().check_place(point).is_ok() {
            self.ends[which] = point;
            self.run();
        }
    }

    /// Exchanges start and goal.
    pub fn swap_ends(&mut self) {
        self.ends.swap(0, 1);
        self.run();
    }

    /// Chooses a planner and its options.
    pub fn choose_planner(&mut self, choice: PlannerChoice) {
        if self.planner != choice {
            self.planner = choice;
            self.run();
        }
    }

    /// What came of the query, or why there is no answer; `None` while the first answer is worked on.
    pub fn outcome(&self) -> Option<&Result<MeshOutcome, String>> {
        self.outcome.as_ref()
    }

    /// Why the last edit of obstacles was refused, if it was.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Says why something was not done.
    pub fn refuse(&mut self, reason: String) {
        self.refusal = Some(reason);
    }

    /// Answers the query on a worker; while one is at work, as soon as it has ended.
    fn run(&mut self) {
        if self.job.is_some() {
            self.is_outdated = true;
            return;
        }
        let spec = match self.planner.spec() {
            Ok(spec) => spec,
            Err(error) => {
                self.player.load(None);
                self.outcome = Some(Err(error.to_string()));
                return;
            }
        };
        let (mesh, ends, prepared) = (self.mesh().clone(), self.ends, self.prepared.take());
        self.job = Some(Job::start(&self.seams, "searching the mesh", move |control| {
            let mut watch = |_, _| control.goes_on();
            solve(&mesh, &spec, ends, prepared, &mut Watch::new(&mut watch))
        }));
    }

    /// Lets time pass.
    pub fn tick(&mut self, elapsed: Duration) {
        match self.job.as_ref().map(Job::poll) {
            None | Some(JobState::Running) => {}
            Some(JobState::Lost) => self.job = None,
            Some(JobState::Done(result)) => {
                self.job = None;
                let solved = result.map(|Solved { outcome, replay, prepared }| {
                    self.player.load(Some(replay));
                    self.prepared = Some(prepared);
                    outcome
                });
                if solved.is_err() {
                    self.player.load(None);
                }
                self.outcome = Some(solved);
                if std::mem::take(&mut self.is_outdated) {
                    self.run();
                }
            }
        }
        self.player.advance(elapsed);
        // The drawing looks at the whole recording in each frame.
        self.player.touched.take();
    }

    /// What goes on, if anything.
    pub fn busy(&self) -> Option<Busy> {
        let job = self.job.as_ref()?;
        Some(Busy { what: job.what.clone(), share: None, age: job.age(&self.seams) })
    }

    /// The viewport for a rectangle on the surface.
    pub fn place(&mut self, corner: (f32, f32), size: (f32, f32)) -> Viewport {
        let bounds = self.mesh().bounds().map(|corner| corner.map(|at| at as f32));
        self.view.place_within(bounds, corner, size)
    }

    /// Whether the nodes of the recording are polygons of the mesh.
    fn records_polygons(&self) -> bool {
        self.planner.entry().name == "funnel"
    }

    /// Whether the recording has been played to its end.
    fn is_at_end(&self) -> bool {
        let (position, length) = self.player.position();
        position == length
    }

    /// The path as far as it is known by now.
    pub fn known_path(&self) -> Option<&[MeshPoint]> {
        match &self.outcome {
            Some(Ok(outcome)) if self.is_at_end() => Some(&outcome.path),
            _ => None,
        }
    }

    /// Everything that is to be seen of the mesh.
    pub fn scene(&self) -> MeshScene<'_> {
        let replay = self.player.replay().filter(|_| self.records_polygons() && self.layers.search);
        MeshScene {
            theme: self.theme,
            edges: self.layers.edges,
            search: replay,
            layers: self.shown_layers(),
            corridor: self.layers.corridor,
            funnel: self.layers.funnel,
            path: self.known_path(),
            start: Some(self.ends[0]),
            goal: Some(self.ends[1]),
            ..MeshScene::new(self.mesh())
        }
    }

    /// Layers of the search, as far as it has come. Cones are listed as they were opened, two lines each.
    fn shown_layers(&self) -> Vec<SceneLayer<'_>> {
        let Some(Ok(outcome)) = &self.outcome else { return Vec::new() };
        if !self.layers.search {
            return Vec::new();
        }
        let events =
            self.player.replay().map_or(&[][..], |replay| &replay.events()[..replay.position()]);
        let opened = events.iter().filter(|event| event.kind == TraceKind::Open).count();
        let shown = |name: &str| match name {
            _ if self.is_at_end() => usize::MAX,
            "cones" => 2 * opened,
            _ => 0,
        };
        let layers = outcome.layers.iter();
        let layers = layers.map(|layer| {
            let opacity = layer.info.opacity;
            SceneLayer { layer, opacity, shown: shown(layer.info.name) }
        });
        layers.collect()
    }

    /// What the current step of the search does, in a sentence.
    pub fn sentence(&self) -> Option<String> {
        let replay = self.player.replay().filter(|replay| !replay.is_empty())?;
        let Some((event, _)) = replay.current() else {
            return Some(
                "Nothing has happened yet. Space plays the search, the right arrow goes one step on."
                    .to_owned(),
            );
        };
        let scale = self.mesh().cost_scale();
        let [g, h] = [event.g, event.h].map(|cost| cost as f64 / scale);
        let node = match self.records_polygons() {
            true => format!("polygon {}", event.node.0),
            false => "a part of an edge".to_owned(),
        };
        Some(match event.kind {
            TraceKind::Expand => format!(
                "Takes {node}: {:.2} so far and at least {h:.2} to go, together {:.2}, is the least of all that are open.",
                g,
                g + h
            ),
            TraceKind::Open => {
                format!("Opens {node} that can be reached: {g:.2} so far, at least {h:.2} to go.")
            }
            TraceKind::Goal => format!("Takes the goal: the path is {g:.2} long."),
            other => format!("{}: {node}.", kind_name(other)),
        })
    }

    /// The share of the recording that has been played, for tests and the status line.
    pub fn replay(&self) -> Option<&Replay> {
        self.player.replay()
    }
}

/// Two points far apart: middles of polygons of the largest part, at opposite corners of the mesh.
fn ends_of(mesh: &Mesh) -> Option<[MeshPoint; 2]> {
    let open = || (0..mesh.polygon_count() as u32).filter(|&polygon| mesh.is_open(polygon));
    let mut sizes = std::collections::BTreeMap::new();
    open().for_each(|polygon| *sizes.entry(mesh.part(polygon)).or_insert(0usize) += 1);
    let (&largest, _) =
        sizes.iter().max_by_key(|&(&part, &count)| (count, std::cmp::Reverse(part)))?;
    let middle = |polygon: u32| {
        let corners: Vec<[f64; 2]> =
            mesh.corners(polygon).map(|vertex| mesh.vertices()[vertex as usize]).collect();
        let mean = |axis: usize| {
            corners.iter().map(|corner| corner[axis]).sum::<f64>() / corners.len() as f64
        };
        let point = MeshPoint::new(mean(0), mean(1)).ok()?;
        Some(point.on_layer(mesh.layer(polygon)))
    };
    let middles = || {
        open()
            .filter(|&polygon| mesh.part(polygon) == largest)
            .filter_map(middle)
            .filter(|&point| mesh.check_place(point).is_ok())
    };
    let across = |point: &MeshPoint| point.x() + point.y();
    let first = middles().min_by(|a, b| across(a).total_cmp(&across(b)))?;
    let last = middles().max_by(|a, b| across(a).total_cmp(&across(b)))?;
    Some([first, last])
}

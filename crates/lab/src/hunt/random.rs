//! Random programs.

use super::program::{
    Crossing, Edit, EndRule, Following, Gait, GraphSetting, GridSetting, KindSetting, LinkSetting,
    MeshSetting, Program, Question, Setting, Slope, Step, Wanted,
};
use crate::generate::Random;
use highroad::catalog::CATALOG;
use highroad::grid::MovementRule;
use highroad::planner::CatalogEntry;
use highroad_suite::{SquareMesh, option_values};

/// The largest side of a map: small maps have every kind of corner, and plain Dijkstra is quick on them.
const SIDE_MAX: u64 = 24;
/// The most nodes of a graph.
const NODES_MAX: u64 = 40;
/// The largest side of a mesh, in squares.
const SQUARES_MAX: u64 = 7;
/// The most steps of a program.
const STEPS_MAX: u64 = 60;

/// The most edits that make the borders, heights and links of a map.
const GROUND_MAX: u64 = 16;

/// What a map has beside terrain.
#[derive(Clone, Copy)]
struct Shape {
    borders: bool,
    heights: bool,
    links: bool,
}

const FLAT: Shape = Shape { borders: false, heights: false, links: false };
/// Half of the maps are flat.
const SHAPES: [Shape; 8] = [
    FLAT,
    FLAT,
    FLAT,
    FLAT,
    Shape { borders: true, ..FLAT },
    Shape { heights: true, ..FLAT },
    Shape { links: true, ..FLAT },
    Shape { borders: true, heights: true, links: true },
];

struct Maker {
    random: Random,
    /// How many places there are; numbers up to a few more are drawn.
    places: u32,
    kinds: u16,
    on_grid: bool,
    /// How many columns a grid has.
    width: u32,
    shape: Shape,
    /// Links that were drawn, which may be closed later.
    links: Vec<LinkSetting>,
}

/// The program of a seed.
pub fn random_program(seed: u64) -> Program {
    drawn_program(Random::new(seed), seed)
}

/// The program that some bytes choose: what [`random_program`] draws is taken from them as long as they last. So a
/// fuzzer, which knows nothing of programs, changes them step by step.
pub fn program_of_bytes(bytes: &[u8]) -> Program {
    drawn_program(Random::of_bytes(bytes), 0)
}

fn drawn_program(mut random: Random, seed: u64) -> Program {
    let shape = pick(&mut random, &SHAPES);
    let mut setting = match random.below(11) {
        0..=2 => Setting::Graph(graph(&mut random)),
        10 => Setting::Mesh(mesh(&mut random)),
        drawn => Setting::Grid(grid(&mut random, drawn >= 8, shape)),
    };
    let (places, kinds, on_grid, agents) = match &setting {
        Setting::Grid(grid) => {
            let cells = grid.rows.iter().map(String::len).sum::<usize>() as u32;
            (cells, grid.kinds.len() as u16, true, grid.agents)
        }
        Setting::Graph(graph) => (graph.nodes, 1, false, false),
        Setting::Mesh(mesh) => {
            let points = SquareMesh::new(&mesh.rows, 0, 0, 0).map_or(1, |mesh| mesh.point_count());
            (points, 1, false, false)
        }
    };
    let on_mesh = matches!(setting, Setting::Mesh(_));
    let count = 1 + random.below(STEPS_MAX);
    let links = Vec::new();
    let mut maker = Maker { random, places, kinds, on_grid, width: 1, shape, links };
    if let Setting::Grid(grid) = &mut setting {
        maker.width = grid.rows.first().map_or(1, String::len) as u32;
        grid.ground = maker.ground();
    }
    let step = |_| match (agents, on_mesh) {
        (true, _) => maker.agent_step(),
        (_, true) => maker.mesh_step(),
        _ => maker.step(),
    };
    let steps = (0..count).map(step).collect();
    Program { seed, setting, steps }
}

fn pick<T: Copy>(random: &mut Random, values: &[T]) -> T {
    values[random.below(values.len() as u64) as usize]
}

fn following(random: &mut Random) -> Following {
    Following {
        patch_limit: pick(random, &[None, None, Some(0), Some(3), Some(40)]),
        rest_ticks: pick(random, &[0, 0, 1, 4]),
        lockstep: pick(random, &[1, 1, 3]),
        share_from: pick(random, &[1, 2, 4, 64]),
    }
}

/// Up to three planners of the catalog, with random options.
fn planners(random: &mut Random) -> Vec<String> {
    let count = pick(random, &[0, 1, 1, 1, 2, 3]);
    let one = |_| {
        let entry = &CATALOG[random.below(CATALOG.len() as u64) as usize];
        planner(random, entry)
    };
    (0..count).map(one).collect()
}

/// A planner with each option as usual, or set to any value worth trying.
fn planner(random: &mut Random, entry: &CatalogEntry) -> String {
    let mut text = entry.name.to_owned();
    // Most options stay as they are: all of them together are seldom what is wrong.
    let share = pick(random, &[0, 1, 2, 4]);
    for option in entry.options {
        let values = option_values(option);
        if !values.is_empty() && random.chance(share, 4) {
            let value = &values[random.below(values.len() as u64) as usize];
            text.push_str(&format!(":{}={value}", option.name));
        }
    }
    text
}

fn grid(random: &mut Random, agents: bool, shape: Shape) -> GridSetting {
    let letters: &[u8] = pick(random, &[&b"."[..], b".", b"..S", b"..SW", b".SWT", b"..ABP"]);
    let (width, height) = (1 + random.below(SIDE_MAX), 1 + random.below(SIDE_MAX));
    let walls = pick(random, &[0, 10, 25, 40]);
    let cell = |random: &mut Random| match random.chance(walls, 100) {
        true => '@',
        false => char::from(pick(random, letters)),
    };
    let rows = (0..height).map(|_| (0..width).map(|_| cell(random)).collect()).collect();
    let kinds = (0..pick(random, &[1, 1, 1, 2, 3]))
        .map(|_| {
            let slope = shape.heights.then(|| slope(random)).flatten();
            KindSetting { slope, ..kind(random, width.min(height)) }
        })
        .collect();
    GridSetting { rows, ground: Vec::new(), kinds, following: following(random), agents }
}

/// What heights mean to a kind: limits, prices, both, or nothing.
fn slope(random: &mut Random) -> Option<Slope> {
    let limit = |random: &mut Random| pick(random, &[u16::MAX, u16::MAX, 0, 1, 2, 3]);
    let price = |random: &mut Random| pick(random, &[0, 0, 1, 30, 100, 250]);
    let (climb, drop) = (limit(random), limit(random));
    let (up, down) = (price(random), price(random));
    random.chance(5, 6).then_some(Slope { climb, drop, up, down })
}

fn kind(random: &mut Random, side: u64) -> KindSetting {
    let any_rule = pick(random, &MovementRule::ALL);
    let mut costs = Vec::new();
    for letter in ['S', 'W', 'A', 'B', 'P'] {
        if random.chance(1, 2) {
            costs.push((letter, pick(random, &[1, 1, 2, 4, 16, 900])));
        }
    }
    KindSetting {
        // The usual rule is what most planners serve.
        rule: pick(random, &[MovementRule::default(), any_rule]).name().to_owned(),
        steps: pick(random, &[(2378, 3363), (2378, 3363), (5, 7), (1, 1)]),
        costs,
        water: if random.chance(1, 4) { "W".to_owned() } else { String::new() },
        entered: random.chance(1, 5),
        // A kind that is larger than the map is refused.
        size: pick(random, &[1, 1, 1, 2, 3]).min(side.min(8) as u8),
        mean: random.chance(1, 3),
        slope: None,
        planners: planners(random),
    }
}

fn graph(random: &mut Random) -> GraphSetting {
    let nodes = 1 + random.below(NODES_MAX) as u32;
    let edge = |random: &mut Random| {
        let [from, to] = [0; 2].map(|_| random.below(u64::from(nodes)) as u32);
        let most = pick(random, &[2, 10, 1000]);
        (from, to, random.below(most) as i32)
    };
    let edges = (0..random.below(u64::from(nodes) * 4)).map(|_| edge(random)).collect();
    let place = |random: &mut Random| [0; 2].map(|_| random.below(30) as i32);
    let placed = if random.chance(1, 2) { nodes } else { 0 };
    let positions = (0..placed).map(|_| place(random).into()).collect();
    let (planners, following) = (planners(random), following(random));
    GraphSetting { nodes, positions, edges, planners, following }
}

fn mesh(random: &mut Random) -> MeshSetting {
    let (width, height) = (1 + random.below(SQUARES_MAX), 1 + random.below(SQUARES_MAX));
    let blocked = pick(random, &[0, 15, 30, 45]);
    let square = |random: &mut Random| if random.chance(blocked, 100) { '#' } else { '.' };
    let mut rows: Vec<String> =
        (0..height).map(|_| (0..width).map(|_| square(random)).collect()).collect();
    // One square is free in any case.
    rows[0].replace_range(0..1, ".");
    let turn = pick(random, &[0, 0, 1, 2]);
    let (form, seed) = (random.below(3) as u32, random.below(1000));
    MeshSetting { rows, turn, form, seed, planners: planners(random) }
}

impl Maker {
    fn place(&mut self) -> u32 {
        // Now and then one outside.
        let outside = if self.random.chance(1, 60) { 5 } else { 0 };
        self.random.below(u64::from(self.places + outside)) as u32
    }

    fn some_places(&mut self) -> Vec<u32> {
        let count = pick(&mut self.random, &[1, 1, 1, 1, 2, 3]);
        (0..count).map(|_| self.place()).collect()
    }

    fn question(&mut self) -> Question {
        let kind = self.some_kind();
        let (starts, goals) = (self.some_places(), self.some_places());
        let rules = [EndRule::Exact, EndRule::Exact, EndRule::Adjacent, EndRule::Nearest];
        let rule = pick(&mut self.random, &rules);
        let blocked = if self.random.chance(1, 4) { self.random.below(9) } else { 0 };
        let obstacles = (0..blocked).map(|_| self.place()).collect();
        Question { kind, starts, goals, rule, obstacles }
    }

    /// Now and then one that there is not.
    fn some_kind(&mut self) -> u16 {
        let unknown = u64::from(self.random.chance(1, 80));
        self.random.below(u64::from(self.kinds) + unknown) as u16
    }

    fn some_planner(&mut self) -> String {
        let entry = &CATALOG[self.random.below(CATALOG.len() as u64) as usize];
        planner(&mut self.random, entry)
    }

    fn number(&mut self) -> usize {
        self.random.below(6) as usize
    }

    fn step(&mut self) -> Step {
        match self.random.below(100) {
            0..=21 => Step::Edit(self.edits()),
            22..=24 => Step::Undo,
            25 => Step::Redo,
            26..=41 => Step::Ask(self.question()),
            42..=44 => Step::AskWithin(self.question(), self.random.below(30)),
            45..=48 => {
                let slices = (0..=self.random.below(5)).map(|_| self.random.below(9)).collect();
                Step::AskInSlices(self.question(), self.number(), slices)
            }
            49 => {
                let (count, margin) = (self.random.below(4) as u32, self.random.below(3) as u32);
                Step::Alternatives(self.question(), count, margin)
            }
            50..=51 => Step::Nearest(self.question()),
            52..=54 => Step::Each(self.question()),
            55..=57 => Step::Range(self.question(), self.cost()),
            58..=62 => Step::Reachable(self.question()),
            63..=74 => {
                let leg = self.random.chance(1, 4).then(|| self.random.below(9) as u32);
                Step::Request(self.wanted(), self.random.below(3) as u8, leg)
            }
            75 => Step::Cancel(self.number()),
            76..=85 => Step::Tick(pick(&mut self.random, &[0, 1, 5, 20, 100, 10_000])),
            86..=87 => Step::Keep,
            88 => Step::Drop(self.number()),
            89..=90 => Step::AskKept(self.number(), self.question()),
            91 => {
                let count = self.random.below(12);
                let questions = (0..count).map(|_| self.question()).collect();
                Step::AskManyKept(self.number(), questions)
            }
            92 => Step::StillValid(self.number()),
            93 => match self.random.below(4) {
                0 => Step::AddPlanner(self.some_kind(), self.some_planner()),
                1 => Step::ReplacePlanner(self.number(), self.some_planner()),
                _ => Step::Rebuild(self.number()),
            },
            94 => Step::Stop(self.number()),
            95 => Step::Finish,
            96 => Step::Reload,
            97 => Step::Fork,
            98 => Step::Return(self.number()),
            _ => Step::Verify,
        }
    }

    fn agent_step(&mut self) -> Step {
        match self.random.below(100) {
            0..=24 => Step::Edit(self.edits()),
            25..=36 => Step::Agent(self.question()),
            37..=49 => Step::AgentWith(self.question(), self.gait()),
            50..=59 => Step::Send(self.number(), self.place()),
            60 => Step::Reload,
            61 => Step::Fork,
            62 => Step::Return(self.number()),
            63..=64 => Step::Undo,
            65 => Step::Redo,
            66 if self.random.chance(1, 4) => Step::RemoveAgents,
            _ => Step::Tick(0),
        }
    }

    fn mesh_step(&mut self) -> Step {
        if self.random.chance(1, 6) {
            return Step::Obstacle(self.place());
        }
        match self.random.below(100) {
            0..=34 => Step::Ask(self.question()),
            35..=44 => Step::AskWithin(self.question(), self.random.below(30)),
            45..=59 => {
                let slices = (0..=self.random.below(5)).map(|_| self.random.below(9)).collect();
                Step::AskInSlices(self.question(), self.number(), slices)
            }
            60..=74 => {
                Step::Request(Wanted::Path(self.question()), self.random.below(3) as u8, None)
            }
            75..=77 => Step::Cancel(self.number()),
            78..=91 => Step::Tick(pick(&mut self.random, &[0, 1, 5, 20, 100])),
            92..=93 => Step::AddPlanner(0, self.some_planner()),
            94 => Step::ReplacePlanner(self.number(), self.some_planner()),
            95..=96 => Step::Rebuild(self.number()),
            97 => Step::Fork,
            _ => Step::Verify,
        }
    }

    fn gait(&mut self) -> Gait {
        Gait {
            pace: pick(&mut self.random, &[(1, 1), (3, 1), (1, 3), (2, 3)]),
            first_leg: self.random.chance(1, 2).then(|| self.random.below(9) as u32),
            improves: self.random.chance(1, 2),
        }
    }

    fn wanted(&mut self) -> Wanted {
        let mut question = self.question();
        // Requests with a goal in common, which share a field.
        if self.random.chance(1, 2) {
            question.goals = vec![0];
        }
        match self.random.below(6) {
            0 => Wanted::Nearest(question),
            1 => Wanted::Each(question),
            2 => Wanted::Range(question, self.cost()),
            _ => Wanted::Path(question),
        }
    }

    fn cost(&mut self) -> u64 {
        pick(&mut self.random, &[0, 1, 20, 10_000, 40_000, 1 << 40])
    }

    fn edits(&mut self) -> Vec<Edit> {
        let count = pick(&mut self.random, &[1, 1, 1, 2, 6]);
        (0..count).map(|_| self.edit()).collect()
    }

    /// What makes the borders, heights and links of a map.
    fn ground(&mut self) -> Vec<Edit> {
        let Shape { borders, heights, links } = self.shape;
        let most = if borders || heights || links { GROUND_MAX } else { 0 };
        (0..self.random.below(most + 1)).map(|_| self.edit_of_shape()).collect()
    }

    /// An edit of a border, of heights or of a link, as the map has them.
    fn edit_of_shape(&mut self) -> Edit {
        let Shape { borders, heights, links } = self.shape;
        let (from, to) = (self.place(), self.place());
        match self.random.below(3) {
            0 if borders => self.border(from, to),
            1 if links => self.link(from, to),
            _ if heights => {
                let to = if self.random.chance(1, 2) { from } else { to };
                let height = pick(&mut self.random, &[0, 0, 1, 1, 2, 3, 5, 9, 400, u16::MAX]);
                Edit::Height(from, to, height)
            }
            _ if borders => self.border(from, to),
            _ if links => self.link(from, to),
            _ => Edit::Fill(from, from, '.'),
        }
    }

    fn border(&mut self, from: u32, to: u32) -> Edit {
        let crossings = [Crossing::Open, Crossing::Closed, Crossing::Onwards, Crossing::Back];
        let crossing = pick(&mut self.random, &crossings);
        match self.random.below(8) {
            // Now and then the cells are no neighbours, and the edit is refused.
            0 if self.random.chance(1, 6) => Edit::Border(from, to, crossing),
            0 => Edit::Border(from, from.saturating_sub(1), crossing),
            1 => Edit::Border(from, from + self.width, crossing),
            2..=4 => Edit::Borders(from, from, self.random.chance(1, 2), crossing),
            // A wall along a row or a column.
            5 => Edit::Borders(from, from - from % self.width, true, crossing),
            6 => Edit::Borders(from, from % self.width, false, crossing),
            _ => Edit::Borders(from, to, self.random.chance(1, 2), crossing),
        }
    }

    fn link(&mut self, from: u32, to: u32) -> Edit {
        if !self.links.is_empty() && self.random.chance(1, 3) {
            let drawn = self.random.below(self.links.len() as u64) as usize;
            let link = self.links[drawn];
            // Mostly one that was opened is closed.
            return match self.random.chance(3, 4) {
                true => Edit::CloseLink(link),
                false => Edit::OpenLink(link),
            };
        }
        let link = LinkSetting {
            from,
            to,
            cost: pick(&mut self.random, &[1, 5, 4756, 20_000, 1_000_000, 0, u32::MAX / 2]),
            both_ways: self.random.chance(1, 2),
            kind: self.random.chance(1, 3).then(|| self.some_kind()),
        };
        self.links.push(link);
        Edit::OpenLink(link)
    }

    fn edit(&mut self) -> Edit {
        let Shape { borders, heights, links } = self.shape;
        if self.on_grid && (borders || heights || links) && self.random.chance(1, 2) {
            return self.edit_of_shape();
        }
        let (from, to) = (self.place(), self.place());
        if self.on_grid {
            // Most edits are single cells.
            let to = if self.random.chance(3, 4) { from } else { to };
            if self.random.chance(1, 5) {
                let kind = self.random.chance(1, 2).then(|| {
                    let unknown = u64::from(self.random.chance(1, 40));
                    self.random.below(u64::from(self.kinds) + unknown) as u16
                });
                let amount = pick(&mut self.random, &[0, 0, 1, 3, 30, 155, 2_000, u16::MAX]);
                return Edit::Surcharge(kind, from, to, amount);
            }
            return Edit::Fill(
                from,
                to,
                pick(&mut self.random, &['.', '.', '@', '@', 'S', 'W', 'P']),
            );
        }
        let weight = self.random.below(50) as i32;
        match self.random.below(12) {
            0..=3 => Edit::Weight(from, to, weight),
            4..=5 => Edit::Close(from, to),
            6..=7 => Edit::Open(from, to),
            8..=9 => Edit::AddEdge(from, to, weight),
            10 => Edit::RemoveEdge(from, to),
            _ if self.random.chance(1, 2) => Edit::AddNode,
            _ => Edit::RemoveNode(from),
        }
    }
}

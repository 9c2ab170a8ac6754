//! Random programs.

use super::program::{
    Edit, Following, GraphSetting, GridSetting, KindSetting, Program, Question, Setting, Step,
    Wanted,
};
use crate::generate::Random;
use highroad::catalog::CATALOG;
use highroad::grid::MovementRule;
use highroad_suite::variants;

/// The largest side of a map: small maps have every kind of corner, and plain Dijkstra is quick on them.
const SIDE_MAX: u64 = 24;
/// The most nodes of a graph.
const NODES_MAX: u64 = 40;
/// The most steps of a program.
const STEPS_MAX: u64 = 60;

struct Maker {
    random: Random,
    /// How many places there are; numbers up to a few more are drawn.
    places: u32,
    kinds: u16,
    on_grid: bool,
}

/// The program of a seed.
pub fn random_program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let setting = match random.below(10) {
        0..=2 => Setting::Graph(graph(&mut random)),
        drawn => Setting::Grid(grid(&mut random, drawn >= 8)),
    };
    let (places, kinds, on_grid, agents) = match &setting {
        Setting::Grid(grid) => {
            let cells = grid.rows.iter().map(String::len).sum::<usize>() as u32;
            (cells, grid.kinds.len() as u16, true, grid.agents)
        }
        Setting::Graph(graph) => (graph.nodes, 1, false, false),
    };
    let count = 1 + random.below(STEPS_MAX);
    let mut maker = Maker { random, places, kinds, on_grid };
    let step = |_| if agents { maker.agent_step() } else { maker.step() };
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
        let variants = variants(entry);
        variants[random.below(variants.len() as u64) as usize].to_string()
    };
    (0..count).map(one).collect()
}

fn grid(random: &mut Random, agents: bool) -> GridSetting {
    let letters: &[u8] = pick(random, &[&b"."[..], b".", b"..S", b"..SW", b".SWT", b"..ABP"]);
    let (width, height) = (1 + random.below(SIDE_MAX), 1 + random.below(SIDE_MAX));
    let walls = pick(random, &[0, 10, 25, 40]);
    let cell = |random: &mut Random| match random.chance(walls, 100) {
        true => '@',
        false => char::from(pick(random, letters)),
    };
    let rows = (0..height).map(|_| (0..width).map(|_| cell(random)).collect()).collect();
    let kinds = (0..pick(random, &[1, 1, 1, 2, 3])).map(|_| kind(random)).collect();
    GridSetting { rows, kinds, following: following(random), agents }
}

fn kind(random: &mut Random) -> KindSetting {
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
    GraphSetting { nodes, edges, planners: planners(random), following: following(random) }
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
        let unknown = u64::from(self.random.chance(1, 80));
        let kind = self.random.below(u64::from(self.kinds) + unknown) as u16;
        Question { kind, starts: self.some_places(), goals: self.some_places() }
    }

    fn number(&mut self) -> usize {
        self.random.below(6) as usize
    }

    fn step(&mut self) -> Step {
        match self.random.below(100) {
            0..=21 => Step::Edit(self.edits()),
            22..=25 => Step::Undo,
            26..=41 => Step::Ask(self.question()),
            42..=44 => Step::AskWithin(self.question(), self.random.below(30)),
            45..=48 => {
                let slices = (0..=self.random.below(5)).map(|_| self.random.below(9)).collect();
                Step::AskInSlices(self.question(), self.number(), slices)
            }
            49..=51 => Step::Nearest(self.question()),
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
            89..=92 => Step::AskKept(self.number(), self.question()),
            93 => Step::Rebuild(self.number()),
            94 => Step::Stop(self.number()),
            95..=96 => Step::Finish,
            _ => Step::Verify,
        }
    }

    fn agent_step(&mut self) -> Step {
        match self.random.below(100) {
            0..=24 => Step::Edit(self.edits()),
            25..=49 => Step::Agent(self.question()),
            50..=59 => Step::Send(self.number(), self.place()),
            _ => Step::Tick(0),
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

    fn edit(&mut self) -> Edit {
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

//! Planning for a team, in slices: the method first, then improvement of what it has found.

use super::floor::Place;
use super::improve::Improver;
use super::lacam::{Found, Lacam};
use super::pibt::Pibt;
use super::plan::TeamPlan;
use super::team::Team;
use super::windowed::{Planned, Windowed};
use std::cmp::Reverse;

/// How a team plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TeamMethod {
    /// Lazy constraints (LaCAM): complete, and quick with thousands of agents.
    #[default]
    Lacam,
    /// Priority inheritance (PIBT), step by step: the quickest. It has no plan if agents go in circles.
    Pibt,
    /// Cooperative A*: one agent after the other plans its whole way around those before it.
    Cooperative,
    /// The same for the next steps, in turns (WHCA*).
    Windowed,
}

impl TeamMethod {
    /// All methods.
    ///
    /// ```
    /// use highroad::cooperative::TeamMethod;
    /// assert_eq!(TeamMethod::ALL.map(TeamMethod::name), ["lacam", "pibt", "cooperative", "windowed"]);
    /// ```
    pub const ALL: [Self; 4] = [Self::Lacam, Self::Pibt, Self::Cooperative, Self::Windowed];

    /// Its name on the command line and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lacam => "lacam",
            Self::Pibt => "pibt",
            Self::Cooperative => "cooperative",
            Self::Windowed => "windowed",
        }
    }
}

/// Settings of a [`TeamSearch`].
///
/// ```
/// use highroad::cooperative::{TeamMethod, TeamOptions};
/// let options = TeamOptions::default().with_method(TeamMethod::Windowed).with_window(24).with_seed(7).with_memory_max(1 << 28);
/// assert_eq!((options.window, options.seed, options.memory_max), (24, 7, 1 << 28));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TeamOptions {
    /// How plans are found.
    pub method: TeamMethod,
    /// Where randomness begins: the same seed gives the same plan.
    pub seed: u64,
    /// Steps that the windowed method plans at a time, at least 2.
    pub window: u32,
    /// Bytes that the search may hold beside the team and the plan. A search that would need more fails, or ends with the plan
    /// that it has.
    pub memory_max: usize,
}

impl Default for TeamOptions {
    fn default() -> Self {
        Self { method: TeamMethod::Lacam, seed: 1, window: 16, memory_max: 2 << 30 }
    }
}

impl TeamOptions {
    /// The same options with that method.
    pub fn with_method(self, method: TeamMethod) -> Self {
        Self { method, ..self }
    }

    /// The same options with that seed.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same options with windows of so many steps.
    pub fn with_window(self, window: u32) -> Self {
        Self { window, ..self }
    }

    /// The same options with so much memory.
    pub fn with_memory_max(self, memory_max: usize) -> Self {
        Self { memory_max, ..self }
    }
}

/// How a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TeamState {
    /// There is no plan yet.
    Searching,
    /// There is a plan, and it may still become cheaper.
    Found,
    /// There is a plan that no other can be cheaper than: nobody loses a step.
    Best,
    /// The method has no plan for this team. Only LaCAM proves that there is none, if it did not run out of memory.
    Failed,
}

/// A search for a plan of a team: in slices, so that whoever calls it can stop at any time.
///
/// ```
/// use highroad::Cell;
/// use highroad::cooperative::{Team, TeamOptions, TeamSearch, TeamState};
/// use highroad::grid::{Grid, Movement, MovementRule, Profile, StepCosts};
///
/// let four_way = Movement::new(Profile::movingai(), MovementRule::FourWay, StepCosts::UNIT)?;
/// let grid = Grid::new("#.###\n.....\n".parse()?, four_way);
/// let ends = [(Cell::new(0, 1), Cell::new(4, 1)), (Cell::new(4, 1), Cell::new(0, 1))];
/// let team = Team::new(&grid, &ends)?;
/// let mut search = TeamSearch::new(&team, TeamOptions::default());
/// while search.advance(1000) == TeamState::Searching {} // a game would give it a slice a tick
/// let plan = search.plan().expect("one of them waits in the niche");
/// plan.check(&grid, &ends)?;
/// assert!(plan.cost() > team.cost_min());
/// assert_ne!(search.state(), TeamState::Best, "somebody had to wait");
/// assert!(search.memory_bytes() > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TeamSearch<'t> {
    team: &'t Team,
    options: TeamOptions,
    stage: Stage,
    plan: Option<TeamPlan>,
    work: u64,
    pieces: u64,
}

/// After how many pieces of work a search that is not LaCAM looks whether it holds too much.
const PIECES_BETWEEN_COUNTS: u64 = 16;

enum Stage {
    Lacam(Box<Lacam>),
    Pibt(Box<Stepping>),
    Windowed(Box<Windowed>),
    Improving(Box<Improver>),
    Over(TeamState),
}

/// PIBT by itself, step after step.
struct Stepping {
    pibt: Pibt,
    order: Vec<u32>,
    patience: Vec<u32>,
    now: Vec<Place>,
    paths: Vec<Vec<Place>>,
}

impl<'t> TeamSearch<'t> {
    /// A search that has done nothing yet.
    pub fn new(team: &'t Team, options: TeamOptions) -> Self {
        let stage = match options.method {
            TeamMethod::Lacam => {
                Stage::Lacam(Box::new(Lacam::new(team, options.seed, options.memory_max)))
            }
            TeamMethod::Pibt => Stage::Pibt(Box::new(Stepping::new(team, options.seed))),
            TeamMethod::Cooperative => {
                Stage::Windowed(Box::new(Windowed::new(team, None, usize::MAX, options.memory_max)))
            }
            TeamMethod::Windowed => {
                let (window, steps) = (Some(options.window), steps_max(team));
                Stage::Windowed(Box::new(Windowed::new(team, window, steps, options.memory_max)))
            }
        };
        Self { team, options, stage, plan: None, work: 0, pieces: 0 }
    }

    /// Goes on for about `slice` units of work: steps that agents choose, or states that a search around others expands. The
    /// pieces are one step of the whole team, and the way of one agent or small group. Returns earlier when the first plan is
    /// found.
    pub fn advance(&mut self, slice: u64) -> TeamState {
        let end = self.work.saturating_add(slice);
        let before = self.state();
        while self.work < end && self.state() == before && !matches!(self.stage, Stage::Over(_)) {
            self.advance_once();
            self.pieces += 1;
            if self.pieces.is_multiple_of(PIECES_BETWEEN_COUNTS) {
                self.give_up_if_too_large();
            }
        }
        self.state()
    }

    /// A search that holds more than it may ends, with the plan that it has.
    fn give_up_if_too_large(&mut self) {
        if self.memory_bytes() > self.options.memory_max {
            let has_plan = self.plan().is_some();
            self.stage = Stage::Over(if has_plan { TeamState::Found } else { TeamState::Failed });
        }
    }

    fn advance_once(&mut self) {
        let (team, agents) = (self.team, self.team.len() as u64 + 1);
        match &mut self.stage {
            Stage::Lacam(search) => {
                self.work += agents;
                match search.advance(team) {
                    Found::Nothing => {}
                    Found::Paths(paths) => self.improve(paths),
                    Found::None | Found::Memory => self.stage = Stage::Over(TeamState::Failed),
                }
            }
            Stage::Pibt(stepping) => {
                self.work += agents;
                if stepping.now == team.goals {
                    let paths = std::mem::take(&mut stepping.paths);
                    self.improve(paths);
                } else if stepping.taken() > steps_max(team) {
                    self.stage = Stage::Over(TeamState::Failed);
                } else {
                    stepping.step(team);
                }
            }
            Stage::Windowed(windowed) => {
                let before = windowed.expanded();
                let planned = windowed.advance(team);
                self.work += 1 + windowed.expanded() - before;
                match planned {
                    Planned::Part => {}
                    Planned::Failed => self.stage = Stage::Over(TeamState::Failed),
                    Planned::All => {
                        let paths = std::mem::take(&mut windowed.paths);
                        self.improve(paths);
                    }
                }
            }
            Stage::Improving(improver) => {
                let before = improver.expanded();
                let is_cheaper = improver.advance(team);
                self.work += improver.expanded() - before;
                if is_cheaper {
                    // The plan is written when somebody asks for it.
                    self.plan = None;
                }
                let cost: usize = improver.paths.iter().map(|path| path.len() - 1).sum();
                if is_cheaper && cost as u64 == team.cost_min() {
                    self.plan = Some(TeamPlan::of(&team.floor, &improver.paths));
                    self.stage = Stage::Over(TeamState::Best);
                }
            }
            Stage::Over(_) => {}
        }
    }

    fn improve(&mut self, paths: Vec<Vec<Place>>) {
        let plan = TeamPlan::of(&self.team.floor, &paths);
        if plan.cost() == self.team.cost_min() {
            self.stage = Stage::Over(TeamState::Best);
        } else {
            let memory_max = self.options.memory_max;
            let improver = Improver::new(self.team, paths, self.options.seed, memory_max);
            self.stage = Stage::Improving(Box::new(improver));
        }
        self.plan = Some(plan);
    }

    /// How it stands.
    pub fn state(&self) -> TeamState {
        match &self.stage {
            Stage::Over(state) => *state,
            Stage::Improving(_) => TeamState::Found,
            _ => TeamState::Searching,
        }
    }

    /// The best plan so far.
    pub fn plan(&mut self) -> Option<&TeamPlan> {
        if let (Stage::Improving(improver), None) = (&self.stage, &self.plan) {
            self.plan = Some(TeamPlan::of(&self.team.floor, &improver.paths));
        }
        self.plan.as_ref()
    }

    /// Units of work done: see [`TeamSearch::advance`].
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The bytes that it holds beside the team.
    pub fn memory_bytes(&self) -> usize {
        match &self.stage {
            Stage::Lacam(search) => search.memory_bytes(),
            Stage::Pibt(stepping) => stepping.memory_bytes(),
            Stage::Windowed(windowed) => windowed.memory_bytes(),
            Stage::Improving(improver) => improver.memory_bytes(),
            Stage::Over(_) => 0,
        }
    }
}

/// After how many steps a method that may go in circles gives up.
fn steps_max(team: &Team) -> usize {
    20 * (team.duration_min() as usize + 50)
}

impl Stepping {
    fn new(team: &Team, seed: u64) -> Self {
        let mut order: Vec<u32> = (0..team.len() as u32).collect();
        order.sort_by_key(|&agent| Reverse(team.distances[agent as usize]));
        Self {
            pibt: Pibt::new(team, seed),
            order,
            patience: vec![0; team.len()],
            now: team.starts.clone(),
            paths: team.starts.iter().map(|&start| vec![start]).collect(),
        }
    }

    fn memory_bytes(&self) -> usize {
        let paths: usize = self.paths.iter().map(|path| path.capacity() * 4).sum();
        let agents = self.now.len() * (3 * 4 + size_of::<Vec<Place>>());
        self.pibt.memory_bytes() + paths + agents
    }

    /// Steps taken, and one for the start.
    fn taken(&self) -> usize {
        self.paths.first().map_or(0, Vec::len)
    }

    fn step(&mut self, team: &Team) {
        self.pibt.step(team, &self.now, &self.order, &[]);
        self.now.copy_from_slice(&self.pibt.next);
        for (agent, &place) in self.now.iter().enumerate() {
            self.paths[agent].push(place);
            let is_there = place == team.goals[agent];
            self.patience[agent] = if is_there { 0 } else { self.patience[agent] + 1 };
        }
        let patience = &self.patience;
        self.order.sort_by_key(|&agent| Reverse(patience[agent as usize]));
    }
}

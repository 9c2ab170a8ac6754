//! Who walks in a case, beside single agents: kinds, bodies, crowds, groups, and what they are ordered to do.

use super::{Case, CaseError, cell};
use highroad::crowd::{BodyPlan, Formation, Shape};
use highroad::grid::{Movement, MovementRule, Profile, StepCosts};
use highroad::simulation::{AgentId, Pace};
use highroad::{AgentPlan, Cell, CellRect, Simulation, Terrain};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A kind of agent beside the default one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseKind {
    /// Its name.
    pub name: String,
    /// The letters of terrain that it cannot enter, beside those that nobody can.
    #[serde(default)]
    pub without: String,
    /// What terrain costs it, by its letter.
    #[serde(default)]
    pub costs: BTreeMap<char, u16>,
}

/// A body: what is left out is as usual.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseBody {
    /// Its radius, in cells.
    pub radius: Option<f64>,
    /// Cells a second.
    pub speed: Option<f64>,
    /// Cells a second, each second.
    pub acceleration: Option<f64>,
    /// Radians a second.
    pub turn: Option<f64>,
    /// Who has more makes way less.
    pub priority: Option<u8>,
}

impl CaseBody {
    fn plan(&self, at: Cell) -> BodyPlan {
        let usual = BodyPlan::new([f64::from(at.x) + 0.5, f64::from(at.y) + 0.5]);
        usual
            .with_radius(self.radius.unwrap_or(usual.radius))
            .with_speed(self.speed.unwrap_or(usual.speed))
            .with_acceleration(self.acceleration.unwrap_or(usual.acceleration))
            .with_turn(self.turn.unwrap_or(usual.turn))
            .with_priority(self.priority.unwrap_or(usual.priority))
    }
}

/// How an agent or a crowd walks.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CaseGait {
    /// The name of its kind.
    pub kind: Option<String>,
    /// Its body, if it walks in continuous space.
    pub body: Option<CaseBody>,
    /// Whether it follows a flow field.
    #[serde(default)]
    pub field: bool,
    /// Ticks after which it gives up if others hold it up.
    pub patience: Option<u16>,
    /// Points that it passes before its goal.
    #[serde(default)]
    pub via: Vec<[u32; 2]>,
    /// Points between which it goes for ever, instead of a goal.
    #[serde(default)]
    pub patrol: Vec<[u32; 2]>,
}

/// Many agents that walk alike: one starts in each cell of a rectangle that it can stand on, row by row.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseCrowd {
    /// One corner.
    pub from: [u32; 2],
    /// The opposite corner.
    pub to: [u32; 2],
    /// The most of them.
    pub count: usize,
    /// Where they go; the first to the first of them, the second to the second, and so on in turn.
    pub goals: Vec<[u32; 2]>,
    /// How long a straight step takes those without a body.
    #[serde(default = "super::usual_step")]
    pub step_ms: u32,
    /// How they walk.
    #[serde(flatten)]
    pub gait: CaseGait,
}

/// Agents that are sent together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseGroup {
    /// The first and the last of them; agents come before crowds.
    pub agents: [u32; 2],
    /// Where they go.
    pub goal: [u32; 2],
    /// How they walk.
    #[serde(default)]
    pub shape: CaseShape,
    /// How far they are apart.
    pub spacing: Option<f64>,
    /// The tick at which they are sent.
    #[serde(default)]
    pub at_tick: u64,
}

/// The shape of a group.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseShape {
    /// One behind the other.
    Column,
    /// One beside the other.
    Line,
    /// In rows.
    #[default]
    Block,
    /// In two lines that meet at the leader.
    Wedge,
}

/// Something that an agent is ordered to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseOrder {
    /// When.
    pub at_tick: u64,
    /// Who.
    pub agent: u32,
    /// What.
    #[serde(rename = "do")]
    pub what: CaseDeed,
}

/// What an agent can be ordered to do.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseDeed {
    /// To stop.
    Stop,
    /// To be off the map.
    Remove,
    /// To go to a cell.
    Send([u32; 2]),
    /// To be in a cell.
    Teleport([u32; 2]),
}

/// What must be true at the end, and all the time. What is left out is not checked.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseCheck {
    /// How many agents must have arrived.
    pub arrived_min: Option<usize>,
    /// How many may have stopped or given up.
    pub stopped_max: Option<usize>,
    /// How deep two bodies may overlap at most, in per cent of a radius.
    pub overlap_percent_max: Option<f64>,
    /// Ticks that may be between the first and the last arrival.
    pub spread_ticks_max: Option<u64>,
    /// How often agents must have passed a point.
    pub passed_min: Option<usize>,
    /// How often agents must have taken a link.
    pub links_min: Option<usize>,
    /// How many groups must have arrived.
    pub groups_min: Option<usize>,
}

/// The most agents of a case.
const AGENTS_MAX: usize = 100_000;

impl Case {
    /// What can be checked of agents without the map.
    pub(super) fn check_cast(&self) -> Result<(), CaseError> {
        let kinds = self.kinds.iter().map(|kind| kind.name.as_str());
        let gaits = self.agents.iter().map(|agent| &agent.gait);
        for gait in gaits.chain(self.crowds.iter().map(|crowd| &crowd.gait)) {
            let is_known = |name: &String| kinds.clone().any(|other| other == name);
            if let Some(name) = gait.kind.as_ref().filter(|name| !is_known(name)) {
                return Err(CaseError::Kind(name.clone()));
            }
        }
        if self.agents.is_empty() && self.crowds.is_empty() {
            return Err(CaseError::Nobody);
        }
        let count = self.crowds.iter().map(|crowd| crowd.count).sum::<usize>() + self.agents.len();
        if count > AGENTS_MAX {
            return Err(CaseError::Crowded { count, count_max: AGENTS_MAX });
        }
        if let Some(number) = self.crowds.iter().position(|crowd| crowd.goals.is_empty()) {
            return Err(CaseError::NoGoal(number));
        }
        self.kinds.iter().try_for_each(|kind| kind.movement().map(|_| ()))
    }
}

impl CaseKind {
    /// How agents of this kind move.
    pub(super) fn movement(&self) -> Result<Movement, CaseError> {
        let unknown = |letter: char| CaseError::KindLetter { kind: self.name.clone(), letter };
        let terrain = |letter: char| {
            let known = u8::try_from(letter).ok().and_then(Terrain::from_letter);
            known.ok_or_else(|| unknown(letter))
        };
        let mut profile = Profile::movingai();
        for letter in self.without.chars() {
            profile = profile.without(terrain(letter)?);
        }
        for (&letter, &cost) in &self.costs {
            profile = profile.with_cost(terrain(letter)?, cost).map_err(|_| unknown(letter))?;
        }
        let movement = Movement::new(profile, MovementRule::NeverCutCorners, StepCosts::EXACT);
        movement.map_err(|_| CaseError::Kind(self.name.clone()))
    }
}

impl CaseGroup {
    /// The agents, and how they walk.
    pub(super) fn parts(&self) -> (Vec<AgentId>, Formation) {
        let [first, last] = self.agents;
        let shape = match self.shape {
            CaseShape::Column => Shape::Column,
            CaseShape::Line => Shape::Line,
            CaseShape::Block => Shape::Block,
            CaseShape::Wedge => Shape::Wedge,
        };
        let formation = Formation::new(shape);
        let formation = self.spacing.map_or(formation, |spacing| formation.with_spacing(spacing));
        ((first..=last).map(AgentId).take(AGENTS_MAX).collect(), formation)
    }
}

/// Adds the agents of a case.
pub(super) fn add_agents(case: &Case, simulation: &mut Simulation) {
    for agent in &case.agents {
        let (start, goal) = (cell(agent.start), cell(agent.goal));
        let pace = Pace::new(case.tick_ms, agent.step_ms);
        let mut plan = plan_of(&agent.gait, simulation, start, goal).with_pace(pace);
        plan.first_leg = agent.first_leg;
        plan.improves = agent.improves;
        add(&agent.gait, plan, simulation);
    }
    for crowd in &case.crowds {
        let kind = kind_of(&crowd.gait, simulation);
        let rect = CellRect::new(cell(crowd.from), cell(crowd.to));
        let grid = simulation.world().environment_of(kind).unwrap_or(simulation.world().grid());
        let inside = rect.overlap(&grid.extent().rect());
        let cells = inside.into_iter().flat_map(|rect| rect.cells());
        let starts: Vec<Cell> =
            cells.filter(|&cell| grid.is_enterable(cell)).take(crowd.count).collect();
        for (number, start) in starts.into_iter().enumerate() {
            let goal = cell(crowd.goals[number % crowd.goals.len()]);
            let pace = Pace::new(case.tick_ms, crowd.step_ms);
            let plan = plan_of(&crowd.gait, simulation, start, goal).with_pace(pace);
            add(&crowd.gait, plan, simulation);
        }
    }
}

fn kind_of(gait: &CaseGait, simulation: &Simulation) -> highroad::grid::KindId {
    let named = gait.kind.as_ref().and_then(|name| simulation.world().kind(name));
    named.unwrap_or(highroad::grid::KindId::DEFAULT)
}

fn plan_of(gait: &CaseGait, simulation: &Simulation, start: Cell, goal: Cell) -> AgentPlan {
    let kind = kind_of(gait, simulation);
    let mut plan = match gait.body {
        Some(body) => AgentPlan::of_body(body.plan(start).with_kind(kind), goal),
        None => AgentPlan::new(start, goal).with_kind(kind),
    };
    plan.by_field = gait.field;
    plan.patience = gait.patience;
    plan
}

fn add(gait: &CaseGait, plan: AgentPlan, simulation: &mut Simulation) {
    let id = simulation.add(plan);
    if !gait.patrol.is_empty() {
        let points: Vec<Cell> = gait.patrol.iter().copied().map(cell).collect();
        simulation.patrol(id, &points);
    } else if !gait.via.is_empty() {
        let via = gait.via.iter().copied().map(cell);
        let points: Vec<Cell> = via.chain([plan.goal]).collect();
        simulation.send_via(id, &points);
    }
}

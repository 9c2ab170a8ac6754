//! Runs a program with agents that walk, and watches every step of them.

use super::model::Model;
use super::program::{GridSetting, Step};
use super::world::{Checked, grid_world};
use highroad::grid::KindId;
use highroad::requests::Budget;
use highroad::simulation::{AgentEventKind, AgentId, AgentState};
use highroad::{AgentPlan, Cell, Simulation};

/// Expansions of a tick: few, so that answers take several ticks.
const EXPANSIONS: u64 = 60;
/// Ticks after which every agent must have come to rest.
const TICKS_MAX: usize = 20_000;

/// Runs steps on a simulation.
pub(super) fn run_with_agents(setting: &GridSetting, steps: &[Step], done: &mut usize) -> Checked {
    let (world, mut model) = grid_world(setting)?;
    let mut simulation = Simulation::new(world, Budget::expansions(EXPANSIONS)).with_step_events();
    let (mut agents, mut checks): (Vec<(AgentId, u16, Cell)>, u64) = (Vec::new(), 0);
    for (number, step) in steps.iter().enumerate() {
        *done = number;
        match step {
            Step::Edit(edits) => {
                let batch = model.batch(edits);
                let fits = model.apply(edits);
                if simulation.edit(&batch).is_ok() != fits {
                    return Err("the edit should be made or refused otherwise".to_owned());
                }
                checks += 1;
            }
            Step::Agent(question) => {
                let [start, goal] = [question.starts[0], question.goals[0]].map(|n| model.place(n));
                let plan = AgentPlan::new(start, goal).with_kind(KindId(question.kind));
                agents.push((simulation.add(plan), question.kind, start));
            }
            Step::Send(number, place) => {
                if let Some(&(id, ..)) = agents.get(*number) {
                    simulation.send(id, model.place(*place));
                }
            }
            Step::Tick(_) => checks += tick(&mut simulation, &model, &mut agents)?,
            _ => {}
        }
    }
    *done = steps.len();
    for _ in 0..TICKS_MAX {
        if simulation.is_at_rest() {
            break;
        }
        checks += tick(&mut simulation, &model, &mut agents)?;
    }
    if !simulation.is_at_rest() {
        return Err("the agents do not come to rest".to_owned());
    }
    for &(id, kind, at) in &agents {
        let Some(agent) = simulation.agent(id) else { return Err(format!("{id} is gone")) };
        let known = kind < model.kinds() && model.may_stand(kind, at);
        let reaches = known && model.distances(kind, &[at]).contains_key(&agent.goal());
        let arrived = agent.state() == AgentState::Arrived;
        if arrived != (at == agent.goal() && known) && arrived || reaches && !arrived {
            return Err(format!("{id} is {:?} at {at}, its goal {}", agent.state(), agent.goal()));
        }
        checks += 1;
    }
    Ok(checks)
}

/// One tick: every step that an agent takes must be one that the model allows now.
fn tick(
    simulation: &mut Simulation,
    model: &impl Model<World = highroad::grid::Grid>,
    agents: &mut [(AgentId, u16, Cell)],
) -> Checked {
    simulation.tick();
    let mut checks = 0;
    for event in simulation.take_events() {
        if let AgentEventKind::Stepped { agent, to } = event.kind {
            let Some((_, kind, at)) = agents.iter_mut().find(|(id, ..)| *id == agent) else {
                return Err(format!("{agent} was never added"));
            };
            if model.walk(*kind, &[*at, to]).is_none() {
                return Err(format!("{agent} steps from {at} to {to}"));
            }
            *at = to;
            checks += 1;
        }
    }
    for (id, _, at) in agents {
        let shown = simulation.agent(*id).map(|agent| agent.at());
        if shown != Some(*at) {
            return Err(format!("{id} is at {shown:?}, its steps lead to {at}"));
        }
        checks += 1;
    }
    Ok(checks)
}

//! Runs a program with agents that walk, and watches every step of them.

use super::model::Model;
use super::program::{Gait, GridSetting, Question, Step};
use super::world::{Checked, grid_world};
use highroad::grid::{Grid, KindId};
use highroad::requests::Budget;
use highroad::simulation::{AgentEventKind, AgentId, AgentState, Pace};
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
    let (mut forks, mut history, mut undone) = (Vec::new(), Vec::new(), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        *done = number;
        match step {
            Step::Edit(edits) => {
                let (batch, before) = (model.batch(edits), model.clone());
                let revision = simulation.world().revision();
                let fits = model.apply(edits);
                if simulation.edit(&batch).is_ok() != fits {
                    return Err("the edit should be made or refused otherwise".to_owned());
                }
                if simulation.world().revision() != revision {
                    history.push(before);
                    undone.clear();
                }
                checks += 1;
            }
            Step::Undo => {
                let before = history.pop();
                if simulation.undo().is_some() != before.is_some() {
                    return Err("undo of a simulation".to_owned());
                }
                undone.extend(before.map(|before| std::mem::replace(&mut model, before)));
                model.compare(simulation.world())?;
                checks += 1;
            }
            Step::Redo => {
                let again = undone.pop();
                if simulation.redo().is_some() != again.is_some() {
                    return Err("redo of a simulation".to_owned());
                }
                history.extend(again.map(|again| std::mem::replace(&mut model, again)));
                model.compare(simulation.world())?;
                checks += 1;
            }
            Step::RemoveAgents => {
                simulation.remove_agents();
                agents.clear();
                checks += 1;
                if simulation.world().waiting() > 0 {
                    return Err("a removed agent waits for a path".to_owned());
                }
            }
            Step::Agent(question) => {
                let plan = plan(&model, question);
                agents.push((simulation.add(plan), question.kind, plan.start));
            }
            Step::AgentWith(question, gait) => {
                let plan = walking(plan(&model, question), *gait);
                agents.push((simulation.add(plan), question.kind, plan.start));
            }
            Step::Send(number, place) => {
                if let Some(&(id, ..)) = agents.get(*number) {
                    simulation.send(id, model.place(*place));
                }
            }
            Step::Reload => {
                let loaded = Simulation::load(&simulation.save());
                simulation = loaded.map_err(|error| format!("load: {error}"))?;
                checks += 1;
            }
            Step::Fork => {
                let known = (model.clone(), history.clone(), undone.clone());
                forks.push((simulation.clone(), known, agents.clone()));
            }
            Step::Return(number) if *number < forks.len() => {
                (simulation, (model, history, undone), agents) = forks.remove(*number);
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

fn plan(model: &impl Model<World = Grid>, question: &Question) -> AgentPlan {
    let [start, goal] = [question.starts[0], question.goals[0]].map(|number| model.place(number));
    AgentPlan::new(start, goal).with_kind(KindId(question.kind))
}

fn walking(plan: AgentPlan, gait: Gait) -> AgentPlan {
    let plan = plan.with_pace(Pace::new(gait.pace.0, gait.pace.1));
    let plan = if gait.improves { plan } else { plan.without_improving() };
    match gait.first_leg {
        Some(steps) => plan.with_first_leg(steps),
        None => plan,
    }
}

/// One tick: every step that an agent takes must be one that the model allows now.
fn tick(
    simulation: &mut Simulation,
    model: &impl Model<World = Grid>,
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

//! Worlds: requests on all threads, agents that walk while the map changes, and saved worlds.

use crate::Part;
use crate::grids::{maps, random_cell, random_edit};
use crate::hash::{Hash, Random};
use highroad::crowd::{BodyPlan, Crowd, CrowdOptions, Formation};
use highroad::field::FlowFields;
use highroad::grid::KindId;
use highroad::hierarchy::{HpaOptions, PraOptions};
use highroad::index::HubOptions;
use highroad::world::Clock;
use highroad::{AgentPlan, Budget, PathWorld, Reply, Request, Simulation};
use std::time::Duration;

/// A world with three planners, in lockstep, so that no clock decides who answers.
fn world(id: u64) -> Option<PathWorld> {
    let [(_, rooms), ..] = maps();
    // How long rebuilds took is saved.
    let world = PathWorld::new(rooms).with_id(id).with_clock(Clock::new(|| Duration::ZERO));
    let world = world.with_planner(HubOptions::default());
    let world = world.with_planner(HpaOptions::default()).with_planner(PraOptions::default());
    world.with_lockstep(3).with_rest_ticks(2).build().ok()
}

/// Many requests with small budgets, between edits.
pub(crate) fn requests() -> Part {
    let (mut hash, mut random) = (Hash::default(), Random::new(21));
    let Some(mut world) = world(1) else { return hash.part("requests") };
    world.share_fields_from(6);
    let mut waiting = Vec::new();
    for round in 0..60 {
        for number in 0..6 {
            let start = random_cell(&mut random);
            let goal = if number < 3 { random_cell(&mut Random::new(round)) } else { start };
            let goal = if number < 3 { goal } else { random_cell(&mut random) };
            let request = Request::path(start, goal).with_priority(random.below(3) as u8);
            waiting.push(world.request(request));
        }
        if round % 4 == 0 {
            hash.text(&world.apply(&random_edit(&mut random)).is_ok());
        }
        let budget = if round == 59 { Budget::unlimited() } else { Budget::expansions(300) };
        hash.text(&world.tick(budget));
        waiting.retain(|&ticket| match world.poll(ticket) {
            Reply::Pending => true,
            Reply::Ready(path) => {
                hash.path(&path);
                false
            }
            other => {
                hash.text(&other);
                false
            }
        });
    }
    hash.word(waiting.len() as u64);
    hash.part("requests")
}

fn walk(ticks: u64) -> Option<Simulation> {
    let mut random = Random::new(31);
    let mut simulation = Simulation::new(world(2)?, Budget::expansions(400)).with_step_events();
    for tick in 0..ticks {
        if tick < 60 {
            simulation.add(AgentPlan::new(random_cell(&mut random), random_cell(&mut random)));
        }
        if tick % 9 == 0 {
            // An edit that does not fit is an event as well: none.
            let _ = simulation.edit(&random_edit(&mut random));
        }
        simulation.tick();
    }
    Some(simulation)
}

/// Agents that walk while the map changes: all events.
pub(crate) fn agents() -> Part {
    let mut hash = Hash::default();
    if let Some(mut simulation) = walk(250) {
        simulation.take_events().iter().for_each(|event| hash.text(event));
    }
    hash.part("events of agents")
}

/// A saved simulation, and what it does after it was loaded.
pub(crate) fn saved() -> Part {
    let mut hash = Hash::default();
    if let Some(mut simulation) = walk(120) {
        simulation.take_events();
        let bytes = simulation.save();
        hash.bytes(&bytes);
        if let Ok(mut loaded) = Simulation::load(&bytes) {
            (0..60).for_each(|_| _ = loaded.tick());
            loaded.take_events().iter().for_each(|event| hash.text(event));
        }
    }
    hash.part("a saved simulation")
}

/// Agents with bodies, by paths and by fields, on patrol and in a group, while the map changes: every bit of every position, and all
/// events.
pub(crate) fn bodies() -> Part {
    let (mut hash, mut random) = (Hash::default(), Random::new(43));
    let Some(world) = world(5) else { return hash.part("bodies") };
    let mut simulation = Simulation::new(world, Budget::expansions(2000));
    let mut agents = Vec::new();
    for number in 0..60 {
        let (start, goal) = (random_cell(&mut random), random_cell(&mut random));
        let middle = [start.x, start.y].map(|at| f64::from(at) + 0.5);
        let plan = AgentPlan::of_body(BodyPlan::new(middle), goal).with_patience(300);
        let id = simulation.add(if number % 3 == 0 { plan.by_field() } else { plan });
        if number % 10 == 9 {
            simulation.patrol(id, &[start, goal]);
        }
        agents.push(id);
    }
    let group =
        simulation.send_group(&agents[40..46], random_cell(&mut random), Formation::default());
    hash.text(&group.is_ok());
    for tick in 0..240 {
        if tick % 9 == 0 {
            hash.text(&simulation.edit(&random_edit(&mut random)).is_ok());
        }
        simulation.tick();
    }
    for body in simulation.crowd().bodies() {
        let numbers = [body.position(), body.velocity(), body.heading()];
        numbers.as_flattened().iter().for_each(|number| hash.word(number.to_bits()));
    }
    simulation.take_events().iter().for_each(|event| hash.text(&event.to_string()));
    hash.part("agents with bodies")
}

/// A crowd in continuous space, while the map changes: every bit of every position, and all events.
pub(crate) fn crowd() -> Part {
    let (mut hash, mut random) = (Hash::default(), Random::new(41));
    let [(_, rooms), ..] = maps();
    let mut world = PathWorld::new(rooms);
    let (mut crowd, mut fields) = (Crowd::new(CrowdOptions::default()), FlowFields::new(1 << 22));
    for _ in 0..150 {
        let (start, goal) = (random_cell(&mut random), random_cell(&mut random));
        let middle = [start.x, start.y].map(|at| f64::from(at) + 0.5);
        // Cells that cannot be entered are passed over.
        let body = crowd.add(world.grid(), BodyPlan::new(middle));
        if let (Ok(body), Ok(field)) = (body, fields.open(world.grid(), &[goal])) {
            crowd.send(body, field);
        }
    }
    for tick in 0..240 {
        if tick % 9 == 0 {
            hash.text(&world.apply(&random_edit(&mut random)).is_ok());
            world.update_fields(KindId::DEFAULT, &mut fields);
        }
        hash.word(fields.advance(20_000));
        hash.word(crowd.tick(world.grid(), &fields).overlap_max.to_bits());
    }
    for body in crowd.bodies() {
        let bits = [body.position(), body.velocity(), body.heading()].concat();
        bits.iter().for_each(|number| hash.word(number.to_bits()));
    }
    crowd.take_events().iter().for_each(|event| hash.text(event));
    hash.part("a crowd")
}

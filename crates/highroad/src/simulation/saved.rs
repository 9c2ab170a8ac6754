//! Simulations as bytes.

use super::agent::{Agent, Asked, Reason};
use super::group::{Group, GroupId, Member};
use super::orders::Orders;
use super::watched::WatchedTiles;
use super::{
    AgentEvent, AgentEventKind, AgentId, AgentPlan, AgentState, Pace, Simulation, StopReason,
};
use crate::crowd::Crowd;
use crate::planners::LoadWorldError;
use crate::recipe::{BuildWatch, Recipe};
use crate::requests::Budget;
use crate::world::PathWorld;
use highroad_core::field::FlowId;
use highroad_core::saved::{Encode, Kind, Reader, Writer};
use highroad_core::{Corridor, LoadError, encoded_enum, encoded_struct};
use std::sync::Arc;
use std::time::Duration;

/// No number that a simulation counts comes near it: one that does is forged, and could run over.
const COUNT_MAX: u64 = 1 << 60;

encoded_struct!(AgentId { 0: number });
encoded_struct!(AgentEvent { tick: tick, kind: kind });
encoded_struct!(AgentPlan {
    start: start,
    goal: goal,
    kind: kind,
    pace: pace,
    improves: improves,
    first_leg: first_leg,
    body: body,
    by_field: by_field,
    patience: patience,
});
encoded_struct!(GroupId { 0: number });
encoded_struct!(Member { agent: agent, passed: passed, astray: astray });
encoded_struct!(Group {
    id: id,
    members: members,
    goal: goal,
    formation: formation,
    heading: heading,
    trail: trail,
    forgotten: forgotten,
    settles: settles,
});
encoded_enum!(StopReason, "reasons to stop" {
    0 => Unreachable {},
    1 => GoalBlocked {},
    2 => Buried {},
    3 => NoSuchKind {},
    4 => Ordered {},
    5 => HeldUp {},
    6 => Unfit {},
});
encoded_enum!(AgentState, "states of agents" {
    0 => Waiting {},
    1 => Walking {},
    2 => Arrived {},
    3 => Stopped { 0: reason },
    4 => Crossing {},
    5 => Removed {},
});
encoded_enum!(Reason, "reasons to ask" {
    0 => First {},
    1 => Repair {},
    2 => Improve {},
});
encoded_enum!(AgentEventKind, "events" {
    0 => Edited { cells: cells, revision: revision },
    1 => RebuildStarted { planner: planner },
    2 => RebuildSwapped { planner: planner },
    3 => RebuildFailed { planner: planner, reason: reason },
    4 => Asked { agent: agent, from: from, to: to },
    5 => Leg { agent: agent, steps: steps },
    6 => Found { agent: agent, steps: steps },
    7 => Cut { agent: agent, steps: steps },
    8 => Costlier { agent: agent },
    9 => Replanned { agent: agent, at: at, steps: steps },
    10 => Improved { agent: agent, at: at, steps: steps, saved: saved },
    11 => Stepped { agent: agent, to: to },
    12 => Arrived { agent: agent, at: at, steps: steps },
    13 => Unreachable { agent: agent, at: at, nearest: nearest },
    14 => GoalBlocked { agent: agent, at: at },
    15 => Buried { agent: agent, at: at },
    16 => NoSuchKind { agent: agent, at: at },
    17 => Freed { agent: agent, at: at },
    18 => Following { agent: agent },
    19 => Passed { agent: agent, at: at, left: left },
    20 => AtLink { agent: agent, at: at },
    21 => TookLink { agent: agent, to: to },
    22 => HeldUp { agent: agent, at: at },
    23 => GaveUp { agent: agent, at: at },
    24 => Halted { agent: agent, at: at },
    25 => Teleported { agent: agent, to: to },
    26 => Removed { agent: agent, at: at },
    27 => Unfit { agent: agent, reason: reason },
    28 => GroupSent { group: group, members: members, to: to },
    29 => GroupArrived { group: group, at: at },
    30 => GroupStopped { group: group, at: at },
});
encoded_struct!(WatchedTiles { 0: tiles });

impl Encode for Pace {
    fn write(&self, writer: &mut Writer) {
        let (cells, ticks) = (*self).into();
        (cells, ticks).write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let (cells, ticks): (u32, u32) = Encode::read(reader)?;
        Ok(Self::new(cells, ticks))
    }
}

impl Encode for Orders {
    fn write(&self, writer: &mut Writer) {
        self.points.write(writer);
        self.next.write(writer);
        self.repeats.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let points = Arc::new(Vec::read(reader)?);
        Ok(Self { points, next: Encode::read(reader)?, repeats: Encode::read(reader)? })
    }
}

impl Encode for Asked {
    fn write(&self, writer: &mut Writer) {
        self.ticket.write(writer);
        self.reason.write(writer);
        self.from.write(writer);
        self.lead.write(writer);
        self.on_leg.write(writer);
        self.ahead.write(writer);
        self.revision.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let asked = Self {
            ticket: Encode::read(reader)?,
            reason: Encode::read(reader)?,
            from: Encode::read(reader)?,
            lead: Encode::read(reader)?,
            on_leg: Encode::read(reader)?,
            ahead: Encode::read(reader)?,
            revision: Encode::read(reader)?,
        };
        if asked.lead.unsigned_abs() > COUNT_MAX || asked.ahead as u64 > COUNT_MAX {
            return Err(reader.malformed("requests of agents"));
        }
        Ok(asked)
    }
}

impl Encode for Agent {
    fn write(&self, writer: &mut Writer) {
        self.plan.write(writer);
        self.state.write(writer);
        self.route.write(writer);
        [self.index, self.sound].write(writer);
        self.whole.write(writer);
        self.asked.write(writer);
        self.rerouted.write(writer);
        [self.charge, self.cost_left, self.steps].write(writer);
        self.orders.write(writer);
        self.body.write(writer);
        self.cell.write(writer);
        self.steered.write(writer);
        self.is_held_up.write(writer);
        self.field.is_some().write(writer);
        self.group.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let plan = AgentPlan::read(reader)?;
        let state = AgentState::read(reader)?;
        let route = Vec::read(reader)?;
        let [index, sound]: [usize; 2] = Encode::read(reader)?;
        let whole = bool::read(reader)?;
        let asked = Option::<Asked>::read(reader)?;
        let rerouted = bool::read(reader)?;
        let [charge, cost_left, steps]: [u64; 3] = Encode::read(reader)?;
        if index > sound || sound >= route.len() || charge.max(steps) > COUNT_MAX {
            return Err(reader.malformed("agents"));
        }
        let orders = Orders::read(reader)?;
        let body = Encode::read(reader)?;
        let cell = Encode::read(reader)?;
        let steered = Encode::read(reader)?;
        let is_held_up = Encode::read(reader)?;
        let follows = bool::read(reader)?;
        let group = Encode::read(reader)?;
        let (corridor, route) = (Arc::new(Corridor::of(&route)), Arc::new(route));
        Ok(Self {
            plan,
            state,
            route,
            index,
            sound,
            whole,
            corridor,
            asked,
            rerouted,
            charge,
            cost_left,
            steps,
            orders,
            body,
            cell,
            steered,
            is_held_up,
            // Until the field is made again.
            field: follows.then_some(FlowId::default()),
            group,
        })
    }
}

impl Simulation {
    /// The whole simulation as bytes: its world, as [`PathWorld::save`] writes it, the agents with their ways, bodies and groups, the tick,
    /// the budget, and the events that were not taken. The loaded one goes on with the same events, as far as the loaded
    /// world gives the same answers. Flow fields are not written: those that agents follow are made as a whole when the simulation is
    /// loaded, so that an agent which still waits for one sets off at once.
    ///
    /// Takes time and memory in proportion to the world, to the ways of agents and to the events.
    ///
    /// ```
    /// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
    /// let world = PathWorld::new("........\n".parse()?);
    /// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
    /// simulation.add(AgentPlan::new((0, 0), (7, 0)));
    /// simulation.tick();
    ///
    /// let mut loaded = Simulation::load(&simulation.save())?;
    /// for _ in 0..10 {
    ///     simulation.tick();
    ///     loaded.tick();
    /// }
    /// assert_eq!(loaded.take_events(), simulation.take_events());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::Simulation, 0);
        writer.bytes(&self.world.save());
        self.agents.write(&mut writer);
        self.watched.write(&mut writer);
        self.budget.write(&mut writer);
        self.tick.write(&mut writer);
        self.events.write(&mut writer);
        self.reports_steps.write(&mut writer);
        self.replans.write(&mut writer);
        (self.slowest_rebuild.as_micros() as u64).write(&mut writer);
        self.crowd.write(&mut writer);
        self.owners.write(&mut writer);
        self.fields_bytes_max.write(&mut writer);
        self.groups.write(&mut writer);
        self.groups_sent.write(&mut writer);
        writer.finish()
    }

    /// The simulation that [`Simulation::save`] has written. See [`PathWorld::load`] for bytes that are not trusted: in
    /// addition, no agent of a forged simulation enters a blocked cell.
    ///
    /// # Errors
    /// As [`PathWorld::load`].
    pub fn load(bytes: &[u8]) -> Result<Self, LoadWorldError> {
        Self::load_with(bytes, |_| None)
    }

    /// As [`Simulation::load`], with planners that are not of the catalog: `recipe_of` returns the recipe of that name. See
    /// [`PathWorld::load_with`]. Errors are the same.
    ///
    /// ```
    /// use highroad::{Budget, PathWorld, Simulation};
    /// use highroad::hierarchy::HpaOptions;
    /// use highroad::world::Recipe;
    /// use std::sync::Arc;
    /// let options = HpaOptions::default().with_cluster_side(8);
    /// let world = PathWorld::new("....\n....\n".parse()?).with_planner(options).build()?;
    /// let bytes = Simulation::new(world, Budget::expansions(1000)).save();
    /// let recipe_of = |_name: &str| Some(Arc::new(options) as Arc<dyn Recipe>);
    /// let loaded = Simulation::load_with(&bytes, recipe_of)?;
    /// assert_eq!(loaded.world().planners().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_with(
        bytes: &[u8],
        recipe_of: impl Fn(&str) -> Option<Arc<dyn Recipe>>,
    ) -> Result<Self, LoadWorldError> {
        Self::load_watched(bytes, recipe_of, &BuildWatch::default())
    }

    /// As [`Simulation::load_with`], watched as [`PathWorld::load_watched`] is. Errors are the same.
    ///
    /// ```
    /// use highroad::{Budget, PathWorld, Simulation};
    /// use highroad::hierarchy::HpaOptions;
    /// use highroad::world::BuildWatch;
    /// let world = PathWorld::new("....\n....\n".parse()?).with_planner(HpaOptions::default()).build()?;
    /// let bytes = Simulation::new(world, Budget::expansions(1000)).save();
    /// let watch = BuildWatch::default();
    /// watch.stop(); // mostly by another thread
    /// assert!(Simulation::load_watched(&bytes, |_| None, &watch).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_watched(
        bytes: &[u8],
        recipe_of: impl Fn(&str) -> Option<Arc<dyn Recipe>>,
        watch: &BuildWatch,
    ) -> Result<Self, LoadWorldError> {
        let mut reader = Reader::new(bytes, Kind::Simulation, || 0)?;
        let world = PathWorld::load_watched(reader.bytes("worlds")?, recipe_of, watch)?;
        let agents = Vec::<Agent>::read(&mut reader)?;
        let watched = Vec::<WatchedTiles>::read(&mut reader)?;
        let budget = Budget::read(&mut reader)?;
        let tick = u64::read(&mut reader)?;
        let events = Vec::<AgentEvent>::read(&mut reader)?;
        let reports_steps = bool::read(&mut reader)?;
        let [replans, slowest]: [u64; 2] = Encode::read(&mut reader)?;
        if agents.len() != watched.len() || tick.max(replans) > COUNT_MAX {
            return Err(reader.malformed("agents").into());
        }
        let crowd = Crowd::read(&mut reader)?;
        let owners = Vec::<AgentId>::read(&mut reader)?;
        let fields_bytes_max = usize::read(&mut reader)?;
        let groups = Vec::<Group>::read(&mut reader)?;
        let groups_sent = u32::read(&mut reader)?;
        if !belong_together(&agents, &crowd, &owners, &groups) {
            return Err(reader.malformed("bodies of agents").into());
        }
        reader.finish()?;
        let slowest_rebuild = Duration::from_micros(slowest);
        let begun = Self::new(world, budget);
        let mut loaded = Self {
            agents,
            watched,
            tick,
            events,
            reports_steps,
            replans,
            slowest_rebuild,
            crowd,
            owners,
            fields_bytes_max,
            groups,
            groups_sent,
            ..begun
        };
        loaded.make_fields(watch);
        Ok(loaded)
    }

    /// Makes the fields that agents follow; when nobody waits for that any more, ticks go on with them.
    fn make_fields(&mut self, watch: &BuildWatch) {
        /// Looks between two questions.
        const SLICE: u64 = 1 << 16;
        for number in 0..self.agents.len() {
            if self.agents[number].field.take().is_some() {
                self.find_field(AgentId(number as u32));
            }
        }
        for fields in &mut self.fields {
            while !watch.is_stopped() && fields.advance(SLICE) > 0 {}
        }
    }
}

/// Whether every body is that of the agent that it should be, and groups are of agents with bodies.
fn belong_together(agents: &[Agent], crowd: &Crowd, owners: &[AgentId], groups: &[Group]) -> bool {
    let agent = |id: AgentId| agents.get(id.0 as usize);
    let bodies = crowd.bodies();
    let owned = owners.len() == bodies.len()
        && owners.windows(2).all(|pair| pair[0] < pair[1])
        && owners.iter().zip(bodies).all(|(&owner, body)| {
            agent(owner)
                .is_some_and(|agent| agent.body == Some(body.id()) && agent.cell == body.cell())
        });
    let has_body = |agent: &Agent| agent.body.is_some_and(|body| crowd.body(body).is_some());
    let is_gone = |agent: &Agent| agent.state == AgentState::Removed;
    let counted = agents.iter().filter(|agent| has_body(agent)).count() == bodies.len()
        && agents.iter().all(|agent| agent.body.is_none() || has_body(agent) || is_gone(agent));
    let grouped = groups.iter().all(|group| {
        let in_it = |member: &Member| {
            member.passed as u64 <= COUNT_MAX
                && agent(member.agent)
                    .is_some_and(|agent| has_body(agent) && agent.group == Some(group.id))
        };
        let heading = group.heading.length();
        let looks = (0.5..2.0).contains(&heading) && group.forgotten as u64 <= COUNT_MAX;
        looks && !group.members.is_empty() && group.members.iter().all(in_it)
    });
    let named = |id: GroupId| groups.iter().any(|group| group.id == id);
    let orders = |agent: &Agent| agent.orders.next <= agent.orders.points.len();
    owned
        && counted
        && grouped
        && agents.iter().all(|agent| agent.group.is_none_or(named) && orders(agent))
}

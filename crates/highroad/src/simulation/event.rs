//! What happens in a simulation, in words that are the same on every machine.

use super::AgentId;
use super::group::GroupId;
use highroad_core::{Cell, Cost, Revision};
use std::fmt;

/// Something that happened, and when. Its text is the same on every machine.
///
/// ```
/// use highroad::{AgentPlan, Budget, PathWorld, Simulation};
/// use highroad::simulation::{AgentEvent, AgentEventKind};
/// let world = PathWorld::new(".....\n".parse()?);
/// let mut simulation = Simulation::new(world, Budget::expansions(10_000));
/// let walker = simulation.add(AgentPlan::new((0, 0), (4, 0)));
/// while !simulation.is_at_rest() {
///     simulation.tick();
/// }
/// let events: Vec<AgentEvent> = simulation.take_events();
/// let last = events.last().expect("it arrives");
/// assert!(matches!(last.kind, AgentEventKind::Arrived { agent, steps: 4, .. } if agent == walker));
/// assert!(last.to_string().ends_with("agent 0 arrives at (4, 0) after 4 steps"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentEvent {
    /// The tick in which it happened.
    pub tick: u64,
    /// What happened.
    pub kind: AgentEventKind,
}

/// What can happen in a simulation. See [`AgentEvent`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum AgentEventKind {
    /// A batch of edits has changed the map.
    Edited {
        /// How many cells have changed.
        cells: usize,
        /// The revision that it led to.
        revision: Revision,
    },
    /// A planner that could not follow is being rebuilt; an exact search answers meanwhile.
    RebuildStarted {
        /// The planner's name.
        planner: String,
    },
    /// The new planner answers from now on.
    RebuildSwapped {
        /// The planner's name.
        planner: String,
    },
    /// The planner could not be made.
    RebuildFailed {
        /// The planner's name.
        planner: String,
        /// Why it could not be made.
        reason: String,
    },
    /// An agent asks for its first path, or for one again after it had to stop.
    Asked {
        /// The agent.
        agent: AgentId,
        /// Where it is.
        from: Cell,
        /// Where it wants to go.
        to: Cell,
    },
    /// An agent has the beginning of its path and walks.
    Leg {
        /// The agent.
        agent: AgentId,
        /// How many steps the beginning has.
        steps: usize,
    },
    /// An agent has its path and walks.
    Found {
        /// The agent.
        agent: AgentId,
        /// How many steps it has, from where the agent is.
        steps: usize,
    },
    /// An edit has cut an agent's path; it goes on as far as it can and asks for another.
    Cut {
        /// The agent.
        agent: AgentId,
        /// How many steps it can still take.
        steps: usize,
    },
    /// An edit has made an agent's path more costly; it asks whether there is a better one.
    Costlier {
        /// The agent.
        agent: AgentId,
    },
    /// An agent goes another way.
    Replanned {
        /// The agent.
        agent: AgentId,
        /// Where it is.
        at: Cell,
        /// How many steps the new way has, from there.
        steps: usize,
    },
    /// An agent has found a cheaper way than the one it was on.
    Improved {
        /// The agent.
        agent: AgentId,
        /// Where it is.
        at: Cell,
        /// How many steps the new way has, from there.
        steps: usize,
        /// The cost that it saves.
        saved: Cost,
    },
    /// An agent has taken a step; only reported when asked for.
    Stepped {
        /// The agent.
        agent: AgentId,
        /// The cell that it has stepped to.
        to: Cell,
    },
    /// An agent is at its goal.
    Arrived {
        /// The agent.
        agent: AgentId,
        /// The cell where it is: its goal, or beside it if others leave a body no room there.
        at: Cell,
        /// How many steps it has taken on the way.
        steps: u64,
    },
    /// An agent has stopped, since no way leads to its goal.
    Unreachable {
        /// The agent.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
        /// The reachable cell nearest to its goal.
        nearest: Cell,
    },
    /// An agent has stopped, since nobody can stand on its goal any more.
    GoalBlocked {
        /// The agent.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
    },
    /// The cell under an agent has been blocked, or it no longer fits between blocked cells: it cannot move.
    Buried {
        /// The agent.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
    },
    /// An agent is of a kind that the world does not have.
    NoSuchKind {
        /// The agent.
        agent: AgentId,
        /// Where it is.
        at: Cell,
    },
    /// The cell under a buried agent is open again, or its body has walked out of the wall.
    Freed {
        /// The agent.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
    },
    /// An agent has a field to follow where it stands, and walks.
    Following {
        /// The agent.
        agent: AgentId,
    },
    /// An agent has passed a point on its way, and goes on to the next.
    Passed {
        /// The agent.
        agent: AgentId,
        /// Where it is.
        at: Cell,
        /// How many points are left; of a patrol, in this round.
        left: usize,
    },
    /// An agent is where a link begins, and takes it.
    AtLink {
        /// The agent.
        agent: AgentId,
        /// Where the link begins.
        at: Cell,
    },
    /// An agent is at the end of a link.
    TookLink {
        /// The agent.
        agent: AgentId,
        /// Where the link ends.
        to: Cell,
    },
    /// Others hold an agent up.
    HeldUp {
        /// The agent.
        agent: AgentId,
        /// Where it is.
        at: Cell,
    },
    /// An agent has given up, since others have held it up for too long.
    GaveUp {
        /// The agent.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
    },
    /// Somebody has stopped an agent.
    Halted {
        /// The agent.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
    },
    /// Somebody has put an agent into another cell.
    Teleported {
        /// The agent.
        agent: AgentId,
        /// Where it is now.
        to: Cell,
    },
    /// Somebody has taken an agent off the map.
    Removed {
        /// The agent.
        agent: AgentId,
        /// Where it was.
        at: Cell,
    },
    /// An agent cannot be on the map with such a body.
    Unfit {
        /// The agent.
        agent: AgentId,
        /// What is wrong with it.
        reason: String,
    },
    /// A group was sent.
    GroupSent {
        /// The group.
        group: GroupId,
        /// How many members it has.
        members: usize,
        /// Where it goes.
        to: Cell,
    },
    /// All members of a group have arrived.
    GroupArrived {
        /// The group.
        group: GroupId,
        /// Its goal.
        at: Cell,
    },
    /// A group has stopped, since no way leads its leader to the goal.
    GroupStopped {
        /// The group.
        group: GroupId,
        /// Where its leader stands.
        at: Cell,
    },
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agent {}", self.0)
    }
}

impl fmt::Display for AgentEvent {
    /// One line, such as `12 agent 0 arrives at (9, 4) after 11 steps`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.tick, self.kind)
    }
}

impl fmt::Display for AgentEventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edited { cells, revision } => {
                let cells =
                    if *cells == 1 { "1 cell".to_owned() } else { format!("{cells} cells") };
                write!(f, "edit of {cells} leads to {revision}")
            }
            Self::RebuildStarted { planner } => write!(f, "{planner} is being rebuilt"),
            Self::RebuildSwapped { planner } => write!(f, "{planner} takes over"),
            Self::RebuildFailed { planner, reason } => write!(f, "{planner} fails: {reason}"),
            Self::Asked { agent, from, to } => write!(f, "{agent} asks from {from} to {to}"),
            Self::Leg { agent, steps } => {
                write!(f, "{agent} begins with {}", counted(*steps as u64, "step"))
            }
            Self::Found { agent, steps } => {
                write!(f, "{agent} has a path of {}", counted(*steps as u64, "step"))
            }
            Self::Cut { agent, steps } => {
                write!(f, "{agent} is cut off after {}", counted(*steps as u64, "step"))
            }
            Self::Costlier { agent } => write!(f, "{agent} has a more costly path"),
            Self::Replanned { agent, at, steps } => {
                let steps = counted(*steps as u64, "step");
                write!(f, "{agent} at {at} goes another way of {steps}")
            }
            Self::Improved { agent, at, steps, saved } => {
                let steps = counted(*steps as u64, "step");
                write!(f, "{agent} at {at} takes a cheaper way of {steps}, saving {saved}")
            }
            Self::Stepped { agent, to } => write!(f, "{agent} steps to {to}"),
            Self::Arrived { agent, at, steps } => {
                write!(f, "{agent} arrives at {at} after {}", counted(*steps, "step"))
            }
            Self::Unreachable { agent, at, nearest } => {
                write!(
                    f,
                    "{agent} stops at {at}: no way leads to its goal, the nearest cell is {nearest}"
                )
            }
            Self::GoalBlocked { agent, at } => {
                write!(f, "{agent} stops at {at}: its goal is blocked")
            }
            Self::Buried { agent, at } => write!(f, "{agent} is buried at {at}"),
            Self::NoSuchKind { agent, at } => {
                write!(f, "{agent} at {at} is of a kind that the world does not have")
            }
            Self::Freed { agent, at } => write!(f, "{agent} is free again at {at}"),
            Self::Following { agent } => write!(f, "{agent} follows its field"),
            Self::Passed { agent, at, left } => {
                write!(f, "{agent} passes {at}, {} left", counted(*left as u64, "point"))
            }
            Self::AtLink { agent, at } => write!(f, "{agent} takes a link at {at}"),
            Self::TookLink { agent, to } => write!(f, "{agent} comes out of a link at {to}"),
            Self::HeldUp { agent, at } => write!(f, "{agent} is held up at {at}"),
            Self::GaveUp { agent, at } => write!(f, "{agent} gives up at {at}: it was held up"),
            Self::Halted { agent, at } => write!(f, "{agent} is stopped at {at}"),
            Self::Teleported { agent, to } => write!(f, "{agent} is put to {to}"),
            Self::Removed { agent, at } => write!(f, "{agent} is removed at {at}"),
            Self::Unfit { agent, reason } => write!(f, "{agent} cannot be there: {reason}"),
            Self::GroupSent { group, members, to } => {
                write!(f, "{group} of {} is sent to {to}", counted(*members as u64, "agent"))
            }
            Self::GroupArrived { group, at } => write!(f, "{group} has arrived at {at}"),
            Self::GroupStopped { group, at } => {
                write!(f, "{group} stops at {at}: no way leads to its goal")
            }
        }
    }
}

/// A number of things, in words that agree with it.
fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

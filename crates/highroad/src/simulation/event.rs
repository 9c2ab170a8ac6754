//! What happens in a simulation, in words that are the same on every machine.

use super::AgentId;
use highroad_core::{Cell, Cost, Revision};
use std::fmt;

/// Something that happened, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentEvent {
    /// The tick.
    pub tick: u64,
    /// What.
    pub kind: AgentEventKind,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentEventKind {
    /// A batch has changed so many cells.
    Edited {
        /// Changed cells.
        cells: usize,
        /// The revision that it led to.
        revision: Revision,
    },
    /// A planner that could not follow is being rebuilt; an exact search answers meanwhile.
    RebuildStarted {
        /// Its name.
        planner: String,
    },
    /// The new planner answers from now on.
    RebuildSwapped {
        /// Its name.
        planner: String,
    },
    /// The planner could not be made.
    RebuildFailed {
        /// Its name.
        planner: String,
        /// Why.
        reason: String,
    },
    /// An agent asks for its first path, or for one again after it had to stop.
    Asked {
        /// Who.
        agent: AgentId,
        /// Where it is.
        from: Cell,
        /// Where it wants to go.
        to: Cell,
    },
    /// An agent has the beginning of its path and walks.
    Leg {
        /// Who.
        agent: AgentId,
        /// Steps of the beginning.
        steps: usize,
    },
    /// An agent has its path and walks.
    Found {
        /// Who.
        agent: AgentId,
        /// Steps from where it is.
        steps: usize,
    },
    /// An edit has cut an agent's path; it goes on as far as it can and asks for another.
    Cut {
        /// Who.
        agent: AgentId,
        /// Steps that it can still take.
        steps: usize,
    },
    /// An edit has made an agent's path more costly; it asks whether there is a better one.
    Costlier {
        /// Who.
        agent: AgentId,
    },
    /// An agent goes another way.
    Replanned {
        /// Who.
        agent: AgentId,
        /// Where it is.
        at: Cell,
        /// Steps from there.
        steps: usize,
    },
    /// An agent has found a cheaper way than the one it was on.
    Improved {
        /// Who.
        agent: AgentId,
        /// Where it is.
        at: Cell,
        /// Steps from there.
        steps: usize,
        /// What it saves.
        saved: Cost,
    },
    /// An agent has taken a step; only reported when asked for.
    Stepped {
        /// Who.
        agent: AgentId,
        /// Where to.
        to: Cell,
    },
    /// An agent is at its goal.
    Arrived {
        /// Who.
        agent: AgentId,
        /// Where.
        at: Cell,
        /// Steps taken on the way.
        steps: u64,
    },
    /// An agent has stopped, since no way leads to its goal.
    Unreachable {
        /// Who.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
        /// The reachable cell nearest to its goal.
        nearest: Cell,
    },
    /// An agent has stopped, since nobody can stand on its goal any more.
    GoalBlocked {
        /// Who.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
    },
    /// The cell under an agent has been blocked: it cannot move.
    Buried {
        /// Who.
        agent: AgentId,
        /// Where it stands.
        at: Cell,
    },
    /// An agent is of a kind that the world does not have.
    NoSuchKind {
        /// Which agent.
        agent: AgentId,
        /// Where it is.
        at: Cell,
    },
    /// The cell under a buried agent is open again.
    Freed {
        /// Who.
        agent: AgentId,
        /// Where it stands.
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
        }
    }
}

/// A number of things, in words that agree with it.
fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

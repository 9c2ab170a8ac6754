//! The parts of a recording: what is joined, searched, filled in and smoothed, one after the other.

use highroad_core::{TraceEvent, TraceKind};
use std::ops::Range;

/// What a part of a recording does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhaseKind {
    /// The start and the goal are joined to an abstraction.
    Insert,
    /// A search, the how many-th of the recording, from 1.
    Search(u32),
    /// The two ends lie close together: the path between them is found without an abstraction.
    Direct,
    /// Cells are filled in.
    Refine,
    /// The path is smoothed.
    Smooth,
}

/// A part of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What it does.
    pub kind: PhaseKind,
    /// Its events, by their numbers.
    pub events: Range<usize>,
}

/// The parts that events fall into. Starts that are reported before the ends are joined belong to the joining.
pub(crate) fn phases_of(events: &[TraceEvent]) -> Vec<Phase> {
    let mut phases: Vec<Phase> = Vec::new();
    let mut searches = 0;
    let mut starts_only = true;
    for (number, event) in events.iter().enumerate() {
        let current = phases.last_mut();
        let kind = match event.kind {
            TraceKind::Join if joins_ends(events, number) => PhaseKind::Direct,
            TraceKind::Join => PhaseKind::Insert,
            TraceKind::Refine if current.as_ref().is_some_and(|p| p.kind == PhaseKind::Direct) => {
                PhaseKind::Direct
            }
            TraceKind::Refine => PhaseKind::Refine,
            TraceKind::Smooth => PhaseKind::Smooth,
            _ => PhaseKind::Search(searches),
        };
        match current {
            // The starts belong to what follows them.
            Some(phase) if starts_only && kind != PhaseKind::Search(searches) => {
                searches -= 1;
                starts_only = false;
                phase.kind = kind;
                phase.events.end = number + 1;
            }
            Some(phase) if phase.kind == kind && !begins_search(events, number) => {
                phase.events.end = number + 1;
            }
            _ => {
                let kind = match kind {
                    PhaseKind::Search(_) => {
                        searches += 1;
                        PhaseKind::Search(searches)
                    }
                    other => other,
                };
                phases.push(Phase { kind, events: number..number + 1 });
            }
        }
        starts_only &= event.kind == TraceKind::Start;
    }
    phases
}

/// Whether an event joins one end of the query to the other.
fn joins_ends(events: &[TraceEvent], number: usize) -> bool {
    let filled_in = |next: &TraceEvent| next.kind == TraceKind::Refine;
    events.get(number + 1).is_some_and(filled_in)
}

/// Whether another search begins with an event.
fn begins_search(events: &[TraceEvent], number: usize) -> bool {
    let is_start = |number: usize| events[number].kind == TraceKind::Start;
    is_start(number) && number > 0 && !is_start(number - 1)
}

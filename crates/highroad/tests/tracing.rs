//! Spans and events, as a profiler sees them.
#![cfg(feature = "tracing")]

use highroad::hierarchy::HpaOptions;
use highroad::index::HubOptions;
use highroad::{AgentPlan, Budget, PathWorld, Simulation, Terrain};
use std::fmt::{Debug, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Writes down every span that is opened and every event, with their fields.
#[derive(Clone, Default)]
struct Recorder {
    lines: Arc<Mutex<Vec<String>>>,
    next: Arc<AtomicU64>,
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        _ = write!(self.0, " {field}={value:?}");
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "highroad"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut line = Line(format!("span {}", span.metadata().name()));
        span.record(&mut line);
        self.lines.lock().unwrap().push(line.0);
        Id::from_u64(self.next.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line("event".to_owned());
        event.record(&mut line);
        self.lines.lock().unwrap().push(line.0);
    }

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}

#[test]
fn builds_edits_ticks_and_rebuilds_are_reported() {
    let recorder = Recorder::default();
    // For all threads: planners are rebuilt on one of their own.
    tracing::subscriber::set_global_default(recorder.clone()).unwrap();
    let mut world = PathWorld::new("....\n.##.\n....\n".parse().unwrap())
        .with_planner(HubOptions::default())
        .with_planner(HpaOptions::default())
        .build()
        .unwrap();
    world.edit(|edit| _ = edit.set((0, 1), Terrain::WALL)).unwrap();
    world.finish_rebuilds();
    let mut simulation = Simulation::new(world, Budget::unlimited());
    simulation.add(AgentPlan::new((0, 0), (3, 0)));
    simulation.tick();
    let lines = recorder.lines.lock().unwrap().join("\n");
    for expected in [
        "span build planner=\"hub-labels\" kind=\"default\"",
        "span build planner=\"hpa\" kind=\"default\"",
        "span edit revision=0",
        "rebuild started planner=\"hub-labels\" kind=0 revision=1",
        "span rebuild revision=1",
        "edited changes=1 revision=1",
        "rebuild swapped planner=\"hub-labels\" kind=0 revision=1",
        "span tick tick=1",
        "ticked expansions=",
        "span agents tick=1 agents=1",
    ] {
        assert!(lines.contains(expected), "{expected} is missing from\n{lines}");
    }
}

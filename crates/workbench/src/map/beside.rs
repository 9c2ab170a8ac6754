//! Other planners on the same query, each on a canvas beside the first one: one map, one view, one clock.
//!
//! Every canvas has a planner and its recording. The player of the first one is the clock: it goes on until the longest
//! recording has ended.

use super::engine::{Detail, Memory, Reply, Request, RunResult, carry_out};
use super::{MapMode, PlannerChoice, Tab};
use crate::shared::Touched;
use crate::shared::job::{Job, JobState};
use crate::teach::{Textbook, build_for_cells, textbook_form};
use highroad::Cell;
use highroad::environment::Edition;
use highroad::planner::{Answer, SketchLayer, Watch};
use highroad_pictures::replay::Replay;
use std::sync::Arc;

/// Canvases beside the first one, at the most.
pub const BESIDE_MAX: usize = 3;

/// What the recordings of several canvases have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkedBy {
    /// So many cells or nodes have been expanded.
    #[default]
    Expansions,
    /// So many events have happened.
    Events,
}

impl LinkedBy {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Expansions, Self::Events];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Expansions => "expansions",
            Self::Events => "events",
        }
    }
}

/// Other planners on the same query.
#[derive(Default)]
pub struct Beside {
    /// A canvas each.
    pub panes: Vec<Pane>,
    /// What the clock counts.
    pub linked_by: LinkedBy,
}

/// Which query, map and planner a recording is of.
type Key = (Edition, (Cell, Cell), String);

/// A planner on a canvas of its own.
pub struct Pane {
    /// The planner.
    pub choice: PlannerChoice,
    /// Cells that look different.
    pub touched: Touched,
    shown: Option<Shown>,
    failure: Option<(Key, String)>,
    job: Option<(Job<Result<Reply, String>>, Key)>,
}

/// What a planner beside has found.
pub struct Shown {
    key: Key,
    /// The answer and its numbers.
    pub outcome: RunResult,
    /// The recording.
    pub replay: Replay,
    /// What the planner has precomputed.
    pub sketch: Vec<SketchLayer>,
}

impl Shown {
    /// The cells of the path to draw: to the goal, or to the nearest cell.
    pub fn path_cells(&self) -> &[Cell] {
        match &self.outcome.answer {
            Answer::Found(path)
            | Answer::Unreachable { nearest: path }
            | Answer::LimitReached { nearest: path } => path.cells(),
        }
    }
}

impl Pane {
    fn new(choice: PlannerChoice) -> Self {
        Self { choice, touched: Touched::default(), shown: None, failure: None, job: None }
    }

    /// What was found; `None` before.
    pub fn shown(&self) -> Option<&Shown> {
        self.shown.as_ref()
    }

    /// Why nothing was found.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_ref().map(|(_, reason)| reason.as_str())
    }

    /// Whether it is being worked on.
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// Where the recording stands when the clock shows `clock`, and the first recording is `first`.
    fn position(replay: &Replay, linked: LinkedBy, first: &Replay, clock: usize) -> usize {
        match linked {
            LinkedBy::Events => clock,
            LinkedBy::Expansions if clock == 0 => 0,
            LinkedBy::Expansions => {
                let after = clock.saturating_sub(first.len());
                replay.position_of_expansion(first.expanded()) + after
            }
        }
    }

    /// How many events the clock goes on for after the end of the first recording.
    fn longer(replay: &Replay, linked: LinkedBy, first: &Replay) -> usize {
        let reached = match linked {
            LinkedBy::Events => first.len(),
            LinkedBy::Expansions => replay.position_of_expansion(first.expansions()),
        };
        replay.len().saturating_sub(reached)
    }
}

impl MapMode {
    /// Shows so many canvases in all, from 1 to 4. New ones get planners that are not shown yet.
    pub fn show_canvases(&mut self, count: usize) {
        let wanted = count.clamp(1, BESIDE_MAX + 1) - 1;
        self.beside.panes.truncate(wanted);
        while self.beside.panes.len() < wanted {
            let choice = self.next_beside();
            self.beside.panes.push(Pane::new(choice));
        }
    }

    /// Shows these planners beside the first one, as many as there is room for.
    pub fn show_beside(&mut self, planners: Vec<PlannerChoice>) {
        self.beside.panes = planners.into_iter().take(BESIDE_MAX).map(Pane::new).collect();
    }

    /// Shows the planner's plain form beside its optimised one, or takes all other canvases away.
    pub fn toggle_textbook_beside(&mut self) {
        if self.shows_textbook_beside() {
            self.beside.panes.clear();
        } else if let Some(other) = self.other_form() {
            self.beside.panes = vec![Pane::new(other)];
            self.tab = Tab::Compare;
        } else if let (Textbook::None(reason), _) = self.textbook() {
            self.say(reason);
        }
    }

    /// Whether the one canvas beside has the other form of the planner.
    pub fn shows_textbook_beside(&self) -> bool {
        let other = self.other_form();
        self.beside.panes.len() == 1 && other.is_some_and(|o| o == self.beside.panes[0].choice)
    }

    /// The plain form of the planner; if it is in that, the optimised one.
    pub fn other_form(&self) -> Option<PlannerChoice> {
        let (Textbook::Form(form), is_on) = self.textbook() else { return None };
        let text = match is_on {
            true => {
                let mut usual = self.planner.clone();
                form.options.iter().for_each(|(name, _)| usual.reset(name));
                usual.text()
            }
            false => form.apply(&self.planner.spec().ok()?, self.document.extent())?.to_string(),
        };
        PlannerChoice::parse(&text).ok()
    }

    /// The planner of that name with its usual options; in its plain form, if the one that is chosen now is in that.
    pub fn planner_named(&self, name: &str) -> PlannerChoice {
        let usual = PlannerChoice::of(name).unwrap_or_default();
        let (_, is_on) = self.textbook();
        let (true, Textbook::Form(form)) = (is_on, textbook_form(name)) else { return usual };
        let spec = usual.spec().ok();
        let plain = spec.and_then(|spec| form.apply(&spec, self.document.extent()));
        plain.and_then(|spec| PlannerChoice::parse(&spec.to_string()).ok()).unwrap_or(usual)
    }

    /// A planner for a new canvas: the other form of the first one, or one that is not shown yet.
    fn next_beside(&self) -> PlannerChoice {
        let shown = |choice: &PlannerChoice| {
            *choice == self.planner || self.beside.panes.iter().any(|pane| pane.choice == *choice)
        };
        let usual =
            ["astar", "hpa", "pra", "jps"].iter().filter_map(|name| PlannerChoice::of(name));
        let other = self.other_form().into_iter();
        other.chain(usual).find(|choice| !shown(choice)).unwrap_or_default()
    }

    /// Takes what the planners beside have found, begins what is not known yet, and sets all clocks alike.
    pub(super) fn advance_beside(&mut self) {
        let settled = self.hand.pointer.gesture.is_none() || !self.run.is_busy();
        let (grid, ends) = (self.document.grid(), self.document.places());
        for pane in &mut self.beside.panes {
            let key = (grid.edition(), ends, pane.choice.text());
            pane.poll();
            let known = pane.shown.as_ref().is_some_and(|shown| shown.key == key)
                || pane.failure.as_ref().is_some_and(|(failed, _)| *failed == key);
            if pane.shown.as_ref().is_some_and(|s| s.replay.extent() != grid.extent()) {
                pane.shown = None;
            }
            if known || pane.job.is_some() || !settled {
                continue;
            }
            let (spec, grid, seams) = (pane.choice.spec(), grid.clone(), self.seams.clone());
            let job = Job::start(&self.seams, "recording a planner beside", move |control| {
                let spec = spec.map_err(|error| error.to_string())?;
                let began = seams.clock.now();
                let mut watch = |_, _| control.goes_on();
                let watch = &mut Watch::new(&mut watch);
                let planner: Arc<_> = build_for_cells(&spec, &grid, watch)?.into();
                let build_us = (seams.clock.now() - began).as_secs_f64() * 1e6;
                let request = Request {
                    planner,
                    grid,
                    memory: Memory::default(),
                    query: ends,
                    detail: Detail::Everything,
                    wants_sketch: true,
                    build_us,
                };
                Ok(carry_out(request, control, &seams.clock))
            });
            pane.job = Some((job, key));
        }
        self.link_clocks();
    }

    fn link_clocks(&mut self) {
        let linked = self.beside.linked_by;
        let mut longest = 0;
        if let Some(first) = self.player.replay() {
            for shown in self.beside.panes.iter().filter_map(|pane| pane.shown.as_ref()) {
                longest = longest.max(Pane::longer(&shown.replay, linked, first));
            }
        }
        self.player.set_longer(longest);
        let (clock, _) = self.player.position();
        let Some(first) = self.player.replay() else { return };
        for pane in &mut self.beside.panes {
            if let Some(shown) = &mut pane.shown {
                let position = Pane::position(&shown.replay, linked, first, clock);
                let touched = &mut pane.touched;
                shown.replay.go_to(position, |cell| touched.cell(cell));
            }
        }
    }

    /// Whether a planner beside is being worked on.
    pub(super) fn is_busy_beside(&self) -> bool {
        self.beside.panes.iter().any(Pane::is_busy)
    }

    /// What a canvas is called: the planner, and whether it is in its plain form.
    pub fn canvas_title(choice: &PlannerChoice) -> String {
        let title = choice.entry().title;
        let is_plain = match (textbook_form(choice.entry().name), choice.spec()) {
            (Textbook::Form(form), Ok(spec)) => form.is_in(&spec),
            _ => false,
        };
        if is_plain { format!("{title}, textbook") } else { title.to_owned() }
    }
}

impl Pane {
    fn poll(&mut self) {
        let Some((job, _)) = &self.job else { return };
        let reply = match job.poll() {
            JobState::Running => return,
            JobState::Lost => Err("the planner broke down".to_owned()),
            JobState::Done(reply) => reply,
        };
        let Some((_, key)) = self.job.take() else { return };
        let outcome = reply.and_then(|reply| {
            let mut outcome = reply.result.map_err(|failure| {
                super::words::failure(&failure).unwrap_or_else(|| "cancelled".to_owned())
            })?;
            let replay = outcome.replay.take().ok_or("nothing was recorded")?;
            Ok((outcome, replay, reply.sketch.unwrap_or_default()))
        });
        self.touched.everything();
        match outcome {
            Ok((outcome, replay, sketch)) => {
                self.failure = None;
                self.shown = Some(Shown { key, outcome, replay, sketch });
            }
            Err(reason) => {
                self.shown = None;
                self.failure = Some((key, reason));
            }
        }
    }
}

//! What teaching adds to the map mode: the open list, lessons, heuristics compared, a path explained.

use super::document::Document;
use super::movement::MovementChoice;
use super::{Hand, Ink, MapMode, PlannerChoice, Tab, cost_brushes};
use crate::shared::Switch;
use crate::teach::lesson::{
    Action, Course, Lesson, Show, Situation, StepScene, current_part, end_of_part,
};
use crate::teach::{
    Comparison, CopiedQuery, Counting, EditEffect, OpenList, PathCosts, Textbook, as_command,
    as_rust, best_without, compare_heuristics, effect_of, explain_path, next_step,
    planners_of_cells, previous_step, textbook_form,
};
use highroad::environment::End;
use highroad::grid::{Batch, MovementRule, Revision, StepCosts};
use highroad::planner::{Answer, Scratch};
use highroad::{Cell, Path, Terrain};
use highroad_pictures::posthoc::ReadTrace;
use highroad_pictures::replay::Replay;

/// The largest map on which effects of edits are worked out while the pointer moves.
const EXPLAINED_CELLS_MAX: usize = 40_000;

/// What teaching adds to the map mode.
#[derive(Default)]
pub struct Teaching {
    /// The lesson in progress.
    pub course: Option<Course>,
    /// The guess that is being written.
    pub guess: String,
    /// Titles of lessons that have come to their end; the shell takes them.
    pub finished: Vec<String>,
    /// Where the recording is to stand once the step's query is answered.
    show: Option<Show>,
    /// Heuristics compared, or why not; `None` while the view is closed.
    pub comparison: Option<Result<Comparison, String>>,
    /// Counts comparisons, so that their pictures are made once.
    pub comparisons: u64,
    /// The open list of a recording, by its number.
    open_list: Option<(u64, OpenList)>,
    pointed: Option<(PointedKey, Pointed)>,
    scratch: Scratch,
}

type PointedKey = (Cell, Ink, Revision, (Cell, Cell));

/// What an edit under the pointer would do.
#[derive(Clone)]
pub struct Pointed {
    /// The cell.
    pub cell: Cell,
    /// What the brush would do there.
    pub effect: EditEffect,
    /// The best path without the cell, if the path leads through it and there is another.
    pub other: Option<Path>,
    /// Whether the path leads through the cell.
    pub is_on_path: bool,
}

impl MapMode {
    /// How the planner counts.
    pub fn counting(&self) -> Option<Counting> {
        Some(Counting::of(&self.planner.spec().ok()?, self.document.grid()))
    }

    /// The open list where the recording stands, with the recording; `None` if there is none, or if it is too long.
    pub fn open_list(&mut self) -> Option<(&OpenList, &Replay)> {
        let counting = self.counting()?;
        let number = self.player.recording();
        let replay = self.player.replay()?;
        if self.teaching.open_list.as_ref().is_none_or(|(known, _)| *known != number) {
            self.teaching.open_list = Some((number, OpenList::new(replay, counting)?));
        }
        let (_, list) = self.teaching.open_list.as_mut()?;
        list.follow(replay);
        Some((list, replay))
    }

    /// Goes to where the next step ends, or the one before.
    pub fn go_step(&mut self, on: bool) {
        let Some(replay) = self.player.replay() else { return };
        let target = if on { next_step(replay) } else { previous_step(replay) };
        self.player.pause();
        self.player.jump(target);
    }

    /// Whether the planner has a plain form, and whether it is in it.
    pub fn textbook(&self) -> (Textbook, bool) {
        let form = textbook_form(self.planner.entry().name);
        let spec = self.planner.spec();
        let is_on = match (form, &spec) {
            (Textbook::Form(form), Ok(spec)) => form.is_in(spec),
            _ => false,
        };
        (form, is_on)
    }

    /// Puts the planner into its plain form, or back to its usual options.
    pub fn set_textbook(&mut self, wanted: bool) {
        let (_, is_on) = self.textbook();
        if wanted != is_on
            && let Some(other) = self.other_form()
        {
            self.choose_planner(other);
        }
    }

    /// Compares heuristics on the map as it is.
    pub fn compare_heuristics(&mut self) {
        let result = compare_heuristics(self.document.grid(), self.document.places());
        self.teaching.comparison = Some(result);
        self.teaching.comparisons += 1;
    }

    /// The path that was found.
    pub fn found_path(&self) -> Option<&Path> {
        match &self.run.outcome.as_ref()?.answer {
            Answer::Found(path) => Some(path),
            _ => None,
        }
    }

    /// What the path's cost consists of.
    pub fn path_costs(&self) -> Option<PathCosts> {
        Some(explain_path(self.document.grid(), self.found_path()?))
    }

    /// What the brush would do at the cell under the pointer; `None` if nothing is under it, or the map is too large.
    pub fn pointed(&mut self) -> Option<&Pointed> {
        let cell = self.hand.pointer.hovered?;
        let grid = self.document.grid();
        if grid.extent().cell_count() > EXPLAINED_CELLS_MAX {
            return None;
        }
        let (ink, places) = (self.hand.brush.ink, self.document.places());
        let key = (cell, ink, grid.revision(), places);
        if self.teaching.pointed.as_ref().is_none_or(|(known, _)| *known != key) {
            let is_cost = cost_brushes().any(|(_, known)| ink == Ink::Terrain(known));
            let weighted = is_cost.then(|| self.document.grid_with_costs().ok()).flatten();
            let drawn_on = weighted.as_ref().unwrap_or(grid);
            let mut batch = Batch::new();
            ink.fill(cell.into(), &mut batch);
            let effect = effect_of(drawn_on, places, cell, &batch, &mut self.teaching.scratch);
            let is_on_path = self.found_path().is_some_and(|path| path.cells().contains(&cell));
            let other = if is_on_path { best_without(grid, places, cell) } else { None };
            self.teaching.pointed = Some((key, Pointed { cell, effect, other, is_on_path }));
        }
        self.teaching.pointed.as_ref().map(|(_, pointed)| pointed)
    }

    /// The query as it can be copied; the error says why not.
    fn copied<T>(&self, make: impl FnOnce(&CopiedQuery<'_>) -> T) -> Result<T, String> {
        let movement = self.document.movement();
        let steps =
            StepCosts::new(movement.straight, movement.diagonal).map_err(|e| e.to_string())?;
        let file = self.document.file.as_ref().map(|file| file.display().to_string());
        let builtin = highroad_lab::builtin::BuiltinMap::find(&self.document.name)
            .filter(|_| !self.document.is_changed())
            .map(|builtin| format!("builtin:{}", builtin.name));
        let source = file.or(builtin).unwrap_or_else(|| "map.map".to_owned());
        Ok(make(&CopiedQuery {
            map: self.document.grid().map(),
            palette: self.document.palette(),
            source: &source,
            rule: movement.rule(),
            steps,
            // Where there is no swamp, what it would cost is left out.
            swamp: if self.document.grid().map().count(Terrain::SWAMP) > 0 {
                movement.swamp
            } else {
                1
            },
            size: movement.size,
            slopes: self.document.grid().movement().slopes(),
            planner: &self.planner.text(),
            ends: self.document.places(),
        }))
    }

    /// The query as a Rust program.
    pub fn copy_as_rust(&mut self) -> Option<String> {
        let text = self.copied(as_rust).flatten();
        self.take_copy(text, "a Rust program")
    }

    /// The query as a command. A map that is not saved is called `map.map` in it.
    pub fn copy_as_command(&mut self) -> Option<String> {
        let text = self.copied(as_command);
        let unsaved = self.document.is_changed() || self.document.file.is_none();
        let copied = self.take_copy(text, "a command")?;
        if unsaved && !copied.contains("builtin:") {
            self.say(
                "Copied as a command. Save the map first: the command reads it from its file.",
            );
        }
        Some(copied)
    }

    fn take_copy(&mut self, text: Result<String, String>, what: &str) -> Option<String> {
        match text {
            Ok(text) => {
                self.say(format!("Copied as {what}."));
                Some(text)
            }
            Err(error) => {
                self.say_error(format!("This cannot be copied: {error}."));
                None
            }
        }
    }

    /// Shows a recorded search of another program, on this map if its cells fit, else on an empty one.
    pub fn take_trace(&mut self, name: &str, trace: &ReadTrace) {
        let extent = self.document.extent();
        let fits = trace.size.0 <= extent.width() && trace.size.1 <= extent.height();
        if !fits {
            match highroad::GridMap::filled(trace.size.0, trace.size.1, Terrain::GROUND) {
                Ok(map) => {
                    let document = Document::new(name, map, MovementChoice::default(), None);
                    self.take_document(document);
                }
                Err(error) => return self.say_error(format!("{name}: {error}.")),
            }
        }
        if let (Some(start), Some(goal)) = (trace.source, trace.destination) {
            self.document.set_places((start, goal));
        }
        let unit = 2.0 * f64::from(self.document.grid().movement().steps().straight());
        self.run.stop_wanting();
        match trace.log(self.document.extent(), unit) {
            Some(log) => {
                let replay = Replay::new(self.document.extent(), log);
                let where_to = if fits { "on this map" } else { "on an empty map" };
                self.say(format!("{name}: {} events, shown {where_to}.", replay.len()));
                self.run.outcome = None;
                self.player.load(Some(replay));
            }
            None => self.say_error(format!("{name}: its cells do not fit.")),
        }
    }
}

/// Lessons.
impl MapMode {
    /// Begins a lesson.
    pub fn start_lesson(&mut self, lesson: Lesson) {
        self.start_lesson_at(lesson, 0);
    }

    /// Begins a lesson at a step, from 0; past the last one at that.
    pub fn start_lesson_at(&mut self, lesson: Lesson, step: usize) {
        self.teaching.course = Some(Course::at(lesson, step));
        // Tasks are about walls, and texts about steps: what was chosen before would be in the way.
        self.hand = Hand::default();
        self.tab = Tab::Steps;
        self.enter_step(true);
    }

    /// Ends the lesson; the map stays.
    pub fn end_lesson(&mut self) {
        self.teaching.course = None;
    }

    /// Goes to the next step of the lesson, or the one before. At the end of the last step the lesson ends.
    pub fn go_lesson(&mut self, on: bool) {
        let Some(course) = &mut self.teaching.course else { return };
        let moved = if on { course.go_on() } else { course.go_back() };
        match (moved, on) {
            (true, _) => self.enter_step(!on),
            (false, true) => {
                self.teaching.finished.push(course.lesson().title.clone());
                self.end_lesson();
            }
            (false, false) => {}
        }
    }

    /// Makes the guess that was written, or the choice of that number.
    pub fn make_guess(&mut self, guess: f64) {
        if let Some(course) = &mut self.teaching.course {
            course.make_guess(guess);
        }
    }

    /// Sets the window up for a step. `anew`: even if the step goes on with what the student has done.
    fn enter_step(&mut self, anew: bool) {
        let Some(course) = &self.teaching.course else { return };
        let (step, title) = (course.step(), course.lesson().title.clone());
        let (scene, keeps) = (step.scene.clone(), step.keeps && !anew);
        self.teaching.guess.clear();
        self.teaching.comparison = None;
        if !keeps {
            self.set_scene(title, &scene);
        }
        self.show_layers(&scene);
        self.teaching.show = Some(scene.show);
        self.find_path();
    }

    fn set_scene(&mut self, title: String, scene: &StepScene) {
        let rule = MovementRule::ALL.iter().position(|&rule| rule == scene.rule).unwrap_or(0);
        let movement = MovementChoice { rule, ..MovementChoice::default() };
        let places = Some((scene.start, scene.goal));
        match PlannerChoice::parse(&scene.planner.to_string()) {
            Ok(choice) => self.planner = choice,
            Err(error) => self.say_error(format!("{error}.")),
        }
        self.take_document(Document::new(title, scene.map.clone(), movement, places));
    }

    /// Shows the layers of a step and no other ones of planners.
    fn show_layers(&mut self, scene: &StepScene) {
        let names = planners_of_cells().flat_map(|entry| entry.layers);
        let names: Vec<&str> = names.map(|info| info.name).chain(["regions"]).collect();
        for name in names {
            self.switch_layer(name, scene.layers.iter().any(|wanted| wanted == name));
        }
    }

    /// Switches a layer on or off.
    fn switch_layer(&mut self, name: &str, on: bool) {
        let opacity = self.layers.switch(name).opacity.max(0.4);
        self.layers.set_switch(name, Switch { on, opacity });
        self.layers.regions_version += 1;
    }

    fn layer_is_on(&self, name: &str) -> bool {
        self.layers.switch(name).on
    }

    /// Does what the task of the step asks for.
    pub fn show_me(&mut self) {
        let Some(task) = self.teaching.course.as_ref().and_then(|c| c.step().task.clone()) else {
            return;
        };
        for action in &task.show_me {
            self.perform(action);
        }
    }

    fn perform(&mut self, action: &Action) {
        match action {
            Action::Start(cell) => self.move_place(End::Start, *cell),
            Action::Goal(cell) => self.move_place(End::Goal, *cell),
            Action::Planner(spec) => match PlannerChoice::parse(&spec.to_string()) {
                Ok(choice) => self.choose_planner(choice),
                Err(error) => self.say_error(format!("{error}.")),
            },
            Action::Draw(terrain, cells) => {
                if !self.can_draw(Ink::Terrain(*terrain)) {
                    return;
                }
                let mut batch = Batch::new();
                for &cell in cells {
                    batch.set(cell, *terrain);
                }
                self.edit(&batch);
            }
            Action::GoTo(position) => {
                self.player.pause();
                self.player.jump(*position);
            }
            Action::GoToPart(name) => {
                self.player.pause();
                let end = self.player.replay().and_then(|replay| end_of_part(replay, name));
                self.player.jump(end.unwrap_or(0));
            }
            Action::Layer(name) => self.switch_layer(name, true),
        }
        if !action.is_about_view() {
            self.find_path();
        }
    }

    /// Puts a new recording where the step wants it, and looks whether the task is done.
    pub(super) fn look_at_lesson(&mut self) {
        let Some(mut course) = self.teaching.course.take() else { return };
        let answered =
            self.busy().is_none() && (self.run.outcome.is_some() || self.run.trouble.is_some());
        if answered && let Some(show) = self.teaching.show.take() {
            self.player.pause();
            self.player.jump(if show == Show::Start { 0 } else { usize::MAX });
        }
        if answered
            && self.hand.pointer.gesture.is_none()
            && let Ok(spec) = self.planner.spec()
        {
            let path = self.found_path();
            let unit = self.document.grid().movement().steps().straight_steps(1).0 as f64;
            let statistics = self.run.outcome.as_ref().map(|outcome| outcome.statistics);
            let is_on = |name: &str| self.layer_is_on(name);
            course.look(&Situation {
                grid: self.document.grid(),
                start: self.document.start(),
                goal: self.document.goal(),
                planner: &spec,
                path: path.map(Path::cells),
                cost: path.map(|path| path.cost().0 as f64 / unit),
                expanded: statistics.map_or(0, |statistics| statistics.expanded),
                position: self.player.position(),
                part: self.player.replay().and_then(current_part),
                layer_is_on: &is_on,
            });
        }
        self.teaching.course = Some(course);
    }
}

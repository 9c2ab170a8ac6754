//! Runs a program on a world and compares everything with the model.

use super::check::{around_obstacles, check, check_alternatives, query, sliced};
use super::graph_model::GraphModel;
use super::grid_model::GridModel;
use super::model::{Model, Place};
use super::program::{EndRule, Following, GraphSetting, GridSetting, Question, Step, Wanted};
use highroad::catalog::Spec;
use highroad::environment::{Cost, Environment, Revision};
use highroad::grid::{Grid, KindId};
use highroad::planner::{AlternativeOptions, Answer, Cataloged, Guarantee, QueryError, Scratch};
use highroad::requests::{Budget, Reply, Request, RequestError, Ticket};
use highroad::world::{Living, PlannerId, Snapshot, WorldBuilder};
use highroad::{Path, PathWorld};
use highroad_suite::Random;
use std::collections::BTreeMap;

type Refusal<M> = <<M as Model>::World as Environment>::Refusal;
/// What an environment answers, or why it refuses.
pub(super) type Asked<E, T> = Result<T, QueryError<<E as Environment>::Refusal>>;
pub(super) type AskedOf<M, T> = Asked<<M as Model>::World, T>;

/// What was found out while a program ran: how many things were compared, or what was wrong.
pub(super) type Checked = Result<u64, String>;

/// A world and its model.
struct Run<M: Model> {
    world: PathWorld<M::World>,
    model: M,
    /// The model at each revision: a request that edits have outdated too often is answered for an older one.
    past: Past<M>,
    history: Vec<M>,
    /// What was taken back since the latest edit.
    undone: Vec<M>,
    kept: Vec<(Snapshot<M::World>, M)>,
    forks: Vec<Fork<M>>,
    waiting: Vec<(Ticket, Wanted)>,
    /// Paths that were found, and for which kind.
    found: Vec<(u16, Path<Place<M>>)>,
    /// What planners promised that others have taken the place of: they may have begun with a request.
    former: Vec<Guarantee>,
    checks: u64,
}

/// Models by the revision of the world.
type Past<M> = BTreeMap<Revision, M>;

/// A clone of a world, with what is known of it.
struct Fork<M: Model> {
    world: PathWorld<M::World>,
    model: M,
    past: Past<M>,
    history: Vec<M>,
    undone: Vec<M>,
    waiting: Vec<(Ticket, Wanted)>,
    found: Vec<(u16, Path<Place<M>>)>,
}

/// Whether a planner can be made for an environment at the beginning.
pub(super) fn served<E: Cataloged>(environment: &E, planner: &str) -> Option<Spec> {
    let spec: Spec = planner.parse().ok()?;
    spec.build(environment).ok()?;
    Some(spec)
}

fn set_up<E: Living>(builder: WorldBuilder<E>, following: Following) -> WorldBuilder<E> {
    let builder = match following.patch_limit {
        Some(changes) => builder.with_patch_limit(changes),
        None => builder,
    };
    // In lockstep, so that the same program does the same each time.
    builder.with_rest_ticks(following.rest_ticks).with_lockstep(following.lockstep.max(1))
}

/// The world of a grid, and its model.
pub(super) fn grid_world(setting: &GridSetting) -> Result<(PathWorld, GridModel), String> {
    let model = GridModel::new(setting)?;
    let [first, ..] = model.movements() else { return Err("there is no kind of agent".into()) };
    let base = Grid::new(model.map().clone(), first.clone());
    let world = PathWorld::with_movement(model.map().clone(), first.clone());
    let mut builder = WorldBuilder::from(world);
    for (number, kind) in setting.kinds.iter().enumerate() {
        let grid = base.another_kind(KindId(number as u16), model.movements()[number].clone());
        if number > 0 {
            builder = builder.with_kind(&format!("kind {number}"), grid.movement().clone());
        }
        for spec in kind.planners.iter().filter_map(|planner| served(&grid, planner)) {
            builder = builder.with_planner(spec);
        }
    }
    let world = set_up(builder, setting.following).build().map_err(|e| e.to_string())?;
    Ok((world, model))
}

/// Runs steps on a world of a grid.
pub(super) fn run_on_grid(setting: &GridSetting, steps: &[Step], done: &mut usize) -> Checked {
    let (world, model) = grid_world(setting)?;
    Run::new(world, model, setting.following).steps(steps, done)
}

/// Runs steps on a world of a graph.
pub(super) fn run_on_graph(setting: &GraphSetting, steps: &[Step], done: &mut usize) -> Checked {
    let model = GraphModel::new(setting);
    let graph = model.graph()?;
    let mut builder = WorldBuilder::from(PathWorld::on(graph.clone()));
    for spec in setting.planners.iter().filter_map(|planner| served(&graph, planner)) {
        builder = builder.with_planner(spec);
    }
    let world = set_up(builder, setting.following).build().map_err(|e| e.to_string())?;
    Run::new(world, model, setting.following).steps(steps, done)
}

impl<M: Model> Run<M> {
    fn new(mut world: PathWorld<M::World>, model: M, following: Following) -> Self {
        world.share_fields_from(following.share_from);
        Self {
            world,
            model,
            past: Past::new(),
            history: Vec::new(),
            undone: Vec::new(),
            kept: Vec::new(),
            forks: Vec::new(),
            waiting: Vec::new(),
            found: Vec::new(),
            former: Vec::new(),
            checks: 0,
        }
    }

    fn steps(mut self, steps: &[Step], done: &mut usize) -> Checked {
        for (number, step) in steps.iter().enumerate() {
            *done = number;
            self.step(step)?;
        }
        // Everything that waits is answered in the end.
        *done = steps.len();
        for _ in 0..1000 {
            if self.waiting.is_empty() {
                break;
            }
            self.tick(u64::MAX)?;
        }
        self.expect(self.waiting.is_empty(), || "a request is never answered".to_owned())?;
        self.world.finish_rebuilds();
        self.verify()?;
        Ok(self.checks)
    }

    fn expect(&mut self, holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
        self.checks += 1;
        if holds { Ok(()) } else { Err(problem()) }
    }

    fn places(&self, numbers: &[u32]) -> Vec<Place<M>> {
        numbers.iter().map(|&number| self.model.place(number)).collect()
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Edit(edits) => {
                let before = self.model.clone();
                let revision = self.world.revision();
                let fits = self.model.apply(edits);
                let made = self.world.apply(&before.batch(edits));
                self.expect(made.is_ok() == fits, || {
                    format!(
                        "the edit should be {}: {made:?}",
                        if fits { "made" } else { "refused" }
                    )
                })?;
                if self.world.revision() != revision {
                    self.history.push(before);
                    self.undone.clear();
                }
                self.compare()?;
            }
            Step::Undo => {
                let undone = self.world.undo();
                let before = self.history.pop();
                self.expect(undone.is_some() == before.is_some(), || format!("undo: {undone:?}"))?;
                if let Some(before) = before {
                    self.undone.push(std::mem::replace(&mut self.model, before));
                }
                self.compare()?;
            }
            Step::Redo => {
                let redone = self.world.redo();
                let again = self.undone.pop();
                self.expect(redone.is_some() == again.is_some(), || format!("redo: {redone:?}"))?;
                if let Some(again) = again {
                    self.history.push(std::mem::replace(&mut self.model, again));
                }
                self.compare()?;
            }
            Step::Ask(question) => {
                let answer = self.ask(question, None);
                if let Ok(Answer::Found(path)) = &answer {
                    self.found.push((question.kind, path.clone()));
                }
                let model = self.model.clone();
                let guarantees = self.guarantees(question.kind);
                self.checks += check(&model, question, answer, &guarantees, false)?;
            }
            Step::AskWithin(question, expansions) => {
                let answer = self.ask(question, Some(*expansions));
                let model = self.model.clone();
                let guarantees = self.guarantees(question.kind);
                self.checks += check(&model, question, answer, &guarantees, true)?;
            }
            Step::AskInSlices(question, planner, slices) => {
                self.ask_in_slices(question, *planner, slices)?;
            }
            Step::Alternatives(question, count, margin) => {
                self.alternatives(question, *count, *margin)?;
            }
            Step::Nearest(question) => {
                let (starts, goals) = (self.places(&question.starts), self.places(&question.goals));
                let Some(mut view) = self.world.of(KindId(question.kind)) else { return Ok(()) };
                let found = view.find_nearest(starts[0], &goals);
                drop(view);
                let guarantees = self.guarantees(question.kind);
                self.check_nearest(&plain(question, question.starts[0]), found, &guarantees)?;
            }
            Step::Each(question) => {
                let (starts, goals) = (self.places(&question.starts), self.places(&question.goals));
                let Some(mut view) = self.world.of(KindId(question.kind)) else { return Ok(()) };
                let found = view.find_each(starts[0], &goals);
                drop(view);
                self.check_each(question, found)?;
            }
            Step::Range(question, cost) => {
                let starts = self.places(&question.starts);
                let Some(mut view) = self.world.of(KindId(question.kind)) else { return Ok(()) };
                let found = view.range(starts[0], Cost(*cost));
                drop(view);
                self.check_range(question, *cost, found)?;
            }
            Step::Reachable(question) => {
                let (from, to) =
                    (self.model.place(question.starts[0]), self.model.place(question.goals[0]));
                let says = self.world.is_reachable(KindId(question.kind), from, to);
                let known = question.kind < self.model.kinds()
                    && self.model.may_stand(question.kind, from)
                    && self.model.may_stand(question.kind, to)
                    && self.model.distances(question.kind, &[from]).contains_key(&to);
                self.expect(says == known, || format!("is_reachable says {says}"))?;
            }
            Step::Request(wanted, priority, leg) => {
                let request = self.request(wanted).with_priority(*priority);
                let request = match leg {
                    Some(steps) => request.with_first_leg(*steps),
                    None => request,
                };
                let ticket = self.world.request(request);
                self.waiting.push((ticket, wanted.clone()));
            }
            Step::Cancel(number) => {
                if *number < self.waiting.len() {
                    let (ticket, _) = self.waiting.remove(*number);
                    let cancelled = self.world.cancel(ticket);
                    self.expect(cancelled, || "a request that waits cannot be cancelled".into())?;
                    let reply = self.world.poll(ticket);
                    let unknown = matches!(reply, Reply::Failed(RequestError::Unknown));
                    self.expect(unknown, || "a cancelled request has a reply".into())?;
                }
            }
            Step::Tick(expansions) => self.tick(*expansions)?,
            Step::Keep => self.kept.push((self.world.snapshot(), self.model.clone())),
            Step::Drop(number) => {
                if *number < self.kept.len() {
                    self.kept.remove(*number);
                }
            }
            Step::AskKept(number, question) => {
                let Some((snapshot, model)) = self.kept.get(*number) else { return Ok(()) };
                let Some(mut view) = snapshot.of(KindId(question.kind)) else { return Ok(()) };
                let answer = view.answer(&query(model, question, None));
                // A snapshot does not say which of its planners has answered: the promise is not checked.
                self.checks += check(model, question, answer, &[Guarantee::None], false)?;
            }
            Step::AskManyKept(number, questions) => self.ask_many(*number, questions)?,
            Step::StillValid(number) => {
                let Some((kind, path)) = self.found.iter().rev().nth(*number) else {
                    return Ok(());
                };
                let says = self.world.still_valid_for(KindId(*kind), path);
                let cost = self.model.walk(*kind, path.places());
                let (cost, known) = (path.cost(), cost == Some(path.cost().0));
                self.expect(says == known, || format!("still_valid says {says} of cost {cost}"))?;
            }
            Step::Rebuild(number) => {
                if let Some(id) = self.planner(*number) {
                    self.world.rebuild(id);
                }
            }
            Step::Stop(number) => {
                if let Some(id) = self.planner(*number) {
                    self.world.stop_rebuild(id);
                }
            }
            Step::AddPlanner(kind, planner) => {
                if let Ok(spec) = planner.parse::<Spec>() {
                    let known = *kind < self.model.kinds();
                    let added = self.world.add_planner(KindId(*kind), spec);
                    self.expect(added.is_some() == known, || format!("added: {added:?}"))?;
                }
            }
            Step::ReplacePlanner(number, planner) => {
                if let (Some(id), Ok(spec)) = (self.planner(*number), planner.parse::<Spec>()) {
                    self.former.extend(self.world.guarantee(id));
                    let replaced = self.world.replace_planner(id, spec);
                    self.expect(replaced, || "a planner cannot be replaced".to_owned())?;
                }
            }
            Step::Finish => self.world.finish_rebuilds(),
            Step::Verify => self.verify()?,
            Step::Reload => {
                let bytes = self.world.save();
                self.world = PathWorld::load(&bytes).map_err(|error| format!("load: {error}"))?;
                self.compare()?;
            }
            Step::Fork => self.forks.push(Fork {
                world: self.world.clone(),
                model: self.model.clone(),
                past: self.past.clone(),
                history: self.history.clone(),
                undone: self.undone.clone(),
                waiting: self.waiting.clone(),
                found: self.found.clone(),
            }),
            Step::Return(number) => {
                if *number < self.forks.len() {
                    let Fork { world, model, past, history, undone, waiting, found } =
                        self.forks.remove(*number);
                    self.world = world;
                    self.model = model;
                    self.past = past;
                    self.history = history;
                    self.undone = undone;
                    self.waiting = waiting;
                    self.found = found;
                    self.compare()?;
                }
            }
            Step::Agent(_)
            | Step::AgentWith(..)
            | Step::Send(..)
            | Step::RemoveAgents
            | Step::Obstacle(_) => {}
        }
        Ok(())
    }

    fn compare(&mut self) -> Result<(), String> {
        self.checks += 1;
        self.model.compare(&self.world)
    }

    /// The planner with a number, over all kinds.
    fn planner(&self, number: usize) -> Option<PlannerId> {
        let kinds = 0..self.model.kinds();
        kinds.flat_map(|kind| self.world.planners_of(KindId(kind))).nth(number)
    }

    fn guarantees(&self, kind: u16) -> Vec<Guarantee> {
        let planners = self.world.planners_of(KindId(kind));
        planners.filter_map(|planner| self.world.guarantee(planner)).collect()
    }

    /// What the planner may have promised that has answered a request: one that is not ready now, if the reply is
    /// `outdated`, or one that another has taken the place of since.
    fn guarantees_of_reply(&self, kind: u16, outdated: bool) -> Vec<Guarantee> {
        let promise = |planner| self.world.guarantee(planner).unwrap_or(Guarantee::None);
        let mut guarantees = match outdated {
            true => self.world.planners_of(KindId(kind)).map(promise).collect(),
            false => self.guarantees(kind),
        };
        guarantees.extend(self.former.iter().copied());
        guarantees
    }

    fn ask(
        &mut self,
        question: &Question,
        expansions: Option<u64>,
    ) -> AskedOf<M, Answer<Place<M>>> {
        let query = query(&self.model, question, expansions);
        match self.world.of(KindId(question.kind)) {
            Some(mut view) => view.answer(&query),
            None => Err(QueryError::Stale),
        }
    }

    fn alternatives(&mut self, question: &Question, count: u32, margin: u32) -> Result<(), String> {
        let options = AlternativeOptions::default().with_count(count).with_margin(margin);
        let [start, goal] =
            [question.starts[0], question.goals[0]].map(|number| self.model.place(number));
        let Some(mut view) = self.world.of(KindId(question.kind)) else { return Ok(()) };
        let found = view.find_alternatives(start, goal, &options);
        drop(view);
        self.checks += check_alternatives(&self.model, question, options, found)?;
        Ok(())
    }

    fn ask_many(&mut self, number: usize, questions: &[Question]) -> Result<(), String> {
        let Some((snapshot, model)) = self.kept.get(number) else { return Ok(()) };
        let of_default = |question: &Question| Question { kind: 0, ..question.clone() };
        let questions: Vec<Question> = questions.iter().map(of_default).collect();
        let queries: Vec<_> =
            questions.iter().map(|question| query(model, question, None)).collect();
        let answers = snapshot.answer_many(&queries);
        if answers.len() != queries.len() {
            return Err(format!("{} answers to {} queries", answers.len(), queries.len()));
        }
        for (question, answer) in questions.iter().zip(answers) {
            self.checks += check(model, question, answer, &[Guarantee::None], false)?;
        }
        Ok(())
    }

    /// Asks one planner in slices, and again at once: both answers must be the same.
    fn ask_in_slices(
        &mut self,
        question: &Question,
        number: usize,
        slices: &[u64],
    ) -> Result<(), String> {
        self.world.take_over();
        let Some(id) = self.planner(number) else { return Ok(()) };
        let kinds = (0..self.model.kinds()).map(KindId);
        let owner = kinds.into_iter().find(|&kind| self.world.planners_of(kind).any(|of| of == id));
        let (Some(planner), Some(kind)) = (self.world.planner(id), owner) else { return Ok(()) };
        let Some(environment) = self.world.environment_of(kind) else { return Ok(()) };
        let question = Question { kind: kind.0, ..question.clone() };
        let query = query(&self.model, &question, None);
        let mut scratch = Scratch::new();
        let whole = planner.solve(environment, &query, &mut scratch);
        let mut random = Random::new(slices.iter().sum());
        let sliced = sliced(planner, environment, &query, &mut scratch, || {
            if slices.is_empty() { 1 } else { random.pick(slices) }
        })?;
        let guarantee = planner.guarantee(environment);
        let same = whole == sliced;
        self.checks += check(&self.model, &question, whole, &[guarantee], false)?;
        self.expect(same, || "in slices the answer is another".to_owned())
    }

    fn request(&self, wanted: &Wanted) -> Request<Place<M>> {
        let start = |question: &Question| self.model.place(question.starts[0]);
        let (request, question) = match wanted {
            Wanted::Path(question) => (Request::from(query(&self.model, question, None)), question),
            Wanted::Nearest(question) => {
                (Request::nearest(start(question), self.places(&question.goals)), question)
            }
            Wanted::Each(question) => {
                (Request::each(start(question), self.places(&question.goals)), question)
            }
            Wanted::Range(question, cost) => {
                (Request::range(start(question), Cost(*cost)), question)
            }
        };
        request.with_kind(KindId(question.kind))
    }

    fn tick(&mut self, expansions: u64) -> Result<(), String> {
        self.past.insert(self.world.revision(), self.model.clone());
        let report = self.world.tick(Budget::expansions(expansions));
        let mut still = Vec::new();
        for (ticket, wanted) in std::mem::take(&mut self.waiting) {
            match self.world.poll(ticket) {
                Reply::Pending => still.push((ticket, wanted)),
                Reply::Leg(leg) => {
                    let walked = |here: &M, question: &Question| {
                        Some(here.walk(question.kind, leg.places()))
                    };
                    let cost = match &wanted {
                        Wanted::Path(question) => {
                            walked(&around_obstacles(&self.model, question), question)
                        }
                        // Requests for the nearest of several goals have no obstacles.
                        Wanted::Nearest(question) => walked(&self.model, question),
                        Wanted::Each(_) | Wanted::Range(..) => None,
                    };
                    if let Some(cost) = cost {
                        self.expect(cost == Some(leg.cost().0), || {
                            format!("a leg costs {}, the model says {cost:?}", leg.cost())
                        })?;
                    }
                    still.push((ticket, wanted));
                }
                reply => self.check_dated(&wanted, reply)?,
            }
        }
        self.waiting = still;
        if self.waiting.is_empty() {
            self.past.clear();
        }
        let waiting = self.waiting.len();
        self.expect(report.waiting == waiting, || {
            format!("{} requests wait, the report says {}", waiting, report.waiting)
        })
    }

    /// Checks a reply by the model of the revision that it is of.
    fn check_dated(
        &mut self,
        wanted: &Wanted,
        reply: Reply<Place<M>, Refusal<M>>,
    ) -> Result<(), String> {
        let now = self.world.revision();
        let (one, many) = match &reply {
            Reply::Ready(path) | Reply::Unreachable(path) | Reply::GaveUp(path) => {
                (Some(path), None)
            }
            Reply::Each(paths) => (None, Some(paths)),
            _ => (None, None),
        };
        if let (Reply::GaveUp(path), Wanted::Path(question) | Wanted::Nearest(question)) =
            (&reply, wanted)
        {
            // Its paths could not be walked any more, time after time: what is left can be.
            let cost = self.model.walk(question.kind, path.places());
            let starts = self.places(&question.starts);
            return self.expect(
                path.revision() == now
                    && cost == Some(path.cost().0)
                    && starts.contains(&path.start()),
                || format!("the part that can be walked costs {}, not {cost:?}", path.cost()),
            );
        }
        if let (Some(path), Wanted::Path(question) | Wanted::Nearest(question)) = (one, wanted) {
            let cost = self.model.walk(question.kind, path.places());
            self.expect(cost.is_some(), || "a path that cannot be walked now".to_owned())?;
        }
        let path = one.or_else(|| many.and_then(|paths| paths.iter().flatten().next()));
        let revision = match (path, many) {
            (Some(path), _) => Some(path.revision()),
            (None, None) if !matches!(reply, Reply::Range(_)) => Some(now),
            // Neither a range nor paths that do not exist say which revision they are of.
            (None, _) => None,
        };
        let mut wrong = Err("it is of a revision that the request never saw".to_owned());
        let past: Vec<Revision> = match revision {
            Some(revision) => vec![revision],
            None => self.past.keys().rev().copied().collect(),
        };
        for revision in past {
            let Some(then) = self.past.get(&revision).cloned() else { continue };
            let present = std::mem::replace(&mut self.model, then);
            wrong = self.check_reply(wanted, reply.clone(), revision < now);
            self.model = present;
            if wrong.is_ok() {
                break;
            }
        }
        wrong
    }

    fn check_reply(
        &mut self,
        wanted: &Wanted,
        reply: Reply<Place<M>, Refusal<M>>,
        outdated: bool,
    ) -> Result<(), String> {
        let question = match wanted {
            Wanted::Path(question)
            | Wanted::Nearest(question)
            | Wanted::Each(question)
            | Wanted::Range(question, _) => question,
        };
        if let Reply::Failed(RequestError::NoSuchKind(_)) = reply {
            let unknown = question.kind >= self.model.kinds();
            return self.expect(unknown, || "the kind exists".to_owned());
        }
        let refused = match &reply {
            Reply::Failed(RequestError::Query(error)) => Some(error.clone()),
            Reply::Failed(error) => return Err(format!("{error}")),
            _ => None,
        };
        let unexpected = || Err("the reply is not of the kind asked for".to_owned());
        match wanted {
            Wanted::Path(question) => {
                let answer = match (reply, refused) {
                    (Reply::Ready(path), _) => Ok(Answer::Found(path)),
                    (Reply::Unreachable(nearest), _) => Ok(Answer::Unreachable { nearest }),
                    (_, Some(error)) => Err(error),
                    _ => return unexpected(),
                };
                let guarantees = self.guarantees_of_reply(question.kind, outdated);
                self.checks += check(&self.model, question, answer, &guarantees, false)?;
                Ok(())
            }
            Wanted::Nearest(question) => {
                let found = match (reply, refused) {
                    (Reply::Ready(path), _) => Ok(Some(path)),
                    (Reply::Unreachable(_), _) => Ok(None),
                    (_, Some(error)) => Err(error),
                    _ => return unexpected(),
                };
                let question = plain(question, question.starts[0]);
                let guarantees = self.guarantees_of_reply(question.kind, outdated);
                self.check_nearest(&question, found, &guarantees)
            }
            Wanted::Each(question) => {
                let found = match (reply, refused) {
                    (Reply::Each(paths), _) => Ok(paths),
                    (_, Some(error)) => Err(error),
                    _ => return unexpected(),
                };
                self.check_each(question, found)
            }
            Wanted::Range(question, cost) => {
                let found = match (reply, refused) {
                    (Reply::Range(places), _) => Ok(places),
                    (_, Some(error)) => Err(error),
                    _ => return unexpected(),
                };
                self.check_range(question, *cost, found)
            }
        }
    }

    fn check_nearest(
        &mut self,
        question: &Question,
        found: AskedOf<M, Option<Path<Place<M>>>>,
        guarantees: &[Guarantee],
    ) -> Result<(), String> {
        let standing =
            |&number: &u32| self.model.may_stand(question.kind, self.model.place(number));
        let goals: Vec<u32> = question.goals.iter().copied().filter(standing).collect();
        let open = if goals.is_empty() { question.goals.clone() } else { goals };
        let question = Question { goals: open, ..question.clone() };
        let answer = match found {
            Ok(Some(path)) => Ok(Answer::Found(path)),
            Err(error) => Err(error),
            Ok(None) => {
                let starts = self.places(&question.starts);
                let goals = self.places(&question.goals);
                let distances = self.model.distances(question.kind, &starts);
                let none = goals.iter().all(|goal| !distances.contains_key(goal));
                return self.expect(none, || "a goal can be reached, but no path is found".into());
            }
        };
        self.checks += check(&self.model, &question, answer, guarantees, false)?;
        Ok(())
    }

    fn check_each(
        &mut self,
        question: &Question,
        found: AskedOf<M, Vec<Option<Path<Place<M>>>>>,
    ) -> Result<(), String> {
        let start = self.model.place(question.starts[0]);
        let goals = self.places(&question.goals);
        let allowed = self.model.may_stand(question.kind, start);
        self.expect(found.is_ok() == allowed, || {
            format!("each: the start is {}", if allowed { "allowed" } else { "not allowed" })
        })?;
        let Ok(paths) = found else { return Ok(()) };
        self.expect(paths.len() == goals.len(), || "each: one reply a goal".to_owned())?;
        let distances = self.model.distances(question.kind, &[start]);
        for (path, goal) in paths.iter().zip(goals) {
            let cost = path.as_ref().map(|path| path.cost().0);
            let best = distances.get(&goal).copied();
            self.expect(cost == best, || format!("each: {goal} costs {cost:?}, not {best:?}"))?;
            if let Some(path) = path {
                let walked = self.model.walk(question.kind, path.places());
                let ends = (path.start(), path.goal()) == (start, goal);
                self.expect(walked == cost && ends, || format!("each: the path to {goal}"))?;
            }
        }
        Ok(())
    }

    fn check_range(
        &mut self,
        question: &Question,
        cost_max: u64,
        found: AskedOf<M, Vec<(Place<M>, Cost)>>,
    ) -> Result<(), String> {
        let start = self.model.place(question.starts[0]);
        let allowed = self.model.may_stand(question.kind, start);
        self.expect(found.is_ok() == allowed, || {
            format!("range: the start is {}", if allowed { "allowed" } else { "not allowed" })
        })?;
        let Ok(places) = found else { return Ok(()) };
        let mut distances = self.model.distances(question.kind, &[start]);
        distances.retain(|_, distance| *distance <= cost_max);
        self.expect(places.len() == distances.len(), || {
            format!("range: {} places instead of {}", places.len(), distances.len())
        })?;
        let wrong = places.iter().find(|(place, cost)| distances.get(place) != Some(&cost.0));
        self.expect(wrong.is_none(), || format!("range: {wrong:?}"))
    }

    fn verify(&mut self) -> Result<(), String> {
        for kind in (0..self.model.kinds()).map(KindId) {
            let Some(environment) = self.world.environment_of(kind) else { continue };
            for id in self.world.planners_of(kind) {
                self.checks += 1;
                if let Some(planner) = self.world.planner(id) {
                    planner.verify(environment).map_err(|fault| format!("{kind}: {fault}"))?;
                }
            }
        }
        Ok(())
    }
}

/// The same question from one start, by the usual rule and without obstacles.
fn plain(question: &Question, start: u32) -> Question {
    let Question { kind, goals, .. } = question.clone();
    Question { kind, goals, starts: vec![start], rule: EndRule::Exact, obstacles: Vec::new() }
}

//! Programs on meshes without a world: obstacles come and go, planners are asked as a whole, in slices and within limits,
//! several searches are under way at once, and planners are rebuilt and duplicated. The model is that of the suite: Dijkstra's
//! algorithm over the corners of squares that see each other.

use super::check::sliced;
use super::program::{EndRule, MeshSetting, Question, Step, Wanted};
use super::world::{Checked, served};
use highroad::Path;
use highroad::catalog::Spec;
use highroad::mesh::{Mesh, MeshPoint};
use highroad::planner::{
    Answer, CatchUp, Guarantee, PathQuery, Planner, Progress, QueryError, Scratch,
};
use highroad::search::Limits;
use highroad_suite::{SquareMesh, query_between};

/// Lengths that differ by less are equal: coordinates are rounded.
const SLACK: f64 = 1e-9;

/// The most searches that one query takes, one after another.
const SEARCHES_MAX: usize = 8;

/// What a planner of meshes answers, or why it refuses.
type Asked =
    Result<Answer<MeshPoint>, QueryError<<Mesh as highroad::environment::Environment>::Refusal>>;

/// A search that has begun.
struct Search {
    question: Question,
    planner: usize,
    scratch: Scratch,
}

struct Run {
    ground: SquareMesh,
    /// Whether polygons are squares: then the model knows what an obstacle blocks.
    of_squares: bool,
    /// Whether coordinates are not rounded: then the model knows which point is nearest.
    is_exact: bool,
    planners: Vec<(Spec, Box<dyn Planner<Mesh>>)>,
    under_way: Vec<Search>,
    scratch: Scratch,
    checks: u64,
}

/// Runs steps on a mesh.
pub(super) fn run_on_mesh(setting: &MeshSetting, steps: &[Step], done: &mut usize) -> Checked {
    let MeshSetting { rows, turn, form, seed, planners } = setting;
    let ground = SquareMesh::new(rows, *turn, *form, *seed).ok_or("there is no free square")?;
    let (under_way, scratch) = (Vec::new(), Scratch::new());
    let (of_squares, is_exact) = (*form % 3 == 2, *turn % 3 == 0);
    let planned = Vec::new();
    let mut run =
        Run { ground, of_squares, is_exact, planners: planned, under_way, scratch, checks: 0 };
    // The exact search is there in any case.
    for planner in std::iter::once("any-angle").chain(planners.iter().map(String::as_str)) {
        run.add(planner, None);
    }
    for (number, step) in steps.iter().enumerate() {
        *done = number;
        run.step(step)?;
    }
    *done = steps.len();
    for _ in 0..SEARCHES_MAX {
        run.advance(u64::MAX)?;
    }
    match run.under_way.is_empty() {
        true => Ok(run.checks),
        false => Err("a search does not end".to_owned()),
    }
}

impl Run {
    /// Adds a planner if it serves meshes, or puts it in the place of another.
    fn add(&mut self, planner: &str, place: Option<usize>) {
        let Some(spec) = served(&self.ground.mesh, planner) else { return };
        let Ok(planner) = spec.build(&self.ground.mesh) else { return };
        match place {
            // What is under way with the one before cannot go on.
            Some(place) => {
                self.under_way.retain(|search| search.planner != place);
                self.planners[place] = (spec, planner);
            }
            None => self.planners.push((spec, planner)),
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Ask(question) => self.ask(question, None),
            Step::AskWithin(question, expansions) => self.ask(question, Some(*expansions)),
            Step::AskInSlices(question, planner, slices) => {
                let (number, question) = (planner % self.planners.len(), &self.known(question));
                let (query, mut turn) = (self.query(question, None), 0);
                let (mesh, planner) = (&self.ground.mesh, &*self.planners[number].1);
                let answer = sliced(planner, mesh, &query, &mut self.scratch, || {
                    turn += 1;
                    slices[turn % slices.len()]
                })?;
                self.check(question, number, answer, false)
            }
            Step::Request(wanted, priority, _) => {
                let (Wanted::Path(question)
                | Wanted::Nearest(question)
                | Wanted::Each(question)
                | Wanted::Range(question, _)) = wanted;
                self.begin(question, usize::from(*priority) % self.planners.len())
            }
            Step::Obstacle(number) => self.put_or_take_obstacle(*number),
            Step::Cancel(number) => {
                if *number < self.under_way.len() {
                    self.under_way.remove(*number);
                }
                Ok(())
            }
            Step::Tick(expansions) => self.advance(*expansions),
            Step::AddPlanner(_, planner) => {
                self.add(planner, None);
                Ok(())
            }
            Step::ReplacePlanner(number, planner) => {
                let place = number % self.planners.len();
                self.add(planner, Some(place));
                Ok(())
            }
            Step::Rebuild(number) => {
                let place = number % self.planners.len();
                let spec = self.planners[place].0.to_string();
                self.add(&spec, Some(place));
                Ok(())
            }
            Step::Fork => {
                // Copies go on in the place of the originals.
                for (_, planner) in &mut self.planners {
                    if let Some(copy) = planner.duplicate() {
                        *planner = copy;
                    }
                }
                self.under_way.clear();
                Ok(())
            }
            Step::Verify => {
                for (spec, planner) in &self.planners {
                    let found = planner.verify(&self.ground.mesh);
                    found.map_err(|fault| format!("{spec}: {fault}"))?;
                    self.checks += 1;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Lets an obstacle come or go. Planners follow, or are built again; searches under way are of the mesh before.
    fn put_or_take_obstacle(&mut self, number: u32) -> Result<(), String> {
        let Some(changes) = self.ground.put_or_take_obstacle(number) else { return Ok(()) };
        for search in &mut self.under_way {
            let planner = &self.planners[search.planner].1;
            let progress = planner.advance(&self.ground.mesh, &mut search.scratch, 1);
            if progress != Progress::Stale {
                return Err(format!("a query goes on after an edit: {progress:?}"));
            }
        }
        self.under_way.clear();
        for (spec, planner) in &mut self.planners {
            match planner.catch_up(&self.ground.mesh, &changes, &mut self.scratch) {
                CatchUp::Done => {}
                CatchUp::NeedsRebuild => {
                    *planner = spec.build(&self.ground.mesh).map_err(|error| error.to_string())?;
                }
                other => return Err(format!("{spec} does not follow an obstacle: {other:?}")),
            }
        }
        self.checks += 1;
        Ok(())
    }

    /// A question as far as the model can answer it.
    fn known(&self, question: &Question) -> Question {
        let mut question = question.clone();
        if !self.is_exact {
            question.rule = EndRule::Exact;
        }
        // An end on an edge may be rounded into the square on either side, and only one of them may be blocked.
        let inside = |&number: &u32| self.ground.lies_inside(number);
        let ends_known = self.is_exact || question.starts.iter().chain(&question.goals).all(inside);
        // Around obstacles polygons are no squares.
        let is_plain = self.ground.mesh.obstacles().count() == 0;
        let is_known = |number: &u32| self.of_squares && is_plain && ends_known && inside(number);
        question.obstacles.retain(is_known);
        question
    }

    fn query(&self, question: &Question, expansions: Option<u64>) -> PathQuery<MeshPoint> {
        let points = |numbers: &[u32]| {
            numbers.iter().map(|&number| self.ground.point_of(number)).collect::<Vec<_>>()
        };
        let query = query_between(&points(&question.starts), &points(&question.goals));
        let query = query.with_goal_rule(question.rule.into());
        let query = query.with_obstacles(points(&question.obstacles));
        match expansions {
            Some(most) => query.with_limits(Limits::default().with_expansions_max(most)),
            None => query,
        }
    }

    /// Asks every planner.
    fn ask(&mut self, question: &Question, expansions: Option<u64>) -> Result<(), String> {
        let question = &self.known(question);
        let query = self.query(question, expansions);
        for number in 0..self.planners.len() {
            let planner = &self.planners[number].1;
            let answer = planner.solve(&self.ground.mesh, &query, &mut self.scratch);
            self.check(question, number, answer, expansions.is_some())?;
        }
        Ok(())
    }

    fn begin(&mut self, question: &Question, planner: usize) -> Result<(), String> {
        let question = &self.known(question);
        let (query, mut scratch) = (self.query(question, None), Scratch::new());
        match self.planners[planner].1.begin(&self.ground.mesh, &query, &mut scratch) {
            Ok(()) => {
                self.under_way.push(Search { question: question.clone(), planner, scratch });
                Ok(())
            }
            Err(error) => self.check(question, planner, Err(error), false),
        }
    }

    /// Goes on with all searches that have begun.
    fn advance(&mut self, expansions: u64) -> Result<(), String> {
        for mut search in std::mem::take(&mut self.under_way) {
            let planner = &self.planners[search.planner].1;
            match planner.advance(&self.ground.mesh, &mut search.scratch, expansions) {
                Progress::Running | Progress::Leg(_) => self.under_way.push(search),
                Progress::Done(answer) => {
                    self.check(&search.question, search.planner, Ok(answer), false)?;
                }
                Progress::Stale => return Err("a query is stale without an edit".to_owned()),
            }
        }
        Ok(())
    }

    /// Compares an answer with the model.
    fn check(
        &mut self,
        question: &Question,
        planner: usize,
        answer: Asked,
        limited: bool,
    ) -> Result<(), String> {
        let (spec, planner) = &self.planners[planner];
        let guarantee = planner.guarantee(&self.ground.mesh);
        let compared = compare(&self.ground, question, guarantee, answer, limited);
        self.checks += compared.map_err(|problem| format!("{spec}: {problem}"))?;
        Ok(())
    }
}

/// Compares an answer with the model: with the ground, and with what obstacles leave of it.
fn compare(
    ground: &SquareMesh,
    question: &Question,
    guarantee: Guarantee,
    answer: Asked,
    limited: bool,
) -> Checked {
    let starts = &question.starts;
    // What stands in a square of a start does not count.
    let mut obstacles = question.obstacles.clone();
    obstacles.retain(|&obstacle| !starts.iter().any(|&start| ground.share_square(start, obstacle)));
    let varied = if obstacles.is_empty() { None } else { ground.blocking(&obstacles) };
    let here = match (&varied, obstacles.is_empty()) {
        (Some(varied), _) => varied,
        (None, true) => ground,
        (None, false) => return answer.map_or(Ok(1), |_| Err("an answer without ground".into())),
    };
    let goals = if question.rule == EndRule::Exact { &question.goals[..] } else { &[] };
    let ends = || starts.iter().chain(goals);
    let answer = match answer {
        Ok(_) if ends().any(|&end| here.lies_on_ground(end) == Some(false)) => {
            return Err("an answer, though an end is blocked".to_owned());
        }
        Ok(answer) => answer,
        // What lies on an outline may be rounded off it.
        Err(QueryError::Refused { .. })
            if !ends().all(|&end| here.lies_on_ground(end) == Some(true)) =>
        {
            return Ok(1);
        }
        Err(error) => return Err(format!("refused: {error}")),
    };
    let walked = |path: &Path<MeshPoint>| {
        path.validate(&ground.mesh).map_err(|fault| fault.to_string())?;
        // The model is less exact than the mesh where an end lies on an outline, as near as rounding.
        let is_exact = ends().all(|&end| here.lies_on_ground(end) == Some(true));
        if (varied.is_some() || is_exact) && !here.can_walk(path.places()) {
            return Err(format!("the path {:?} cannot be walked", path.places()));
        }
        match starts.iter().any(|&start| ground.point_of(start) == path.start()) {
            true => Ok(()),
            false => Err(format!("the path starts at {}", path.start())),
        }
    };
    if let (Answer::LimitReached { nearest }, true) = (&answer, limited) {
        return walked(nearest).map(|()| 1);
    }
    match &answer {
        Answer::Found(path) | Answer::Unreachable { nearest: path } => walked(path)?,
        Answer::LimitReached { .. } => return Err("a limit without one".to_owned()),
    }
    let model = Aimed { here, mesh: &ground.mesh, question, guarantee };
    model.check(&answer).map(|()| 3)
}

/// What the model knows of where a path may end.
struct Aimed<'a> {
    here: &'a SquareMesh,
    mesh: &'a Mesh,
    question: &'a Question,
    guarantee: Guarantee,
}

impl Aimed<'_> {
    fn check(&self, answer: &Answer<MeshPoint>) -> Result<(), String> {
        let Question { starts, goals, rule, .. } = self.question;
        let on_ground = |&goal: &u32| self.here.lies_on_ground(goal) != Some(false);
        let open: Vec<u32> = goals.iter().copied().filter(on_ground).collect();
        let best = self.here.shortest_between(starts, &open);
        let is_goal = |place: MeshPoint| goals.iter().any(|&at| self.here.point_of(at) == place);
        match (answer, best, rule) {
            (Answer::Found(path), Some(best), _) if is_goal(path.goal()) => {
                // Places next to blocked goals may be nearer than goals that are free.
                let exact = *rule != EndRule::Adjacent || open.len() == goals.len();
                self.check_length(path, if exact { Some(best) } else { None })
            }
            (Answer::Found(path), _, EndRule::Adjacent) => {
                let away = self.away(path.goal());
                let is_near = |goal: &u32| {
                    let nearest = self.here.remoteness_of_ground(*goal);
                    let away = self.mesh.length(&[path.goal(), self.here.point_of(*goal)]);
                    nearest.is_some_and(|nearest| (away - nearest).abs() < SLACK)
                };
                match goals.iter().any(is_near) {
                    true => self.check_length(path, self.here.shortest_to(starts, path.goal())),
                    false => Err(format!("the path ends {away} away from the goals")),
                }
            }
            (Answer::Unreachable { .. }, None, EndRule::Exact | EndRule::Adjacent) => Ok(()),
            (Answer::Unreachable { nearest }, None, EndRule::Nearest) => {
                let (found, least) =
                    (self.away(nearest.goal()), self.here.remoteness(starts, goals));
                match least.is_some_and(|least| (found - least).abs() < SLACK) {
                    true => Ok(()),
                    false => Err(format!("the nearest is {found} away, another {least:?}")),
                }
            }
            _ => Err(format!("the model says {best:?}, the answer is {answer:?}")),
        }
    }

    /// How far a place is from the nearest goal.
    fn away(&self, place: MeshPoint) -> f64 {
        let goals = self.question.goals.iter();
        let away = goals.map(|&goal| self.mesh.length(&[place, self.here.point_of(goal)]));
        away.fold(f64::INFINITY, f64::min)
    }

    /// Whether a path is as short as its planner promises.
    fn check_length(&self, path: &Path<MeshPoint>, best: Option<f64>) -> Result<(), String> {
        let Some(best) = best else { return Ok(()) };
        let (length, slack) = (self.mesh.length(path.places()), SLACK * (1.0 + best));
        let too_long = self.guarantee == Guarantee::Optimal && length > best + slack;
        match length < best - slack || too_long {
            true => Err(format!("length {length} where {best} is best: not {}", self.guarantee)),
            false => Ok(()),
        }
    }
}

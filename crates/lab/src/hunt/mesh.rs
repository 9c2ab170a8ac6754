//! Programs on meshes. A mesh does not change and has no world: planners are asked as a whole, in slices and within limits,
//! several searches are under way at once, and planners are rebuilt and duplicated. The model is that of the suite: Dijkstra's
//! algorithm over the corners of squares that see each other.

use super::check::sliced;
use super::program::{MeshSetting, Question, Step, Wanted};
use super::world::{Checked, served};
use highroad::Path;
use highroad::catalog::Spec;
use highroad::mesh::{Mesh, MeshPoint};
use highroad::planner::{Answer, Guarantee, PathQuery, Planner, Progress, QueryError, Scratch};
use highroad::search::Limits;
use highroad_suite::SquareMesh;

/// Lengths that differ by less are equal: coordinates are rounded.
const SLACK: f64 = 1e-9;

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
    let mut run = Run { ground, planners: Vec::new(), under_way, scratch, checks: 0 };
    // The exact search is there in any case.
    for planner in std::iter::once("any-angle").chain(planners.iter().map(String::as_str)) {
        run.add(planner, None);
    }
    for (number, step) in steps.iter().enumerate() {
        *done = number;
        run.step(step)?;
    }
    *done = steps.len();
    run.advance(u64::MAX)?;
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
                let number = planner % self.planners.len();
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

    fn query(&self, question: &Question, expansions: Option<u64>) -> PathQuery<MeshPoint> {
        let points = |numbers: &[u32]| {
            numbers.iter().map(|&number| self.ground.point_of(number)).collect::<Vec<_>>()
        };
        let query = match (&points(&question.starts)[..], &points(&question.goals)[..]) {
            (&[start], &[goal]) => PathQuery::new(start, goal),
            (starts, goals) => PathQuery::among(starts.to_vec(), goals.to_vec()),
        };
        match expansions {
            Some(most) => query.with_limits(Limits::default().with_expansions_max(most)),
            None => query,
        }
    }

    /// Asks every planner.
    fn ask(&mut self, question: &Question, expansions: Option<u64>) -> Result<(), String> {
        let query = self.query(question, expansions);
        for number in 0..self.planners.len() {
            let planner = &self.planners[number].1;
            let answer = planner.solve(&self.ground.mesh, &query, &mut self.scratch);
            self.check(question, number, answer, expansions.is_some())?;
        }
        Ok(())
    }

    fn begin(&mut self, question: &Question, planner: usize) -> Result<(), String> {
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

fn compare(
    ground: &SquareMesh,
    question: &Question,
    guarantee: Guarantee,
    answer: Asked,
    limited: bool,
) -> Checked {
    let ends = || question.starts.iter().chain(&question.goals);
    let answer = match answer {
        Ok(_) if ends().any(|&end| ground.lies_on_ground(end) == Some(false)) => {
            return Err("an answer, though an end is blocked".to_owned());
        }
        Ok(answer) => answer,
        // What lies on an outline may be rounded off it.
        Err(QueryError::Refused { .. })
            if !ends().all(|&end| ground.lies_on_ground(end) == Some(true)) =>
        {
            return Ok(1);
        }
        Err(error) => return Err(format!("refused: {error}")),
    };
    let (mesh, best) = (&ground.mesh, ground.shortest_between(&question.starts, &question.goals));
    let is_among = |numbers: &[u32], point: MeshPoint| {
        numbers.iter().any(|&number| ground.point_of(number) == point)
    };
    let walked = |path: &Path<MeshPoint>| {
        path.validate(mesh).map_err(|fault| fault.to_string())?;
        match is_among(&question.starts, path.start()) {
            true => Ok(()),
            false => Err(format!("the path starts at {}", path.start())),
        }
    };
    match (answer, best) {
        (Answer::Found(path), Some(best)) => {
            walked(&path)?;
            if !is_among(&question.goals, path.goal()) {
                return Err(format!("the path ends at {}", path.goal()));
            }
            let (length, slack) = (mesh.length(path.places()), SLACK * (1.0 + best));
            let too_long = guarantee == Guarantee::Optimal && length > best + slack;
            match length < best - slack || too_long {
                true => Err(format!("length {length} where {best} is best: not {guarantee}")),
                false => Ok(3),
            }
        }
        (Answer::Unreachable { nearest }, None) => walked(&nearest).map(|()| 1),
        (Answer::LimitReached { nearest }, _) if limited => walked(&nearest).map(|()| 1),
        (answer, best) => Err(format!("the model says {best:?}, the answer is {answer:?}")),
    }
}

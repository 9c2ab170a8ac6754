//! The suite finds what is wrong: planners with a fault each.

use highroad_core::{
    Algorithm, Answer, CatchUp, Cell, Change, Grid, GridSearch, Guarantee, Memory, Path, PathQuery,
    Planner, Progress, Scratch, SearchObserver, Session,
};
use highroad_suite::{Candidate, Failures, Rounds, check_grid};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// It promises the optimum, and does not find it.
    Promise,
    /// It leaves a cell of the path out.
    Detour,
    /// It never stops at the end of a slice.
    Slice,
    /// It works otherwise when it is observed.
    Trace,
    /// Earlier queries leave something behind.
    Memory,
    /// It says that there is no path when a limit is reached.
    Limit,
    /// It says that it has followed an edit, and has not.
    Edit,
    /// It panics where there is no path.
    Panic,
}

struct Faulty {
    inner: GridSearch,
    fault: Fault,
    known: Grid,
}

type Inner = <GridSearch as Algorithm<Grid>>::Memory;

#[derive(Default)]
struct FaultyMemory {
    inner: Inner,
    queries: u64,
}

impl Memory for FaultyMemory {
    fn bytes(&self) -> usize {
        self.inner.bytes()
    }
}

impl Algorithm<Grid> for Faulty {
    type Memory = FaultyMemory;

    fn guarantee_for(&self, _grid: &Grid) -> Guarantee {
        Guarantee::Optimal
    }

    fn start(
        &self,
        grid: &Grid,
        query: &PathQuery,
        session: &mut Session<'_, Cell>,
        memory: &mut FaultyMemory,
    ) {
        memory.queries += 1;
        self.inner.start(grid, query, session, &mut memory.inner);
        if self.fault == Fault::Memory {
            session.statistics().generated += memory.queries;
        }
    }

    fn run<O: SearchObserver>(
        &self,
        grid: &Grid,
        session: &mut Session<'_, Cell>,
        memory: &mut FaultyMemory,
        slice: u64,
        observer: &mut O,
    ) -> Progress {
        let slice = if self.fault == Fault::Slice { u64::MAX } else { slice };
        if self.fault == Fault::Trace && O::ACTIVE {
            session.statistics().generated += 1;
        }
        if matches!(self.fault, Fault::Detour | Fault::Limit | Fault::Panic) {
            return self.answer_at_once(grid, session);
        }
        let grid = if self.fault == Fault::Edit { &self.known } else { grid };
        self.inner.run(grid, session, &mut memory.inner, slice, observer)
    }

    fn follow(&mut self, _: &Grid, _: &[Change], _: &mut FaultyMemory) -> CatchUp {
        CatchUp::Done
    }
}

impl Faulty {
    /// A right answer, spoilt: a cell is left out of the path, a limit is taken for no path, or it panics where there is
    /// none.
    fn answer_at_once(&self, grid: &Grid, session: &Session<'_, Cell>) -> Progress {
        let query = PathQuery::among(session.starts.to_vec(), session.goals.to_vec())
            .with_limits(session.limits());
        let answer = self.inner.solve(grid, &query, &mut Scratch::new()).expect("a good query");
        Progress::Done(match (self.fault, answer) {
            (Fault::Detour, Answer::Found(path)) if path.steps() > 2 => {
                let mut cells = path.cells().to_vec();
                cells.remove(1);
                Answer::Found(Path::vouched(cells, path.cost(), path.revision()))
            }
            (Fault::Limit, Answer::LimitReached { nearest }) => Answer::Unreachable { nearest },
            (Fault::Panic, Answer::Unreachable { .. }) => panic!("at a loss"),
            (_, answer) => answer,
        })
    }
}

fn failures(fault: Fault) -> Failures {
    let faulty = Candidate::new(|grid: &Grid| -> Option<Box<dyn Planner>> {
        let promise = fault == Fault::Promise;
        let inner = if promise { GridSearch::greedy() } else { GridSearch::dijkstra() };
        Some(Box::new(Faulty { inner, fault, known: grid.clone() }))
    });
    check_grid(&faulty, Rounds::new(100)).expect_err(&format!("{fault:?} is found"))
}

#[test]
fn every_fault_is_found_by_its_check() {
    let expected = [
        (Fault::Promise, "a case"),
        (Fault::Detour, "a case"),
        (Fault::Slice, "slices"),
        (Fault::Trace, "the trace"),
        (Fault::Memory, "used memory"),
        (Fault::Limit, "the limit of cost"),
        (Fault::Edit, "an edit"),
        (Fault::Panic, "a case"),
    ];
    for (fault, check) in expected {
        let failures = failures(fault);
        assert!(failures.0.iter().any(|failure| failure.check == check), "{fault:?}: {failures}");
    }
    assert!(failures(Fault::Panic).to_string().contains("it panicked: at a loss"));
}

#[test]
fn a_planner_that_serves_nothing_has_not_passed() {
    let nowhere = Candidate::new(|_: &Grid| None);
    let failures = check_grid(&nowhere, Rounds::new(3)).expect_err("nothing was tested");
    assert!(failures.to_string().contains("serves none"));
}

//! Timing edits: cells that become walls or free, one by one, after the queries.
//!
//! In each pass a contestant makes all edits in order, timed; between passes it takes them back in
//! the opposite order, untimed, so that every pass meets the same maps. As with queries, passes begin
//! with different contestants, and the smallest time of each edit counts. In the end everyone is
//! asked again, on the edited map, and judged.

use crate::contestants::PeerPlanner;
use crate::field::Field;
use crate::measure::{Entrant, turns, yardsticks};
use highroad::{Cell, Terrain};
use highroad::grid::Batch;
use highroad_lab::generate::Random;
use highroad_lab::workload::Workload;
use std::time::Instant;

/// Draws the same cells on every run.
const SEED: u64 = 1;

/// A cell and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edit {
    cell: Cell,
    free: bool,
}

/// Edits of a field.
pub(crate) struct Edits {
    edits: Vec<Edit>,
    /// The map after all of them, with those queries that still start and end on free cells; `None`:
    /// none does.
    after: Option<Field>,
}

/// What one contestant did.
pub(crate) struct EditTrial {
    pub(crate) best_us: Vec<f64>,
    /// Wrong answers on the edited map,
    pub(crate) mismatches: usize,
    /// of that many.
    pub(crate) queries: usize,
}

impl Edits {
    /// That many random cells of a field; each is toggled.
    pub(crate) fn draw(field: &Field, count: usize) -> Self {
        let Workload { name, grid, queries } = &field.0;
        let (mut grid, extent) = (grid.clone(), grid.extent());
        let mut random = Random::new(SEED);
        let mut edits = Vec::with_capacity(count);
        for _ in 0..count {
            let x = random.below(u64::from(extent.width())) as u32;
            let y = random.below(u64::from(extent.height())) as u32;
            let cell = Cell::new(x, y);
            let free = !grid.is_enterable(cell);
            let mut batch = Batch::new();
            batch.set(cell, if free { Terrain::GROUND } else { Terrain::WALL });
            grid.apply(&batch).expect("the cell lies on the map");
            edits.push(Edit { cell, free });
        }
        let after = Workload { name: name.clone(), grid, queries: queries.clone() };
        Self { edits, after: Field::of(after).ok().map(|(field, _)| field) }
    }

    /// Makes the edits in every contestant, as often as there are passes; `None`: it cannot follow.
    /// `now` is the clock.
    pub(crate) fn measure(
        &self,
        entrants: &mut [Entrant<'_>],
        passes: usize,
        now: impl Fn() -> Instant,
    ) -> Vec<Option<EditTrial>> {
        let unmeasured = vec![f64::INFINITY; self.edits.len()];
        let mut best_us = vec![Some(unmeasured); entrants.len()];
        for pass in 0..passes {
            for turn in turns(entrants.len(), pass) {
                let Some(best) = &mut best_us[turn] else { continue };
                let planner = &mut *entrants[turn].planner;
                let back = pass == 0 || self.take_back(planner);
                if !(back && self.make(planner, best, &now)) {
                    best_us[turn] = None;
                }
            }
        }
        let mismatches = self.judge(entrants, &best_us);
        let queries = self.after.as_ref().map_or(0, |after| after.0.queries.len());
        let trial = |(best_us, mismatches): (Option<Vec<f64>>, usize)| {
            best_us.map(|best_us| EditTrial { best_us, mismatches, queries })
        };
        best_us.into_iter().zip(mismatches).map(trial).collect()
    }

    /// Whether the contestant could follow every edit.
    fn make(
        &self,
        planner: &mut dyn PeerPlanner,
        best_us: &mut [f64],
        now: &impl Fn() -> Instant,
    ) -> bool {
        self.edits.iter().zip(best_us).all(|(edit, best_us)| {
            let start = now();
            let followed = planner.edit(edit.cell, edit.free);
            *best_us = best_us.min((now() - start).as_secs_f64() * 1e6);
            followed
        })
    }

    fn take_back(&self, planner: &mut dyn PeerPlanner) -> bool {
        self.edits.iter().rev().all(|edit| planner.edit(edit.cell, !edit.free))
    }

    /// How many wrong answers those that could follow give on the edited map.
    fn judge(&self, entrants: &mut [Entrant<'_>], followed: &[Option<Vec<f64>>]) -> Vec<usize> {
        let Some(after) = &self.after else { return vec![0; entrants.len()] };
        let sticks = yardsticks(entrants, after);
        let wrong_answers = |(entrant, followed): (&mut Entrant<'_>, &Option<_>)| {
            let asked = followed.iter().flat_map(|_| 0..after.0.queries.len());
            asked.filter(|&index| entrant.judge(after, index, &sticks).mismatch).count()
        };
        entrants.iter_mut().zip(followed).map(wrong_answers).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contestants::{Ours, Peer, Rules, theirs};
    use highroad::grid::Grid;
    use highroad_lab::workload::seeded_queries;
    use std::cell::{Cell as Slot, RefCell};
    use std::rc::Rc;
    use std::time::Duration;

    fn field(drawing: &str) -> Field {
        let grid = Grid::with_defaults(drawing.parse().unwrap());
        let queries = seeded_queries(&grid, 40, 3);
        Field::of(Workload { name: "field".into(), grid, queries }).unwrap().0
    }

    /// Notes down the edits, which take longer each time, and refuses them after a while.
    struct Recorder {
        log: Rc<RefCell<Vec<Edit>>>,
        time: Rc<Slot<Duration>>,
        patience: usize,
    }

    impl PeerPlanner for Recorder {
        fn query(&mut self, _: Cell, _: Cell) -> Option<Vec<Cell>> {
            None
        }

        fn edit(&mut self, cell: Cell, free: bool) -> bool {
            let mut log = self.log.borrow_mut();
            log.push(Edit { cell, free });
            self.time.set(self.time.get() + Duration::from_micros(log.len() as u64));
            log.len() <= self.patience
        }
    }

    #[test]
    fn edits_are_taken_back_between_passes_and_the_smallest_time_counts() {
        let field = field("....\n....\n....\n");
        let edits = Edits::draw(&field, 3);
        let (log, time) = (Rc::default(), Rc::default());
        let recorder = |patience| {
            let planner = Recorder { log: Rc::clone(&log), time: Rc::clone(&time), patience };
            Entrant {
                name: "recorder".into(),
                version: "1.0.0",
                rules: Rules::SAME,
                build_ms: 0.0,
                built_bytes: 0,
                planner: Box::new(planner),
            }
        };
        let begin = Instant::now();
        let now = || begin + time.get();
        let trial = edits.measure(&mut [recorder(9)], 2, now).remove(0).unwrap();
        let rounded: Vec<f64> = trial.best_us.iter().map(|us| us.round()).collect();
        assert_eq!(rounded, [1.0, 2.0, 3.0]);
        assert!(trial.mismatches > 0, "it finds no path");
        let mut expected = edits.edits.clone();
        expected.extend(edits.edits.iter().rev().map(|edit| Edit { free: !edit.free, ..*edit }));
        expected.extend(&edits.edits);
        assert_eq!(*log.borrow(), expected);
        assert!(edits.measure(&mut [recorder(5)], 2, now)[0].is_none());
    }

    #[test]
    fn whoever_follows_edits_answers_for_the_edited_map() {
        let row = ".".repeat(40) + "\n";
        let field = field(&row.repeat(40));
        let edits = Edits::draw(&field, 300);
        let mut contestants: Vec<Box<dyn Peer>> = theirs();
        contestants.push(Box::new(Ours::new("hpa".parse().unwrap())));
        let mut entrants = Vec::new();
        for contestant in &contestants {
            entrants.push(Entrant::build(&**contestant, &field, 1).unwrap());
        }
        let trials = edits.measure(&mut entrants, 2, Instant::now);
        for (entrant, trial) in entrants.iter().zip(trials) {
            match trial {
                Some(trial) => assert_eq!(trial.mismatches, 0, "{}", entrant.name),
                None => assert_eq!(entrant.name, "fast_paths"),
            }
        }
    }
}

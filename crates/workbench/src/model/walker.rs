//! An agent that walks the path, and plans again when the map changes under its feet.

use super::engine::{Failure, RunResult};
use super::{Bench, words};
use highroad::Cell;
use highroad::environment::End;
use highroad::grid::{CellRefusal, Grid};
use highroad::planner::{Answer, Point, QueryError};
use std::collections::VecDeque;
use std::time::Duration;

/// How the agent fares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gait {
    /// It is on its way.
    Walking,
    /// It was ordered to wait.
    Paused,
    /// It waits for a new path.
    Planning,
    /// It is there.
    Arrived,
    /// It cannot go on, and says why.
    Stopped(String),
}

/// An agent on its way.
#[derive(Clone, Debug)]
pub struct Walker {
    /// How it fares.
    pub gait: Gait,
    /// Where it is.
    pub at: Point,
    /// Where it has been, and where it is.
    pub trail: Vec<Point>,
    /// The cell it has reached last.
    cell: Cell,
    ahead: VecDeque<Cell>,
    /// The cell it is going to.
    pub goal: Cell,
    /// How often it has replanned.
    pub replans: u32,
}

impl Walker {
    /// Sets an agent out on a path.
    pub fn new(cells: &[Cell]) -> Option<Self> {
        let (&first, &goal) = (cells.first()?, cells.last()?);
        let at = Point::middle_of(first);
        Some(Self {
            gait: Gait::Walking,
            at,
            trail: vec![at],
            cell: first,
            ahead: cells[1..].iter().copied().collect(),
            goal,
            replans: 0,
        })
    }

    /// Whether it will move when time passes.
    pub fn is_moving(&self) -> bool {
        self.gait == Gait::Walking
    }

    /// Lets it wait, or go on.
    pub fn toggle_pause(&mut self) {
        self.gait = match self.gait {
            Gait::Walking => Gait::Paused,
            Gait::Paused => Gait::Walking,
            ref other => other.clone(),
        };
    }

    /// The cells that it still means to walk over.
    pub fn ahead(&self) -> impl Iterator<Item = Cell> + '_ {
        self.ahead.iter().copied()
    }

    /// From where it would replan: the cell it is stepping to, unless that is closed by now.
    pub fn standing(&self, grid: &Grid) -> Cell {
        match self.ahead.front() {
            Some(&next) if grid.step_cost(self.cell, next).is_some() => next,
            _ => self.cell,
        }
    }

    /// Whether it is still on its way, so that a change of the map concerns it.
    pub fn is_under_way(&self) -> bool {
        !matches!(self.gait, Gait::Arrived | Gait::Stopped(_))
    }

    /// Takes a new path from where it stands.
    pub fn follow(&mut self, cells: &[Cell]) {
        self.ahead = cells.iter().copied().filter(|&cell| cell != self.cell).collect();
        // The way back to the cell it has just left, if that is where the path begins.
        if cells.first() == Some(&self.cell) && self.at != Point::middle_of(self.cell) {
            self.ahead.push_front(self.cell);
        }
        self.replans += 1;
        if let Some(&goal) = cells.last() {
            self.goal = goal;
        }
        if self.gait == Gait::Planning {
            self.gait = Gait::Walking;
        }
    }

    /// Ends its walk for a reason.
    pub fn stop(&mut self, reason: impl Into<String>) {
        self.gait = Gait::Stopped(reason.into());
    }

    /// Walks for some time. Where the next step is closed it waits for a new path.
    pub fn advance(&mut self, grid: &Grid, elapsed: Duration, cells_per_second: f32) {
        if !self.is_moving() {
            return;
        }
        let mut way = elapsed.as_secs_f32() * cells_per_second;
        while way > 0.0 {
            let Some(&next) = self.ahead.front() else {
                self.gait = Gait::Arrived;
                return;
            };
            if next != self.cell && grid.step_cost(self.cell, next).is_none() {
                self.gait = Gait::Planning;
                return;
            }
            let target = Point::middle_of(next);
            let (dx, dy) = (target.x - self.at.x, target.y - self.at.y);
            let left = dx.hypot(dy);
            if left > way {
                self.at = Point { x: self.at.x + dx / left * way, y: self.at.y + dy / left * way };
                way = 0.0;
            } else {
                way -= left;
                self.at = target;
                self.cell = next;
                self.ahead.pop_front();
                self.trail.push(target);
            }
        }
        if self.ahead.is_empty() {
            self.gait = Gait::Arrived;
        }
    }
}

impl Bench {
    /// Lets an agent walk the path; or wait, or go on.
    pub fn toggle_walk(&mut self) {
        match &mut self.walker {
            Some(walker) if matches!(walker.gait, Gait::Walking | Gait::Paused) => {
                walker.toggle_pause();
            }
            _ => self.start_walk(),
        }
    }

    /// Sets an agent out on the path, from its start.
    pub fn start_walk(&mut self) {
        let found =
            matches!(self.outcome.as_ref().map(|outcome| &outcome.answer), Some(Answer::Found(_)));
        self.walker = if found { Walker::new(self.path_cells()) } else { None };
        if self.walker.is_none() {
            self.say_error("There is no path to walk.");
        }
    }

    /// Takes the agent off the map.
    pub fn end_walk(&mut self) {
        self.walker = None;
    }

    /// The goal has moved: an agent under way goes there.
    pub(super) fn redirect_agent(&mut self) {
        let goal = self.document.goal;
        if let Some(walker) = self.walker.as_mut().filter(|walker| walker.is_under_way()) {
            walker.goal = goal;
            self.solver.want_for_agent();
        }
    }

    /// Gives the agent the path that it has asked for, or stops it.
    pub(super) fn take_agent_reply(&mut self, result: Result<RunResult, Failure>) {
        let Some(walker) = self.walker.as_mut().filter(|walker| walker.is_under_way()) else {
            return;
        };
        match result {
            Ok(RunResult { answer: Answer::Found(path), .. }) => walker.follow(path.cells()),
            Ok(outcome) => {
                let reason = words::answer(&outcome, self.document.grid()).unwrap_or_default();
                walker.stop(format!("The agent stopped. {reason}"));
            }
            // Another request came in between: it asks again.
            Err(Failure::Cancelled) => self.solver.want_for_agent(),
            Err(Failure::Query(QueryError::Refused {
                end: End::Start,
                reason: CellRefusal::Blocked { .. },
            })) => {
                walker.stop("The agent stopped: there is a wall where it stands.");
            }
            Err(failure) => {
                let reason = words::failure(&failure).unwrap_or_default();
                walker.stop(format!("The agent stopped. {reason}"));
            }
        }
    }

    /// Lets the agent walk for some time. Where its path is closed it asks for another.
    pub(super) fn advance_walk(&mut self, elapsed: Duration) {
        let Some(walker) = &mut self.walker else { return };
        let was_planning = walker.gait == Gait::Planning;
        walker.advance(self.document.grid(), elapsed, self.preferences.walk_speed);
        if walker.gait == Gait::Planning && !was_planning {
            self.solver.want_for_agent();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::Terrain;
    use highroad::grid::Batch;

    fn cells(places: &[(u32, u32)]) -> Vec<Cell> {
        places.iter().map(|&place| place.into()).collect()
    }

    fn grid() -> Grid {
        Grid::with_defaults("....\n....\n".parse().unwrap())
    }

    #[test]
    fn it_walks_waits_and_arrives() {
        let grid = grid();
        let mut walker = Walker::new(&cells(&[(0, 0), (1, 0), (2, 0), (3, 0)])).unwrap();
        walker.advance(&grid, Duration::from_millis(500), 3.0);
        assert_eq!(walker.at, Point { x: 2.0, y: 0.5 });
        walker.toggle_pause();
        walker.advance(&grid, Duration::from_secs(5), 3.0);
        assert_eq!((walker.at.x, &walker.gait), (2.0, &Gait::Paused));
        walker.toggle_pause();
        walker.advance(&grid, Duration::from_secs(5), 3.0);
        assert_eq!((walker.at.x, &walker.gait), (3.5, &Gait::Arrived));
        assert_eq!(walker.trail.len(), 4);
    }

    #[test]
    fn a_closed_step_makes_it_wait_for_another_path() {
        let mut grid = grid();
        let mut walker = Walker::new(&cells(&[(0, 0), (1, 0), (2, 0), (3, 0)])).unwrap();
        walker.advance(&grid, Duration::from_millis(1500), 1.0);
        assert_eq!(walker.standing(&grid), Cell::new(2, 0));
        let mut batch = Batch::new();
        batch.set((2, 0), Terrain::WALL);
        grid.apply(&batch).unwrap();
        assert_eq!(walker.standing(&grid), Cell::new(1, 0), "its next step is closed");
        walker.advance(&grid, Duration::from_millis(100), 1.0);
        assert_eq!(walker.gait, Gait::Planning);
        walker.follow(&cells(&[(1, 0), (1, 1), (2, 1), (3, 1), (3, 0)]));
        walker.advance(&grid, Duration::from_secs(9), 1.0);
        assert_eq!((&walker.gait, walker.at), (&Gait::Arrived, Point { x: 3.5, y: 0.5 }));
        assert_eq!(walker.trail[1], Point { x: 1.5, y: 0.5 });
    }

    #[test]
    fn no_path_no_walker() {
        assert!(Walker::new(&[]).is_none());
    }
}

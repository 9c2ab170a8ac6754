//! What a person did, in steps that are undone as a whole. The engine keeps what changed in the cells; here is only
//! which of its batches belong together, and what else a step did.

use highroad::Cell;

/// Where paths start and end.
pub(super) type Places = (Cell, Cell);

/// One thing that a person did.
pub(super) enum Step<M> {
    /// So many batches of edits, and where start and goal were before it and after it.
    Work {
        /// Batches of the engine.
        batches: usize,
        before: Places,
        after: Places,
    },
    /// Another way to move.
    Movement {
        /// What was before, or after the step is undone, what came then.
        other: Box<M>,
        /// Whether the cells are written with other letters.
        rewrites: bool,
    },
}

/// Steps that can be undone and done again. `M` is what is kept of another movement.
pub(super) struct History<M> {
    done: Vec<(u64, Step<M>)>,
    undone: Vec<(u64, Step<M>)>,
    /// The step that is being done: its batches, and where start and goal were.
    open: Option<(usize, Places)>,
    latest: u64,
    /// The cells' state, by the step that led to it, when they were last saved.
    saved: u64,
}

impl<M> Default for History<M> {
    fn default() -> Self {
        Self { done: Vec::new(), undone: Vec::new(), open: None, latest: 0, saved: 0 }
    }
}

impl<M> History<M> {
    /// How many steps can be undone.
    pub(super) fn step_count(&self) -> usize {
        self.done.len()
    }

    /// Begins a step: everything until [`History::end`] is undone together.
    pub(super) fn begin(&mut self, places: Places) {
        self.open.get_or_insert((0, places));
    }

    /// Notes a batch of edits, of the step that is open or as a step of its own.
    pub(super) fn note_batch(&mut self, places: Places) {
        match &mut self.open {
            Some((batches, _)) => *batches += 1,
            None => self.push(Step::Work { batches: 1, before: places, after: places }),
        }
    }

    /// Notes that start and goal have moved, as part of the step that is open or as a step of its own.
    pub(super) fn note_places(&mut self, before: Places, after: Places) {
        if self.open.is_none() && before != after {
            self.push(Step::Work { batches: 0, before, after });
        }
    }

    /// Ends the step. One that did nothing is none.
    pub(super) fn end(&mut self, after: Places) {
        if let Some((batches, before)) = self.open.take()
            && (batches > 0 || before != after)
        {
            self.push(Step::Work { batches, before, after });
        }
    }

    /// Notes another way to move, and whether the cells are written with other letters. Of several in a row that are not,
    /// only the first counts.
    pub(super) fn note_movement(&mut self, before: M, rewrites: bool) {
        let follows = matches!(self.done.last(), Some((_, Step::Movement { rewrites: false, .. })));
        if rewrites || !follows {
            self.push(Step::Movement { other: Box::new(before), rewrites });
        }
        self.undone.clear();
    }

    fn push(&mut self, step: Step<M>) {
        self.undone.clear();
        self.latest += 1;
        self.done.push((self.latest, step));
    }

    pub(super) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub(super) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The latest step, to be undone; it is given back by [`History::push_undone`].
    pub(super) fn pop_done(&mut self) -> Option<(u64, Step<M>)> {
        self.done.pop()
    }

    pub(super) fn push_undone(&mut self, step: (u64, Step<M>)) {
        self.undone.push(step);
    }

    /// The step undone last, to be done again; it is given back by [`History::push_done`].
    pub(super) fn pop_undone(&mut self) -> Option<(u64, Step<M>)> {
        self.undone.pop()
    }

    pub(super) fn push_done(&mut self, step: (u64, Step<M>)) {
        self.done.push(step);
    }

    /// Forgets every step, since the engine no longer knows how to undo the latest.
    pub(super) fn forget(&mut self) {
        self.done.clear();
    }

    /// Which state the cells are in: the number of the latest step that edited them.
    fn state(&self) -> u64 {
        let edits = |(_, step): &&(u64, Step<M>)| {
            matches!(step, Step::Work { batches: 1.., .. } | Step::Movement { rewrites: true, .. })
        };
        self.done.iter().rev().find(edits).map_or(0, |(number, _)| *number)
    }

    /// The cells are as in the file now.
    pub(super) fn note_saved(&mut self) {
        self.saved = self.state();
    }

    /// Whether the cells are not as they were when they were opened or saved.
    pub(super) fn is_changed(&self) -> bool {
        self.state() != self.saved || matches!(self.open, Some((1.., _)))
    }
}

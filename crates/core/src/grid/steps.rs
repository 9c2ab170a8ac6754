//! What steps cost, and where they lead.

use super::{Cell, Cost, Direction, Grid};

impl Grid {
    /// The cost of one step, or of a link if that is cheaper; `None` if the rule, the map or the profile does not allow
    /// it.
    pub fn step_cost(&self, from: Cell, to: Cell) -> Option<u32> {
        let walking = self.walking_cost(from, to);
        if self.hops.is_empty() {
            return walking;
        }
        let link = self.extent().id(from).zip(self.extent().id(to));
        let link = link.and_then(|(from, to)| self.link_cost(from, to));
        walking.into_iter().chain(link).min()
    }

    /// The cost of one step, whatever links there are.
    pub(crate) fn walking_cost(&self, from: Cell, to: Cell) -> Option<u32> {
        let direction = Direction::between(from, to)?;
        let (from_id, to_id) = (self.extent().id(from)?, self.extent().id(to)?);
        let pattern = self.board_of(from)?.neighbourhood(from);
        let allowed = self.movement.rule().moves()[pattern] >> (direction as u8) & 1 == 1;
        let allowed = allowed && !self.is_closed(from_id, direction as usize);
        let (from, to) = (self.cost_at(from_id), self.cost_at(to_id));
        let flat = || self.movement.step(direction.is_diagonal(), from, to);
        allowed.then(|| flat() + self.slope(from_id, to_id))
    }

    /// Whether each of some cells can be entered from the one before by a step. Never where there are links.
    ///
    /// PERF: a path of thousands of cells is looked at as a whole when a request is answered.
    pub(crate) fn can_walk(&self, cells: &[Cell]) -> bool {
        let Some(board) = cells.first().and_then(|&first| self.board_of(first)) else {
            return false;
        };
        let (moves, shaped) = (self.movement.rule().moves(), self.is_shaped());
        // What a step leads to lies inside the map, since there are no bits outside.
        let is_open = |from: Cell, direction: Direction| {
            let allowed = moves[board.neighbourhood(from)] >> (direction as u8) & 1 == 1;
            let id = || self.extent().id_inside(from);
            allowed && !(shaped && self.is_closed(id(), direction as usize))
        };
        let steps =
            &mut cells.windows(2).map(|step| (step[0], Direction::between(step[0], step[1])));
        self.hops.is_empty() && steps.all(|(from, to)| to.is_some_and(|to| is_open(from, to)))
    }

    /// The cells that one step or link leads to, each with the cost: for planners of your own.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::grid::Grid;
    /// let grid = Grid::with_defaults("..#\n..#\n".parse()?);
    /// let to: Vec<Cell> = grid.steps_from(Cell::new(1, 0)).map(|(to, _cost)| to).collect();
    /// assert_eq!(to, [(1, 1), (0, 0), (0, 1)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps_from(&self, from: Cell) -> impl Iterator<Item = (Cell, u32)> + '_ {
        let mut linked = Vec::new();
        if let Some(id) = self.extent().id(from).filter(|_| self.has_links()) {
            self.visit_links(id, false, |to, cost| linked.push((self.extent().cell(to), cost)));
        }
        let steps = Direction::ALL.into_iter().filter_map(move |direction| {
            let (columns, rows) = direction.delta();
            let x = from.x.checked_add_signed(columns)?;
            let to = Cell::new(x, from.y.checked_add_signed(rows)?);
            self.walking_cost(from, to).map(|cost| (to, cost))
        });
        steps.chain(linked)
    }

    /// The cost of walking along neighbouring cells, each step of which is known to be allowed.
    pub(crate) fn cost_along(&self, cells: &[Cell]) -> Cost {
        if self.has_links() {
            let cost = |step: &[Cell]| self.step_cost(step[0], step[1]).map_or(0, u64::from);
            return cells.windows(2).map(|step| Cost(cost(step))).sum();
        }
        let flat = self.flat_cost_along(cells);
        if !self.sloped {
            return flat;
        }
        let id = |cell| self.extent().id_inside(cell);
        let slope = |step: &[Cell]| self.slope(id(step[0]), id(step[1]));
        flat + cells.windows(2).map(|step| Cost(u64::from(slope(step)))).sum()
    }

    /// The same without what slopes cost.
    pub(crate) fn flat_cost_along(&self, cells: &[Cell]) -> Cost {
        let extent = self.extent();
        let uniform = self.uniform_cost();
        let cost_of = |cell| uniform.unwrap_or_else(|| self.cost_at(extent.id_inside(cell)));
        // PERF: each cell is looked up once.
        let mut before = cells.first().map_or(0, |&first| cost_of(first));
        let step = |step: &[Cell]| {
            let diagonal = step[0].x != step[1].x && step[0].y != step[1].y;
            let cost = cost_of(step[1]);
            let left = std::mem::replace(&mut before, cost);
            Cost(u64::from(self.movement.step(diagonal, left, cost)))
        };
        cells.windows(2).map(step).sum()
    }
}

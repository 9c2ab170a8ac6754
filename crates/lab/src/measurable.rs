//! What measuring and checking ask of an environment, beside the interface that planners have.

use crate::generate::Random;
use crate::scenario::published_length;
use crate::storm::random_edit;
use highroad::catalog::Spec;
use highroad::environment::{Cost, Environment};
use highroad::grid::Grid;
use highroad::mesh::Mesh;
use highroad::online::GridSearch;
use highroad::planner::{Answer, Cataloged, Guarantee, PathQuery, Planner, Scratch};
use highroad::{Path, Terrain};

/// Makes a change. Returns what differs; `None` if it cannot be made.
pub type RandomChange<E> = Box<dyn FnOnce(&mut E) -> Option<Vec<<E as Environment>::Change>>>;

/// An environment whose planners are compared, measured and verified. [`Grid`] and [`Mesh`] are.
pub trait Measurable: Cataloged {
    /// Units of cost by which equally good paths may differ, since each leg is rounded on its own.
    const COST_SLACK: u64;

    /// The length of a path.
    fn length_of(&self, path: &Path<Self::Place>) -> f64;

    /// The length of a path as scenarios have it.
    fn published_length_of(&self, path: &Path<Self::Place>) -> f64 {
        self.length_of(path)
    }

    /// Units of cost that a path of length 1 takes on usual ground.
    fn cost_unit(&self) -> f64;

    /// How often a path changes direction.
    fn turns_of(&self, path: &Path<Self::Place>) -> usize;

    /// An exact planner that one of the catalog, or any, is held against: other than itself where that is possible.
    fn reference(&self, spec: Option<&Spec>) -> Box<dyn Planner<Self>>;

    /// A random change, to be made; `None` if it cannot be changed.
    fn random_change(&self, random: &mut Random) -> Option<RandomChange<Self>>;

    /// Whether a path of that cost keeps a promise, given the optimal cost: as far as rounding lets one say.
    fn keeps(guarantee: Guarantee, cost: Cost, optimal: Cost) -> bool {
        let [least, most] =
            [cost.0.saturating_sub(Self::COST_SLACK), cost.0.saturating_add(Self::COST_SLACK)];
        guarantee.holds(Cost(optimal.0.clamp(least, most)), optimal)
    }

    /// The cost of a cheapest path, by the exact planner given; `None` if there is none.
    fn optimal_cost(
        &self,
        planner: &dyn Planner<Self>,
        query: &PathQuery<Self::Place>,
        scratch: &mut Scratch,
    ) -> Option<Cost> {
        let answer = planner.solve(self, query, scratch);
        answer.ok().and_then(Answer::path).map(|path| path.cost())
    }
}

impl Measurable for Grid {
    const COST_SLACK: u64 = 0;

    fn length_of(&self, path: &Path) -> f64 {
        path.length()
    }

    fn published_length_of(&self, path: &Path) -> f64 {
        published_length(self, path)
    }

    /// A step costs what both of its cells cost, half each: costs are counted in halves.
    fn cost_unit(&self) -> f64 {
        2.0 * f64::from(self.movement().steps().straight())
    }

    fn turns_of(&self, path: &Path) -> usize {
        path.turning_points().count().saturating_sub(2)
    }

    /// A search with estimates is held against one without, any other planner against one with.
    fn reference(&self, spec: Option<&Spec>) -> Box<dyn Planner> {
        Box::new(match spec.and_then(|spec| spec.entry().option("heuristic")) {
            Some(_) => GridSearch::dijkstra(),
            None => GridSearch::astar(),
        })
    }

    fn random_change(&self, random: &mut Random) -> Option<RandomChange<Self>> {
        let terrains: Vec<Terrain> = self.map().terrains().collect();
        let batch = random_edit(self, &terrains, random);
        Some(Box::new(move |grid| grid.apply(&batch).ok()))
    }
}

/// Legs of a path on a mesh are rounded to units of about 2⁻³³ of the mesh's diagonal.
const LEGS_MANY: u64 = 256;

impl Measurable for Mesh {
    const COST_SLACK: u64 = LEGS_MANY;

    fn length_of(&self, path: &Path<Self::Place>) -> f64 {
        self.length(path.places())
    }

    fn cost_unit(&self) -> f64 {
        self.cost_scale()
    }

    fn turns_of(&self, path: &Path<Self::Place>) -> usize {
        path.places().len().saturating_sub(2)
    }

    /// The optimal search; what it is held against itself says `verify`.
    fn reference(&self, _spec: Option<&Spec>) -> Box<dyn Planner<Self>> {
        Box::new(highroad::online::AnyAngle)
    }

    fn random_change(&self, _random: &mut Random) -> Option<RandomChange<Self>> {
        None
    }
}

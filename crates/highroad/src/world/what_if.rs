//! What an edit would do to ways, without making it.
//!
//! The batch is made on a copy of the environments, which shares everything with the world but the pages that the batch
//! changes. Which places can still reach each other is then looked up in the connected parts of the copy. Only where costs are
//! asked for, or parts cannot answer, a planner is needed: a duplicate of the first one that can follow the batch. The same
//! planner answers for the world as it is, so that the two costs can be compared.

use super::PathWorld;
use super::kind_view::{KindView, Ready};
use crate::living::Living;
use highroad_core::{Cost, KindId, Planner};
use std::cell::OnceCell;
use std::sync::Arc;

/// What the way from one place to another costs now, and what it would cost after an edit. From [`PathWorld::what_if`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WayChange {
    /// What it costs as the map is; `None` if there is no way, or none can start or end there.
    pub before: Option<Cost>,
    /// What it would cost after the edit.
    pub after: Option<Cost>,
}

impl WayChange {
    /// Whether there is a way now, and would be none.
    ///
    /// ```
    /// use highroad::Cost;
    /// use highroad::world::WayChange;
    /// let cut = WayChange { before: Some(Cost::steps(3)), after: None };
    /// assert!(cut.is_cut() && cut.added_cost().is_none());
    /// let longer = WayChange { after: Some(Cost::steps(5)), ..cut };
    /// assert_eq!(longer.added_cost(), Some(Cost::steps(2).0 as i64));
    /// ```
    pub fn is_cut(&self) -> bool {
        self.before.is_some() && self.after.is_none()
    }

    /// How much more the way would cost, negative if less; `None` unless there is a way before and after. See
    /// [`WayChange::is_cut`] for an example.
    pub fn added_cost(&self) -> Option<i64> {
        // A search counts up to 2⁴⁴.
        Some(self.after?.0 as i64 - self.before?.0 as i64)
    }
}

impl<E: Living> PathWorld<E> {
    /// Whether a batch would cut the way of any of some pairs of places for a kind of agent, without making it: a building
    /// across the last way to the castle. A pair that has no way now does not count, nor does a kind that does not exist.
    ///
    /// On a grid without borders, heights and links no search is needed: it takes the time of the edit and of two look-ups for
    /// each pair. Elsewhere as long as [`PathWorld::what_if`].
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// use highroad::grid::{Batch, KindId};
    /// let mut world = PathWorld::new("....\n.##.\n....\n".parse()?);
    /// let pairs = [((0, 1).into(), (3, 1).into())];
    /// let mut tower = Batch::new();
    /// tower.set((1, 0), Terrain::WALL);
    /// assert!(!world.would_block(KindId::DEFAULT, &tower, &pairs)?, "there is another way");
    /// tower.set((2, 2), Terrain::WALL);
    /// assert!(world.would_block(KindId::DEFAULT, &tower, &pairs)?);
    /// assert_eq!(world.revision().0, 0, "nothing was changed");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the batch cannot be made, as [`PathWorld::edit`].
    pub fn would_block(
        &mut self,
        kind: KindId,
        batch: &E::Batch,
        pairs: &[(E::Place, E::Place)],
    ) -> Result<bool, E::EditError> {
        self.take_over();
        let Some(foresight) = Foresight::of(self, kind, batch)? else { return Ok(false) };
        Ok(pairs.iter().any(|&(from, to)| foresight.is_cut(from, to)))
    }

    /// What the way of each of some pairs of places costs a kind of agent now, and what it would cost after a batch, without
    /// making it. Both costs are of the first planner that can follow the batch at once, or of an exact search if none can; they
    /// are as good as that planner promises, and the second is what [`PathWorld::find_path`] would find after the edit. For a kind
    /// that does not exist there is no way.
    ///
    /// Takes the time of the edit, and of up to two queries for each pair.
    ///
    /// ```
    /// use highroad::{Cost, PathWorld, Terrain};
    /// use highroad::grid::{Batch, KindId};
    /// let mut world = PathWorld::new(".....\n.....\n.....\n".parse()?);
    /// let mut wall = Batch::new();
    /// wall.set((2, 0), Terrain::WALL).set((2, 1), Terrain::WALL);
    /// let ways = world.what_if(KindId::DEFAULT, &wall, &[((0, 0).into(), (4, 0).into())])?;
    /// assert_eq!(ways[0].before, Some(Cost::steps(4)));
    /// assert!(ways[0].added_cost() > Some(0) && !ways[0].is_cut());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the batch cannot be made, as [`PathWorld::edit`].
    pub fn what_if(
        &mut self,
        kind: KindId,
        batch: &E::Batch,
        pairs: &[(E::Place, E::Place)],
    ) -> Result<Vec<WayChange>, E::EditError> {
        self.take_over();
        let Some(foresight) = Foresight::of(self, kind, batch)? else {
            return Ok(vec![WayChange { before: None, after: None }; pairs.len()]);
        };
        Ok(pairs.iter().map(|&(from, to)| foresight.way(from, to)).collect())
    }
}

/// A kind of agent in a world as it is, and as it would be.
struct Foresight<'w, E: Living> {
    world: &'w PathWorld<E>,
    before: &'w E,
    after: E,
    changes: Vec<E::Change>,
    planners: OnceCell<[ReadyPlanner<E>; 2]>,
}

/// A planner that knows an environment, if there is any.
type ReadyPlanner<E> = Option<Arc<dyn Planner<E>>>;

impl<'w, E: Living> Foresight<'w, E> {
    /// `None` if there is no such kind.
    fn of(
        world: &'w PathWorld<E>,
        kind: KindId,
        batch: &E::Batch,
    ) -> Result<Option<Self>, E::EditError> {
        let mut kinds = world.kinds.clone();
        let changes = E::apply_to_all(&mut kinds, batch)?;
        let before = world.kinds.get(kind.index());
        let found = before.map(|before| Self {
            world,
            before,
            after: kinds.swap_remove(kind.index()),
            changes,
            planners: OnceCell::new(),
        });
        Ok(found)
    }

    fn is_cut(&self, from: E::Place, to: E::Place) -> bool {
        match (known(self.before, from, to), known(&self.after, from, to)) {
            (Some(false), _) | (_, Some(true)) => false,
            (Some(true), Some(false)) => true,
            _ => self.way(from, to).is_cut(),
        }
    }

    fn way(&self, from: E::Place, to: E::Place) -> WayChange {
        let [before, after] = self.planners();
        WayChange {
            before: self.cost(self.before, before, from, to),
            after: self.cost(&self.after, after, from, to),
        }
    }

    fn cost(
        &self,
        environment: &E,
        planner: &ReadyPlanner<E>,
        from: E::Place,
        to: E::Place,
    ) -> Option<Cost> {
        if known(environment, from, to) == Some(false) {
            return None;
        }
        let planners = Ready::Snapshot(planner.as_slice());
        let mut view = KindView::new(environment, planners, &self.world.pool);
        // Only ends at which nothing can start or end are refused.
        view.find_path(from, to).ok().flatten().map(|path| path.cost())
    }

    /// The first planner that can follow the changes, as it is and as it would be.
    fn planners(&self) -> &[ReadyPlanner<E>; 2] {
        self.planners.get_or_init(|| {
            let mut scratch = self.world.pool.take();
            let found = self.world.planners.foresee(&self.after, &self.changes, &mut scratch);
            found.map_or([None, None], |planners| planners.map(Some))
        })
    }
}

/// Whether a path leads from one place to another, if that is known without a search.
fn known<E: Living>(environment: &E, from: E::Place, to: E::Place) -> Option<bool> {
    let is_refused = |place| environment.check_place(place).is_err();
    if is_refused(from) || is_refused(to) {
        return Some(false);
    }
    environment.knows_reachable(from, to)
}

//! Links: ways between two places that are no steps. Ladders, doors, portals, jumps, lifts.
//!
//! A map holds few of them, in one sorted list. A grid keeps those that its kind of agent can use: both ends can be
//! entered, in one domain. A layer marks the cells where links begin or end, so that a search looks at the list there alone.

use super::cell::{Cell, CellId, Extent};
use super::ground::KindId;
use super::layer::Layer;
use super::{Change, Grid};
use std::ops::RangeInclusive;
use std::sync::Arc;
use thiserror::Error;

/// A way from a cell to a cell, wherever they lie: a ladder, a door, a portal, a jump, a lift.
///
/// ```
/// use highroad::{Cell, Cost, PathWorld};
/// use highroad::grid::Link;
/// let mut world = PathWorld::new(".....#.....\n".parse()?);
/// assert_eq!(world.find_path((0, 0), (10, 0))?, None);
/// let portal = Link::new((1, 0), (9, 0), 2 * 2378);
/// world.edit(|edit| _ = edit.open_link(portal))?;
/// let path = world.find_path((0, 0), (10, 0))?.expect("through the portal");
/// assert_eq!(path.cells(), [(0, 0), (1, 0), (9, 0), (10, 0)].map(Cell::from));
/// assert_eq!(path.cost(), Cost::steps(3));
/// assert_eq!(path.links(world.grid()).collect::<Vec<_>>(), [(1, portal)], "from its second cell on");
/// assert_eq!(world.find_path((10, 0), (0, 0))?, None, "it leads one way");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Link {
    /// Where it begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// What it costs, in the half-units of steps: a straight step over cells of cost 1 costs twice its
    /// [factor](super::StepCosts). At least 1.
    pub cost: u32,
    /// Whether it also leads back.
    #[cfg_attr(feature = "serde", serde(default))]
    pub both_ways: bool,
    /// The kind of agent that can use it; all kinds if none is named. For some kinds, one link for each.
    #[cfg_attr(feature = "serde", serde(default))]
    pub kind: Option<KindId>,
}

impl Link {
    /// A link one way, for all kinds.
    pub fn new(from: impl Into<Cell>, to: impl Into<Cell>, cost: u32) -> Self {
        Self { from: from.into(), to: to.into(), cost, both_ways: false, kind: None }
    }

    /// The same both ways.
    ///
    /// ```
    /// use highroad::grid::{KindId, Link};
    /// let ladder = Link::new((3, 3), (3, 9), 40).with_way_back().with_kind(KindId(1));
    /// assert!(ladder.both_ways);
    /// ```
    pub fn with_way_back(self) -> Self {
        Self { both_ways: true, ..self }
    }

    /// The same for one kind of agent. See [`Link::with_way_back`] for an example.
    pub fn with_kind(self, kind: KindId) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// Whether the map can have it; if not, why.
    pub(super) fn check(&self, extent: Extent) -> Result<(), LinkProblem> {
        if let Some(cell) = [self.from, self.to].into_iter().find(|&cell| !extent.contains(cell)) {
            return Err(LinkProblem::Outside { cell });
        }
        if self.from == self.to {
            return Err(LinkProblem::ToItself);
        }
        if self.cost == 0 || self.cost > Self::COST_MAX {
            return Err(LinkProblem::Cost);
        }
        Ok(())
    }

    /// The most that a link may cost.
    pub const COST_MAX: u32 = u32::MAX / 2;
}

/// What is wrong with a link.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::grid::{EditError, Link, LinkProblem};
/// let mut world = PathWorld::new(".#\n".parse()?);
/// let error = world.edit(|edit| _ = edit.open_link(Link::new((0, 0), (1, 0), 5))).unwrap_err();
/// assert!(matches!(error, EditError::Link { problem: LinkProblem::Blocked { .. }, .. }));
/// assert_eq!(
///     error.to_string(),
///     "the link from (0, 0) to (1, 0): no agent that it is for can stand on (1, 0); nothing was changed"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LinkProblem {
    /// An end lies outside the map.
    #[error("{cell} lies outside the map")]
    Outside {
        /// Which end.
        cell: Cell,
    },
    /// An end is a wall to all agents that it is for.
    #[error("no agent that it is for can stand on {cell}")]
    Blocked {
        /// Which end.
        cell: Cell,
    },
    /// It ends where it begins.
    #[error("it ends where it begins")]
    ToItself,
    /// It costs nothing, or too much.
    #[error("its cost must be from 1 to {}", Link::COST_MAX)]
    Cost,
    /// It is to be closed, and there is none.
    #[error("there is no such link")]
    Missing,
}

/// A link that a change has opened or closed. See [`Change::link`].
///
/// ```
/// use highroad::grid::{Batch, Grid, Link, LinkChange};
/// let mut grid = Grid::with_defaults("..#..\n".parse()?);
/// let link = Link::new((1, 0), (3, 0), 4756);
/// let changes = grid.apply(Batch::new().open_link(link))?;
/// assert_eq!(changes[0].link, Some(LinkChange { link, opened: true }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkChange {
    /// Which link.
    pub link: Link,
    /// Whether it is open now; else it is gone.
    pub opened: bool,
}

/// The links of a map, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Links(Arc<Vec<Link>>);

impl Links {
    pub(super) fn all(&self) -> &[Link] {
        &self.0
    }

    /// Adds a link; whether it was not there.
    pub(super) fn open(&mut self, link: Link) -> bool {
        let Err(at) = self.0.binary_search(&link) else { return false };
        Arc::make_mut(&mut self.0).insert(at, link);
        true
    }

    /// Takes a link away; whether it was there.
    pub(super) fn close(&mut self, link: Link) -> bool {
        let Ok(at) = self.0.binary_search(&link) else { return false };
        Arc::make_mut(&mut self.0).remove(at);
        true
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.0.len() * size_of::<Link>()
    }
}

/// One way of a link that agents of a grid can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hop {
    here: CellId,
    there: CellId,
    cost: u32,
}

/// The links that agents of one kind can use. Nothing is stored while there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct Hops(Option<Arc<HopLists>>);

#[derive(Debug)]
struct HopLists {
    /// By the cells that they leave, and by those that they lead to.
    onwards: Vec<Hop>,
    back: Vec<Hop>,
    /// Where any begins or ends.
    ends: Layer<u8>,
    /// The least and the most that one costs.
    costs: RangeInclusive<u32>,
}

impl Hops {
    fn of(grid: &Grid) -> Self {
        let links = grid.ground.map.links().all();
        let mut onwards: Vec<Hop> =
            links.iter().flat_map(|link| hops_of(grid, link)).flatten().collect();
        if onwards.is_empty() {
            return Self::default();
        }
        // Of several between the same cells the cheapest counts.
        onwards.sort_unstable();
        onwards.dedup_by_key(|hop| (hop.here, hop.there));
        let turned = |hop: &Hop| Hop { here: hop.there, there: hop.here, cost: hop.cost };
        let mut back: Vec<Hop> = onwards.iter().map(turned).collect();
        back.sort_unstable();
        let (mut ends, cell_count) = (Layer::default(), grid.extent().cell_count());
        for hop in &onwards {
            ends.set(cell_count, hop.here, 1);
            ends.set(cell_count, hop.there, 1);
        }
        let least = onwards.iter().map(|hop| hop.cost).min().unwrap_or(0);
        let most = onwards.iter().map(|hop| hop.cost).max().unwrap_or(0);
        let costs = least..=most;
        Self(Some(Arc::new(HopLists { onwards, back, ends, costs })))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether a link begins or ends at a cell.
    #[inline]
    pub(super) fn touch(&self, id: CellId) -> bool {
        self.0.as_ref().is_some_and(|lists| lists.ends.at(id) != 0)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |lists| {
            2 * lists.onwards.len() * size_of::<Hop>() + lists.ends.memory_bytes()
        })
    }

    fn leads_both_ways(&self) -> bool {
        self.0.as_ref().is_none_or(|lists| lists.onwards == lists.back)
    }
}

/// The ways of a link that agents of a grid can use.
fn hops_of(grid: &Grid, link: &Link) -> [Option<Hop>; 2] {
    let [from, to] = [link.from, link.to].map(|cell| grid.domain_of(cell));
    if link.kind.is_some_and(|kind| kind != grid.kind()) || from.is_none() || from != to {
        return [None; 2];
    }
    let [here, there] = [link.from, link.to].map(|cell| grid.extent().id_inside(cell));
    let there_and = Hop { here, there, cost: link.cost };
    let back = Hop { here: there, there: here, cost: link.cost };
    [Some(there_and), link.both_ways.then_some(back)]
}

impl Grid {
    /// Whether there are links that its agents can use.
    ///
    /// ```
    /// use highroad::grid::{Batch, Grid, KindId, Link};
    /// let mut grid = Grid::with_defaults("...\n".parse()?);
    /// grid.apply(Batch::new().open_link(Link::new((0, 0), (2, 0), 9).with_kind(KindId(0))))?;
    /// assert!(grid.has_links() && grid.is_shaped());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn has_links(&self) -> bool {
        !self.hops.is_empty()
    }

    /// Whether every link that its agents can use leads back at the same cost.
    pub(crate) fn links_lead_both_ways(&self) -> bool {
        self.hops.leads_both_ways()
    }

    /// Finds the links that agents can use. Returns the cells where other links begin or end than before.
    pub(super) fn find_hops(&mut self) -> Vec<Cell> {
        if self.hops.is_empty() && self.ground.map.links().all().is_empty() {
            return Vec::new();
        }
        let now = Hops::of(self);
        let before = std::mem::replace(&mut self.hops, now);
        let lists = [&before, &self.hops].map(|hops| match &hops.0 {
            Some(lists) => &lists.onwards[..],
            None => &[],
        });
        let only_in = |own: &'_ [Hop], other: &'_ [Hop]| -> Vec<Hop> {
            own.iter().filter(|hop| other.binary_search(hop).is_err()).copied().collect()
        };
        let differing = [only_in(lists[0], lists[1]), only_in(lists[1], lists[0])].concat();
        let ids = differing.iter().flat_map(|hop| [hop.here, hop.there]);
        ids.map(|id| self.extent().cell(id)).collect()
    }

    /// Keeps links in step with changes, if they or the terrain under them may be others. Returns the cells where other links
    /// begin or end than before.
    pub(super) fn follow_links(&mut self, changes: &[Change]) -> Vec<Cell> {
        let links = self.ground.map.links().all();
        let ends = || links.iter().flat_map(|link| [link.from, link.to]);
        let places = |change: &Change| self.places_over(change.rect);
        let concerned = |change: &Change| {
            change.link.is_some() || ends().any(|end| places(change).contains(end))
        };
        if changes.iter().any(concerned) { self.find_hops() } else { Vec::new() }
    }

    /// Calls `visit` with what the links from a cell lead to, or the links to it come from, and what they cost.
    #[inline]
    pub(crate) fn visit_links(
        &self,
        here: CellId,
        backwards: bool,
        mut visit: impl FnMut(CellId, u32),
    ) {
        if !self.hops.touch(here) {
            return;
        }
        let Some(lists) = &self.hops.0 else { return };
        let hops = if backwards { &lists.back } else { &lists.onwards };
        let first = hops.partition_point(|hop| hop.here < here);
        hops[first..]
            .iter()
            .take_while(|hop| hop.here == here)
            .for_each(|hop| visit(hop.there, hop.cost));
    }

    /// One way of each link that its agents can use: from, to, and what it costs; in the order of the first cells.
    pub(crate) fn usable_links(&self) -> impl Iterator<Item = (Cell, Cell, u32)> + '_ {
        let hops = self.hops.0.iter().flat_map(|lists| &lists.onwards);
        hops.map(|hop| (self.extent().cell(hop.here), self.extent().cell(hop.there), hop.cost))
    }

    /// The ends of links whose other ends lie under changes: a link leads nowhere while agents cannot stand on either.
    pub(super) fn far_ends(&self, changes: &[Change]) -> Vec<Cell> {
        let links = self.ground.map.links().all();
        let touched =
            |cell: Cell| changes.iter().any(|change| self.places_over(change.rect).contains(cell));
        let far = |link: &Link| {
            let [from, to] = [touched(link.from), touched(link.to)];
            [to.then_some(link.from), from.then_some(link.to)]
        };
        links.iter().flat_map(far).flatten().collect()
    }

    /// The least and the most that a link costs; `None` without links.
    pub(crate) fn link_costs(&self) -> Option<RangeInclusive<u32>> {
        self.hops.0.as_ref().map(|lists| lists.costs.clone())
    }

    /// What a link from a cell to a cell costs, if there is one.
    pub(super) fn link_cost(&self, from: CellId, to: CellId) -> Option<u32> {
        let mut found = None;
        self.visit_links(from, false, |there, cost| {
            if there == to {
                found = Some(cost);
            }
        });
        found
    }

    /// The least that a way costs that uses a link, by what the way from its end on costs at least; `None` without links.
    ///
    /// However a way begins, after its last link it goes from that link's end to a goal.
    pub(crate) fn least_by_links(&self, rest: impl Fn(Cell) -> u64) -> Option<u64> {
        let lists = self.hops.0.as_ref()?;
        let least = |hop: &Hop| u64::from(hop.cost) + rest(self.extent().cell(hop.there));
        lists.onwards.iter().map(least).min()
    }

    /// The link that a path uses between two of its cells that follow each other; `None` where it walks.
    pub(crate) fn link_between(&self, from: Cell, to: Cell) -> Option<Link> {
        let (here, there) = (self.extent().id(from)?, self.extent().id(to)?);
        let cost = self.link_cost(here, there)?;
        if self.walking_cost(from, to).is_some_and(|walking| walking <= cost) {
            return None;
        }
        let is_it = |link: &&Link| {
            let ends = (link.from, link.to) == (from, to)
                || (link.both_ways && (link.to, link.from) == (from, to));
            ends && link.cost == cost && link.kind.is_none_or(|kind| kind == self.kind())
        };
        self.ground.map.links().all().iter().find(is_it).copied()
    }
}

#[cfg(test)]
mod tests;

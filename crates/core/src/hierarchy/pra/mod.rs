//! Partial refinement A*: cells folded into cliques, cliques of cliques, up to one node for each connected
//! part of the map; a path on a coarse layer, refined.
//!
//! Sturtevant and Buro, "Partial Pathfinding Using Map Abstraction and Refinement" (2005); Harvanová's
//! thesis (2017), chapters 3.2 and 3.3, for edits.
//!
//! Where this deviates: a search begins on a layer chosen by its size, and by default the places along its
//! path are joined directly where they see each other, so that the layers between are looked at only where
//! they do not; every layer is patched in place when cells change; a node without neighbours has nothing
//! above it.
//!
//! Invariants, which [`Pra::verify`](crate::Planner::verify) checks: every node has exactly one parent, unless
//! it has no neighbours; the children of a node are connected among themselves; two nodes are linked exactly
//! when children of theirs are. So two cells can reach each other exactly when their topmost ancestors are
//! one.
//!
//! Where borders or heights let steps lead one way, and where the map has links, only steps both ways make neighbours
//! and groups. Other steps, and links, join nodes one way, on every layer; what is joined so has a parent as well, up to the
//! highest layer. A group can be crossed from any of its cells to any other, so that a path of a layer can always be
//! refined, and there is a path exactly where a layer has one.
//!
//! Building takes time linear in the cells; an edit looks at the groups around it, and at those above
//! as long as links change.

mod entry;
mod fold;
mod hops;
mod layer;
mod links;
mod patch;
mod pending;
mod query;
mod refine;
mod saved;
mod search;
mod sketch;
mod survey;
#[cfg(test)]
mod tests;
mod verify;

pub(crate) use entry::ENTRY;

use crate::environment::{BuildError, Watch};
use crate::grid::shared::Shared;
use crate::grid::{Cell, CellId, Edition, Extent, Grid, Movement, PaidCells};
use crate::planner::BOTH_WAYS;
use fold::{fold_cells, fold_layer};
use layer::{Cells, Joint, Kin, Layer, NONE};
use pending::Pending;
use std::sync::Arc;
use thiserror::Error;

/// On which layer the search for a path begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StartLayer {
    /// The lowest with few enough nodes, or a lower one where obstacles make ways between groups winding.
    /// Chosen when the abstraction is built, and again whenever a small part of the cells has changed.
    #[default]
    Automatic,
    /// Half the height of the abstraction, as in the thesis.
    Half,
    /// That one, or the highest that there is.
    Exactly(u8),
}

/// How a path on the start layer becomes one of cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refinement {
    /// Places along the path are joined where they see each other; layers between only where they do not.
    #[default]
    Lazy,
    /// Layer by layer, a search inside the corridor of the path above, down to the cells.
    Layers,
    /// As the thesis does: layer by layer, and the cells from group to group, each entered at the
    /// neighbour that seems best.
    Thesis,
    /// As [`Refinement::Thesis`], but each group is entered at the first neighbour found: the thesis before its smoothing.
    ThesisGreedy,
}

/// What can be chosen about a [`Pra`].
///
/// ```
/// use highroad::hierarchy::{PraOptions, StartLayer};
/// let options = PraOptions::default().with_start(StartLayer::Exactly(3)).with_margin(1);
/// assert_eq!((options.start, options.margin), (StartLayer::Exactly(3), 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PraOptions {
    /// On which layer a search begins.
    pub start: StartLayer,
    /// How many rings of neighbours widen a corridor, at most [`PraOptions::MARGIN_MAX`].
    pub margin: u8,
    /// Refine so many steps of a layer's path at a time, and report each leg: PRA*(k). `None` refines all
    /// at once.
    pub steps: Option<u16>,
    /// How a path becomes one of cells.
    pub refinement: Refinement,
    /// Whether paths are pulled taut.
    pub smooth: bool,
}

impl PraOptions {
    /// The widest margin.
    pub const MARGIN_MAX: u8 = 16;

    /// The same options with searches that begin on that layer.
    pub fn with_start(self, start: StartLayer) -> Self {
        Self { start, ..self }
    }

    /// The same options with corridors wider by so many rings of neighbours.
    pub fn with_margin(self, margin: u8) -> Self {
        Self { margin, ..self }
    }

    /// The same options with so many steps of a layer's path refined at a time: PRA*(k).
    pub fn with_steps(self, steps: u16) -> Self {
        Self { steps: Some(steps), ..self }
    }

    /// The same options with paths refined in that way.
    pub fn with_refinement(self, refinement: Refinement) -> Self {
        Self { refinement, ..self }
    }

    /// The same options, without smoothing of paths: faster, and paths are longer.
    pub fn without_smoothing(self) -> Self {
        Self { smooth: false, ..self }
    }
}

impl Default for PraOptions {
    fn default() -> Self {
        Self {
            start: StartLayer::default(),
            margin: 0,
            steps: None,
            refinement: Refinement::default(),
            smooth: true,
        }
    }
}

/// Why a [`Pra`] cannot be built.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::hierarchy::{Pra, PraOptions, PraOptionsError};
/// let grid = Grid::with_defaults("....\n".parse()?);
/// Pra::serves(&grid)?;
/// let error: PraOptionsError = Pra::build(&grid, PraOptions::default().with_margin(99)).unwrap_err();
/// assert_eq!(error.to_string(), "a margin of 99: it must be at most 16");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PraOptionsError {
    /// A margin is too wide.
    #[error("a margin of {0}: it must be at most {max}", max = PraOptions::MARGIN_MAX)]
    Margin(u8),
    /// No step is to be refined.
    #[error("refining no steps at a time: it must be at least one")]
    NoSteps,
    /// Cells differ in cost, and a step is paid for by the cell that it enters.
    #[error("{}", BOTH_WAYS)]
    OneWayCosts,
}

impl From<PraOptionsError> for BuildError {
    fn from(error: PraOptionsError) -> Self {
        Self::NotServed(error.to_string())
    }
}

/// PRA*: the cells of a grid joined into cliques, cliques into larger ones, and so on, as a planner. Near optimal; it
/// follows edits, and can give the first steps of a path before the rest is known.
///
/// ```
/// use highroad::grid::Grid;
/// use highroad::hierarchy::{Pra, PraOptions};
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
/// let pra = Pra::build(&grid, PraOptions::default())?;
/// assert!(pra.connected((0, 0), (3, 2)));
/// let path = pra.solve(&grid, &PathQuery::new((0, 0), (3, 2)), &mut Scratch::new())?.path();
/// assert_eq!(path.unwrap().length(), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pra {
    options: PraOptions,
    extent: Extent,
    /// The parents of cells.
    cells: Shared<Kin>,
    /// Layer 1 comes first.
    layers: Vec<Layer>,
    /// Where searches begin, unless options say otherwise.
    usual_layer: usize,
    /// Cells changed since that was chosen.
    wear: usize,
    movement: Arc<Movement>,
    /// The grid that it describes.
    grid: Edition,
    /// Its own: a query begun on one does not go on on another.
    own: Edition,
    pending: Pending,
}

impl Pra {
    /// Whether an abstraction of a grid can be built; the error says why not.
    pub fn serves(grid: &Grid) -> Result<(), PraOptionsError> {
        check_costs(grid)
    }

    /// Builds the abstraction. O(cells). Fails with a [`PraOptionsError`] if an option is out of range, or if cells differ
    /// in cost and steps are paid for by the [entered one](PaidCells::Entered).
    pub fn build(grid: &Grid, options: PraOptions) -> Result<Self, PraOptionsError> {
        check_options(grid, options)?;
        match Self::fold(grid, options, &mut Watch::none()) {
            Ok(pra) => Ok(pra),
            Err(_) => unreachable!("nobody stops a build that is not watched"),
        }
    }

    /// As [`Pra::build`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::hierarchy::{Pra, PraOptions, Refinement};
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let grid = Grid::with_defaults("....\n....\n".parse()?);
    /// let options = PraOptions::default().with_refinement(Refinement::Layers).with_steps(8);
    /// let mut go_on = |_done, _of| ControlFlow::Continue(());
    /// let pra = Pra::build_watched(&grid, options, &mut Watch::new(&mut go_on))?;
    /// assert!(pra.node_count(1) < pra.node_count(0), "cells in cliques of up to four");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_watched(
        grid: &Grid,
        options: PraOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        check_options(grid, options)?;
        Self::fold(grid, options, watch)
    }

    fn fold(grid: &Grid, options: PraOptions, watch: &mut Watch<'_>) -> Result<Self, BuildError> {
        /// Each layer has about a third of the nodes of the one below: after the first few, little is left to do.
        const LAYERS_THAT_COUNT: u64 = 6;
        watch.report(0, LAYERS_THAT_COUNT)?;
        let cells = Cells::new(grid);
        let mut kin = Shared::filled(Kin::NOBODY, grid.extent().cell_count());
        let mut at = |layers: u64| watch.report(layers.min(LAYERS_THAT_COUNT), LAYERS_THAT_COUNT);
        let mut layers = vec![fold_cells(&cells, &mut kin, &mut || at(0))?];
        let mut done = 1;
        while let Some(top) = layers.last_mut()
            && top.links.count() > 0
        {
            let above = fold_layer(top, &mut || at(done))?;
            layers.push(above);
            done += 1;
            at(done)?;
        }
        let mut pra = Self {
            options,
            extent: grid.extent(),
            cells: kin,
            layers,
            usual_layer: 0,
            wear: 0,
            movement: grid.shared_movement(),
            grid: grid.edition(),
            own: Edition::new(),
            pending: Pending::default(),
        };
        pra.usual_layer = pra.choose_layer(grid);
        Ok(pra)
    }

    /// What it was built with.
    pub fn options(&self) -> PraOptions {
        self.options
    }

    /// How many layers lie above the cells.
    pub fn layer_count(&self) -> usize {
        self.layers.len()
    }

    /// How many nodes a layer has; the cells are layer 0.
    pub fn node_count(&self, layer: usize) -> usize {
        match layer.checked_sub(1) {
            None => self.cells.len(),
            Some(above) => self.layers.get(above).map_or(0, Layer::node_count),
        }
    }

    /// Whether a path leads from one cell to another, by comparing their topmost ancestors. Only cells that
    /// agents may stand on are connected, even to themselves. Where steps or links lead one way, the topmost layer is
    /// searched: O(its nodes).
    pub fn connected(&self, a: impl Into<Cell>, b: impl Into<Cell>) -> bool {
        let (Some(a), Some(b)) = (self.extent.id(a.into()), self.extent.id(b.into())) else {
            return false;
        };
        if a == b {
            // A cell that is shut in has no parent, as has a blocked one.
            return true;
        }
        let (from, to) = (self.top(a.0), self.top(b.0));
        self.cells[a.index()].parent != NONE && (from == to || self.leads_to(from, to))
    }

    /// Whether ways lead from one topmost node to another.
    fn leads_to(&self, from: (usize, u32), to: (usize, u32)) -> bool {
        let highest = self.layers.len();
        let Some(top) = self.layers.last().filter(|top| !top.ways.is_empty()) else { return false };
        if (from.0, to.0) != (highest, highest) {
            return false;
        }
        let mut seen = vec![false; top.capacity()];
        let mut open = vec![from.1];
        seen[from.1 as usize] = true;
        while let Some(node) = open.pop() {
            for way in [Joint::Onwards, Joint::Link] {
                for &other in top.joined(way, node) {
                    if !std::mem::replace(&mut seen[other as usize], true) {
                        open.push(other);
                    }
                }
            }
        }
        seen[to.1 as usize]
    }

    /// The topmost ancestor of a cell, and its layer.
    fn top(&self, cell: u32) -> (usize, u32) {
        let (mut layer, mut node) = (0, cell);
        loop {
            let parent = self.kin(layer)[node as usize].parent;
            if parent == NONE {
                return (layer, node);
            }
            (layer, node) = (layer + 1, parent);
        }
    }

    /// The ancestor of a cell on a layer not above its topmost.
    fn ancestor(&self, cell: u32, layer: usize) -> u32 {
        (0..layer).fold(cell, |node, layer| self.kin(layer)[node as usize].parent)
    }

    /// The same on any layer; `None` above its topmost.
    fn ancestor_if_any(&self, cell: u32, layer: usize) -> Option<u32> {
        (0..layer).try_fold(cell, |node, layer| {
            let parent = self.kin(layer)[node as usize].parent;
            (parent != NONE).then_some(parent)
        })
    }

    /// What lies above the nodes of a layer.
    fn kin(&self, layer: usize) -> &Shared<Kin> {
        match layer.checked_sub(1) {
            None => &self.cells,
            Some(above) => &self.layers[above].kin,
        }
    }

    /// The children, on the layer below, of a node.
    fn children(&self, layer: usize, node: u32) -> impl Iterator<Item = u32> + Clone + '_ {
        self.layers[layer - 1].children(self.kin(layer - 1), node)
    }

    /// A cell of a node: that in its middle, or else the one of the child nearest to it, and so on down.
    fn cell_in(&self, layer: usize, node: u32) -> Cell {
        let Some(above) = layer.checked_sub(1) else {
            return self.extent.cell(CellId(node));
        };
        let place = self.layers[above].places[node as usize];
        if let Some(id) = self.extent.id(place.cell())
            && self.is_ancestor(id.0, layer, node)
        {
            return place.cell();
        }
        let distance = |child: u32| {
            let child = match above.checked_sub(1) {
                None => layer::LayerPoint::of_cell(self.extent.cell(CellId(child)), 0),
                Some(below) => self.layers[below].places[child as usize],
            };
            place.remoteness(child)
        };
        let nearest = self.children(layer, node).min_by_key(|&child| distance(child));
        nearest.map_or(place.cell(), |child| self.cell_in(above, child))
    }

    fn is_ancestor(&self, cell: u32, layer: usize, node: u32) -> bool {
        self.ancestor_if_any(cell, layer) == Some(node)
    }

    fn abstraction_bytes(&self) -> usize {
        self.cells.memory_bytes()
            + self.layers.iter().map(Layer::memory_bytes).sum::<usize>()
            + self.pending.memory_bytes()
    }
}

fn check_options(grid: &Grid, options: PraOptions) -> Result<(), PraOptionsError> {
    if options.margin > PraOptions::MARGIN_MAX {
        return Err(PraOptionsError::Margin(options.margin));
    }
    if options.steps == Some(0) {
        return Err(PraOptionsError::NoSteps);
    }
    check_costs(grid)
}

/// Whether what cells cost does not depend on the direction of a step; borders, heights and links may.
fn check_costs(grid: &Grid) -> Result<(), PraOptionsError> {
    let costs = grid.cost_range();
    let even = grid.movement().paid_cells() == PaidCells::Both || costs.start() == costs.end();
    if even { Ok(()) } else { Err(PraOptionsError::OneWayCosts) }
}

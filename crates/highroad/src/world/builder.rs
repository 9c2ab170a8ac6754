//! Building a world with planners.

use super::World;
use crate::frame::Frame;
use crate::planners::{Following, Planners};
use crate::recipe::{BuildWatch, RebuildError, Recipe};
use std::sync::Arc;
use thiserror::Error;

/// Changed cells up to which a batch is patched at once: some milliseconds of HPA*.
const PATCH_CELLS_MAX: usize = 16_384;

pub(crate) const FOLLOWING: Following =
    Following { patch_cells_max: PATCH_CELLS_MAX, lockstep_ticks: None, rest_ticks: 0 };

/// A world to be built, with the planners that it shall have. Begin with [`World::with`].
pub struct WorldBuilder {
    world: World,
    recipes: Vec<Arc<dyn Recipe>>,
    following: Following,
}

/// A planner that a world was to have cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("planner '{planner}': {error}")]
pub struct BuildWorldError {
    /// Which.
    pub planner: String,
    /// Why not.
    pub error: RebuildError,
}

impl World {
    /// A world that shall have a planner. Given several, the first that knows the map as it is
    /// answers; when none does, an exact search on the grid.
    pub fn with(self, recipe: impl Recipe + 'static) -> WorldBuilder {
        WorldBuilder { world: self, recipes: Vec::new(), following: FOLLOWING }.with(recipe)
    }

    /// The same world elsewhere in the game's space.
    pub fn in_frame(mut self, frame: Frame) -> Self {
        self.frame = frame;
        self
    }
}

impl WorldBuilder {
    /// One more planner, to answer where those before cannot.
    pub fn with(mut self, recipe: impl Recipe + 'static) -> Self {
        self.recipes.push(Arc::new(recipe));
        self
    }

    /// Follows batches of more changed cells in the background instead of at once; 0: all of them.
    pub fn patch_at_most(mut self, cells: usize) -> Self {
        self.following.patch_cells_max = cells;
        self
    }

    /// Makes a planner that cannot follow edits anew only when the map has stood still for so many
    /// [ticks](World::tick), and not after every edit. Meanwhile others answer: give one that follows
    /// edits as well.
    ///
    /// ```
    /// use highroad::{HpaOptions, HubOptions, PlannerStatus, Budget, Terrain, World};
    /// let mut world = World::new("....\n.##.\n....\n".parse()?)
    ///     .with(HubOptions::default())
    ///     .with(HpaOptions::default())
    ///     .rest(2)
    ///     .build()?;
    /// world.edit(|edit| { edit.set((0, 1), Terrain::WALL); })?;
    /// assert_eq!(world.planner_status(0), Some(PlannerStatus::Waiting { ticks: 2 }));
    /// assert!(world.find_path((0, 0), (3, 2))?.is_some(), "HPA* answers");
    /// world.tick(Budget::expansions(1000));
    /// world.tick(Budget::expansions(1000));
    /// world.finish_rebuilds();
    /// assert_eq!(world.planner_status(0), Some(PlannerStatus::Ready));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rest(mut self, ticks: u64) -> Self {
        self.following.rest_ticks = ticks;
        self
    }

    /// For games that run in step on several machines: a planner that is made in the background takes
    /// over exactly so many [ticks](World::tick) after it was begun, and is waited for if it is
    /// late. Every machine then answers by the same planner at the same tick.
    pub fn lockstep(mut self, ticks: u64) -> Self {
        self.following.lockstep_ticks = Some(ticks);
        self
    }

    /// Makes the planners and hands out the world.
    pub fn build(self) -> Result<World, BuildWorldError> {
        let Self { mut world, recipes, following } = self;
        world.planners = Planners::new(following);
        for recipe in recipes {
            let planner = recipe
                .build(&world.grid, &BuildWatch::default())
                .map_err(|error| BuildWorldError { planner: recipe.name(), error })?;
            world.planners.add(recipe, planner);
        }
        world.forget_snapshot();
        Ok(world)
    }
}

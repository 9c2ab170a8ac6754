//! Planners in saved worlds: the recipe of each, what it has precomputed if it can be saved, and how it stands.

use super::{
    Following, PlannerId, Planners, Rebuild, RebuildEvent, RebuildReport, Slot, State, Work,
    WorldId, WorldState, catch_up,
};
use crate::clock::Clock;
use crate::living::Saveable;
use crate::recipe::{BuildWatch, RebuildError, Recipe, RecipeOf};
use highroad_core::saved::{Encode, Reader, Writer};
use highroad_core::{
    CatchUp, KindId, LoadError, Planner, Revision, Scratch, Spec, encoded_enum, encoded_struct,
};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Planners that a saved world may have: each is built when it is loaded.
const PLANNERS_MAX: usize = 256;

/// Why a saved world or simulation cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LoadWorldError {
    /// The bytes were not saved so, or are damaged or forged.
    #[error(transparent)]
    Bytes(#[from] LoadError),
    /// A planner cannot be built again.
    #[error("planner '{planner}' cannot be built again: {error}")]
    Planner {
        /// Which planner.
        planner: String,
        /// Why not.
        error: RebuildError,
    },
    /// What a planner had precomputed cannot be loaded.
    #[error("the index of planner '{planner}' cannot be loaded: {error}")]
    Index {
        /// Which planner.
        planner: String,
        /// Why not.
        error: LoadError,
    },
    /// A planner is not of the catalog, and no recipe was given for it.
    #[error("planner '{planner}' is not of the catalog: give its recipe to load_with()")]
    NoRecipe {
        /// Which planner.
        planner: String,
    },
}

encoded_struct!(WorldId { 0: number });
encoded_struct!(Following {
    patch_cells_max: patch_cells_max,
    lockstep_ticks: lockstep_ticks,
    rest_ticks: rest_ticks,
});
encoded_struct!(PlannerId { world: world, number: number });
encoded_enum!(RebuildEvent, "reports" {
    0 => Started {},
    1 => Swapped {},
    2 => Failed { 0: reason },
});

impl Encode for RebuildReport {
    fn write(&self, writer: &mut Writer) {
        self.planner.write(writer);
        self.kind.write(writer);
        self.name.write(writer);
        self.event.write(writer);
        self.revision.write(writer);
        (self.took.as_micros() as u64).write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            planner: Encode::read(reader)?,
            kind: Encode::read(reader)?,
            name: Encode::read(reader)?,
            event: Encode::read(reader)?,
            revision: Encode::read(reader)?,
            took: Duration::from_micros(Encode::read(reader)?),
        })
    }
}

/// What a planner has precomputed, as bytes.
pub(crate) struct Index(pub(crate) Vec<u8>);

impl Encode for Index {
    fn write(&self, writer: &mut Writer) {
        writer.bytes(&self.0);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self(reader.bytes("indexes")?.to_vec()))
    }
}

/// How a planner stood.
enum SavedState {
    /// It was ready, with what it had precomputed, if that can be saved.
    Ready(Option<Index>),
    Waiting(u64),
    /// It was being built from the environment at that revision, to take over at that tick.
    Rebuilding(Revision, Option<u64>),
    Idle(RebuildError),
    /// It followed an edit, with what it had precomputed and what was left to do.
    CatchingUp(Index),
}

encoded_enum!(SavedState, "states of planners" {
    0 => Ready { 0: index },
    1 => Waiting { 0: until },
    2 => Rebuilding { 0: revision, 1: due },
    3 => Idle { 0: reason },
    4 => CatchingUp { 0: index },
});

impl<E: Saveable> Planners<E> {
    pub(crate) fn write(&self, kinds: &[E], writer: &mut Writer) {
        self.following.write(writer);
        self.swaps.write(writer);
        self.reports.iter().cloned().collect::<Vec<_>>().write(writer);
        self.slots.len().write(writer);
        for slot in &self.slots {
            slot.kind.write(writer);
            slot.recipe.spec().map(|spec| spec.to_string()).write(writer);
            slot.name.to_string().write(writer);
            slot.follows.write(writer);
            slot.swap.write(writer);
            let state = match &slot.state {
                // One that cannot be saved on the way is built again.
                State::CatchingUp(planner) => match planner.save(&kinds[slot.kind.index()]) {
                    Some(bytes) => SavedState::CatchingUp(Index(bytes)),
                    None => SavedState::Ready(None),
                },
                State::Ready(planner) => {
                    SavedState::Ready(planner.save(&kinds[slot.kind.index()]).map(Index))
                }
                State::Waiting(until) => SavedState::Waiting(*until),
                State::Rebuilding(Rebuild { order, due }) => {
                    SavedState::Rebuilding(order.revision, *due)
                }
                State::Idle(reason) => SavedState::Idle(reason.clone()),
            };
            state.write(writer);
        }
    }

    /// Reads what [`Planners::write`] has written. Planners that could not be saved are built again, for the
    /// environment as it is; those that were being built are begun again, for the environment as it was then.
    pub(crate) fn read(
        world: WorldId,
        reader: &mut Reader<'_>,
        now: WorldState<'_, E>,
        recipe_of: &RecipeOf<'_, E>,
        watch: &BuildWatch,
    ) -> Result<Self, LoadWorldError> {
        let following = Following::read(reader)?;
        let mut planners = Self::new(world, following, Clock::default());
        planners.swaps = u64::read(reader)?;
        planners.reports = VecDeque::from(Vec::<RebuildReport>::read(reader)?);
        let count = usize::read(reader)?;
        if count > PLANNERS_MAX || planners.swaps > u64::MAX / 2 {
            return Err(reader.malformed("numbers of planners").into());
        }
        for _ in 0..count {
            let slot = planners.read_slot(reader, now, recipe_of, watch)?;
            planners.slots.push(slot);
        }
        Ok(planners)
    }

    /// The planner of that number as it was for an environment: loaded if it was saved, else built.
    pub(crate) fn restored(
        &self,
        number: usize,
        environment: &E,
        index: Option<Index>,
    ) -> Result<Arc<dyn Planner<E>>, LoadWorldError> {
        let slot = &self.slots[number];
        let all = &mut { u64::MAX };
        let saved = SavedPlanner { name: &slot.name, spec: slot.recipe.spec(), index };
        let state = saved.restored(environment, &*slot.recipe, all, &BuildWatch::default())?;
        match state {
            State::Ready(planner) => Ok(planner),
            _ => Err(not_of_this_grid(&slot.name)),
        }
    }

    fn read_slot(
        &mut self,
        reader: &mut Reader<'_>,
        now: WorldState<'_, E>,
        recipe_of: &RecipeOf<'_, E>,
        watch: &BuildWatch,
    ) -> Result<Slot<E>, LoadWorldError> {
        let kind = KindId::read(reader)?;
        let spec = Option::<String>::read(reader)?;
        let name = String::read(reader)?;
        let (follows, swap) = (bool::read(reader)?, u64::read(reader)?);
        let state = SavedState::read(reader)?;
        let Some(environment) = now.kinds.get(kind.index()) else {
            return Err(reader.malformed("kinds of planners").into());
        };
        let spec = match spec.map(|text| text.parse::<Spec>()) {
            Some(Ok(spec)) => Some(spec),
            Some(Err(_)) => return Err(reader.malformed("recipes of planners").into()),
            None => None,
        };
        let given = recipe_of(&name);
        let recipe: Arc<dyn Recipe<E>> = match (given, &spec) {
            (Some(given), _) => given,
            (None, Some(spec)) => Arc::new(spec.clone()),
            (None, None) => return Err(LoadWorldError::NoRecipe { planner: name }),
        };
        let restore = |index| {
            let saved = SavedPlanner { name: &name, spec, index };
            saved.restored(environment, &*recipe, &mut 0, watch)
        };
        let state = match state {
            SavedState::Ready(index) => restore(index)?,
            SavedState::CatchingUp(index) => restore(Some(index))?,
            SavedState::Waiting(until) => State::Waiting(until),
            SavedState::Idle(reason) => State::Idle(reason),
            SavedState::Rebuilding(revision, due) => {
                let (then, revision) = match environment_at(now, kind, revision) {
                    Some(then) => (then, revision),
                    // So long ago that it would have been begun again anyway.
                    None => (environment.clone(), now.revision()),
                };
                let work = Work::Build(Arc::clone(&recipe));
                let order = self.worker.order(then, revision, work, self.clock);
                State::Rebuilding(Rebuild { order, due })
            }
        };
        Ok(Slot { kind, recipe, name: name.into(), swap, took: None, follows, state })
    }
}

/// A planner that was ready or followed an edit when it was saved.
struct SavedPlanner<'n> {
    name: &'n str,
    spec: Option<Spec>,
    index: Option<Index>,
}

impl SavedPlanner<'_> {
    /// The planner: loaded if it was saved, else built. One that was saved on the way goes on as far as `left` goes.
    fn restored<E: Saveable>(
        self,
        environment: &E,
        recipe: &dyn Recipe<E>,
        left: &mut u64,
        watch: &BuildWatch,
    ) -> Result<State<E>, LoadWorldError> {
        let planner = self.name.to_owned();
        if watch.is_stopped() {
            return Err(LoadWorldError::Planner { planner, error: RebuildError::Stopped });
        }
        if let (Some(spec), Some(Index(bytes))) = (self.spec, self.index)
            && let Some(loaded) = spec.load(&bytes, environment)
        {
            let mut loaded: Arc<dyn Planner<E>> = match loaded {
                Ok(loaded) => Arc::from(loaded),
                Err(error) => return Err(LoadWorldError::Index { planner, error }),
            };
            return match catch_up(&mut loaded, environment, &[], &mut Scratch::new(), left) {
                Ok(CatchUp::Done) => Ok(State::Ready(loaded)),
                Ok(CatchUp::Unfinished) => Ok(State::CatchingUp(loaded)),
                Ok(CatchUp::NeedsRebuild) | Err(_) => Err(not_of_this_grid(self.name)),
            };
        }
        match recipe.build(environment, watch) {
            Ok(built) => Ok(State::Ready(Arc::from(built))),
            Err(error) => Err(LoadWorldError::Planner { planner, error }),
        }
    }
}

fn not_of_this_grid(name: &str) -> LoadWorldError {
    LoadWorldError::Index { planner: name.to_owned(), error: LoadError::OtherGrid }
}

/// The environment of a kind as it was at a revision that the journal remembers.
pub(crate) fn environment_at<E: Saveable>(
    now: WorldState<'_, E>,
    kind: KindId,
    revision: Revision,
) -> Option<E> {
    let changes: Vec<E::Change> = now.journal.since(revision)?.cloned().collect();
    let mut kinds = now.kinds.to_vec();
    E::apply_to_all(&mut kinds, &E::undoing(&changes)).ok()?;
    kinds.into_iter().nth(kind.index())
}

//! Worlds as bytes.

use super::PathWorld;
use super::history::History;
use crate::coordinates::Coordinates;
use crate::living::Saveable;
use crate::planners::{LoadWorldError, Planners, WorldId, WorldState};
use crate::recipe::{BuildWatch, Recipe, RecipeOf};
use crate::requests::{Requests, Surroundings};
use highroad_core::saved::{Encode, Reader, Writer};
use highroad_core::{Journal, LoadError, Revision};
use std::sync::Arc;

/// Kinds of agents that a saved world may have: each takes bit layers as large as the map.
const KINDS_MAX: usize = 256;

impl<E: Saveable> PathWorld<E> {
    /// The whole world as bytes: the environment, the kinds of agents with their names, movements and own surcharges,
    /// the revision, the journal, what can be undone, the coordinates, the tick, the planners, requests that wait or are
    /// worked on, answers that nobody has taken, and reports.
    ///
    /// A planner is saved by its [recipe](Recipe::spec). What it has precomputed is saved as well, if it
    /// [can be](crate::planner::Planner::save): PRA* can, so that it is the same after loading, with the groups that edits
    /// have left. HPA* is built again: however many edits it has followed, it is the same as one that was just built.
    ///
    /// The loaded world gives the same answers at the same ticks as this one, if the budget is in expansions and the
    /// world in [lockstep](super::WorldBuilder::with_lockstep) or nothing is being built. What is *not* saved: readers,
    /// snapshots, working memory. What may differ:
    ///
    /// * Region hierarchies of graphs (`regions` and `entrances`) are built again. Edits leave the regions as they are,
    ///   a build may choose others: answers stay within what they promise, but may be other paths.
    /// * Outside lockstep a planner takes over as soon as it is built, which depends on the machine.
    /// * A planner that has not followed a large edit to the end and cannot be saved, such as HPA*, is built again, and
    ///   answers sooner than the original. PRA* goes on where it was.
    /// * A request that edits have outdated so often that it goes on on the map as it was begins again if the journal does
    ///   not remember that map any more.
    /// * Planners of your own that cannot be saved and depend on the history of edits.
    ///
    /// Takes time and memory in proportion to the map and to what planners have precomputed.
    ///
    /// ```
    /// use highroad::{PathWorld, Terrain};
    /// use highroad::hierarchy::PraOptions;
    /// let map = "........\n........\n........\n".parse()?;
    /// let mut world = PathWorld::new(map).with_planner(PraOptions::default()).build()?;
    /// world.edit(|edit| _ = edit.set((3, 1), Terrain::WALL))?;
    ///
    /// let mut loaded: PathWorld = PathWorld::load(&world.save())?; // the type says: a world of a grid
    /// assert_eq!(loaded.revision(), world.revision());
    /// assert_eq!(loaded.find_path((0, 1), (7, 1))?, world.find_path((0, 1), (7, 1))?);
    /// loaded.undo().expect("what can be undone is saved");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(E::KIND, 0);
        self.id.write(&mut writer);
        E::write_kinds(&self.kinds, &mut writer);
        self.names.to_vec().write(&mut writer);
        self.journal.complete_since().write(&mut writer);
        let journal = self.journal.batches().map(|(revision, batch)| (revision, batch.to_vec()));
        journal.collect::<Vec<_>>().write(&mut writer);
        let history = self.history.batches().map(<[_]>::to_vec);
        history.collect::<Vec<_>>().write(&mut writer);
        self.history.undone().map(<[_]>::to_vec).collect::<Vec<_>>().write(&mut writer);
        self.coordinates.origin().write(&mut writer);
        self.coordinates.cell_size().write(&mut writer);
        self.tick.write(&mut writer);
        self.planners.write(&self.kinds, &mut writer);
        let now = WorldState { kinds: &self.kinds, journal: &self.journal, tick: self.tick };
        let around = Surroundings { now, planners: &self.planners };
        self.requests.write(&around, &mut writer);
        writer.finish()
    }

    /// The world that [`PathWorld::save`] has written. It has the id of that world: tickets and planners' ids are
    /// valid here, too.
    ///
    /// The bytes need not be trusted: whatever they are, nothing panics, and loading takes memory in proportion to the
    /// bytes, the kinds, at most 256, and the planners, at most 256, which are built as the bytes say. A forged world may
    /// have other paths than it should.
    ///
    /// # Errors
    /// If the bytes are not those of a world of this version, are damaged or make no sense, or if a planner cannot be
    /// built or is not of the catalog.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadWorldError> {
        Self::load_with(bytes, |_| None)
    }

    /// As [`PathWorld::load`], with planners that are not of the catalog: `recipe_of` gives the recipe of a planner by its
    /// [name](Recipe::name). It comes before the saved recipe of a planner of the catalog.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::online::GridSearch;
    /// use highroad::search::Weight;
    /// use highroad::world::{LoadWorldError, Recipe};
    /// use std::sync::Arc;
    /// let search = GridSearch::astar().with_weight(Weight::new(1.25)?);
    /// let world = PathWorld::new("....\n".parse()?).with_planner(search.clone()).build()?;
    /// let bytes = world.save();
    /// let refused: Result<PathWorld, _> = PathWorld::load(&bytes);
    /// assert!(matches!(refused, Err(LoadWorldError::NoRecipe { .. })));
    /// let mut loaded: PathWorld = PathWorld::load_with(&bytes, |name| match name {
    ///     "grid search" => Some(Arc::new(search.clone()) as Arc<dyn Recipe>),
    ///     _ => None,
    /// })?;
    /// assert!(loaded.find_path((0, 0), (3, 0))?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_with(
        bytes: &[u8],
        recipe_of: impl Fn(&str) -> Option<Arc<dyn Recipe<E>>>,
    ) -> Result<Self, LoadWorldError> {
        Self::load_watched(bytes, recipe_of, &BuildWatch::default())
    }

    /// As [`PathWorld::load_with`], with the progress of the planner that is being built, if one could not be saved. Fails
    /// with [`RebuildError::Stopped`](super::RebuildError::Stopped) when the watch is stopped, from any thread. The map and
    /// each saved index are read in one piece.
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::hierarchy::HpaOptions;
    /// use highroad::world::{BuildWatch, LoadWorldError, RebuildError};
    /// let bytes = PathWorld::new("....\n....\n".parse()?).with_planner(HpaOptions::default()).build()?.save();
    /// let watch = BuildWatch::default();
    /// assert!(PathWorld::<highroad::grid::Grid>::load_watched(&bytes, |_| None, &watch).is_ok());
    /// watch.stop(); // mostly by another thread
    /// let stopped = PathWorld::<highroad::grid::Grid>::load_watched(&bytes, |_| None, &watch).err();
    /// assert!(matches!(stopped, Some(LoadWorldError::Planner { error: RebuildError::Stopped, .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load_watched(
        bytes: &[u8],
        recipe_of: impl Fn(&str) -> Option<Arc<dyn Recipe<E>>>,
        watch: &BuildWatch,
    ) -> Result<Self, LoadWorldError> {
        let mut reader = Reader::new(bytes, E::KIND, || 0)?;
        let world = Self::read(&mut reader, &recipe_of, watch)?;
        reader.finish()?;
        Ok(world)
    }

    fn read(
        reader: &mut Reader<'_>,
        recipe_of: &RecipeOf<'_, E>,
        watch: &BuildWatch,
    ) -> Result<Self, LoadWorldError> {
        let id = WorldId::read(reader)?;
        let mut kinds = E::read_kinds(reader, KINDS_MAX)?;
        kinds.iter_mut().for_each(E::know_parts);
        let names = Vec::<String>::read(reader)?;
        if names.len() != kinds.len() {
            return Err(reader.malformed("names of kinds").into());
        }
        let (journal, history) = read_changes(reader, &kinds)?;
        let (origin, cell_size) = (Encode::read(reader)?, f64::read(reader)?);
        let coordinates =
            Coordinates::new(origin, cell_size).map_err(|_| reader.malformed("coordinates"))?;
        let tick = u64::read(reader)?;
        if tick > u64::MAX / 2 {
            return Err(reader.malformed("ticks").into());
        }
        let now = WorldState { kinds: &kinds, journal: &journal, tick };
        let planners = Planners::read(id, reader, now, recipe_of, watch)?;
        let around = Surroundings { now, planners: &planners };
        let requests = Requests::read(id, reader, &around)?;
        let first = kinds.remove(0);
        let mut world = Self::on(first);
        world.kinds.append(&mut kinds);
        world.id = id;
        world.names = names.into();
        world.journal = journal;
        world.history = history;
        world.planners = planners;
        world.requests = requests;
        world.coordinates = coordinates;
        world.tick = tick;
        Ok(world)
    }
}

/// The journal and what can be undone, of changes that could have been made to these environments.
#[allow(clippy::type_complexity)]
fn read_changes<E: Saveable>(
    reader: &mut Reader<'_>,
    kinds: &[E],
) -> Result<(Journal<E::Change>, History<E::Change>), LoadError> {
    let possible = |batch: &[E::Change]| batch.iter().all(|change| E::is_possible(kinds, change));
    let complete_since = Revision::read(reader)?;
    let mut journal = Journal::new(complete_since, super::JOURNAL_CHANGES_MAX);
    let mut latest = complete_since;
    for (revision, batch) in Vec::<(Revision, Vec<E::Change>)>::read(reader)? {
        if revision <= latest || !possible(&batch) {
            return Err(reader.malformed("journals"));
        }
        latest = revision;
        journal.record(revision, batch);
    }
    if latest != kinds[0].revision() {
        return Err(reader.malformed("journals"));
    }
    let mut history = History::new(super::JOURNAL_CHANGES_MAX);
    for batch in Vec::<Vec<E::Change>>::read(reader)? {
        if !possible(&batch) {
            return Err(reader.malformed("batches to be undone"));
        }
        history.push(batch.into());
    }
    for batch in Vec::<Vec<E::Change>>::read(reader)? {
        if !possible(&batch) {
            return Err(reader.malformed("batches to be made again"));
        }
        history.push_undone(batch.into());
    }
    Ok((journal, history))
}

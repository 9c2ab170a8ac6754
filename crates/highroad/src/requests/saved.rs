//! Requests in saved worlds: those that wait, those that are worked on, and answers that nobody has taken.
//!
//! A search under way is saved as what it was begun on and how it was sliced: the loaded world repeats it.

use super::field::{Aim, FieldUnit, FieldWork, KeptField, Purpose};
use super::held::{Held, HeldEnvironment, HeldPlanner};
use super::queue::{Entry, EntryState, Turn};
use super::search::{ONLINE, Search};
use super::slices::Slices;
use super::unit::{Task, Unit};
use super::wave::UNITS_MAX;
use super::{Budget, Reply, ReplyOf, Request, RequestError, Requests, Ticket, Wanted};
use crate::living::Saveable;
use crate::planners::{Index, LoadWorldError, Planners, WorldId, WorldState, environment_at};
use highroad_core::saved::{Encode, Reader, Writer};
use highroad_core::{Edition, KindId, LoadError, Path, Revision, encoded_enum, encoded_struct};
use std::cmp::Reverse;
use std::sync::Arc;

encoded_struct!(Ticket { world: world, entry: entry, sequence: sequence });
encoded_struct!(Budget { expansions: expansions, micros: micros });
encoded_enum!(RequestError<R>, [R], "refused requests" {
    0 => Query { 0: error },
    1 => NoSuchKind { 0: kind },
    2 => Unknown {},
    3 => Panicked {},
});
encoded_enum!(Reply<P, R>, [P, R], "replies" {
    0 => Pending {},
    1 => Leg { 0: path },
    2 => Ready { 0: path },
    3 => Unreachable { 0: path },
    4 => GaveUp { 0: path },
    5 => Each { 0: paths },
    6 => Range { 0: places },
    7 => Failed { 0: error },
});

impl<P: Encode + Copy> Encode for Request<P> {
    fn write(&self, writer: &mut Writer) {
        match &self.wanted {
            Wanted::Path(query) => {
                0u8.write(writer);
                query.write(writer);
            }
            Wanted::Nearest(query) => {
                1u8.write(writer);
                query.write(writer);
            }
            Wanted::Each { start, goals } => {
                2u8.write(writer);
                start.write(writer);
                goals.write(writer);
            }
            Wanted::Range { start, cost_max } => {
                3u8.write(writer);
                start.write(writer);
                cost_max.write(writer);
            }
        }
        self.priority.write(writer);
        self.kind.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let wanted = match u8::read(reader)? {
            0 => Wanted::Path(Encode::read(reader)?),
            1 => Wanted::Nearest(Encode::read(reader)?),
            2 => Wanted::Each { start: Encode::read(reader)?, goals: Encode::read(reader)? },
            3 => Wanted::Range { start: Encode::read(reader)?, cost_max: Encode::read(reader)? },
            _ => return Err(reader.malformed("requests")),
        };
        Ok(Self { wanted, priority: Encode::read(reader)?, kind: Encode::read(reader)? })
    }
}

impl Encode for Slices {
    fn write(&self, writer: &mut Writer) {
        self.runs().to_vec().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let runs = Vec::<(u64, u64)>::read(reader)?;
        // A slice of nothing could be repeated for ever.
        if runs.iter().any(|&(slice, count)| slice == 0 || count == 0 || count > u64::MAX / 2) {
            return Err(reader.malformed("slices"));
        }
        Ok(Self::of(runs))
    }
}

impl<P: Encode + Copy> Encode for Aim<P> {
    fn write(&self, writer: &mut Writer) {
        let (place, cost_max) = match *self {
            Self::Towards(goal) => (goal, None),
            Self::AwayFrom(start, cost_max) => (start, Some(cost_max)),
        };
        place.write(writer);
        cost_max.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let place = P::read(reader)?;
        let cost_max = Option::<u64>::read(reader)?;
        Ok(cost_max.map_or(Self::Towards(place), |cost_max| Self::AwayFrom(place, cost_max)))
    }
}

/// What requests are saved and loaded with.
pub(crate) struct Surroundings<'w, E: Saveable> {
    pub(crate) now: WorldState<'w, E>,
    pub(crate) planners: &'w Planners<E>,
}

impl<E: Saveable> Requests<E> {
    pub(crate) fn write(&self, around: &Surroundings<'_, E>, writer: &mut Writer) {
        self.next_sequence.write(writer);
        self.share_min.write(writer);
        self.free.write(writer);
        self.entries.len().write(writer);
        for entry in &self.entries {
            entry.request.write(writer);
            entry.sequence.write(writer);
            match &entry.state {
                EntryState::Free => 0u8.write(writer),
                EntryState::Queued => 1u8.write(writer),
                EntryState::Active => 2u8.write(writer),
                EntryState::Answered(reply) => {
                    3u8.write(writer);
                    reply.write(writer);
                }
            }
            entry.leg.write(writer);
            entry.alone.write(writer);
        }
        self.units.len().write(writer);
        for unit in &self.units {
            let (priority, Reverse(sequence), index) = unit.turn;
            priority.write(writer);
            (sequence, index).write(writer);
            match &unit.task {
                Task::Search(search) => self.write_search(search, around, writer),
                Task::Field(unit) => write_field_unit(unit, around.now.kinds, writer),
            }
        }
        self.kept.len().write(writer);
        for kept in &self.kept {
            kept.goal.write(writer);
            write_work(&kept.work, kept.goal.0, around.now.kinds, writer);
        }
    }

    fn write_search(&self, search: &Search<E>, around: &Surroundings<'_, E>, writer: &mut Writer) {
        0u8.write(writer);
        search.entry.write(writer);
        search.planner.map(planner_word).write(writer);
        let kind = search.entry.map(|entry| self.entries[entry as usize].request.kind);
        let is_current =
            kind.is_some_and(|kind| search.is_current(around.now.kinds, around.planners, kind));
        is_current.write(writer);
        search.slices.write(writer);
        search.restarts.write(writer);
        let may_go_on = |held: &&Held<E>| {
            search.planner.is_some_and(|number| held.may_go_on(number, around.planners))
        };
        let held = search.held.as_deref().filter(may_go_on);
        held.map(|held| held.place.revision).write(writer);
        held.and_then(|held| held.saved_planner()).write(writer);
    }

    /// Reads what [`Requests::write`] has written.
    pub(crate) fn read(
        world: WorldId,
        reader: &mut Reader<'_>,
        around: &Surroundings<'_, E>,
    ) -> Result<Self, LoadWorldError> {
        let mut requests = Self::new(world);
        requests.next_sequence = u64::read(reader)?;
        requests.share_min = usize::read(reader)?.max(1);
        requests.free = Vec::read(reader)?;
        let count = usize::read(reader)?;
        if requests.next_sequence > u64::MAX / 2 || count > reader.left() {
            return Err(reader.malformed("requests").into());
        }
        for index in 0..count {
            let (entry, queued) = read_entry(reader, around.now.kinds)?;
            if entry.sequence >= requests.next_sequence {
                return Err(reader.malformed("requests").into());
            }
            let waits = queued || matches!(entry.state, EntryState::Active);
            requests.waiting += usize::from(waits);
            requests.entries.push(entry);
            if queued {
                requests.enqueue(index as u32);
            }
        }
        let units = usize::read(reader)?;
        if units > UNITS_MAX {
            return Err(reader.malformed("searches").into());
        }
        for _ in 0..units {
            let unit = requests.read_unit(reader, around)?;
            requests.units.push(unit);
        }
        let kept = usize::read(reader)?;
        if kept > reader.left() {
            return Err(reader.malformed("fields").into());
        }
        for _ in 0..kept {
            let goal = <(KindId, E::Place)>::read(reader)?;
            let work = read_work(reader, goal.0, around)?;
            requests.kept.push(KeptField { goal, work });
        }
        match requests.is_consistent() {
            true => Ok(requests),
            false => Err(reader.malformed("requests").into()),
        }
    }

    fn read_unit(
        &self,
        reader: &mut Reader<'_>,
        around: &Surroundings<'_, E>,
    ) -> Result<Unit<E>, LoadWorldError> {
        let priority = u8::read(reader)?;
        let (sequence, index) = <(u64, u32)>::read(reader)?;
        let turn: Turn = (priority, Reverse(sequence), index);
        let task = match u8::read(reader)? {
            0 => Task::Search(Box::new(self.read_search(reader, around)?)),
            1 => Task::Field(Box::new(read_field_unit(reader, around)?)),
            _ => return Err(reader.malformed("searches").into()),
        };
        Ok(Unit { turn, task, spent: 0 })
    }

    fn read_search(
        &self,
        reader: &mut Reader<'_>,
        around: &Surroundings<'_, E>,
    ) -> Result<Search<E>, LoadWorldError> {
        let entry = Option::<u32>::read(reader)?;
        let planner = Option::<u64>::read(reader)?.map(planner_number);
        let is_current = bool::read(reader)?;
        let slices = Slices::read(reader)?;
        let restarts = u32::read(reader)?;
        if restarts > u32::MAX / 2 {
            return Err(reader.malformed("searches").into());
        }
        let held_at = Option::<Revision>::read(reader)?;
        let index = Option::<Index>::read(reader)?;
        let kind = entry
            .and_then(|entry| self.entries.get(entry as usize))
            .map(|entry| entry.request.kind);
        let environment = kind.and_then(|kind| around.now.kinds.get(kind.index()));
        let begun_on = match (environment, planner) {
            (Some(environment), Some(number)) if is_current => {
                Some((environment.edition(), around.planners.swap(number)))
            }
            _ => None,
        };
        let mut search = Search::repeating(entry, planner, begun_on, slices, restarts);
        let held = match (held_at, planner, kind) {
            (Some(revision), Some(number), Some(kind)) => {
                held_again(around, kind, revision, number, index)?
            }
            _ => None,
        };
        if held_at.is_some() && held.is_none() {
            // What the journal does not remember is begun again.
            search.planner = None;
        }
        search.held = held.map(Box::new);
        Ok(search)
    }

    /// Whether everybody who waits is worked for exactly once, and by something that can answer.
    fn is_consistent(&self) -> bool {
        let mut seen = vec![false; self.entries.len()];
        let mut once = |index: u32| match seen.get_mut(index as usize) {
            Some(seen) => !std::mem::replace(seen, true),
            None => false,
        };
        let state = |index: u32| self.entries.get(index as usize).map(|entry| &entry.state);
        let free = self
            .free
            .iter()
            .all(|&index| once(index) && matches!(state(index), Some(EntryState::Free)));
        let worked = self.units.iter().all(|unit| {
            unit.is_wanted()
                && match &unit.task {
                    Task::Search(search) => search.entry.into_iter().all(&mut once),
                    Task::Field(unit) => unit.entries().all(&mut once),
                }
                && self.can_answer(unit)
        });
        let expected =
            |entry: &Entry<E>| matches!(entry.state, EntryState::Free | EntryState::Active);
        free && worked
            && self.entries.iter().zip(&seen).all(|(entry, &seen)| expected(entry) == seen)
    }

    /// Whether a unit is of the kind that answers its requests.
    fn can_answer(&self, unit: &Unit<E>) -> bool {
        let entry = |index: u32| self.entries.get(index as usize);
        let active =
            |index: u32| entry(index).filter(|entry| matches!(entry.state, EntryState::Active));
        match &unit.task {
            Task::Search(search) => search.entry.and_then(active).is_some_and(|entry| {
                matches!(entry.request.wanted, Wanted::Path(_) | Wanted::Nearest(_))
            }),
            Task::Field(field) => match (&field.purpose, field.work.aim) {
                (Purpose::Goal { goal, entries, .. }, Aim::Towards(aim)) if *goal == aim => {
                    let shares = |entry: &Entry<E>| {
                        entry.ends().is_some_and(|(_, shared)| shared == (field.kind, *goal))
                    };
                    entries.iter().all(|&index| active(index).is_some_and(shares))
                }
                (Purpose::One { entry, .. }, Aim::AwayFrom(..)) => {
                    entry.and_then(active).is_some_and(|entry| {
                        let wanted = &entry.request.wanted;
                        let by_field = matches!(wanted, Wanted::Each { .. } | Wanted::Range { .. });
                        by_field && entry.request.kind == field.kind
                    })
                }
                _ => false,
            },
        }
    }
}

/// The number of a planner, or that of the exact search, the same on every machine.
fn planner_word(number: usize) -> u64 {
    if number == ONLINE { u64::MAX } else { number as u64 }
}

fn planner_number(word: u64) -> usize {
    usize::try_from(word).unwrap_or(ONLINE)
}

/// Whether a path of the present revision can be walked.
fn is_good<E: Saveable>(environment: Option<&E>, path: &Path<E::Place>) -> bool {
    environment.is_none_or(|environment| {
        path.revision() != environment.revision() || path.validate(environment).is_ok()
    })
}

/// What a search has gone on with, as it was at a revision; `None` if the journal does not remember it.
fn held_again<E: Saveable>(
    around: &Surroundings<'_, E>,
    kind: KindId,
    revision: Revision,
    number: usize,
    index: Option<Index>,
) -> Result<Option<Held<E>>, LoadWorldError> {
    let Some(environment) = environment_at(around.now, kind, revision) else { return Ok(None) };
    let planner = match around.planners.recipe(number) {
        None if number == ONLINE => None,
        None => return Ok(None),
        Some(recipe) => {
            let planner = around.planners.restored(number, &environment, index)?;
            Some(HeldPlanner { planner, recipe: Arc::clone(recipe) })
        }
    };
    Ok(Some(Held { place: HeldEnvironment { environment, revision }, planner }))
}

/// An entry, and whether it waits in the queue. Paths of the present revision are checked.
fn read_entry<E: Saveable>(
    reader: &mut Reader<'_>,
    kinds: &[E],
) -> Result<(Entry<E>, bool), LoadError> {
    let request = Request::<E::Place>::read(reader)?;
    let sequence = u64::read(reader)?;
    let environment = kinds.get(request.kind.index());
    let is_good = |path: &Path<E::Place>| is_good(environment, path);
    let (state, queued) = match u8::read(reader)? {
        0 => (EntryState::Free, false),
        1 => (EntryState::Free, true),
        2 if environment.is_some() => (EntryState::Active, false),
        3 => {
            let reply = ReplyOf::<E>::read(reader)?;
            let good = match &reply {
                Reply::Ready(path) | Reply::Unreachable(path) | Reply::GaveUp(path) => {
                    is_good(path)
                }
                Reply::Each(paths) => paths.iter().flatten().all(is_good),
                Reply::Range(_) | Reply::Failed(_) => true,
                Reply::Pending | Reply::Leg(_) => false,
            };
            if !good {
                return Err(reader.malformed("replies"));
            }
            (EntryState::Answered(reply), false)
        }
        _ => return Err(reader.malformed("requests")),
    };
    let leg = Option::<Path<E::Place>>::read(reader)?;
    if !leg.iter().all(is_good) {
        return Err(reader.malformed("legs"));
    }
    let alone = bool::read(reader)?;
    Ok((Entry { request, sequence, state, leg, alone }, queued))
}

fn write_field_unit<E: Saveable>(unit: &FieldUnit<E>, kinds: &[E], writer: &mut Writer) {
    1u8.write(writer);
    unit.kind.write(writer);
    match &unit.purpose {
        Purpose::Goal { goal, entries, next } => {
            Some(*goal).write(writer);
            entries.write(writer);
            next.write(writer);
        }
        Purpose::One { entry, .. } => {
            None::<E::Place>.write(writer);
            entry.iter().copied().collect::<Vec<u32>>().write(writer);
            0usize.write(writer);
        }
    }
    let paths = match &unit.purpose {
        Purpose::One { paths, .. } => &paths[..],
        Purpose::Goal { .. } => &[],
    };
    paths.to_vec().write(writer);
    unit.restarts.write(writer);
    write_work(&unit.work, unit.kind, kinds, writer);
}

fn read_field_unit<E: Saveable>(
    reader: &mut Reader<'_>,
    around: &Surroundings<'_, E>,
) -> Result<FieldUnit<E>, LoadError> {
    let kind = KindId::read(reader)?;
    let goal = Option::<E::Place>::read(reader)?;
    let entries = Vec::<u32>::read(reader)?;
    let next = usize::read(reader)?;
    let paths = Vec::<Option<Path<E::Place>>>::read(reader)?;
    let restarts = u32::read(reader)?;
    let environment = around.now.kinds.get(kind.index());
    let good = paths.iter().flatten().all(|path| is_good(environment, path));
    let purpose = match goal {
        Some(goal) => Purpose::Goal { goal, entries, next },
        None => Purpose::One { entry: entries.first().copied(), paths },
    };
    let work = read_work(reader, kind, around)?;
    if restarts > u32::MAX / 2 || !good {
        return Err(reader.malformed("fields"));
    }
    Ok(FieldUnit { restarts, ..FieldUnit::new(kind, work, purpose) })
}

fn write_work<E: Saveable>(work: &FieldWork<E>, kind: KindId, kinds: &[E], writer: &mut Writer) {
    work.aim.write(writer);
    let is_current = kinds.get(kind.index()).is_some_and(|kind| work.is_current(kind));
    is_current.write(writer);
    work.slices.write(writer);
    work.held.as_ref().map(|held| held.revision).write(writer);
}

fn read_work<E: Saveable>(
    reader: &mut Reader<'_>,
    kind: KindId,
    around: &Surroundings<'_, E>,
) -> Result<FieldWork<E>, LoadError> {
    let aim = Aim::read(reader)?;
    let is_current = bool::read(reader)?;
    let slices = Slices::read(reader)?;
    let held_at = Option::<Revision>::read(reader)?;
    let Some(environment) = around.now.kinds.get(kind.index()) else {
        return Err(reader.malformed("fields"));
    };
    let held = held_at.and_then(|revision| {
        let environment = environment_at(around.now, kind, revision)?;
        Some(HeldEnvironment { environment, revision })
    });
    // An edition that nothing has: it is begun again when its turn comes.
    let edition = if is_current { environment.edition() } else { Edition::new() };
    let mut work = FieldWork::repeating(aim, edition, slices);
    work.held = held;
    Ok(work)
}

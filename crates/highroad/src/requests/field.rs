//! A field in progress, and the requests that it answers.

use super::held::HeldEnvironment;
use super::search::SearchContext;
use super::slices::Slices;
use super::{Reply, ReplyOf, SharedGoal, Wanted};
use crate::field_paths::is_out_of_reach;
use crate::living::{Living, LivingField, Refused};
use highroad_core::{Cost, Edition, FieldMemory, KindId, Path};

/// A field settles a cell in a fraction of the time that an abstract search takes for a node.
const SLICES: u64 = 4;
/// Steps of a path that is read off a field, or requests looked at, that count as an expansion.
const STEPS_A_UNIT: u64 = 8;
/// Places that are looked at for the list of a range that count as an expansion.
const LOOKS_A_UNIT: u64 = 64;
/// Requests that a field looks at in a row, whether it has settled their starts.
const LOOKS_MAX: usize = 64;
/// Times that an edit may make a field begin again before its requests are searched one by one if it is shared, or before
/// it goes on in the environment as it was.
pub(super) const RESTARTS_MAX: u32 = 2;

/// A field in progress.
pub(super) struct FieldUnit<E: Living> {
    pub(super) kind: KindId,
    pub(super) work: FieldWork<E>,
    pub(super) purpose: Purpose<E::Place>,
    pub(super) restarts: u32,
    pub(super) failed: Option<Refused<E>>,
    /// Replies for requests that are to be handed out; `None`: they are to be searched for by themselves.
    pub(super) replies: Vec<(u32, Option<ReplyOf<E>>)>,
}

#[derive(Clone)]
pub(super) enum Purpose<P> {
    /// Paths to one goal, for these requests; which of them is looked at next.
    Goal { goal: P, entries: Vec<u32>, next: usize },
    /// One request's paths to many goals, with those that are written, or its range; `None` once nobody wants it.
    One { entry: Option<u32>, paths: Vec<FoundPlaces<P>> },
}

/// A path, if there is one.
pub(super) type FoundPlaces<P> = Option<Path<P>>;

impl<P> Purpose<P> {
    /// One request.
    pub(super) fn one(entry: u32) -> Self {
        Self::One { entry: Some(entry), paths: Vec::new() }
    }
}

/// A field that may answer more.
pub(super) struct KeptField<E: Living> {
    pub(super) goal: SharedGoal<E>,
    pub(super) work: FieldWork<E>,
}

/// What a field is for.
#[derive(Clone, Copy)]
pub(super) enum Aim<P> {
    /// Ways from everywhere to a goal.
    Towards(P),
    /// Ways from a start to everywhere, up to a cost.
    AwayFrom(P, u64),
}

/// A field, and how it came about: in a copy it is made again when it is needed.
pub(super) struct FieldWork<E: Living> {
    pub(super) aim: Aim<E::Place>,
    /// What it was begun on.
    edition: Edition,
    pub(super) slices: Slices,
    field: Option<E::Field>,
    listing: Listing<E::Place>,
    /// Where it goes on, whatever edits come.
    pub(super) held: Option<HeldEnvironment<E>>,
}

/// The list of a range, which is written in slices as well.
struct Listing<P> {
    /// How many places may be looked at, by the slices so far, and how many were. In a copy the list has yet to be made
    /// as far as that.
    allowed: u64,
    looked_at: u64,
    listed: u64,
    places: Vec<(P, Cost)>,
}

impl<P> Default for Listing<P> {
    fn default() -> Self {
        Self { allowed: 0, looked_at: 0, listed: 0, places: Vec::new() }
    }
}

impl<P> Listing<P> {
    /// Lets it go on with what a slice has left after so many places were settled.
    fn allow(&mut self, slice: u64, settled: u64) {
        let left = (slice.saturating_sub(settled) / SLICES).max(1);
        self.allowed = self.allowed.saturating_add(left.saturating_mul(LOOKS_A_UNIT));
    }
}

/// Settles places for a slice. Returns whether anything is left to do, the list included.
fn settle<E: Living>(field: &mut E::Field, listing: &mut Listing<E::Place>, slice: u64) -> bool {
    let before = field.settled();
    field.advance(slice);
    if field.is_complete() {
        listing.allow(slice, field.settled() - before);
    }
    !field.is_complete() || listing.allowed < field.looks()
}

impl<E: Living> FieldWork<E> {
    pub(super) fn begin(environment: &E, aim: Aim<E::Place>) -> Result<Self, Refused<E>> {
        let field = Some(new_field(environment, aim)?);
        let (edition, slices) = (environment.edition(), Slices::default());
        Ok(Self { aim, edition, slices, field, listing: Listing::default(), held: None })
    }

    /// Work that first repeats what another has done, if the environment is still of that edition.
    pub(super) fn repeating(aim: Aim<E::Place>, edition: Edition, slices: Slices) -> Self {
        Self { aim, edition, slices, field: None, listing: Listing::default(), held: None }
    }

    pub(super) fn copy(&self) -> Self {
        let copy = Self::repeating(self.aim, self.edition, self.slices.clone());
        Self { held: self.held.clone(), ..copy }
    }

    /// Goes on in the environment as it is now, whatever edits come.
    fn hold(&mut self, environment: &E) {
        self.held = Some(HeldEnvironment::of(environment));
    }

    /// Whether it is of the environment as it is.
    pub(super) fn is_current(&self, environment: &E) -> bool {
        self.edition == environment.edition()
    }

    /// The field, which must be of the environment as it is, or of the one held; in a copy it is made here.
    pub(super) fn field(&mut self, environment: &E) -> Result<&mut E::Field, Refused<E>> {
        let made = match self.field.take() {
            Some(field) => field,
            None => {
                let environment = self.held.as_ref().map_or(environment, |held| &held.environment);
                let mut field = new_field(environment, self.aim)?;
                let mut slices = self.slices.iter();
                let listing = &mut self.listing;
                while slices.next().is_some_and(|slice| settle::<E>(&mut field, listing, slice)) {}
                listing.looked_at = listing.allowed.min(field.looks());
                field
            }
        };
        Ok(self.field.insert(made))
    }

    /// Goes on for a slice. Returns how many places were settled.
    fn go_on(&mut self, environment: &E, slice: u64) -> Result<u64, Refused<E>> {
        let before = self.field(environment)?.settled();
        let Self { field, listing, .. } = self;
        let Some(field) = field else { return Ok(0) };
        settle::<E>(field, listing, slice);
        let settled = field.settled() - before;
        self.slices.push(slice);
        Ok(settled)
    }

    /// Begins again on the environment as it is.
    fn renew(&mut self, environment: &E) -> Result<(), Refused<E>> {
        match (&mut self.field, self.aim) {
            (None, aim) => self.field = Some(new_field(environment, aim)?),
            (Some(field), Aim::Towards(goal)) => field.renew_towards(environment, goal)?,
            (Some(field), Aim::AwayFrom(start, cost_max)) => {
                field.renew_away_from(environment, start, cost_max)?;
            }
        }
        self.edition = environment.edition();
        self.slices.clear();
        self.listing = Listing::default();
        Ok(())
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.field.as_ref().map_or(0, LivingField::memory_bytes)
            + self.listing.places.capacity() * size_of::<(E::Place, Cost)>()
    }
}

fn new_field<E: Living>(environment: &E, aim: Aim<E::Place>) -> Result<E::Field, Refused<E>> {
    match aim {
        Aim::Towards(goal) => E::Field::towards(environment, goal),
        Aim::AwayFrom(start, cost_max) => {
            E::Field::away_from(environment, start, cost_max, &mut FieldMemory::default())
        }
    }
}

impl<E: Living> FieldUnit<E> {
    pub(super) fn new(kind: KindId, work: FieldWork<E>, purpose: Purpose<E::Place>) -> Self {
        Self { kind, work, purpose, restarts: 0, failed: None, replies: Vec::new() }
    }

    pub(super) fn copy(&self) -> Self {
        Self {
            kind: self.kind,
            work: self.work.copy(),
            purpose: self.purpose.clone(),
            restarts: self.restarts,
            failed: self.failed.clone(),
            replies: self.replies.clone(),
        }
    }

    /// Whether it has replies to hand out.
    pub(super) fn has_found(&self) -> bool {
        !self.replies.is_empty()
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = u32> + '_ {
        let (many, one) = match &self.purpose {
            Purpose::Goal { entries, .. } => (&entries[..], None),
            Purpose::One { entry, .. } => (&[][..], *entry),
        };
        many.iter().copied().chain(one)
    }

    pub(super) fn forget(&mut self, index: u32) {
        match &mut self.purpose {
            Purpose::Goal { entries, .. } => entries.retain(|&entry| entry != index),
            Purpose::One { entry, .. } => *entry = entry.filter(|&entry| entry != index),
        }
    }

    /// Goes on for a slice, from the beginning if the map has changed, and answers what can be answered. Returns what that
    /// counts.
    pub(super) fn advance(&mut self, context: &SearchContext<'_, E>, slice: u64) -> u64 {
        let environment = &context.kinds[self.kind.index()];
        if self.work.held.is_none() && !self.work.is_current(environment) {
            self.restarts += 1;
            self.failed = self.work.renew(environment).err();
            if let Purpose::One { paths, .. } = &mut self.purpose {
                paths.clear();
            }
            // So that it has an end. Requests that share a field are searched for instead.
            if matches!(self.purpose, Purpose::One { .. }) && self.restarts > RESTARTS_MAX {
                self.work.hold(environment);
            }
        }
        let mut settled = 0;
        if self.failed.is_none() {
            let slice = slice.saturating_mul(SLICES);
            match self.work.go_on(environment, slice) {
                Ok(count) => settled = count / SLICES,
                Err(error) => self.failed = Some(error),
            }
        }
        let answered = match &self.purpose {
            Purpose::Goal { .. } => self.answer_some(context, slice.saturating_sub(settled)),
            Purpose::One { .. } => self.answer_one(context, slice.saturating_sub(settled)),
        };
        (settled + answered).max(1)
    }

    /// Answers requests whose starts are settled, for about a slice. Returns what that counts.
    fn answer_some(&mut self, context: &SearchContext<'_, E>, slice: u64) -> u64 {
        let Self { kind, work, purpose, restarts, failed, replies } = self;
        let Purpose::Goal { entries, next, .. } = purpose else { return 0 };
        let given_up = failed.is_some() || *restarts > RESTARTS_MAX;
        let mut field = match failed {
            Some(_) => None,
            None => work.field(&context.kinds[kind.index()]).ok(),
        };
        let complete = field.as_ref().is_some_and(|field| field.is_complete());
        let most = slice.saturating_mul(STEPS_A_UNIT).max(1);
        let (mut steps, mut looks) = (0, 0);
        while looks < LOOKS_MAX.min(entries.len() + 1) && steps < most && !entries.is_empty() {
            looks += 1;
            steps += 1;
            *next = if *next < entries.len() { *next } else { 0 };
            let entry = entries[*next];
            let start = context.entries[entry as usize].ends().map(|(start, _)| start);
            let path = match (&mut field, start) {
                (Some(field), Some(start)) => field.path(start),
                _ => None,
            };
            if path.is_none() && !complete && !given_up {
                *next += 1;
                continue;
            }
            looks = 0;
            steps += path.as_ref().map_or(0, |path| path.steps() as u64);
            entries.swap_remove(*next);
            // What it cannot answer is searched for, also for the nearest cell.
            replies.push((entry, path.map(Reply::Ready)));
        }
        steps / STEPS_A_UNIT
    }

    /// Answers the one request of the field, if it can, for about a slice. Returns what that counts.
    fn answer_one(&mut self, context: &SearchContext<'_, E>, slice: u64) -> u64 {
        let Self { kind, work, purpose, failed, replies, .. } = self;
        let Purpose::One { entry, paths } = purpose else { return 0 };
        let Some(index) = *entry else { return 0 };
        let wanted = &context.entries[index as usize].request.wanted;
        let now = &context.kinds[kind.index()];
        let (reply, steps) = match (wanted, &*failed) {
            (_, Some(error)) => (Some(Reply::Failed(error.clone().into())), 0),
            (Wanted::Range { .. }, None) => list_range(now, work),
            (Wanted::Each { goals, .. }, None) => {
                let steps_max = slice.saturating_mul(STEPS_A_UNIT).max(1);
                let steps = write_paths(now, work, goals, paths, steps_max);
                let complete = paths.len() == goals.len();
                (complete.then(|| Reply::Each(std::mem::take(paths))), steps)
            }
            _ => (None, 0),
        };
        if reply.is_some() {
            *entry = None;
            replies.push((index, reply));
        }
        steps / STEPS_A_UNIT
    }
}

/// Goes on listing the places of a range, once its field is complete: the list, if it is whole, and what that took in
/// steps.
fn list_range<E: Living>(now: &E, work: &mut FieldWork<E>) -> (Option<ReplyOf<E>>, u64) {
    if !work.field(now).is_ok_and(|field| field.is_complete()) {
        return (None, 0);
    }
    let FieldWork { field: Some(field), listing, .. } = work else { return (None, 0) };
    let Listing { allowed, looked_at, listed, places } = listing;
    if *listed == 0 {
        // At once, so that nothing is moved later.
        places.reserve_exact(field.settled() as usize);
    }
    let until = field.looks().min(*allowed);
    let looks = until.saturating_sub(*looked_at);
    field.list(*listed..until, places);
    (*looked_at, *listed) = (until, until);
    let is_whole = until == field.looks();
    let steps = looks * STEPS_A_UNIT / LOOKS_A_UNIT;
    (is_whole.then(|| Reply::Range(std::mem::take(places))), steps)
}

/// Writes paths to goals, in their order, as far as the field knows them, for about so many steps. Returns how many
/// steps they have.
fn write_paths<E: Living>(
    now: &E,
    work: &mut FieldWork<E>,
    goals: &[E::Place],
    paths: &mut Vec<FoundPlaces<E::Place>>,
    steps_max: u64,
) -> u64 {
    let held = work.held.clone();
    let work_start = match work.aim {
        Aim::AwayFrom(start, _) => Some(start),
        Aim::Towards(_) => None,
    };
    let environment = held.as_ref().map_or(now, |held| &held.environment);
    let Ok(field) = work.field(now) else { return 0 };
    let mut steps = 0;
    while paths.len() < goals.len() && steps < steps_max {
        let goal = goals[paths.len()];
        let blocked = match work_start {
            Some(start) => is_out_of_reach(environment, start, goal),
            None => environment.check_place(goal).is_err(),
        };
        if !blocked && field.cost(goal).is_none() && !field.is_complete() {
            break;
        }
        let path = if blocked { None } else { field.path(goal) };
        let path = match &held {
            Some(held) => path.map(|path| held.dated(path)),
            None => path,
        };
        steps += 1 + path.as_ref().map_or(0, |path| path.steps() as u64);
        paths.push(path);
    }
    steps
}

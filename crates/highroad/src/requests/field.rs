//! A field in progress, and the requests that it answers.

use super::SharedGoal;
use super::slices::Slices;
use crate::living::{Living, LivingField, Refused};
use highroad_core::{Edition, FieldMemory, KindId};

/// A field settles a cell in a fraction of the time that an abstract search takes for a node.
const SLICES: u64 = 4;
/// Times that an edit may make a shared field begin again before its requests are searched one by one.
pub(super) const RESTARTS_MAX: u32 = 2;

/// A field in progress.
pub(super) struct FieldUnit<E: Living> {
    pub(super) kind: KindId,
    pub(super) work: FieldWork<E>,
    pub(super) purpose: Purpose<E::Place>,
    pub(super) restarts: u32,
    pub(super) failed: Option<Refused<E>>,
}

#[derive(Clone)]
pub(super) enum Purpose<P> {
    /// Paths to one goal, for these requests.
    Goal { goal: P, entries: Vec<u32> },
    /// One request's paths to many goals, or its range; `None` once nobody wants it.
    One { entry: Option<u32> },
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
}

impl<E: Living> FieldWork<E> {
    pub(super) fn begin(environment: &E, aim: Aim<E::Place>) -> Result<Self, Refused<E>> {
        let field = Some(new_field(environment, aim)?);
        Ok(Self { aim, edition: environment.edition(), slices: Slices::default(), field })
    }

    /// Work that first repeats what another has done, if the environment is still of that edition.
    pub(super) fn repeating(aim: Aim<E::Place>, edition: Edition, slices: Slices) -> Self {
        Self { aim, edition, slices, field: None }
    }

    pub(super) fn copy(&self) -> Self {
        Self::repeating(self.aim, self.edition, self.slices.clone())
    }

    /// Whether it is of the environment as it is.
    pub(super) fn is_current(&self, environment: &E) -> bool {
        self.edition == environment.edition()
    }

    /// The field, which must be of the environment as it is; in a copy it is made here.
    pub(super) fn field(&mut self, environment: &E) -> Result<&mut E::Field, Refused<E>> {
        let made = match self.field.take() {
            Some(field) => field,
            None => {
                let mut field = new_field(environment, self.aim)?;
                self.slices.iter().take_while(|&slice| field.advance(slice)).for_each(drop);
                field
            }
        };
        Ok(self.field.insert(made))
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
        Ok(())
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.field.as_ref().map_or(0, LivingField::memory_bytes)
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
    pub(super) fn copy(&self) -> Self {
        Self {
            kind: self.kind,
            work: self.work.copy(),
            purpose: self.purpose.clone(),
            restarts: self.restarts,
            failed: self.failed.clone(),
        }
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

    /// Goes on for a slice, from the beginning if the map has changed. Returns what that counts.
    pub(super) fn advance(&mut self, kinds: &[E], slice: u64) -> u64 {
        let environment = &kinds[self.kind.index()];
        if !self.work.is_current(environment) {
            self.restarts += 1;
            if let Err(error) = self.work.renew(environment) {
                self.failed = Some(error);
                return 1;
            }
        }
        let at_once = matches!(self.purpose, Purpose::One { .. }) && self.restarts > RESTARTS_MAX;
        let slice = if at_once { u64::MAX } else { slice.saturating_mul(SLICES) };
        let field = match self.work.field(environment) {
            Ok(field) => field,
            Err(error) => {
                self.failed = Some(error);
                return 1;
            }
        };
        let before = field.settled();
        field.advance(slice);
        let settled = field.settled() - before;
        self.work.slices.push(slice);
        (settled / SLICES).max(1)
    }
}

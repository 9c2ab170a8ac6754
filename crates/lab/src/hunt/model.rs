//! Models that are too simple to be wrong: plain arrays, and Dijkstra with a heap on them.

use super::program::Edit;
use highroad::PathWorld;
use highroad::environment::Environment;
use highroad::world::{Living, Saveable};
use std::collections::HashMap;

/// A place of a model's world.
pub(super) type Place<M> = <<M as Model>::World as Environment>::Place;

/// How far places are.
pub(super) type Distances<P> = HashMap<P, u64>;

/// What is known of a world without asking it.
pub(super) trait Model: Clone {
    /// The environment of the world.
    type World: Saveable + Environment<Place: Ord>;

    /// The place with a number; it may lie outside.
    fn place(&self, number: u32) -> <Self::World as Environment>::Place;

    /// A batch of edits for the world.
    fn batch(&self, edits: &[Edit]) -> <Self::World as Living>::Batch;

    /// Makes the edits, all or none. Returns whether they could be made.
    fn apply(&mut self, edits: &[Edit]) -> bool;

    /// Whether a kind may stand at a place.
    fn may_stand(&self, kind: u16, place: <Self::World as Environment>::Place) -> bool;

    /// How far every place that can be reached is from the nearest of some starts.
    fn distances(
        &self,
        kind: u16,
        starts: &[<Self::World as Environment>::Place],
    ) -> Distances<<Self::World as Environment>::Place>;

    /// What a path costs; `None` if it cannot be walked.
    fn walk(&self, kind: u16, places: &[<Self::World as Environment>::Place]) -> Option<u64>;

    /// How far a place is from the nearest goal as the crow flies, where that decides which place is nearest.
    fn remoteness(
        &self,
        place: <Self::World as Environment>::Place,
        goals: &[<Self::World as Environment>::Place],
    ) -> Option<u64>;

    /// Whether there is such a place, blocked or not.
    fn exists(&self, place: <Self::World as Environment>::Place) -> bool;

    /// The model with some places blocked for every kind.
    fn without(&self, places: &[<Self::World as Environment>::Place]) -> Self;

    /// Whether an agent of a kind that is at one place covers another.
    fn covers(
        &self,
        kind: u16,
        at: <Self::World as Environment>::Place,
        place: <Self::World as Environment>::Place,
    ) -> bool;

    /// The places at which a kind may stand next to a place, without covering it.
    fn beside(
        &self,
        kind: u16,
        place: <Self::World as Environment>::Place,
    ) -> Vec<<Self::World as Environment>::Place>;

    /// Whether two places are so near that a path through one is no alternative to a path through the other.
    fn is_near(
        &self,
        one: <Self::World as Environment>::Place,
        other: <Self::World as Environment>::Place,
        margin: u32,
    ) -> bool;

    /// How many kinds there are.
    fn kinds(&self) -> u16;

    /// Whether the world's environment is as the model says.
    fn compare(&self, world: &PathWorld<Self::World>) -> Result<(), String>;
}

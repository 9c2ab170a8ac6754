//! Queries in saved worlds.

use super::query::{GoalRule, PathQuery, QueryError};
use crate::saved::{Encode, LoadError, Reader, Writer, encoded_enum};
use crate::search::Limits;

impl<P: Encode + Copy> Encode for PathQuery<P> {
    fn write(&self, writer: &mut Writer) {
        self.starts().to_vec().write(writer);
        self.goals().to_vec().write(writer);
        [self.limits().expansions_max, self.limits().cost_max].write(writer);
        self.first_leg().write(writer);
        self.goal_rule().write(writer);
        self.obstacles().to_vec().write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let (starts, goals) = (Vec::<P>::read(reader)?, Vec::<P>::read(reader)?);
        let [expansions_max, cost_max] = Encode::read(reader)?;
        let first_leg = Option::<u32>::read(reader)?;
        let query = match (&starts[..], &goals[..]) {
            (&[start], &[goal]) => Self::new(start, goal),
            _ => Self::among(starts, goals),
        };
        let query = query.with_limits(Limits { expansions_max, cost_max });
        let query = query.with_goal_rule(GoalRule::read(reader)?);
        let query = query.with_obstacles(Vec::<P>::read(reader)?);
        Ok(match first_leg {
            Some(steps) => query.with_first_leg(steps),
            None => query,
        })
    }
}

encoded_enum!(QueryError<R>, [R], "refused queries" {
    0 => Missing { 0: end },
    1 => Stale {},
    2 => Refused { end: end, reason: reason },
    3 => Unsuitable { 0: reason },
    4 => NothingBeside {},
});
encoded_enum!(GoalRule, "rules for goals" {
    0 => Exact {},
    1 => Adjacent {},
    2 => Nearest {},
});

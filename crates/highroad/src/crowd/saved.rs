//! Crowds as bytes.

use super::body::{Body, BodyId, BodyPlan, BodyState, Guide};
use super::formation::{Formation, Shape};
use super::vector::Vector;
use super::{Crowd, CrowdOptions};
use highroad_core::saved::{Encode, Reader, Writer};
use highroad_core::{Cell, LoadError, encoded_enum};

encoded_enum!(BodyState, "states of bodies" {
    0 => Idle {},
    1 => Waiting {},
    2 => Walking {},
    3 => Crossing {},
    4 => Arrived {},
    5 => Blocked {},
    6 => Buried {},
});
encoded_enum!(Shape, "shapes of groups" {
    0 => Column {},
    1 => Line {},
    2 => Block {},
    3 => Wedge {},
});

/// A number by its bits.
fn write_number(number: f64, writer: &mut Writer) {
    number.to_bits().write(writer);
}

fn read_number(reader: &mut Reader<'_>) -> Result<f64, LoadError> {
    Ok(f64::from_bits(u64::read(reader)?))
}

impl Encode for Vector {
    fn write(&self, writer: &mut Writer) {
        write_number(self.x, writer);
        write_number(self.y, writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self::new(read_number(reader)?, read_number(reader)?))
    }
}

impl Encode for Formation {
    fn write(&self, writer: &mut Writer) {
        self.shape.write(writer);
        write_number(self.spacing, writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let shape = Shape::read(reader)?;
        Ok(Self::new(shape).with_spacing(read_number(reader)?))
    }
}

impl Encode for BodyPlan {
    fn write(&self, writer: &mut Writer) {
        Vector::from(self.position).write(writer);
        let numbers = [self.radius, self.speed, self.acceleration, self.turn];
        numbers.into_iter().for_each(|number| write_number(number, writer));
        self.priority.write(writer);
        self.kind.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self {
            position: Vector::read(reader)?.into(),
            radius: read_number(reader)?,
            speed: read_number(reader)?,
            acceleration: read_number(reader)?,
            turn: read_number(reader)?,
            priority: Encode::read(reader)?,
            kind: Encode::read(reader)?,
        })
    }
}

impl Encode for BodyId {
    fn write(&self, writer: &mut Writer) {
        self.0.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        Ok(Self(Encode::read(reader)?))
    }
}

/// Fields are not written, so that who follows one has to be sent again.
impl Encode for Body {
    fn write(&self, writer: &mut Writer) {
        self.id.write(writer);
        [self.position, self.velocity, self.heading, self.aim]
            .iter()
            .for_each(|vector| vector.write(writer));
        self.plan.write(writer);
        self.state.write(writer);
        let goal = match self.guide {
            Guide::Points { goal } => Some(goal),
            Guide::Nothing | Guide::Field(_) => None,
        };
        goal.write(writer);
        self.aim_is_goal.write(writer);
        self.aimed_at.write(writer);
        self.held.write(writer);
        self.yields.write(writer);
        self.crossing.write(writer);
        write_number(self.throttle, writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let id = BodyId::read(reader)?;
        let mut vectors = [Vector::ZERO; 4];
        for vector in &mut vectors {
            *vector = Vector::read(reader)?;
        }
        let [position, velocity, heading, aim] = vectors;
        let plan = BodyPlan::read(reader)?;
        let state = BodyState::read(reader)?;
        let goal = Option::<Cell>::read(reader)?;
        let body = Self {
            id,
            position,
            velocity,
            heading,
            aim,
            plan,
            state,
            guide: goal.map_or(Guide::Nothing, |goal| Guide::Points { goal }),
            aim_is_goal: Encode::read(reader)?,
            aimed_at: Encode::read(reader)?,
            held: Encode::read(reader)?,
            yields: Encode::read(reader)?,
            crossing: Encode::read(reader)?,
            throttle: read_number(reader)?,
        };
        let is_number = |vector: &Vector| vector.x.is_finite() && vector.y.is_finite();
        let makes_sense = vectors.iter().all(is_number) && (0.0..=1.0).contains(&body.throttle);
        if !makes_sense || body.plan.check().is_err() {
            return Err(reader.malformed("bodies"));
        }
        Ok(body)
    }
}

impl Encode for Crowd {
    fn write(&self, writer: &mut Writer) {
        let CrowdOptions { tick_seconds, horizon_seconds, sight, neighbours_max, separations } =
            self.options;
        [tick_seconds, horizon_seconds, sight]
            .into_iter()
            .for_each(|number| write_number(number, writer));
        [neighbours_max, separations].write(writer);
        self.bodies.write(writer);
        self.next_id.write(writer);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let (tick_seconds, horizon_seconds, sight) =
            (read_number(reader)?, read_number(reader)?, read_number(reader)?);
        let [neighbours_max, separations]: [usize; 2] = Encode::read(reader)?;
        let options =
            CrowdOptions { tick_seconds, horizon_seconds, sight, neighbours_max, separations };
        let bodies = Vec::<Body>::read(reader)?;
        let next_id = u64::read(reader)?;
        let in_order = bodies.windows(2).all(|pair| pair[0].id < pair[1].id);
        if !in_order || bodies.last().is_some_and(|last| last.id.0 >= next_id) || next_id > 1 << 60
        {
            return Err(reader.malformed("crowds"));
        }
        Ok(Self { bodies, next_id, ..Self::new(options) })
    }
}

//! Who walks where in a group: places around a leader.

use super::vector::Vector;
use super::within;

/// How a group walks: its shape, and how far apart its members are.
///
/// ```
/// use highroad::crowd::{Formation, Shape};
/// let wedge = Formation::new(Shape::Wedge).with_spacing(1.5);
/// // The leader at (10, 10) looks south; the first two walk behind it, to its left and right.
/// let south = [0.0, 1.0];
/// assert_eq!(wedge.place(0, 5, [10.0, 10.0], south), [10.0, 10.0]);
/// assert_eq!(wedge.place(1, 5, [10.0, 10.0], south), [8.5, 8.5]);
/// assert_eq!(wedge.place(2, 5, [10.0, 10.0], south), [11.5, 8.5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Formation {
    /// Its shape.
    pub shape: Shape,
    /// How far neighbours are apart, in cells: 1 by default.
    pub spacing: f64,
}

/// The shape of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Shape {
    /// One behind the other.
    Column,
    /// One beside the other.
    Line,
    /// Rows about as long as there are rows.
    #[default]
    Block,
    /// Two lines that meet at the leader.
    Wedge,
}

impl Formation {
    /// One of that shape, with members a cell apart.
    pub fn new(shape: Shape) -> Self {
        Self { shape, spacing: 1.0 }
    }

    /// The same with another spacing, from 0.1 to 100 cells. See [`Formation`] for an example.
    pub fn with_spacing(self, spacing: f64) -> Self {
        Self { spacing: within(spacing, 0.1, 100.0), ..self }
    }

    /// Where the member of that number walks, of so many; the leader is number 0, stands at `leader`, and looks in a direction of
    /// length one. See [`Formation`] for an example.
    pub fn place(
        &self,
        number: usize,
        count: usize,
        leader: [f64; 2],
        heading: [f64; 2],
    ) -> [f64; 2] {
        let (behind, side) = self.offset(number, count);
        let (leader, heading) = (Vector::from(leader), Vector::from(heading));
        (leader - heading * behind + heading.turned() * side).into()
    }

    /// How far behind the leader a member walks, and how far to a side.
    fn offset(&self, number: usize, count: usize) -> (f64, f64) {
        // 0, 1, −1, 2, −2 …: from the middle to both sides.
        let spread = |number: usize| {
            let away = number.div_ceil(2) as f64;
            if number % 2 == 1 { away } else { -away }
        };
        let (row, column) = match self.shape {
            Shape::Column => (number as f64, 0.0),
            Shape::Line => (0.0, spread(number)),
            Shape::Block => {
                let across = (1_usize..).find(|side| side * side >= count).unwrap_or(1);
                ((number / across) as f64, spread(number % across))
            }
            Shape::Wedge => (number.div_ceil(2) as f64, spread(number)),
        };
        (row * self.spacing, column * self.spacing)
    }
}

impl Default for Formation {
    fn default() -> Self {
        Self::new(Shape::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_every_shape_are_apart_by_the_spacing_and_turn_with_the_leader() {
        for shape in [Shape::Column, Shape::Line, Shape::Block, Shape::Wedge] {
            for count in [1, 2, 5, 12, 30] {
                for heading in [[1.0, 0.0], [0.6, -0.8], [0.0, 1.0]] {
                    let formation = Formation::new(shape).with_spacing(1.25);
                    let place =
                        |number| Vector::from(formation.place(number, count, [3.0, 4.0], heading));
                    assert_eq!(place(0), Vector::new(3.0, 4.0));
                    for number in 0..count {
                        for other in 0..number {
                            let apart = (place(number) - place(other)).length();
                            assert!(apart > 1.25 - 1e-9, "{shape:?} {count}: {number} {other}");
                        }
                    }
                }
            }
        }
        assert_eq!(Formation::default().with_spacing(f64::NAN).spacing, 0.1);
    }
}

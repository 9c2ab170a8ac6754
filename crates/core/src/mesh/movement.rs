//! What a kind of agent may do on a mesh: which areas it may enter, what they cost it, which links it can use.

use std::fmt;
use thiserror::Error;

/// What an area or a link is: water, a road for carts, a jump. What that means is up to each kind of agent
/// ([`MeshMovement`]).
///
/// ```
/// use highroad::mesh::AreaClass;
/// assert_eq!(AreaClass::new(3)?.number(), 3);
/// assert!(AreaClass::new(64).is_err());
/// # Ok::<(), highroad::mesh::MovementError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AreaClass(u8);

impl AreaClass {
    /// How many classes there are.
    pub const COUNT: u8 = 64;

    /// The class of that number, from 0 to 63. Fails with [`MovementError::Class`] if the number is larger.
    pub const fn new(number: u8) -> Result<Self, MovementError> {
        if number < Self::COUNT { Ok(Self(number)) } else { Err(MovementError::Class { number }) }
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for AreaClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "class {}", self.0)
    }
}

/// Why a class or a movement is not possible.
///
/// ```
/// use highroad::mesh::{AreaClass, MeshMovement, MovementError};
/// let road = AreaClass::new(1)?;
/// let error: MovementError = MeshMovement::default().with_factor(road, 0.5).unwrap_err();
/// assert_eq!(error.to_string(), "areas of class 1 would cost 0.5 times as much: the factor is from 1 to 1000");
/// # Ok::<(), MovementError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MovementError {
    /// There is no class of that number.
    #[error("class {number}: classes are numbered from 0 to {}", AreaClass::COUNT - 1)]
    Class {
        /// The number.
        number: u8,
    },
    /// A factor that is no number, below 1 or too large.
    #[error(
        "areas of {class} would cost {factor} times as much: the factor is from 1 to {}",
        MeshMovement::FACTOR_MAX
    )]
    Factor {
        /// Of which class.
        class: AreaClass,
        /// The factor.
        factor: f64,
    },
}

/// How a kind of agent moves on a mesh. The usual one may go anywhere, and all ground costs the same.
///
/// ```
/// use highroad::environment::Environment;
/// use highroad::mesh::{AreaClass, Mesh, MeshBatch, MeshMovement, MeshPoint, Obstacle};
/// let water = AreaClass::new(2)?;
/// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
/// let pond = Obstacle::new(vec![[2.0, 2.0], [6.0, 2.0], [6.0, 6.0], [2.0, 6.0]])?.of_class(water);
/// mesh.apply(MeshBatch::new().place("pond", pond))?;
/// let cart = mesh.another_kind(1, MeshMovement::default().forbidding(water))?;
/// let middle = MeshPoint::new(4.0, 4.0)?;
/// assert!(mesh.check_place(middle).is_ok() && cart.check_place(middle).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshMovement {
    /// What a unit of length costs in areas of some classes, in the order of classes; infinite where they are
    /// forbidden. Classes that are not listed cost 1.
    factors: Vec<(AreaClass, f64)>,
}

impl MeshMovement {
    /// The largest factor.
    pub const FACTOR_MAX: f64 = 1000.0;

    /// The same, but areas of a class are obstacles, and links of that class cannot be used.
    pub fn forbidding(mut self, class: AreaClass) -> Self {
        self.set(class, f64::INFINITY);
        self
    }

    /// The same, but in areas of a class every unit of length costs so many times as much, and so do links of that class.
    /// Fails with [`MovementError::Factor`] unless the factor is from 1 to 1000.
    ///
    /// ```
    /// use highroad::mesh::{AreaClass, MeshMovement};
    /// let swamp = AreaClass::new(5)?;
    /// let movement = MeshMovement::default().with_factor(swamp, 4.0)?;
    /// assert_eq!(movement.factor(swamp), Some(4.0));
    /// assert_eq!(movement.forbidding(swamp).factor(swamp), None);
    /// # Ok::<(), highroad::mesh::MovementError>(())
    /// ```
    pub fn with_factor(mut self, class: AreaClass, factor: f64) -> Result<Self, MovementError> {
        if !(1.0..=Self::FACTOR_MAX).contains(&factor) {
            return Err(MovementError::Factor { class, factor });
        }
        self.set(class, factor);
        Ok(self)
    }

    fn set(&mut self, class: AreaClass, factor: f64) {
        match self.factors.binary_search_by_key(&class, |known| known.0) {
            Ok(at) => self.factors[at].1 = factor,
            Err(at) => self.factors.insert(at, (class, factor)),
        }
    }

    /// What a unit of length costs in areas of a class; `None` if they are forbidden.
    pub fn factor(&self, class: AreaClass) -> Option<f64> {
        let found = self.factors.binary_search_by_key(&class, |known| known.0);
        let factor = found.map_or(1.0, |at| self.factors[at].1);
        factor.is_finite().then_some(factor)
    }

    /// The classes that differ from ordinary ground, with their factors; `None`: forbidden.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = (AreaClass, Option<f64>)> + '_ {
        let factor = |factor: f64| factor.is_finite().then_some(factor);
        self.factors.iter().map(move |known| (known.0, factor(known.1)))
    }
}

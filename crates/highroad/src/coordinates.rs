//! Continuous coordinates: where cells lie in a game's own space.

use highroad_core::{Cell, End, Extent, Path, QueryError};
use thiserror::Error;

/// A position in the plane, as games write it: `[f64; 2]`, `[f32; 2]`, pairs of either, and with the feature `glam`
/// its `Vec2` and `DVec2`.
///
/// ```
/// use highroad::PathWorld;
/// use highroad::world::{Coordinates, PlanePosition};
/// /// A game's own vector.
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Vector { x: f32, z: f32 }
/// impl PlanePosition for Vector {
///     fn from_plane([x, z]: [f64; 2]) -> Self { Self { x: x as f32, z: z as f32 } }
///     fn to_plane(self) -> [f64; 2] { [self.x, self.z].map(f64::from) }
/// }
/// let mut world = PathWorld::new("....\n".parse()?);
/// let path = world.find_path((0, 0), (3, 0))?.expect("it is open");
/// let points: Vec<Vector> = Coordinates::default().points_as(&path);
/// assert_eq!(points, [Vector { x: 0.5, z: 0.5 }, Vector { x: 3.5, z: 0.5 }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait PlanePosition: Copy {
    /// The position of these coordinates, as exactly as the type allows.
    fn from_plane(position: [f64; 2]) -> Self;

    /// Its coordinates.
    fn to_plane(self) -> [f64; 2];
}

impl PlanePosition for [f64; 2] {
    fn from_plane(position: [f64; 2]) -> Self {
        position
    }

    fn to_plane(self) -> [f64; 2] {
        self
    }
}

impl PlanePosition for [f32; 2] {
    fn from_plane(position: [f64; 2]) -> Self {
        position.map(|place| place as f32)
    }

    fn to_plane(self) -> [f64; 2] {
        self.map(f64::from)
    }
}

impl PlanePosition for (f64, f64) {
    fn from_plane([x, y]: [f64; 2]) -> Self {
        (x, y)
    }

    fn to_plane(self) -> [f64; 2] {
        self.into()
    }
}

impl PlanePosition for (f32, f32) {
    fn from_plane(position: [f64; 2]) -> Self {
        <[f32; 2]>::from_plane(position).into()
    }

    fn to_plane(self) -> [f64; 2] {
        <[f32; 2]>::from(self).to_plane()
    }
}

#[cfg(feature = "glam")]
impl PlanePosition for glam::Vec2 {
    fn from_plane(position: [f64; 2]) -> Self {
        <[f32; 2]>::from_plane(position).into()
    }

    fn to_plane(self) -> [f64; 2] {
        self.to_array().to_plane()
    }
}

#[cfg(feature = "glam")]
impl PlanePosition for glam::DVec2 {
    fn from_plane(position: [f64; 2]) -> Self {
        position.into()
    }

    fn to_plane(self) -> [f64; 2] {
        self.to_array()
    }
}

/// Why there is no answer for two positions.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A position at which the map has no cell.
    #[error("the {end} lies outside the map: ({}, {})", .position[0], .position[1])]
    Outside {
        /// Start or goal.
        end: End,
        /// The position.
        position: [f64; 2],
    },
    /// The query between the two cells makes no sense.
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Where the map lies in a game's space: the corner of its first cell, and how long a cell's side is.
///
/// A position belongs to the cell `floor((position − origin) / size)`, on either side of zero.
///
/// ```
/// use highroad::{Cell, GridMap};
/// use highroad::world::Coordinates;
/// let map: GridMap = "....\n....\n".parse()?;
/// let coordinates = Coordinates::new([-2.0, -1.0], 0.5)?;
/// assert_eq!(coordinates.cell_at(map.extent(), [-1.75, -0.25]), Some(Cell::new(0, 1)));
/// assert_eq!(coordinates.cell_at(map.extent(), [-2.01, 0.0]), None);
/// assert_eq!(coordinates.middle_of(Cell::new(0, 1)), [-1.75, -0.25]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Written"))]
pub struct Coordinates {
    origin: [f64; 2],
    cell_size: f64,
}

/// Coordinates as they are read, before they are checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    origin: [f64; 2],
    cell_size: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Written> for Coordinates {
    type Error = CoordinatesError;

    fn try_from(written: Written) -> Result<Self, CoordinatesError> {
        Self::new(written.origin, written.cell_size)
    }
}

/// Coordinates that no map can have: a number is not finite, or cells have no size.
///
/// ```
/// use highroad::world::{Coordinates, CoordinatesError};
/// let error: CoordinatesError = Coordinates::new([0.0, 0.0], -1.0).unwrap_err();
/// assert_eq!(error.cell_size, -1.0);
/// assert!(error.to_string().contains("the side must be above 0"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("cells of side {cell_size} at ({}, {}): the side must be above 0, and all three finite", .origin[0], .origin[1])]
pub struct CoordinatesError {
    /// The origin asked for.
    pub origin: [f64; 2],
    /// The side asked for.
    pub cell_size: f64,
}

impl Coordinates {
    /// Coordinates with the corner of cell (0, 0) at `origin` and cells of side `cell_size`. Fails with a
    /// [`CoordinatesError`] unless all three numbers are finite and the side is above 0.
    pub fn new(origin: [f64; 2], cell_size: f64) -> Result<Self, CoordinatesError> {
        let finite = origin.iter().all(|place| place.is_finite()) && cell_size.is_finite();
        if finite && cell_size > 0.0 {
            Ok(Self { origin, cell_size })
        } else {
            Err(CoordinatesError { origin, cell_size })
        }
    }

    /// Where the corner of cell (0, 0) lies.
    pub fn origin(&self) -> [f64; 2] {
        self.origin
    }

    /// The side of a cell.
    pub fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// The column and row of a position, wherever it lies: outside the map they are negative or too large.
    /// `None` if the position is not a number, or so far away that columns cannot be counted.
    ///
    /// ```
    /// use highroad::world::Coordinates;
    /// let coordinates = Coordinates::new([0.0, 0.0], 2.0)?;
    /// assert_eq!(coordinates.column_and_row([5.0, -0.5]), Some([2, -1]));
    /// assert_eq!(coordinates.column_and_row([f64::NAN, 0.0]), None);
    /// # Ok::<(), highroad::world::CoordinatesError>(())
    /// ```
    pub fn column_and_row(&self, position: [f64; 2]) -> Option<[i64; 2]> {
        /// Up to here every whole number is a number of its own.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let place = |axis: usize| {
            let place = ((position[axis] - self.origin[axis]) / self.cell_size).floor();
            (place.abs() < EXACT).then_some(place as i64)
        };
        Some([place(0)?, place(1)?])
    }

    /// The cell at a position; `None` outside the map.
    pub fn cell_at(&self, extent: Extent, position: impl PlanePosition) -> Option<Cell> {
        let [column, row] = self.column_and_row(position.to_plane())?;
        let cell = Cell::new(u32::try_from(column).ok()?, u32::try_from(row).ok()?);
        extent.contains(cell).then_some(cell)
    }

    /// The middle of a cell.
    pub fn middle_of(&self, cell: Cell) -> [f64; 2] {
        let middle =
            |place: u32, axis: usize| self.origin[axis] + (f64::from(place) + 0.5) * self.cell_size;
        [middle(cell.x, 0), middle(cell.y, 1)]
    }

    /// The middle of a cell, as another type of position.
    ///
    /// ```
    /// use highroad::Cell;
    /// use highroad::world::Coordinates;
    /// let coordinates = Coordinates::new([-2.0, -1.0], 0.5)?;
    /// assert_eq!(coordinates.middle_as::<(f32, f32)>(Cell::new(0, 1)), (-1.75, -0.25));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn middle_as<P: PlanePosition>(&self, cell: Cell) -> P {
        P::from_plane(self.middle_of(cell))
    }

    /// A path as points, as another type of position. See [`PlanePosition`] for an example.
    pub fn points_as<P: PlanePosition>(&self, path: &Path) -> Vec<P> {
        path.turning_points().map(|cell| self.middle_as(cell)).collect()
    }

    /// A path as points: the middles of the cells where it turns, with its start and its goal. O(cells of the path).
    ///
    /// ```
    /// use highroad::PathWorld;
    /// use highroad::world::Coordinates;
    /// let coordinates = Coordinates::new([0.0, 0.0], 10.0)?;
    /// let mut world = PathWorld::new("....\n###.\n".parse()?).with_coordinates(coordinates);
    /// let path = world.find_path((0, 0), (3, 1))?.expect("it is open");
    /// assert_eq!(world.coordinates().points_of(&path), [[5.0, 5.0], [35.0, 5.0], [35.0, 15.0]]);
    /// assert_eq!(world.cell_at([39.0, 11.0]), Some(path.goal()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn points_of(&self, path: &Path) -> Vec<[f64; 2]> {
        path.turning_points().map(|cell| self.middle_of(cell)).collect()
    }
}

impl Default for Coordinates {
    /// Cells of side 1, the first at the origin.
    fn default() -> Self {
        Self { origin: [0.0, 0.0], cell_size: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_left_of_and_above_zero_are_floored_not_cut() {
        let coordinates = Coordinates::new([0.0, 0.0], 2.0).unwrap();
        assert_eq!(coordinates.column_and_row([-0.1, -2.0]), Some([-1, -1]));
        assert_eq!(coordinates.column_and_row([-2.1, 3.9]), Some([-2, 1]));
        let extent = Extent::new(4, 3).unwrap();
        let coordinates = Coordinates::new([-4.0, -3.0], 2.0).unwrap();
        let cells: Vec<_> = [[-4.0, -3.0], [-2.1, -1.1], [-2.0, -1.0], [3.9, 2.9], [4.0, 0.0]]
            .map(|position| coordinates.cell_at(extent, position))
            .to_vec();
        let inside = |x, y| Some(Cell::new(x, y));
        assert_eq!(cells, [inside(0, 0), inside(0, 0), inside(1, 1), inside(3, 2), None]);
    }

    #[test]
    fn every_middle_lies_in_its_cell() {
        let extent = Extent::new(50, 40).unwrap();
        for (origin, size) in [([-12.3, 4.56], 0.1), ([1e6, -1e6], 32.0), ([0.0, 0.0], 1.0 / 3.0)] {
            let coordinates = Coordinates::new(origin, size).unwrap();
            for cell in extent.cells() {
                assert_eq!(coordinates.cell_at(extent, coordinates.middle_of(cell)), Some(cell));
            }
        }
    }

    #[test]
    fn positions_of_less_precision_lie_in_the_same_cells() {
        let extent = Extent::new(50, 40).unwrap();
        let coordinates = Coordinates::new([-12.25, 4.5], 0.5).unwrap();
        for cell in extent.cells() {
            let middle: [f32; 2] = coordinates.middle_as(cell);
            assert_eq!(coordinates.cell_at(extent, middle), Some(cell));
            let middle: (f64, f64) = coordinates.middle_as(cell);
            assert_eq!(coordinates.cell_at(extent, middle), Some(cell));
        }
    }

    #[cfg(feature = "glam")]
    #[test]
    fn vectors_of_glam_are_positions_and_cells() {
        use glam::{DVec2, IVec2, UVec2, Vec2};
        let extent = Extent::new(4, 3).unwrap();
        let coordinates = Coordinates::new([-4.0, -3.0], 2.0).unwrap();
        assert_eq!(coordinates.cell_at(extent, Vec2::new(-2.0, -1.0)), Some(Cell::new(1, 1)));
        assert_eq!(coordinates.cell_at(extent, DVec2::new(4.0, 0.0)), None);
        assert_eq!(coordinates.middle_as::<Vec2>(Cell::new(1, 1)), Vec2::new(-1.0, 0.0));
        assert_eq!(coordinates.middle_as::<DVec2>(Cell::new(0, 0)), DVec2::new(-3.0, -2.0));
        assert_eq!(Cell::from(UVec2::new(3, 4)), Cell::new(3, 4));
        assert_eq!(UVec2::from(Cell::new(3, 4)), UVec2::new(3, 4));
        assert_eq!(Cell::try_from(IVec2::new(3, 4)), Ok(Cell::new(3, 4)));
        assert!(Cell::try_from(IVec2::new(3, -4)).is_err());
        assert_eq!(IVec2::try_from(Cell::new(3, 4)), Ok(IVec2::new(3, 4)));
        assert!(IVec2::try_from(Cell::new(u32::MAX, 0)).is_err());
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for (origin, size) in [
            ([0.0, 0.0], 0.0),
            ([0.0, 0.0], -1.0),
            ([f64::NAN, 0.0], 1.0),
            ([0.0, 0.0], f64::INFINITY),
        ] {
            assert!(Coordinates::new(origin, size).is_err());
        }
        let extent = Extent::new(4, 3).unwrap();
        for position in [[f64::NAN, 0.0], [f64::INFINITY, 0.0], [0.0, f64::MIN], [1e300, 1e300]] {
            assert_eq!(Coordinates::default().cell_at(extent, position), None);
        }
    }
}

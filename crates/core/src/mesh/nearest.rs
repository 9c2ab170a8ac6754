//! The point of a mesh nearest to a point beside it.

use super::Mesh;
use super::point::{MeshPoint, Xy, distance, nearest_on_segment};
use super::shape::MeshShape;

/// By how much a point that rounding has put beside its polygon is moved inwards, at first.
const FIRST_STEP: f64 = 1.0 / (1u64 << 50) as f64;

impl MeshShape {
    /// The point of some polygons nearest to a point, with its layer. O(corners of those polygons). The nearest
    /// point itself may have no exact coordinates: what is returned lies in the mesh, at most some units in the last
    /// place away.
    pub(crate) fn nearest_point(
        &self,
        to: MeshPoint,
        wanted: impl Fn(u32) -> bool,
    ) -> Option<MeshPoint> {
        let at = to.xy();
        let mut best: Option<(f64, bool, u32, Xy)> = None;
        let wanted = |&polygon: &u32| self.is_open(polygon) && wanted(polygon);
        for polygon in (0..self.polygon_count() as u32).filter(wanted) {
            let other_layer = self.layer(polygon) != to.layer();
            let here =
                if self.contains(polygon, at) { at } else { self.nearest_on_border(polygon, at) };
            let candidate = (distance(here, at), other_layer, polygon, here);
            if best.is_none_or(|best| (candidate.0, candidate.1) < (best.0, best.1)) {
                best = Some(candidate);
            }
        }
        let (.., polygon, xy) = best?;
        Some(MeshPoint::known(self.moved_inside(polygon, xy), self.layer(polygon)))
    }

    fn nearest_on_border(&self, polygon: u32, at: Xy) -> Xy {
        let sides = self.sides(polygon);
        let mut from = sides[sides.len() - 1].at;
        let mut best = (f64::INFINITY, from);
        for side in sides {
            let here = nearest_on_segment(from, side.at, at);
            let away = distance(here, at);
            if away < best.0 {
                best = (away, here);
            }
            from = side.at;
        }
        best.1
    }

    /// The point itself, or one a little nearer to the middle of the polygon that lies in it.
    fn moved_inside(&self, polygon: u32, xy: Xy) -> Xy {
        let sides = self.sides(polygon);
        let sum =
            sides.iter().fold([0.0; 2], |sum, side| [sum[0] + side.at[0], sum[1] + side.at[1]]);
        let middle = sum.map(|sum| sum / sides.len() as f64);
        let mut part = 0.0;
        while part < 1.0 {
            let moved = [0, 1].map(|axis| xy[axis] + part * (middle[axis] - xy[axis]));
            if self.contains(polygon, moved) {
                return moved;
            }
            part = if part == 0.0 { FIRST_STEP } else { part * 4.0 };
        }
        sides[0].at
    }
}

impl Mesh {
    /// The point of the mesh nearest to a point: itself, if it lies on the mesh. Of points that are equally near on
    /// several layers, that on the point's own layer. `None` if the mesh has no polygons. O(corners).
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// let mesh = Mesh::from_polygons(vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], &[vec![0, 1, 2]])?;
    /// let beside = MeshPoint::new(1.0, -3.0)?;
    /// assert_eq!(mesh.nearest_point(beside), Some(MeshPoint::new(1.0, 0.0)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_point(&self, to: MeshPoint) -> Option<MeshPoint> {
        self.shape().nearest_point(to, |_| true)
    }
}

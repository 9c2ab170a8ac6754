//! Shortest paths by the plainest method there is, to compare others with: Dijkstra's algorithm over all corners that see
//! each other. What is seen is what a straight line can be followed to (`walk.rs`), corner by corner, so that it shares
//! no code with the searches. O(corners³) lines and more: for small meshes only.

use super::point::{MeshPoint, Xy, distance};
use super::{Mesh, shape};
use std::collections::BTreeMap;

impl Mesh {
    /// The length of a shortest path between two points, found slowly and plainly, to compare planners with; `None` if
    /// there is no path. Links count with what they cost; what areas cost does not count. Meshes of some hundred corners take
    /// seconds.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshPoint};
    /// let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    /// let mesh = Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])?;
    /// let ends = [MeshPoint::new(4.0, 1.0)?, MeshPoint::new(0.0, 4.0)?];
    /// assert_eq!(mesh.plain_shortest(ends[0], ends[1]), Some(3.0 + 10f64.sqrt()));
    /// assert_eq!(mesh.bend_count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plain_shortest(&self, from: MeshPoint, to: MeshPoint) -> Option<f64> {
        let shape = self.shape();
        let mut places: Vec<Xy> = vec![from.xy(), to.xy()];
        places.extend(self.bends());
        let ways = self.ways();
        let first_way = places.len();
        places.extend(ways.list.iter().flat_map(|way| [way.from.xy(), way.to.xy()]));
        // Open states by place and fan of polygons, since a path does not change fans where obstacles touch.
        let mut open: Vec<(f64, usize, Vec<u32>)> = vec![(0.0, 0, self.polygons_at(from))];
        let mut closed: BTreeMap<(usize, Vec<u32>), f64> = BTreeMap::new();
        while !open.is_empty() {
            let least = (0..open.len()).min_by(|&a, &b| open[a].0.total_cmp(&open[b].0))?;
            let (g, place, fan) = open.swap_remove(least);
            let is_on = |layer: u16| fan.iter().any(|&polygon| shape.layer(polygon) == layer);
            if places[place] == to.xy() && is_on(to.layer()) {
                return Some(g);
            }
            if closed.insert((place, fan.clone()), g).is_some() {
                continue;
            }
            for (number, way) in ways.list.iter().enumerate() {
                if way.from.xy() == places[place] && is_on(way.from.layer()) {
                    let end = first_way + 2 * number + 1;
                    open.push((g + way.length, end, self.polygons_at(way.to)));
                }
            }
            for (other, &at) in places.iter().enumerate() {
                let mut reached = fan.clone();
                if other != place && shape.follow_line(places[place], at, &mut reached) {
                    reached.sort_unstable();
                    if !closed.contains_key(&(other, reached.clone())) {
                        open.push((g + distance(places[place], at), other, reached));
                    }
                }
            }
        }
        None
    }

    /// How many different places shortest paths may bend at. O(corners · log corners).
    pub fn bend_count(&self) -> usize {
        self.bends().len()
    }

    fn bends(&self) -> Vec<Xy> {
        let is_bend = |side: &&shape::HalfEdge| side.is_corner();
        let sides = self.shape().half_edges.iter().filter(is_bend);
        let mut places: Vec<Xy> = sides.map(|side| side.at).collect();
        places.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        places.dedup();
        places
    }
}

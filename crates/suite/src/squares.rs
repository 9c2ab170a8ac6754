//! Meshes of squares, and an oracle for shortest paths on them that knows the squares alone: all corners of obstacles that
//! see each other, by whole numbers, and Dijkstra's algorithm over them.

use crate::random::Random;
use highroad_core::mesh::{Mesh, MeshBatch, MeshChange, MeshPoint, Obstacle};
use std::fmt;

/// Units of the oracle along the side of a square.
const UNITS: i64 = 4;

/// A point of the oracle.
pub(crate) type Spot = (i64, i64);

/// A small map of squares as a mesh, and the lengths of shortest paths on it. Points have numbers: four along the side of a
/// square, row by row from below, the edges of the map included.
///
/// ```
/// use highroad_suite::SquareMesh;
/// let ground = SquareMesh::new(&["..".to_owned(), ".#".to_owned()], 0, 2, 0).expect("a free square");
/// // A row has nine points. From the middle of the square below on the left, round the corner, to the one above on the right.
/// let (start, goal) = (2 * 9 + 2, 6 * 9 + 6);
/// assert_eq!(ground.shortest_between(&[start], &[goal]), Some(2.0 * 8f64.sqrt()));
/// assert_eq!(ground.lies_on_ground(2 * 9 + 6), Some(false), "inside the obstacle");
/// ```
#[derive(Clone)]
pub struct SquareMesh {
    /// The mesh.
    pub mesh: Mesh,
    squares: Squares,
    turn: Turn,
}

impl SquareMesh {
    /// The mesh of a map, `#` for blocked squares. By `turn` it lies as drawn (0), at 45° (1), or turned and scaled so that
    /// coordinates are rounded (2); by `form` it is made of rows (0), triangles (1) or squares (2), by the numbers of a
    /// seed. `None` without a free square, or if rows differ in length.
    pub fn new(rows: &[String], turn: u32, form: u32, seed: u64) -> Option<Self> {
        let width = rows.first()?.len();
        let blocked = rows.iter().rev().flat_map(|row| row.bytes().map(|letter| letter == b'#'));
        let blocked: Vec<bool> = blocked.collect();
        if rows.iter().any(|row| row.len() != width) || blocked.iter().all(|&blocked| blocked) {
            return None;
        }
        let extent = (width as u32, rows.len() as u32);
        Some(Self::of(extent, blocked, turn, form, &mut Random::new(seed)))
    }

    pub(crate) fn of(
        (width, height): (u32, u32),
        blocked: Vec<bool>,
        turn: u32,
        form: u32,
        random: &mut Random,
    ) -> Self {
        let squares = Squares { width: width.into(), height: height.into(), blocked };
        let half = 0.5f64.sqrt();
        let turn = Turn { right: [[1.0, 0.0], [half, half], [0.31, 0.17]][turn as usize % 3] };
        let mesh = squares.mesh(random, form, turn);
        Self { mesh, squares, turn }
    }

    /// How many points have a number.
    pub fn point_count(&self) -> u32 {
        ((self.squares.width * UNITS + 1) * (self.squares.height * UNITS + 1)) as u32
    }

    fn spot(&self, number: u32) -> Spot {
        let columns = self.squares.width * UNITS + 1;
        (i64::from(number) % columns, i64::from(number) / columns)
    }

    /// The point with a number; some numbers lie outside.
    pub fn point_of(&self, number: u32) -> MeshPoint {
        self.point(self.spot(number))
    }

    /// Whether a point lies on free ground; `None` on its outline, where rounding decides.
    pub fn lies_on_ground(&self, number: u32) -> Option<bool> {
        let around = self.squares.around(self.spot(number));
        (around.iter().all(|&free| free == around[0])).then_some(around[0])
    }

    /// The length of a shortest path between any of some points and any of others, if there is one.
    pub fn shortest_between(&self, starts: &[u32], goals: &[u32]) -> Option<f64> {
        let spots =
            |numbers: &[u32]| numbers.iter().map(|&at| self.spot(at)).collect::<Vec<Spot>>();
        self.shortest(&spots(starts), &spots(goals))
    }

    /// The length of a shortest path from any of some points to a place, which must be a corner or have a number.
    pub fn shortest_to(&self, starts: &[u32], place: MeshPoint) -> Option<f64> {
        let starts: Vec<Spot> = starts.iter().map(|&at| self.spot(at)).collect();
        self.shortest(&starts, &[self.spot_at(place)?])
    }

    /// Whether a point lies inside of a square, and not on an edge: an obstacle there blocks that square alone.
    pub fn lies_inside(&self, number: u32) -> bool {
        let (x, y) = self.spot(number);
        x % UNITS != 0 && y % UNITS != 0
    }

    /// Whether two points touch the same free square.
    pub fn share_square(&self, one: u32, other: u32) -> bool {
        let own: Vec<usize> = self.squares.touching(self.spot(one)).collect();
        self.squares.touching(self.spot(other)).any(|square| own.contains(&square))
    }

    /// The map with those squares blocked that some points lie inside of, as a mesh of squares; `None` if none is left.
    pub fn blocking(&self, numbers: &[u32]) -> Option<Self> {
        let mut squares = self.squares.clone();
        for (x, y) in numbers.iter().map(|&number| self.spot(number)) {
            let (x, y) = (x.div_euclid(UNITS), y.div_euclid(UNITS));
            if !squares.is_blocked(x, y) {
                squares.blocked[(y * squares.width + x) as usize] = true;
            }
        }
        let turn = self.turn;
        squares.blocked.contains(&false).then(|| {
            let mesh = squares.mesh(&mut Random::new(0), 2, turn);
            Self { mesh, squares, turn }
        })
    }

    /// Puts an obstacle on the square that a point lies inside of, or takes it away: what has changed on the mesh. `None` if the
    /// point lies inside of no free square, or of the last one.
    ///
    /// ```
    /// use highroad_suite::SquareMesh;
    /// let mut ground = SquareMesh::new(&["..".to_owned()], 0, 2, 0).expect("there are free squares");
    /// // A row has nine points; the middle one of the square on the right.
    /// let middle = 2 * 9 + 6;
    /// assert!(ground.put_or_take_obstacle(middle).is_some());
    /// assert_eq!(ground.lies_on_ground(middle), Some(false));
    /// assert!(ground.put_or_take_obstacle(2 * 9 + 2).is_none(), "it is the last");
    /// assert!(ground.put_or_take_obstacle(middle).is_some());
    /// assert_eq!(ground.lies_on_ground(middle), Some(true));
    /// ```
    pub fn put_or_take_obstacle(&mut self, number: u32) -> Option<Vec<MeshChange>> {
        let (x, y) = self.spot(number);
        let (x, y) = (x.div_euclid(UNITS), y.div_euclid(UNITS));
        let name = format!("{x},{y}");
        let mut batch = MeshBatch::new();
        let is_placed = self.mesh.obstacle(&name).is_some();
        if is_placed {
            batch.remove(name);
        } else {
            let free = self.squares.blocked.iter().filter(|&&blocked| !blocked).count();
            if !self.lies_inside(number) || self.squares.is_blocked(x, y) || free == 1 {
                return None;
            }
            let corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)];
            let corners = corners.map(|(x, y)| self.point((x * UNITS, y * UNITS)));
            let outline = corners.iter().map(|corner| [corner.x(), corner.y()]).collect();
            batch.place(name, Obstacle::new(outline).ok()?);
        }
        let changes = self.mesh.apply(&batch).ok()?;
        self.squares.blocked[(y * self.squares.width + x) as usize] = !is_placed;
        Some(changes)
    }

    /// Whether one can go straight from each place to the next, and does not pass where obstacles touch. Places must be corners
    /// or have numbers.
    pub fn can_walk(&self, places: &[MeshPoint]) -> bool {
        let spots: Option<Vec<Spot>> = places.iter().map(|&place| self.spot_at(place)).collect();
        let Some(spots) = spots else { return false };
        let is_passed = |&(x, y): &Spot| {
            x % UNITS != 0 || y % UNITS != 0 || !self.squares.is_pinch(x / UNITS, y / UNITS)
        };
        let inner = spots.get(1..spots.len() - 1).unwrap_or_default();
        spots.windows(2).all(|leg| self.squares.sees(leg[0], leg[1])) && inner.iter().all(is_passed)
    }

    /// How far the nearest ground that can be reached from some points is from the nearest of others, as the crow flies.
    pub fn remoteness(&self, starts: &[u32], goals: &[u32]) -> Option<f64> {
        let reached = self.squares.reached(starts.iter().map(|&at| self.spot(at)));
        let goals: Vec<Spot> = goals.iter().map(|&at| self.spot(at)).collect();
        let near = |spot: &Spot| {
            let away = |goal: &Spot| (goal.0 - spot.0).pow(2) + (goal.1 - spot.1).pow(2);
            goals.iter().map(away).min()
        };
        // The point of a square that is nearest to a point with a number has a number as well.
        let spots = self.squares.free_spots().into_iter();
        let spots = spots.filter(|&spot| self.squares.touching(spot).any(|at| reached[at]));
        let least = spots.filter_map(|spot| near(&spot)).min()?;
        Some((least as f64).sqrt() * self.turn.length())
    }

    /// How far the nearest ground is from a point, whether it can be reached or not.
    pub fn remoteness_of_ground(&self, number: u32) -> Option<f64> {
        let all: Vec<u32> = (0..self.point_count()).collect();
        self.remoteness(&all, &[number])
    }

    /// The point of the oracle at a place.
    fn spot_at(&self, place: MeshPoint) -> Option<Spot> {
        let ([x, y], [right, up]) = ([place.x(), place.y()], self.turn.right);
        let scale = right * right + up * up;
        let [x, y] = [(x * right + y * up) / scale, (y * right - x * up) / scale];
        let spot = (x.round() as i64, y.round() as i64);
        let is_there = (x - x.round()).abs().max((y - y.round()).abs()) < 1e-6;
        is_there.then_some(spot)
    }

    pub(crate) fn shortest(&self, starts: &[Spot], goals: &[Spot]) -> Option<f64> {
        Some(self.squares.shortest(starts, goals)? * self.turn.length())
    }

    pub(crate) fn free_spots(&self) -> Vec<Spot> {
        self.squares.free_spots()
    }

    pub(crate) fn middle(&self) -> Spot {
        self.squares.middle()
    }

    /// A point of the oracle on the mesh: that of a vertex, where one is as near as rounding.
    pub(crate) fn point(&self, spot: Spot) -> MeshPoint {
        let [x, y] = self.turn.place(spot);
        let is_there = |at: &&[f64; 2]| (at[0] - x).abs().max((at[1] - y).abs()) < 1e-9;
        let [x, y] = self.mesh.vertices().iter().find(is_there).copied().unwrap_or([x, y]);
        MeshPoint::new(x, y).expect("coordinates are small")
    }
}

impl fmt::Debug for SquareMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { squares, turn, .. } = self;
        writeln!(f, "{turn:?}")?;
        for y in (0..squares.height).rev() {
            let row = (0..squares.width).map(|x| if squares.is_blocked(x, y) { '#' } else { '.' });
            writeln!(f, "{}", row.collect::<String>())?;
        }
        Ok(())
    }
}

/// How the map lies in the plane.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// A unit of the oracle to the right.
    right: [f64; 2],
}

impl Turn {
    fn place(self, (x, y): Spot) -> [f64; 2] {
        let ([x, y], [right, up]) = ([x as f64, y as f64], self.right);
        [x * right - y * up, x * up + y * right]
    }

    fn length(self) -> f64 {
        self.right[0].hypot(self.right[1])
    }
}

/// A map of squares, y upwards.
#[derive(Clone, Debug)]
struct Squares {
    width: i64,
    height: i64,
    blocked: Vec<bool>,
}

impl Squares {
    fn is_blocked(&self, x: i64, y: i64) -> bool {
        let is_inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        !is_inside || self.blocked[(y * self.width + x) as usize]
    }

    /// The free squares as a mesh: in rows, as triangles, or one by one.
    fn mesh(&self, random: &mut Random, form: u32, turn: Turn) -> Mesh {
        let vertex = |x: i64, y: i64| (y * (self.width + 1) + x) as u32;
        let corners = (0..=self.height).flat_map(|y| (0..=self.width).map(move |x| (x, y)));
        let vertices: Vec<[f64; 2]> =
            corners.map(|(x, y)| turn.place((x * UNITS, y * UNITS))).collect();
        let mut polygons = Vec::new();
        for y in 0..self.height {
            let mut x = 0;
            while x < self.width {
                if self.is_blocked(x, y) {
                    x += 1;
                    continue;
                }
                let mut end = x + 1;
                while form == 0 && !self.is_blocked(end, y) && random.below(4) > 0 {
                    end += 1;
                }
                let below = (x..=end).map(|x| vertex(x, y));
                let above = (x..=end).rev().map(|x| vertex(x, y + 1));
                let outline: Vec<u32> = below.chain(above).collect();
                match (form, &outline[..]) {
                    (1, &[a, b, c, d]) if random.below(2) == 0 => {
                        polygons.extend([vec![a, b, c], vec![a, c, d]]);
                    }
                    (1, &[a, b, c, d]) => polygons.extend([vec![a, b, d], vec![b, c, d]]),
                    _ => polygons.push(outline),
                }
                x = end;
            }
        }
        Mesh::from_polygons(vertices, &polygons).expect("squares are convex")
    }

    /// Points in free squares, on their edges and corners too.
    fn free_spots(&self) -> Vec<Spot> {
        let spots =
            (0..=self.height * UNITS).flat_map(|y| (0..=self.width * UNITS).map(move |x| (x, y)));
        spots.filter(|&spot| self.around(spot).contains(&true)).collect()
    }

    /// Whether the squares that a point touches are free: all four of them, some equal unless it is a corner.
    fn around(&self, (x, y): Spot) -> [bool; 4] {
        [(x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)]
            .map(|(x, y)| !self.is_blocked(x.div_euclid(UNITS), y.div_euclid(UNITS)))
    }

    /// The numbers of the free squares that a point touches.
    fn touching(&self, (x, y): Spot) -> impl Iterator<Item = usize> + '_ {
        let corners = [(x, y), (x - 1, y), (x, y - 1), (x - 1, y - 1)];
        let squares = corners.map(|(x, y)| (x.div_euclid(UNITS), y.div_euclid(UNITS)));
        let free = squares.into_iter().filter(|&(x, y)| !self.is_blocked(x, y));
        free.map(|(x, y)| (y * self.width + x) as usize)
    }

    /// Which squares can be reached from some points, from edge to edge.
    fn reached(&self, starts: impl Iterator<Item = Spot>) -> Vec<bool> {
        let mut reached = vec![false; self.blocked.len()];
        let mut open: Vec<usize> = starts.flat_map(|start| self.touching(start)).collect();
        while let Some(square) = open.pop() {
            if std::mem::replace(&mut reached[square], true) {
                continue;
            }
            let (x, y) = (square as i64 % self.width, square as i64 / self.width);
            let beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
            let free = beside.into_iter().filter(|&(x, y)| !self.is_blocked(x, y));
            open.extend(free.map(|(x, y)| (y * self.width + x) as usize));
        }
        reached
    }

    /// The middle of the first free square.
    fn middle(&self) -> Spot {
        let free =
            self.blocked.iter().position(|blocked| !blocked).expect("a square is free") as i64;
        (free % self.width * UNITS + UNITS / 2, free / self.width * UNITS + UNITS / 2)
    }

    /// Whether two obstacles touch at a corner, with free ground on the other two sides.
    fn is_pinch(&self, x: i64, y: i64) -> bool {
        let [a, b, c, d] =
            [(x - 1, y - 1), (x, y - 1), (x, y), (x - 1, y)].map(|(x, y)| self.is_blocked(x, y));
        a == c && b == d && a != b
    }

    /// Whether one can go straight from one point to another.
    fn sees(&self, from: Spot, to: Spot) -> bool {
        let (x_range, y_range) =
            ((from.0.min(to.0), from.0.max(to.0)), (from.1.min(to.1), from.1.max(to.1)));
        let side = |p: Spot| (to.0 - from.0) * (p.1 - from.1) - (to.1 - from.1) * (p.0 - from.0);
        for y in y_range.0.div_euclid(UNITS) - 1..=y_range.1.div_euclid(UNITS) {
            for x in x_range.0.div_euclid(UNITS) - 1..=x_range.1.div_euclid(UNITS) {
                let (left, low) = (x * UNITS, y * UNITS);
                let (right, high) = (left + UNITS, low + UNITS);
                // The corner in the middle of the line, or the whole of it along an edge between two blocked squares.
                let corner = (left, low);
                let is_between = corner != from
                    && corner != to
                    && (x_range.0..=x_range.1).contains(&left)
                    && (y_range.0..=y_range.1).contains(&low);
                if is_between && side(corner) == 0 && self.is_pinch(x, y) {
                    return false;
                }
                let across = y_range.0 < high && y_range.1 > low;
                let along = x_range.0 < right && x_range.1 > left;
                let upright = from.0 == to.0 && from.0 == left && across;
                let level = from.1 == to.1 && from.1 == low && along;
                if (upright && self.is_blocked(x, y) && self.is_blocked(x - 1, y))
                    || (level && self.is_blocked(x, y) && self.is_blocked(x, y - 1))
                {
                    return false;
                }
                let sides = [(left, low), (right, low), (right, high), (left, high)].map(side);
                let is_split = sides.iter().any(|&s| s > 0) && sides.iter().any(|&s| s < 0);
                if self.is_blocked(x, y) && across && along && is_split {
                    return false;
                }
            }
        }
        true
    }

    /// The length of a shortest path in units, by Dijkstra's algorithm over ends and corners.
    fn shortest(&self, starts: &[Spot], goals: &[Spot]) -> Option<f64> {
        let corners = (0..=self.height).flat_map(|y| (0..=self.width).map(move |x| (x, y)));
        let bends = corners.filter(|&(x, y)| !self.is_pinch(x, y));
        let mut spots: Vec<Spot> = bends.map(|(x, y)| (x * UNITS, y * UNITS)).collect();
        spots.extend(starts.iter().chain(goals));
        let is_start = |spot: &Spot| starts.contains(spot);
        let mut lengths: Vec<f64> =
            spots.iter().map(|spot| if is_start(spot) { 0.0 } else { f64::INFINITY }).collect();
        // A path may begin or end where obstacles touch, but not pass.
        let may_pass = |spot: Spot| {
            let on_corner = spot.0 % UNITS == 0 && spot.1 % UNITS == 0;
            is_start(&spot) || !on_corner || !self.is_pinch(spot.0 / UNITS, spot.1 / UNITS)
        };
        let mut done = vec![false; spots.len()];
        loop {
            let open = (0..spots.len()).filter(|&at| !done[at] && lengths[at].is_finite());
            let at = open.min_by(|&a, &b| lengths[a].total_cmp(&lengths[b]))?;
            if goals.contains(&spots[at]) {
                return Some(lengths[at]);
            }
            done[at] = true;
            if !may_pass(spots[at]) {
                continue;
            }
            for other in 0..spots.len() {
                let (from, to) = (spots[at], spots[other]);
                let length = ((to.0 - from.0) as f64).hypot((to.1 - from.1) as f64);
                if lengths[at] + length < lengths[other] && self.sees(from, to) {
                    lengths[other] = lengths[at] + length;
                }
            }
        }
    }
}

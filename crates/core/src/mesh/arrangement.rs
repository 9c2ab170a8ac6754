//! Straight lines cut where they meet, so that they have nothing in common but ends.
//!
//! Whether lines meet is decided exactly. The point where two of them cross is rounded, so that cutting bends them by
//! about a unit in the last place, and what is bent may cross something else as near as that. So cutting is repeated
//! until nothing crosses. A crossing as near as [`SNAP`] to a point that is there is taken to be that point, and twice as
//! near with each round: lines that lie on each other as near as rounding would go on to make new points otherwise.

use super::point::{Xy, accepted, distance, orient};
use std::collections::BTreeMap;

/// A crossing this near to a point is the point, in the first round, as a part of the largest coordinate of the two lines:
/// some units in the last place.
const SNAP: f64 = 1.0 / (1u64 << 48) as f64;

/// Rounds of cutting. Two are usual; in the last one, [`SNAP`] has grown to 2⁻²⁸.
const ROUNDS_MAX: usize = 21;

/// By how much cutting may multiply lines before it is given up: lines that lie on each other would be cut for ever.
const PIECES_FACTOR: usize = 32;

/// Different points, numbered as they come.
#[derive(Default)]
pub(super) struct Points {
    pub(super) at: Vec<Xy>,
    numbers: BTreeMap<[u64; 2], u32>,
}

impl Points {
    pub(super) fn number(&mut self, at: Xy) -> u32 {
        let next = self.at.len() as u32;
        let number = *self.numbers.entry(at.map(f64::to_bits)).or_insert(next);
        if number == next {
            self.at.push(at);
        }
        number
    }
}

/// A straight line from one point to another; what it is for stays with its pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<T> {
    pub(super) ends: [u32; 2],
    pub(super) tag: T,
}

/// Cuts all lines where they meet. Lines that have come to lie on each other are left to `tidy` after each round. Returns
/// whether cutting came to an end.
pub(super) fn cut_all<T: Copy>(
    points: &mut Points,
    pieces: &mut Vec<Piece<T>>,
    tidy: impl Fn(&mut Vec<Piece<T>>),
) -> bool {
    let mut cuts: Vec<(u32, u32)> = Vec::new();
    let mut snap = SNAP;
    let pieces_max = PIECES_FACTOR * pieces.len() + 256;
    for _ in 0..ROUNDS_MAX {
        cuts.clear();
        find_cuts(points, pieces, snap, &mut cuts);
        if cuts.is_empty() {
            return true;
        }
        cuts.sort_unstable();
        cuts.dedup();
        cut(points, pieces, &cuts);
        tidy(pieces);
        if pieces.len() > pieces_max {
            return false;
        }
        snap *= 2.0;
    }
    false
}

/// Which lines are to be cut at which points.
fn find_cuts<T>(points: &mut Points, pieces: &[Piece<T>], snap: f64, cuts: &mut Vec<(u32, u32)>) {
    let span = |piece: u32, axis: usize| {
        let [a, b] = pieces[piece as usize].ends.map(|end| points.at[end as usize][axis]);
        if a <= b { [a, b] } else { [b, a] }
    };
    let spans: Vec<[[f64; 2]; 2]> =
        (0..pieces.len() as u32).map(|piece| [span(piece, 0), span(piece, 1)]).collect();
    let mut order: Vec<u32> = (0..pieces.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| {
        spans[a as usize][0][0].total_cmp(&spans[b as usize][0][0]).then(a.cmp(&b))
    });
    for (at, &one) in order.iter().enumerate() {
        let [[_, right], [low, high]] = spans[one as usize];
        for &other in &order[at + 1..] {
            let [[left, _], [other_low, other_high]] = spans[other as usize];
            if left > right {
                break;
            }
            if other_low <= high && low <= other_high {
                let ends = [one, other].map(|piece| pieces[piece as usize].ends);
                meet(points, [one, other], ends, snap, cuts);
            }
        }
    }
}

/// Notes where two lines are to be cut because of each other.
fn meet(
    points: &mut Points,
    [one, other]: [u32; 2],
    [[a, b], [c, d]]: [[u32; 2]; 2],
    snap: f64,
    cuts: &mut Vec<(u32, u32)>,
) {
    let place = |point: u32| points.at[point as usize];
    let [pa, pb, pc, pd] = [a, b, c, d].map(place);
    let of_one = [orient(false, pa, pb, pc), orient(false, pa, pb, pd)];
    let of_other = [orient(false, pc, pd, pa), orient(false, pc, pd, pb)];
    let is_between = |p: Xy, u: Xy, v: Xy| {
        (0..2).all(|axis| u[axis].min(v[axis]) <= p[axis] && p[axis] <= u[axis].max(v[axis]))
    };
    for (end, side) in [c, d].into_iter().zip(of_one) {
        if side == 0.0 && end != a && end != b && is_between(place(end), pa, pb) {
            cuts.push((one, end));
        }
    }
    for (end, side) in [a, b].into_iter().zip(of_other) {
        if side == 0.0 && end != c && end != d && is_between(place(end), pc, pd) {
            cuts.push((other, end));
        }
    }
    let are_split =
        |[left, right]: [f64; 2]| (left > 0.0 && right < 0.0) || (left < 0.0 && right > 0.0);
    if !are_split(of_one) || !are_split(of_other) {
        return;
    }
    let crossing = crossing([pa, pb], [pc, pd], of_other);
    let size = [pa, pb, pc, pd].iter().flatten().fold(0.0f64, |size, c| size.max(c.abs()));
    let away = |point: &u32| distance(points.at[*point as usize], crossing);
    let nearest = (0..points.at.len() as u32)
        .filter(|point| away(point) <= snap * size)
        .min_by(|one, other| away(one).total_cmp(&away(other)));
    let at = nearest.unwrap_or_else(|| points.number(crossing));
    if at != a && at != b {
        cuts.push((one, at));
    }
    if at != c && at != d {
        cuts.push((other, at));
    }
}

/// Where two lines cross, rounded: never beside the rectangles that they span.
fn crossing([a, b]: [Xy; 2], [c, d]: [Xy; 2], [by_a, by_b]: [f64; 2]) -> Xy {
    let part = (by_a / (by_a - by_b)).clamp(0.0, 1.0);
    [0, 1].map(|axis| {
        let least = a[axis].min(b[axis]).max(c[axis].min(d[axis]));
        let most = a[axis].max(b[axis]).min(c[axis].max(d[axis]));
        let at = a[axis] + part * (b[axis] - a[axis]);
        let at = if least <= most { at.clamp(least, most) } else { at };
        // It lies between coordinates that were accepted: what changes is a negative zero, or what is nearly zero.
        accepted(at).unwrap_or(at)
    })
}

/// Cuts lines at points, given in the order of lines.
fn cut<T: Copy>(points: &Points, pieces: &mut Vec<Piece<T>>, cuts: &[(u32, u32)]) {
    let mut between: Vec<(f64, u32)> = Vec::new();
    for group in cuts.chunk_by(|one, other| one.0 == other.0) {
        let number = group[0].0 as usize;
        let Piece { ends: [from, to], tag } = pieces[number];
        let [a, b] = [from, to].map(|end| points.at[end as usize]);
        let along = |p: Xy| (p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1]);
        between.clear();
        between.extend(group.iter().map(|&(_, point)| (along(points.at[point as usize]), point)));
        between.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut begin = from;
        for (at, &(_, point)) in between.iter().enumerate() {
            let piece = Piece { ends: [begin, point], tag };
            if at == 0 {
                pieces[number] = piece;
            } else {
                pieces.push(piece);
            }
            begin = point;
        }
        pieces.push(Piece { ends: [begin, to], tag });
    }
}

//! One tick of a crowd.
//!
//! ```text
//!   index of positions ─> each agent: aim, velocity, slide ─> those that still overlap are moved apart
//!                            (in parallel, from the state before)      (in parallel, some rounds)
//!                      ─> those that overlap more than before go back to where they were ─> states, events
//! ```
//!
//! Each phase reads what the phase before has left and writes one entry for each agent, so that neither the number of threads nor
//! the order in which agents are worked on counts.

use super::avoidance::{Disc, HalfPlane, Solver};
use super::body::{Body, BodyState, Guide};
use super::ground::{cell_at, is_wall, middle_of, nearest_point, slide_disc};
use super::near::NearIndex;
use super::steering::{Aim, aim_of};
use super::vector::Vector;
use super::{Crowd, CrowdEvent, CrowdOptions, CrowdReport, Ground, Work, fits};
use highroad_core::field::{Flow, FlowField, FlowId};
use highroad_core::{Cell, CellRect, Grid};
#[cfg(feature = "rayon")]
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most neighbours that an agent avoids.
pub(super) const NEIGHBOURS_MAX: usize = 16;
/// The most neighbours from which an agent is moved apart; six of its size can touch it.
const TOUCHING_MAX: usize = 8;
/// How close others have to be at the begin of a tick to be moved apart at its end, beside the radii.
const TOUCHING_GAP: f64 = 0.3;
/// Seconds within which an agent may come as near to a wall as its radius.
const WALL_SECONDS: f64 = 0.1;
/// Seconds within which agents that overlap get apart by their velocities.
const APART_SECONDS: f64 = 0.25;
/// As near to its goal an agent has arrived.
pub(crate) const ARRIVAL: f64 = 0.15;
/// Ticks for which an agent has to be held up beside one that has arrived, to have arrived as well.
const HELD_TICKS: u16 = 20;
/// How much farther away an agent has arrived for each tick that it is held up, and at most.
const HELD_NEARNESS: f64 = 0.01;
const NEARNESS_MAX: f64 = 1.5;
/// Ticks after which one of two agents that hold each other up lets the other one go first, and for how long.
const DEADLOCK_TICKS: u16 = 60;
const YIELDED_TICKS: u16 = 45;
/// Steps of the number that says for which revision an agent has looked where its field leads: ticks that it waits after an edit.
const WAIT_STEPS: u64 = 16;
/// How deep agents may come to overlap, as a share of the smaller radius.
const OVERLAP_SHARE: f64 = 0.04;
/// What is less deep is not worth another round.
const OVERLAP_LEAST: f64 = 0.002;
/// Rounds in which those who overlap too much go back; one is enough, unless more than eight touch somebody.
const BACK_ROUNDS: usize = 4;
/// How much harder agents brake than they speed up.
const BRAKING: f64 = 4.0;
/// Agents that a thread takes at a time.
#[cfg(feature = "rayon")]
const CHUNK: usize = 128;

/// What a tick makes of an agent.
#[derive(Clone, Copy)]
pub(super) struct Next {
    body: Body,
    link: Option<Cell>,
    /// Those that it may touch, by their places in the index.
    touching: [u32; TOUCHING_MAX],
    touching_count: u8,
}

/// What all agents can see during a tick.
struct Scene<'s> {
    options: &'s CrowdOptions,
    grounds: &'s [Ground<'s>],
    index: &'s NearIndex,
    /// Everybody as before the tick, in the order of the index.
    before: &'s [Body],
}

/// How many ticks so many seconds are, one at least.
pub(super) fn ticks_of(seconds: f64, tick_seconds: f64) -> u32 {
    // What is no number or too large becomes the nearest that is.
    (seconds / tick_seconds + 0.5) as u32
}

pub(super) fn tick(crowd: &mut Crowd, grounds: &[Ground<'_>]) -> CrowdReport {
    let Crowd { options, bodies, events, work, .. } = crowd;
    let Some(&first) = bodies.first() else { return CrowdReport::default() };
    let Work { positions, before, next, spots, moved, strains, index } = work;
    positions.clear();
    positions.extend(bodies.iter().map(|body| body.position));
    index.make(positions, options.sight);
    before.resize(bodies.len(), first);
    let order = index.order();
    for_each(before, |at, body| *body = bodies[order[at] as usize]);
    next.resize(bodies.len(), Next::of(first));
    let scene = Scene { options, grounds, index, before };
    for_each(next, |at, next| {
        *next = Next::of(before[at]);
        scene.walk(at, next);
    });
    let overlap_max = move_apart(&scene, next, [spots, moved], strains);
    let mut report = CrowdReport { overlap_max, ..CrowdReport::default() };
    let first_event = events.len();
    let mut landings = Vec::new();
    for ((next, before), &number) in next.iter_mut().zip(&*before).zip(index.order()) {
        scene.settle(next, spots, &mut landings);
        let (body, state) = (next.body.id, next.body.state);
        events.extend(next.link.map(|to| CrowdEvent::TookLink { body, to }));
        if before.state != state {
            events.push(CrowdEvent::Changed { body, state });
        }
        note(&mut report, state);
        bodies[number as usize] = next.body;
    }
    // Stable, so that a link comes before what it leads to.
    events[first_event..].sort_by_key(CrowdEvent::body);
    report
}

/// Takes the state of an agent into account.
fn note(report: &mut CrowdReport, state: BodyState) {
    match state {
        BodyState::Walking | BodyState::Crossing => report.walking += 1,
        BodyState::Arrived => report.arrived += 1,
        BodyState::Waiting | BodyState::Blocked => report.waiting += 1,
        BodyState::Buried => report.buried += 1,
        BodyState::Idle => {}
    }
}

/// The grid that an agent walks on.
fn grid_of<'g>(grounds: &[Ground<'g>], body: &Body) -> Option<&'g Grid> {
    grounds.get(body.plan.kind.index()).map(|ground| ground.grid)
}

/// Does something with each entry and its number, on all cores if there are many.
fn for_each<T: Send>(entries: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
    #[cfg(feature = "rayon")]
    entries.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, entries)| {
        let first = chunk * CHUNK;
        entries.iter_mut().enumerate().for_each(|(at, entry)| work(first + at, entry));
    });
    #[cfg(not(feature = "rayon"))]
    entries.iter_mut().enumerate().for_each(|(at, entry)| work(at, entry));
}

/// The nearest of some agents, the nearest first.
struct Nearest {
    found: [(f64, u32); NEIGHBOURS_MAX],
    count: usize,
    count_max: usize,
}

impl Nearest {
    /// Of two that are as near, the one that came first stays first.
    #[inline]
    fn add(&mut self, distance_squared: f64, at: u32) {
        let full = self.count == self.count_max;
        if full && distance_squared >= self.found[self.count - 1].0 {
            return;
        }
        let mut place = if full { self.count - 1 } else { self.count };
        self.count = place + 1;
        while place > 0 && self.found[place - 1].0 > distance_squared {
            self.found[place] = self.found[place - 1];
            place -= 1;
        }
        self.found[place] = (distance_squared, at);
    }

    fn all(&self) -> &[(f64, u32)] {
        &self.found[..self.count]
    }
}

impl Next {
    fn of(body: Body) -> Self {
        Self { body, link: None, touching: [0; TOUCHING_MAX], touching_count: 0 }
    }

    fn touching(&self) -> &[u32] {
        &self.touching[..usize::from(self.touching_count)]
    }
}

impl Scene<'_> {
    /// Ends the tick of an agent: brings it to the end of a link, unless somebody else has come there in this tick.
    fn settle(&self, next: &mut Next, spots: &[Spot], landings: &mut Vec<Spot>) {
        let Some(to) = next.link else { return };
        let body = &mut next.body;
        let middle = middle_of(to);
        let landing = Spot { position: middle, ..Spot::of(body) };
        let is_taken = landings.iter().any(|other| landing.overlap(other) > 0.0);
        let mut comes_near = false;
        self.index.visit(middle, |places| {
            let mut others = places.map(|at| (&self.before[at], &spots[at]));
            // Who stood there before was seen before; it leaves by a link of its own.
            comes_near |= others.any(|(before, now)| {
                landing.overlap(now) > 0.0 && before.state != BodyState::Crossing
            });
        });
        if is_taken || comes_near {
            next.link = None;
            return;
        }
        (body.crossing, body.aimed_at) = (None, None);
        let has_room = |grid| fits(grid, middle.into(), body.plan.radius);
        if grid_of(self.grounds, body).is_some_and(has_room) {
            (body.position, body.aim, body.state) = (middle, middle, BodyState::Walking);
            body.aim_is_goal = false;
            landings.push(landing);
        } else {
            (next.link, body.state) = (None, BodyState::Waiting);
        }
    }

    /// One agent looks, decides and moves.
    fn walk(&self, at: usize, next: &mut Next) {
        let body = &mut next.body;
        let Some(ground) = self.grounds.get(body.plan.kind.index()) else {
            body.velocity = Vector::ZERO;
            return;
        };
        let grid = ground.grid;
        if !fits(grid, body.position.into(), body.plan.radius) {
            self.dig_out(grid, body);
            return;
        }
        if body.state == BodyState::Buried {
            let is_sent = body.guide != Guide::Nothing;
            body.state = if is_sent { BodyState::Waiting } else { BodyState::Idle };
        }
        if body.state == BodyState::Crossing {
            body.velocity = Vector::ZERO;
            next.link = self.cross(at, body);
            return;
        }
        let preferred = self.preferred(ground, body);
        let nearest = self.nearest(at, body);
        let touches = |&(squared, other): &(f64, u32)| {
            let reach = body.plan.radius + self.before[other as usize].plan.radius + TOUCHING_GAP;
            (squared < reach * reach).then_some(other)
        };
        let touching = nearest.all().iter().filter_map(touches).take(TOUCHING_MAX);
        for (place, other) in next.touching.iter_mut().zip(touching) {
            *place = other;
            next.touching_count += 1;
        }
        if self.rests(body, &nearest) {
            body.held = body.held.saturating_sub(1);
            body.yields = 0;
            return;
        }
        self.join_those_who_have_arrived(body, &nearest);
        let preferred = self.yielding(body, &nearest).unwrap_or(preferred);
        let velocity = self.avoiding(grid, body, preferred, &nearest);
        self.accelerate(body, velocity);
        let to = body.position + body.velocity * self.options.tick_seconds;
        let reached = slide_disc(grid, body.position, to, body.plan.radius);
        // What a wall has taken of the velocity is gone.
        body.velocity = (reached - body.position) * (1.0 / self.options.tick_seconds);
        body.position = reached;
    }

    /// Whether nothing moves an agent: it wants nowhere, stands still, and so do all near it, apart from it.
    fn rests(&self, body: &Body, nearest: &Nearest) -> bool {
        let is_still = |body: &Body| body.velocity == Vector::ZERO;
        let leaves_alone = |&(squared, other): &(f64, u32)| {
            let other = &self.before[other as usize];
            let reach = body.plan.radius + other.plan.radius;
            is_still(other) && squared >= reach * reach
        };
        let wants_nowhere = matches!(body.state, BodyState::Arrived | BodyState::Idle);
        wants_nowhere && is_still(body) && nearest.all().iter().all(leaves_alone)
    }

    /// The end of a link, if the time that it takes is over and nobody stands there but who comes the other way at the same time.
    fn cross(&self, at: usize, body: &mut Body) -> Option<Cell> {
        let Some((to, ticks)) = &mut body.crossing else {
            body.state = BodyState::Waiting;
            return None;
        };
        *ticks = ticks.saturating_sub(1);
        if *ticks > 0 {
            return None;
        }
        let (to, own) = (*to, cell_at(body.position));
        let middle = middle_of(to);
        let is_in_the_way = |other: &Body| {
            let reach = body.plan.radius + other.plan.radius;
            let comes_here =
                other.crossing.is_some_and(|(to, ticks)| Some(to) == own && ticks <= 1);
            let swaps = other.state == BodyState::Crossing && comes_here;
            (other.position - middle).length_squared() < reach * reach && !swaps
        };
        let mut is_taken = false;
        self.index.visit(middle, |places| {
            let mut others = places.filter(|&other| other != at);
            is_taken |= others.any(|other| is_in_the_way(&self.before[other]));
        });
        (!is_taken).then_some(to)
    }

    /// The velocity that an agent would have if it were alone.
    fn preferred(&self, ground: &Ground<'_>, body: &mut Body) -> Vector {
        if body.state == BodyState::Arrived {
            return Vector::ZERO;
        }
        let Some(cell) = cell_at(body.position) else { return Vector::ZERO };
        match body.guide {
            Guide::Nothing => Vector::ZERO,
            Guide::Points { .. } => {
                body.state = BodyState::Walking;
                self.towards_aim(ground.grid, body, cell)
            }
            Guide::Field(field) => self.along_field(ground, body, field, cell),
        }
    }

    fn along_field(&self, ground: &Ground<'_>, body: &mut Body, id: FlowId, cell: Cell) -> Vector {
        let Some(field) = ground.fields.get(id) else {
            body.state = BodyState::Blocked;
            return Vector::ZERO;
        };
        let here = Some((cell, field.revision().0 * WAIT_STEPS));
        if is_aim_due(body, cell, field) {
            match aim_of(field, body.position, body.plan.radius) {
                // On to where it was going, as far as that leads.
                Aim::Unsettled if body.aimed_at.is_some() => {}
                Aim::Unsettled => {
                    body.state = BodyState::Waiting;
                    return Vector::ZERO;
                }
                Aim::Unreachable => {
                    (body.state, body.aimed_at) = (BodyState::Blocked, None);
                    return Vector::ZERO;
                }
                Aim::Link(to) => {
                    body.state = BodyState::Walking;
                    (body.aim, body.aim_is_goal) = (middle_of(cell), false);
                    if (body.aim - body.position).length() < ARRIVAL {
                        let ticks = self.crossing_ticks(ground.grid, body, (cell, to));
                        (body.state, body.crossing) = (BodyState::Crossing, Some((to, ticks)));
                        return Vector::ZERO;
                    }
                }
                Aim::Walk { point, is_goal } => {
                    body.state = BodyState::Walking;
                    (body.aim, body.aim_is_goal, body.aimed_at) = (point.into(), is_goal, here);
                }
            }
        }
        self.towards_aim(ground.grid, body, cell)
    }

    /// A link takes as long as a walk that costs as much.
    fn crossing_ticks(&self, grid: &Grid, body: &Body, (from, to): (Cell, Cell)) -> u32 {
        let seconds = link_seconds(grid, from, to, body.plan.speed);
        ticks_of(seconds, self.options.tick_seconds).max(1)
    }

    fn towards_aim(&self, grid: &Grid, body: &mut Body, cell: Cell) -> Vector {
        let way = body.aim - body.position;
        let Some(direction) = way.unit() else {
            if body.aim_is_goal {
                body.state = BodyState::Arrived;
            }
            return Vector::ZERO;
        };
        let left = way.length();
        let mut speed = body.plan.speed * body.throttle;
        if grid.uniform_cost().is_none() {
            let cost = grid.cost_of(cell).unwrap_or(1).max(1);
            let cheapest = (*grid.cost_range().start()).clamp(1, cost);
            speed = speed * f64::from(cheapest) / f64::from(cost);
        }
        if body.aim_is_goal {
            // Whom others keep from its goal has arrived as near as they let it.
            if left < ARRIVAL + (f64::from(body.held) * HELD_NEARNESS).min(NEARNESS_MAX) {
                body.state = BodyState::Arrived;
                return Vector::ZERO;
            }
            speed = speed.min((2.0 * body.plan.acceleration * left).sqrt());
        }
        // Two that meet head on would wait for each other: everybody leans a little to a side of its own.
        let lean = (body.id.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as f64 / 256.0 - 0.5;
        (direction + direction.turned() * (lean * 0.04)) * speed
    }

    fn nearest(&self, at: usize, body: &Body) -> Nearest {
        let mut nearest = Nearest {
            found: [(0.0, 0); NEIGHBOURS_MAX],
            count: 0,
            count_max: self.options.neighbours_max,
        };
        let positions = self.index.positions();
        let look = |places: Range<usize>, nearest: &mut Nearest, reach: f64| {
            for (other, &position) in places.clone().zip(&positions[places]) {
                let squared = (position - body.position).length_squared();
                if squared < reach * reach && other != at {
                    nearest.add(squared, other as u32);
                }
            }
        };
        // In a crowd the tiles around are enough.
        let close = self.index.close_reach().min(self.options.sight);
        self.index.visit_close(body.position, |places| look(places, &mut nearest, close));
        if nearest.count < nearest.count_max {
            nearest.count = 0;
            let sight = self.options.sight;
            self.index.visit(body.position, |places| look(places, &mut nearest, sight));
        }
        nearest
    }

    /// A group with one goal spreads around it: who is held up beside somebody who has arrived there has arrived as well.
    fn join_those_who_have_arrived(&self, body: &mut Body, nearest: &Nearest) {
        let is_slow = body.velocity.length_squared() < 0.1 * body.plan.speed * body.plan.speed;
        if body.state != BodyState::Walking || !is_slow {
            body.held = body.held.saturating_sub(1);
            return;
        }
        body.held = body.held.saturating_add(1);
        let has_arrived = |&(squared, other): &(f64, u32)| {
            let other = &self.before[other as usize];
            let reach = 1.5 * (body.plan.radius + other.plan.radius);
            let is_there = other.state == BodyState::Arrived && other.plan.kind == body.plan.kind;
            let same = is_there && other.guide == body.guide;
            same && squared < reach * reach
        };
        if body.held >= HELD_TICKS && nearest.all().iter().any(has_arrived) {
            body.state = BodyState::Arrived;
        }
    }

    /// Where two want through the same gap, each may wait for the other for ever: after a while, the one that came later steps
    /// back. Returns the velocity that it prefers then.
    fn yielding(&self, body: &mut Body, nearest: &Nearest) -> Option<Vector> {
        if body.state != BodyState::Walking {
            body.yields = 0;
        }
        let in_front = |&(squared, other): &(f64, u32)| {
            let other = &self.before[other as usize];
            let reach = 1.2 * (body.plan.radius + other.plan.radius);
            let goes_first = (body.plan.priority, other.id) < (other.plan.priority, body.id);
            let is_near = squared < reach * reach && goes_first;
            (is_near && other.state == BodyState::Walking).then_some(other)
        };
        let other = nearest.all().iter().find_map(in_front);
        let stuck = |other: &Body| other.held >= DEADLOCK_TICKS / 2 && other.yields == 0;
        if body.yields == 0 && body.held >= DEADLOCK_TICKS && other.is_some_and(stuck) {
            (body.yields, body.held) = (YIELDED_TICKS, 0);
        }
        if body.yields == 0 {
            return None;
        }
        body.yields -= 1;
        let away = other.and_then(|other| (body.position - other.position).unit());
        Some(away.map_or(Vector::ZERO, |away| away * (0.5 * body.plan.speed)))
    }

    /// The velocity nearest to the preferred one with which it runs into nothing.
    fn avoiding(&self, grid: &Grid, body: &Body, preferred: Vector, nearest: &Nearest) -> Vector {
        let mut solver = Solver::new();
        add_walls(grid, body, &mut solver);
        let disc = |body: &Body| Disc {
            position: body.position,
            velocity: body.velocity,
            radius: body.plan.radius,
        };
        let own = disc(body);
        let weight = |body: &Body| f64::from(body.plan.priority.max(1));
        for &(_, other) in nearest.all() {
            let other = &self.before[other as usize];
            let share = weight(other) / (weight(body) + weight(other));
            let horizon = self.options.horizon_seconds;
            solver.add_neighbour(HalfPlane::of_neighbour(
                &own,
                &disc(other),
                share,
                horizon,
                APART_SECONDS,
            ));
        }
        solver.solve(preferred, body.plan.speed)
    }

    /// Turns, then changes the velocity, within what the agent can do.
    fn accelerate(&self, body: &mut Body, wanted: Vector) {
        let seconds = self.options.tick_seconds;
        let mut velocity = wanted;
        if let Some(direction) = wanted.unit() {
            let heading = turned_towards(body.heading, direction, body.plan.turn * seconds);
            body.heading = heading;
            // Who looks elsewhere turns before it walks.
            velocity = heading * (wanted.length() * heading.dot(direction).max(0.0));
        }
        let speeds_up = velocity.length_squared() > body.velocity.length_squared();
        let factor = if speeds_up { 1.0 } else { BRAKING };
        let change = velocity - body.velocity;
        body.velocity = body.velocity + change.at_most(body.plan.acceleration * factor * seconds);
    }

    /// Brings an agent out of a wall that was built where it stands: straight to the nearest cell where it fits.
    fn dig_out(&self, grid: &Grid, body: &mut Body) {
        (body.state, body.aimed_at, body.velocity) = (BodyState::Buried, None, Vector::ZERO);
        let Some(cell) = cell_at(body.position) else { return };
        for ring in 0..=8 {
            let first = Cell::new(cell.x.saturating_sub(ring), cell.y.saturating_sub(ring));
            let last = Cell::new(cell.x.saturating_add(ring), cell.y.saturating_add(ring));
            let around = CellRect::new(first, last);
            let open = around.cells().filter(|&cell| grid.is_enterable(cell));
            let distance = |cell: &Cell| (middle_of(*cell) - body.position).length_squared();
            if let Some(nearest) = open.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
                let way = middle_of(nearest) - body.position;
                let step = way.at_most(body.plan.speed * self.options.tick_seconds);
                body.position = body.position + step;
                return;
            }
        }
    }
}

/// Whether an agent has to look where its field leads: it has come to another cell, or the field has changed a few ticks ago. Where
/// edits never cease, everybody looks at another tick. Until then it goes on to where it was going; walls stop it at once, and so does
/// a field that leads nowhere any more.
fn is_aim_due(body: &mut Body, cell: Cell, field: &FlowField) -> bool {
    let revision = field.revision().0;
    let Some((from, stamp)) = body.aimed_at else { return true };
    let (seen, wait) = (stamp / WAIT_STEPS, stamp % WAIT_STEPS);
    if from != cell {
        return true;
    }
    if seen == revision || wait == 1 {
        return seen != revision;
    }
    if field.flow(cell) == Flow::Unreachable {
        return true;
    }
    let ticks = if wait == 0 { 2 + body.id.0 % (WAIT_STEPS - 2) } else { wait };
    body.aimed_at = Some((from, seen * WAIT_STEPS + ticks - 1));
    false
}

/// The cells around an agent that it cannot enter.
fn add_walls(grid: &Grid, body: &Body, solver: &mut Solver) {
    let Some(cell) = cell_at(body.position) else { return };
    let Some(domain) = grid.domain_of(cell) else { return };
    let (left, top) = (f64::from(cell.x), f64::from(cell.y));
    let wall = |x: f64, y: f64| is_wall(grid, domain, left + x, top + y);
    let mut add = |x: f64, y: f64| {
        let offset = nearest_point((left + x, top + y), body.position) - body.position;
        if let Some(towards) = offset.unit() {
            let gap = (offset.length() - body.plan.radius).max(0.0);
            solver.add_wall(HalfPlane::of_wall(towards, gap / WALL_SECONDS));
        }
    };
    let sides = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
    let closed = sides.map(|(x, y)| wall(x, y));
    for (number, (x, y)) in sides.into_iter().enumerate() {
        let (other_x, other_y) = sides[(number + 1) % 4];
        if closed[number] {
            add(x, y);
        } else if !closed[(number + 1) % 4] && wall(x + other_x, y + other_y) {
            // A corner between two open sides; beside a wall it adds nothing.
            add(x + other_x, y + other_y);
        }
    }
}

/// How long a link takes an agent of that speed, in seconds: as long as a walk that costs as much.
pub(crate) fn link_seconds(grid: &Grid, from: Cell, to: Cell, speed: f64) -> f64 {
    let straight = 2.0 * f64::from(grid.movement().steps().straight());
    grid.step_cost(from, to).map_or(0.0, |cost| f64::from(cost) / straight / speed)
}

/// A direction turned towards another one by at most so many radians.
fn turned_towards(heading: Vector, direction: Vector, radians_max: f64) -> Vector {
    if radians_max >= 3.2 {
        return direction;
    }
    // Sine and cosine by half the angle's tangent, which is a series that is right to a millionth up to a radian and
    // the same on every machine: it is only a limit.
    let half = (radians_max * 0.5).min(1.4);
    let square = half * half;
    let tangent =
        half * (1.0 + square * (1.0 / 3.0 + square * (2.0 / 15.0 + square * 17.0 / 315.0)));
    let (cosine, sine) = (
        (1.0 - tangent * tangent) / (1.0 + tangent * tangent),
        2.0 * tangent / (1.0 + tangent * tangent),
    );
    if heading.dot(direction) >= cosine {
        return direction;
    }
    let side = if heading.cross(direction) >= 0.0 { 1.0 } else { -1.0 };
    let turned = heading * cosine + heading.turned() * (sine * side);
    turned.unit().unwrap_or(direction)
}

/// An agent, as far as others are moved apart from it.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    position: Vector,
    radius: f64,
    /// Its priority: how little it is moved.
    weight: f64,
}

impl Spot {
    fn of(body: &Body) -> Self {
        let weight = f64::from(body.plan.priority.max(1));
        Self { position: body.position, radius: body.plan.radius, weight }
    }

    /// How deep it overlaps another one; less than nothing if it does not.
    fn overlap(&self, other: &Self) -> f64 {
        self.radius + other.radius - (self.position - other.position).length()
    }
}

/// How deep an agent overlaps others.
#[derive(Clone, Copy, Default)]
pub(super) struct Strain {
    overlap: f64,
    /// Whether it is too much, and more than before the tick.
    is_worse: bool,
}

/// Moves agents apart that overlap after they have walked. Whoever still overlaps somebody too much goes back to where it was before, as
/// does the other one: so the overlap of two never becomes more than [`OVERLAP_SHARE`], unless an edit or somebody's order brings them
/// together. Returns how deep two overlap at most.
fn move_apart(
    scene: &Scene<'_>,
    next: &mut [Next],
    [spots, moved]: [&mut Vec<Spot>; 2],
    strains: &mut Vec<Strain>,
) -> f64 {
    spots.clear();
    spots.extend(next.iter().map(|next| Spot::of(&next.body)));
    moved.clone_from(spots);
    for _ in 0..scene.options.separations {
        let goes_on = AtomicBool::new(false);
        for_each(moved, |at, spot| {
            let (position, overlap) = separated(scene.grounds, &next[at], spots, at);
            spot.position = position;
            if overlap > OVERLAP_LEAST * spot.radius {
                goes_on.store(true, Ordering::Relaxed);
            }
        });
        std::mem::swap(spots, moved);
        if !goes_on.into_inner() {
            break;
        }
    }
    strains.clear();
    strains.resize(next.len(), Strain::default());
    let mut rounds = 0;
    loop {
        for_each(strains, |at, strain| *strain = scene.strain(next, spots, at));
        let worse = (0..next.len()).filter(|&at| strains[at].is_worse);
        let mut worse: Vec<u32> = worse.map(|at| at as u32).collect();
        if worse.is_empty() || rounds == BACK_ROUNDS {
            break;
        }
        rounds += 1;
        while let Some(at) = worse.pop() {
            for &other in next[at as usize].touching() {
                if scene.is_worse(spots, at as usize, other as usize) {
                    for at in [at, other] {
                        if scene.goes_back(&next[at as usize], &mut spots[at as usize], at) {
                            worse.push(at);
                        }
                    }
                }
            }
        }
    }
    let positions = scene.index.positions();
    for ((next, spot), &before) in next.iter_mut().zip(&*spots).zip(positions) {
        next.body.position = spot.position;
        if spot.position == before {
            next.body.velocity = Vector::ZERO;
        }
    }
    strains.iter().map(|strain| strain.overlap).fold(0.0, f64::max)
}

impl Scene<'_> {
    /// How deep an agent overlaps those that it may touch.
    fn strain(&self, all: &[Next], spots: &[Spot], at: usize) -> Strain {
        let mut strain = Strain::default();
        for &other in all[at].touching() {
            let overlap = spots[at].overlap(&spots[other as usize]);
            if overlap > strain.overlap {
                strain.overlap = overlap;
            }
            strain.is_worse |= overlap > 0.0 && self.is_worse(spots, at, other as usize);
        }
        strain
    }

    /// Whether two overlap too much, and more than before the tick.
    fn is_worse(&self, spots: &[Spot], at: usize, other: usize) -> bool {
        let (spot, other_spot) = (&spots[at], &spots[other]);
        let overlap = spot.overlap(other_spot);
        let positions = self.index.positions();
        let before = spot.radius + other_spot.radius - (positions[at] - positions[other]).length();
        let is_deep = overlap > OVERLAP_SHARE * spot.radius.min(other_spot.radius);
        is_deep && overlap > before + 1e-9
    }

    /// Puts an agent back to where it was before the tick. Returns whether it was elsewhere, and may go back.
    fn goes_back(&self, next: &Next, spot: &mut Spot, at: u32) -> bool {
        let before = self.index.positions()[at as usize];
        let is_elsewhere = spot.position != before && next.body.state != BodyState::Buried;
        if is_elsewhere {
            spot.position = before;
        }
        is_elsewhere
    }
}

/// Where an agent gets that is moved apart from those that it overlaps, and how deep it overlaps them at most.
fn separated(grounds: &[Ground<'_>], next: &Next, spots: &[Spot], at: usize) -> (Vector, f64) {
    let (body, spot) = (&next.body, &spots[at]);
    let (mut push, mut deepest) = (Vector::ZERO, 0.0_f64);
    for &other in next.touching() {
        let other_spot = &spots[other as usize];
        let offset = spot.position - other_spot.position;
        let reach = spot.radius + other_spot.radius;
        let squared = offset.length_squared();
        if squared < reach * reach {
            // Two in the same place part by their numbers.
            let side = if at < other as usize { 1.0 } else { -1.0 };
            let away = offset.unit().unwrap_or(Vector::new(side, 0.0));
            let share = other_spot.weight / (spot.weight + other_spot.weight);
            let overlap = reach - squared.sqrt();
            push = push + away * (overlap * share);
            deepest = deepest.max(overlap);
        }
    }
    let stays = matches!(body.state, BodyState::Buried | BodyState::Crossing);
    let Some(grid) = grid_of(grounds, body).filter(|_| push != Vector::ZERO && !stays) else {
        return (spot.position, deepest);
    };
    (slide_disc(grid, spot.position, spot.position + push, spot.radius), deepest)
}

//! One tick of a crowd.
//!
//! ```text
//!   index of positions ─> each agent: aim, velocity, slide ─> those that still overlap are moved apart ─> states, events
//!                            (in parallel, from the state before)      (in parallel, some rounds)
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
use highroad_core::field::FlowId;
use highroad_core::{Cell, CellRect, Grid};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

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
    let Work { positions, before, next, moved, index } = work;
    positions.clear();
    positions.extend(bodies.iter().map(|body| body.position));
    index.make(positions, options.sight);
    before.clear();
    before.extend(index.order().iter().map(|&number| bodies[number as usize]));
    next.clear();
    next.extend(before.iter().map(|&body| Next {
        body,
        link: None,
        touching: [0; TOUCHING_MAX],
        touching_count: 0,
    }));
    let scene = Scene { options, grounds, index, before };
    for_each(next, |at, next| scene.walk(at, next));
    for _ in 0..options.separations {
        moved.clear();
        moved.resize(next.len(), Vector::ZERO);
        for_each(moved, |at, position| *position = separated(grounds, next, at));
        next.iter_mut().zip(&*moved).for_each(|(next, &position)| next.body.position = position);
    }
    let mut report = CrowdReport { overlap_max: overlap_max(next), ..CrowdReport::default() };
    let first_event = events.len();
    for ((next, before), &number) in next.iter_mut().zip(&*before).zip(index.order()) {
        settle(next, grounds);
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

/// Ends the tick of an agent: brings it to the end of a link.
fn settle(next: &mut Next, grounds: &[Ground<'_>]) {
    let Some(to) = next.link else { return };
    let body = &mut next.body;
    (body.crossing, body.aimed_at) = (None, None);
    let middle = middle_of(to);
    let has_room = |grid| fits(grid, middle.into(), body.plan.radius);
    if grid_of(grounds, body).is_some_and(has_room) {
        (body.position, body.aim, body.state) = (middle, middle, BodyState::Walking);
        body.aim_is_goal = false;
    } else {
        (next.link, body.state) = (None, BodyState::Waiting);
    }
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

impl Scene<'_> {
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
        let here = Some((cell, field.revision().0));
        if body.aimed_at != here {
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
        let sight = self.options.sight * self.options.sight;
        self.index.visit(body.position, |places| {
            for other in places {
                let squared = (self.before[other].position - body.position).length_squared();
                if squared < sight && other != at {
                    nearest.add(squared, other as u32);
                }
            }
        });
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

/// Where an agent gets that is moved apart from those that it overlaps.
fn separated(grounds: &[Ground<'_>], all: &[Next], at: usize) -> Vector {
    let Next { body, touching, touching_count, .. } = &all[at];
    let mut push = Vector::ZERO;
    for &other in &touching[..usize::from(*touching_count)] {
        let other = &all[other as usize].body;
        let offset = body.position - other.position;
        let reach = body.plan.radius + other.plan.radius;
        let squared = offset.length_squared();
        if squared < reach * reach {
            // Two in the same place part by their ids.
            let side = if body.id < other.id { 1.0 } else { -1.0 };
            let away = offset.unit().unwrap_or(Vector::new(side, 0.0));
            let weight = |body: &Body| f64::from(body.plan.priority.max(1));
            let share = weight(other) / (weight(body) + weight(other));
            push = push + away * ((reach - squared.sqrt()) * share);
        }
    }
    let stays = matches!(body.state, BodyState::Buried | BodyState::Crossing);
    let Some(grid) = grid_of(grounds, body).filter(|_| push != Vector::ZERO && !stays) else {
        return body.position;
    };
    slide_disc(grid, body.position, body.position + push, body.plan.radius)
}

/// How deep two agents overlap at most.
fn overlap_max(all: &[Next]) -> f64 {
    let overlap = |next: &Next, other: u32| {
        let (body, other) = (&next.body, &all[other as usize].body);
        body.plan.radius + other.plan.radius - (body.position - other.position).length()
    };
    let of_one = |next: &Next| {
        let touching = &next.touching[..usize::from(next.touching_count)];
        touching.iter().map(|&other| overlap(next, other)).fold(0.0, f64::max)
    };
    all.iter().map(of_one).fold(0.0, f64::max)
}

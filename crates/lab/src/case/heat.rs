//! Where bodies have been, and which way they went: heat maps of density and flow.

use highroad::Simulation;
use highroad::crowd::Body;
use highroad::grid::Extent;
use highroad::planner::Point;
use highroad_pictures::PictureBody;

/// What bodies have done in each cell, summed up over ticks.
#[derive(Clone, Debug)]
pub struct Heat {
    extent: Extent,
    visits: Vec<u32>,
    /// Sums of velocities.
    flow: Vec<[f64; 2]>,
}

impl Heat {
    /// Nothing yet.
    pub fn new(extent: Extent) -> Self {
        let count = extent.cell_count();
        Self { extent, visits: vec![0; count], flow: vec![[0.0; 2]; count] }
    }

    /// Takes a tick into account.
    pub fn add(&mut self, bodies: &[Body]) {
        for body in bodies {
            let [x, y] = body.position().map(|at| at as u32);
            if let Some(id) = self.extent.id((x, y).into()) {
                let at = id.0 as usize;
                self.visits[at] += 1;
                let velocity = body.velocity();
                self.flow[at][0] += velocity[0];
                self.flow[at][1] += velocity[1];
            }
        }
    }

    /// How busy each cell was, from 0 to 1: by the square root, so that little traffic is seen beside much.
    pub fn density(&self) -> Vec<f32> {
        let most = self.visits.iter().copied().max().unwrap_or(0).max(1);
        self.visits
            .iter()
            .map(|&visits| (f64::from(visits) / f64::from(most)).sqrt() as f32)
            .collect()
    }

    /// How fast bodies went in each cell, from 0 to 1, and where to, up to most of a cell.
    pub fn flow(&self) -> (Vec<f32>, Vec<(f32, f32)>) {
        let mean =
            |(flow, visits): (&[f64; 2], &u32)| flow.map(|sum| sum / f64::from(*visits).max(1.0));
        let means: Vec<[f64; 2]> = self.flow.iter().zip(&self.visits).map(mean).collect();
        let speed = |[x, y]: &[f64; 2]| x.hypot(*y);
        let fastest = means.iter().map(speed).fold(1e-9, f64::max);
        let shares = means.iter().map(|mean| (speed(mean) / fastest) as f32).collect();
        let arrow = |[x, y]: &[f64; 2]| ((0.8 * x / fastest) as f32, (0.8 * y / fastest) as f32);
        (shares, means.iter().map(arrow).collect())
    }
}

/// The bodies of a simulation for a picture; those of one goal have one colour.
pub fn bodies_of(simulation: &Simulation) -> Vec<PictureBody> {
    let with_bodies = simulation
        .agents()
        .iter()
        .filter_map(|agent| Some((agent.goal(), simulation.crowd().body(agent.body()?)?)));
    let picture = |(goal, body): (highroad::Cell, &Body)| {
        let [x, y] = body.position();
        let heading = body.heading();
        PictureBody {
            at: Point { x: x as f32, y: y as f32 },
            radius: body.plan().radius as f32,
            heading: (heading[0] as f32, heading[1] as f32),
            colour: (goal.x.wrapping_mul(31).wrapping_add(goal.y) % 7) as usize,
        }
    };
    with_bodies.map(picture).collect()
}

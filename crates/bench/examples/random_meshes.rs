//! Random meshes on which a plain search over corners that see each other, the optimal search and the precomputed one are
//! asked the same.
//!
//! ```sh
//! cargo run --release -p highroad-bench --example random_meshes -- 5000
//! ```
//!
//! Half of the meshes are made of random cells, half of an outline with holes of random corners. Lengths must agree to
//! one part in a million.

#![allow(clippy::print_stdout)]

use highroad::index::{CornerLabels, CornerOptions};
use highroad::mesh::{Area, Mesh};
use highroad::online::AnyAngle;
use highroad::planner::{Answer, PathQuery, Planner, Scratch};
use highroad_lab::generate::Random;
use highroad_lab::meshes::seeded_points;

const QUERIES: usize = 8;
const TOLERANCE: f64 = 1e-6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: u64 = std::env::args().nth(1).map_or(Ok(1000), |count| count.parse())?;
    let mut scratch = Scratch::new();
    let (mut meshes, mut queries, mut unreachable, mut wrong, mut largest) = (0, 0, 0, 0, 0.0f64);
    for seed in 0..count {
        let mut random = Random::new(seed);
        let made = if seed % 2 == 0 { cells(&mut random) } else { holes(&mut random) };
        // Random outlines may cross.
        let Some(mesh) = made.filter(|mesh| mesh.polygon_count() > 0) else { continue };
        meshes += 1;
        let labels = CornerLabels::build(&mesh, CornerOptions::default())?;
        for query in seeded_points(&mesh, QUERIES, seed) {
            let ask = PathQuery::new(query.start, query.goal);
            let mut length = |planner: &dyn Planner<Mesh>| -> Result<Option<f64>, String> {
                let answer = planner.solve(&mesh, &ask, &mut scratch);
                let Answer::Found(path) = answer.map_err(|error| error.to_string())? else {
                    return Ok(None);
                };
                path.validate(&mesh).map_err(|fault| fault.to_string())?;
                Ok(Some(mesh.length(path.places())))
            };
            let found = [length(&AnyAngle)?, length(&labels)?];
            let plain = mesh.plain_shortest(query.start, query.goal);
            queries += 1;
            unreachable += usize::from(plain.is_none());
            for found in found {
                let apart = match (found, plain) {
                    (Some(found), Some(plain)) => (found - plain).abs() / (1.0 + plain),
                    (found, plain) => {
                        if found == plain {
                            0.0
                        } else {
                            f64::INFINITY
                        }
                    }
                };
                largest = largest.max(apart);
                if apart > TOLERANCE {
                    wrong += 1;
                    println!(
                        "seed {seed}: {} to {}: {found:?}, plainly {plain:?}",
                        query.start, query.goal
                    );
                }
            }
        }
    }
    println!(
        "{meshes} meshes, {queries} queries, {unreachable} without a path: {wrong} lengths differ"
    );
    println!("the largest difference is {largest:.1e} of the length");
    if wrong == 0 { Ok(()) } else { Err("lengths differ".into()) }
}

/// The mesh of random cells.
fn cells(random: &mut Random) -> Option<Mesh> {
    let (width, height) = (2 + random.below(8) as u32, 2 + random.below(8) as u32);
    let percent = 10 + random.below(40);
    let free: Vec<bool> = (0..width * height).map(|_| random.below(100) >= percent).collect();
    Mesh::from_cells(width, height, |x, y| free[(y * width + x) as usize]).ok()
}

/// The mesh of a square with holes of random corners, turned so that coordinates are rounded.
fn holes(random: &mut Random) -> Option<Mesh> {
    let place = |x: f64, y: f64| [x * 0.31 - y * 0.17, x * 0.17 + y * 0.31];
    let outer = vec![place(0.0, 0.0), place(60.0, 0.0), place(60.0, 60.0), place(0.0, 60.0)];
    let mut holes = Vec::new();
    for at in 0..9u32 {
        if random.below(3) == 0 {
            continue;
        }
        let corner = [f64::from(at % 3) * 20.0 + 1.0, f64::from(at / 3) * 20.0 + 1.0];
        let points = 3 + random.below(4);
        let mut hole: Vec<[f64; 2]> =
            (0..points).map(|_| [random.below(19) as f64, random.below(19) as f64]).collect();
        // By angle round their middle, so that most outlines do not cross themselves.
        let middle = [0, 1].map(|axis| hole.iter().map(|at| at[axis]).sum::<f64>() / points as f64);
        let angle = |at: &[f64; 2]| (at[1] - middle[1]).atan2(at[0] - middle[0]);
        hole.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        holes.push(hole.iter().map(|at| place(corner[0] + at[0], corner[1] + at[1])).collect());
    }
    Mesh::from_areas(&[Area { outer, holes }]).ok()
}

//! How long it takes from placing an obstacle on a mesh until the next correct answer.
//!
//! ```sh
//! cargo run --release -p highroad-bench --example mesh_obstacles -- ../shared/maps/sc1/AcrosstheCape.map 500
//! ```
//!
//! Obstacles of 3 to 8 corners, 4 to 24 cells wide, stand at random on the mesh of a map. Each round places, moves and
//! removes one, and asks for a path past it after each edit: from one side of the obstacle to the other, twice its width apart.
//! A second table has the same with a number of obstacles on the map all the while; a third asks for paths between random
//! points, whose length decides what they take. Times are processor time, so that others on the machine do not count. Every answer is compared with that on a mesh made at once with all obstacles.

#![allow(clippy::print_stdout)]

use highroad::PathWorld;
use highroad::environment::Environment;
use highroad::grid::{GridMap, MovementRule};
use highroad::mesh::{Mesh, MeshBatch, MeshPoint, Obstacle};
use highroad::online::AnyAngle;
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad_lab::generate::Random;
use highroad_lab::meshes::mesh_of_grid;
use highroad_lab::table::quantile;
use highroad_lab::thread_time::timed;
use highroad_lab::workload::grid_under;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("a map, and how many rounds")?;
    let rounds: usize = arguments.next().map_or(Ok(500), |count| count.parse())?;
    let map: GridMap = std::fs::read_to_string(&file)?.parse()?;
    let mesh = mesh_of_grid(&grid_under(map, MovementRule::default()))?;
    println!("{file}: {} polygons, {} vertices", mesh.polygon_count(), mesh.vertex_count());
    println!("microseconds of processor time, median / p99 / largest, over {rounds} rounds");
    for standing in [0, 20, 200] {
        measure(&mesh, rounds, standing, false)?;
    }
    measure(&mesh, rounds, 0, true)
}

/// Measures rounds of edits and queries while so many other obstacles stand on the mesh.
fn measure(
    mesh: &Mesh,
    rounds: usize,
    standing: usize,
    anywhere: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut random = Random::new(7);
    let mut world = PathWorld::on(mesh.clone());
    for number in 0..standing {
        let (obstacle, _) = random_obstacle(mesh, &mut random)?;
        world.edit(|edit| _ = edit.place(format!("standing {number}"), obstacle))?;
    }
    let (mut edits, mut answers) = ([const { Vec::new() }; 3], [const { Vec::new() }; 3]);
    let mut wrong = 0;
    for _ in 0..rounds {
        let (obstacle, [from, to]) = random_obstacle(world.environment(), &mut random)?;
        let by = [0, 1].map(|_| random.below(17) as f64 - 8.0);
        let ends = if anywhere {
            let two = [(); 2].map(|()| random_point(mesh, &mut random));
            PathQuery::new(two[0], two[1])
        } else {
            PathQuery::new(from, to)
        };
        for step in 0..3 {
            let mut batch = MeshBatch::new();
            match step {
                0 => batch.place("moving", obstacle.clone()),
                1 => batch.move_by("moving", by),
                _ => batch.remove("moving"),
            };
            let (applied, edit_us) = timed(|| world.apply(&batch));
            applied?;
            edits[step].push(edit_us);
            let is_free = [ends.starts()[0], ends.goals()[0]]
                .iter()
                .all(|&at| world.environment().check_place(at).is_ok());
            if !is_free {
                continue;
            }
            let (answer, query_us) = timed(|| world.answer(&ends));
            let answer = answer?;
            answers[step].push(edit_us + query_us);
            let mut at_once = mesh.clone();
            let mut all = MeshBatch::new();
            for (name, obstacle) in world.environment().obstacles() {
                all.place(name, obstacle.clone());
            }
            at_once.apply(&all)?;
            let expected = AnyAngle.solve(&at_once, &ends, &mut Scratch::new())?;
            let costs = [answer, expected].map(|answer| answer.path().map(|path| path.cost()));
            wrong += usize::from(costs[0] != costs[1]);
        }
    }
    let ends = if anywhere { "random points" } else { "past the obstacle" };
    println!("{standing} other obstacles, queries {ends}: {wrong} wrong answers");
    for (step, name) in ["placed", "moved", "removed"].iter().enumerate() {
        for (what, times) in [("edit", &mut edits[step]), ("edit and answer", &mut answers[step])] {
            times.sort_by(f64::total_cmp);
            let [half, p99, most] = [0.5, 0.99, 1.0].map(|part| quantile(times, part));
            println!(
                "  {name:8} {what:16} {half:8.1} / {p99:8.1} / {most:8.1}   ({} times)",
                times.len()
            );
        }
    }
    Ok(())
}

/// A random obstacle on a mesh, and two points of the mesh on either side of it.
fn random_obstacle(
    mesh: &Mesh,
    random: &mut Random,
) -> Result<(Obstacle, [MeshPoint; 2]), Box<dyn std::error::Error>> {
    loop {
        let middle = random_point(mesh, random);
        let radius = 2.0 + random.below(11) as f64;
        let corners = 3 + random.below(6);
        let turn = random.below(360) as f64;
        let outline = (0..corners).map(|corner| {
            let angle = (turn + 360.0 * corner as f64 / corners as f64).to_radians();
            [middle.x() + radius * angle.cos(), middle.y() + radius * angle.sin()]
        });
        let Ok(obstacle) = Obstacle::new(outline.collect()) else { continue };
        let ends = [-2.0, 2.0].map(|side| MeshPoint::new(middle.x() + side * radius, middle.y()));
        let [Ok(from), Ok(to)] = ends else { continue };
        if mesh.check_place(from).is_ok() && mesh.check_place(to).is_ok() {
            return Ok((obstacle, [from, to]));
        }
    }
}

fn random_point(mesh: &Mesh, random: &mut Random) -> MeshPoint {
    let [least, most] = mesh.bounds();
    loop {
        let at = [0, 1].map(|axis| {
            let part = random.below(1 << 20) as f64 / f64::from(1 << 20);
            least[axis] + part * (most[axis] - least[axis])
        });
        if let Ok(point) = MeshPoint::new(at[0], at[1])
            && mesh.check_place(point).is_ok()
        {
            return point;
        }
    }
}

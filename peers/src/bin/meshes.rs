//! Highroad beside the crate `polyanya`, on the same meshes and queries in one process.
//!
//! ```sh
//! cargo run --release --manifest-path peers/Cargo.toml --bin meshes -- MESH SCENARIO [MAP SCENARIO …]
//! ```
//!
//! A file that ends in `.map` is a map of cells: its mesh is made by Highroad, and given to both. Every query is asked of
//! both, in turns, three times after a first time that is not timed; the least processor time of each counts.
//!
//! The crate counts in `f32` and looks for points a little beside a query's end where it does not find it on the mesh, so
//! lengths agree to about one part in 10⁵ only. What differs more is counted and shown.

#![allow(clippy::print_stdout)]

use anyhow::{Context, Result, bail};
use highroad::environment::Environment;
use highroad::index::{CornerLabels, CornerOptions};
use highroad::mesh::{Mesh, MeshPoint, read_polyanya, write_polyanya};
use highroad::online::{AnyAngle, Funnel};
use highroad::planner::{PathQuery, Planner, Scratch};
use highroad_lab::thread_time::timed;

const ROUNDS: usize = 3;

/// Start and goal of a query.
type Ends = [[f64; 2]; 2];

fn main() -> Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    let (pairs, rest) = files.as_chunks::<2>();
    if pairs.is_empty() || !rest.is_empty() {
        bail!("give pairs of a mesh (or a map of cells) and its scenario");
    }
    pairs.iter().try_for_each(|[mesh, scenario]| compare(mesh, scenario))
}

/// The times of one contestant, in microseconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    fn p99(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[(sorted.len() - 1) * 99 / 100]
    }
}

fn compare(mesh_file: &str, scenario_file: &str) -> Result<()> {
    let text = std::fs::read_to_string(mesh_file).with_context(|| mesh_file.to_owned())?;
    let is_map = mesh_file.ends_with(".map");
    let (mesh, built) = timed(|| if is_map { of_map(&text) } else { Ok(read_polyanya(&text)?) });
    let mesh = mesh.with_context(|| mesh_file.to_owned())?;
    let text = if is_map { write_polyanya(&mesh) } else { text };
    let file = polyanya::PolyanyaFile::from_bytes(text.as_bytes());
    let (peer, peer_built) = timed(|| -> Result<polyanya::Mesh> {
        let mut peer: polyanya::Mesh = file.try_into().map_err(|e| anyhow::anyhow!("{e:?}"))?;
        peer.bake();
        Ok(peer)
    });
    let peer = peer?;
    let queries = queries(&std::fs::read_to_string(scenario_file)?);
    println!("{mesh_file}: {} polygons, {} vertices", mesh.polygon_count(), mesh.vertex_count());
    println!("  built in {:.1} ms, {} kB; polyanya {:.1} ms", built / 1e3, mesh.memory_bytes() / 1000, peer_built / 1e3);
    let (labels, labels_built) = timed(|| CornerLabels::build(&mesh, CornerOptions::default()));
    let labels = labels?;
    println!(
        "  corner labels: {} corners, {:.1} entries a label, built in {:.1} ms, {} kB",
        labels.corner_count(),
        labels.entry_count() as f64 / labels.corner_count().max(1) as f64,
        labels_built / 1e3,
        labels.memory_bytes() / 1000
    );
    let mut scratch = Scratch::new();
    let mut times: [Times; 4] = Default::default();
    let (mut beside, mut differing, mut wrong, mut detour) = (0, 0, 0, 0.0);
    for &[from, to] in &queries {
        let place = |[x, y]: [f64; 2]| MeshPoint::new(x, y);
        let (start, goal) = (place(from)?, place(to)?);
        if mesh.check_place(start).is_err() || mesh.check_place(goal).is_err() {
            beside += 1;
            continue;
        }
        let query = PathQuery::new(start, goal);
        let (mut least, mut lengths) = ([f64::INFINITY; 4], [0.0; 4]);
        for round in 0..=ROUNDS {
            let mut ask = |planner: &dyn Planner<Mesh>| {
                let (answer, took) = timed(|| planner.solve(&mesh, &query, &mut scratch));
                let path = answer.ok().and_then(|answer| answer.path());
                (path.map_or(f64::INFINITY, |path| mesh.length(path.places())), took)
            };
            let ours = [ask(&AnyAngle), ask(&Funnel), ask(&labels)];
            let (path, took) = timed(|| peer.path(peer_point(from), peer_point(to)));
            let theirs = (path.map_or(f64::INFINITY, |path| f64::from(path.length)), took);
            for (at, (length, took)) in ours.into_iter().chain([theirs]).enumerate() {
                lengths[at] = length;
                if round > 0 {
                    least[at] = least[at].min(took);
                }
            }
        }
        times.iter_mut().zip(least).for_each(|(times, took)| times.0.push(took));
        if lengths[0] > 0.0 {
            detour += lengths[1] / lengths[0] - 1.0;
        }
        let agree = (lengths[0] - lengths[3]).abs() <= 1e-4 * (1.0 + lengths[0]);
        differing += usize::from(lengths[0] != lengths[3] && !agree);
        wrong += usize::from((lengths[0] - lengths[2]).abs() > 1e-6 * (1.0 + lengths[0]));
    }
    let count = times[0].0.len();
    println!("  {count} queries; {beside} left out, since an end lies beside the mesh; {differing} lengths differ by more than 1e-4");
    println!("  {wrong} lengths of any-angle and corner-labels differ by more than 1e-6");
    println!("  the funnel's paths are {:.3} % longer", detour / count as f64 * 100.0);
    for (name, times) in ["any-angle", "funnel", "corner-labels", "polyanya 0.18"].iter().zip(&times) {
        println!("  {name:<14} mean {:8.1} µs   p99 {:8.1} µs", times.mean(), times.p99());
    }
    for (name, ours) in [("any-angle", &times[0]), ("corner-labels", &times[2])] {
        println!(
            "  polyanya takes {:.1} times as long as {name}, p99 {:.1} times",
            times[3].mean() / ours.mean(),
            times[3].p99() / ours.p99()
        );
    }
    Ok(())
}

fn peer_point([x, y]: [f64; 2]) -> glam::Vec2 {
    glam::Vec2::new(x as f32, y as f32)
}

/// The mesh of the free cells of a map.
fn of_map(text: &str) -> Result<Mesh> {
    let rows: Vec<&[u8]> = text.lines().skip(4).map(str::as_bytes).collect();
    let width = rows.first().map_or(0, |row| row.len());
    if rows.iter().any(|row| row.len() != width) {
        bail!("rows differ in length");
    }
    let is_free = |x: u32, y: u32| matches!(rows[y as usize][x as usize], b'.' | b'G' | b'S');
    Ok(Mesh::from_cells(width as u32, rows.len() as u32, is_free)?)
}

/// The ends of the queries of a scenario: the last five numbers of a line are start, goal and length.
fn queries(text: &str) -> Vec<Ends> {
    let numbers = |line: &str| -> Option<Ends> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [.., x, y, to_x, to_y, _length] = words[..] else { return None };
        let number = |word: &str| word.parse().ok();
        Some([[number(x)?, number(y)?], [number(to_x)?, number(to_y)?]])
    };
    text.lines().filter_map(numbers).collect()
}

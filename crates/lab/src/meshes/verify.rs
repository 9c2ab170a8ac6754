//! Checking planners of meshes.

use super::source::{Lengths, MeshWorkload};
use crate::measurable::Measurable;
use crate::measure::Asked;
use crate::quality::excess_percent;
use crate::verify::{Verification, check_cost, checked_path, verify_by};
use crate::workload::WorkQuery;
use highroad::catalog::{Spec, SpecError};
use highroad::environment::Cost;
use highroad::mesh::{Mesh, MeshPoint};
use highroad::online::Funnel;
use highroad::planner::{Guarantee, PathQuery, Scratch};

/// Meshes with at most so many places to bend at are small enough for the plainest method.
const PLAIN_BENDS_MAX: usize = 120;

/// Asks every query of a workload. Each path is followed leg by leg, and its length compared: with the published one, or
/// with what the optimal search finds, and that itself with what the plainest method finds on small meshes, and with
/// what the funnel algorithm finds on others, which is never shorter.
/// `asked` is notified of each query done, from several threads.
pub fn verify_mesh(
    work: &MeshWorkload,
    spec: &Spec,
    asked: impl Fn() + Sync,
) -> Result<Verification<MeshPoint>, SpecError> {
    let mesh = &work.workload.environment;
    let reference = mesh.reference(Some(spec));
    let is_reference = spec.entry().name == "any-angle";
    let is_small = mesh.bend_count() <= PLAIN_BENDS_MAX;
    verify_by(&work.workload, spec, asked, |query, guarantee, answer, scratch| {
        if let Some(excess) = check_known(mesh, work.lengths, query, guarantee, &answer)? {
            return Ok(Some(excess));
        }
        let ask = PathQuery::new(query.start, query.goal);
        if !is_reference {
            let optimal = mesh.optimal_cost(&*reference, &ask, scratch);
            check_cost(mesh, query, guarantee, answer, optimal)
        } else if is_small {
            let length = mesh.plain_shortest(query.start, query.goal);
            let optimal = length.map(|length| Cost((length * mesh.cost_scale()).round() as u64));
            check_cost(mesh, query, guarantee, answer, optimal)
        } else {
            check_upper(mesh, query, answer, scratch)
        }
    })
}

/// Checks an answer against the length of a scenario, if that says all; by how many per cent the path is longer.
fn check_known(
    mesh: &Mesh,
    lengths: Lengths,
    query: &WorkQuery<MeshPoint>,
    guarantee: Guarantee,
    answer: &Asked<Mesh>,
) -> Result<Option<f64>, String> {
    let Some(published) = query.published else { return Ok(None) };
    let Some(length) = published.length else { return Ok(None) };
    let path = checked_path(mesh, query, answer.clone())?;
    let path = path.ok_or("found no path where the scenario knows one")?;
    let found = mesh.length(path.places());
    let is_longer = found > length + published.tolerance;
    if is_longer && guarantee == Guarantee::Optimal {
        return Err(format!("length {found}, published {length}, promised: {guarantee}"));
    }
    if lengths == Lengths::AtMost {
        return Ok(None);
    }
    if found < length - published.tolerance {
        return Err(format!("length {found}, but the shortest is published as {length}"));
    }
    Ok(Some(if is_longer { excess_percent(found, length) } else { 0.0 }))
}

/// Checks that a path is found exactly if the funnel algorithm finds one, and is not longer than that.
fn check_upper(
    mesh: &Mesh,
    query: &WorkQuery<MeshPoint>,
    answer: Asked<Mesh>,
    scratch: &mut Scratch,
) -> Result<Option<f64>, String> {
    let ask = PathQuery::new(query.start, query.goal);
    let other = mesh.optimal_cost(&Funnel, &ask, scratch);
    match (checked_path(mesh, query, answer)?, other) {
        (None, None) => Ok(None),
        (Some(path), Some(other)) if path.cost().0 <= other.0 + Mesh::COST_SLACK => Ok(Some(0.0)),
        (path, other) => Err(format!(
            "cost {:?}, but the funnel algorithm finds {other:?}",
            path.map(|path| path.cost())
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meshes::{mesh_of_grid, seeded_points};
    use crate::workload::{Published, Workload};
    use highroad::grid::Grid;

    fn work(published: Option<f64>, lengths: Lengths) -> MeshWorkload {
        let grid = Grid::with_defaults("....\n.##.\n....\n".parse().unwrap());
        let mesh = mesh_of_grid(&grid).unwrap();
        let point = |x, y| MeshPoint::new(x, y).unwrap();
        let published = published.map(|length| Published { length: Some(length), tolerance: 1e-6 });
        let queries = vec![WorkQuery { start: point(0.0, 1.0), goal: point(4.0, 1.0), published }];
        let workload = Workload { name: "ring".into(), environment: mesh, queries };
        MeshWorkload { workload, lengths, left_out: 0 }
    }

    fn problems(work: &MeshWorkload, spec: &str) -> usize {
        verify_mesh(work, &spec.parse().unwrap(), || ()).unwrap().violations.len()
    }

    #[test]
    fn right_lengths_pass_and_wrong_ones_do_not() {
        for spec in ["any-angle", "funnel"] {
            assert_eq!(problems(&work(Some(4.0), Lengths::Exact), spec), 0);
            assert_eq!(problems(&work(Some(4.1), Lengths::Exact), spec), 1, "shorter than optimal");
            assert_eq!(problems(&work(Some(4.5), Lengths::AtMost), spec), 0);
        }
        assert_eq!(problems(&work(Some(3.9), Lengths::Exact), "any-angle"), 1);
        assert_eq!(problems(&work(Some(3.9), Lengths::Exact), "funnel"), 0, "it promises nothing");
        assert_eq!(problems(&work(Some(3.9), Lengths::AtMost), "any-angle"), 1);
    }

    #[test]
    fn without_published_lengths_others_are_the_judge() {
        let mut work = work(None, Lengths::Exact);
        work.workload.queries = seeded_points(&work.workload.environment, 50, 3);
        for spec in ["any-angle", "funnel"] {
            let verification = verify_mesh(&work, &spec.parse().unwrap(), || ()).unwrap();
            assert_eq!(verification.violations, []);
            assert_eq!(verification.excess_percent.len(), 50);
        }
    }
}

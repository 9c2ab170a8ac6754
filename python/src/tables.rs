//! Distances of pairs, and tables of them.

use crate::cells::{explain, query_error};
use crate::costs::Ground;
use crate::interrupt::watched;
use crate::map::price;
use crate::refuse;
use highroad::environment::{Edition, Environment};
use highroad::field::{Field, FieldMemory};
use highroad::grid::Grid;
use highroad::index::{DistanceTable, HubLabels, HubOptions};
use highroad::online::GridSearch;
use highroad::planner::{Answer, BuildError, PathQuery, Planner, QueryError, Scratch, Watch};
use highroad::world::{BuildWatch, Living, LivingField};
use highroad::{Cell, Cost};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The labels of a map, once they were built: for one kind and one revision.
#[derive(Default)]
pub(crate) struct Labels(Mutex<Option<(Edition, Arc<HubLabels>)>>);

impl Labels {
    /// The labels to use by that method. `planned` are those of the map's own planner, as it saves them.
    pub(crate) fn chosen(
        &self,
        py: Python<'_>,
        grid: &Grid,
        method: &str,
        planned: impl FnOnce() -> Option<Vec<u8>>,
    ) -> PyResult<Option<Arc<HubLabels>>> {
        match method {
            "fields" => Ok(None),
            "labels" => match self.ready(grid, planned) {
                Some(labels) => Ok(Some(labels)),
                None => self.built(py, grid).map(Some),
            },
            "auto" => Ok(self.ready(grid, planned)),
            _ => Err(refuse(format!(
                "method cannot be '{method}'; it can be 'auto', 'labels' or 'fields'"
            ))),
        }
    }

    fn kept(&self, grid: &Grid) -> Option<Arc<HubLabels>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref()
            .filter(|(edition, _)| *edition == grid.edition())
            .map(|(_, labels)| Arc::clone(labels))
    }

    /// Those that need not be built: kept, or those of the planner. An index gives its labels to nobody but a file, so
    /// they are read as from one, in time in proportion to their bytes.
    fn ready(
        &self,
        grid: &Grid,
        planned: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Arc<HubLabels>> {
        self.kept(grid).or_else(|| Some(self.keep(grid, HubLabels::load(&planned()?, grid).ok()?)))
    }

    fn built(&self, py: Python<'_>, grid: &Grid) -> PyResult<Arc<HubLabels>> {
        let built = watched(py, |watch| {
            let mut report = |done, of| watch.report(done, of);
            HubLabels::build_watched(grid, HubOptions::default(), &mut Watch::new(&mut report))
        })?;
        let refused = |error: BuildError| refuse(format!("labels: {error}"));
        Ok(self.keep(grid, built.map_err(refused)?))
    }

    fn keep(&self, grid: &Grid, labels: HubLabels) -> Arc<HubLabels> {
        let labels = Arc::new(labels);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Some((grid.edition(), Arc::clone(&labels)));
        labels
    }
}

/// Whether there can be such a table.
pub(crate) fn check(grid: &Grid, starts: &[Cell], goals: &[Cell]) -> PyResult<()> {
    for (what, cells) in [("start", starts), ("goal", goals)] {
        for (row, &cell) in cells.iter().enumerate() {
            let problem = grid.check_place(cell);
            problem.map_err(|reason| {
                let end = if what == "start" {
                    highroad::environment::End::Start
                } else {
                    highroad::environment::End::Goal
                };
                refuse(format!(
                    "{what}s, row {row}: {}",
                    explain(&QueryError::Refused { end, reason })
                ))
            })?;
        }
    }
    check_size(starts.len(), goals.len())
}

/// Whether a table may have so many rows and columns.
pub(crate) fn check_size(rows: usize, columns: usize) -> PyResult<()> {
    let most = DistanceTable::COSTS_MAX;
    match rows.saturating_mul(columns) > most {
        true => Err(refuse(format!("{rows} × {columns} costs: a table may hold {most}"))),
        false => Ok(()),
    }
}

/// A table of a graph or a mesh: a field for each start. `None` if it was stopped.
pub(crate) fn table_of_any<E: Living>(
    environment: &E,
    starts: &[E::Place],
    goals: &[E::Place],
    price: impl Fn(Cost) -> f64 + Sync,
    watch: &BuildWatch,
) -> Option<Result<Vec<f64>, QueryError<E::Refusal>>> {
    let rows = starts.par_iter().map_init(
        || None,
        |kept: &mut Option<E::Field>, &start| {
            let begun = match kept {
                Some(field) => field.renew_away_from(environment, start, u64::MAX),
                None => {
                    let memory = &mut FieldMemory::default();
                    E::Field::away_from(environment, start, u64::MAX, memory)
                        .map(|field| *kept = Some(field))
                }
            };
            if let Err(error) = begun {
                return Some(Err(error));
            }
            let field = kept.as_mut().expect("it was just put there");
            let mut first = 0;
            loop {
                while first < goals.len() && field.cost(goals[first]).is_some() {
                    first += 1;
                }
                if watch.is_stopped() {
                    return None;
                }
                if first == goals.len() || !field.advance(SLICE) {
                    break;
                }
            }
            let cost = |&goal: &E::Place| field.cost(goal).map_or(f64::INFINITY, &price);
            Some(Ok(goals.iter().map(cost).collect::<Vec<_>>()))
        },
    );
    let rows: Vec<Result<Vec<f64>, _>> = rows.collect::<Option<_>>()?;
    Some(rows.into_iter().collect::<Result<Vec<_>, _>>().map(|rows| rows.concat()))
}

/// What was found, or why not; `None` if it was stopped.
type Found = Option<PyResult<Vec<f64>>>;

/// A table, row by row.
pub(crate) fn table(
    grid: &Grid,
    ground: Ground,
    (starts, goals): (&[Cell], &[Cell]),
    labels: Option<&HubLabels>,
    watch: &BuildWatch,
) -> Found {
    if starts.is_empty() || goals.is_empty() {
        return Some(Ok(Vec::new()));
    }
    if let Some(labels) = labels {
        return table_of_labels(grid, ground, (starts, goals), labels, watch);
    }
    if starts.len() <= goals.len() {
        return rows_of_fields(grid, ground, starts, goals, false, watch);
    }
    // Fewer searches, each towards one goal; then columns become rows.
    Some(rows_of_fields(grid, ground, goals, starts, true, watch)?.map(|columns| {
        let at = |row: usize, column: usize| columns[column * starts.len() + row];
        (0..starts.len())
            .flat_map(|row| (0..goals.len()).map(move |column| (row, column)))
            .map(|(row, column)| at(row, column))
            .collect()
    }))
}

/// Rows of a table that one thread looks up before others may take over: what is known of the goals is put together once
/// for each.
const ROWS: usize = 64;

fn table_of_labels(
    grid: &Grid,
    ground: Ground,
    (starts, goals): (&[Cell], &[Cell]),
    labels: &HubLabels,
    watch: &BuildWatch,
) -> Found {
    let block = starts.len().div_ceil(2 * rayon::current_num_threads()).clamp(1, ROWS);
    let blocks = starts.par_chunks(block).map_init(Scratch::new, |scratch, starts| {
        if watch.is_stopped() {
            return None;
        }
        let table = match labels.distance_table(grid, starts, goals, scratch) {
            Ok(table) => table,
            Err(error) => return Some(Err(query_error(error))),
        };
        let cost = |row, column| {
            table.cost(row, column).map_or(f64::INFINITY, |cost| price(grid, ground, cost))
        };
        let places =
            (0..starts.len()).flat_map(|row| (0..goals.len()).map(move |column| (row, column)));
        Some(Ok(places.map(|(row, column)| cost(row, column)).collect::<Vec<_>>()))
    });
    let blocks: Vec<PyResult<Vec<f64>>> = blocks.collect::<Option<_>>()?;
    Some(blocks.into_iter().collect::<PyResult<Vec<_>>>().map(|blocks| blocks.concat()))
}

/// Cells that a field settles between two looks at the watch.
const SLICE: u64 = 16_384;

/// For each source what it costs to go to each target, or from there.
fn rows_of_fields(
    grid: &Grid,
    ground: Ground,
    sources: &[Cell],
    targets: &[Cell],
    towards: bool,
    watch: &BuildWatch,
) -> Found {
    let rows = sources.par_iter().map_init(
        || None,
        |kept: &mut Option<Field>, &source| {
            let row = renewed(kept, grid, source, towards).map(|field| {
                let known = |field: &Field| {
                    targets.iter().take_while(|&&target| field.cost(target).is_some()).count()
                };
                let mut first = known(field);
                while first < targets.len() && !watch.is_stopped() && field.advance(SLICE) {
                    while first < targets.len() && field.cost(targets[first]).is_some() {
                        first += 1;
                    }
                }
                let cost = |&target: &Cell| {
                    field.cost(target).map_or(f64::INFINITY, |cost| price(grid, ground, cost))
                };
                targets.iter().map(cost).collect::<Vec<_>>()
            });
            (!watch.is_stopped()).then(|| row.map_err(query_error))
        },
    );
    let rows: Vec<PyResult<Vec<f64>>> = rows.collect::<Option<_>>()?;
    Some(rows.into_iter().collect::<PyResult<Vec<_>>>().map(|rows| rows.concat()))
}

/// A field of one source in the memory of the one before.
fn renewed<'f>(
    kept: &'f mut Option<Field>,
    grid: &Grid,
    source: Cell,
    towards: bool,
) -> Result<&'f mut Field, QueryError> {
    let sources = &[source];
    match kept {
        Some(field) if towards => field.renew_towards(grid, sources)?,
        Some(field) => field.renew(grid, sources, u64::MAX)?,
        None if towards => *kept = Some(Field::towards(grid, sources)?),
        None => *kept = Some(Field::around(grid, sources)?),
    }
    Ok(kept.as_mut().expect("it was just put there"))
}

/// What each of many pairs costs. Without labels, pairs with the same start share a field, and others are searched for.
pub(crate) fn pairs(
    grid: &Grid,
    ground: Ground,
    ends: &[(Cell, Cell)],
    labels: Option<&HubLabels>,
    watch: &BuildWatch,
) -> Found {
    let mut order: Vec<usize> = (0..ends.len()).collect();
    if labels.is_none() {
        order.sort_by_key(|&number| (ends[number].0, number));
    }
    let same_start = |&a: &usize, &b: &usize| labels.is_none() && ends[a].0 == ends[b].0;
    let groups: Vec<&[usize]> = order.chunk_by(same_start).collect();
    let solve = |memory: &mut (Scratch, Option<Field>), group: &&[usize]| {
        if watch.is_stopped() {
            return None;
        }
        let (scratch, field) = memory;
        let costs: Result<Vec<(usize, f64)>, QueryError> = match (labels, *group) {
            (Some(labels), _) => (group.iter())
                .map(|&number| {
                    let (start, goal) = ends[number];
                    let cost = labels.distance(grid, start, goal, scratch)?;
                    Ok((number, cost.map_or(f64::INFINITY, |cost| price(grid, ground, cost))))
                })
                .collect(),
            (None, &[number]) => {
                let query = PathQuery::new(ends[number].0, ends[number].1);
                GridSearch::astar().solve(grid, &query, scratch).map(|answer| {
                    let cost = match answer {
                        Answer::Found(path) => price(grid, ground, path.cost()),
                        _ => f64::INFINITY,
                    };
                    vec![(number, cost)]
                })
            }
            (None, numbers) => renewed(field, grid, ends[numbers[0]].0, false).map(|field| {
                let cost = |&number: &usize| {
                    let cost = field.settle(ends[number].1);
                    (number, cost.map_or(f64::INFINITY, |cost| price(grid, ground, cost)))
                };
                numbers.iter().map(cost).collect()
            }),
        };
        Some(costs.map_err(query_error))
    };
    let found = groups.par_iter().map_init(|| (Scratch::new(), None), solve);
    let found: Vec<PyResult<Vec<(usize, f64)>>> = found.collect::<Option<_>>()?;
    let mut costs = vec![f64::INFINITY; ends.len()];
    for group in found {
        match group {
            Ok(group) => group.into_iter().for_each(|(number, cost)| costs[number] = cost),
            Err(error) => return Some(Err(error)),
        }
    }
    Some(Ok(costs))
}

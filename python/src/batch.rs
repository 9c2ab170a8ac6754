//! Many paths at once, as flat arrays.
//!
//! Queries are answered in rounds, by all cores, each thread writing to small blocks. After each round its blocks are copied to
//! the array that Python gets. So paths are copied while they are still in the processor's cache, and the array is the only
//! large memory that is touched. How large it has to be is foreseen from the rounds before.
//!
//! PERF: a list of paths as the engine returns it, copied to an array at the end, takes 28 ms for 20,000 paths of 271 cells whatever
//! the planner: most of it is the kernel that hands out 87 MB in small pages. (`python bench/overhead.py`)

use crate::interrupt::watched;
use crate::path::{Paths, PlaceKind};
use crate::pool::on_all_cores;
use crate::refuse;
use highroad::Cost;
use highroad::environment::Environment;
use highroad::grid::KindId;
use highroad::planner::{Answer, PathQuery, QueryError};
use highroad::world::{BuildWatch, KindView, Living, Snapshot};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::IntoPyDict;
use rayon::prelude::*;

/// An environment whose paths can be written to flat arrays.
pub(crate) trait Flat: Living {
    /// What a place is written as, and how many of them.
    type Number: numpy::Element + Copy + Default + Send + Sync;
    const KIND: PlaceKind;

    fn push(numbers: &mut Vec<Self::Number>, places: &[Self::Place]);
}

/// Where a path begins and ends.
pub(crate) type Ends<E> = (<E as Environment>::Place, <E as Environment>::Place);

/// The answers to some queries in a row.
struct Block<N> {
    numbers: Vec<N>,
    /// Where each path ends in the numbers.
    ends: Vec<usize>,
    costs: Vec<f64>,
    failed: Vec<bool>,
}

impl<N> Default for Block<N> {
    fn default() -> Self {
        Self { numbers: Vec::new(), ends: Vec::new(), costs: Vec::new(), failed: Vec::new() }
    }
}

impl<N> Block<N> {
    /// Forgets what it holds, and keeps the memory.
    fn clear(&mut self) {
        self.numbers.clear();
        self.ends.clear();
        self.costs.clear();
        self.failed.clear();
    }

    fn push(&mut self, cost: f64, failed: bool) {
        self.ends.push(self.numbers.len());
        self.costs.push(cost);
        self.failed.push(failed);
    }
}

/// Fails for the first query that makes no sense with its row, and why.
pub(crate) fn check_all<E: Living>(
    py: Python<'_>,
    environment: &E,
    ends: &[Ends<E>],
    explain: impl Fn(&QueryError<E::Refusal>) -> String,
) -> PyResult<()> {
    let wrong = py.detach(|| {
        on_all_cores(|| {
            let check = |(row, &(start, goal)): (usize, &Ends<E>)| {
                let query = PathQuery::<E::Place>::new(start, goal);
                Some((row, query.check(environment).err()?))
            };
            ends.par_iter().enumerate().find_map_first(check)
        })
    });
    match wrong {
        Some((row, error)) => Err(refuse(format!("row {row}: {}", explain(&error)))),
        None => Ok(()),
    }
}

/// Whether queries that make no sense are errors; else they are marked.
pub(crate) fn read_on_error(on_error: &str) -> PyResult<bool> {
    match on_error {
        "raise" => Ok(true),
        "mask" => Ok(false),
        _ => Err(refuse(format!("on_error cannot be '{on_error}'; it can be 'raise' or 'mask'"))),
    }
}

/// Answers queries on all cores. A KeyboardInterrupt stops it.
pub(crate) fn find_all<E: Flat>(
    py: Python<'_>,
    view: &Snapshot<E>,
    kind: KindId,
    ends: &[Ends<E>],
    price: impl Fn(Cost) -> f64 + Sync,
) -> PyResult<Paths> {
    /// Queries of the first round.
    const FIRST: usize = 512;
    /// Numbers that the blocks of a round should have together: a few megabytes.
    const NUMBERS: usize = 1 << 20;
    let mut flat = Growing::<E::Number>::new(py)?;
    let (mut offsets, mut costs) = (vec![0], Vec::with_capacity(ends.len()));
    let mut failed = Vec::with_capacity(ends.len());
    offsets.reserve(ends.len());
    let (mut round, mut blocks) = (FIRST, Vec::new());
    while costs.len() < ends.len() {
        let asked = &ends[costs.len()..(costs.len() + round).min(ends.len())];
        watched(py, |watch| find_round(view, kind, asked, &price, &mut blocks, watch))?;
        let mut base = flat.length;
        for block in &blocks {
            let offset = |end: &usize| ((base + end) / E::KIND.width()) as i64;
            offsets.extend(block.ends.iter().map(offset));
            costs.extend_from_slice(&block.costs);
            failed.extend_from_slice(&block.failed);
            base += block.numbers.len();
        }
        flat.append(py, &blocks, costs.len(), ends.len())?;
        round = (NUMBERS / (flat.length / costs.len()).max(1)).max(FIRST);
    }
    let places = flat.finish(py, E::KIND)?;
    Ok(Paths {
        kind: E::KIND,
        places,
        offsets: PyArray1::from_vec(py, offsets).unbind(),
        costs: PyArray1::from_vec(py, costs).unbind(),
        failed: PyArray1::from_vec(py, failed).unbind(),
    })
}

/// Answers the queries of one round, in blocks that are in their order.
fn find_round<E: Flat>(
    view: &Snapshot<E>,
    kind: KindId,
    ends: &[Ends<E>],
    price: &(impl Fn(Cost) -> f64 + Sync),
    blocks: &mut Vec<Block<E::Number>>,
    watch: &BuildWatch,
) {
    /// Blocks for each thread, so that all of them end at about the same time.
    const BLOCKS: usize = 32;
    let size = (ends.len() / (BLOCKS * rayon::current_num_threads())).max(1);
    blocks.resize_with(ends.len().div_ceil(size), Block::default);
    let solve = |asked: &mut KindView<'_, E>, (block, ends): (&mut Block<_>, &[Ends<E>])| {
        block.clear();
        for &(start, goal) in ends {
            let query = PathQuery::<E::Place>::new(start, goal);
            match asked.answer_while(&query, || !watch.is_stopped()) {
                Some(Ok(Answer::Found(path))) => {
                    E::push(&mut block.numbers, path.places());
                    block.push(price(path.cost()), false);
                }
                Some(Ok(_)) => block.push(f64::INFINITY, false),
                Some(Err(_)) => block.push(f64::INFINITY, true),
                // It was stopped, and nobody will look at the blocks.
                None => return,
            }
        }
    };
    let begin = || view.of(kind).expect("the kind was found");
    blocks.par_iter_mut().zip(ends.par_chunks(size)).for_each_init(begin, solve);
}

/// An array of Python that grows.
struct Growing<'py, N: numpy::Element> {
    array: Bound<'py, PyArray1<N>>,
    /// How many numbers were written.
    length: usize,
}

impl<'py, N: numpy::Element + Copy + Send + Sync> Growing<'py, N> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self { array: Self::room(py, 0)?, length: 0 })
    }

    /// Numpy asks for large pages, which are handed out more quickly.
    fn room(py: Python<'py>, length: usize) -> PyResult<Bound<'py, PyArray1<N>>> {
        let array = py.import("numpy")?.call_method1("empty", (length, N::get_dtype(py)))?;
        Ok(array.cast_into::<PyArray1<N>>()?)
    }

    /// Writes the numbers of some blocks to the end. So many queries of all have been answered.
    fn append(
        &mut self,
        py: Python<'py>,
        blocks: &[Block<N>],
        answered: usize,
        of: usize,
    ) -> PyResult<()> {
        let added: usize = blocks.iter().map(|block| block.numbers.len()).sum();
        let needed = self.length + added;
        if needed > self.array.len()? {
            // An eighth more than the mean so far leads to expect.
            let expected = needed as u128 * of as u128 / answered as u128;
            let expected = if answered < of { expected + expected / 8 } else { expected };
            let larger = Self::room(py, usize::try_from(expected).unwrap_or(needed).max(needed))?;
            let kept = self.array.readonly();
            larger.readwrite().as_slice_mut()?[..self.length]
                .copy_from_slice(&kept.as_slice()?[..self.length]);
            self.array = larger;
        }
        let mut array = self.array.readwrite();
        let mut rest = &mut array.as_slice_mut()?[self.length..];
        let mut parts = Vec::with_capacity(blocks.len());
        for block in blocks {
            let part = rest.split_off_mut(..block.numbers.len()).expect("there is room");
            parts.push((part, &block.numbers[..]));
        }
        let copy = |(part, numbers): (&mut [N], &[N])| part.copy_from_slice(numbers);
        py.detach(|| on_all_cores(|| parts.into_par_iter().for_each(copy)));
        self.length = needed;
        Ok(())
    }

    /// The array with what was written and nothing more.
    fn finish(self, py: Python<'py>, kind: PlaceKind) -> PyResult<Py<PyAny>> {
        let rows = self.length / kind.width();
        let array = self.array.into_any();
        // Nobody else has seen it.
        let unchecked = [("refcheck", false)].into_py_dict(py)?;
        match kind.width() {
            1 => array.call_method("resize", (rows,), Some(&unchecked))?,
            width => array.call_method("resize", ((rows, width),), Some(&unchecked))?,
        };
        Ok(array.unbind())
    }
}

//! Grids: maps that never change.

use crate::cells::edit_error;
use crate::costs::{Ground, ReadMap, read_map};
use crate::interrupt::watched;
use crate::kept::{Kept, read_specs};
use crate::map::Map;
use crate::movement::MovementWords;
use crate::options::Options;
use crate::placement::Placement;
use crate::refuse;
use crate::relief::{LinkScale, add_borders};
use crate::selection::add_heights;
use highroad::catalog::Spec;
use highroad::grid::{Batch, EditError, Extent, Grid as EngineGrid, Link, LinkProblem, Movement};
use highroad::world::WorldBuilder;
use highroad::{Cell, GridMap, PathWorld};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PySlice};

/// A map that never changes, made from an array.
///
/// ``cells`` is an array of rows and columns: of bool (``True`` can be entered), of whole numbers or floats (what a cell
/// costs; ``inf`` is blocked, and 0, negative numbers and NaN are errors), or of letters; or text in letters, a line a row.
///
/// Costs are counted in whole units from 1 to 65,535, and rounded to the nearest: ``unit`` says what one is. It is 1 for bool
/// and whole numbers; for floats the smallest power of two with which the largest finite cost fits.
///
/// ``rule`` is how agents step: ``"never-cut-corners"``, ``"four-way"``, ``"at-most-one-obstacle"`` or
/// ``"always-diagonal"``. A step costs the mean of its two cells; with ``pays="entered"`` what the entered cell costs.
/// ``size`` is that of agents, in cells; their place is the upper left one. ``kinds`` are further kinds of agents by name, each
/// a dict of ``rule``, ``step_costs``, ``pays``, ``size``, ``terrain_costs``, ``climb_max``, ``drop_max``, ``uphill``,
/// ``downhill`` and ``planner``.
///
/// ``heights`` is an array of whole numbers from 0 to 65,535. A step may rise by ``climb_max`` and drop by ``drop_max`` at most,
/// and costs ``uphill`` or ``downhill`` more for each unit. ``borders`` are thin walls: arrays of N × 4, a cell and one beside
/// it in each row, by name: ``"closed"``, or ``"one-way"`` from the first to the second. ``links`` are ways from a cell to any
/// other: tuples of start, goal and cost, and perhaps whether it leads both ways, and the kind that it is for.
///
/// ``planner`` is a planner by name with options, such as ``"hpa:cluster=32"``, or a list of them, the preferred first;
/// ``highroad.planners()`` lists all. Without one, an exact search answers.
///
/// >>> import numpy as np, highroad
/// >>> cells = np.ones((3, 4), bool)
/// >>> cells[1, 1:3] = False
/// >>> grid = highroad.Grid(cells, planner="jps")
/// >>> grid.find_path((0, 0), (2, 3))
/// <Path (0, 0) to (2, 3): 5 steps, cost 5.0>
#[pyclass(frozen, extends = Map, module = "highroad")]
pub(crate) struct Grid;

/// Builds a map with its planners from cells and options by name. A KeyboardInterrupt stops it.
pub(crate) fn build(
    cells: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
    is_fixed: bool,
) -> PyResult<Map> {
    const NAMES: [&str; 9] =
        ["planner", "kinds", "heights", "borders", "links", "unit", "origin", "cell_size", "y_up"];
    let unknown = |name: &str| PyTypeError::new_err(format!("a map has no option '{name}'"));
    let options = Options::read(options, &[&NAMES, &MovementWords::NAMES], unknown)?;
    let ReadMap { map, ground, mut beside } = read_map(cells, options.get("unit")?)?;
    let origin = options.get("origin")?.unwrap_or((0.0, 0.0));
    let cell_size = options.get("cell_size")?.unwrap_or(1.0);
    let y_up = options.get("y_up")?.unwrap_or(false);
    let placement = Placement::new(origin, cell_size, y_up, map.extent().height())?;
    let kinds = read_kinds(&options, ground, &map)?;
    if let Some(heights) = options.any("heights")? {
        add_all_heights(&mut beside, map.extent(), &heights)?;
    }
    if let Some(borders) = options.get::<Bound<'_, PyDict>>("borders")? {
        add_borders(&mut beside, &borders)?;
    }
    let steps = kinds.iter().map(|kind| (kind.name.clone(), kind.movement.steps())).collect();
    let links = options.any("links")?;
    let links = links.map(|links| LinkScale { ground, steps }.read(&links)).transpose()?;
    let links = links.unwrap_or_default();
    let world = watched(cells.py(), |watch| {
        let world = world_of(map, &beside, &links, kinds)?.build_watched(watch).map_err(refuse)?;
        check_links(&world, &links)?;
        PyResult::Ok(world)
    })?;
    Ok(Map::new(Kept::new(world?, is_fixed), ground, placement))
}

/// A kind of agent as it was given.
struct KindWords {
    name: String,
    movement: Movement,
    specs: Vec<Spec>,
}

/// The default kind, and those by name.
fn read_kinds(options: &Options<'_>, ground: Ground, map: &GridMap) -> PyResult<Vec<KindWords>> {
    let profile = ground.profile(map);
    let read = |name: &str, options: &Options<'_>| {
        let words = MovementWords::read(options)?;
        if matches!(ground, Ground::Costs { .. }) && words.has_terrain() {
            return Err(refuse(
                "terrain_costs are for maps that are made of letters; an array of numbers has its costs",
            ));
        }
        let movement = words.movement(&profile, ground)?;
        let specs = read_specs(options.any("planner")?.as_ref())?;
        Ok(KindWords { name: name.to_owned(), movement, specs })
    };
    let mut kinds = vec![read("default", options)?];
    for (name, of_kind) in options.get::<Bound<'_, PyDict>>("kinds")?.into_iter().flatten() {
        let (name, of_kind) = (name.extract::<String>()?, of_kind.cast_into::<PyDict>()?);
        let unknown = |option: &str| {
            let known = MovementWords::NAMES.join(", ");
            refuse(format!("kind '{name}' has no option '{option}'; known are: {known}, planner"))
        };
        let of_kind =
            Options::read(Some(&of_kind), &[&MovementWords::NAMES, &["planner"]], unknown)?;
        kinds.push(read(&name, &of_kind)?);
    }
    Ok(kinds)
}

/// Heights of all cells.
fn add_all_heights(batch: &mut Batch, extent: Extent, heights: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = heights.py();
    let heights = py.import("numpy")?.call_method1("asarray", (heights,))?;
    let (rows, columns) = (extent.height() as usize, extent.width() as usize);
    let shape = heights.cast::<PyUntypedArray>()?.shape();
    if shape != [rows, columns] {
        return Err(refuse(format!(
            "heights: an array of shape ({rows}, {columns}) is needed, as the map is; this one is {shape:?}"
        )));
    }
    let place = |error: PyErr| refuse(format!("heights: {}", error.value(py)));
    add_heights(batch, extent, &PySlice::full(py).into_any(), &heights).map_err(place)
}

/// What a world is built from.
fn world_of(
    mut map: GridMap,
    beside: &Batch,
    links: &[Link],
    kinds: Vec<KindWords>,
) -> PyResult<WorldBuilder> {
    for &link in links {
        map.add_link(link).map_err(|problem| edit_error(EditError::Link { link, problem }))?;
    }
    let mut kinds = kinds.into_iter();
    let first = kinds.next().expect("the default kind is the first");
    let mut grid = EngineGrid::new(map, first.movement);
    grid.apply(beside).map_err(edit_error)?;
    let mut builder = WorldBuilder::from(PathWorld::on(grid));
    builder = first.specs.into_iter().fold(builder, WorldBuilder::with_planner);
    for kind in kinds {
        builder = builder.with_kind(&kind.name, kind.movement);
        builder = kind.specs.into_iter().fold(builder, WorldBuilder::with_planner);
    }
    Ok(builder)
}

/// Whether some agent that a link is for can stand at each of its ends, as for links that are opened later.
fn check_links(world: &PathWorld, links: &[Link]) -> PyResult<()> {
    for &link in links {
        let can_stand = |cell: Cell| {
            let mut kinds =
                world.kinds().filter(|(kind, _)| link.kind.is_none_or(|it| it == *kind));
            kinds
                .any(|(kind, _)| world.environment_of(kind).is_some_and(|it| it.is_enterable(cell)))
        };
        if let Some(cell) = [link.from, link.to].into_iter().find(|&cell| !can_stand(cell)) {
            return Err(edit_error(EditError::Link {
                link,
                problem: LinkProblem::Blocked { cell },
            }));
        }
    }
    Ok(())
}

#[pymethods]
impl Grid {
    #[new]
    #[pyo3(
        signature = (cells, **options),
        text_signature = "(cells, *, rule='never-cut-corners', step_costs=None, pays='both', size=1, terrain_costs=None, climb_max=None, drop_max=None, uphill=0.0, downhill=0.0, planner=None, kinds=None, heights=None, borders=None, links=None, unit=None, origin=(0.0, 0.0), cell_size=1.0, y_up=False)"
    )]
    fn new(
        cells: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        Ok(Self::of(build(cells, options, true)?))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let extent = slf.as_super().get().view(slf.py()).extent();
        format!("<Grid of {} rows and {} columns>", extent.height(), extent.width())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (SavedMap<'py>,))> {
        Ok((slf.get_type().getattr("_restore")?, (save(slf.as_super()),)))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, saved: SavedMap<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::of(load(py, saved, true)?))
    }
}

impl Grid {
    pub(crate) fn of(map: Map) -> PyClassInitializer<Self> {
        PyClassInitializer::from(map).add_subclass(Self)
    }
}

/// A map with its planners as bytes, its unit, the least cost (0 for letters), and where it lies.
pub(crate) type SavedMap<'py> = (Bound<'py, PyBytes>, f64, u16, (f64, f64), f64, bool);

/// The least cost that is kept of a map; 0 for letters.
pub(crate) fn least_of(ground: Ground) -> u16 {
    match ground {
        Ground::Costs { least, .. } => least,
        Ground::Letters => 0,
    }
}

/// The other way.
pub(crate) fn ground_of(unit: f64, least: u16) -> PyResult<Ground> {
    if !(unit.is_finite() && unit > 0.0) {
        return Err(refuse(format!("unit {unit}: it must be finite and above 0")));
    }
    Ok(if least == 0 { Ground::Letters } else { Ground::Costs { unit, least } })
}

pub(crate) fn save<'py>(map: &Bound<'py, Map>) -> SavedMap<'py> {
    let this = map.get();
    let (origin, cell_size, y_up) = this.placement.parts();
    let bytes = this.kept.save(map.py());
    (bytes, this.ground.unit(), least_of(this.ground), origin, cell_size, y_up)
}

pub(crate) fn load(py: Python<'_>, saved: SavedMap<'_>, is_fixed: bool) -> PyResult<Map> {
    let (bytes, unit, least, origin, cell_size, y_up) = saved;
    let ground = ground_of(unit, least)?;
    let kept: Kept<EngineGrid> = Kept::load(py, &bytes, is_fixed)?;
    let rows = kept.view(py).extent().height();
    Ok(Map::new(kept, ground, Placement::new(origin, cell_size, y_up, rows)?))
}

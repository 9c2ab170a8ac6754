//! Grids: maps that never change.

use crate::costs::{Ground, ReadMap, read_map};
use crate::interrupt::watched;
use crate::map::Map;
use crate::movement::MovementWords;
use crate::placement::Placement;
use crate::refuse;
use highroad::PathWorld;
use highroad::catalog::Spec;
use highroad::grid::Grid as EngineGrid;
use highroad::world::WorldBuilder;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

/// A map that never changes, made from an array.
///
/// ``cells`` is an array of rows and columns: of bool (``True`` can be entered), of whole numbers or floats (what a cell
/// costs; ``inf`` is blocked, and 0, negative numbers and NaN are errors), or of letters; or text in letters, a line a row.
///
/// Costs are counted in whole units from 1 to 65,535, and rounded to the nearest: ``unit`` says what one is. It is 1 for bool
/// and whole numbers; for floats the smallest power of two with which the largest finite cost fits.
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

/// Everything beside the cells that a map is made with.
pub(crate) struct MapOptions<'a, 'py> {
    pub(crate) movement: MovementWords,
    pub(crate) planner: Option<&'a Bound<'py, PyAny>>,
    pub(crate) kinds: Option<&'a Bound<'py, PyDict>>,
    pub(crate) unit: Option<f64>,
    pub(crate) place: ((f64, f64), f64, bool),
}

/// Builds a map with its planners. A KeyboardInterrupt stops it.
pub(crate) fn build(
    cells: &Bound<'_, PyAny>,
    options: &MapOptions<'_, '_>,
    is_fixed: bool,
) -> PyResult<Map> {
    let ReadMap { map, ground, surcharges } = read_map(cells, options.unit)?;
    let (origin, cell_size, y_up) = options.place;
    let placement = Placement::new(origin, cell_size, y_up, map.extent().height())?;
    let mut kinds = vec![(String::new(), options.movement.clone(), read_specs(options.planner)?)];
    for (name, of_kind) in options.kinds.into_iter().flatten() {
        let (name, of_kind) = (name.extract::<String>()?, of_kind.cast_into::<PyDict>()?);
        let movement = MovementWords::of_kind(&name, &of_kind)?;
        kinds.push((name, movement, read_specs(of_kind.get_item("planner")?.as_ref())?));
    }
    if matches!(ground, Ground::Costs { .. })
        && kinds.iter().any(|(_, words, _)| words.has_terrain())
    {
        return Err(refuse(
            "terrain_costs are for maps that are made of letters; an array of numbers has its costs",
        ));
    }
    let profile = ground.profile(&map);
    let kinds =
        kinds.into_iter().map(|(name, words, specs)| Ok((name, words.movement(&profile)?, specs)));
    let kinds: Vec<_> = kinds.collect::<PyResult<_>>()?;
    let world = watched(cells.py(), |watch| {
        let mut kinds = kinds.into_iter();
        let (_, movement, specs) = kinds.next().expect("the default kind is the first");
        let mut grid = EngineGrid::new(map, movement);
        grid.apply(&surcharges).map_err(|error| error.to_string())?;
        let mut builder = WorldBuilder::from(PathWorld::on(grid));
        builder = specs.into_iter().fold(builder, WorldBuilder::with_planner);
        for (name, movement, specs) in kinds {
            builder = builder.with_kind(&name, movement);
            builder = specs.into_iter().fold(builder, WorldBuilder::with_planner);
        }
        builder.build_watched(watch).map_err(|error| error.to_string())
    })?;
    Ok(Map::new(world.map_err(refuse)?, is_fixed, ground, placement))
}

pub(crate) fn read_specs(planner: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Spec>> {
    let Some(planner) = planner.filter(|planner| !planner.is_none()) else { return Ok(Vec::new()) };
    let names = match planner.cast::<PyString>() {
        Ok(name) => vec![name.to_str()?.to_owned()],
        Err(_) => planner.extract::<Vec<String>>()?,
    };
    names.iter().map(|name| name.parse::<Spec>().map_err(refuse)).collect()
}

#[pymethods]
impl Grid {
    #[new]
    #[pyo3(signature = (
        cells, *, rule="never-cut-corners", step_costs=None, pays="both", size=1, terrain_costs=None, planner=None,
        kinds=None, unit=None, origin=(0.0, 0.0), cell_size=1.0, y_up=false
    ))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        cells: &Bound<'_, PyAny>,
        rule: &str,
        step_costs: Option<&Bound<'_, PyAny>>,
        pays: &str,
        size: u8,
        terrain_costs: Option<&Bound<'_, PyDict>>,
        planner: Option<&Bound<'_, PyAny>>,
        kinds: Option<&Bound<'_, PyDict>>,
        unit: Option<f64>,
        origin: (f64, f64),
        cell_size: f64,
        y_up: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let movement = MovementWords::read(rule, step_costs, pays, size, terrain_costs)?;
        let place = (origin, cell_size, y_up);
        let map = build(cells, &MapOptions { movement, planner, kinds, unit, place }, true)?;
        Ok(Self::of(map))
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
    let (py, this) = (map.py(), map.get());
    let bytes = this.with_world(py, |world| world.save());
    let (origin, cell_size, y_up) = this.placement.parts();
    let bytes = PyBytes::new(py, &bytes);
    (bytes, this.ground.unit(), least_of(this.ground), origin, cell_size, y_up)
}

pub(crate) fn load(py: Python<'_>, saved: SavedMap<'_>, is_fixed: bool) -> PyResult<Map> {
    let (bytes, unit, least, origin, cell_size, y_up) = saved;
    let ground = ground_of(unit, least)?;
    let bytes = bytes.as_bytes();
    let world = watched(py, |watch| PathWorld::load_watched(bytes, |_| None, watch))?;
    let world: PathWorld = world.map_err(refuse)?;
    let rows = world.grid().extent().height();
    Ok(Map::new(world, is_fixed, ground, Placement::new(origin, cell_size, y_up, rows)?))
}

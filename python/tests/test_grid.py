"""Grids from arrays, and everything that is asked of them, compared with networkx and scipy."""

import networkx as nx
import numpy as np
import pytest
from conftest import RULES, cost_arrays, masks, open_cells, plain_graph, walkable_cost
from hypothesis import given
from hypothesis import strategies as st

import highroad


@given(cells=masks(), rule=st.sampled_from(RULES), data=st.data())
def test_paths_cost_what_networkx_says(cells, rule, data):
    graph = plain_graph(np.where(cells, 1.0, np.inf), rule)
    start, goal = (data.draw(st.sampled_from(open_cells(cells))) for _ in range(2))
    path = highroad.Grid(cells, rule=rule).find_path(start, goal)
    if not nx.has_path(graph, start, goal):
        assert path is None
        return
    assert path.cost == pytest.approx(nx.dijkstra_path_length(graph, start, goal), rel=1e-12)
    assert walkable_cost(graph, path.cells) == pytest.approx(path.cost, rel=1e-12)
    assert (path.start, path.goal) == (start, goal)


@given(costs=cost_arrays(), pays=st.sampled_from(["both", "entered"]), rule=st.sampled_from(RULES), data=st.data())
def test_costs_of_cells_count(costs, pays, rule, data):
    graph = plain_graph(costs, rule, pays)
    start, goal = (data.draw(st.sampled_from(open_cells(np.isfinite(costs)))) for _ in range(2))
    grid = highroad.Grid(costs, rule=rule, pays=pays)
    np.testing.assert_array_equal(grid.costs(), costs)
    path = grid.find_path(start, goal)
    best = nx.single_source_dijkstra_path_length(graph, start).get(goal)
    assert (None if path is None else pytest.approx(path.cost, rel=1e-12)) == best
    towards = grid.distance_field(goal, towards=True)
    assert towards[start] == (np.inf if path is None else path.cost)


@given(costs=cost_arrays(), data=st.data())
def test_fields_tables_and_pairs_agree(costs, data):
    grid = highroad.Grid(costs)
    cells = open_cells(np.isfinite(costs))
    starts = data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=5))
    goals = data.draw(st.lists(st.sampled_from(cells), min_size=1, max_size=5))
    table = grid.distance_table(starts, goals)
    graph = plain_graph(costs)
    for row, start in zip(table, starts):
        known = nx.single_source_dijkstra_path_length(graph, start)
        np.testing.assert_allclose(row, [known.get(goal, np.inf) for goal in goals], rtol=1e-12)
        field = grid.distance_field(start)
        np.testing.assert_array_equal(row, [field[goal] for goal in goals])
    pairs = [[*start, *goal] for start in starts for goal in goals]
    np.testing.assert_array_equal(grid.distances(pairs), table.ravel())
    np.testing.assert_array_equal(grid.distance_table(goals, starts).T, table)


@given(cells=masks())
def test_labels_agree_with_fields(cells):
    grid = highroad.Grid(cells, planner="hub-labels")
    places = open_cells(cells)
    fields = grid.distance_table(places, places, method="fields")
    np.testing.assert_array_equal(grid.distance_table(places, places), fields)
    np.testing.assert_array_equal(grid.distance_table(places, places, method="labels"), fields)
    pairs = [[*places[0], *place] for place in places]
    np.testing.assert_array_equal(grid.distances(pairs), fields[0])


@given(costs=cost_arrays(), rule=st.sampled_from(RULES), data=st.data())
def test_directions_lead_to_the_goal_at_the_cost_of_the_field(costs, rule, data):
    grid = highroad.Grid(costs, rule=rule, pays="entered")
    goal = data.draw(st.sampled_from(open_cells(np.isfinite(costs))))
    graph = plain_graph(costs, rule, "entered")
    directions, field = grid.direction_field(goal), grid.distance_field(goal, towards=True)
    for cell in open_cells(np.isfinite(costs)):
        walked, at = 0.0, cell
        while directions[at] >= 0:
            step = (at, tuple((np.array(at) + highroad.DIRECTIONS[directions[at]]).tolist()))
            walked, at = walked + graph.edges[step]["weight"], step[1]
        assert (at == goal) == bool(np.isfinite(field[cell]))
        if at == goal:
            assert walked == pytest.approx(field[cell], rel=1e-12)


@given(cells=masks(), rule=st.sampled_from(RULES))
def test_components_and_reachability(cells, rule):
    grid = highroad.Grid(cells, rule=rule)
    parts = grid.components()
    assert ((parts >= 0) == cells).all()
    graph = plain_graph(np.where(cells, 1.0, np.inf), rule)
    for part in nx.weakly_connected_components(graph):
        assert len({parts[cell] for cell in part}) == 1
    assert parts.max() + 1 == nx.number_weakly_connected_components(graph)
    places = open_cells(cells)
    for place in places:
        assert grid.is_reachable(places[0], place) == (parts[place] == parts[places[0]])


@given(costs=cost_arrays(), most=st.floats(0, 50), data=st.data())
def test_ranges_are_the_cells_within_a_cost(costs, most, data):
    grid = highroad.Grid(costs)
    start = data.draw(st.sampled_from(open_cells(np.isfinite(costs))))
    cells, spent = grid.range(start, most)
    field = grid.distance_field(start)
    near = field <= most + 1e-6
    assert {tuple(cell) for cell in cells.tolist()} <= set(open_cells(near))
    assert {tuple(cell) for cell in cells.tolist()} >= set(open_cells(field <= most - 1e-6))
    np.testing.assert_array_equal(spent, [field[tuple(cell)] for cell in cells.tolist()])


def test_every_planner_that_serves_finds_paths(rooms, random_queries):
    exact = highroad.Grid(rooms)
    queries = random_queries(exact, 50)
    best = exact.find_paths(queries).costs
    served = 0
    for name, title, _options in highroad.planners():
        try:
            grid = highroad.Grid(rooms, planner=name)
        except highroad.HighroadError as error:
            assert "does not serve" in str(error) or "not made for" in str(error), title
            continue
        served += 1
        costs = grid.find_paths(queries).costs
        assert (np.isfinite(costs) == np.isfinite(best)).all(), title
        assert (costs >= best - 1e-9).all(), title
    assert served >= 12
    assert highroad.Grid(rooms, planner=["hub-labels", "hpa:cluster=16"]).planners() == [
        ("hub-labels", "optimal"),
        ("hpa:cluster=16", "near optimal"),
    ]


def test_many_paths_are_the_single_ones(rooms, random_queries):
    grid = highroad.Grid(rooms, planner="hpa:cluster=16")
    queries = random_queries(grid, 300)
    paths = grid.find_paths(queries)
    assert len(paths) == 300 and paths.offsets[-1] == len(paths.cells) and not paths.failed.any()
    for number, (a, b, c, d) in enumerate(queries.tolist()):
        single = grid.find_path((a, b), (c, d))
        np.testing.assert_array_equal(paths[number], single.cells)
        assert paths.costs[number] == single.cost
    np.testing.assert_array_equal(paths[-1], paths[299])
    with pytest.raises(IndexError, match="no path 300 among 300"):
        paths[300]


def test_batches_of_several_rounds_are_the_single_paths(rooms, random_queries):
    """Lengths that rise, so that the array turns out too small; and queries without a path or a place."""
    grid = highroad.Grid(rooms, planner="hub-labels")
    queries = random_queries(grid, 6000, seed=5)
    queries = queries[np.abs(queries[:, :2] - queries[:, 2:]).sum(axis=1).argsort()]
    queries[::501] = 15, 0, 0, 0
    paths = grid.find_paths(queries, on_error="mask")
    assert paths.failed.nonzero()[0].tolist() == list(range(0, 6000, 501))
    assert paths.cells.flags.owndata and paths.cells.flags.c_contiguous and paths.cells.shape == (paths.offsets[-1], 2)
    np.testing.assert_allclose(np.delete(paths.costs, np.s_[::501]), grid.distances(np.delete(queries, np.s_[::501], axis=0)))
    for number in (1, 300, 2999, 5998, 5999):
        single = grid.find_path(tuple(queries[number, :2]), tuple(queries[number, 2:]))
        np.testing.assert_array_equal(paths[number], single.cells)
    with pytest.raises(AttributeError, match="these paths have cells, not nodes"):
        paths.nodes
    with pytest.raises(highroad.HighroadError, match="places: cells"):
        highroad.Paths(np.zeros((3, 3)), paths.offsets, paths.costs, paths.failed)


def test_queries_that_make_no_sense(rooms):
    grid = highroad.Grid(rooms)
    queries = np.array([[0, 0, 5, 5], [0, 0, 15, 0], [0, 0, 99, 0], [-1, 0, 0, 0], [0, 0, 0, 1]])
    with pytest.raises(highroad.HighroadError, match="^row 1: the goal at row 15, column 0 is blocked$"):
        grid.find_paths(queries)
    with pytest.raises(highroad.HighroadError, match="^row 1: the goal at row 99, column 0 lies outside the map of 64"):
        grid.find_paths(queries[[0, 2]])
    masked = grid.find_paths(queries, on_error="mask")
    assert masked.failed.tolist() == [False, True, True, True, False]
    assert np.isinf(masked.costs).tolist() == masked.failed.tolist()
    assert len(masked[1]) == 0 and len(masked[4]) == 2
    with pytest.raises(highroad.HighroadError, match="starts, row 1: the start at row 15, column 0 is blocked"):
        grid.distance_table([(0, 0), (15, 0)], [(1, 1)])
    with pytest.raises(highroad.HighroadError, match="the start at row 15, column 0 is blocked"):
        grid.find_path((15, 0), (0, 0))
    with pytest.raises(highroad.HighroadError, match="the goal with a negative or far too large number"):
        grid.find_path((0, 0), (0, -1))


@pytest.mark.parametrize(
    ("queries", "error", "says"),
    [
        (np.zeros((3, 3), int), highroad.HighroadError, r"shape \(N, 4\) is needed, this one is \[3, 3\]"),
        (np.zeros(4, int), highroad.HighroadError, "shape"),
        (np.zeros((2, 4)), TypeError, "whole numbers are needed, this array is of type float64"),
        ("no array", highroad.HighroadError, "shape"),
        (None, (TypeError, highroad.HighroadError), None),
    ],
)
def test_arrays_of_queries_that_are_none(queries, error, says):
    with pytest.raises(error, match=says):
        highroad.Grid("..\n").find_paths(queries)


def test_no_queries_are_no_error():
    grid = highroad.Grid("..\n")
    for nothing in ([], np.zeros((0, 4), int)):
        paths = grid.find_paths(nothing)
        assert len(paths) == 0 and paths.cells.shape == (0, 2) and paths.offsets.tolist() == [0]
    assert grid.distance_table(np.zeros((0, 2), int), [(0, 0)]).shape == (0, 1)
    assert grid.distance_table([(0, 0)], []).shape == (1, 0)
    with pytest.raises(highroad.HighroadError, match="no start"):
        grid.distance_field([])


@pytest.mark.parametrize(
    ("cells", "error", "says"),
    [
        (np.ones(3, bool), highroad.HighroadError, "rows and columns"),
        (np.ones((2, 2, 2)), highroad.HighroadError, "rows and columns"),
        (np.ones((0, 3), bool), highroad.HighroadError, "0 rows and 3 columns"),
        (np.ones((1, 20_000), bool), highroad.HighroadError, "20000 columns"),
        (np.array([[1.0, np.nan]]), highroad.HighroadError, "row 0, column 1: a cost of NaN"),
        (np.array([[1, 0]]), highroad.HighroadError, "row 0, column 1: a cost of 0"),
        (np.array([[1], [-3]]), highroad.HighroadError, "row 1, column 0: a cost of -3"),
        (np.array([[1.0, -np.inf]]), highroad.HighroadError, "row 0, column 1"),
        (np.array([[1, 70_000]]), highroad.HighroadError, "row 0, column 1: a cost of 70000 is more than 65535 units of 1"),
        (np.array([[1e-9, 1e9]]), highroad.HighroadError, "less than half of the unit"),
        (np.array([[1j]]), TypeError, "complex"),
        (np.array([[None]]), TypeError, "object"),
        ("..x\n", highroad.HighroadError, "x"),
        ([["." "?"]], highroad.HighroadError, "row 0, column 0"),
        ("", highroad.HighroadError, None),
    ],
)
def test_maps_that_are_none(cells, error, says):
    with pytest.raises(error, match=says):
        highroad.Grid(cells)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"rule": "hop"}, "there is no rule 'hop'; known are: four-way"),
        ({"pays": "nothing"}, "it can be 'both' or 'entered'"),
        ({"step_costs": "cheap"}, "'exact', 'thesis', 'unit'"),
        ({"step_costs": (2, 5)}, "0 < straight"),
        ({"size": 0}, None),
        ({"planner": "hpa*"}, "there is no planner"),
        ({"planner": "hpa:cluster=huge"}, "cluster cannot be 'huge'"),
        ({"unit": 0.0}, "above 0"),
        ({"cell_size": -1.0}, "above 0"),
        ({"origin": (np.nan, 0.0)}, "finite"),
        ({"terrain_costs": {"S": 2}}, "made of letters"),
        ({"kinds": {"boat": {"speed": 2}}}, "kind 'boat' has no option 'speed'"),
    ],
)
def test_options_that_make_no_sense(options, says):
    with pytest.raises(highroad.HighroadError, match=says):
        highroad.Grid(np.ones((3, 3), bool), **options)


@given(st.data())
def test_quantisation_is_as_documented(data):
    floats = st.floats(0.01, 1000, allow_nan=False)
    costs = np.array([data.draw(st.lists(floats, min_size=1, max_size=6))])
    grid = highroad.Grid(costs)
    assert np.log2(grid.unit) % 1 == 0 or grid.unit == 1
    assert (abs(grid.costs() - costs) <= grid.unit / 2).all()
    assert costs.max() / grid.unit <= 65_535.5
    coarse = highroad.Grid(np.ceil(costs), unit=1.0)
    np.testing.assert_array_equal(coarse.costs(), np.ceil(costs))


@given(st.integers(1, 65_535), st.integers(1, 65_535))
def test_whole_costs_are_kept_exactly(a, b):
    grid = highroad.Grid(np.array([[a, b]]))
    assert grid.unit == 1 and grid.costs().tolist() == [[a, b]]
    assert grid.find_path((0, 0), (0, 1)).cost == (a + b) / 2


def test_arrays_of_all_types_and_orders_mean_the_same(rooms):
    expected = highroad.Grid(rooms).find_path((0, 0), (62, 94)).cost
    costs = np.where(rooms, 1.0, np.inf)
    for cells in [rooms.tolist(), np.asfortranarray(rooms), rooms[::-1][::-1], costs, costs.astype(np.float32)]:
        assert highroad.Grid(cells).find_path((0, 0), (62, 94)).cost == expected
    for dtype in [np.uint8, np.int16, np.uint64]:
        assert highroad.Grid(np.full((3, 3), 7, dtype)).costs().tolist() == [[7.0] * 3] * 3
    letters = np.where(rooms, ".", "#")
    text = "\n".join("".join(row) for row in letters)
    for cells in [letters, text, [*text.split("\n")], letters.astype("S1")]:
        grid = highroad.Grid(cells)
        np.testing.assert_array_equal(grid.walkable(), rooms)
        assert grid.find_path((0, 0), (62, 94)).cost == expected


def test_terrain_and_kinds():
    grid = highroad.Grid(
        "..SSWW\n..SSWW\n",
        terrain_costs={"S": 3, "W": None},
        kinds={"boat": {"terrain_costs": {"W": 1, ".": None, "S": None}, "rule": "four-way", "planner": "astar"}},
    )
    assert grid.kinds == ["default", "boat"]
    assert grid.find_path((0, 0), (0, 3)).cost == 1 + 2 + 3
    assert grid.find_path((0, 4), (1, 5), kind="boat").cost == 2
    assert grid.walkable(kind="boat").sum() == 4 and grid.planners("boat")[0][0] == "astar"
    with pytest.raises(highroad.HighroadError, match="no kind 'plane'"):
        grid.find_path((0, 0), (0, 1), kind="plane")
    large = highroad.Grid("....\n....\n..#.\n", size=2)
    assert large.walkable().tolist() == [[True, True, True, False], [True, False, False, False], [False] * 4]


def test_goal_rules_obstacles_and_limits():
    grid = highroad.Grid("....\n....\n.##.\n")
    assert grid.find_path((0, 0), (2, 1), goal_rule="adjacent").steps == 1
    nearest = grid.find_path((0, 0), (2, 2), goal_rule="nearest")
    assert not nearest.complete and nearest.goal == (1, 2)
    assert grid.find_path((0, 0), (0, 3), obstacles=[(0, 1), (0, 2)]).steps > 3
    assert grid.find_path((0, 0), (0, 3), max_cost=3) is not None
    assert grid.find_path((0, 0), (0, 3), max_cost=2.9) is None
    with pytest.raises(highroad.HighroadError, match="goal_rule cannot be 'far'"):
        grid.find_path((0, 0), (0, 3), goal_rule="far")
    assert grid.find_nearest((0, 0), [(0, 3), (1, 1), (2, 1)]).goal == (1, 1)


def test_positions_in_the_plane():
    grid = highroad.Grid(np.ones((2, 3), bool), origin=(10.0, 20.0), cell_size=0.5)
    path = grid.find_path((0, 0), (1, 2))
    assert path.points[0].tolist() == [10.25, 20.25] and path.points[-1].tolist() == [11.25, 20.75]
    up = highroad.Grid(np.ones((2, 3), bool), origin=(10.0, 20.0), cell_size=0.5, y_up=True)
    assert up.find_path((0, 0), (1, 2)).points[0].tolist() == [10.25, 20.75]
    for either in (grid, up):
        for cell in [(0, 0), (1, 2)]:
            assert either.cell_at(*either.position_of(cell)) == cell
        with pytest.raises(KeyError, match="outside"):
            either.cell_at(0.0, np.nan)


def test_paths_are_arrays():
    path = highroad.Grid("....\n").find_path((0, 0), (0, 3))
    assert np.asarray(path).shape == (4, 2) and len(path) == 4 and path.cells.dtype == np.int32
    assert np.array(path, dtype=float)[3, 1] == 3.0
    with pytest.raises(ValueError, match="read-only"):
        path.cells[0] = 1
    assert "3 steps, cost 3.0" in repr(path)

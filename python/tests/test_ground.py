"""Heights, borders and links, compared with networkx; what-if; flow fields."""

import pickle

import networkx as nx
import numpy as np
import pytest
from conftest import RULES, masks, open_cells, plain_graph
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import highroad


@st.composite
def shaped(draw):
    """Cells, heights, and pairs of neighbours with a border between them."""
    cells = draw(masks())
    heights = draw(hnp.arrays(np.int64, cells.shape, elements=st.integers(0, 3)))
    pairs = [
        [row, column, row + down, column + right]
        for row, column in np.ndindex(cells.shape)
        for down, right in ((0, 1), (1, 0))
        if row + down < cells.shape[0] and column + right < cells.shape[1]
    ]
    borders = draw(st.lists(st.sampled_from(pairs), max_size=4, unique_by=tuple)) if pairs else []
    names = [draw(st.sampled_from(["closed", "one-way", "one-way-back"])) for _ in borders]
    return cells, heights, list(zip(borders, names))


def arrays_of(borders):
    closed = [row for row, name in borders if name == "closed"]
    one_way = [row if name == "one-way" else row[2:] + row[:2] for row, name in borders if name != "closed"]
    return {name: rows for name, rows in (("closed", closed), ("one-way", one_way)) if rows}


def plain_ground(cells, heights, borders, climb, drop, uphill, downhill):
    """Steps in four directions, by the definitions alone."""
    shut = set()
    for row, name in borders:
        there, back = (tuple(row[:2]), tuple(row[2:])), (tuple(row[2:]), tuple(row[:2]))
        shut |= {"closed": {there, back}, "one-way": {back}, "one-way-back": {there}}[name]
    graph = plain_graph(np.where(cells, 1.0, np.inf), "four-way")
    for here, there in list(graph.edges):
        rise = int(heights[there]) - int(heights[here])
        if (here, there) in shut or rise > climb or -rise > drop:
            graph.remove_edge(here, there)
        else:
            graph.edges[here, there]["weight"] += max(rise, 0) * uphill + max(-rise, 0) * downhill
    return graph


@given(shaped(), st.integers(1, 3), st.integers(1, 3), st.sampled_from([None, "hpa:cluster=4", "astar"]))
def test_heights_and_borders_count_as_networkx_says(ground, climb, drop, planner):
    cells, heights, borders = ground
    options = {"climb_max": climb, "drop_max": drop, "uphill": 0.5, "downhill": 0.25, "rule": "four-way"}
    graph = plain_ground(cells, heights, borders, climb, drop, 0.5, 0.25)
    grid = highroad.Grid(cells, heights=heights, borders=arrays_of(borders), planner=planner, **options)
    world = highroad.World(cells, planner=planner, **options)
    world.edit(heights=[(..., heights)], borders=arrays_of(borders))
    places = open_cells(cells)
    for made in (grid, world, pickle.loads(pickle.dumps(grid))):
        np.testing.assert_array_equal(made.heights(), heights)
        assert {name: sorted(rows.tolist()) for name, rows in made.borders().items() if len(rows)} == {
            name: sorted(rows) for name, rows in arrays_of(borders).items()
        }
        table = made.distance_table(places, places)
        for row, start in zip(table, places):
            known = nx.single_source_dijkstra_path_length(graph, start)
            np.testing.assert_allclose(row, [known.get(goal, np.inf) for goal in places], rtol=1e-12)
        pairs = np.array([[*start, *goal] for start in places for goal in places])
        found = made.find_paths(pairs).costs
        assert (np.isfinite(found) == np.isfinite(table.ravel())).all() and (found >= table.ravel() - 1e-9).all()


@given(masks(), st.data())
def test_links_are_edges(cells, data):
    places = open_cells(cells)
    ends = st.tuples(st.sampled_from(places), st.sampled_from(places))
    drawn = data.draw(st.lists(st.tuples(ends, st.integers(1, 9), st.booleans()), max_size=4))
    links = [(start, goal, cost / 2, both) for (start, goal), cost, both in drawn if start != goal]
    graph = plain_graph(np.where(cells, 1.0, np.inf))
    for start, goal, cost, both in links:
        for edge in [(start, goal), (goal, start)][: 2 if both else 1]:
            weight = min(cost, graph.edges[edge]["weight"] if graph.has_edge(*edge) else np.inf)
            graph.add_edge(*edge, weight=weight)
    grid = highroad.Grid(cells, links=links)
    assert {link[:4] for link in grid.links} == set(links)
    table = grid.distance_table(places, places)
    for row, start in zip(table, places):
        known = nx.single_source_dijkstra_path_length(graph, start)
        np.testing.assert_allclose(row, [known.get(goal, np.inf) for goal in places], rtol=1e-12)
    world = highroad.World(cells, planner="hpa:cluster=4")
    for link in links:
        world.edit(links=[link])
    np.testing.assert_array_equal(world.distance_table(places, places), table)
    world.edit(close_links=world.links)
    assert world.links == []
    np.testing.assert_array_equal(world.distance_table(places, places), highroad.Grid(cells).distance_table(places, places))


def test_links_of_kinds_and_where_they_lead():
    grid = highroad.Grid(
        "..#..\n", kinds={"bird": {"step_costs": (10, 14)}}, links=[((0, 1), (0, 3), 2.0, True, "bird")], planner="astar"
    )
    assert grid.find_path((0, 0), (0, 4)) is None
    assert grid.find_path((0, 0), (0, 4), kind="bird").cost == 4
    assert grid.find_path((0, 4), (0, 0), kind="bird").cells.tolist() == [[0, 4], [0, 3], [0, 1], [0, 0]]
    directions = grid.direction_field((0, 4), kind="bird")
    assert directions.tolist() == [[1, -2, -1, 1, -1]]
    assert highroad.FlowField(grid, (0, 4), kind="bird").next([(0, 1)]).tolist() == [[0, 3]]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"heights": np.zeros((2, 2))}, r"heights: an array of shape \(3, 3\) is needed"),
        ({"heights": np.full((3, 3), 1.5)}, "heights: row 0, column 0: a height of 1.5: heights are whole numbers"),
        ({"heights": np.full((3, 3), -1)}, "a height of -1"),
        ({"heights": np.full((3, 3), np.nan)}, "a height of NaN"),
        ({"borders": {"wall": [[0, 0, 0, 1]]}}, "borders cannot be 'wall'"),
        ({"borders": {"closed": [[0, 0, 2, 2]]}}, "no border between the cells at row 0, column 0 and at row 2, column 2"),
        ({"borders": {"closed": [[0, 0]]}}, r"borders: an array of shape \(N, 4\)"),
        ({"borders": {"closed": [[0, 2, 0, 3]]}}, "outside"),
        ({"links": [((0, 0), (0, 9), 1.0)]}, "the cell at row 0, column 9 lies outside the map"),
        ({"links": [((0, 0), (0, 0), 1.0)]}, "it ends where it begins"),
        ({"links": [((0, 0), (1, 1), 1.0)]}, "no agent that it is for can stand on the cell at row 1, column 1"),
        ({"links": [((0, 0), (0, 1), 0.0)]}, "link 0: a cost of 0: it must be from"),
        ({"links": [((0, 0), (0, 1), np.nan)]}, "link 0: a cost of NaN"),
        ({"links": [((0, 0), (0, 1))]}, "link 0: .*is needed"),
        ({"links": [((0, 0), (0, 1), 1.0, False, "bird")]}, "link 0: there is no kind 'bird'"),
        ({"uphill": -1.0}, "uphill -1: it must be 0, or from 0.01"),
        ({"uphill": 1e-9}, "uphill"),
    ],
)
def test_ground_that_makes_no_sense(options, says):
    cells = np.ones((3, 3), bool)
    cells[1, 1] = False
    with pytest.raises(highroad.HighroadError, match=says):
        highroad.Grid(cells, **options)


def test_edits_of_the_ground_are_made_as_one_or_not_at_all():
    world = highroad.World(np.ones((3, 3), bool))
    with pytest.raises(highroad.HighroadError, match="nothing was changed"):
        world.edit([((0, 0), False)], borders={"closed": [[0, 0, 0, 1]]}, links=[((0, 0), (2, 2), 1.0)])
    with pytest.raises(TypeError, match="an edit has no 'colour'"):
        world.edit(colour=3)
    with pytest.raises(TypeError, match="a map has no option 'colour'"):
        highroad.World(np.ones((3, 3), bool), colour=3)
    assert world.walkable().all() and world.links == [] and world.undo() is None
    world.edit([((1, 1), False)], heights=[((0, slice(None)), 5), ((1, slice(0, 1)), [7])], borders={"closed": [[0, 0, 0, 1]]})
    assert world.heights().tolist() == [[5, 5, 5], [7, 0, 0], [0, 0, 0]]
    world.undo()
    assert world.heights().max() == 0 and len(world.borders()["closed"]) == 0


@given(masks(), st.data())
def test_what_if_says_what_would_happen(cells, data):
    world = highroad.World(cells, planner="hpa:cluster=4")
    places = open_cells(cells)
    pairs = np.array([[*data.draw(st.sampled_from(places)), *data.draw(st.sampled_from(places))] for _ in range(3)])
    change = (data.draw(hnp.arrays(bool, cells.shape)), data.draw(st.booleans()))
    before, after = world.what_if(pairs, [change])
    blocks = world.would_block(pairs, [change])
    np.testing.assert_array_equal(before, world.find_paths(pairs).costs)
    assert world.revision == 0
    world.edit([change])
    np.testing.assert_array_equal(after, world.find_paths(pairs, on_error="mask").costs)
    assert blocks == bool((np.isfinite(before) & np.isinf(after)).any())


@given(masks(), st.sampled_from(RULES), st.data())
def test_flow_fields_follow_edits(cells, rule, data):
    world = highroad.World(cells, rule=rule)
    goal = data.draw(st.sampled_from(open_cells(cells)))
    flow = highroad.FlowField(world, goal)
    for _ in range(3):
        mask = data.draw(hnp.arrays(bool, cells.shape))
        mask[goal] = False
        world[mask] = data.draw(st.sampled_from([True, False, 3.0]))
        np.testing.assert_array_equal(flow.costs(), world.distance_field(goal, towards=True))
        np.testing.assert_array_equal(flow.directions(), world.direction_field(goal))
        assert flow.revision == world.revision
    costs, places = flow.costs(), open_cells(world.walkable())
    for place, next_cell in zip(places, flow.next(places).tolist()):
        path = flow.path_from(place)
        assert (path is None) == bool(np.isinf(costs[place]))
        if path is not None:
            assert path.cost == costs[place] and path.goal == goal
        assert next_cell == ([-1, -1] if path is None or len(path) == 1 else path.cells[1].tolist())


def test_alternatives_and_smoothing():
    grid = highroad.Grid(".............\n.###########.\n.............\n.###########.\n.............\n")
    paths = grid.find_alternatives((2, 0), (2, 12), margin=1, costlier=0.6)
    assert len(paths) == 3 and paths[0].cost == min(path.cost for path in paths)
    with pytest.raises(highroad.HighroadError, match="shared -1"):
        grid.find_alternatives((2, 0), (2, 12), shared=-1.0)
    path = grid.find_path((0, 0), (4, 0))
    assert grid.smooth(path) == path

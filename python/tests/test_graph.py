"""Graphs, compared with scipy and networkx."""

import pickle

import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csgraph

import highroad


@st.composite
def matrices(draw, weights=st.integers(1, 50)):
    """A sparse matrix of weights."""
    nodes = draw(st.integers(1, 9))
    edges = draw(st.dictionaries(st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1)), weights, max_size=25))
    edges = {edge: weight for edge, weight in edges.items() if edge[0] != edge[1]}
    rows, columns = zip(*edges) if edges else ((), ())
    values = np.array(list(edges.values()), dtype=float)
    return scipy.sparse.csr_array((values, (np.array(rows, int), np.array(columns, int))), shape=(nodes, nodes))


@given(matrices(), st.sampled_from([None, "ch", "astar", "entrances"]))
def test_distances_are_those_of_scipy(matrix, planner):
    graph = highroad.graph_from_scipy(matrix, planner=planner)
    expected = csgraph.dijkstra(matrix)
    nodes = np.arange(matrix.shape[0])
    np.testing.assert_array_equal(graph.distance_table(nodes, nodes), expected)
    np.testing.assert_array_equal(graph.all_pairs(), expected)
    np.testing.assert_array_equal(graph.all_pairs(method="floyd-warshall"), expected)
    np.testing.assert_array_equal(graph.distance_field([0]), expected[0])
    np.testing.assert_array_equal(graph.distance_field([0], towards=True), expected[:, 0])
    pairs = np.array([(a, b) for a in nodes for b in nodes])
    paths = graph.find_paths(pairs)
    costs = paths.costs
    np.testing.assert_array_equal(costs, expected.ravel())
    dense = matrix.toarray()
    for number, (start, goal) in enumerate(pairs):
        steps = paths[number]
        if np.isfinite(costs[number]):
            assert (steps[0], steps[-1]) == (start, goal)
            assert sum(dense[step] for step in zip(steps, steps[1:])) == costs[number]
        else:
            assert len(steps) == 0


@given(matrices(st.integers(-5, 30)))
def test_negative_weights(matrix):
    graph = highroad.graph_from_scipy(matrix)
    try:
        expected = csgraph.bellman_ford(matrix, indices=0)
    except csgraph.NegativeCycleError:
        expected = None
    try:
        found = graph.bellman_ford([0])
    except highroad.NegativeCycleError as error:
        nodes = error.args[1]
        dense = matrix.toarray()
        assert sum(dense[step] for step in zip(nodes, [*nodes[1:], nodes[0]])) < 0
        assert expected is None
        return
    # scipy also refuses cycles that cannot be reached from the start.
    assume(expected is not None)
    np.testing.assert_array_equal(found, expected)


@given(matrices(), st.data())
def test_changing_weights(matrix, data):
    assume(matrix.nnz > 0)
    graph = highroad.graph_from_scipy(matrix, planner="entrances")
    edges = matrix.tocoo()
    model = matrix.toarray()
    for _ in range(3):
        number = data.draw(st.integers(0, matrix.nnz - 1))
        weight = data.draw(st.integers(1, 90))
        start, end = int(edges.row[number]), int(edges.col[number])
        graph.set_weights([start], [end], [weight])
        model[start, end] = weight
    nodes = np.arange(len(model))
    expected = csgraph.dijkstra(scipy.sparse.csr_array(model))
    for made in (graph, pickle.loads(pickle.dumps(graph))):
        np.testing.assert_array_equal(made.distance_table(nodes, nodes), expected)
        pairs = np.array([(a, b) for a in nodes for b in nodes])
        np.testing.assert_array_equal(made.find_paths(pairs).costs, expected.ravel())


def test_edges_come_and_go():
    graph = highroad.Graph([0, 1], [1, 2], [1.5, 2.25])
    assert (graph.node_count, graph.edge_count) == (3, 2) and np.log2(graph.unit) % 1 == 0
    assert graph.find_path(0, 2).cost == 3.75 and "2 edges, cost 3.75" in repr(graph.find_path(0, 2))
    graph.add_edges([0], [2], [1.0])
    assert graph.find_path(0, 2).nodes.tolist() == [0, 2]
    graph.remove_edges([0], [2])
    assert len(graph.find_path(0, 2)) == 3
    assert graph.undo() is not None and len(graph.find_path(0, 2)) == 2
    assert graph.redo() is not None and len(graph.find_path(0, 2)) == 3
    sources, targets, weights = graph.edges()
    assert (sources.tolist(), targets.tolist(), weights.tolist()) == ([0, 1], [1, 2], [1.5, 2.25])


@given(matrices(), st.data())
def test_facilities_are_the_nearest(matrix, data):
    graph = highroad.graph_from_scipy(matrix)
    nodes = matrix.shape[0]
    facilities = data.draw(st.lists(st.integers(0, nodes - 1), min_size=1, max_size=3, unique=True))
    expected = csgraph.dijkstra(matrix)
    for towards, distances in ((True, expected[:, facilities]), (False, expected[facilities].T)):
        costs, nearest, next_nodes = graph.nearest_facilities(facilities, towards=towards)
        np.testing.assert_array_equal(costs, distances.min(axis=1))
        for node in range(nodes):
            if np.isinf(costs[node]):
                assert nearest[node] == next_nodes[node] == -1
                continue
            assert distances[node, facilities.index(nearest[node])] == costs[node]
            at, walked = node, 0
            while next_nodes[at] >= 0:
                step = (at, next_nodes[at]) if towards else (next_nodes[at], at)
                walked, at = walked + matrix[step], next_nodes[at]
            assert (at, walked) == (nearest[node], costs[node])


@given(matrices(st.integers(-5, 30)))
def test_a_negative_cycle_is_found_if_there_is_one(matrix):
    graph = highroad.graph_from_scipy(matrix)
    found = graph.negative_cycle()
    model = nx.from_scipy_sparse_array(matrix, create_using=nx.DiGraph)
    assert (found is not None) == nx.negative_edge_cycle(model)
    if found is not None:
        nodes, cost = found
        dense = matrix.toarray()
        assert sum(dense[step] for step in zip(nodes, [*nodes[1:], nodes[0]])) == cost < 0


def test_regions_and_alternatives():
    road = nx.grid_2d_graph(12, 12)
    graph, nodes = highroad.graph_from_networkx(road)
    regions = graph.partition(36)
    assert sorted(set(regions.tolist())) == list(range(regions.max() + 1)) and 2 <= regions.max() + 1 <= 6
    for region in range(regions.max() + 1):
        assert nx.is_connected(road.subgraph(node for node, of in zip(nodes, regions) if of == region))
    paths = graph.find_alternatives(0, 143, count=3)
    assert 2 <= len(paths) <= 3 and paths[0].cost == 22
    assert graph.planners() == [] and highroad.Graph([0], [1], [1], planner="ch").planners() == [("ch", "optimal")]
    masked = graph.find_paths([[0, 1], [0, 999]], on_error="mask")
    assert masked.failed.tolist() == [False, True] and masked[0].tolist() == [0, 1]


def test_networkx(rooms):
    road = nx.grid_2d_graph(6, 7)
    for number, edge in enumerate(road.edges):
        road.edges[edge]["minutes"] = number % 5 + 1
    graph, nodes = highroad.graph_from_networkx(road, "minutes")
    start, goal = nodes.index((0, 0)), nodes.index((5, 6))
    assert graph.find_path(start, goal).cost == nx.dijkstra_path_length(road, (0, 0), (5, 6), weight="minutes")
    one_way, names = highroad.graph_from_networkx(nx.DiGraph([("a", "b")]))
    assert one_way.find_path(names.index("b"), names.index("a")) is None
    empty, none = highroad.graph_from_networkx(nx.Graph())
    assert empty.node_count == 0 and none == []


@pytest.mark.parametrize(
    ("arguments", "options", "says"),
    [
        (([0], [1, 2], [1]), {}, "1 sources, 2 targets and 1 weights"),
        (([0], [1], [np.nan]), {}, "edge 0: a weight of NaN"),
        (([0], [1], [np.inf]), {}, "finite"),
        (([0], [5], [1]), {"nodes": 3}, None),
        (([-1], [1], [1]), {"nodes": 3}, None),
        (([0], [1], [1e12]), {"unit": 1.0}, "more than"),
        (([0], [1], [1]), {"unit": -1.0}, "above 0"),
        (([0], [1], [1]), {"planner": "jps"}, "jps"),
        (([0], [1], [1]), {"positions": [[0.0, 0.0]]}, "positions"),
    ],
)
def test_graphs_that_are_none(arguments, options, says):
    with pytest.raises(highroad.HighroadError, match=says):
        highroad.Graph(*arguments, **options)


def test_nodes_that_are_not_there():
    graph = highroad.Graph([0], [1], [1])
    for ask in (lambda: graph.find_path(0, 9), lambda: graph.distance_field([9]), lambda: graph.bellman_ford([9])):
        with pytest.raises(highroad.HighroadError, match="no node of the graph"):
            ask()
    with pytest.raises(highroad.HighroadError, match="row 1"):
        graph.find_paths([[0, 1], [0, 9]])
    with pytest.raises(highroad.HighroadError, match="goals, row 0"):
        graph.distance_table([0], [-4])
    with pytest.raises(highroad.HighroadError):
        graph.set_weights([1], [0], [3])
    with pytest.raises(highroad.HighroadError, match="square"):
        highroad.graph_from_scipy(scipy.sparse.csr_array((2, 3)))
    with pytest.raises(highroad.HighroadError, match="negative"):
        highroad.Graph([0], [1], [-1]).find_path(0, 1)

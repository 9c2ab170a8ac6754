"""Meshes: paths at any angle, compared with a plain graph of corners that see each other."""

import pickle

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from conftest import masks, open_cells
from hypothesis import given
from hypothesis import strategies as st

import highroad

SQUARE = [(0, 0), (8, 0), (8, 8), (0, 8)]
CRATE = [(3, 1), (5, 1), (5, 7), (3, 7)]


def is_free_line(cells, a, b):
    """Whether the straight line between two points stays on free cells: looked at between all crossings of the lattice."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    cuts = {0.0, 1.0}
    for axis in (0, 1):
        low, high = sorted((a[axis], b[axis]))
        for line in range(int(np.ceil(low)), int(np.floor(high)) + 1):
            if a[axis] != b[axis]:
                cuts.add((line - a[axis]) / (b[axis] - a[axis]))
    cuts = sorted(cut for cut in cuts if 0 <= cut <= 1)
    for first, last in zip(cuts, cuts[1:]):
        if last - first < 1e-12:
            continue
        x, y = a + (b - a) * (first + last) / 2
        rows = {int(np.floor(y)), int(np.ceil(y)) - 1} if abs(y - round(y)) < 1e-9 else {int(np.floor(y))}
        columns = {int(np.floor(x)), int(np.ceil(x)) - 1} if abs(x - round(x)) < 1e-9 else {int(np.floor(x))}
        inside = [
            (row, column) for row in rows for column in columns if 0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]
        ]
        if not any(cells[place] for place in inside):
            return False
    return True


def touching_corners(cells):
    """Corners where two blocked cells touch: no path passes there, and the plain graph would."""
    padded = np.pad(cells, 1)
    a, b, c, d = padded[:-1, :-1], padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]
    return ((a == d) & (b == c) & (a != b)).any()


@given(masks(), st.data())
def test_paths_are_as_short_as_a_visibility_graph_says(cells, data):
    if touching_corners(cells):
        return
    mesh = highroad.Grid(cells).mesh()
    places = open_cells(cells)
    middle = lambda place: (place[1] + 0.5, place[0] + 0.5)  # noqa: E731
    start, goal = (middle(data.draw(st.sampled_from(places))) for _ in range(2))
    points = [start, goal, *(tuple(vertex) for vertex in mesh.vertices.tolist())]
    graph = nx.Graph()
    graph.add_nodes_from(points)
    for number, a in enumerate(points):
        for b in points[:number]:
            if is_free_line(cells, a, b):
                graph.add_edge(a, b, weight=float(np.hypot(a[0] - b[0], a[1] - b[1])))
    best = nx.single_source_dijkstra_path_length(graph, start).get(goal, np.inf)
    path = mesh.find_path(start, goal)
    assert (path is not None) == np.isfinite(best) == mesh.is_reachable(start, goal)
    assert mesh.distances([start], [goal])[0] == pytest.approx(best, rel=1e-9)
    assert mesh.find_paths([[*start, *goal]]).costs[0] == pytest.approx(best, rel=1e-9)
    if path is not None:
        assert path.cost == pytest.approx(best, rel=1e-9) == path.length
        assert path.points[0].tolist() == list(start) and path.points[-1].tolist() == list(goal)
        assert all(is_free_line(cells, a, b) for a, b in zip(path.points, path.points[1:]))


def test_many_paths_tables_and_planners_agree(rooms):
    grid = highroad.Grid(rooms)
    places = np.argwhere(rooms)[:: 97][:40]
    points = places[:, ::-1] + 0.5
    queries = np.hstack([points[:20], points[20:]])
    meshes = {name: grid.mesh(planner=name) for name in (None, "any-angle", "funnel", "corner-labels")}
    exact = meshes[None].find_paths(queries)
    assert np.isfinite(exact.costs).all() and meshes["corner-labels"].planners()[0][1] == "optimal"
    for name, mesh in meshes.items():
        paths = mesh.find_paths(queries)
        if name == "funnel":
            assert (paths.costs >= exact.costs * (1 - 1e-9)).all()
        else:
            np.testing.assert_allclose(paths.costs, exact.costs, rtol=1e-9)
        for number in range(20):
            single = mesh.find_path(queries[number, :2], queries[number, 2:])
            np.testing.assert_array_equal(single.points, paths[number])
    table = meshes[None].distance_table(points[:20], points[20:])
    np.testing.assert_allclose(np.diag(table), exact.costs, rtol=1e-9)
    np.testing.assert_allclose(meshes[None].distances(points[0], points[20:]), table[0], rtol=1e-9)
    blocks = highroad.find_paths(meshes[None], queries, block=7)
    np.testing.assert_array_equal(blocks.points, exact.points)
    np.testing.assert_array_equal(highroad.distance_table(meshes[None], points[:20], points[20:], block=3), table)
    assert (exact.costs <= grid.find_paths(np.hstack([places[:20], places[20:]])).costs + 1e-9).all()


def test_obstacles_come_and_go():
    mesh = highroad.Mesh(SQUARE, [[0, 1, 2, 3]], planner="any-angle")
    straight = mesh.find_path((0, 4), (8, 4))
    assert straight.cost == 8 and len(straight) == 2
    assert mesh.edit(place={"crate": CRATE}) == 1
    around = mesh.find_path((0, 4), (8, 4))
    assert around.cost == pytest.approx(2 * np.hypot(3, 3) + 2) and mesh.obstacles["crate"].shape == (4, 2)
    for copied in (mesh, pickle.loads(pickle.dumps(mesh))):
        assert copied.find_path((0, 4), (8, 4)).cost == around.cost
    mesh.edit(move={"crate": (0, 9)})
    assert mesh.find_path((0, 4), (8, 4)).cost == 8
    assert mesh.undo() is not None and mesh.find_path((0, 4), (8, 4)).cost == around.cost
    assert mesh.redo() is not None and mesh.undo() is not None
    mesh.edit(remove=["crate"])
    assert mesh.obstacles == {} and mesh.find_path((0, 4), (8, 4)).cost == 8
    with pytest.raises(highroad.HighroadError, match="there is no obstacle"):
        mesh.edit(remove=["crate"])
    with pytest.raises(highroad.HighroadError, match="obstacle 'bow': sides 0 and 2"):
        mesh.edit(place={"bow": [(0, 0), (4, 4), (4, 0), (0, 4)]})


def test_areas_layers_text_and_pictures(tmp_path):
    mesh = highroad.Mesh.from_areas([(SQUARE, [CRATE])])
    path = mesh.find_path((0, 4), (8, 4))
    assert len(path) == 4 and not mesh.contains([(4, 4), (1, 1), (9, 9)])[[0, 2]].any()
    assert mesh.nearest_point((4, 6.5)) == (4, 7, 0)
    (tmp_path / "yard.mesh").write_text(mesh.to_text())
    assert highroad.read_mesh(tmp_path / "yard.mesh").find_path((0, 4), (8, 4)).cost == path.cost
    yard = '{"areas": [{"outer": [[0, 0], [8, 0], [8, 8], [0, 8]]}]}'
    assert highroad.Mesh.from_text(yard).bounds == [[0, 0], [8, 8]]
    assert pickle.loads(pickle.dumps(path)).points.tolist() == path.points.tolist()
    assert mesh.to_svg(path).startswith("<svg ") and mesh._repr_svg_().startswith("<svg ")
    axes = highroad.plot(mesh, [path], ax=plt.figure().add_subplot())
    assert len(axes.lines) == 1 and len(axes.patches) == len(mesh.polygons)
    road = [(0, 4), (9, 4), (9, 5), (0, 5), (4, 0), (5, 0), (5, 9), (4, 9)]
    bridge = highroad.Mesh(road, [[0, 1, 2, 3], [4, 5, 6, 7]], layers=[0, 1])
    assert bridge.find_path((4.5, 4.5), (4.5, 8, 1)) is None
    over = bridge.find_path((4.5, 1, 1), (4.5, 8, 1))
    assert over.cost == 7 and over.layers.tolist() == [1, 1]
    assert bridge.find_paths([[4.5, 1, 1, 4.5, 8, 1]]).costs.tolist() == [7]


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda mesh: mesh.find_path((0, 0), (9, 9)), "the goal .*lies beside the mesh"),
        (lambda mesh: mesh.find_path((0, np.nan), (1, 1)), "start: a coordinate is NaN"),
        (lambda mesh: mesh.find_path((0,), (1, 1)), r"start: \(x, y\) or \(x, y, layer\)"),
        (lambda mesh: mesh.find_path((0, 0, 0.5), (1, 1)), "a layer is 0.5"),
        (lambda mesh: mesh.find_paths([[0, 0, 1, 1], [0, 0, 9, 9]]), "^row 1: .*beside the mesh"),
        (lambda mesh: mesh.find_paths([[0, 0, 1]]), r"queries: an array of shape \(N, 4\)"),
        (lambda mesh: mesh.find_paths([[0, 0, 1, np.inf]]), "row 0: a coordinate is inf"),
        (lambda mesh: mesh.distance_table([(0, 0), (9, 9)], [(1, 1)]), "starts, row 1"),
        (lambda mesh: highroad.Mesh(SQUARE, [[0, 1, 2, 9]]), "9"),
        (lambda mesh: highroad.Mesh([(0, 0), (1, np.nan), (1, 1)], [[0, 1, 2]]), "NaN"),
        (lambda mesh: highroad.Mesh.from_areas([[(0, 0), (4, 4), (4, 0), (0, 4)]]), "cross"),
        (lambda mesh: highroad.Mesh.from_areas([SQUARE], planner="jps"), "jps"),
        (lambda mesh: highroad.Mesh.from_text("{"), "JSON"),
        (lambda mesh: highroad.Mesh.from_text("mesh"), None),
    ],
)
def test_what_makes_no_sense_on_a_mesh(ask, says):
    with pytest.raises(highroad.HighroadError, match=says):
        ask(highroad.Mesh(SQUARE, [[0, 1, 2, 3]]))

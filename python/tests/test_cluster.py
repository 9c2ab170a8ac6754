"""Work in blocks: here, and on a cluster of Ray."""

import json

import numpy as np
import pytest

import highroad

PLANNERS = ["astar", "jps", "hpa:cluster=16"]


def test_blocks_are_the_whole(rooms, random_queries):
    grid = highroad.Grid(rooms, planner="hpa:cluster=16")
    queries = random_queries(grid, 257)
    whole = grid.find_paths(queries)
    told = []
    paths = highroad.find_paths(grid, queries, block=50, progress=lambda done, of: told.append((done, of)))
    for name in ("cells", "offsets", "costs", "failed"):
        np.testing.assert_array_equal(getattr(paths, name), getattr(whole, name))
    assert told == [(done, 6) for done in range(1, 7)]
    assert len(highroad.find_paths(grid, [])) == 0
    assert len(highroad.find_paths(grid, np.zeros((0, 4), int))) == 0
    table = highroad.distance_table(grid, queries[:, :2], queries[:7, 2:], block=50)
    np.testing.assert_array_equal(table, grid.distance_table(queries[:, :2], queries[:7, 2:]))
    out = np.empty((257, 7))
    assert highroad.distance_table(grid, queries[:, :2], queries[:7, 2:], block=100, out=out) is out
    np.testing.assert_array_equal(out, table)
    graph = highroad.Graph([0, 1], [1, 2], [3, 4])
    assert highroad.distance_table(graph, [0, 1], [2], block=1).tolist() == [[7], [4]]
    nodes = highroad.find_paths(graph, [[0, 2], [1, 2]], block=1)
    assert nodes.nodes.tolist() == [0, 1, 2, 1, 2] and nodes[1].tolist() == [1, 2]


def test_errors_of_blocks_name_the_row(rooms):
    grid = highroad.Grid(rooms)
    queries = np.zeros((120, 4), int)
    queries[77, 0] = 15
    with pytest.raises(highroad.HighroadError, match="^row 77: the start at row 15, column 0 is blocked"):
        highroad.find_paths(grid, queries, block=50)
    assert highroad.find_paths(grid, queries, block=50, on_error="mask").failed.nonzero()[0].tolist() == [77]
    with pytest.raises(highroad.HighroadError, match="at least one row"):
        highroad.find_paths(grid, queries, block=0)
    with pytest.raises(highroad.HighroadError, match="shape"):
        highroad.find_paths(grid, np.zeros((2, 3), int))
    with pytest.raises(highroad.HighroadError, match="out: an array of float64"):
        highroad.distance_table(grid, [(0, 0)], [(0, 0)], out=np.empty((2, 2)))


def test_a_sweep_goes_on_where_it_was(rooms, tmp_path):
    maps = {"rooms": rooms, "open": np.ones((20, 20), bool), "shut": np.zeros((3, 3), bool)}
    (tmp_path / "a.map").write_text("type octile\nheight 2\nwidth 4\nmap\n....\n.@@.\n")
    kept = tmp_path / "kept"
    told = []
    first = highroad.sweep(maps, PLANNERS[:2], queries=20, folder=kept, progress=lambda *done: told.append(done))
    assert len(first) == 6 == len(told) and len(list(kept.iterdir())) == 6
    assert {result["planner"] for result in first} == set(PLANNERS[:2])
    # One is damaged, and one planner comes on top: these alone are measured.
    next(iter(kept.iterdir())).write_text("{")
    told.clear()
    again = highroad.sweep(maps, PLANNERS, queries=20, folder=kept, progress=lambda *done: told.append(done))
    assert len(again) == 9 and len(told) == 4
    for result in again:
        if result["map"] == "shut":
            assert result["error"] == "no cell can be entered"
        else:
            assert 1 <= result["ratio_mean"] <= result["ratio_max"] < 1.5
            assert result["planner"].startswith("hpa") or result["ratio_max"] == pytest.approx(1, abs=1e-12)
            assert result["median_us"] > 0 and json.dumps(result)
    files = highroad.sweep([tmp_path / "a.map"], ["astar", "any-angle"], queries=3)
    assert files[0]["columns"] == 4 and "any-angle" in files[1]["error"]


def test_results_as_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    maps = {"open": np.ones((9, 9), bool), "shut": np.zeros((3, 3), bool)}
    results = highroad.sweep(maps, ["astar"], queries=3, parquet=tmp_path / "results.parquet")
    assert parquet.read_table(tmp_path / "results.parquet").select(["map", "error"]).to_pylist() == [
        {"map": result["map"], "error": result.get("error")} for result in results
    ]


def test_paths_and_tables_as_parquet(rooms, random_queries, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    grid = highroad.Grid(rooms)
    queries = random_queries(grid, 9)
    paths = highroad.find_paths(grid, queries, block=4, parquet=tmp_path / "paths.parquet")
    read = parquet.read_table(tmp_path / "paths.parquet").to_pydict()
    assert read["cost"] == paths.costs.tolist() and read["failed"] == [False] * 9
    assert read["places"] == [paths[number].tolist() for number in range(9)]
    table = highroad.distance_table(grid, queries[:, :2], queries[:3, 2:], block=4, parquet=tmp_path / "table.parquet")
    assert parquet.read_table(tmp_path / "table.parquet").to_pydict() == {"costs": table.tolist()}


@pytest.fixture
def cluster():
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    made.add_node(num_cpus=1)
    made.connect()
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.mark.ray
def test_a_table_survives_the_loss_of_a_machine(cluster, rooms, random_queries):
    grid = highroad.Grid(rooms, planner="hub-labels")
    ends = random_queries(grid, 2000)
    starts, goals = ends[:, :2], ends[:, 2:]
    local = grid.distance_table(starts, goals)
    lost = []

    def lose(done, _of):
        if done == 5:
            node = next(iter(cluster.worker_nodes))
            cluster.remove_node(node, allow_graceful=False)
            lost.append(done)

    table = highroad.distance_table(grid, starts, goals, cluster=True, block=50, progress=lose)
    assert lost == [5]
    np.testing.assert_array_equal(table, local)


@pytest.mark.ray
def test_paths_and_sweeps_on_ray(cluster, rooms, random_queries, tmp_path):
    grid = highroad.Grid(rooms, planner="hpa:cluster=16")
    queries = random_queries(grid, 500)
    paths, expected = highroad.find_paths(grid, queries, cluster=True, block=100), grid.find_paths(queries)
    for name in ("cells", "offsets", "costs", "failed"):
        np.testing.assert_array_equal(getattr(paths, name), getattr(expected, name))
    queries[321] = 15, 0, 0, 0
    with pytest.raises(highroad.HighroadError, match="^row 321: the start at row 15"):
        highroad.find_paths(grid, queries, cluster=True, block=100)
    results = highroad.sweep({"rooms": rooms}, PLANNERS, queries=20, folder=tmp_path, cluster=True)
    assert [result["planner"] for result in results] == PLANNERS
    here = highroad.sweep({"rooms": rooms}, PLANNERS, queries=20)
    assert [result["ratio_max"] for result in here] == [result["ratio_max"] for result in results]


def test_without_ray_it_says_so(rooms, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(highroad.HighroadError, match=r"pip install highroad\[ray\]"):
        highroad.find_paths(highroad.Grid(rooms), [[0, 0, 1, 1]], cluster=True)

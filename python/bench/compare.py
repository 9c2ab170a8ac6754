"""Highroad beside other libraries, on the same maps and queries in one run. Libraries that are not installed are left out."""

from __future__ import annotations

import argparse
import importlib
import statistics
import time

import numpy as np

import highroad


def rooms(side: int) -> np.ndarray:
    cells = np.ones((side, side), bool)
    cells[31::32] = False
    cells[:, 31::32] = False
    cells[31::32, 8::32] = True
    cells[20::32, 31::32] = True
    return cells


def noise(side: int) -> np.ndarray:
    return np.random.default_rng(1).random((side, side)) > 0.2


def queries_of(cells: np.ndarray, count: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    parts = highroad.Grid(cells, rule="four-way").components()
    places = np.argwhere(parts == np.bincount(parts[parts >= 0]).argmax())
    drawn = np.random.default_rng(2).integers(len(places), size=(count, 2))
    return [(tuple(places[a].tolist()), tuple(places[b].tolist())) for a, b in drawn]


def measure(ask, queries):
    """Median microseconds of a query, and the costs."""
    times, costs = [], []
    for start, goal in queries:
        begun = time.perf_counter()
        costs.append(ask(start, goal))
        times.append((time.perf_counter() - begun) * 1e6)
    return statistics.median(times), np.array(costs)


def ours(cells, **options):
    grid = highroad.Grid(cells, **options)
    return lambda start, goal: grid.find_path(start, goal).cost


def length_of(path) -> float:
    steps = np.abs(np.diff(np.asarray(path), axis=0)).sum(axis=1)
    return float((steps == 1).sum() + (steps == 2).sum() * 3363 / 2378)


def python_pathfinding(cells):
    grids, finders, rules = (
        importlib.import_module(f"pathfinding.{name}")
        for name in ("core.grid", "finder.a_star", "core.diagonal_movement")
    )
    grid = grids.Grid(matrix=cells.astype(int).tolist())
    finder = finders.AStarFinder(diagonal_movement=rules.DiagonalMovement.only_when_no_obstacle)

    def ask(start, goal):
        grid.cleanup()
        path, _ = finder.find_path(grid.node(start[1], start[0]), grid.node(goal[1], goal[0]), grid)
        return length_of([(node.y, node.x) for node in path])

    return ask, {}


def pyastar2d(cells):
    library = importlib.import_module("pyastar2d")
    weights = np.where(cells, 1, np.inf).astype(np.float32)

    def ask(start, goal):
        return float(len(library.astar_path(weights, start, goal, allow_diagonal=True)) - 1)

    return ask, {"rule": "always-diagonal", "step_costs": "unit"}


def skimage(cells):
    library = importlib.import_module("skimage.graph")
    costs = np.where(cells, 1.0, -1.0)

    def ask(start, goal):
        path, _ = library.route_through_array(costs, start, goal, fully_connected=True, geometric=True)
        return length_of(path)

    return ask, {"rule": "always-diagonal"}


def edges_of(cells):
    """The steps of the rule never-cut-corners, as sources, targets and lengths."""
    rows, columns = cells.shape
    numbers = np.arange(rows * columns).reshape(rows, columns)
    found = []
    for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
        here = (slice(0, rows - down), slice(max(0, -right), columns - max(0, right)))
        there = (slice(down, rows), slice(max(0, right), columns + min(0, right)))
        is_open = cells[here] & cells[there]
        if down and right:
            is_open &= cells[here[0], there[1]] & cells[there[0], here[1]]
        length = 3363 / 2378 if down and right else 1.0
        a, b = numbers[here][is_open], numbers[there][is_open]
        found += [(a, b, np.full(len(a), length)), (b, a, np.full(len(a), length))]
    return tuple(np.concatenate(column) for column in zip(*found))


def networkx(cells):
    library = importlib.import_module("networkx")
    sources, targets, lengths = edges_of(cells)
    graph = library.DiGraph()
    graph.add_weighted_edges_from(zip(sources.tolist(), targets.tolist(), lengths.tolist()))
    columns = cells.shape[1]

    def estimate(a, b):
        down, right = abs(a // columns - b // columns), abs(a % columns - b % columns)
        return max(down, right) + min(down, right) * (3363 / 2378 - 1)

    def ask(start, goal):
        ends = (start[0] * columns + start[1], goal[0] * columns + goal[1])
        path = library.astar_path(graph, *ends, heuristic=estimate)
        return length_of([divmod(node, columns) for node in path])

    return ask, {}


def scipy(cells):
    library = importlib.import_module("scipy.sparse.csgraph")
    sparse = importlib.import_module("scipy.sparse")
    sources, targets, lengths = edges_of(cells)
    matrix = sparse.csr_array((lengths, (sources, targets)), shape=(cells.size, cells.size))
    columns = cells.shape[1]

    def ask(start, goal):
        distances = library.dijkstra(matrix, indices=start[0] * columns + start[1])
        return float(distances[goal[0] * columns + goal[1]])

    return ask, {}


LIBRARIES = {
    "python-pathfinding (A*)": python_pathfinding,
    "pyastar2d (A*)": pyastar2d,
    "skimage route_through_array": skimage,
    "networkx astar_path": networkx,
    "scipy dijkstra (distances alone)": scipy,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=512, help="rows and columns of the maps")
    parser.add_argument("--queries", type=int, default=20)
    options = parser.parse_args()
    for name, cells in [("rooms", rooms(options.side)), ("noise", noise(options.side))]:
        queries = queries_of(cells, options.queries)
        print(f"\n{name}, {options.side} × {options.side}, {len(queries)} queries; median of a query")
        for library, made in LIBRARIES.items():
            try:
                ask, rules = made(cells)
            except ImportError as error:
                print(f"  {library}: not installed ({error.name})")
                continue
            theirs, costs = measure(ask, queries)
            exact, expected = measure(ours(cells, **rules), queries)
            agree = "costs agree" if np.allclose(costs, expected, rtol=1e-6) else "COSTS DIFFER"
            rule = rules.get("rule", "never-cut-corners")
            print(f"  {library}: {theirs:,.0f} µs; highroad {exact:,.0f} µs, {theirs / exact:,.0f} times less; {rule}; {agree}")
        best = measure(ours(cells), queries)[1]
        for planner in ("jps", "hpa:cluster=16", "hub-labels" if name == "rooms" else "pra"):
            taken, costs = measure(ours(cells, planner=planner), queries)
            print(f"  highroad {planner}: {taken:,.0f} µs, {(costs / np.maximum(best, 1e-9)).mean() - 1:.2%} longer than the best")


if __name__ == "__main__":
    main()

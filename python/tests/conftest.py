"""What all tests share: random maps, and plain graphs to compare with."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

# Deadlines measure other processes on the machine; examples are always the same.
settings.register_profile(
    "highroad", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("highroad")

RULES = ["four-way", "never-cut-corners", "at-most-one-obstacle", "always-diagonal"]
ROOT = 3363 / 2378  # the engine's √2

shapes = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9)


@st.composite
def masks(draw):
    """An array of bool with at least one open cell, about two of three open."""
    cells = draw(hnp.arrays(np.int8, shapes, elements=st.integers(0, 2))) > 0
    cells[draw(st.integers(0, cells.shape[0] - 1)), draw(st.integers(0, cells.shape[1] - 1))] = True
    return cells


@st.composite
def cost_arrays(draw):
    """An array of whole costs as floats, and some cells that are blocked."""
    costs = draw(hnp.arrays(np.float64, shapes, elements=st.sampled_from([1.0, 2.0, 3.0, 7.0, 100.0, np.inf])))
    costs[draw(st.integers(0, costs.shape[0] - 1)), draw(st.integers(0, costs.shape[1] - 1))] = 5.0
    return costs


def open_cells(cells):
    return [tuple(cell) for cell in np.argwhere(cells).tolist()]


def plain_graph(costs, rule="never-cut-corners", pays="both"):
    """The same map for networkx, by the definitions of the rules alone."""
    graph = nx.DiGraph()
    rows, columns = costs.shape

    def is_open(row, column):
        return 0 <= row < rows and 0 <= column < columns and bool(np.isfinite(costs[row, column]))

    needed = {"four-way": 3, "never-cut-corners": 2, "at-most-one-obstacle": 1, "always-diagonal": 0}[rule]
    for row, column in open_cells(np.isfinite(costs)):
        graph.add_node((row, column))
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if (down, right) == (0, 0) or not is_open(row + down, column + right):
                    continue
                sides = is_open(row + down, column) + is_open(row, column + right)
                if down and right and sides < needed:
                    continue
                length = ROOT if down and right else 1.0
                here, there = costs[row, column], costs[row + down, column + right]
                paid = (here + there) / 2 if pays == "both" else there
                graph.add_edge((row, column), (row + down, column + right), weight=length * paid)
    return graph


def walkable_cost(graph, cells):
    """What a path costs by the plain graph; fails if a step is none."""
    steps = [tuple(cell) for cell in cells.tolist()]
    return sum(graph.edges[step]["weight"] for step in zip(steps, steps[1:]))


@pytest.fixture
def rooms():
    """Rooms of 16 cells with doors."""
    cells = np.ones((64, 96), bool)
    cells[15::16] = False
    cells[:, 15::16] = False
    cells[15::16, 4::16] = True
    cells[7::16, 15::16] = True
    return cells


@pytest.fixture
def random_queries():
    def draw(grid, count, seed=0):
        cells = np.argwhere(grid.walkable())
        drawn = np.random.default_rng(seed).integers(len(cells), size=(2, count))
        return np.hstack([cells[drawn[0]], cells[drawn[1]]])

    return draw

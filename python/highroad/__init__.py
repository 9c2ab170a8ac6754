"""Hierarchical pathfinding on arrays, on maps that change.

Cells are (row, column) everywhere, as in arrays; positions in the plane are (x, y), x along columns.

>>> import numpy as np, highroad
>>> cells = np.ones((4, 6), bool)
>>> cells[1:, 2] = False
>>> path = highroad.Grid(cells).find_path((3, 0), (3, 5))
>>> path.cells[0].tolist(), path.cells[-1].tolist(), path.steps
([3, 0], [3, 5], 8)
"""

import numpy as _np

from ._cluster import distance_table, find_paths, sweep
from ._convert import graph_from_networkx, graph_from_scipy
from ._files import read_image, read_map, read_mesh, read_ros
from ._highroad import (
    Crowd,
    FlowField,
    Graph,
    GraphPath,
    Grid,
    HighroadError,
    Map,
    Mesh,
    MeshPath,
    NegativeCycleError,
    Path,
    Paths,
    Simulation,
    TeamPlan,
    Ticket,
    World,
    planners,
)
from ._plot import plot

__version__ = "0.1.0"

#: The (row, column) that each number of ``direction_field`` steps by: N, E, S, W, NE, SE, SW, NW.
DIRECTIONS = _np.array(
    [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)], dtype=_np.int8
)
DIRECTIONS.setflags(write=False)

#: What the numbers of ``Simulation.states`` mean.
AGENT_STATES = ("waiting", "walking", "arrived", "stopped")

#: What the numbers of ``Crowd.states`` mean.
CROWD_STATES = ("idle", "waiting", "walking", "arrived", "blocked", "buried")

__all__ = [
    "AGENT_STATES",
    "CROWD_STATES",
    "Crowd",
    "DIRECTIONS",
    "FlowField",
    "Graph",
    "GraphPath",
    "Grid",
    "HighroadError",
    "Map",
    "Mesh",
    "MeshPath",
    "NegativeCycleError",
    "Path",
    "Paths",
    "Simulation",
    "TeamPlan",
    "Ticket",
    "World",
    "distance_table",
    "find_paths",
    "graph_from_networkx",
    "graph_from_scipy",
    "planners",
    "plot",
    "read_image",
    "read_map",
    "read_mesh",
    "read_ros",
    "sweep",
]

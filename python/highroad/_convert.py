"""Graphs from other libraries. Neither is needed unless it is used."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._highroad import Graph, HighroadError


def graph_from_scipy(matrix: Any, *, planner: Any = None, unit: float | None = None) -> Graph:
    """A graph from a square ``scipy.sparse`` matrix: what is stored in row i and column j is the weight from i to j.

    As for ``scipy.sparse.csgraph``, an entry that is stored and 0 is an edge of weight 0.

    >>> import scipy.sparse, highroad
    >>> matrix = scipy.sparse.csr_array(([4, 4, 9], ([0, 1, 0], [1, 2, 2])), shape=(3, 3))
    >>> highroad.graph_from_scipy(matrix).find_path(0, 2).cost
    8.0
    """
    edges = matrix.tocoo()
    rows, columns = edges.shape
    if rows != columns:
        raise HighroadError(f"a matrix of {rows} × {columns}: that of a graph is square")
    return Graph(edges.row, edges.col, edges.data, nodes=rows, planner=planner, unit=unit)


def graph_from_networkx(
    graph: Any,
    weight: str = "weight",
    *,
    default: float = 1.0,
    planner: Any = None,
    unit: float | None = None,
) -> tuple[Graph, list[Any]]:
    """A graph from one of ``networkx``, and the list of its nodes: node i of the graph is the i-th of the list.

    The attribute ``weight`` of an edge is its weight, ``default`` where it has none. Edges of graphs that are not directed
    lead both ways.

    >>> import networkx, highroad
    >>> graph, nodes = highroad.graph_from_networkx(networkx.path_graph(["a", "b", "c"]))
    >>> [nodes[node] for node in graph.find_path(nodes.index("a"), nodes.index("c")).nodes]
    ['a', 'b', 'c']
    """
    nodes = list(graph.nodes)
    numbers = {node: number for number, node in enumerate(nodes)}
    edges = [
        (numbers[start], numbers[end], default if data is None else data)
        for start, end, data in graph.edges(data=weight)
    ]
    if not graph.is_directed():
        edges += [(end, start, data) for start, end, data in edges if start != end]
    columns: Any = list(zip(*edges)) if edges else [[], [], []]
    sources, targets = (np.asarray(column, dtype=np.int64) for column in columns[:2])
    made = Graph(sources, targets, columns[2], nodes=len(nodes), planner=planner, unit=unit)
    return made, nodes

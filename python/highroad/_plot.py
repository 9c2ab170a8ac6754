"""Pictures on axes of matplotlib, which is needed only here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ._highroad import HighroadError, Map, Mesh, MeshPath, Path


_Paths = Path | MeshPath


def plot(map: Map | Mesh, paths: _Paths | Iterable[_Paths] = (), *, field: Any = None, ax: Any = None) -> Any:
    """Draws a map or a mesh, paths on it and, if given, a field of ``distance_field`` below them. Returns the axes.

    Columns go along x and rows along y, downwards. A mesh is drawn in its own x and y. Without ``ax``, the current axes are
    drawn on.

    >>> import matplotlib; matplotlib.use("agg")
    >>> import highroad
    >>> grid = highroad.Grid("....\\n.##.\\n....\\n")
    >>> len(highroad.plot(grid, grid.find_path((0, 0), (2, 3))).lines)
    1
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise HighroadError("plot() needs matplotlib: pip install highroad[plot]") from error
    axes = plt.gca() if ax is None else ax
    if isinstance(map, Mesh):
        vertices = map.vertices
        for polygon in map.polygons:
            axes.fill(*vertices[polygon].T, facecolor="#f5ecd7", edgecolor="#b0a890", linewidth=0.5)
        axes.set_aspect("equal")
    else:
        _draw_cells(map, field, axes, plt)
    for path in [paths] if isinstance(paths, _Paths) else paths:
        along, down = path.points.T if isinstance(path, MeshPath) else path.turns.T[::-1]
        (line,) = axes.plot(along, down, linewidth=2)
        axes.scatter(along[[0, -1]], down[[0, -1]], color=line.get_color(), zorder=3)
    return axes


def _draw_cells(map: Map, field: Any, axes: Any, plt: Any) -> None:
    costs = map.costs()
    blocked = ~np.isfinite(costs)
    shown = np.where(blocked, np.nan, costs if field is None else np.asarray(field))
    shown[~np.isfinite(shown)] = np.nan
    colours = plt.get_cmap("YlOrBr" if field is None else "viridis")
    axes.set_facecolor("#404450")  # what is blocked has no colour of its own
    flat = field is None and not blocked.all() and np.nanmin(shown) == np.nanmax(shown)
    limits = {"vmin": np.nanmin(shown), "vmax": np.nanmin(shown) + 10} if flat else {}
    axes.imshow(shown, cmap=colours, interpolation="nearest", **limits)

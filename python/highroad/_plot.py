"""Pictures on axes of matplotlib, which is needed only here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ._highroad import HighroadError, Map, Path


def plot(map: Map, paths: Path | Iterable[Path] = (), *, field: Any = None, ax: Any = None) -> Any:
    """Draws a map, paths on it and, if given, a field of ``distance_field`` below them. Returns the axes.

    Columns go along x and rows along y, downwards. Without ``ax``, the current axes are drawn on.

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
    costs = map.costs()
    blocked = ~np.isfinite(costs)
    shown = np.where(blocked, np.nan, costs if field is None else np.asarray(field))
    shown[~np.isfinite(shown)] = np.nan
    colours = plt.get_cmap("YlOrBr" if field is None else "viridis")
    axes.set_facecolor("#404450")  # what is blocked has no colour of its own
    flat = field is None and not blocked.all() and np.nanmin(shown) == np.nanmax(shown)
    limits = {"vmin": np.nanmin(shown), "vmax": np.nanmin(shown) + 10} if flat else {}
    axes.imshow(shown, cmap=colours, interpolation="nearest", **limits)
    for path in [paths] if isinstance(paths, Path) else paths:
        rows, columns = path.turns.T
        (line,) = axes.plot(columns, rows, linewidth=2)
        axes.scatter(columns[[0, -1]], rows[[0, -1]], color=line.get_color(), zorder=3)
    return axes

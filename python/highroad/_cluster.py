"""Work that is too much for one call: in blocks, on this machine or on a cluster of Ray. The same call does both.

With ``cluster=True`` the map is put into Ray's object store once, and blocks of queries become tasks. Ray starts a task again
whose process or machine is lost. Without, the blocks run here, one after the other, each on all cores.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path as FilePath
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._highroad import Graph, Grid, HighroadError, Map, Mesh, Paths

#: What is reported of progress: how many blocks are done, of how many.
Progress = Callable[[int, int], None]


def find_paths(
    map: Map | Graph | Mesh,
    queries: npt.ArrayLike,
    *,
    cluster: bool = False,
    block: int = 4096,
    on_error: Literal["raise", "mask"] = "raise",
    retries: int = 3,
    progress: bool | Progress = False,
    parquet: str | os.PathLike[str] | None = None,
) -> Paths:
    """Many paths, as ``map.find_paths`` finds them, in blocks of queries. ``map`` may be a graph or a mesh as well.

    ``parquet`` writes them to a file, too, by ``pyarrow``: a row for each query, with its cost and its places.

    >>> import numpy as np, highroad
    >>> grid = highroad.Grid(np.ones((9, 9), bool))
    >>> highroad.find_paths(grid, [[0, 0, 8, 8], [0, 0, 0, 8]], block=1).costs.round(2).tolist()
    [11.31, 8.0]
    """
    rows = np.asarray(queries)
    _check_block(block)
    jobs = [(first, rows[first : first + block], on_error) for first in range(0, len(rows), block)] if rows.ndim == 2 else []
    found = list(_in_order(_paths_of_block, map, jobs, cluster, retries, progress))
    # Nothing was asked, or the error says what is wrong.
    paths = _joined(found) if found else map.find_paths(rows, on_error=on_error)
    if parquet is not None:
        places = [paths[number].tolist() for number in range(len(paths))]
        columns = {"cost": paths.costs, "failed": paths.failed, "places": places}
        _write_parquet([columns], parquet)
    return paths


def _joined(found: list[Paths]) -> Paths:
    lengths = np.cumsum([0] + [len(paths.places) for paths in found[:-1]])
    offsets = [paths.offsets[:-1] + base for paths, base in zip(found, lengths)]
    end = [lengths[-1] + len(found[-1].places)]
    return Paths(
        np.concatenate([paths.places for paths in found]),
        np.concatenate([*offsets, end]).astype(np.int64),
        np.concatenate([paths.costs for paths in found]),
        np.concatenate([paths.failed for paths in found]),
    )


def distance_table(
    map: Map | Graph | Mesh,
    starts: npt.ArrayLike,
    goals: npt.ArrayLike,
    *,
    cluster: bool = False,
    block: int = 128,
    retries: int = 3,
    progress: bool | Progress = False,
    out: npt.NDArray[np.float64] | None = None,
    parquet: str | os.PathLike[str] | None = None,
) -> npt.NDArray[np.float64]:
    """A table of distances, as ``map.distance_table`` makes it, in blocks of rows.

    ``out`` is an array to write to, such as a ``numpy.memmap`` for a table that is larger than memory. ``parquet`` writes the
    table to a file as well, by ``pyarrow``: a list of costs for each start.

    >>> import highroad
    >>> highroad.distance_table(highroad.Grid("....\\n"), [(0, 0), (0, 1)], [(0, 3)], block=1).tolist()
    [[3.0], [2.0]]
    """
    rows, columns = np.asarray(starts), np.asarray(goals)
    _check_block(block)
    shape = (len(rows), len(columns))
    table = np.empty(shape) if out is None else out
    if table.shape != shape or table.dtype != np.float64:
        raise HighroadError(f"out: an array of float64 of shape {shape} is needed, this one is {table.dtype} {table.shape}")
    jobs = [(first, rows[first : first + block], columns) for first in range(0, len(rows), block)]
    parts = _in_order(_rows_of_block, map, jobs, cluster, retries, progress)
    for (first, part, _), found in zip(jobs, parts):
        table[first : first + len(part)] = found
    if parquet is not None:
        _write_parquet([{"costs": list(table)}], parquet)
    return table


def sweep(
    maps: dict[str, Any] | Iterable[str | os.PathLike[str]],
    planners: Iterable[str],
    *,
    queries: int = 100,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    cluster: bool = False,
    retries: int = 3,
    progress: bool | Progress = False,
    parquet: str | os.PathLike[str] | None = None,
) -> list[dict[str, Any]]:
    """Measures planners on maps: time to build, time and quality of random queries, memory. A dict for each pair.

    ``maps`` are files that ``read_map`` reads, or arrays by name. With ``folder``, each result is kept there as it comes, and
    a sweep that was interrupted goes on where it was. ``parquet`` writes all results to a file as well, by ``pyarrow``.

    A planner that does not serve a map has a result with the reason as ``error``.

    >>> import numpy as np, highroad
    >>> results = highroad.sweep({"open": np.ones((9, 9), bool)}, ["astar", "hpa"], queries=5)
    >>> [(result["planner"], result["ratio_max"] >= 1) for result in results]
    [('astar', True), ('hpa', True)]
    """
    sources = dict(maps) if isinstance(maps, dict) else {os.fspath(path): path for path in maps}
    keep = None if folder is None else FilePath(folder)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    names = list(planners)
    jobs: list[tuple[Any, ...]] = []
    files: list[FilePath | None] = []
    for name, source in sources.items():
        text_or_array = _source(source)
        digest = hashlib.sha256(_bytes_of(text_or_array)).hexdigest()
        for planner in names:
            key = hashlib.sha256(f"{name}\0{digest}\0{planner}\0{queries}\0{seed}".encode()).hexdigest()
            jobs.append((name, text_or_array, planner, queries, seed))
            files.append(None if keep is None else keep / f"{key[:32]}.json")
    results: list[dict[str, Any] | None] = [_kept(file) for file in files]
    missing = [number for number, result in enumerate(results) if result is None]
    found = _in_order(_measure, None, [jobs[number] for number in missing], cluster, retries, progress)
    for number, result in zip(missing, found):
        results[number] = result
        _keep(files[number], result)
    complete = [result for result in results if result is not None]
    if parquet is not None:
        _write_parquet(complete, parquet)
    return complete


def _check_block(block: int) -> None:
    if block < 1:
        raise HighroadError(f"block {block}: at least one row is needed")


def _paths_of_block(map: Map | Graph | Mesh, first: int, queries: npt.NDArray[Any], on_error: Literal["raise", "mask"]) -> Paths:
    try:
        return map.find_paths(queries, on_error=on_error)
    except HighroadError as error:
        raise _counted_from(first, error) from error


def _rows_of_block(map: Map | Graph | Mesh, first: int, starts: Any, goals: Any) -> npt.NDArray[np.float64]:
    try:
        return map.distance_table(starts, goals)
    except HighroadError as error:
        raise _counted_from(first, error) from error


def _counted_from(first: int, error: HighroadError) -> HighroadError:
    """The error of a block with the number of the row among all: goals are the same in all blocks."""

    def counted(row: re.Match[str]) -> str:
        return f"{row[1]}{int(row[2]) + first}"

    return HighroadError(re.sub(r"^((?:starts, )?row )(\d+)", counted, str(error)))


def _measure(_map: None, name: str, source: Any, planner: str, queries: int, seed: int) -> dict[str, Any]:
    """One planner on one map. Queries are the same for all planners: random pairs in the largest part of the map."""
    exact = Grid(source)
    result: dict[str, Any] = {"map": name, "planner": planner, "rows": exact.shape[0], "columns": exact.shape[1]}
    parts = exact.components()
    if (parts < 0).all():
        return result | {"error": "no cell can be entered"}
    largest = np.bincount(parts[parts >= 0]).argmax()
    cells = np.argwhere(parts == largest)
    drawn = np.random.default_rng(seed).integers(len(cells), size=(2, queries))
    pairs = np.hstack([cells[drawn[0]], cells[drawn[1]]])
    begun = time.perf_counter()
    try:
        grid = Grid(source, planner=planner)
    except HighroadError as error:
        return result | {"error": str(error)}
    built = time.perf_counter() - begun
    times, costs = [], []
    for start_row, start_column, goal_row, goal_column in pairs.tolist():
        begun = time.perf_counter()
        path = grid.find_path((start_row, start_column), (goal_row, goal_column))
        times.append(time.perf_counter() - begun)
        costs.append(np.inf if path is None else path.cost)
    best = exact.distances(pairs)
    ratios = np.divide(costs, best, out=np.ones(len(best)), where=best > 0)
    return result | {
        "queries": queries,
        "seed": seed,
        "build_seconds": built,
        "median_us": float(np.median(times) * 1e6),
        "p95_us": float(np.quantile(times, 0.95) * 1e6),
        "ratio_mean": float(ratios.mean()),
        "ratio_max": float(ratios.max()),
        "memory_bytes": grid.memory_bytes,
    }


def _source(source: Any) -> Any:
    """What a map is made of: text, or an array. Files are read here, so that machines without them can work."""
    if isinstance(source, (str, os.PathLike)):
        from ._highroad import read_map_text

        return read_map_text(os.fspath(source))
    return np.asarray(source)


def _bytes_of(source: Any) -> bytes:
    if isinstance(source, str):
        return source.encode()
    return f"{source.dtype}{source.shape}".encode() + np.ascontiguousarray(source).tobytes()


def _kept(file: FilePath | None) -> dict[str, Any] | None:
    if file is None:
        return None
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return kept if isinstance(kept, dict) else None


def _keep(file: FilePath | None, result: dict[str, Any]) -> None:
    """A file appears whole or not at all."""
    if file is not None:
        partial = file.with_suffix(f".{os.getpid()}.part")
        partial.write_text(json.dumps(result), encoding="utf-8")
        partial.replace(file)


def _write_parquet(parts: list[dict[str, Any]], path: str | os.PathLike[str]) -> None:
    """Rows as dicts, or columns as one dict of lists and arrays."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise HighroadError("parquet= needs pyarrow: pip install highroad[parquet]") from error
    if len(parts) == 1 and all(isinstance(column, (list, np.ndarray)) for column in parts[0].values()):
        table = parts[0]
    else:
        columns = dict.fromkeys(column for part in parts for column in part)
        table = {column: [part.get(column) for part in parts] for column in columns}
    pyarrow.parquet.write_table(pyarrow.table(table), os.fspath(path))


def _reporter(progress: bool | Progress) -> Progress:
    if callable(progress):
        return progress
    if not progress:
        return lambda done, of: None

    def report(done: int, of: int) -> None:
        end = "\n" if done == of else "\r"
        print(f"{done} of {of} blocks", end=end, file=sys.stderr, flush=True)

    return report


def _in_order(
    work: Callable[..., Any],
    map: Any,
    jobs: list[tuple[Any, ...]],
    cluster: bool,
    retries: int,
    progress: bool | Progress,
) -> Iterator[Any]:
    """What the work makes of each job, in the order of the jobs."""
    report = _reporter(progress)
    if cluster:
        yield from _on_ray(work, map, jobs, retries, report)
        return
    for number, job in enumerate(jobs):
        done = work(map, *job)
        # Whoever takes the last may not come back.
        report(number + 1, len(jobs))
        yield done


#: Tasks that are under way at a time, for each processor of the cluster.
_TASKS_A_PROCESSOR = 2


def _on_ray(
    work: Callable[..., Any], map: Any, jobs: list[tuple[Any, ...]], retries: int, report: Progress
) -> Iterator[Any]:
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError as error:
        raise HighroadError("cluster=True needs Ray: pip install highroad[ray]") from error
    if not ray.is_initialized():
        ray.init()
    # In a list, so that Ray hands over where the map is, and each process reads it once.
    stored = [ray.put(map)]
    task = ray.remote(_run_task).options(max_retries=retries, num_cpus=1)
    width = max(1, int(ray.cluster_resources().get("CPU", 1))) * _TASKS_A_PROCESSOR
    waiting: dict[int, Any] = {}
    begun = 0
    for number in range(len(jobs)):
        while begun < len(jobs) and begun < number + width:
            waiting[begun] = task.remote(work, stored, jobs[begun])
            begun += 1
        try:
            found = ray.get(waiting.pop(number))
        except ray.exceptions.RayTaskError as error:
            raise error.cause if isinstance(error.cause, HighroadError) else error
        report(number + 1, len(jobs))
        yield found


#: The map that this process has read last, and where from.
_read: tuple[Any, Any] | None = None


def _run_task(work: Callable[..., Any], stored: list[Any], job: tuple[Any, ...]) -> Any:
    """Runs in a process of Ray, which runs one task at a time and several processes a machine: so with one thread."""
    global _read
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    if _read is None or _read[0] != stored[0]:
        _read = (stored[0], importlib.import_module("ray").get(stored[0]))
    return work(_read[1], *job)

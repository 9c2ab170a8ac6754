"""What Python adds: the time of one call, and of batches beside the same queries in Rust."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from compare import rooms

import highroad


def least(work, rounds: int) -> float:
    """Seconds of the quickest round."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def one_call() -> None:
    grid = highroad.Grid("..\n")
    calls = 100_000

    def ask():
        for _ in range(calls):
            grid.find_path((0, 0), (0, 1))

    print(f"one call, with the search of one step: {least(ask, 5) / calls * 1e6:.2f} µs")


def batches() -> None:
    cells = rooms(512)
    places = np.argwhere(cells)
    drawn = np.random.default_rng(3).integers(len(places), size=(2, 20_000))
    queries = np.hstack([places[drawn[0]], places[drawn[1]]])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "map.txt").write_text(highroad.Grid(cells).to_text())
        np.savetxt(Path(folder) / "queries.txt", queries, fmt="%d")
        for planner in ("hub-labels", "hpa:cluster=16", "jps", "astar"):
            grid = highroad.Grid(cells, planner=planner)
            some = queries if planner in ("hub-labels", "hpa:cluster=16") else queries[:2000]
            ours = least(lambda: grid.find_paths(some), 7)
            command = ["cargo", "run", "--quiet", "--release", "--example", "engine", folder, planner, str(len(some))]
            done = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=True)
            engine = float(done.stdout)
            cells_found = len(grid.find_paths(some).cells)
            print(
                f"{planner}: {len(some)} paths of {cells_found / len(some):.0f} cells in {ours * 1e3:.1f} ms, "
                f"the engine alone {engine * 1e3:.1f} ms: {engine / ours:.0%}"
            )


if __name__ == "__main__":
    one_call()
    batches()

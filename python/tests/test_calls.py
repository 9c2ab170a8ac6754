"""What calls do beside their results: they can be interrupted, leave memory as it was, and survive a fork."""

import doctest
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import highroad
import highroad._highroad


def test_examples_in_docstrings():
    """Those of the classes and functions of both parts."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    tested: set[str] = set()  # a name may be found in two modules
    modules = [highroad, highroad._highroad, highroad._cluster, highroad._convert, highroad._plot]
    for module in modules:
        for name, thing in [("module", module), *vars(module).items()]:
            is_own = getattr(thing, "__module__", "").startswith("highroad") or thing is module
            if not is_own or name.startswith("_") or isinstance(thing, type(os)) and thing is not module:
                continue
            members = [thing, *vars(thing).values()] if isinstance(thing, type) else [thing]
            for member in members:
                text = getattr(member, "__doc__", None) or ""
                if text in tested:
                    continue
                parsed = doctest.DocTestParser().get_doctest(text, {}, f"{module.__name__}.{name}", None, 0)
                if parsed.examples:
                    tested.add(text)
                    assert runner.run(parsed).failed == 0, f"{name}: see above"
    assert len(tested) >= 28


SLOW = {
    "find_path": "while True: grid.find_path(start, goal)",
    "find_paths": "grid.find_paths(np.repeat([[*start, *goal]], 10**5, axis=0))",
    "distance_table": "grid.distance_table(cells[:20_000], cells[:10_000])",
    "distances": "grid.distances(np.hstack([cells[:100_000], cells[-100_000:]]))",
    "labels": "highroad.Grid(noise, planner='hub-labels')",
    "tick": "[world.request(start, goal) for _ in range(10**5)]; world.tick()",
    "simulation": "simulation.tick(10**9)",
    "crowd": "crowd.tick(10**9)",
    "team": "teams.plan_team(np.hstack([crossing[:3000], crossing[-3000:]]))",
    "improving": "teams.plan_team(np.hstack([crossing[:50], crossing[-50:]]), improve=10**15)",
    "mesh": "grid.mesh(planner='corner-labels')",
    "mesh table": "mesh.distance_table(points[:2000], points[:2000])",
}


@pytest.mark.parametrize("what", SLOW)
def test_keyboard_interrupt_stops_long_calls(what):
    program = textwrap.dedent(
        """
        import signal, sys, time
        import numpy as np, highroad
        signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs this in the background ignores it
        noise = np.random.default_rng(0).random((700, 700)) > 0.25
        grid = highroad.Grid(noise, rule="always-diagonal", planner="dijkstra")
        world = highroad.World(noise, rule="always-diagonal", planner="dijkstra")
        simulation = highroad.Simulation(world)
        cells = np.argwhere(grid.components() == np.bincount(grid.components()[noise]).argmax())
        start, goal = map(tuple, cells[[0, -1]].tolist())
        simulation.add([start], [goal])
        crowd = highroad.Crowd(world)
        crowd.send(crowd.add([(start[1] + 0.5, start[0] + 0.5)]), [goal])
        mesh = highroad.Grid(noise[:100, :100]).mesh()
        points = np.argwhere(noise[:100, :100])[:, ::-1] + 0.5
        teams = highroad.Grid(noise, rule="four-way")
        crossing = np.argwhere(teams.components() == np.bincount(teams.components()[noise]).argmax())
        crossing = np.random.default_rng(1).permutation(crossing)
        print("ready", flush=True)
        try:
            WORK
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    ).replace("WORK", SLOW[what])
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.7)
    assert child.poll() is None, "it ended too early"
    child.send_signal(signal.SIGINT)
    sent = time.monotonic()
    out, _ = child.communicate(timeout=60)
    assert out == "interrupted\n"
    assert time.monotonic() - sent < 20


def test_signals_are_handled_within_one_call():
    """Also by calls that run on the calling thread. After such a call at most one signal waits."""
    grid = highroad.Grid(np.ones((1500, 1500), bool), planner="dijkstra")
    handled = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: handled.append(time.monotonic()))
    try:
        for ask in (lambda: grid.find_path((0, 0), (1499, 1499)), lambda: grid.distance_field((0, 0))):
            handled.clear()
            signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
            ask()
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert len(handled) >= 3
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_other_threads_run_meanwhile():
    """A batch leaves the interpreter to others."""
    noise = np.random.default_rng(0).random((300, 300)) > 0.25
    grid = highroad.Grid(noise, rule="always-diagonal", planner="dijkstra")
    cells = np.argwhere(noise)
    counted, done = 0, threading.Event()

    def ask():
        grid.find_paths(np.hstack([cells[:200], cells[-200:]]), on_error="mask")
        done.set()

    thread = threading.Thread(target=ask)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 5


def memory_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux")
def test_a_million_calls_leave_memory_as_it_was():
    grid = highroad.Grid("....\n.##.\n....\n")
    graph = highroad.Graph([0, 1], [1, 2], [1, 1])
    world = highroad.World(np.ones((4, 4), bool), planner="hpa")

    def calls(count):
        for number in range(count):
            path = grid.find_path((0, 0), (2, 3))
            assert len(path.cells) == 6
            if number % 50 == 0:
                grid.find_path((0, 0), (0, 0))
                graph.find_path(0, 2)
                world[1, 1] = number % 100 == 0
                with pytest.raises(highroad.HighroadError):
                    grid.find_path((1, 1), (0, 0))

    calls(100_000)
    before = memory_bytes()
    calls(1_000_000)
    assert memory_bytes() - before < 16 << 20


def paths_in_child(grid, queries, pipe):
    pipe.send(grid.find_paths(queries).costs)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_a_child_of_fork_has_threads_of_its_own(rooms, random_queries):
    grid = highroad.Grid(rooms, planner="hpa")
    queries = random_queries(grid, 500)
    expected = grid.find_paths(queries).costs
    receiver, sender = multiprocessing.Pipe(duplex=False)
    context = multiprocessing.get_context("fork")
    child = context.Process(target=paths_in_child, args=(grid, queries, sender))
    child.start()
    assert receiver.poll(60), "the child waits for threads that it does not have"
    np.testing.assert_array_equal(receiver.recv(), expected)
    child.join(60)
    assert child.exitcode == 0

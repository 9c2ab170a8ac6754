"""Worlds that change: edits, requests, snapshots, simulations."""

import copy
import pickle
import threading

import numpy as np
import pytest
from conftest import cost_arrays
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import highroad


@st.composite
def keys(draw, shape):
    """Whatever numpy takes to select cells."""
    choice = draw(st.integers(0, 3))
    if choice == 0:
        return draw(hnp.arrays(bool, shape))
    if choice == 1:
        return tuple(draw(st.slices(side)) for side in shape)
    if choice == 2:
        return tuple(draw(st.integers(-side, side - 1)) for side in shape)
    count = draw(st.integers(1, 4))
    return tuple(np.array([draw(st.integers(-side, side - 1)) for _ in range(count)]) for side in shape)


@given(costs=cost_arrays(), data=st.data())
def test_edits_are_those_of_numpy(costs, data):
    """A storm of edits, undo and redo; the patched planner answers as one that is built at the end."""
    world = highroad.World(costs, planner="hpa:cluster=4")
    model, past, future = costs.copy(), [], []
    for _ in range(data.draw(st.integers(1, 6))):
        action = data.draw(st.sampled_from(["edit", "edit", "edit", "undo", "redo"]))
        if action == "edit":
            key = data.draw(keys(costs.shape))
            value = data.draw(st.sampled_from([1.0, 3.0, 40_000.0, np.inf, "array"]))
            after = model.copy()
            if isinstance(value, str):
                value = data.draw(hnp.arrays(np.float64, after[key].shape, elements=st.sampled_from([1.0, 9.0, np.inf])))
            after[key] = value
            world[key] = value
            if not np.array_equal(after, model):
                past.append(model)
                future.clear()
            model = after
        elif action == "undo" and world.undo() is not None:
            future.append(model)
            model = past.pop()
        elif action == "redo" and world.redo() is not None:
            past.append(model)
            model = future.pop()
        np.testing.assert_array_equal(world.costs(), model)
    cells = np.argwhere(np.isfinite(model))
    if len(cells) == 0:
        return
    fresh = highroad.Grid(model, planner="hpa:cluster=4")
    table = fresh.distance_table(cells, cells)
    np.testing.assert_array_equal(world.distance_table(cells, cells), table)
    pairs = np.hstack([np.repeat(cells, len(cells), axis=0), np.tile(cells, (len(cells), 1))])
    found = world.find_paths(pairs).costs
    assert (np.isfinite(found) == np.isfinite(table.ravel())).all()
    assert (found >= table.ravel() * (1 - 1e-12)).all()


def test_several_changes_are_one_edit():
    world = highroad.World(np.ones((4, 4), bool))
    before = world.revision
    assert world.edit([((0, 0), False), ((slice(1, 3), 2), 5)]) == before + 1
    assert np.isinf(world.costs()[0, 0]) and world.costs()[1:3, 2].tolist() == [5, 5]
    assert world.changed_since(before).tolist() == [[0, 0], [1, 2], [2, 2]]
    with pytest.raises(highroad.HighroadError, match="row 9 lies outside the map, which has 4; nothing was changed"):
        world.edit([((1, 1), False), ((9, 0), False)])
    assert world.revision == before + 1 and world.walkable()[1, 1]


@pytest.mark.parametrize(
    ("key", "value", "error", "says"),
    [
        (np.ones((3, 3), bool), False, highroad.HighroadError, r"a mask of shape \[3, 3\] on a map of 4 rows"),
        ((0, 0), 0, highroad.HighroadError, "a cost of 0"),
        ((0, 0), np.nan, highroad.HighroadError, "NaN"),
        ((0, 0), -1.0, highroad.HighroadError, "above 0"),
        ((0, 0), 1e9, highroad.HighroadError, "more than 65535 units"),
        ((0, 0), "S", TypeError, "letters"),
        ((0, 0), None, TypeError, None),
        ((0, 0, 0), False, highroad.HighroadError, "too many indices"),
        (slice(0, 2), np.ones(3), highroad.HighroadError, "broadcast"),
        (slice(0, 2), np.array([1.0, 2.0, 0.0, 1.0]), highroad.HighroadError, "row 0, column 2: a cost of 0"),
    ],
)
def test_edits_that_make_no_sense_change_nothing(key, value, error, says):
    world = highroad.World(np.ones((4, 4), bool))
    with pytest.raises(error, match=says):
        world[key] = value
    assert world.walkable().all() and world.undo() is None


def test_maps_of_letters_take_letters():
    world = highroad.World("....\n....\n", terrain_costs={"S": 4})
    world[:, 1] = "S"
    world[0, 2] = False
    assert world.to_text() == ".S@.\n.S..\n"
    assert world.costs()[:, 1].tolist() == [4, 4]
    with pytest.raises(highroad.HighroadError, match="no costs of cells"):
        world[0, 0] = 7


def test_snapshots_stay_as_they_were():
    world = highroad.World(np.ones((3, 8), bool), planner="hpa")
    before = world.snapshot()
    path = before.find_path((1, 0), (1, 7))
    world[0:2, 4] = False
    assert before.walkable().all() and not world.walkable().all()
    assert before.find_path((1, 0), (1, 7)) == path
    assert not world.still_valid(path)
    world.undo()
    assert world.still_valid(path)


def test_planners_follow_in_the_background():
    world = highroad.World(np.ones((30, 30), bool), planner="hub-labels")
    assert world.is_ready
    world[5:25, 15] = False
    exact = world.find_path((15, 0), (15, 29)).cost
    world.finish_rebuilds()
    assert world.is_ready and world.planners() == [("hub-labels", "optimal")]
    assert world.find_path((15, 0), (15, 29)).cost == exact


def test_requests_keep_their_budget():
    world = highroad.World(np.ones((64, 64), bool))
    ticket = world.request((0, 0), (63, 63))
    hopeless = world.request((0, 0), (99, 0), priority=3)
    assert world.waiting == 2 and world.poll(ticket) == ("pending", None)
    answered, waiting = world.tick(expansions=1)
    assert answered + waiting == 2
    assert world.tick()[1] == 0
    state, path = world.poll(ticket)
    assert state == "ready" and path.steps == 63
    assert world.poll(hopeless) == ("failed", "the goal at row 99, column 0 lies outside the map of 64 rows and 64 columns")
    assert world.poll(ticket)[0] == "failed", "a reply is handed over once"
    assert world.cancel(world.request((0, 0), (1, 1)))
    with pytest.raises(highroad.HighroadError, match="not both"):
        world.tick(expansions=1, micros=1)


def test_requests_of_a_kind_are_priced_for_that_kind():
    world = highroad.World("WWWW\nW..W\n", kinds={"boat": {"terrain_costs": {"W": 1, ".": None}, "step_costs": (5, 7)}})
    ticket = world.request((1, 0), (1, 3), kind="boat")
    world.tick()
    state, path = world.poll(ticket)
    assert state == "ready"
    assert path.cost == world.find_path((1, 0), (1, 3), kind="boat").cost
    assert world.still_valid(path, kind="boat")
    world[0, 1] = "."
    assert not world.still_valid(path, kind="boat")
    with pytest.raises(highroad.HighroadError, match="no kind 'plane'"):
        world.still_valid(path, kind="plane")


def test_threads_read_while_one_writes(rooms, random_queries):
    world = highroad.World(rooms, planner="hpa:cluster=16")
    queries = random_queries(world, 40)
    ends = np.zeros(rooms.shape, bool)
    ends[queries[:, 0], queries[:, 1]] = ends[queries[:, 2], queries[:, 3]] = True
    stop, failures = threading.Event(), []

    def read():
        try:
            while not stop.is_set():
                view = world.snapshot()
                walkable, paths = view.walkable(), view.find_paths(queries)
                if not walkable[paths.cells[:, 0], paths.cells[:, 1]].all():
                    failures.append("a path leads through a wall")
        except Exception as error:  # noqa: BLE001 - whatever it is, the test must know
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    random = np.random.default_rng(0)
    for _ in range(40):
        mask = (random.random(rooms.shape) < 0.05) & ~ends
        world[mask] = bool(random.integers(2))
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures


def test_everything_pickles(rooms, random_queries):
    world = highroad.World(rooms, planner="hpa:cluster=16", origin=(1.0, 2.0), cell_size=0.5, y_up=True)
    world[0, 0:3] = 2
    queries = random_queries(world, 50)
    for made in (world, world.snapshot(), copy.copy(world), copy.deepcopy(world)):
        loaded = pickle.loads(pickle.dumps(made))
        assert type(loaded) is type(made)
        assert (loaded.origin, loaded.cell_size, loaded.y_up) == ((1.0, 2.0), 0.5, True)
        paths, expected = loaded.find_paths(queries), world.find_paths(queries)
        np.testing.assert_array_equal(paths.cells, expected.cells)
        again = pickle.loads(pickle.dumps(paths))
        np.testing.assert_array_equal(again.costs, expected.costs)
    loaded = pickle.loads(pickle.dumps(world))
    assert loaded.undo() is not None and loaded.walkable()[0, 0] == rooms[0, 0]
    path = world.find_path((0, 0), (20, 20))
    loaded = pickle.loads(pickle.dumps(path))
    assert loaded == path and (loaded.points == path.points).all()
    copied = copy.copy(world)
    copied[1, 1] = False
    assert world.walkable()[1, 1]


def test_damaged_pickles_are_errors():
    restore, (saved,) = highroad.World(np.ones((3, 3), bool)).__reduce__()
    for damaged in (b"", saved[0][:-1], b"x" + saved[0][1:]):
        with pytest.raises(highroad.HighroadError):
            restore((damaged, *saved[1:]))


def test_simulations_walk_round_walls():
    world = highroad.World(np.ones((5, 20), bool), planner="hpa")
    simulation = highroad.Simulation(world, expansions=10_000)
    agents = simulation.add([(2, 0), (0, 0), (4, 0)], [(2, 19), (0, 19), (4, 4)])
    assert agents.tolist() == [0, 1, 2] and len(simulation) == 3
    simulation.tick(3)
    simulation[0:4, 10] = False
    assert world.walkable().all(), "the simulation has a copy"
    copied = pickle.loads(pickle.dumps(simulation))
    for running in (simulation, copied):
        ticks = running.run()
        assert running.is_at_rest and running.ticks == 3 + ticks
        assert running.positions.tolist() == [[2, 19], [0, 19], [4, 4]] == running.goals.tolist()
        assert [highroad.AGENT_STATES[state] for state in running.states] == ["arrived"] * 3
    events = simulation.take_events()
    assert any("edit of 4 cells" in event for event in events) and simulation.take_events() == []
    simulation[4, 10] = False
    simulation.send([0], [(2, 0)])
    simulation.run()
    assert highroad.AGENT_STATES[simulation.states[0]] == "stopped"
    simulation.undo()
    simulation.run()
    assert simulation.position_of(0) == (2, 0) and len(simulation.ahead(0)) >= 0
    with pytest.raises(highroad.HighroadError, match="no agent 7 among 3"):
        simulation.send([7], [(0, 0)])
    with pytest.raises(highroad.HighroadError, match="2 starts and 1 goals"):
        simulation.add([(0, 0), (0, 1)], [(0, 0)])

"""Crowds in continuous space."""

import threading

import numpy as np
import pytest

import highroad


def test_a_crowd_walks_through_doors_and_round_new_walls(rooms):
    world = highroad.World(rooms[:32, :48])
    crowd = highroad.Crowd(world)
    cells = np.argwhere(world.walkable()[:15, :15])[::3]
    agents = crowd.add(cells[:, ::-1] + 0.5, radius=0.3, speed=4.0)
    assert agents.tolist() == list(range(len(cells))) == crowd.agents.tolist() and len(crowd) == len(cells)
    goals = [(20, 40), (25, 40), (20, 44)]
    crowd.send(agents, goals)
    for number in range(60):
        report = crowd.tick(20)
        assert report["overlap"] < 0.1 * 0.3
        at = np.floor(crowd.positions).astype(int)
        assert world.walkable()[at[:, 1], at[:, 0]].all(), "nobody is in a wall"
        if number == 10:
            world[8, 20:28] = False
    states = [highroad.CROWD_STATES[state] for state in crowd.states]
    assert states.count("arrived") == report["arrived"] > 10
    assert np.abs(crowd.velocities).max() <= 4.0 + 1e-9
    crowd.remove(agents[:2])
    assert len(crowd) == len(cells) - 2 and crowd.agents[0] == 2
    with pytest.raises(highroad.HighroadError, match="there is no agent 0"):
        crowd.stop([0])


def test_crowds_count_in_the_plane():
    grid = highroad.Grid(np.ones((4, 10), bool), origin=(100.0, 50.0), cell_size=2.0, y_up=True)
    crowd = highroad.Crowd(grid)
    agent = crowd.add([grid.position_of((3, 0))], radius=0.8, speed=6.0)
    crowd.send(agent, [(0, 9)])
    crowd.tick(30)
    assert (crowd.velocities > 0).all(), "to the right, and upwards"
    crowd.tick(600)
    np.testing.assert_allclose(crowd.positions[0], grid.position_of((0, 9)), atol=1.0)
    crowd.stop(agent)
    assert highroad.CROWD_STATES[crowd.states[0]] == "idle"


def test_ticks_are_the_same_again_and_leave_others_running(rooms):
    def run():
        crowd = highroad.Crowd(highroad.Grid(rooms))
        crowd.send(crowd.add(np.argwhere(rooms)[:200:2, ::-1] + 0.5), [(50, 80)])
        thread = threading.Thread(target=lambda: crowd.tick(100))
        thread.start()
        thread.join()
        return crowd.positions

    np.testing.assert_array_equal(run(), run())


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda crowd: crowd.add([(0.1, 0.5)]), "row 0: .*no room"),
        (lambda crowd: crowd.add([(0.5, 0.5), (np.nan, 0.5)]), "row 1: .*nobody was added"),
        (lambda crowd: crowd.add([(0.5, 0.5)], radius=0.7), "a radius of 0.7"),
        (lambda crowd: crowd.add([(0.5, 0.5)], speed=-1), "a speed of -1"),
        (lambda crowd: crowd.add([(0.5, 0.5, 0.5)]), "shape"),
        (lambda crowd: crowd.send([0], [(9, 9)]), "outside the map"),
        (lambda crowd: crowd.send([7], [(0, 0)]), "no agent 7"),
        (lambda crowd: highroad.Crowd(highroad.Grid("..\n"), tick_seconds=0), "above 0"),
        (lambda crowd: highroad.Crowd(highroad.Grid("..\n"), kind="boat"), "no kind 'boat'"),
    ],
)
def test_what_makes_no_sense_in_a_crowd(make, says):
    crowd = highroad.Crowd(highroad.Grid("...\n...\n"))
    with pytest.raises(highroad.HighroadError, match=says):
        make(crowd)
    assert len(crowd) == 0

"""Plans for teams, against a plain search over the places of all agents."""

import pickle
from collections import deque
from itertools import product

import numpy as np
import pytest
from conftest import masks, open_cells
from hypothesis import assume, given
from hypothesis import strategies as st

import highroad

METHODS = ["lacam", "pibt", "cooperative", "windowed"]


def plain_check(cells, ends, positions):
    """The rules of a plan, on arrays."""
    assert positions.dtype == np.int32 and positions.shape[1:] == (len(ends), 2)
    np.testing.assert_array_equal(positions[0], ends[:, :2])
    np.testing.assert_array_equal(positions[-1], ends[:, 2:])
    assert cells[positions[..., 0], positions[..., 1]].all(), "everybody is where one can stand"
    assert (np.abs(np.diff(positions, axis=0)).sum(axis=2) <= 1).all(), "steps go four ways"
    numbers = positions[..., 0].astype(np.int64) * cells.shape[1] + positions[..., 1]
    for before, now in zip(numbers[:1].tolist() + numbers.tolist(), numbers.tolist()):
        assert len(set(now)) == len(now), "nobody shares a cell"
        moves = {(a, b) for a, b in zip(before, now) if a != b}
        assert not any((b, a) in moves for a, b in moves), "nobody changes places"


def can_be_solved(cells, ends):
    """Whether two agents can change to their goals: a search over pairs of cells."""
    def steps(cell):
        row, column = cell
        near = [(row, column), (row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
        return [at for at in near if all(0 <= a < s for a, s in zip(at, cells.shape)) and cells[at]]

    start = tuple(map(tuple, ends[:, :2].tolist()))
    goal = tuple(map(tuple, ends[:, 2:].tolist()))
    seen, queue = {start}, deque([start])
    while queue:
        now = queue.popleft()
        if now == goal:
            return True
        for then in product(*map(steps, now)):
            if then[0] != then[1] and then != now[::-1] and then not in seen:
                seen.add(then)
                queue.append(then)
    return False


@given(masks(), st.data())
def test_lacam_finds_a_plan_where_a_plain_search_does(cells, data):
    places = open_cells(cells)
    assume(len(places) >= 2 and len(places) <= 30)
    draw = st.permutations(places)
    starts, goals = data.draw(draw)[:2], data.draw(draw)[:2]
    ends = np.hstack([starts, goals])
    grid = highroad.Grid(cells, rule="four-way")
    assume(all(grid.is_reachable(start, goal) for start, goal in zip(starts, goals)))
    plan = grid.plan_team(ends)
    assert (plan is not None) == can_be_solved(cells, ends)
    if plan is not None:
        plain_check(cells, ends, plan.positions)
        assert plan.conflict(grid, ends) is None


@pytest.fixture
def crossing(rooms):
    grid = highroad.Grid(rooms, rule="four-way")
    cells = np.random.default_rng(5).permutation(np.argwhere(rooms))
    return grid, np.hstack([cells[:60], cells[60:120]])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_keeps_the_rules(rooms, crossing, method):
    grid, ends = crossing
    plan = grid.plan_team(ends, method=method, window=12, seed=3)
    if plan is None:
        assert method in ("pibt", "cooperative", "windowed"), "these may find none"
        return
    positions = plan.positions
    plain_check(rooms, ends, positions)
    assert plan.conflict(grid, ends) is None and len(plan) == len(ends)
    assert plan == grid.plan_team(ends, method=method, window=12, seed=3), "the same seed gives the same plan"
    paths = plan.paths
    assert paths.costs.sum() == plan.cost and paths.costs.max() == plan.duration == len(positions) - 1
    np.testing.assert_array_equal(paths[7], plan[7])
    np.testing.assert_array_equal(plan[-1], positions[: len(plan[-1]), -1])
    least = grid.distances(ends).sum()
    assert plan.cost >= least - 1e-6


def test_work_makes_plans_cheaper(crossing):
    grid, ends = crossing
    first, better = grid.plan_team(ends), grid.plan_team(ends, improve=2_000_000)
    assert grid.distances(ends).sum() - 1e-6 <= better.cost < first.cost
    assert better.conflict(grid, ends) is None


def test_plans_are_pickled_and_made_of_arrays(crossing):
    grid, ends = crossing
    plan = grid.plan_team(ends)
    assert pickle.loads(pickle.dumps(plan)) == plan == highroad.TeamPlan(plan.positions)
    assert len(grid.plan_team(np.empty((0, 4), int))) == 0
    with pytest.raises(IndexError, match="no agent 60"):
        plan[60]


def test_there_is_no_plan_where_agents_cannot_pass():
    assert highroad.Grid("....\n", rule="four-way").plan_team([[0, 0, 0, 3], [0, 3, 0, 0]]) is None


def test_conflicts_are_named_in_rows_and_columns():
    grid = highroad.Grid("...\n.#.\n", rule="four-way")
    for positions, ends, says in [
        ([[[0, 0]], [[0, 2]]], [[0, 0, 0, 2]], "agent 0 cannot go to the cell at row 0, column 2 at time 1"),
        ([[[0, 0]], [[0, 1]]], [[0, 0, 0, 2]], "agent 0 is at row 0, column 1 at time 1, not at"),
        ([[[0, 1]], [[1, 1]]], [[0, 1, 1, 1]], "cannot go to the cell at row 1, column 1"),
        ([[[0, 0], [0, 2]], [[0, 1], [0, 1]]], [[0, 0, 0, 1], [0, 2, 0, 1]], "agents 0 and 1 are both at row 0, column 1"),
        ([[[0, 0]]], [[0, 0, 0, 0], [0, 1, 0, 1]], "for 1 agents, and there are 2"),
    ]:
        assert says in highroad.TeamPlan(positions).conflict(grid, ends)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda grid: grid.plan_team([[0, 0, 1, 1]]), "row 0: nobody can stand on the cell at row 1, column 1"),
        (lambda grid: grid.plan_team([[0, 0, 0, 9]]), "row 0: nobody can stand on the cell at row 0, column 9"),
        (lambda grid: grid.plan_team([[0, 0, 0, 1], [0, 0, 0, 2]]), "rows 0 and 1 start in the same cell"),
        (lambda grid: grid.plan_team([[0, 0, 0, 2], [0, 1, 0, 2]]), "rows 0 and 1 have the same goal"),
        (lambda grid: grid.plan_team([[0, 0, 0, 4]]), "row 0: no way leads"),
        (lambda grid: grid.plan_team([[0, 0, 0]]), "shape"),
        (lambda grid: grid.plan_team([[0, 0, 0, 1]], method="magic"), "method cannot be 'magic'.*'lacam', 'pibt'"),
        (lambda grid: grid.plan_team([[0, 0, 0, 1]], window=1), "window 1"),
        (lambda grid: grid.plan_team([[0, 0, 0, 1]], kind="boat"), "no kind 'boat'"),
        (lambda grid: highroad.Grid("...\n").plan_team([[0, 0, 0, 1]]), "rule four-way"),
        (lambda grid: highroad.TeamPlan(np.zeros((3, 2))), r"shape \(T, N, 2\)"),
        (lambda grid: highroad.TeamPlan(np.zeros((3, 2, 2))), "whole numbers"),
        (lambda grid: highroad.TeamPlan(np.zeros((0, 2, 2), int)), "at least one time"),
    ],
)
def test_what_makes_no_sense_for_a_team(make, says):
    grid = highroad.Grid("...#.\n.#.#.\n", rule="four-way")
    with pytest.raises(highroad.HighroadError, match=says):
        make(grid)

use super::random::Random;
use super::*;
use crate::grid::{Cell, Grid, Movement, MovementRule, Profile, StepCosts};
use std::collections::{HashSet, VecDeque};

/// A grid of that drawing with four-way steps.
pub(super) fn four_way(text: &str) -> Grid {
    let steps = StepCosts::UNIT;
    let movement = Movement::new(Profile::movingai(), MovementRule::FourWay, steps).unwrap();
    Grid::new(text.parse().unwrap(), movement)
}

/// A drawing with walls in about `walls` of a hundred cells.
fn drawing(random: &mut Random, width: usize, height: usize, walls: usize) -> String {
    let mut text = String::new();
    for _ in 0..height {
        text.extend((0..width).map(|_| if random.below(100) < walls { '#' } else { '.' }));
        text.push('\n');
    }
    text
}

/// Ends of up to so many agents, all of which can reach their goals.
fn ends(random: &mut Random, grid: &Grid, agents: usize) -> Vec<(Cell, Cell)> {
    let parts = crate::grid::Components::of(grid);
    let part = |cell: Cell| grid.extent().id(cell).map(|id| parts.numbers()[id.0 as usize]);
    let mut starts: Vec<Cell> =
        grid.extent().cells().filter(|&cell| grid.is_enterable(cell)).collect();
    let mut goals = starts.clone();
    for cells in [&mut starts, &mut goals] {
        for last in (1..cells.len()).rev() {
            cells.swap(last, random.below(last + 1));
        }
    }
    let mut ends = Vec::new();
    for start in starts {
        let goal = goals.iter().position(|&goal| part(start) == part(goal));
        if let Some(at) = goal.filter(|_| ends.len() < agents) {
            ends.push((start, goals.swap_remove(at)));
        }
    }
    ends
}

/// Whether two agents can change their places at all, by a plain search over pairs of cells.
fn can_two(grid: &Grid, ends: &[(Cell, Cell)]) -> bool {
    let beside =
        |cell: Cell| grid.steps_from(cell).map(|(to, _)| to).chain([cell]).collect::<Vec<_>>();
    let (first, last) = ((ends[0].0, ends[1].0), (ends[0].1, ends[1].1));
    let (mut seen, mut queue) = (HashSet::from([first]), VecDeque::from([first]));
    while let Some((a, b)) = queue.pop_front() {
        if (a, b) == last {
            return true;
        }
        for to_a in beside(a) {
            for to_b in beside(b) {
                let is_free = to_a != to_b && !(to_a == b && to_b == a);
                if is_free && seen.insert((to_a, to_b)) {
                    queue.push_back((to_a, to_b));
                }
            }
        }
    }
    false
}

#[test]
fn plans_of_all_methods_pass_the_check_on_random_teams() {
    let mut random = Random::new(11);
    let (mut found, mut teams) = ([0; 4], 0);
    for round in 0..60 {
        let text = {
            let (width, height) = (4 + random.below(20), 4 + random.below(20));
            drawing(&mut random, width, height, round % 4 * 8)
        };
        let grid = four_way(&text);
        let agents = 1 + random.below(grid.enterable_count() as usize / 5 + 1);
        let ends = ends(&mut random, &grid, agents);
        let team = Team::new(&grid, &ends).unwrap();
        teams += 1;
        for (index, method) in TeamMethod::ALL.into_iter().enumerate() {
            let options = TeamOptions::default().with_method(method).with_seed(round as u64);
            let mut search = TeamSearch::new(&team, options);
            let mut state = search.advance(150_000);
            let Some(plan) = search.plan().cloned() else {
                assert!(matches!(state, TeamState::Searching | TeamState::Failed));
                continue;
            };
            found[index] += 1;
            plan.check(&grid, &ends).unwrap_or_else(|error| panic!("{method:?}: {error}\n{text}"));
            assert!(plan.cost() >= team.cost_min() && plan.duration() >= team.duration_min());
            // Improvement never makes it worse, nor wrong.
            for _ in 0..5 {
                state = search.advance(3000);
            }
            let better = search.plan().unwrap();
            better
                .check(&grid, &ends)
                .unwrap_or_else(|error| panic!("{method:?}: {error}\n{text}"));
            assert!(better.cost() <= plan.cost());
            assert_eq!(state == TeamState::Best, better.cost() == team.cost_min());
        }
    }
    assert!(found[0] * 100 >= teams * 97, "LaCAM has plans for {} of {teams} teams", found[0]);
    assert!(found.iter().all(|&count| count * 2 > teams), "{found:?} of {teams}");
}

#[test]
fn lacam_has_a_plan_for_two_agents_exactly_where_there_is_one() {
    let mut random = Random::new(3);
    let (mut solvable, mut not) = (0, 0);
    for _ in 0..400 {
        let (width, height) = (2 + random.below(4), 1 + random.below(3));
        let grid = four_way(&drawing(&mut random, width, height, 25));
        let ends = ends(&mut random, &grid, 2);
        if ends.len() < 2 {
            continue;
        }
        let team = Team::new(&grid, &ends).unwrap();
        let mut search = TeamSearch::new(&team, TeamOptions::default());
        let mut state = TeamState::Searching;
        while state == TeamState::Searching {
            state = search.advance(1000);
        }
        let can = can_two(&grid, &ends);
        assert_eq!(state == TeamState::Failed, !can, "{ends:?}");
        if let Some(plan) = search.plan() {
            plan.check(&grid, &ends).unwrap();
        }
        solvable += u32::from(can);
        not += u32::from(!can);
    }
    assert!(solvable > 50 && not > 20, "{solvable} with a plan, {not} without");
}

#[test]
fn slices_do_not_change_what_is_found() {
    let grid = four_way(&drawing(&mut Random::new(8), 20, 20, 15));
    let ends = ends(&mut Random::new(9), &grid, 60);
    let team = Team::new(&grid, &ends).unwrap();
    for method in TeamMethod::ALL {
        let plan = |slice: u64| {
            let mut search =
                TeamSearch::new(&team, TeamOptions::default().with_method(method).with_seed(4));
            for _ in 0..2_000_000 / slice {
                if search.advance(slice) != TeamState::Searching {
                    break;
                }
            }
            search.plan().cloned()
        };
        assert!(plan(1).is_some_and(|one| Some(one) == plan(1_000_000)), "{method:?}");
    }
}

#[test]
fn wrong_teams_are_refused_with_the_agent() {
    let grid = four_way("..#\n.#.\n");
    let cell = Cell::new;
    let refused = |ends: &[(Cell, Cell)]| Team::new(&grid, ends).err();
    let wall = TeamError::Blocked { agent: 0, cell: cell(2, 0) };
    assert_eq!(refused(&[(cell(0, 0), cell(2, 0))]), Some(wall));
    let outside = TeamError::Blocked { agent: 0, cell: cell(9, 0) };
    assert_eq!(refused(&[(cell(9, 0), cell(0, 0))]), Some(outside));
    assert_eq!(refused(&[(cell(0, 0), cell(2, 1))]), Some(TeamError::Unreachable { agent: 0 }));
    let same = [(cell(0, 0), cell(0, 1)), (cell(0, 0), cell(1, 0))];
    assert_eq!(refused(&same), Some(TeamError::SharedStart { first: 0, second: 1 }));
    let diagonal = Grid::with_defaults("..\n".parse().unwrap());
    assert_eq!(
        Team::new(&diagonal, &[]).err(),
        Some(TeamError::Rule(MovementRule::NeverCutCorners))
    );
    assert!(Team::new(&grid, &[]).unwrap().is_empty());
    let team = Team::new(&grid, &[]).unwrap();
    assert_eq!(TeamSearch::new(&team, TeamOptions::default()).advance(10), TeamState::Best);
}

#[test]
fn the_check_finds_each_kind_of_conflict() {
    let grid = four_way("....\n.#..\n");
    let cell = Cell::new;
    let ends = [(cell(0, 0), cell(2, 0)), (cell(2, 0), cell(3, 0))];
    let check = |text: &str| text.parse::<TeamPlan>().unwrap().check(&grid, &ends);
    assert_eq!(check("team plan 1\n0,0 1,0 2,0\n2,0 3,0\n"), Ok(()));
    assert!(matches!(check("team plan 1\n0,0 1,0 2,0\n"), Err(Conflict::Agents { .. })));
    assert!(matches!(
        check("team plan 1\n0,0 1,0\n2,0 3,0\n"),
        Err(Conflict::Ends { agent: 0, .. })
    ));
    assert!(matches!(
        check("team plan 1\n0,0 2,0\n2,0 3,0\n"),
        Err(Conflict::Step { agent: 0, .. })
    ));
    let wall = check("team plan 1\n0,0 0,1 1,1 2,1 2,0\n2,0 3,0\n");
    assert_eq!(wall, Err(Conflict::Step { agent: 0, time: 2, cell: cell(1, 1) }));
    let meet = check("team plan 1\n0,0 1,0 2,0\n2,0 2,0 2,0 3,0\n");
    assert_eq!(meet, Err(Conflict::Cell { first: 0, second: 1, time: 2, cell: cell(2, 0) }));
    let swap = check("team plan 1\n0,0 1,0 2,0\n2,0 2,0 1,0 2,0 3,0\n");
    assert_eq!(swap, Err(Conflict::Swap { first: 0, second: 1, time: 2 }));
}

#[test]
fn a_search_without_memory_fails_instead_of_taking_it() {
    let grid = four_way(&drawing(&mut Random::new(8), 30, 30, 20));
    let ends = ends(&mut Random::new(9), &grid, 200);
    let team = Team::new(&grid, &ends).unwrap();
    let mut search = TeamSearch::new(&team, TeamOptions::default().with_memory_max(1000));
    assert_eq!(search.advance(1_000_000), TeamState::Failed);
    assert_eq!(search.plan(), None);
}

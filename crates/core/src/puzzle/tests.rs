//! The puzzle against published results and against plain breadth-first search.

use super::*;
use crate::implicit::{Deepening, ImplicitOutcome, ImplicitSearch};
use proptest::prelude::*;

/// Numbers below a bound, from a seed.
fn source(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |bound| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound.max(1)
    }
}

#[test]
fn all_boards_of_the_eight_puzzle_are_known() {
    for goal in [Board::goal(3).unwrap(), Board::goal_blank_first(3).unwrap()] {
        let puzzle = Puzzle::new(goal);
        let survey = Survey::of(&puzzle).unwrap();
        assert_eq!(survey.boards().len(), 181_440, "half of nine factorial");
        assert_eq!(survey.deepest(), 31);
        assert_eq!(survey.counts()[31], 2);
        let tables = PatternTables::new(&puzzle);
        for &(board, moves) in survey.boards() {
            assert!(puzzle.is_solvable(board));
            assert!(puzzle.manhattan(board) <= puzzle.linear_conflict(board));
            assert!(puzzle.linear_conflict(board) <= moves, "{board:?}");
            assert!(tables.estimate(board) <= moves, "{board:?}");
        }
    }
}

#[test]
fn a_sample_of_all_boards_is_solved_in_the_fewest_moves_by_every_solver() {
    let puzzle = Puzzle::new(Board::goal(3).unwrap());
    let survey = Survey::of(&puzzle).unwrap();
    let plain = PuzzleSolver::new(puzzle.clone());
    let patterns = PuzzleSolver::with_patterns(puzzle.clone());
    let manhattan = PuzzleSolver::with_manhattan(puzzle.clone());
    let last = survey.boards().len() - 1;
    for &(board, moves) in survey.boards().iter().step_by(997).chain(&survey.boards()[last - 1..]) {
        for solver in [&plain, &patterns, &manhattan] {
            let PuzzleAnswer::Solved(solution) = solver.solve(board).unwrap() else {
                panic!("{board:?} can be solved");
            };
            assert_eq!(solution.moves.len(), usize::from(moves));
            assert_eq!(solution.boards().last(), Some(&puzzle.goal()));
            assert_eq!(solution.boards().len(), usize::from(moves) + 1);
        }
        let estimate = |board: &Board| u64::from(puzzle.linear_conflict(*board));
        let success = |board: &Board| *board == puzzle.goal();
        let successors = |board: &Board| board.successors();
        let found = ImplicitSearch::astar().solve(&board, successors, estimate, success);
        assert_eq!(found.path().unwrap().cost, u64::from(moves));
    }
}

#[test]
fn deepening_by_closures_solves_boards_too() {
    let puzzle = Puzzle::new(Board::goal(3).unwrap());
    let board = puzzle.goal().scrambled(18, source(5));
    let PuzzleAnswer::Solved(solution) = PuzzleSolver::new(puzzle.clone()).solve(board).unwrap()
    else {
        panic!("scrambled boards can be solved");
    };
    let answer = Deepening::new().solve(
        &board,
        |board| board.successors(),
        |board| u64::from(puzzle.manhattan(*board)),
        |board| *board == puzzle.goal(),
    );
    let ImplicitOutcome::Found(path) = answer.outcome else { panic!("{:?}", answer.bounds) };
    assert_eq!(path.cost as usize, solution.moves.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_goal_will_do(seed in any::<u64>(), side in 2usize..4, moves in 0usize..25) {
        let mut draw = source(seed);
        let goal = Board::goal(side).unwrap().shuffled(&mut draw);
        let board = goal.scrambled(moves, &mut draw);
        let puzzle = Puzzle::new(goal);
        prop_assert!(puzzle.is_solvable(board));
        for solver in [PuzzleSolver::new(puzzle.clone()), PuzzleSolver::with_patterns(puzzle.clone())] {
            let PuzzleAnswer::Solved(solution) = solver.solve(board).unwrap() else {
                return Err(TestCaseError::fail("unsolved"));
            };
            prop_assert!(solution.moves.len() <= moves);
            let boards = solution.boards();
            prop_assert_eq!(boards.last(), Some(&goal));
            let fewest = ImplicitSearch::breadth_first().solve(
                &board, |board| board.successors(), |_| 0, |board| *board == goal);
            prop_assert_eq!(fewest.path().unwrap().cost as usize, solution.moves.len());
        }
        // Exchanging two tiles leads to the boards that cannot be solved.
        let mut tiles = board.tiles();
        let at: Vec<usize> = (0..tiles.len()).filter(|&cell| tiles[cell] != 0).take(2).collect();
        tiles.swap(at[0], at[1]);
        let odd = Board::new(&tiles).unwrap();
        prop_assert_eq!(PuzzleSolver::new(puzzle).solve(odd), Ok(PuzzleAnswer::Unsolvable));
    }

    #[test]
    fn shuffled_boards_can_be_solved(seed in any::<u64>(), side in 2usize..5) {
        let goal = Board::goal(side).unwrap();
        prop_assert!(Puzzle::new(goal).is_solvable(goal.shuffled(source(seed))));
    }
}

#[test]
fn boards_are_packed_without_loss_and_eight_is_not_zero() {
    let board: Board = "8,1,2/0,4,3/7,6,5".parse().unwrap();
    assert_eq!(board.tiles(), [8, 1, 2, 0, 4, 3, 7, 6, 5]);
    assert_eq!((board.blank(), board.tile(0)), (3, 8));
    assert_eq!(board.to_string().parse(), Ok(board));
}

#[test]
fn what_is_no_board_says_why() {
    let error = |text: &str| text.parse::<Board>().unwrap_err().to_string();
    assert_eq!(error("1 2 3"), "3 tiles make no square board: there must be 4, 9 or 16");
    assert_eq!(error("1 2 3 x"), "tile 4 is 'x', which is no number from 0 to 3");
    assert_eq!(error("1 2 3 7"), "tile 4 is '7', which is no number from 0 to 3");
    assert_eq!(error("1 2 2 0"), "tile 3 is 2 again");
    assert_eq!(
        Board::goal(5).unwrap_err().to_string(),
        "a board of 5 × 5 cells: sides are from 2 to 4"
    );
    let puzzle = Puzzle::new(Board::goal(3).unwrap());
    let small = Board::goal(2).unwrap();
    assert_eq!(PuzzleSolver::new(puzzle).solve(small), Err(WrongSide { board: 2, goal: 3 }));
}

#[test]
fn the_first_of_korfs_instances_has_its_estimate_and_is_given_up_within_its_limit() {
    let puzzle = Puzzle::new(Board::goal_blank_first(4).unwrap());
    let board: Board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3".parse().unwrap();
    assert_eq!(puzzle.manhattan(board), 41, "as Korf printed it");
    let solver = PuzzleSolver::new(puzzle).with_limit(1000);
    assert_eq!(solver.solve(board), Ok(PuzzleAnswer::LimitReached));
}

#[test]
fn boards_of_another_size_have_no_estimate_and_are_refused() {
    let puzzle = Puzzle::new(Board::goal(2).unwrap());
    let board = "8 6 7  2 5 4  3 0 1".parse().unwrap();
    assert_eq!((puzzle.manhattan(board), puzzle.linear_conflict(board)), (0, 0));
    assert_eq!(PatternTables::new(&puzzle).estimate(board), 0);
    assert_eq!(puzzle.check(board), Err(WrongSide { board: 3, goal: 2 }));
    assert!(!puzzle.is_solvable(board));
    for solver in [PuzzleSolver::new(puzzle.clone()), PuzzleSolver::with_manhattan(puzzle)] {
        assert_eq!(solver.solve(board), Err(WrongSide { board: 3, goal: 2 }));
    }
}

#[test]
fn deepening_by_the_manhattan_distance_expands_more_boards() {
    let puzzle = Puzzle::new(Board::goal(3).unwrap());
    let board = "8 6 7  2 5 4  3 0 1".parse().unwrap();
    let expanded = |solver: PuzzleSolver| match solver.solve(board).unwrap() {
        PuzzleAnswer::Solved(solution) => solution.expanded,
        answer => panic!("{answer:?}"),
    };
    let conflict = expanded(PuzzleSolver::new(puzzle.clone()));
    assert!(expanded(PuzzleSolver::with_manhattan(puzzle)) > conflict);
}

#[test]
fn tables_and_solutions_stop_when_they_are_no_longer_wanted() {
    let puzzle = Puzzle::new(Board::goal(4).unwrap());
    assert!(PatternTables::new_while(&puzzle, &mut || false).is_none());
    let mut asked = 0;
    let mut thrice = || {
        asked += 1;
        asked < 3
    };
    assert!(PuzzleSolver::with_patterns_while(puzzle.clone(), &mut thrice).is_none());
    assert_eq!(asked, 3);
    let solver = PuzzleSolver::with_manhattan(puzzle);
    let board = Board::goal(4).unwrap().shuffled(source(7));
    assert_eq!(solver.solve_while(board, &mut || false), Ok(PuzzleAnswer::LimitReached));
}

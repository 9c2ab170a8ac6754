//! Trees of small puzzles, and Korf's instances where they lie beside the project.

#![allow(clippy::print_stderr)]

use super::*;
use highroad::implicit::ImplicitSearch;
use highroad::puzzle::{Puzzle, PuzzleAnswer, PuzzleSolver};
use std::path::PathBuf;

fn tree_of(board: &str) -> Vec<TreeState<Board>> {
    let puzzle = Puzzle::new(Board::goal(3).unwrap());
    let board: Board = board.parse().unwrap();
    let estimate = |board: &Board| u64::from(puzzle.manhattan(*board));
    let success = |board: &Board| *board == puzzle.goal();
    let search = ImplicitSearch::astar();
    search.solve_with_tree(&board, |board| board.successors(), estimate, success, 100).1
}

#[test]
fn a_tree_is_written_line_by_line() {
    let expected = "\
1 2 3 / 4 0 5 / 7 8 6   g 0  h 2  f 2   1st *
├─ 1 0 3 / 4 2 5 / 7 8 6   g 1  h 3  f 4
├─ 1 2 3 / 0 4 5 / 7 8 6   g 1  h 3  f 4
├─ 1 2 3 / 4 5 0 / 7 8 6   g 1  h 1  f 2   2nd *
│  ├─ 1 2 0 / 4 5 3 / 7 8 6   g 2  h 2  f 4
│  └─ 1 2 3 / 4 5 6 / 7 8 0   g 2  h 0  f 2   3rd *
└─ 1 2 3 / 4 8 5 / 7 0 6   g 1  h 3  f 4
";
    assert_eq!(tree_text(&tree_of("1 2 3 4 0 5 7 8 6")), expected);
    assert_eq!(tree_text(&[]), "");
}

#[test]
fn a_tree_is_drawn_with_every_board_and_both_numbers() {
    let tree = tree_of("1 2 3 4 0 5 7 8 6");
    let picture = tree_svg(&tree);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert_eq!(picture.matches("<line ").count(), tree.len() - 1);
    // Nine cells and a frame each, and the ground.
    assert_eq!(picture.matches("<rect ").count(), 10 * tree.len() + 1);
    assert!(picture.contains(">1 + 1 · 2</text>"), "{picture}");
    assert!(tree_svg(&[]).starts_with("<svg "));
}

/// The list beside the project; `None`, and a word about it, where it is not there.
fn korf() -> Option<Vec<Instance>> {
    let beside =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/puzzles/korf100.txt");
    let Ok(text) = std::fs::read_to_string(&beside) else {
        eprintln!("skipped: no puzzles at {}", beside.display());
        return None;
    };
    Some(read_instances(&text).expect("the list of Korf's instances is readable"))
}

#[test]
fn the_easiest_of_korfs_instances_have_their_published_lengths() {
    let Some(instances) = korf() else { return };
    assert_eq!(instances.len(), 100);
    let solver = PuzzleSolver::with_patterns(Puzzle::new(Board::goal_blank_first(4).unwrap()));
    for instance in instances.iter().filter(|instance| instance.moves <= 46) {
        let PuzzleAnswer::Solved(solution) = solver.solve(instance.board).unwrap() else {
            panic!("instance {} can be solved", instance.number);
        };
        assert_eq!(solution.moves.len() as u32, instance.moves, "instance {}", instance.number);
        assert_eq!(solution.boards().last(), Some(&solver.puzzle().goal()));
    }
}

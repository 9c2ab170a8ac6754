//! The search tree of a puzzle, as text and as a picture; and lists of instances.

mod instances;
mod svg;

pub use instances::{Instance, InstanceError, read_instances};
pub use svg::tree_svg;

use highroad::implicit::TreeState;
use highroad::puzzle::Board;

/// A tree as text: a line for each board, below the one it was reached from, with g, h and f, when it was
/// expanded, and a star on the way to the goal.
///
/// ```
/// use highroad::implicit::ImplicitSearch;
/// use highroad::puzzle::{Board, Puzzle};
/// use highroad_lab::puzzle::tree_text;
/// let puzzle = Puzzle::new(Board::goal(2)?);
/// let board: Board = "0 1  3 2".parse()?;
/// let estimate = |board: &Board| u64::from(puzzle.manhattan(*board));
/// let (_, tree) = ImplicitSearch::astar().solve_with_tree(
///     &board, |board| board.successors(), estimate, |board| *board == puzzle.goal(), 50);
/// let text = tree_text(&tree);
/// assert!(text.starts_with("0 1 / 3 2   g 0  h 2  f 2   1st *\n"), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tree_text(tree: &[TreeState<Board>]) -> String {
    let children = children(tree);
    let mut text = String::new();
    // Each with what stands before it, and whether it is the last of its siblings.
    let mut open: Vec<(usize, String, Option<bool>)> = Vec::new();
    if !tree.is_empty() {
        open.push((0, String::new(), None));
    }
    while let Some((at, before, last)) = open.pop() {
        let branch = match last {
            None => "",
            Some(true) => "└─ ",
            Some(false) => "├─ ",
        };
        text.push_str(&format!("{before}{branch}{}\n", line(&tree[at])));
        let below = match last {
            None => before,
            Some(true) => format!("{before}   "),
            Some(false) => format!("{before}│  "),
        };
        for (index, &child) in children[at].iter().enumerate().rev() {
            open.push((child, below.clone(), Some(index + 1 == children[at].len())));
        }
    }
    text
}

fn line(node: &TreeState<Board>) -> String {
    let board = node.state.to_string().replace('\n', " / ");
    let order =
        node.expanded.map_or_else(String::new, |order| format!("   {}", ordinal(order + 1)));
    let star = if node.on_path { " *" } else { "" };
    let (g, h) = (node.g, node.h);
    format!("{board}   g {g}  h {h}  f {}{order}{star}", g.saturating_add(h))
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// The nodes reached from each node, in the order in which they were found.
fn children(tree: &[TreeState<Board>]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); tree.len()];
    for (at, node) in tree.iter().enumerate().filter(|(at, node)| node.parent != *at) {
        if let Some(list) = children.get_mut(node.parent) {
            list.push(at);
        }
    }
    children
}

#[cfg(test)]
mod tests;

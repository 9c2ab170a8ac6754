//! `highroad puzzle`

use crate::BAD_NEWS;
use crate::graph_arguments::{PuzzleArguments, PuzzleCommand, PuzzleEstimates, PuzzleSearch};
use anyhow::{Context, Result};
use highroad::implicit::{ImplicitSearch, TreeState};
use highroad::puzzle::{Board, PatternTables, Puzzle, PuzzleAnswer, PuzzleSolver, Survey};
use highroad::search::Weight;
use highroad_lab::files::write_whole;
use highroad_lab::generate::Random;
use highroad_lab::puzzle::{read_instances, tree_svg, tree_text};
use highroad_lab::table::{Table, duration, whole};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

pub(crate) fn run(arguments: &PuzzleArguments, out: &mut dyn Write) -> Result<u8> {
    match &arguments.command {
        PuzzleCommand::Solve { board, goal, search, heuristic, weight, boards, tree, tree_max } => {
            let board: Board = board.parse()?;
            let goal = match goal {
                Some(goal) => goal.parse()?,
                None => Board::goal(usize::from(board.side()))?,
            };
            let asked = Asked {
                puzzle: Puzzle::new(goal),
                board,
                search: *search,
                heuristic: *heuristic,
                weight: Weight::new(*weight)?,
                boards: *boards,
            };
            asked.solve(tree.as_deref(), *tree_max, out)
        }
        PuzzleCommand::Scramble { side, moves, seed } => {
            let mut random = Random::new(*seed);
            let goal = Board::goal(*side)?;
            let draw = |bound| random.below(bound);
            let board = match moves {
                Some(moves) => goal.scrambled(*moves, draw),
                None => goal.shuffled(draw),
            };
            writeln!(out, "{board}")?;
            Ok(0)
        }
        PuzzleCommand::Survey { side, solve } => survey(*side, *solve, out),
        PuzzleCommand::Instances { file, seconds } => {
            instances(file, Duration::from_secs(*seconds), out)
        }
    }
}

/// A board to be solved.
struct Asked {
    puzzle: Puzzle,
    board: Board,
    search: PuzzleSearch,
    heuristic: PuzzleEstimates,
    weight: Weight,
    boards: bool,
}

impl Asked {
    fn solve(&self, tree: Option<&Path>, tree_max: usize, out: &mut dyn Write) -> Result<u8> {
        self.puzzle.check(self.board)?;
        if !self.puzzle.is_solvable(self.board) {
            writeln!(out, "{}", self.board)?;
            writeln!(
                out,
                "cannot be solved: every move changes the parity of the order of tiles and the colour of \
                 the blank's cell together, and here they do not agree with the goal's"
            )?;
            return Ok(BAD_NEWS);
        }
        if self.search == PuzzleSearch::Deepening {
            anyhow::ensure!(tree.is_none(), "deepening keeps no tree: choose another --search");
            return self.deepen(out);
        }
        let begun = Instant::now();
        let (boards, expanded, grown) = self.best_first(tree_max)?;
        let took = begun.elapsed();
        self.print_result(&boards, expanded, took, out)?;
        match tree {
            None => {}
            Some(file) if file == Path::new("-") => write!(out, "{}", tree_text(&grown))?,
            Some(file) => {
                let svg = file.extension().is_some_and(|ending| ending == "svg");
                let text = if svg { tree_svg(&grown) } else { tree_text(&grown) };
                write_whole(file, text.as_bytes())?;
            }
        }
        Ok(0)
    }

    fn deepen(&self, out: &mut dyn Write) -> Result<u8> {
        let solver = match self.heuristic {
            PuzzleEstimates::Patterns => PuzzleSolver::with_patterns(self.puzzle.clone()),
            PuzzleEstimates::Manhattan => PuzzleSolver::with_manhattan(self.puzzle.clone()),
            PuzzleEstimates::Conflict => PuzzleSolver::new(self.puzzle.clone()),
        };
        let begun = Instant::now();
        let PuzzleAnswer::Solved(solution) = solver.solve(self.board)? else {
            anyhow::bail!("no solution was found");
        };
        self.print_result(&solution.boards(), solution.expanded, begun.elapsed(), out)?;
        Ok(0)
    }

    /// The boards on the way, how many were expanded, and the tree.
    fn best_first(&self, tree_max: usize) -> Result<(Vec<Board>, u64, Vec<TreeState<Board>>)> {
        let tables =
            (self.heuristic == PuzzleEstimates::Patterns).then(|| PatternTables::new(&self.puzzle));
        let estimate = |board: &Board| {
            u64::from(match (self.heuristic, &tables) {
                (PuzzleEstimates::Manhattan, _) => self.puzzle.manhattan(*board),
                (_, Some(tables)) => tables.estimate(*board),
                _ => self.puzzle.linear_conflict(*board),
            })
        };
        let search = match self.search {
            PuzzleSearch::Bfs => ImplicitSearch::breadth_first(),
            PuzzleSearch::Dijkstra => ImplicitSearch::dijkstra(),
            PuzzleSearch::Greedy => ImplicitSearch::greedy(),
            PuzzleSearch::Astar | PuzzleSearch::Deepening => ImplicitSearch::astar(),
        };
        let goal = self.puzzle.goal();
        let (answer, tree) = search.with_weight(self.weight).solve_with_tree(
            &self.board,
            |board| board.successors(),
            estimate,
            |board| *board == goal,
            tree_max,
        );
        let expanded = answer.statistics.expanded;
        let path = answer.path().context("no solution was found")?;
        Ok((path.states, expanded, tree))
    }

    fn print_result(
        &self,
        boards: &[Board],
        expanded: u64,
        took: Duration,
        out: &mut dyn Write,
    ) -> Result<()> {
        let moves: Vec<String> = boards
            .windows(2)
            .filter_map(|pair| {
                let leads = |to: &highroad::puzzle::Move| pair[0].after(*to) == Some(pair[1]);
                highroad::puzzle::Move::ALL.into_iter().find(leads).map(|to| to.to_string())
            })
            .collect();
        writeln!(out, "moves        {}", moves.len())?;
        writeln!(out, "expanded     {} boards", whole(expanded))?;
        writeln!(out, "solved in    {}", duration(took.as_secs_f64() * 1e6))?;
        writeln!(out, "the blank    {}", moves.join(" "))?;
        if self.boards {
            for board in boards {
                writeln!(out, "\n{board}")?;
            }
        }
        Ok(())
    }
}

fn survey(side: usize, solve: bool, out: &mut dyn Write) -> Result<u8> {
    let puzzle = Puzzle::new(Board::goal(side)?);
    let survey =
        Survey::of(&puzzle).context("only boards of 2 × 2 and 3 × 3 cells can be surveyed")?;
    let mut table = Table::new(&["moves", "boards"]);
    for (moves, count) in survey.counts().iter().enumerate() {
        table.row(vec![moves.to_string(), whole(*count as u64)]);
    }
    table.write(out, 0)?;
    let count = survey.boards().len();
    writeln!(
        out,
        "{} boards can be solved; the deepest need {} moves",
        whole(count as u64),
        survey.deepest()
    )?;
    if !solve {
        return Ok(0);
    }
    let solver = PuzzleSolver::with_patterns(puzzle);
    let begun = Instant::now();
    let mut wrong = 0;
    for &(board, moves) in survey.boards() {
        let PuzzleAnswer::Solved(solution) = solver.solve(board)? else {
            wrong += 1;
            continue;
        };
        let ends = solution.boards().last() == Some(&solver.puzzle().goal());
        wrong += u32::from(!ends || solution.moves.len() != usize::from(moves));
    }
    let took = duration(begun.elapsed().as_secs_f64() * 1e6);
    writeln!(
        out,
        "each of them solved by deepening in {took} together: {wrong} not in the fewest moves"
    )?;
    Ok(if wrong == 0 { 0 } else { BAD_NEWS })
}

fn instances(file: &Path, time_max: Duration, out: &mut dyn Write) -> Result<u8> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let list = read_instances(&text).with_context(|| format!("{}", file.display()))?;
    let side = list.first().map_or(4, |instance| usize::from(instance.board.side()));
    let begun = Instant::now();
    let mut go_on = || begun.elapsed() < time_max;
    let puzzle = Puzzle::new(Board::goal_blank_first(side)?);
    let solver = PuzzleSolver::with_patterns_while(puzzle, &mut go_on).with_context(|| {
        format!("{} s are over before the pattern tables are made", time_max.as_secs())
    })?;
    let made = begun.elapsed();
    let mut table = Table::new(&["instance", "published", "found", "expanded", "time"]);
    let (mut solved, mut wrong, mut expanded) = (0, 0, 0);
    for instance in &list {
        let started = Instant::now();
        let solution = match solver.solve_while(instance.board, &mut go_on)? {
            PuzzleAnswer::Solved(solution) => solution,
            PuzzleAnswer::LimitReached => break,
            PuzzleAnswer::Unsolvable => {
                anyhow::bail!("instance {} cannot be solved", instance.number)
            }
        };
        solved += 1;
        expanded += solution.expanded;
        wrong += u32::from(solution.moves.len() as u32 != instance.moves);
        table.row(vec![
            instance.number.to_string(),
            instance.moves.to_string(),
            solution.moves.len().to_string(),
            whole(solution.expanded),
            duration(started.elapsed().as_secs_f64() * 1e6),
        ]);
    }
    table.write(out, 0)?;
    writeln!(
        out,
        "{solved} of {} solved in {}, tables made in {} of it; {} boards expanded; {wrong} lengths differ",
        list.len(),
        duration(begun.elapsed().as_secs_f64() * 1e6),
        duration(made.as_secs_f64() * 1e6),
        whole(expanded)
    )?;
    Ok(if wrong == 0 { 0 } else { BAD_NEWS })
}

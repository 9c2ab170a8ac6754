//! A simulation as text, for terminals.

use highroad::simulation::AgentState;
use highroad::{Cell, Simulation};

/// Draws the part of the map around a cell that fits: a letter a cell, ways as dots, goals as flags, agents by
/// their number's last digit, `x` where one has stopped.
pub fn draw_window(simulation: &Simulation, around: Cell, columns: u32, rows: u32) -> String {
    let grid = simulation.world().grid();
    let extent = grid.extent();
    // As much of the map as fits, with the cell in the middle where the map's edge allows.
    let begin = |middle: u32, shown: u32, length: u32| {
        middle.saturating_sub(shown / 2).min(length.saturating_sub(shown))
    };
    let (width, height) = (columns.min(extent.width()), rows.min(extent.height()));
    let (left, top) =
        (begin(around.x, width, extent.width()), begin(around.y, height, extent.height()));
    let letter = |x: u32, y: u32| match grid.map().terrain(Cell::new(x, y)).map(|t| t.letter()) {
        Some(b'.') => ' ',
        Some(b'@' | b'O') => '█',
        Some(b'T') => '♣',
        Some(b'S') => '"',
        Some(b'W') => '~',
        Some(letter) => letter as char,
        None => '?',
    };
    let mut picture: Vec<Vec<char>> =
        (top..top + height).map(|y| (left..left + width).map(|x| letter(x, y)).collect()).collect();
    let mut mark = |cell: Cell, mark: char| {
        if let (Some(x), Some(y)) = (cell.x.checked_sub(left), cell.y.checked_sub(top))
            && let Some(place) = picture.get_mut(y as usize).and_then(|row| row.get_mut(x as usize))
        {
            *place = mark;
        }
    };
    for agent in simulation.agents() {
        agent.ahead().iter().for_each(|&cell| mark(cell, '·'));
    }
    for agent in simulation.agents() {
        mark(agent.goal(), '⚑');
    }
    for (number, agent) in simulation.agents().iter().enumerate() {
        let digit = char::from_digit(number as u32 % 10, 10).unwrap_or('?');
        let stopped = matches!(agent.state(), AgentState::Stopped(_));
        mark(agent.at(), if stopped { 'x' } else { digit });
    }
    picture.iter().map(|row| format!("{}\n", row.iter().collect::<String>())).collect()
}

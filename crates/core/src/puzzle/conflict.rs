//! How many tiles of a line have to leave it so that the others can pass each other.

use super::Board;

/// For every way in which the tiles of a line may belong into it: two moves for each that has to leave.
///
/// A line is coded by where in it each of its tiles belongs, 4 for those that do not and for the blank.
#[derive(Clone, Debug)]
pub(super) struct LineTable {
    penalties: Vec<u8>,
}

const ELSEWHERE: usize = 4;

impl LineTable {
    pub(super) fn new(side: u8) -> Self {
        let codes = 5usize.pow(u32::from(side));
        let penalty = |code: usize| {
            let places: Vec<usize> = (0..u32::from(side))
                .map(|at| code / 5usize.pow(at) % 5)
                .filter(|&place| place != ELSEWHERE)
                .collect();
            // The most tiles that are in order already, by trying all subsets of at most four.
            let in_order = |kept: &u32| {
                let mut last = None;
                places
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| kept >> at & 1 == 1)
                    .all(|(_, &place)| last.replace(place).is_none_or(|before| before < place))
            };
            let most = (0..1u32 << places.len()).filter(in_order).map(u32::count_ones).max();
            2 * (places.len() as u32 - most.unwrap_or(0)) as u8
        };
        Self { penalties: (0..codes).map(penalty).collect() }
    }

    /// The moves that a board needs beyond the distances of its tiles.
    pub(super) fn conflicts(&self, board: Board, homes: &[u8; 16]) -> u8 {
        let side = board.side();
        let mut sum = 0;
        for line in 0..side {
            let (mut row, mut column, mut power) = (0, 0, 1);
            for at in 0..side {
                let place = |cell: u8, across: bool| {
                    let tile = board.tile(cell);
                    let home = homes[usize::from(tile)];
                    let (of_line, within) = if across {
                        (home / side, home % side)
                    } else {
                        (home % side, home / side)
                    };
                    let belongs = tile != 0 && of_line == line;
                    if belongs { usize::from(within) } else { ELSEWHERE }
                };
                row += power * place(line * side + at, true);
                column += power * place(at * side + line, false);
                power *= 5;
            }
            sum += self.penalties[row] + self.penalties[column];
        }
        sum
    }
}

//! Additive pattern tables.
//!
//! Korf and Felner, "Disjoint Pattern Database Heuristics" (2002). The tiles are split into groups. For each
//! group a table holds, for every way its tiles may lie, the least number of moves *of these tiles* that bring
//! them home, whatever the others do. Every move moves one tile, so the groups' numbers may be added:
//! admissible. A board and its mirror image need the same number of moves; the larger estimate of the two
//! counts. Groups of 6, 6 and 3 tiles for the 15 puzzle: 34 MB, made in a few seconds.
//!
//! A table is indexed by the cells of its tiles, four bits each: larger than ranks of permutations would be,
//! but a move changes an index by one addition.

use super::{Board, Move, Puzzle};

const UNKNOWN: u8 = u8::MAX;

/// Tables of the moves that groups of tiles need.
///
/// ```
/// use highroad::puzzle::{Board, PatternTables, Puzzle};
/// let puzzle = Puzzle::new(Board::goal(3)?);
/// let tables = PatternTables::new(&puzzle);
/// let board: Board = "8 6 7  2 5 4  3 0 1".parse()?; // one of the two that need most: 31 moves
/// assert!(puzzle.linear_conflict(board) <= tables.estimate(board) && tables.estimate(board) <= 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PatternTables {
    side: u8,
    /// For each group, moves by index.
    moves: Vec<Vec<u8>>,
    /// For each tile, its group and where its bits lie in the group's index.
    places: [(u8, u8); 16],
    /// For each tile and each cell, their mirror images; none where the goal has no mirror line.
    mirror: Option<Mirror>,
}

#[derive(Clone, Copy, Debug)]
struct Mirror {
    tiles: [u8; 16],
    cells: [u8; 16],
}

/// What is known of a board: the indexes of all groups and what the tables say, for the board and its image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    indexes: [[u32; GROUPS_MAX]; 2],
    moves: [[u8; GROUPS_MAX]; 2],
}

const GROUPS_MAX: usize = 3;

impl Known {
    #[inline]
    pub(super) fn estimate(&self) -> u8 {
        let sum = |moves: [u8; GROUPS_MAX]| moves[0] + moves[1] + moves[2];
        sum(self.moves[0]).max(sum(self.moves[1]))
    }
}

impl PatternTables {
    /// Makes the tables for a goal: about two seconds and 150 MB while they are made for the 15 puzzle, no time
    /// at all for smaller ones.
    pub fn new(puzzle: &Puzzle) -> Self {
        // Nobody stops it, so that there are tables.
        Self::new_while(puzzle, &mut || true).unwrap_or_else(|| unreachable!("never stopped"))
    }

    /// As [`PatternTables::new`]; `None` if `go_on`, which is asked now and then, says no.
    ///
    /// ```
    /// use highroad::puzzle::{Board, PatternTables, Puzzle};
    /// let puzzle = Puzzle::new(Board::goal(3)?);
    /// assert!(PatternTables::new_while(&puzzle, &mut || false).is_none());
    /// # Ok::<(), highroad::puzzle::BoardError>(())
    /// ```
    pub fn new_while(puzzle: &Puzzle, go_on: &mut dyn FnMut() -> bool) -> Option<Self> {
        let groups = groups(puzzle.goal());
        let mut places = [(0, 0); 16];
        for (group, cells) in (0..).zip(&groups) {
            for (slot, &cell) in (0..).zip(cells) {
                places[usize::from(puzzle.goal().tile(cell))] = (group, 4 * slot);
            }
        }
        let mut moves = Vec::with_capacity(groups.len());
        for cells in &groups {
            moves.push(moves_of(puzzle.goal(), cells, go_on)?);
        }
        let (side, mirror) = (puzzle.goal().side(), mirror_of(puzzle.goal()));
        Some(Self { side, moves, places, mirror })
    }

    /// The moves that a board needs at least; 0 for a board of another size.
    pub fn estimate(&self, board: Board) -> u8 {
        if board.side() == self.side { self.known(board).estimate() } else { 0 }
    }

    /// Bytes held.
    pub fn memory_bytes(&self) -> usize {
        self.moves.iter().map(Vec::capacity).sum()
    }

    pub(super) fn known(&self, board: Board) -> Known {
        let mut known = Known { indexes: [[0; GROUPS_MAX]; 2], moves: [[0; GROUPS_MAX]; 2] };
        for cell in (0..board.cell_count()).filter(|&cell| board.tile(cell) != 0) {
            let tile = board.tile(cell);
            self.shift(&mut known.indexes[0], tile, 0, cell);
            if let Some(Mirror { tiles, cells }) = self.mirror {
                let (tile, cell) = (tiles[usize::from(tile)], cells[usize::from(cell)]);
                self.shift(&mut known.indexes[1], tile, 0, cell);
            }
        }
        for side in 0..if self.mirror.is_some() { 2 } else { 1 } {
            for (group, table) in self.moves.iter().enumerate() {
                known.moves[side][group] = table[known.indexes[side][group] as usize];
            }
        }
        known
    }

    /// A tile's share of its group's index, from one cell to another.
    #[inline]
    fn shift(&self, indexes: &mut [u32; GROUPS_MAX], tile: u8, from: u8, to: u8) -> usize {
        let (group, bits) = self.places[usize::from(tile & 15)];
        let group = usize::from(group) % GROUPS_MAX;
        let change = u32::from(to).wrapping_sub(u32::from(from)) << bits;
        indexes[group] = indexes[group].wrapping_add(change);
        group
    }

    /// What is known after a tile has moved.
    #[inline]
    pub(super) fn moved(&self, mut known: Known, tile: u8, from: u8, to: u8) -> Known {
        let group = self.shift(&mut known.indexes[0], tile, from, to);
        known.moves[0][group] = self.moves[group][known.indexes[0][group] as usize];
        if let Some(Mirror { tiles, cells }) = &self.mirror {
            let tile = tiles[usize::from(tile & 15)];
            let (from, to) = (cells[usize::from(from & 15)], cells[usize::from(to & 15)]);
            let group = self.shift(&mut known.indexes[1], tile, from, to);
            known.moves[1][group] = self.moves[group][known.indexes[1][group] as usize];
        }
        known
    }
}

/// The cells whose tiles make up each group.
fn groups(goal: Board) -> Vec<Vec<u8>> {
    let blank = goal.blank();
    let others = || (0..goal.cell_count()).filter(move |&cell| cell != blank);
    let sizes: &[usize] = match goal.side() {
        2 => &[3],
        3 => &[4, 4],
        _ => &[6, 6, 3],
    };
    // Where the blank belongs into a corner, the groups that Korf and Felner found good: the first corner's,
    // turned.
    let corner: [[u8; 6]; 2] = [[3, 6, 7, 10, 11, 15], [1, 2, 4, 5, 8, 9]];
    let turned: Option<fn(u8) -> u8> = match (goal.side(), blank) {
        (4, 0) => Some(|cell| cell),
        (4, 3) => Some(|cell| cell / 4 * 4 + (3 - cell % 4)),
        (4, 12) => Some(|cell| (3 - cell / 4) * 4 + cell % 4),
        (4, 15) => Some(|cell| 15 - cell),
        _ => None,
    };
    if let Some(turned) = turned {
        let mut groups: Vec<Vec<u8>> =
            corner.iter().map(|cells| cells.iter().map(|&cell| turned(cell)).collect()).collect();
        groups.push([12, 13, 14].into_iter().map(turned).collect());
        return groups;
    }
    let mut cells = others();
    sizes.iter().map(|&size| cells.by_ref().take(size).collect()).collect()
}

/// The mirror line through the blank's home, if it lies on a diagonal.
fn mirror_of(goal: Board) -> Option<Mirror> {
    let (side, blank) = (goal.side(), goal.blank());
    let main = |cell: u8| cell % side * side + cell / side;
    let other = |cell: u8| (side - 1 - cell % side) * side + (side - 1 - cell / side);
    let image: &dyn Fn(u8) -> u8 = match blank {
        blank if main(blank) == blank => &main,
        blank if other(blank) == blank => &other,
        _ => return None,
    };
    let mut mirror = Mirror { tiles: [0; 16], cells: [0; 16] };
    for cell in 0..goal.cell_count() {
        mirror.cells[usize::from(cell)] = image(cell);
        mirror.tiles[usize::from(goal.tile(cell))] = goal.tile(image(cell));
    }
    Some(mirror)
}

/// The least moves of the tiles that belong into some cells, by where they lie.
///
/// Backwards from the goal, breadth-first in moves of these tiles; moves of others cost nothing. A state is
/// where the tiles lie and where the blank is, in 28 bits.
fn moves_of(goal: Board, homes: &[u8], go_on: &mut dyn FnMut() -> bool) -> Option<Vec<u8>> {
    let bits = 4 * homes.len() as u32;
    let mut moves = vec![UNKNOWN; 1 << bits];
    let mut seen = vec![0u64; (1usize << bits).div_ceil(4)];
    let start = (0u32..).zip(homes).map(|(slot, &home)| u32::from(home) << (4 * slot)).sum::<u32>();
    let mut present = vec![start << 4 | u32::from(goal.blank())];
    let mut next = Vec::new();
    let mut depth = 0;
    while !present.is_empty() {
        if !go_on() {
            return None;
        }
        while let Some(state) = present.pop() {
            let (word, bit) = ((state >> 6) as usize, 1u64 << (state & 63));
            if seen[word] & bit != 0 {
                continue;
            }
            seen[word] |= bit;
            let (index, blank) = (state >> 4, (state & 15) as u8);
            let known = &mut moves[index as usize];
            *known = depth.min(*known);
            // Which slot's tile lies in each cell, plus one.
            let mut tiles = 0u64;
            for slot in 0..homes.len() as u32 {
                tiles |= u64::from(slot + 1) << (4 * (index >> (4 * slot) & 15));
            }
            for to in Move::ALL {
                let Some(cell) = goal.target(blank, to) else { continue };
                match (tiles >> (4 * cell) & 15) as u32 {
                    0 => present.push(index << 4 | u32::from(cell)),
                    slot => {
                        let change =
                            u32::from(blank).wrapping_sub(u32::from(cell)) << (4 * (slot - 1));
                        next.push(index.wrapping_add(change) << 4 | u32::from(cell));
                    }
                }
            }
        }
        std::mem::swap(&mut present, &mut next);
        depth += 1;
    }
    Some(moves)
}

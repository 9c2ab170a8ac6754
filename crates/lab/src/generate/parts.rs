//! Joining the parts that ground falls into, or keeping the largest.

use super::walls::Walls;
use super::work::{Made, Work};
use highroad::Cell;
use std::ops::Range;

/// Smaller parts are filled: a cave of a few cells is not worth a tunnel.
const PART_CELLS_MIN: u32 = 16;

/// Fills the small parts of the ground and joins all others, by straight steps, into one.
///
/// Parts are found in the order of their first cells, row by row. From its first cell, each digs a
/// tunnel one cell wide to the nearest ground straight up or to the left. What lies there has been
/// passed already, so it belongs to a part that was found before and, by induction, is joined to the
/// first. Where there is none, the tunnel goes up to the row of the very first cell and along it:
///
/// ```text
/// ++++....@@@
/// +@@@...@@@@
/// +@@@@@+@@@@     the second part digs up, or to the left if that is shorter;
/// +@@@@@...@@     the third has neither, and turns the corner
/// ..@@@....@@
/// ```
///
/// Time is linear in words and runs of ground, beside the length of the tunnels and of what they
/// look past.
pub(super) fn join_parts(walls: &mut Walls, work: &mut Work<'_, '_>) -> Made<()> {
    let extent = walls.extent();
    let mut flood = PartFlood { closed: walls.clone(), waiting: Vec::new() };
    let mut anchor = None;
    for y in 0..extent.height() {
        work.row()?;
        let mut x = 0;
        while let Some(first) = flood.next_part(x, y) {
            match (flood.fill(first, work)?, anchor) {
                (Some(runs), _) => runs.into_iter().for_each(|(run, y)| walls.close(run, y)),
                (None, Some(anchor)) => dig_tunnel(walls, first, anchor),
                (None, None) => anchor = Some(first),
            }
            x = first.x + 1;
        }
    }
    Ok(())
}

/// Fills all parts but the largest; of equal ones the first stays.
pub(super) fn keep_largest(walls: &mut Walls, work: &mut Work<'_, '_>) -> Made<()> {
    let height = walls.extent().height();
    let mut flood = PartFlood { closed: walls.clone(), waiting: Vec::new() };
    let (mut largest, mut first_of_largest) = (0, None);
    for y in 0..height {
        work.row()?;
        let mut x = 0;
        while let Some(first) = flood.next_part(x, y) {
            let mut count = 0u64;
            flood.enter(first, work, |run, _| count += u64::from(run.end - run.start))?;
            if count > largest {
                (largest, first_of_largest) = (count, Some(first));
            }
            x = first.x + 1;
        }
    }
    let Some(first) = first_of_largest else { return Ok(()) };
    let mut flood = PartFlood { closed: walls.clone(), waiting: Vec::new() };
    let mut kept = Walls::solid(walls.extent());
    flood.enter(first, work, |run, y| kept.open(run, y..y + 1))?;
    *walls = kept;
    Ok(())
}

/// Joins a part's first cell to ground that comes before it in the order of rows.
fn dig_tunnel(walls: &mut Walls, first: Cell, anchor: Cell) {
    let Cell { x, y } = first;
    let left = walls.last_ground(x, y);
    // No use in looking farther up than the left is away.
    let steps_max = left.map_or(y, |ground| (x - ground).min(y));
    let up = (y - steps_max..y).rev().find(|&above| !walls.is_wall(Cell::new(x, above)));
    match (up, left) {
        (Some(up), _) => walls.open(x..x + 1, up + 1..y),
        (None, Some(left)) => walls.open(left + 1..x, y..y + 1),
        (None, None) => {
            walls.open(x..x + 1, anchor.y..y);
            // The row may hold ground nearer than the anchor; digging on through it does no harm.
            walls.open(x.min(anchor.x)..x.max(anchor.x), anchor.y..anchor.y + 1);
        }
    }
}

/// Runs of cells, with their rows.
type Runs = Vec<(Range<u32>, u32)>;

/// Enters every cell of ground once, part by part.
struct PartFlood {
    /// Walls, and ground that has been entered.
    closed: Walls,
    /// A cell in each run of ground still to be entered, some of them twice.
    waiting: Vec<Cell>,
}

impl PartFlood {
    /// The first cell from column `from` on in a row that belongs to a part not yet entered.
    fn next_part(&self, from: u32, y: u32) -> Option<Cell> {
        let x = self.closed.next_ground(from, y);
        (x < self.closed.extent().width()).then_some(Cell { x, y })
    }

    /// Enters a whole part, run by run. Returns its runs, with their rows, if it is a small one.
    fn fill(&mut self, first: Cell, work: &mut Work<'_, '_>) -> Made<Option<Runs>> {
        let mut runs = Vec::new();
        let mut cell_count = 0;
        self.enter(first, work, |run, y| {
            if cell_count < PART_CELLS_MIN {
                cell_count += run.end - run.start;
                runs.push((run, y));
            }
        })?;
        Ok((cell_count < PART_CELLS_MIN).then_some(runs))
    }

    /// Enters a whole part and reports its runs with their rows.
    fn enter(
        &mut self,
        first: Cell,
        work: &mut Work<'_, '_>,
        mut entered: impl FnMut(Range<u32>, u32),
    ) -> Made<()> {
        let height = self.closed.extent().height();
        self.waiting.push(first);
        while let Some(Cell { x, y }) = self.waiting.pop() {
            work.piece()?;
            if self.closed.is_wall(Cell { x, y }) {
                continue;
            }
            let start = self.closed.last_wall(x, y).map_or(0, |wall| wall + 1);
            let run = start..self.closed.next_wall(x, y);
            self.closed.close(run.clone(), y);
            if y > 0 {
                self.wait(run.clone(), y - 1);
            }
            if y + 1 < height {
                self.wait(run.clone(), y + 1);
            }
            entered(run, y);
        }
        Ok(())
    }

    /// Notes the runs of a row that border on some columns.
    fn wait(&mut self, columns: Range<u32>, y: u32) {
        let mut x = self.closed.next_ground(columns.start, y);
        while x < columns.end {
            self.waiting.push(Cell { x, y });
            x = self.closed.next_wall(x, y);
            x = self.closed.next_ground(x, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use highroad::planner::Watch;
    use highroad::{GridMap, Terrain};

    fn walls_of(map: &GridMap) -> Walls {
        let mut walls = Walls::solid(map.extent());
        for cell in map.extent().cells() {
            if is_ground(map, cell.x, cell.y) {
                walls.open(cell.x..cell.x + 1, cell.y..cell.y + 1);
            }
        }
        walls
    }

    fn joined(drawing: &str) -> GridMap {
        let mut walls = walls_of(&drawing.parse().unwrap());
        let mut nobody = Watch::none();
        let work = &mut Work::new(&mut nobody, 0);
        join_parts(&mut walls, work).unwrap();
        walls.into_map(work).unwrap()
    }

    fn is_ground(map: &GridMap, x: u32, y: u32) -> bool {
        map.terrain(Cell::new(x, y)) == Some(Terrain::GROUND)
    }

    #[test]
    fn parts_are_joined_by_the_shorter_tunnel_and_small_ones_filled() {
        let before = "
            @@@@@@@@@@@@@@@@@@@@@@@@
            @@@@@@@......@@@@@@@@.@@
            @@@@@@@.....@@@@@@@@@@@@
            @@@@@@@.....@@@.....@@@@
            @@@@@@@@@@@@@@@.....@@@@
            @@@@@@@@@@@@@@.......@@@
            @@@@@@@@@@@@@@@@@@@@@@@@
            .....@@@@.....@@@@@@@@@@
            .....@@@@.....@@@@@@@.@@
            .....@@@@.....@@@@@@@..@
            .....@@@@.....@@@@@@@@@@
        ";
        // Left to the first; up to the first; up and round the corner to the first.
        let after = "
            @@@@@@@@@@@@@@@@@@@@@@@@
            .............@@@@@@@@@@@
            .@@@@@@.....@@@@@@@@@@@@
            .@@@@@@.............@@@@
            .@@@@@@@@.@@@@@.....@@@@
            .@@@@@@@@.@@@@.......@@@
            .@@@@@@@@.@@@@@@@@@@@@@@
            .....@@@@.....@@@@@@@@@@
            .....@@@@.....@@@@@@@@@@
            .....@@@@.....@@@@@@@@@@
            .....@@@@.....@@@@@@@@@@
        ";
        let map = joined(before);
        assert_eq!(map, after.parse().unwrap(), "\n{map}");
    }

    #[test]
    fn of_two_tunnels_the_shorter_is_dug_and_upwards_if_equal() {
        let nearer_left = joined(
            "
            .......@@@
            ...@@@@@@@
            ...@@@@@@@
            .....@....
            .....@....
            .....@....
            .....@....
            ",
        );
        assert!(is_ground(&nearer_left, 5, 3) && !is_ground(&nearer_left, 6, 2), "\n{nearer_left}");
        let equally_near = joined(
            "
            .......@@@
            ...@@@@@@@
            ...@@@@@@@
            ....@@....
            ....@@....
            ....@@....
            ....@@....
            ",
        );
        assert!(
            is_ground(&equally_near, 6, 2) && !is_ground(&equally_near, 5, 3),
            "\n{equally_near}"
        );
    }

    #[test]
    fn the_largest_part_is_kept_and_the_first_of_equal_ones() {
        let kept = |drawing: &str| {
            let map: GridMap = drawing.parse().unwrap();
            let mut walls = walls_of(&map);
            let mut nobody = Watch::none();
            let work = &mut Work::new(&mut nobody, 0);
            keep_largest(&mut walls, work).unwrap();
            walls.into_map(work).unwrap().to_string()
        };
        assert_eq!(kept("..@.\n@@..\n.@..\n"), "@@@.\n@@..\n@@..\n");
        assert_eq!(kept("..@..\n"), "..@@@\n");
        assert_eq!(kept("@@\n"), "@@\n");
    }

    #[test]
    fn maps_without_large_parts_end_up_solid() {
        assert_eq!(joined("@").count(Terrain::GROUND), 0);
        assert_eq!(joined("...............\n").count(Terrain::GROUND), 0);
        assert_eq!(joined("................\n").count(Terrain::GROUND), 16);
    }
}

//! Subgoal graphs as bytes.

use super::lines::{DiagonalWord, LineWord};
use super::{Link, SubgoalGraph, SubgoalMap, serves_subgoals};
use crate::grid::Grid;
use crate::saved::{Kind, LoadError, Reader, Writer, are_beginnings};

impl SubgoalGraph {
    /// The index as bytes, to be loaded again for a grid that is the same.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::index::SubgoalGraph;
    /// let map: highroad::GridMap = "...\n.#.\n...\n".parse()?;
    /// let bytes = SubgoalGraph::build(&Grid::with_defaults(map.clone()))?.save();
    /// let later = Grid::with_defaults(map);
    /// assert_eq!(SubgoalGraph::load(&bytes, &later)?.subgoal_count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::Subgoals, self.fingerprint);
        self.write(&mut writer);
        writer.finish()
    }

    /// The index that [`SubgoalGraph::save`] has made for such a grid. O(bytes). Fails with a [`LoadError`] if the bytes are
    /// damaged, or of another grid.
    pub fn load(bytes: &[u8], grid: &Grid) -> Result<Self, LoadError> {
        let mut reader = Reader::new(bytes, Kind::Subgoals, || grid.fingerprint())?;
        let index = Self::read(&mut reader, grid)?;
        reader.finish()?;
        Ok(index)
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        let map = &self.map;
        for lines in [&map.rows, &map.columns] {
            writer.list(halves(lines.words.iter().map(line_numbers)));
        }
        for family in &map.diagonals {
            writer.list(halves(family.words.iter().map(diagonal_numbers)));
        }
        writer.list(self.first_out.iter().copied());
        let edges = self.edges.iter().flat_map(|link| [link.subgoal, link.cost]);
        writer.list(edges.collect::<Vec<_>>().into_iter());
    }

    pub(crate) fn read(reader: &mut Reader<'_>, grid: &Grid) -> Result<Self, LoadError> {
        if serves_subgoals(grid).is_err() {
            return Err(LoadError::OtherGrid);
        }
        let map = read_map(reader, grid)?;
        let first_out: Vec<u32> = reader.list::<1>("edges")?.flatten().collect();
        let edges: Vec<Link> =
            reader.list::<2>("edges")?.map(|[subgoal, cost]| Link { subgoal, cost }).collect();
        if first_out.len() != map.cells.len() + 1 || !are_beginnings(&first_out, edges.len()) {
            return Err(reader.malformed("edges"));
        }
        for (from, range) in map.cells.iter().zip(first_out.windows(2)) {
            for edge in &edges[range[0] as usize..range[1] as usize] {
                let to = map.cells.get(edge.subgoal as usize);
                if to.and_then(|&to| map.cost_in_sight(*from, to)) != Some(u64::from(edge.cost)) {
                    return Err(reader.malformed("edges"));
                }
            }
        }
        Ok(Self::of(map, first_out, edges, grid))
    }
}

fn line_numbers(word: &LineWord) -> [u64; 8] {
    let ([up, down], [a, b, c, d]) = (word.stops, word.back);
    [word.open, up, down, a, b, c, d, word.subgoals]
}

fn diagonal_numbers(word: &DiagonalWord) -> [u64; 6] {
    let [[a, b], [c, d]] = word.sees;
    [word.open, word.through, a, b, c, d]
}

/// Wide numbers as pairs of words.
fn halves<const N: usize>(
    words: impl Iterator<Item = [u64; N]>,
) -> impl ExactSizeIterator<Item = u32> {
    let pairs = words.flatten().flat_map(|wide| [wide as u32, (wide >> 32) as u32]);
    pairs.collect::<Vec<u32>>().into_iter()
}

fn wide<const W: usize>(words: &[u32]) -> [u64; W] {
    std::array::from_fn(|at| u64::from(words[2 * at]) | u64::from(words[2 * at + 1]) << 32)
}

/// The map of a grid, if the bytes say the same of it. It is made from the grid: to check that the bits fit together
/// would take as long.
fn read_map(reader: &mut Reader<'_>, grid: &Grid) -> Result<SubgoalMap, LoadError> {
    let map = SubgoalMap::new(grid);
    for lines in [&map.rows, &map.columns] {
        let words = reader.list::<16>("rows and columns")?.map(|numbers| wide(&numbers));
        if !words.eq(lines.words.iter().map(line_numbers)) {
            return Err(reader.malformed("rows and columns"));
        }
    }
    for family in &map.diagonals {
        let words = reader.list::<12>("diagonals")?.map(|numbers| wide(&numbers));
        if !words.eq(family.words.iter().map(diagonal_numbers)) {
            return Err(reader.malformed("diagonals"));
        }
    }
    Ok(map)
}

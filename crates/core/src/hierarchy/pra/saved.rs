//! Saving and loading: a patched abstraction depends on its history, and cannot be built again.
//!
//! Everything is kept that later edits depend on: numbers, the order of children and of links, which numbers
//! are vacant, which cells wait to be patched. What is loaded is checked like after an edit, so that no bytes make a
//! query panic.

use super::layer::{Joint, Kin, Layer, LayerPoint, NONE, Places};
use super::links::Links;
use super::pending::{CellChange, ChangedCells, Pending};
use super::survey::{Assessment, FLOOD_LAYER_MAX};
use super::{Pra, PraOptions, check_options};
use crate::grid::shared::Shared;
use crate::grid::{Cell, CellRect, Edition, Extent, Grid};
use crate::saved::{Kind, LoadError, Reader, Writer};

impl Pra {
    /// The abstraction as bytes. Fails with [`LoadError::OtherGrid`] if it does not describe the grid as it is now, and does
    /// not follow an edit that led to it.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::hierarchy::{Pra, PraOptions};
    /// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
    /// let pra = Pra::build(&grid, PraOptions::default())?;
    /// let bytes = pra.save(&grid)?;
    /// assert!(Pra::load(&bytes, &grid, pra.options())? == pra);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self, grid: &Grid) -> Result<Vec<u8>, LoadError> {
        let is_following = self.pending.grid == Some(grid.edition());
        if self.grid != grid.edition() && !is_following {
            return Err(LoadError::OtherGrid);
        }
        let mut writer = Writer::new(Kind::Cliques, grid.fingerprint());
        let has_ways = self.layers.iter().any(|layer| !layer.ways.is_empty());
        let numbers = [self.layers.len(), self.usual_layer, self.wear].map(|n| n as u32);
        // Three numbers more say that there are ways.
        let numbers = numbers.into_iter().chain([0; 3].into_iter().filter(|_| has_ways));
        writer.list(numbers.collect::<Vec<_>>().into_iter());
        write_kin(&mut writer, &self.cells);
        for layer in &self.layers {
            write_kin(&mut writer, &layer.kin);
            let places = layer.places.iter().flat_map(|place| {
                let two = |low: u16, high: u16| u32::from(low) | u32::from(high) << 16;
                [two(place.x, place.y), two(place.toll, place.children)]
            });
            writer.list(places.collect::<Vec<_>>().into_iter());
            writer.list(layer.first_child.iter().copied());
            write_links(&mut writer, layer, Joint::BothWays);
            writer.list(layer.vacant.iter().copied());
            for way in Joint::WAYS.into_iter().filter(|_| has_ways) {
                write_links(&mut writer, layer, way);
            }
        }
        if is_following {
            write_pending(&mut writer, &self.pending);
        }
        Ok(writer.finish())
    }

    /// The abstraction that [`Pra::save`] has made for such a grid. The options may be others. If it was saved before it had
    /// followed an edit to the end, it goes on by [`Planner::catch_up_on`](crate::Planner::catch_up_on). O(bytes). Fails
    /// with a [`LoadError`] if the bytes are damaged or of another grid, or if the options do not suit the grid.
    pub fn load(bytes: &[u8], grid: &Grid, options: PraOptions) -> Result<Self, LoadError> {
        if check_options(grid, options).is_err() {
            return Err(LoadError::OtherGrid);
        }
        let mut reader = Reader::new(bytes, Kind::Cliques, || grid.fingerprint())?;
        let mut numbers = reader.list::<3>("numbers of layers")?;
        let [layer_count, usual_layer, wear] = numbers.next().unwrap_or_default();
        let has_ways = numbers.next().is_some();
        let cells = read_kin(&mut reader)?;
        let mut layers = Vec::new();
        for _ in 0..layer_count {
            layers.push(read_layer(&mut reader, has_ways)?);
        }
        let pending = match reader.left() {
            0 => Pending::default(),
            _ => read_pending(&mut reader, grid, layers.len())?,
        };
        let malformed = reader.malformed("layers");
        reader.finish()?;
        if cells.len() != grid.extent().cell_count() || !refers_inside(&cells, &layers) {
            return Err(malformed);
        }
        let pra = Self {
            options,
            extent: grid.extent(),
            cells,
            layers,
            usual_layer: usual_layer as usize,
            wear: wear as usize,
            movement: grid.shared_movement(),
            // One that follows an edit describes no grid that there is.
            grid: pending.grid.map_or(grid.edition(), |_| Edition::new()),
            own: Edition::new(),
            pending,
        };
        match pra.check_nodes(grid) {
            Ok(()) => Ok(pra),
            Err(_) => Err(malformed),
        }
    }
}

impl PartialEq for Pra {
    /// Whether they are the same node by node, so that later edits do the same to both.
    fn eq(&self, other: &Self) -> bool {
        let same_links = |a: &Layer, b: &Layer| {
            let same = |node, joint| a.joined(joint, node) == b.joined(joint, node);
            (0..a.capacity() as u32).all(|node| {
                same(node, Joint::BothWays) && Joint::WAYS.iter().all(|&way| same(node, way))
            })
        };
        let same = |(a, b): (&Layer, &Layer)| {
            a.places == b.places
                && a.first_child == b.first_child
                && a.kin == b.kin
                && a.vacant == b.vacant
                && same_links(a, b)
        };
        self.options == other.options
            && self.extent == other.extent
            && self.cells == other.cells
            && (self.usual_layer, self.wear) == (other.usual_layer, other.wear)
            && self.pending.cells == other.pending.cells
            && self.pending.assessment == other.pending.assessment
            && self.layers.len() == other.layers.len()
            && self.layers.iter().zip(&other.layers).all(same)
    }
}

fn write_kin(writer: &mut Writer, kin: &Shared<Kin>) {
    let words = kin.iter().flat_map(|kin| [kin.parent, kin.sibling]);
    writer.list(words.collect::<Vec<_>>().into_iter());
}

fn read_kin(reader: &mut Reader<'_>) -> Result<Shared<Kin>, LoadError> {
    let groups = reader.list::<2>("parents")?;
    Ok(groups.map(|[parent, sibling]| Kin { parent, sibling }).collect())
}

fn write_links(writer: &mut Writer, layer: &Layer, joint: Joint) {
    let links = |node: usize| layer.joined(joint, node as u32);
    writer.list((0..layer.capacity()).map(|node| links(node).len() as u32));
    let all = (0..layer.capacity()).flat_map(|node| links(node).iter().copied());
    writer.list(all.collect::<Vec<_>>().into_iter());
}

/// The lists of so many nodes.
fn read_links(reader: &mut Reader<'_>, count: usize) -> Result<Links, LoadError> {
    let lengths: Vec<u32> = reader.list::<1>("numbers of links")?.flatten().collect();
    let all: Vec<u32> = reader.list::<1>("links")?.flatten().collect();
    let total: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
    let fits = lengths.len() == count
        && total == all.len() as u64
        && all.iter().all(|&node| (node as usize) < count);
    if !fits {
        return Err(reader.malformed("links"));
    }
    let mut links = Links::default();
    let mut left = &all[..];
    for (node, &length) in lengths.iter().enumerate() {
        let (own, others) = left.split_at(length as usize);
        links.set(node as u32, own);
        left = others;
    }
    Ok(links)
}

fn read_layer(reader: &mut Reader<'_>, has_ways: bool) -> Result<Layer, LoadError> {
    let kin = read_kin(reader)?;
    let halves = |word: u32| (word as u16, (word >> 16) as u16);
    let places = reader.list::<2>("places")?.map(|[first, second]| {
        let ((x, y), (toll, children)) = (halves(first), halves(second));
        LayerPoint { x, y, toll, children }
    });
    let places: Places = places.collect();
    let first_child: Shared<u32> = reader.list::<1>("children")?.flatten().collect();
    let count = kin.len();
    let mut links = read_links(reader, count)?;
    links.grow(count);
    let vacant = reader.list::<1>("vacant numbers")?.flatten().collect();
    if [places.len(), first_child.len()].iter().any(|&len| len != count) {
        return Err(reader.malformed("nodes"));
    }
    let mut layer = Layer { places, first_child, kin, vacant, links, ..Layer::default() };
    for way in Joint::WAYS.into_iter().filter(|_| has_ways) {
        *layer.lists_mut(way) = read_links(reader, count)?;
    }
    Ok(layer)
}

/// What is left to be done to follow an edit: the cells, then how far it is decided where searches begin.
fn write_pending(writer: &mut Writer, pending: &Pending) {
    let two = |cell: Cell| cell.x | cell.y << 16;
    let cells = pending.cells.iter().flat_map(|changed| {
        [two(changed.rect.min()), two(changed.rect.max()), changed.what as u32]
    });
    writer.list(cells.collect::<Vec<_>>().into_iter());
    let numbers = pending.assessment.map(|assessment| {
        let Assessment { by_count, first, layer, sample, straight, walked, even, uneven } =
            assessment;
        let small = [by_count, first, layer, sample, even, uneven].map(|number| number as u32);
        let large = [straight, walked].map(|sum| [sum as u32, (sum >> 32) as u32]);
        [&small[..], large.as_flattened()].concat()
    });
    writer.list(numbers.unwrap_or_default().into_iter());
}

fn read_pending(
    reader: &mut Reader<'_>,
    grid: &Grid,
    layer_count: usize,
) -> Result<Pending, LoadError> {
    /// Sums of costs are far below this.
    const SUM_MAX: u64 = 1 << 48;
    /// How often all cells may wait: edits come no faster than they are followed.
    const TIMES_MAX: u64 = 64;
    let extent: Extent = grid.extent();
    let cell = |word: u32| Cell::new(word & 0xffff, word >> 16);
    let mut cells = Vec::new();
    for [min, max, what] in reader.list::<3>("changed cells")? {
        let (min, max) = (cell(min), cell(max));
        let what = CellChange::ALL.get(what as usize).copied();
        let what = what.filter(|_| extent.contains(max) && min.x <= max.x && min.y <= max.y);
        let Some(what) = what else { return Err(reader.malformed("changed cells")) };
        cells.push(ChangedCells { rect: CellRect::new(min, max), what });
    }
    let count: u64 = cells.iter().map(|changed| changed.rect.cell_count()).sum();
    if count > TIMES_MAX * extent.cell_count() as u64 {
        return Err(reader.malformed("changed cells"));
    }
    let mut assessment = None;
    for words in reader.list::<10>("assessed layers")? {
        let [by_count, first, layer, sample, even, uneven, ..] = words.map(|word| word as usize);
        let sum = |low: usize| u64::from(words[low]) | u64::from(words[low + 1]) << 32;
        let (straight, walked) = (sum(6), sum(8));
        let fits = layer <= first && first <= by_count.min(FLOOD_LAYER_MAX);
        if !fits || by_count > layer_count || straight > SUM_MAX || walked > SUM_MAX {
            return Err(reader.malformed("assessed layers"));
        }
        assessment =
            Some(Assessment { by_count, first, layer, sample, straight, walked, even, uneven });
    }
    Ok(Pending { grid: Some(grid.edition()), cells, assessment })
}

/// Whether every number is that of something there.
fn refers_inside(cells: &Shared<Kin>, layers: &[Layer]) -> bool {
    let inside = |node: u32, count: usize| node == NONE || (node as usize) < count;
    let kin_inside = |kin: &Shared<Kin>, above: usize| {
        let count = kin.len();
        kin.iter().all(|kin| inside(kin.parent, above) && inside(kin.sibling, count))
    };
    let mut below = cells;
    for layer in layers {
        let children = layer.first_child.iter().all(|&child| inside(child, below.len()));
        let vacant = layer.vacant.iter().all(|&node| (node as usize) < layer.capacity());
        if !kin_inside(below, layer.capacity()) || !children || !vacant {
            return false;
        }
        below = &layer.kin;
    }
    !layers.is_empty() && kin_inside(below, 0)
}

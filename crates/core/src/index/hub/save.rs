//! Labels as bytes.

use super::flat::{Labels, Layout, Node};
use super::landmarks;
use super::neighbours::Ways;
use super::reach::{Nodes, Reach};
use super::{Answers, HubFallback, HubLabels, Labelled};
use crate::grid::Grid;
use crate::index::ch::ChIndex;
use crate::index::subgoal::{SubgoalGraph, SubgoalMap};
use crate::saved::{Kind, LoadError, Reader, Writer, are_beginnings};

const LABELS: u32 = 0;
const NO_MEMORY: u32 = 1;
const TOO_FAR: u32 = 2;

impl HubLabels {
    /// The index as bytes, to be loaded again for a grid that is the same.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::index::{HubLabels, HubOptions};
    /// use highroad::saved::LoadError;
    /// let map: highroad::GridMap = "...\n.#.\n...\n".parse()?;
    /// let index = HubLabels::build(&Grid::with_defaults(map.clone()), HubOptions::default())?;
    /// let bytes = index.save();
    /// let loaded = HubLabels::load(&bytes, &Grid::with_defaults(map))?;
    /// assert_eq!(loaded.entry_count(), index.entry_count());
    /// let other = Grid::with_defaults("...\n...\n...\n".parse()?);
    /// assert_eq!(HubLabels::load(&bytes, &other).err(), Some(LoadError::OtherGrid));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::Labels, self.fingerprint);
        match &self.answers {
            Answers::Labels(labelled) => {
                writer.list([LABELS, 0, 0].into_iter());
                labelled.write(&mut writer);
            }
            Answers::Hierarchy { index, reason } => {
                let reason = match *reason {
                    HubFallback::Memory { bytes_max } => {
                        [NO_MEMORY, bytes_max as u32, (bytes_max as u64 >> 32) as u32]
                    }
                    HubFallback::Distance => [TOO_FAR, 0, 0],
                };
                writer.list(reason.into_iter());
                index.write(&mut writer);
            }
        }
        writer.finish()
    }

    /// The index that [`HubLabels::save`] has made for such a grid. O(bytes). Fails with a [`LoadError`] if the bytes are
    /// damaged, or of another grid.
    pub fn load(bytes: &[u8], grid: &Grid) -> Result<Self, LoadError> {
        let mut reader = Reader::new(bytes, Kind::Labels, || grid.fingerprint())?;
        let mut kinds = reader.list::<3>("kind of answers")?;
        let (Some([kind, low, high]), None) = (kinds.next(), kinds.next()) else {
            return Err(reader.malformed("kind of answers"));
        };
        let answers = match kind {
            LABELS => Answers::Labels(Box::new(Labelled::read(&mut reader, grid)?)),
            NO_MEMORY | TOO_FAR => {
                let bytes_max = (u64::from(high) << 32 | u64::from(low)) as usize;
                let reason = match kind {
                    NO_MEMORY => HubFallback::Memory { bytes_max },
                    _ => HubFallback::Distance,
                };
                Answers::Hierarchy { index: Box::new(ChIndex::read(&mut reader, grid)?), reason }
            }
            _ => return Err(reader.malformed("kind of answers")),
        };
        reader.finish()?;
        Ok(Self::of(answers, grid))
    }
}

impl Labelled {
    fn write(&self, writer: &mut Writer) {
        let Self { subgoals, labels, reach } = self;
        subgoals.write(writer);
        let beginnings: Vec<u32> =
            [0].into_iter().chain(labels.nodes.iter().map(|node| node.end)).collect();
        writer.list(beginnings.into_iter());
        writer.list([labels.layout.hub_bits, labels.layout.distance_bits].into_iter());
        let entries =
            labels.entries.iter().flat_map(|&packed| [packed as u32, (packed >> 32) as u32]);
        writer.list(entries.collect::<Vec<_>>().into_iter());
        writer.list(labels.tree_first.iter().copied());
        writer.list(labels.trees.iter().copied());
        writer.list([labels.landmark_shift].into_iter());
        let distances = labels.nodes.iter().flat_map(|node| node.landmarks);
        writer.list(distances.map(|distance| distance as u32).collect::<Vec<_>>().into_iter());
        writer.list(reach.first.iter().copied());
        match &reach.nodes {
            Nodes::Short(list) => writer.list(list.chunks(2).map(|pair| {
                u32::from(pair[0]) | u32::from(pair.get(1).copied().unwrap_or(0)) << 16
            })),
            Nodes::Long(list) => writer.list(list.iter().copied()),
        }
    }

    fn read(reader: &mut Reader<'_>, grid: &Grid) -> Result<Self, LoadError> {
        let subgoals = Box::new(SubgoalGraph::read(reader, grid)?);
        let beginnings: Vec<u32> = reader.list::<1>("labels")?.flatten().collect();
        let mut layouts = reader.list::<2>("labels")?;
        let (Some([hub_bits, distance_bits]), None) = (layouts.next(), layouts.next()) else {
            return Err(reader.malformed("labels"));
        };
        let entries = reader.list::<2>("labels")?;
        let entries: Vec<u64> =
            entries.map(|[low, high]| u64::from(high) << 32 | u64::from(low)).collect();
        let tree_first = reader.list::<1>("trees of hubs")?.flatten().collect();
        let trees = reader.list::<1>("trees of hubs")?.flatten().collect();
        let mut shifts = reader.list::<1>("distances to landmarks")?.flatten();
        let (Some(landmark_shift), None) = (shifts.next(), shifts.next()) else {
            return Err(reader.malformed("distances to landmarks"));
        };
        let distances = reader.list::<{ landmarks::COUNT }>("distances to landmarks")?;
        let distances: Vec<_> =
            distances.map(|of_node| of_node.map(|distance| distance as i16)).collect();
        let known = 0..=landmarks::APART;
        if distances.len() != subgoals.subgoal_count()
            || landmark_shift >= u32::BITS
            || !distances.as_flattened().iter().all(|distance| known.contains(distance))
        {
            return Err(reader.malformed("distances to landmarks"));
        }
        if beginnings.len() != distances.len() + 1 || !are_beginnings(&beginnings, entries.len()) {
            return Err(reader.malformed("labels"));
        }
        let nodes = Node::all(&subgoals.map.cells, &distances, &beginnings);
        let layout = Layout { hub_bits, distance_bits };
        let labels = Labels { nodes, landmark_shift, entries, layout, tree_first, trees };
        if !labels.is_sound(&subgoals) {
            return Err(reader.malformed("labels"));
        }
        let first: Vec<u32> = reader.list::<1>("links of cells")?.flatten().collect();
        let count = first.last().map_or(0, |&end| end as usize);
        let words = reader.list::<1>("links of cells")?.flatten();
        let nodes = match Nodes::for_count(subgoals.subgoal_count()) {
            Nodes::Short(_) => {
                let mut list: Vec<u16> =
                    words.flat_map(|pair| [pair as u16, (pair >> 16) as u16]).collect();
                if list.len() == count + 1 {
                    list.pop();
                }
                Nodes::Short(list)
            }
            Nodes::Long(_) => Nodes::Long(words.collect()),
        };
        let reach = Reach { first, nodes };
        if !reach.is_sound(&subgoals.map) {
            return Err(reader.malformed("links of cells"));
        }
        Ok(Self { subgoals, labels, reach })
    }
}

impl Reach {
    /// Whether there is a list for each cell, of nodes that there are and that the cell sees.
    fn is_sound(&self, map: &SubgoalMap) -> bool {
        self.first.len() == map.extent.cell_count() + 1
            && are_beginnings(&self.first, self.nodes.len())
            && map.extent.cells().zip(self.first.windows(2)).all(|(cell, range)| {
                let range = range[0] as usize..range[1] as usize;
                let seen = |node: usize| map.cells.get(node).is_some_and(|&to| map.sees(cell, to));
                match &self.nodes {
                    Nodes::Short(list) => list[range].iter().all(|&node| seen(usize::from(node))),
                    Nodes::Long(list) => list[range].iter().all(|&node| seen(node as usize)),
                }
            })
    }
}

impl Labels {
    /// Whether each label is sorted, and each of its entries leads word by word to its hub, every step
    /// as long as it says and open as it says. So every way ends, costs what was promised, and can be walked.
    pub(super) fn is_sound(&self, subgoals: &SubgoalGraph) -> bool {
        let count = subgoals.subgoal_count();
        let Layout { hub_bits, distance_bits } = self.layout;
        if self.tree_first.len() != count + 1
            || !are_beginnings(&self.tree_first, self.trees.len())
            || hub_bits.max(distance_bits) > 30
            || !self.entries.iter().all(|&packed| (self.layout.hub(packed) as usize) < count)
        {
            return false;
        }
        // Which entry each word belongs to.
        let mut owners = vec![u32::MAX; self.trees.len()];
        for (at, &packed) in (0..).zip(&self.entries) {
            let place = self.place_wide(packed);
            match owners.get_mut(place) {
                Some(owner) if *owner == u32::MAX => *owner = at,
                _ => return false,
            }
        }
        (0..count as u32).all(|node| {
            let range = self.range(node);
            self.of(node).is_sorted_by(|&a, &b| self.layout.hub(a) < self.layout.hub(b))
                && range.into_iter().all(|at| self.leads_on(subgoals, node, at, &owners))
        })
    }

    /// As [`Labels::place`], which may be anywhere.
    fn place_wide(&self, packed: u64) -> usize {
        let within = packed >> self.layout.hub_bits >> self.layout.distance_bits;
        let place =
            within.saturating_add(u64::from(self.tree_first[self.layout.hub(packed) as usize]));
        usize::try_from(place).unwrap_or(usize::MAX)
    }

    /// Whether an entry of a node leads to one of its parent, or is the hub's own.
    fn leads_on(&self, subgoals: &SubgoalGraph, node: u32, at: usize, owners: &[u32]) -> bool {
        let entry = self.entry(self.entries[at]);
        let place = self.place_wide(self.entries[at]) as u32;
        let Some((word, parent)) = self.checked_step(place) else { return false };
        if word.node() != node {
            return false;
        }
        if word.is_root() {
            // The first word of its tree: a hub has but one.
            return entry.distance == 0 && place == self.tree_first[entry.hub as usize];
        }
        let Some(&above) = self.entries.get(owners[parent as usize] as usize) else { return false };
        let above = self.entry(above);
        let Some((parent, _)) = self.checked_step(parent) else { return false };
        let map = &subgoals.map;
        let (here, cell) = (map.cells[node as usize], map.cells.get(parent.node() as usize));
        cell.is_some_and(|&cell| {
            above.hub == entry.hub
                && above.distance.checked_add(map.way(cell, node)) == Some(entry.distance)
                && are_open(word.ways(), || map.sees(here, cell), || map.sees(cell, here))
        })
    }
}

/// Whether the ways by which a query walks a step of a tree are open, up and down: by diagonal steps first where the
/// word says so, else the other end's way backwards.
fn are_open(ways: Ways, there: impl Fn() -> bool, back: impl Fn() -> bool) -> bool {
    (if ways.there() { there() } else { back() }) && (if ways.back() { back() } else { there() })
}

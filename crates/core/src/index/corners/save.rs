//! Labels of corners as bytes.

use super::CornerLabels;
use super::graph::{Corners, leg_between};
use super::labels::{Entry, Labels};
use crate::mesh::Mesh;
use crate::saved::{Kind, LoadError, Reader, Writer, are_beginnings};

impl CornerLabels {
    /// The labels as bytes, to be loaded again for a mesh that is the same.
    ///
    /// ```
    /// use highroad::index::{CornerLabels, CornerOptions};
    /// use highroad::mesh::Mesh;
    /// use highroad::saved::LoadError;
    /// let corridor = |width| {
    ///     let vertices = vec![[0.0, 0.0], [4.0, 0.0], [4.0, width], [width, width], [width, 4.0], [0.0, 4.0]];
    ///     Mesh::from_polygons(vertices, &[vec![0, 1, 2, 3], vec![0, 3, 4, 5]])
    /// };
    /// let bytes = CornerLabels::build(&corridor(1.0)?, CornerOptions::default())?.save();
    /// assert!(CornerLabels::load(&bytes, &corridor(1.0)?).is_ok());
    /// assert_eq!(CornerLabels::load(&bytes, &corridor(2.0)?).err(), Some(LoadError::OtherGrid));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Vec<u8> {
        let mut writer = Writer::new(Kind::CornerLabels, self.fingerprint);
        let Labels { first, entries } = &self.labels;
        writer.list(first.iter().copied());
        writer.list(entries.iter().map(|entry| entry.hub));
        writer.list(entries.iter().map(|entry| entry.next));
        writer.list(entries.iter().map(|entry| entry.distance as u32));
        writer.list(entries.iter().map(|entry| (entry.distance >> 32) as u32));
        writer.finish()
    }

    /// The labels that [`CornerLabels::save`] has made for such a mesh. O(bytes · log entries). Fails with a
    /// [`LoadError`] if the bytes are damaged, or of another mesh.
    pub fn load(bytes: &[u8], mesh: &Mesh) -> Result<Self, LoadError> {
        let mut reader = Reader::new(bytes, Kind::CornerLabels, || mesh.fingerprint())?;
        if super::serves(mesh).is_err() {
            return Err(LoadError::OtherGrid);
        }
        let corners = Corners::of(mesh.shape());
        let mut words = |what| -> Result<Vec<u32>, LoadError> {
            Ok(reader.list::<1>(what)?.map(|[word]| word).collect())
        };
        let first = words("where labels begin")?;
        let lists = [words("hubs")?, words("ways")?, words("distances")?, words("distances")?];
        let count = lists[0].len();
        let is_sound = first.len() == corners.nodes.len() + 1
            && are_beginnings(&first, count)
            && lists.iter().all(|list| list.len() == count);
        if !is_sound {
            return Err(reader.malformed("labels"));
        }
        let [hubs, ways, low, high] = lists;
        let entry = |at: usize| {
            let distance = u64::from(high[at]) << 32 | u64::from(low[at]);
            Entry { distance, hub: hubs[at], next: ways[at] }
        };
        let labels = Labels { first, entries: (0..count).map(entry).collect() };
        let loaded = Self::of(corners, labels, mesh);
        if loaded.check(mesh).is_err() {
            return Err(reader.malformed("labels"));
        }
        reader.finish()?;
        Ok(loaded)
    }

    /// Whether labels are sorted, every way leads to its hub, and distances are the sums of legs on the way.
    pub(super) fn check(&self, mesh: &Mesh) -> Result<(), &'static str> {
        let count = self.corners.nodes.len() as u32;
        for node in 0..count {
            let label = self.labels.of_node(node);
            if !label.is_sorted_by(|one, other| one.hub < other.hub) {
                return Err("a label is not sorted by its hubs");
            }
            for &Entry { distance: claimed, hub, next } in label {
                if hub >= count || next >= count {
                    return Err("a label names a corner that is not there");
                }
                if next == node {
                    if claimed != 0 {
                        return Err("a hub is away from itself");
                    }
                    continue;
                }
                let before =
                    self.labels.entry(next, hub).ok_or("a way does not lead to its hub")?;
                let [a, b] = [node, next].map(|node| self.corners.nodes[node as usize].at);
                let leg = leg_between(mesh, a, b);
                if before.distance.checked_add(leg) != Some(claimed) {
                    return Err("a distance is not the sum of its legs");
                }
            }
        }
        Ok(())
    }
}

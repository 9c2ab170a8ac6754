//! Batches of edits of a mesh: obstacles, areas and links that come, change and go.

use super::link::{MeshLink, MeshLinkError};
use super::obstacle::{Obstacle, ObstacleError};
use super::point::MeshPoint;
use std::sync::Arc;
use thiserror::Error;

/// What a mesh has under a name.
///
/// ```
/// use highroad::mesh::{Mesh, MeshBatch, MeshItem, MeshLink, MeshPoint};
/// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
/// let jump = MeshLink::new(MeshPoint::new(1.0, 1.0)?, MeshPoint::new(7.0, 7.0)?, 2.0)?;
/// let changes = mesh.apply(MeshBatch::new().place_link("jump", jump))?;
/// let item: &MeshItem = changes[0].after.as_ref().expect("it was placed");
/// assert!(item.link() == Some(&jump) && item.obstacle().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshItem {
    /// An obstacle, or an area.
    Obstacle(Arc<Obstacle>),
    /// A link.
    Link(Arc<MeshLink>),
}

impl MeshItem {
    /// The obstacle or area, if it is one.
    pub fn obstacle(&self) -> Option<&Arc<Obstacle>> {
        match self {
            Self::Obstacle(obstacle) => Some(obstacle),
            Self::Link(_) => None,
        }
    }

    /// The link, if it is one.
    pub fn link(&self) -> Option<&MeshLink> {
        match self {
            Self::Obstacle(_) => None,
            Self::Link(link) => Some(link),
        }
    }

    /// Whether a straight leg comes to it, or is the link. One that only just misses an obstacle may count.
    fn is_met(&self, from: MeshPoint, to: MeshPoint) -> bool {
        match self {
            Self::Obstacle(obstacle) => obstacle.is_met_by(from.xy(), to.xy()),
            Self::Link(link) => link.joins(from, to),
        }
    }
}

/// One step of a batch.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Place(MeshItem),
    MoveBy([f64; 2]),
    /// Opens or closes a link.
    SetOpen(bool),
    Remove,
}

/// Edits of a mesh to be made together, in their order: one batch, one revision.
///
/// Obstacles, areas and links have names. To place one under a name that is in use replaces what had it.
///
/// ```
/// use highroad::environment::Environment;
/// use highroad::mesh::{Mesh, MeshBatch, MeshPoint, Obstacle};
/// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
/// let wall = Obstacle::new(vec![[3.0, 1.0], [4.0, 1.0], [4.0, 7.0], [3.0, 7.0]])?;
/// let mut batch = MeshBatch::new();
/// batch.place("wall", wall);
/// let changes = mesh.apply(&batch)?;
/// let middle = MeshPoint::new(3.5, 4.0)?;
/// assert!(mesh.check_place(middle).is_err());
///
/// let mut batch = MeshBatch::new();
/// batch.move_by("wall", [2.0, 0.0]);
/// mesh.apply(&batch)?;
/// assert!(mesh.check_place(middle).is_ok());
///
/// mesh.apply(MeshBatch::new().remove("wall"))?;
/// assert_eq!(mesh.obstacles().count(), 0);
/// mesh.apply(&MeshBatch::undoing(&changes)).expect_err("it is gone already");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshBatch {
    pub(super) steps: Vec<(Arc<str>, Step)>,
}

impl MeshBatch {
    /// A batch without edits yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, name: impl Into<Arc<str>>, step: Step) -> &mut Self {
        self.steps.push((name.into(), step));
        self
    }

    /// Places an obstacle or an area under a name, in place of what has the name.
    pub fn place(&mut self, name: impl Into<Arc<str>>, obstacle: Obstacle) -> &mut Self {
        self.push(name, Step::Place(MeshItem::Obstacle(Arc::new(obstacle))))
    }

    /// Places a link under a name, in place of what has the name. See [`MeshLink`] for an example.
    pub fn place_link(&mut self, name: impl Into<Arc<str>>, link: MeshLink) -> &mut Self {
        self.push(name, Step::Place(MeshItem::Link(Arc::new(link))))
    }

    /// Places what a mesh has had under a name.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, Obstacle};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let post = Obstacle::new(vec![[4.0, 2.0], [6.0, 4.0], [4.0, 6.0]])?;
    /// mesh.apply(MeshBatch::new().place("post", post))?;
    /// let mut batch = MeshBatch::new();
    /// for (name, item) in mesh.items() {
    ///     batch.place_item(name, item.clone());
    /// }
    /// let mut again = Mesh::from_cells(8, 8, |_, _| true)?;
    /// again.apply(&batch)?;
    /// assert_eq!(again.fingerprint(), mesh.fingerprint());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place_item(&mut self, name: impl Into<Arc<str>>, item: MeshItem) -> &mut Self {
        self.push(name, Step::Place(item))
    }

    /// Opens a link that is closed.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, MeshLink, MeshPoint};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let gate = MeshLink::new(MeshPoint::new(1.0, 1.0)?, MeshPoint::new(7.0, 7.0)?, 2.0)?;
    /// mesh.apply(MeshBatch::new().place_link("gate", gate).close_link("gate"))?;
    /// assert!(!mesh.has_links());
    /// mesh.apply(MeshBatch::new().open_link("gate"))?;
    /// assert!(mesh.has_links());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_link(&mut self, name: impl Into<Arc<str>>) -> &mut Self {
        self.push(name, Step::SetOpen(true))
    }

    /// Closes a link: it keeps its name, but nobody can use it. See [`MeshLink`] for an example.
    pub fn close_link(&mut self, name: impl Into<Arc<str>>) -> &mut Self {
        self.push(name, Step::SetOpen(false))
    }

    /// Moves an obstacle, an area or a link.
    pub fn move_by(&mut self, name: impl Into<Arc<str>>, by: [f64; 2]) -> &mut Self {
        self.push(name, Step::MoveBy(by))
    }

    /// Removes what has a name.
    pub fn remove(&mut self, name: impl Into<Arc<str>>) -> &mut Self {
        self.push(name, Step::Remove)
    }

    /// What takes changes back.
    ///
    /// ```
    /// use highroad::mesh::{Mesh, MeshBatch, Obstacle};
    /// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
    /// let before = mesh.fingerprint();
    /// let wall = Obstacle::new(vec![[3.0, 1.0], [4.0, 1.0], [4.0, 7.0]])?;
    /// let changes = mesh.apply(MeshBatch::new().place("wall", wall))?;
    /// assert_ne!(mesh.fingerprint(), before);
    /// mesh.apply(&MeshBatch::undoing(&changes))?;
    /// assert_eq!(mesh.fingerprint(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undoing(changes: &[MeshChange]) -> Self {
        let undo = |change: &MeshChange| {
            let step = match &change.before {
                Some(item) => Step::Place(item.clone()),
                None => Step::Remove,
            };
            (change.name.clone(), step)
        };
        Self { steps: changes.iter().rev().map(undo).collect() }
    }
}

/// An obstacle, an area or a link that an edit has placed, replaced or removed.
///
/// A path is touched if it comes to where the obstacle was or is, or if it uses the link.
///
/// ```
/// use highroad::environment::Environment;
/// use highroad::mesh::{Mesh, MeshBatch, MeshChange, MeshPoint, Obstacle};
/// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
/// let wall = Obstacle::new(vec![[3.0, 0.0], [5.0, 0.0], [5.0, 4.0], [3.0, 4.0]])?;
/// let changes: Vec<MeshChange> = mesh.apply(MeshBatch::new().place("wall", wall))?;
/// let way = [MeshPoint::new(0.0, 0.0)?, MeshPoint::new(8.0, 4.0)?, MeshPoint::new(8.0, 8.0)?];
/// assert_eq!(mesh.first_touched(&way, 0, &changes[0]), Some(1));
/// assert_eq!(mesh.first_touched(&way, 1, &changes[0]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshChange {
    /// Its name.
    pub name: Arc<str>,
    /// What had the name before.
    pub before: Option<MeshItem>,
    /// What has it now.
    pub after: Option<MeshItem>,
}

impl MeshChange {
    /// What was there, and what is there now.
    pub(super) fn items(&self) -> impl Iterator<Item = &MeshItem> {
        [&self.before, &self.after].into_iter().flatten()
    }

    /// Whether a straight leg comes to where something was or is, of what counts.
    pub(super) fn is_met(
        &self,
        from: MeshPoint,
        to: MeshPoint,
        counts: impl Fn(&MeshItem) -> bool,
    ) -> bool {
        self.items().any(|item| counts(item) && item.is_met(from, to))
    }
}

/// Why a batch of edits of a mesh cannot be made.
///
/// ```
/// use highroad::mesh::{Mesh, MeshBatch, MeshEditError};
/// let mut mesh = Mesh::from_cells(8, 8, |_, _| true)?;
/// let error: MeshEditError = mesh.apply(MeshBatch::new().remove("wall")).unwrap_err();
/// assert_eq!(error.to_string(), "there is no obstacle, area or link \"wall\"");
/// # Ok::<(), highroad::mesh::AreaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MeshEditError {
    /// Nothing has that name.
    #[error("there is no obstacle, area or link {name:?}")]
    NoSuchItem {
        /// The name.
        name: Arc<str>,
    },
    /// No link has that name.
    #[error("there is no link {name:?}")]
    NoSuchLink {
        /// The name.
        name: Arc<str>,
    },
    /// A link cannot be moved like that.
    #[error("link {name:?} cannot be moved there: {error}")]
    MovedLink {
        /// Its name.
        name: Arc<str>,
        /// What is wrong.
        error: MeshLinkError,
    },
    /// An obstacle cannot be moved like that.
    #[error("obstacle {name:?} cannot be moved there: {error}")]
    Moved {
        /// Its name.
        name: Arc<str>,
        /// What is wrong.
        error: ObstacleError,
    },
    /// Two vertices of the mesh at one place of one layer, beside an obstacle: the ground around it cannot be cut.
    #[error("vertices {} and {} lie at the same place beside obstacle {name:?}", .vertices[0], .vertices[1])]
    EqualVertices {
        /// The name of an obstacle beside them.
        name: Arc<str>,
        /// Their numbers.
        vertices: [u32; 2],
    },
    /// Outlines that lie so near to each other that they still cross after many rounds of rounding, or polygons of one
    /// layer that overlap.
    #[error(
        "the ground around obstacle {name:?} cannot be cut: outlines there cross within rounding, or polygons overlap"
    )]
    NotCut {
        /// The name of an obstacle there.
        name: Arc<str>,
    },
    /// The mesh would have more corners than can be numbered.
    #[error("the mesh would have {count} corners: there may be at most {max}")]
    TooManyCorners {
        /// How many it would have.
        count: usize,
        /// How many it may have.
        max: usize,
    },
}

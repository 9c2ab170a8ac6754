//! How a planner is made, so that it can be made again.

use crate::living::Living;
pub use crate::watch::BuildWatch;
use highroad_core::encoded_enum;
use highroad_core::graph::Graph;
use highroad_core::online::{Distance, Search};
use highroad_core::{
    BuildError, Cataloged, GraphSearch, Grid, GridSearch, Hpa, HpaOptions, HubLabels, HubOptions,
    JumpPointSearch, Levels, Planner, Pra, PraOptions, Refinement, Spec, SpecError, StartLayer,
    Transitions, Watch,
};
use std::sync::Arc;
use thiserror::Error;

/// Makes a planner for an environment: when a world is built, and again in the background when the planner
/// cannot follow an edit.
///
/// [`HpaOptions`], [`PraOptions`], [`HubOptions`], [`GridSearch`] and [`JumpPointSearch`] are recipes for grids,
/// [`GraphSearch`] for graphs, and [`Spec`] (any planner of the catalog by its name) for both. A planner of
/// your own needs a recipe of its own:
///
/// ```
/// use highroad::PathWorld;
/// use highroad::grid::Grid;
/// use highroad::online::GridSearch;
/// use highroad::planner::Planner;
/// use highroad::world::{BuildWatch, RebuildError, Recipe};
/// struct Careful;
/// impl Recipe for Careful {
///     fn name(&self) -> String { "careful".to_owned() }
///     fn build(&self, grid: &Grid, watch: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
///         if watch.report(0, 1).is_break() { return Err(RebuildError::Stopped); }
///         if grid.enterable_count() == 0 { return Err(RebuildError::NotServed("nothing is open".into())); }
///         Ok(Box::new(GridSearch::dijkstra()))
///     }
/// }
/// let mut world = PathWorld::new("...\n".parse()?).with_planner(Careful).build()?;
/// assert!(world.find_path((0, 0), (2, 0))?.is_some());
/// assert!(PathWorld::new("#\n".parse()?).with_planner(Careful).build().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Recipe<E: Living = Grid>: Send + Sync {
    /// What reports call it.
    fn name(&self) -> String;

    /// The planner of the catalog that it makes, by name and options: what a saved world keeps of it. `None` if it is no
    /// planner of the catalog, or the options cannot be written: such a world is loaded by
    /// [`PathWorld::load_with`](crate::PathWorld::load_with).
    fn spec(&self) -> Option<Spec> {
        None
    }

    /// Makes the planner. A long build reports its progress to `watch`, now and then, and stops when that
    /// says so.
    fn build(
        &self,
        environment: &E,
        watch: &BuildWatch,
    ) -> Result<Box<dyn Planner<E>>, RebuildError>;
}

/// Gives the recipe of a planner by its name, if it knows one.
pub(crate) type RecipeOf<'r, E> = dyn Fn(&str) -> Option<Arc<dyn Recipe<E>>> + 'r;

/// Why a planner was not made. See [`Recipe`] for an example.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RebuildError {
    /// It was no longer wanted.
    #[error("it was stopped")]
    Stopped,
    /// The planner does not serve the map as it is.
    #[error("it does not serve the map: {0}")]
    NotServed(String),
    /// Its code has panicked, while it was made, followed an edit or answered; the world goes on without it, until
    /// [`PathWorld::rebuild`](crate::PathWorld::rebuild) asks for it again.
    #[error("it panicked: {0}")]
    Panicked(String),
}

impl From<BuildError> for RebuildError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Stopped => Self::Stopped,
            BuildError::NotServed(reason) => Self::NotServed(reason),
            other => Self::NotServed(other.to_string()),
        }
    }
}

impl From<SpecError> for RebuildError {
    fn from(error: SpecError) -> Self {
        match error {
            SpecError::Stopped { .. } => Self::Stopped,
            SpecError::NotServed { reason, .. } => Self::NotServed(reason),
            other => Self::NotServed(other.to_string()),
        }
    }
}

/// Recipes whose planner can be watched while it is built.
macro_rules! watched_recipes {
    ($($options:ident: $name:literal, $build:expr, $spec:expr;)*) => {$(
        impl Recipe for $options {
            fn name(&self) -> String {
                $name.to_owned()
            }

            fn spec(&self) -> Option<Spec> {
                let write: fn(&$options) -> Option<String> = $spec;
                write(self)?.parse().ok()
            }

            fn build(
                &self,
                grid: &Grid,
                watch: &BuildWatch,
            ) -> Result<Box<dyn Planner>, RebuildError> {
                let mut report = |done, of| watch.report(done, of);
                Ok(Box::new($build(grid, *self, &mut Watch::new(&mut report))?))
            }
        }
    )*};
}

watched_recipes! {
    HpaOptions: "hpa", Hpa::build_watched, hpa_spec;
    PraOptions: "pra", Pra::build_watched, pra_spec;
    HubOptions: "hub-labels", HubLabels::build_watched, hub_spec;
}

const fn yes_or_no(switch: bool) -> &'static str {
    if switch { "yes" } else { "no" }
}

fn hpa_spec(options: &HpaOptions) -> Option<String> {
    let HpaOptions { cluster_side, transitions, levels, smooth, direct, .. } = *options;
    let transitions = match transitions {
        Transitions::Ends => "ends".to_owned(),
        Transitions::Thesis => "thesis".to_owned(),
        Transitions::Every(cells) => cells.to_string(),
        _ => return None,
    };
    let levels = match levels {
        Levels::Automatic => "auto".to_owned(),
        Levels::Exactly(levels) => levels.to_string(),
        _ => return None,
    };
    let (smooth, direct) = (yes_or_no(smooth), yes_or_no(direct));
    Some(format!(
        "hpa:cluster={cluster_side}:transitions={transitions}:levels={levels}:smooth={smooth}:direct={direct}"
    ))
}

fn pra_spec(options: &PraOptions) -> Option<String> {
    let PraOptions { start, margin, steps, refinement, smooth, .. } = *options;
    let start = match start {
        StartLayer::Automatic => "auto".to_owned(),
        StartLayer::Half => "half".to_owned(),
        StartLayer::Exactly(layer) => layer.to_string(),
        _ => return None,
    };
    let steps = steps.map_or("all".to_owned(), |steps| steps.to_string());
    let refine = match refinement {
        Refinement::Lazy => "lazy",
        Refinement::Layers => "layers",
        Refinement::Thesis => "thesis",
        Refinement::ThesisGreedy => "thesis-greedy",
        _ => return None,
    };
    let smooth = yes_or_no(smooth);
    Some(format!("pra:start={start}:margin={margin}:k={steps}:refine={refine}:smooth={smooth}"))
}

/// Only whole megabytes can be written.
fn hub_spec(options: &HubOptions) -> Option<String> {
    const MEGABYTE: usize = 1 << 20;
    let whole = options.bytes_max.is_multiple_of(MEGABYTE);
    whole.then(|| format!("hub-labels:memory={}", options.bytes_max / MEGABYTE))
}

/// The searches that have a name without options.
fn search_spec<D: Distance>(search: &Search<D>) -> Option<Spec> {
    let named = [
        ("astar", Search::astar()),
        ("dijkstra", Search::dijkstra()),
        ("bfs", Search::breadth_first()),
        ("greedy", Search::greedy()),
        ("depth-first", Search::depth_first()),
        ("bidirectional", Search::bidirectional()),
    ];
    let name = named.iter().find(|(_, usual)| usual == search)?.0;
    name.parse().ok()
}

impl<E: Living + Cataloged> Recipe<E> for Spec {
    fn name(&self) -> String {
        self.to_string()
    }

    fn spec(&self) -> Option<Spec> {
        Some(self.clone())
    }

    fn build(
        &self,
        environment: &E,
        watch: &BuildWatch,
    ) -> Result<Box<dyn Planner<E>>, RebuildError> {
        let mut report = |done, of| watch.report(done, of);
        Ok(self.build_watched(environment, &mut Watch::new(&mut report))?)
    }
}

impl Recipe for GridSearch {
    fn name(&self) -> String {
        "grid search".to_owned()
    }

    fn spec(&self) -> Option<Spec> {
        search_spec(self)
    }

    fn build(&self, _grid: &Grid, _watch: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        Ok(Box::new(self.clone()))
    }
}

impl Recipe<Graph> for GraphSearch {
    fn name(&self) -> String {
        "graph search".to_owned()
    }

    fn spec(&self) -> Option<Spec> {
        search_spec(self)
    }

    fn build(
        &self,
        _graph: &Graph,
        _watch: &BuildWatch,
    ) -> Result<Box<dyn Planner<Graph>>, RebuildError> {
        Ok(Box::new(self.clone()))
    }
}

impl Recipe for JumpPointSearch {
    fn name(&self) -> String {
        "jps".to_owned()
    }

    fn spec(&self) -> Option<Spec> {
        "jps".parse().ok()
    }

    fn build(&self, grid: &Grid, _watch: &BuildWatch) -> Result<Box<dyn Planner>, RebuildError> {
        Self::serves(grid).map_err(RebuildError::NotServed)?;
        Ok(Box::new(*self))
    }
}

encoded_enum!(RebuildError, "reasons" {
    0 => Stopped {},
    1 => NotServed { 0: reason },
    2 => Panicked { 0: message },
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_never_that_of_two_reports() {
        let watch = BuildWatch::default();
        // Each report is half done, of another amount: half of one with the whole of another shows.
        let amounts: [u64; 4] = [2, 10, 1 << 31, 1 << 40];
        let reports = 20_000;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..reports {
                    let of = amounts[number % amounts.len()];
                    assert!(watch.report(of / 2, of).is_continue());
                }
                watch.stop();
            });
            let mut seen = 0_u64;
            while !watch.is_stopped() {
                let (done, of) = watch.progress();
                assert_eq!(done * 2, of, "after {seen} looks");
                seen += 1;
            }
        });
        assert!(watch.report(1, 2).is_break());
    }

    #[test]
    fn large_numbers_keep_their_share() {
        let watch = BuildWatch::default();
        for (done, of) in [(0, 0), (3, 10), (u64::from(u32::MAX), u64::from(u32::MAX))] {
            _ = watch.report(done, of);
            assert_eq!(watch.progress(), (done, of));
        }
        _ = watch.report(1 << 62, u64::MAX);
        let (done, of) = watch.progress();
        assert_eq!((done, of), (1 << 30, u64::from(u32::MAX)));
    }
}

//! HPA* in the catalog.

use super::{Hpa, HpaOptions, Levels, Transitions, sketch};
use crate::environment::{BuildError, Watch};
use crate::grid::Grid;
use crate::planner::{
    CatalogEntry, Maker, NumberRange, OptionInfo, OptionKind, OptionValues, boxed,
};

pub(crate) static ENTRY: CatalogEntry = CatalogEntry {
    name: "hpa",
    title: "HPA*",
    summary: "searches the ways between clusters, then fills in the cells: fast, and follows edits",
    options: &[
        OptionInfo {
            name: "cluster",
            kind: OptionKind::Number(NumberRange::whole(4, 64)),
            default: "32",
            help: "columns and rows of a cluster",
        },
        OptionInfo {
            name: "transitions",
            kind: OptionKind::WordsOrNumber(&["ends", "thesis"], NumberRange::whole(1, 64)),
            default: "16",
            help: "where clusters are joined: at the ends of entrances, by the thesis's two constants, or once every so many cells",
        },
        OptionInfo {
            name: "levels",
            kind: OptionKind::WordsOrNumber(&["auto"], NumberRange::whole(1, Levels::MAX as u32)),
            default: "auto",
            help: "how many levels of clusters; auto: one up to 4096 × 4096 cells, then two",
        },
        OptionInfo {
            name: "smooth",
            kind: OptionKind::Switch,
            default: "yes",
            help: "whether paths are pulled tight",
        },
        OptionInfo {
            name: "direct",
            kind: OptionKind::Switch,
            default: "yes",
            help: "whether ends that lie close together are joined without the abstraction",
        },
    ],
    layers: &sketch::LAYERS,
    follows_edits: true,
    traces_places: false,
    grid: Some(Maker {
        serves: |grid| {
            Hpa::plan_build(grid, HpaOptions::default()).map(drop).map_err(|e| e.to_string())
        },
        build: |grid, values, watch| boxed(Hpa::build_watched(grid, options(values), watch)),
        load: None,
    }),
    graph: None,
    mesh: None,
};

fn options(values: &OptionValues) -> HpaOptions {
    let usual = HpaOptions::default();
    let every = || Transitions::Every(values.whole("transitions").unwrap_or(1) as u8);
    let transitions = values.choice("transitions", &[Transitions::Ends, Transitions::Thesis]);
    let levels = values.whole("levels").map(|levels| Levels::Exactly(levels as u8));
    HpaOptions {
        cluster_side: values.whole("cluster").unwrap_or(usual.cluster_side),
        transitions: transitions.unwrap_or_else(every),
        levels: levels.unwrap_or(Levels::Automatic),
        smooth: values.switch("smooth"),
        direct: values.switch("direct"),
    }
}

impl Hpa {
    /// As [`Hpa::build`], with progress. Fails with [`BuildError::Stopped`] when the watch stops it.
    ///
    /// ```
    /// use highroad::grid::Grid;
    /// use highroad::hierarchy::{Hpa, HpaOptions};
    /// use highroad::planner::Watch;
    /// use std::ops::ControlFlow;
    /// let grid = Grid::with_defaults("....\n.##.\n....\n".parse()?);
    /// let mut reports = 0;
    /// let mut count = |_done, _of| { reports += 1; ControlFlow::Continue(()) };
    /// let hpa = Hpa::build_watched(&grid, HpaOptions::default(), &mut Watch::new(&mut count))?;
    /// assert!(hpa == Hpa::build(&grid, HpaOptions::default())? && reports > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build_watched(
        grid: &Grid,
        options: HpaOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Self, BuildError> {
        let mut build = Self::plan_build(grid, options)?;
        while build.job_count() > 0 {
            let jobs = build.job_count();
            let mut parts = Vec::with_capacity(jobs);
            for job in 0..jobs {
                watch.report(job as u64, jobs as u64)?;
                parts.push(build.run(job));
            }
            build.join(parts)?;
        }
        Ok(build.finish()?)
    }
}

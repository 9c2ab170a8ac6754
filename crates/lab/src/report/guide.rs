//! How to read the numbers, in short; at length in `docs/reading-the-numbers.md`.

/// What to know, point by point.
pub(super) const GUIDE: [(&str, &str); 8] = [
    (
        "Times belong to this machine.",
        "Compare planners within this page, by ratios. Against another page, or a paper, compare expansions and \
         suboptimality, which no machine changes.",
    ),
    (
        "Look at the median and p99 before the mean.",
        "Times are skewed: a few long queries make most of a mean. A game frame cares about p99, a batch job about \
         the mean.",
    ),
    (
        "Speed is bought.",
        "With building (again after every edit, for indexes that cannot follow), with memory, or with longer paths. \
         A planner is better than another only if it is better in all that you pay for.",
    ),
    (
        "Worst is one query.",
        "The worst of a sample says that it can be so bad, not how bad it can get. p99 of few queries is close to \
         the worst as well.",
    ),
    (
        "Suboptimality is per cent of cost above the cheapest.",
        "A mean near 0 with a bad p99 means a few visible detours: look at the worst paths, drawn below.",
    ),
    (
        "Expansions are not all alike.",
        "A jump point, a subgoal or a cluster's node costs far more than a cell. They compare runs of one planner \
         well, and different planners badly.",
    ),
    (
        "A set is its maps.",
        "Mazes, rooms and random obstacles turn rankings round. Look at the set that is like your maps, or measure \
         your own: highroad report --maps FOLDER.",
    ),
    (
        "Differences below the spread mean nothing.",
        "The column spread shows by how much the same query differed between passes.",
    ),
];

/// Where more is.
pub(super) const LINK: &str = "More, and what not to conclude: docs/reading-the-numbers.md in the repository. Numbers \
     for your own statistics: queries.csv (a row per query and planner) and summary.csv beside this page.";

//! The plain form of a planner, as lectures teach it, and what the optimised one does differently.

use highroad::catalog::Spec;
use highroad::grid::Extent;

/// Options that make a planner the one of the textbook, and what the usual one does differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextbookForm {
    /// The names of options and their values.
    pub options: &'static [(&'static str, &'static str)],
    /// What the optimised planner does differently, a sentence each.
    pub differences: &'static [&'static str],
}

const NEIGHBOURS: &str = "All neighbours are looked at. The optimised search leaves out those that an equally cheap path \
                          reaches from another cell, and so opens fewer.";
const HEAP: &str = "Open cells are in a binary heap. The optimised search has a ring of buckets, one for each key, which \
                    needs no comparisons.";
const SAME_COST: &str = "Both find a path of the same cost.";

static SEARCH: TextbookForm =
    TextbookForm { options: &[("textbook", "yes")], differences: &[NEIGHBOURS, HEAP, SAME_COST] };

static BREADTH_FIRST: TextbookForm = TextbookForm {
    options: &[("textbook", "yes")],
    differences: &[
        "Open cells are in a queue: the cell that has waited longest is taken. The optimised search takes the newest \
         of those that are equally many steps away.",
        "Both find a path with as few steps as possible, though perhaps not the same one.",
    ],
};

/// Searches that are not guided by true costs alone look at all neighbours anyway.
static GUIDED: TextbookForm = TextbookForm {
    options: &[("textbook", "yes")],
    differences: &[
        "Nothing of importance: this search looks at all neighbours and keeps a heap in both forms, because its keys may \
         fall.",
    ],
};

static HPA: TextbookForm = TextbookForm {
    options: &[("direct", "no"), ("levels", "1"), ("transitions", "ends")],
    differences: &[
        "Every query goes through the abstraction. The optimised planner first looks whether the ends lie close together, \
         and then joins them directly: on a small map it expands nothing at all.",
        "Transitions are placed as in the first paper: one in the middle of a narrow entrance, two at the ends of a wide \
         one. The optimised planner places one every 16 cells.",
        "There is one level of clusters, whatever the size of the map.",
        "Clusters are small enough for this map, so that there is something to see.",
    ],
};

static PRA: TextbookForm = TextbookForm {
    options: &[("refine", "layers"), ("start", "half")],
    differences: &[
        "The search begins on the layer in the middle, and each layer below is searched inside the path above. The \
         optimised planner chooses its layer by a sample of ways, and fills in cells along lines of sight.",
        "Ends that lie close together are not joined directly.",
    ],
};

/// Whether a planner has a plain form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Textbook {
    /// It has.
    Form(&'static TextbookForm),
    /// It has not, and why.
    None(&'static str),
}

/// The plain form of a planner, by its name in the catalog.
pub fn textbook_form(planner: &str) -> Textbook {
    Textbook::Form(match planner {
        "dijkstra" | "astar" | "bidirectional" => &SEARCH,
        "bfs" => &BREADTH_FIRST,
        "weighted-astar" | "greedy" => &GUIDED,
        "hpa" => &HPA,
        "pra" => &PRA,
        "depth-first" => return Textbook::None("Depth-first search runs as in textbooks already."),
        "jps" => {
            return Textbook::None(
                "Jump point search runs as in its paper; only the walk along a row looks at 64 cells at a time.",
            );
        }
        _ => {
            return Textbook::None(
                "This planner needs what it precomputes: there is no plain form of it.",
            );
        }
    })
}

impl TextbookForm {
    /// A planner in its plain form, for a map of that size: the options that make it so are set, all others stay.
    pub fn apply(&self, spec: &Spec, extent: Extent) -> Option<Spec> {
        let side = cluster_side(spec, extent).map(|side| side.to_string());
        let mut text = spec.entry().name.to_owned();
        for (option, value) in spec.values().iter() {
            let plain = self.options.iter().find(|(name, _)| *name == option.name);
            let value = match (plain, &side) {
                (Some((_, plain)), _) => *plain,
                (None, Some(side)) if option.name == "cluster" => side.as_str(),
                _ => value,
            };
            if value != option.default {
                text.push_str(&format!(":{}={value}", option.name));
            }
        }
        text.parse().ok()
    }

    /// Whether a planner is in its plain form.
    pub fn is_in(&self, spec: &Spec) -> bool {
        let values = spec.values();
        self.options.iter().all(|(name, value)| values.has(name) && values.text(name) == *value)
    }
}

/// The side of clusters that cuts a small map into some, where the one that is set would not.
fn cluster_side(spec: &Spec, extent: Extent) -> Option<u32> {
    if spec.entry().name != "hpa" {
        return None;
    }
    let side = spec.values().whole("cluster")?;
    let shorter = extent.width().min(extent.height());
    (side * 2 > shorter).then(|| (shorter / 2).clamp(4, 10))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::{planners_of_cells, record};
    use highroad::Cell;
    use highroad::grid::Grid;
    use highroad::search::TraceKind;

    const MAP: &str = "....................\n.######...#####.....\n......#...#.........\n......#...#..######.\n..........#.........\n....###...#.........\n....................\n....................\n";

    #[test]
    fn every_planner_has_a_plain_form_or_a_reason() {
        let extent = Extent::new(20, 12).unwrap();
        for entry in planners_of_cells() {
            match textbook_form(entry.name) {
                Textbook::Form(form) => {
                    let usual = Spec::usual(entry);
                    let plain = form.apply(&usual, extent).unwrap();
                    assert!(form.is_in(&plain) && !form.is_in(&usual), "{}", entry.name);
                    assert_eq!(form.apply(&plain, extent).unwrap().to_string(), plain.to_string());
                    assert!(!form.differences.is_empty());
                }
                Textbook::None(reason) => assert!(reason.ends_with('.')),
            }
        }
    }

    #[test]
    fn plain_forms_find_paths_that_keep_the_same_promise() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let ends = (Cell::new(1, 4), Cell::new(15, 4));
        for name in
            ["bfs", "dijkstra", "astar", "weighted-astar", "greedy", "bidirectional", "hpa", "pra"]
        {
            let Textbook::Form(form) = textbook_form(name) else { panic!("{name}") };
            let usual: Spec = name.parse().unwrap();
            let plain = form.apply(&usual, grid.extent()).unwrap();
            let (usual, plain) =
                (record(&usual, &grid, ends).unwrap(), record(&plain, &grid, ends).unwrap());
            assert_eq!(usual.guarantee, plain.guarantee, "{name}");
            if ["dijkstra", "astar", "bidirectional"].contains(&name) {
                assert_eq!(usual.cost(), plain.cost(), "{name}");
            }
        }
    }

    /// What the texts say: all neighbours are looked at, and more is opened.
    #[test]
    fn the_optimised_search_opens_fewer() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let opened = |text: &str| {
            let recording =
                record(&text.parse().unwrap(), &grid, (Cell::new(1, 4), Cell::new(15, 4))).unwrap();
            let pushed = |event: &&highroad::search::TraceEvent| {
                matches!(event.kind, TraceKind::Open | TraceKind::Improve)
            };
            recording.replay.events().iter().filter(pushed).count()
        };
        for name in ["dijkstra", "astar"] {
            assert!(opened(name) < opened(&format!("{name}:textbook=yes")), "{name}");
        }
    }

    #[test]
    fn hpa_expands_something_on_small_maps() {
        let grid = Grid::with_defaults(MAP.parse().unwrap());
        let ends = (Cell::new(1, 4), Cell::new(15, 4));
        let usual: Spec = "hpa".parse().unwrap();
        assert_eq!(record(&usual, &grid, ends).unwrap().statistics.expanded, 0);
        let Textbook::Form(form) = textbook_form("hpa") else { panic!() };
        let plain = form.apply(&usual, grid.extent()).unwrap();
        assert_eq!(plain.values().whole("cluster"), Some(4));
        assert!(record(&plain, &grid, ends).unwrap().statistics.expanded > 0);
    }
}

//! How a planner orders its open list, and in what it counts.

use highroad::catalog::Spec;
use highroad::grid::Grid;
use highroad::search::{TieRule, TraceEvent};

/// What decides which node is taken next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// The cost so far.
    G,
    /// The estimated cost to go.
    H,
    /// Their sum.
    F,
    /// When it was put on the stack.
    Stack,
}

impl KeyKind {
    /// The letter it goes by; `None` for a stack.
    pub fn letter(self) -> Option<&'static str> {
        match self {
            Self::G => Some("g"),
            Self::H => Some("h"),
            Self::F => Some("f"),
            Self::Stack => None,
        }
    }

    /// The key of an event.
    pub fn of(self, event: &TraceEvent) -> u64 {
        match self {
            Self::G => event.g,
            Self::H => event.h,
            Self::F => event.g.saturating_add(event.h),
            Self::Stack => 0,
        }
    }
}

/// How a planner counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counting {
    /// What its open list is ordered by.
    pub key: KeyKind,
    /// Which of several equal ones comes first.
    pub ties: TieRule,
    /// Whether the order is exactly that: HPA* and PRA* keep keys in coarse buckets, and take nodes slightly out of order.
    pub is_exact: bool,
    /// What the numbers mean.
    pub amounts: Amounts,
    /// What it calls the nodes that it looks at.
    pub nodes: &'static str,
}

/// What the numbers of a recording mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amounts {
    /// Costs, of which a straight step over plain ground takes so many.
    Cost(f64),
    /// Steps.
    Steps,
    /// Something of the planner's own that is not shown.
    Own,
}

impl Amounts {
    /// A number as it is shown; `None` where it means nothing to a reader.
    pub fn show(self, raw: u64) -> Option<String> {
        match self {
            Self::Cost(unit) => Some(number(raw as f64 / unit)),
            Self::Steps => Some(number(raw as f64)),
            Self::Own => None,
        }
    }

    /// A number with one decimal at the most, for small cells.
    pub fn show_short(self, raw: u64) -> Option<String> {
        match self {
            Self::Cost(unit) => Some(rounded(raw as f64 / unit, 1)),
            other => other.show(raw),
        }
    }
}

/// A number with two decimals at the most, and no zeros at the end.
pub fn number(value: f64) -> String {
    rounded(value, 2)
}

fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Counting {
    /// How a planner counts on a grid.
    pub fn of(spec: &Spec, grid: &Grid) -> Self {
        Self::in_units(spec, 2.0 * f64::from(grid.movement().steps().straight()))
    }

    /// How a planner counts on a graph, whose weights are as they are written.
    pub fn on_graph(spec: &Spec) -> Self {
        Self::in_units(spec, 1.0)
    }

    fn in_units(spec: &Spec, unit: f64) -> Self {
        let values = spec.values();
        let textbook = values.has("textbook") && values.switch("textbook");
        let ties = values.choice("ties", &TieRule::ALL).unwrap_or_default();
        let usual = Self {
            key: KeyKind::F,
            ties,
            is_exact: true,
            amounts: Amounts::Cost(unit),
            nodes: "neighbours",
        };
        match spec.entry().name {
            "bfs" => Self {
                key: KeyKind::G,
                ties: if textbook { TieRule::OldestFirst } else { ties },
                amounts: Amounts::Steps,
                ..usual
            },
            "dijkstra" | "bidirectional" => Self { key: KeyKind::G, ..usual },
            "greedy" => Self { key: KeyKind::H, ..usual },
            "depth-first" => Self { key: KeyKind::Stack, ..usual },
            "jps" => Self { nodes: "jump points", ..usual },
            "hpa" => Self { is_exact: false, nodes: "transitions", ..usual },
            "pra" => Self { is_exact: false, amounts: Amounts::Own, nodes: "groups", ..usual },
            "regions" => Self { is_exact: false, nodes: "nodes", ..usual },
            "subgoal" | "ch" | "hub-labels" | "entrances" => {
                Self { is_exact: false, nodes: "nodes", ..usual }
            }
            _ => usual,
        }
    }

    /// What its open list is called.
    pub fn list_name(&self) -> &'static str {
        match (self.key, self.amounts, self.ties) {
            (KeyKind::Stack, ..) => "stack",
            (KeyKind::G, Amounts::Steps, TieRule::OldestFirst) => "queue",
            _ => "open list",
        }
    }

    /// Why one of several equal nodes comes first.
    pub fn tie_rule_text(&self) -> &'static str {
        match self.ties {
            TieRule::LargerCost => "the one with the largest g, which seems nearest to the goal",
            TieRule::SmallerNumber => "the one that comes first on the map, row by row",
            TieRule::OldestFirst => "the one that has waited longest, as in a queue",
            _ => "the newest, so that one of many equal paths is followed to its end",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_few_digits_as_they_need() {
        assert_eq!(number(12.0), "12");
        assert_eq!(number(12.4), "12.4");
        assert_eq!(number(4.0 + 2.0 * std::f64::consts::SQRT_2), "6.83");
        assert_eq!(number(100.0), "100");
        assert_eq!(Amounts::Cost(4756.0).show_short(4756 * 2 + 3363 * 2), Some("3.4".to_owned()));
        assert_eq!(Amounts::Steps.show(7), Some("7".to_owned()));
        assert_eq!(Amounts::Own.show(7), None);
    }

    #[test]
    fn breadth_first_search_of_the_textbook_has_a_queue() {
        let grid = Grid::with_defaults("..\n".parse().unwrap());
        let of = |text: &str| Counting::of(&text.parse().unwrap(), &grid);
        assert_eq!(of("bfs:textbook=yes").ties, TieRule::OldestFirst);
        assert_eq!(of("bfs").ties, TieRule::NewestFirst);
        let names = ["bfs:textbook=yes", "bfs", "depth-first", "dijkstra:ties=oldest"]
            .map(|planner| of(planner).list_name());
        assert_eq!(names, ["queue", "open list", "stack", "open list"]);
        assert_eq!(
            (of("astar:ties=larger-g").ties, of("greedy").key),
            (TieRule::LargerCost, KeyKind::H)
        );
    }
}

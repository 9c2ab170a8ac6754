//! A search stage by stage, as lectures print it: which node is chosen, what is then known of every node, and
//! which nodes are finished.

use crate::table::{Table, TableFormat};
use highroad::environment::NodeId;
use highroad::graph::{Graph, GraphRefusal};
use highroad::planner::{PathQuery, Planner, QueryError, Scratch};
use highroad::search::{Side, TraceEvent, TraceKind, TraceLog};
use std::io::{self, Write};

/// What a column stands for at a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unseen,
    Open,
    /// Finished at that stage.
    Finished(usize),
}

/// A search as a table of stages.
///
/// A row says what is known once the node that it is named after has been processed: `d`, or `d:h` where
/// there are estimates; `–` for nodes that have not been seen; `↓` below a node that was just finished. The node
/// that is chosen next is marked.
///
/// ```
/// use highroad::online::GraphSearch;
/// use highroad::planner::{PathQuery, Planner, Scratch};
/// use highroad::search::TraceLog;
/// use highroad_lab::graphs::{Stages, TableFormat, lecture};
/// let graph = lecture();
/// let (s, t) = (graph.find("s").unwrap(), graph.find("t").unwrap());
/// let mut log = TraceLog::default();
/// let search = GraphSearch::dijkstra();
/// search.solve_traced(&graph, &PathQuery::new(s, t), &mut Scratch::new(), &mut log)?;
/// let stages = Stages::new(&graph, log.events(), None);
/// assert_eq!(stages.count(), 10);
/// let mut text = Vec::new();
/// stages.write(TableFormat::Csv, &mut text)?;
/// assert!(String::from_utf8(text)?.starts_with("stage,s,a,b,c,d,e,f,g,h,t\nInit,[0],∞,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stages {
    heads: Vec<String>,
    /// Each with its name first; the column that is chosen next.
    rows: Vec<(Vec<String>, Option<usize>)>,
    stages: usize,
}

impl Stages {
    /// The stages of some events. `estimates` are those of all nodes, where the search had any.
    pub fn new(graph: &Graph, events: &[TraceEvent], estimates: Option<&[u64]>) -> Self {
        let nodes = graph.node_count();
        let two_sided = events.iter().any(|event| event.side == Side::Backward);
        let column = |event: &TraceEvent| {
            event.node.index() + if event.side == Side::Backward { nodes } else { 0 }
        };
        let columns = if two_sided { 2 * nodes } else { nodes };
        let name = |column: usize| {
            let name = graph.name(NodeId((column % nodes.max(1)) as u32));
            if column < nodes { name } else { format!("{name}′") }
        };
        let mut heads = vec!["stage".to_owned()];
        heads.extend((0..columns).map(name));
        let mut made = Maker {
            columns,
            estimates: estimates.filter(|_| !two_sided),
            costs: vec![None; columns],
            states: vec![State::Unseen; columns],
            rows: Vec::new(),
        };
        made.estimate_row();
        let is_stage =
            |event: &&TraceEvent| matches!(event.kind, TraceKind::Expand | TraceKind::Goal);
        let mut stages = 0;
        let mut events = events.iter().peekable();
        let mut title = "Init".to_owned();
        loop {
            while let Some(event) = events.next_if(|event| !is_stage(event)) {
                made.costs[column(event)] = Some(event.g);
                made.states[column(event)] = State::Open;
            }
            let next = events.peek().filter(|event| is_stage(event)).map(|event| column(event));
            made.row(title, stages, next);
            let Some(event) = events.next() else { break };
            stages += 1;
            title = format!("{stages}: {}", name(column(event)));
            made.costs[column(event)] = Some(event.g);
            made.states[column(event)] = State::Finished(stages);
        }
        made.final_row();
        Self { heads, rows: made.rows, stages }
    }

    /// How many nodes were chosen.
    pub fn count(&self) -> usize {
        self.stages
    }

    /// What stands above the columns: "stage", then the names of nodes.
    pub fn heads(&self) -> &[String] {
        &self.heads
    }

    /// The rows, each with its name first, and the column of the node that is chosen next, from 0 for the first node.
    /// The last row is the one named "Final".
    pub fn rows(&self) -> impl Iterator<Item = (&[String], Option<usize>)> {
        self.rows.iter().map(|(cells, chosen)| (cells.as_slice(), *chosen))
    }

    /// Writes the table.
    pub fn write(&self, format: TableFormat, out: &mut dyn Write) -> io::Result<()> {
        let cells = |(row, chosen): &(Vec<String>, Option<usize>)| -> Vec<String> {
            let mark = |(index, cell): (usize, &String)| {
                let marked = chosen.is_some_and(|column| column + 1 == index);
                match (marked, format) {
                    (false, _) => cell.clone(),
                    (true, TableFormat::Markdown) => format!("<u>{cell}</u>"),
                    (true, _) => format!("[{cell}]"),
                }
            };
            row.iter().enumerate().map(mark).collect()
        };
        let heads: Vec<&str> = self.heads.iter().map(String::as_str).collect();
        let mut table = Table::new(&heads);
        self.rows.iter().for_each(|row| table.row(cells(row)));
        table.write_as(format, out, 1)
    }
}

/// A planner's estimates of the cost from every node to a goal, with their weight; `None` where it estimates nothing.
/// They are what its trace says of a query that starts at all nodes.
///
/// ```
/// use highroad::heuristic::{Metric, PositionEstimate};
/// use highroad::online::GraphSearch;
/// use highroad_lab::graphs::{estimates_towards, lecture};
/// let graph = lecture();
/// let goal = graph.find("t").unwrap();
/// let distance = PositionEstimate::of(&graph, Metric::Manhattan).unwrap();
/// let search = GraphSearch::astar().with_heuristic(distance);
/// assert_eq!(estimates_towards(&graph, &search, goal)?.unwrap()[0], 15);
/// assert_eq!(estimates_towards(&graph, &GraphSearch::dijkstra(), goal)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn estimates_towards(
    graph: &Graph,
    planner: &dyn Planner<Graph>,
    goal: NodeId,
) -> Result<Option<Vec<u64>>, QueryError<GraphRefusal>> {
    let nodes: Vec<NodeId> = (0..graph.node_count() as u32).map(NodeId).collect();
    let mut estimates = vec![0; nodes.len()];
    let mut log = TraceLog::new(2 * nodes.len());
    let mut scratch = Scratch::new();
    planner.begin(graph, &PathQuery::among(nodes, vec![goal]), &mut scratch)?;
    planner.advance_traced(graph, &mut scratch, 0, &mut log);
    let starts = log.events().iter().filter(|event| event.kind == TraceKind::Start);
    for event in starts.filter(|event| event.side == Side::Forward) {
        estimates[event.node.index()] = event.h;
    }
    Ok(estimates.iter().any(|&estimate| estimate > 0).then_some(estimates))
}

/// Rows in the making.
struct Maker<'e> {
    columns: usize,
    estimates: Option<&'e [u64]>,
    costs: Vec<Option<u64>>,
    states: Vec<State>,
    rows: Vec<(Vec<String>, Option<usize>)>,
}

impl Maker<'_> {
    fn estimate_row(&mut self) {
        let Some(estimates) = self.estimates else { return };
        let mut row = vec!["h(u)".to_owned()];
        row.extend(estimates.iter().map(u64::to_string));
        self.rows.push((row, None));
    }

    fn row(&mut self, title: String, stage: usize, next: Option<usize>) {
        let cell = |column: usize| {
            let with_estimate = |cost: String| match self.estimates.and_then(|all| all.get(column))
            {
                Some(estimate) => format!("{cost}:{estimate}"),
                None => cost,
            };
            let cost = self.costs[column].map_or_else(|| "∞".to_owned(), |cost| cost.to_string());
            match self.states[column] {
                State::Unseen if stage == 0 => with_estimate(cost),
                State::Unseen => "–".to_owned(),
                State::Open => with_estimate(cost),
                State::Finished(at) if at == stage => cost,
                State::Finished(at) if at + 1 == stage => "↓".to_owned(),
                State::Finished(_) => String::new(),
            }
        };
        let mut row = vec![title];
        row.extend((0..self.columns).map(cell));
        self.rows.push((row, next));
    }

    fn final_row(&mut self) {
        let cost =
            |cost: &Option<u64>| cost.map_or_else(|| "∞".to_owned(), |cost| cost.to_string());
        let mut row = vec!["Final".to_owned()];
        row.extend(self.costs.iter().map(cost));
        self.rows.push((row, None));
    }
}

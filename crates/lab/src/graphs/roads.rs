//! Road-like graphs from a seed.

use crate::generate::Random;
use highroad::graph::{Edge, Graph, GraphBuildError, Position};

/// A network that looks like roads: crossings in a lattice that is shaken, of whose streets some are missing,
/// with quicker main roads and motorways. It hangs together; every street goes both ways; a crossing has two
/// and a half streets on average, as real ones have.
///
/// ```
/// use highroad_lab::graphs::RoadRecipe;
/// let graph = RoadRecipe { nodes: 1000, seed: 7 }.generate()?;
/// assert_eq!(graph.node_count(), 1000);
/// assert!((2000..3000).contains(&graph.edge_count()));
/// # Ok::<(), highroad::graph::GraphBuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoadRecipe {
    /// How many crossings.
    pub nodes: u32,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// Between crossings of the lattice, and how far they are shaken.
const SPACING: u64 = 100;
const SHAKE: u64 = 70;
/// Of streets that are not needed to hang together, so many in a hundred are there.
const EXTRA_PERCENT: u64 = 25;

/// What a file says before the recipe: together a command that makes it again.
const SIGNATURE: &str = "made by: highroad graph generate";

impl RoadRecipe {
    /// What a DIMACS file of the graph says of where it is from.
    ///
    /// ```
    /// use highroad_lab::graphs::{RoadRecipe, to_dimacs};
    /// let recipe = RoadRecipe { nodes: 30, seed: 7 };
    /// let (text, _) = to_dimacs(&recipe.generate()?, &recipe.signature());
    /// assert!(text.starts_with("c made by: highroad graph generate --nodes 30 --seed 7\n"));
    /// assert_eq!(RoadRecipe::of(&text), Some(recipe));
    /// # Ok::<(), highroad::graph::GraphBuildError>(())
    /// ```
    pub fn signature(self) -> String {
        format!("{SIGNATURE} --nodes {} --seed {}", self.nodes, self.seed)
    }

    /// The recipe that the text of a DIMACS file says it was made by.
    pub fn of(text: &str) -> Option<Self> {
        let mut comments = text.lines().map_while(|line| line.strip_prefix("c "));
        let words = comments.find_map(|line| line.trim().strip_prefix(SIGNATURE))?;
        match words.split_whitespace().collect::<Vec<_>>()[..] {
            ["--nodes", nodes, "--seed", seed] => {
                Some(Self { nodes: nodes.parse().ok()?, seed: seed.parse().ok()? })
            }
            _ => None,
        }
    }

    /// Makes the graph.
    pub fn generate(self) -> Result<Graph, GraphBuildError> {
        let nodes = self.nodes as usize;
        if nodes > Graph::SIZE_MAX / 4 {
            return Err(GraphBuildError::TooManyNodes { nodes });
        }
        let side = u64::from(self.nodes).isqrt().max(1) as u32;
        let mut random = Random::new(self.seed);
        let place = |node: u32, random: &mut Random| -> Position {
            let (x, y) = (u64::from(node % side), u64::from(node / side));
            let mut shaken = |at: u64| (at * SPACING + random.below(SHAKE)) as f64;
            [shaken(x), shaken(y), 0.0]
        };
        let places: Vec<Position> = (0..self.nodes).map(|node| place(node, &mut random)).collect();
        let mut streets: Vec<(u32, u32, u32)> = Vec::with_capacity(2 * nodes);
        for node in 0..self.nodes {
            let (x, y) = (node % side, node / side);
            if x + 1 < side && node + 1 < self.nodes {
                streets.push((node, node + 1, speed(y)));
            }
            if node + side < self.nodes {
                streets.push((node, node + side, speed(x)));
            }
        }
        random.shuffle(&mut streets);
        let mut parts = Parts((0..self.nodes).collect());
        let mut edges = Vec::new();
        for (from, to, speed) in streets {
            let needed = parts.join(from, to);
            if needed || speed > 1 || random.chance(EXTRA_PERCENT, 100) {
                let [a, b] = [places[from as usize], places[to as usize]];
                let length = ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
                let weight = (10.0 * length / f64::from(speed)).ceil().max(1.0) as i32;
                let edge = Edge::new(from, to, weight);
                edges.extend([edge, edge.reversed()]);
            }
        }
        Graph::from_edges(nodes, &edges)?.with_positions(places)
    }
}

/// Every sixteenth line of the lattice is a main road, every sixty-fourth a motorway.
fn speed(line: u32) -> u32 {
    match line {
        line if line % 64 == 32 => 3,
        line if line % 16 == 8 => 2,
        _ => 1,
    }
}

/// Which nodes hang together.
struct Parts(Vec<u32>);

impl Parts {
    fn root(&mut self, mut node: u32) -> u32 {
        while self.0[node as usize] != node {
            let above = self.0[node as usize];
            self.0[node as usize] = self.0[above as usize];
            node = above;
        }
        node
    }

    /// Joins two nodes; whether they were apart.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a as usize] = b;
        a != b
    }
}

//! A city as a graph: streets take longer the more cars are on them, roads are closed, and a table says which ambulance is
//! nearest to which call.
//!
//! `cargo run --release -p highroad --example city_traffic`

#![allow(clippy::print_stdout)]

use highroad::PathWorld;
use highroad::environment::NodeId;
use highroad::graph::{Edge, Graph, GraphBatch};
use highroad::index::GraphHierarchy;
use highroad::planner::{AlternativeOptions, Scratch};
use std::collections::BTreeMap;

/// Streets and avenues, so many of each.
const SIDE: u32 = 24;
/// Seconds for a block: on a side street, and on every sixth, which is a main road.
const SIDE_STREET: i32 = 30;
const MAIN_ROAD: i32 = 12;

fn corner(street: u32, avenue: u32) -> NodeId {
    NodeId(street * SIDE + avenue)
}

/// Every block is a street in both directions.
fn city() -> Result<Graph, Box<dyn std::error::Error>> {
    let mut edges = Vec::new();
    let mut block = |a: NodeId, b: NodeId, line: u32| {
        let seconds = if line % 6 == 3 { MAIN_ROAD } else { SIDE_STREET };
        edges.extend([Edge::new(a.0, b.0, seconds), Edge::new(b.0, a.0, seconds)]);
    };
    for line in 0..SIDE {
        for at in 1..SIDE {
            block(corner(line, at - 1), corner(line, at), line);
            block(corner(at - 1, line), corner(at, line), line);
        }
    }
    let corners =
        (0..SIDE * SIDE).map(|node| [f64::from(node % SIDE), f64::from(node / SIDE), 0.0]);
    Ok(Graph::from_edges((SIDE * SIDE) as usize, &edges)?.with_positions(corners.collect())?)
}

/// The corners of a path, as text.
fn place(node: NodeId) -> String {
    format!("street {}, avenue {}", node.0 / SIDE, node.0 % SIDE)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = PathWorld::on(city()?);
    let (home, work) = (corner(2, 2), corner(21, 20));

    // Cars leave one after another. Each makes the blocks of its way slower for those after it.
    let mut cars: BTreeMap<(NodeId, NodeId), i32> = BTreeMap::new();
    for car in 0..60 {
        let path = world.find_path(home, work)?.ok_or("the city is connected")?;
        if car % 20 == 0 || car == 59 {
            let (minutes, seconds) = (path.cost().0 / 60, path.cost().0 % 60);
            println!("car {car}: {minutes} min {seconds} s over {} blocks", path.steps());
        }
        let mut batch = GraphBatch::new();
        for block in path.places().windows(2) {
            let (from, to) = (block[0], block[1]);
            *cars.entry((from, to)).or_default() += 1;
            let weight = world.environment().outgoing().weight(from, to).ok_or("a block")?;
            // Every car on a block slows it down by a second.
            batch.set_weight(from, to, weight + 1);
        }
        world.apply(&batch)?;
    }
    let busiest = cars.iter().max_by_key(|(_, count)| **count).ok_or("cars were on the way")?;
    println!("the busiest block, from {}, has {} cars", place(busiest.0.0), busiest.1);

    // A navigation device offers more than one way.
    let options = AlternativeOptions::default().with_costlier_percent_max(25);
    for (number, way) in world.find_alternatives(home, work, &options)?.iter().enumerate() {
        let middle = way.places()[way.places().len() / 2];
        println!("way {number}: {} s, by {}", way.cost().0, place(middle));
    }

    // A bridge is closed; a snapshot still knows the city as it was.
    let before = world.snapshot();
    world.edit(|edit| {
        for avenue in 0..SIDE {
            if avenue != 20 {
                edit.close(corner(11, avenue), corner(12, avenue));
            }
        }
    })?;
    let now = world.find_path(home, work)?.ok_or("one bridge is left")?;
    let then = before.find_path(home, work)?.ok_or("there were bridges")?;
    println!("with one bridge left {} s, before {} s", now.cost().0, then.cost().0);
    assert!(now.cost() > then.cost());

    // Six ambulances, five calls: one table instead of thirty searches. The hierarchy is built for the traffic of now.
    let graph = world.environment();
    let hierarchy = GraphHierarchy::build(graph)?;
    let ambulances: Vec<NodeId> = (0..6).map(|i| corner(i * 4, 23 - i * 3)).collect();
    let calls: Vec<NodeId> = (0..5).map(|i| corner(20 - i * 4, i * 5)).collect();
    let table = hierarchy.distance_table(graph, &ambulances, &calls, &mut Scratch::new())?;
    let mut free: Vec<usize> = (0..ambulances.len()).collect();
    for (call, &node) in calls.iter().enumerate() {
        let nearest =
            free.iter().copied().filter_map(|car| Some((table.cost(car, call)?, car))).min();
        let Some((seconds, car)) = nearest else { continue };
        free.retain(|&other| other != car);
        println!("call from {}: ambulance {car} in {} s", place(node), seconds.0);
    }
    assert_eq!(free.len(), 1);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}

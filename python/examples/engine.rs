//! The engine alone, for `bench/overhead.py`: `engine FOLDER PLANNER COUNT` prints the seconds of the quickest of seven rounds of
//! `Snapshot::find_many` on the map and the queries in a folder.

#![allow(clippy::print_stdout)]

use highroad::PathWorld;
use highroad::catalog::Spec;
use highroad::planner::PathQuery;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, planner, count] = &arguments[..] else {
        return Err("FOLDER PLANNER COUNT".into());
    };
    let map = std::fs::read_to_string(format!("{folder}/map.txt"))?.parse()?;
    let mut queries = Vec::new();
    for line in
        std::fs::read_to_string(format!("{folder}/queries.txt"))?.lines().take(count.parse()?)
    {
        let ends = line.split_whitespace().map(str::parse).collect::<Result<Vec<u32>, _>>()?;
        let &[row, column, goal_row, goal_column] = &ends[..] else {
            return Err("four numbers a line".into());
        };
        queries.push(PathQuery::new((column, row), (goal_column, goal_row)));
    }
    let view = PathWorld::new(map).with_planner(planner.parse::<Spec>()?).build()?.snapshot();
    let round = |_| {
        let begun = Instant::now();
        let paths = view.find_many(&queries);
        let took = begun.elapsed().as_secs_f64();
        drop(paths);
        took
    };
    println!("{}", (0..7).map(round).fold(f64::INFINITY, f64::min));
    Ok(())
}

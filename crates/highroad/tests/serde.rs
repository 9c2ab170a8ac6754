//! What crosses a network or a save file: it comes back as it was, and what is forged is refused.
#![cfg(feature = "serde")]

use highroad::environment::{NodeId, Revision};
use highroad::graph::{Edge, Graph, GraphBatch};
use highroad::grid::{
    Batch, Change, Domain, Footprint, FootprintCost, Grid, KindId, Movement, MovementRule,
    PaidCells, Profile, StepCosts,
};
use highroad::planner::{GoalRule, PathQuery};
use highroad::requests::Ticket;
use highroad::search::Limits;
use highroad::simulation::{AgentEvent, Pace};
use highroad::world::{Coordinates, PlannerId};
use highroad::{
    AgentPlan, Budget, Cell, CellRect, Cost, GridMap, Path, PathWorld, Reply, Request, Simulation,
    Terrain,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// Writes a value as JSON, reads it again, and checks that it is the same. Returns the JSON.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&back, value, "{text}");
    text
}

fn refusal<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

#[test]
fn small_values_come_back_as_they_were() {
    assert_eq!(round_trip(&Cell::new(3, 4)), r#"{"x":3,"y":4}"#);
    assert_eq!(round_trip(&Cost(7)), "7");
    assert_eq!(round_trip(&Revision(7)), "7");
    assert_eq!(round_trip(&KindId(2)), "2");
    assert_eq!(round_trip(&NodeId(9)), "9");
    assert_eq!(round_trip(&Terrain::WALL), "\"@\"");
    assert_eq!(round_trip(&MovementRule::FourWay), "\"four-way\"");
    assert_eq!(round_trip(&StepCosts::EXACT), r#"{"straight":2378,"diagonal":3363}"#);
    assert_eq!(round_trip(&Budget::expansions(5)), r#"{"expansions":5,"micros":null}"#);
    round_trip(&Budget::micros(u64::MAX));
    round_trip(&Coordinates::new([-2.5, 1.0], 0.25).unwrap());
    round_trip(&CellRect::new((5, 1), (2, 3)));
    let map: GridMap = "..S.\n.#W.\n".parse().unwrap();
    assert_eq!(round_trip(&map), r#""..S.\n.@W.\n""#);
    let profile = Profile::movingai().without(Terrain::WATER).with_cost(Terrain::SWAMP, 3).unwrap();
    let profile = profile.with_domain(Terrain::SWAMP, Domain::new(3).unwrap());
    round_trip(&profile);
    round_trip(&Movement::new(profile, MovementRule::AlwaysDiagonal, StepCosts::THESIS).unwrap());
    let entered = Movement::default().with_paid_cells(PaidCells::Entered);
    assert!(
        round_trip(&entered).contains(r#""paid":"entered","footprint":{"size":1,"cost":"max"}"#)
    );
    let large = entered.with_footprint(Footprint::new(3).unwrap().with_cost(FootprintCost::Mean));
    assert!(round_trip(&large).contains(r#""footprint":{"size":3,"cost":"mean"}"#));
    let query: PathQuery = PathQuery::new((0, 1), (7, 1)).with_goal_rule(GoalRule::Adjacent);
    round_trip(&query.with_obstacles(vec![Cell::new(3, 1)]));
    let plan = AgentPlan::new((0, 1), (7, 1)).with_pace(Pace::new(2, 3)).with_first_leg(9);
    round_trip(&plan.with_kind(KindId(1)).without_improving());
}

#[test]
fn batches_are_lists_of_named_operations() {
    let mut batch = Batch::new();
    let rect = CellRect::new((1, 0), (2, 0));
    batch.fill(rect, Terrain::WALL).set((0, 1), Terrain::SWAMP).surcharge(rect, 5);
    batch.surcharge_for(KindId(1), rect, 0);
    let text = concat!(
        r#"[{"fill":{"min":{"x":1,"y":0},"max":{"x":2,"y":0},"terrain":"@"}},"#,
        r#"{"set":{"cell":{"x":0,"y":1},"terrain":"S"}},"#,
        r#"{"surcharge":{"min":{"x":1,"y":0},"max":{"x":2,"y":0},"amount":5}},"#,
        r#"{"surcharge_for":{"kind":1,"min":{"x":1,"y":0},"max":{"x":2,"y":0},"amount":0}}]"#,
    );
    assert_eq!(round_trip(&batch), text);
    let [a, b] = [NodeId(0), NodeId(1)];
    let mut batch = GraphBatch::new();
    batch.set_weight(a, b, 9).close(a, b).open(a, b).add_node([1.0, 2.0, 3.0]).add_node(None);
    batch.add_edge(a, b, -2).remove_edge(a, b).remove_node(b);
    let text = round_trip(&batch);
    assert!(text.starts_with(r#"[{"set_weight":{"from":0,"to":1,"weight":9}},{"close":{"#));
    let mut graph = Graph::from_edges(2, &[Edge::new(0, 1, 7)]).unwrap();
    let changes = graph.apply(GraphBatch::new().close(a, b).add_node(None).remove_node(a));
    let changes = changes.unwrap();
    round_trip(&changes);
    round_trip(&GraphBatch::undoing(&changes));
}

#[test]
fn changes_paths_requests_replies_and_events_come_back_as_they_were() {
    let map: GridMap = "........\n.####...\n........\n".parse().unwrap();
    let mut world = PathWorld::new(map);
    let path = world.find_path((0, 0), (7, 2)).unwrap().unwrap();
    round_trip(&path);
    let mut grid = Grid::clone(world.grid());
    let changes: Vec<Change> = grid.apply(Batch::new().set((0, 0), Terrain::WALL)).unwrap();
    round_trip(&changes);
    let query = PathQuery::new((0, 0), (7, 2)).with_first_leg(3);
    let query = query.with_limits(Limits::default().with_expansions_max(5));
    let requests: [Request; 5] = [
        Request::path((0, 0), (7, 2)).with_priority(3).with_kind(KindId(0)),
        Request::nearest((0, 0), vec![Cell::new(1, 1), Cell::new(7, 0)]),
        Request::each((0, 0), vec![Cell::new(9, 9), Cell::new(1, 1)]),
        Request::range((0, 0), Cost::steps(2)),
        query.into(),
    ];
    let mut tickets: Vec<Ticket> = Vec::new();
    for request in &requests {
        round_trip(request);
        tickets.push(world.request(request.clone()));
    }
    tickets.push(world.request(Request::path((9, 9), (1, 1))));
    tickets.push(world.request(Request::path((0, 0), (1, 1))));
    tickets.push(world.request(Request::path((0, 0), (1, 0)).with_kind(KindId(7))));
    world.tick(Budget::unlimited());
    for ticket in tickets {
        let text = round_trip(&ticket);
        let ticket: Ticket = serde_json::from_str(&text).unwrap();
        let reply: Reply = world.poll(ticket);
        assert_ne!(reply, Reply::Pending);
        round_trip(&reply);
    }
    let plain: Request =
        serde_json::from_str(r#"{"wanted":{"range":{"start":{"x":0,"y":0},"cost_max":5}}}"#)
            .unwrap();
    assert_eq!(plain, Request::range((0, 0), Cost(5)));
    let ids: Vec<PlannerId> = world.planners().collect();
    round_trip(&ids);

    let mut simulation = Simulation::new(world, Budget::unlimited()).with_step_events();
    simulation.add(AgentPlan::new((0, 0), (7, 2)));
    simulation.add(AgentPlan::new((0, 0), (1, 1)));
    (0..3).for_each(|_| _ = simulation.tick());
    simulation.edit(Batch::new().set((5, 0), Terrain::WALL).set((5, 1), Terrain::WALL)).unwrap();
    (0..20).for_each(|_| _ = simulation.tick());
    let events: Vec<AgentEvent> = simulation.take_events();
    assert!(events.len() > 10);
    round_trip(&events);
}

#[test]
fn what_no_constructor_makes_is_refused() {
    let cases = [
        (refusal::<Terrain>("\"?\""), "is no letter of a terrain"),
        (refusal::<Terrain>("\"é\""), "is no letter of a terrain"),
        (refusal::<StepCosts>(r#"{"straight":5,"diagonal":11}"#), "step costs 5/11"),
        (refusal::<Domain>("4"), "there is no domain 4"),
        (refusal::<GridMap>("\"..\\n...\\n\""), "the row"),
        (refusal::<GridMap>("\"\""), "no cells"),
        (
            refusal::<Profile>(
                r#"[{"terrain":".","cost":1,"domain":0},{"terrain":".","cost":2,"domain":0}]"#,
            ),
            "given twice",
        ),
        (
            refusal::<Movement>(
                r#"{"profile":[],"rule":"four-way","steps":{"straight":65535,"diagonal":65535}}"#,
            ),
            "lower the step costs",
        ),
        (refusal::<Coordinates>(r#"{"origin":[0.0,0.0],"cell_size":0.0}"#), "side must be above 0"),
        (refusal::<Path>(r#"{"places":[],"cost":0,"revision":0}"#), "at least one place"),
        (
            refusal::<Path>(r#"{"places":[{"x":0,"y":0},{"x":2,"y":0}],"cost":0,"revision":0}"#),
            "cannot step from (0, 0) to (2, 0)",
        ),
        (refusal::<Path<NodeId>>(r#"{"places":[],"cost":0,"revision":0}"#), "at least one place"),
        (refusal::<Batch>(r#"[{"fil":{}}]"#), "unknown variant `fil`"),
        (
            refusal::<Batch>(r#"[{"set":{"cell":{"x":0,"y":0},"terrain":"@","colour":1}}]"#),
            "unknown field",
        ),
        (refusal::<Cell>(r#"{"x":-1,"y":0}"#), "invalid value"),
        (refusal::<CellRect>(r#"{"min":{"x":1,"y":0}}"#), "missing field `max`"),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected), "'{said}' does not contain '{expected}'");
    }
    let pace: Pace = serde_json::from_str("[0,0]").unwrap();
    assert_eq!(pace, Pace::new(1, 1), "as the constructor does");
    let huge: Batch = serde_json::from_str(
        r#"[{"fill":{"min":{"x":0,"y":0},"max":{"x":4294967295,"y":4294967295},"terrain":"@"}}]"#,
    )
    .unwrap();
    let mut world = PathWorld::new("...\n".parse().unwrap());
    assert!(world.apply(&huge).is_err(), "refused at once, whatever its size");
}

//! `highroad graph` and `highroad puzzle` as a user runs them.

mod support;

use std::path::PathBuf;

fn folder() -> PathBuf {
    support::folder_of("graphs")
}

fn ran(line: &str, code: i32) -> String {
    support::ran(&folder(), line, code)
}

fn write(name: &str, content: &str) {
    std::fs::write(folder().join(name), content).unwrap();
}

#[test]
fn solve_finds_the_lectures_path_by_every_search() {
    for search in [
        "dijkstra",
        "bidirectional",
        "ch",
        "astar --heuristic manhattan",
        "astar:heuristic=landmarks:landmarks=2 --ties larger-g",
        "entrances --region 3",
    ] {
        let reported =
            ran(&format!("graph solve builtin:lecture --from s --to t --search {search}"), 0);
        assert!(reported.contains("cost         15"), "{search}: {reported}");
        assert!(reported.contains("nodes        s d e g t"), "{search}: {reported}");
    }
    for heuristic in ["none", "euclidean", "chebyshev", "landmarks", "true", "clusters", "abstract"]
    {
        let line = "graph solve builtin:lecture --from s --to t --search astar --region 3";
        let reported = ran(&format!("{line} --heuristic {heuristic}"), 0);
        assert!(reported.contains("cost         15"), "{heuristic}: {reported}");
    }
    for search in [
        "bfs",
        "depth-first",
        "greedy --heuristic manhattan",
        "regions --region 3 --connection maximin",
    ] {
        let reported =
            ran(&format!("graph solve builtin:lecture --from s --to t --search {search}"), 0);
        assert!(reported.contains("cost         "), "{search}: {reported}");
    }
}

#[test]
fn trace_prints_stages_in_three_formats() {
    let line = "graph trace builtin:lecture --from s --to t --search astar --heuristic manhattan";
    let reported = ran(&format!("{line} --weight 10 --ties smaller-id"), 0);
    assert!(reported.contains("5: g") && reported.contains("[21:0]"), "{reported}");
    assert!(reported.ends_with("s d f h g t at a cost of 21\n"), "{reported}");
    assert!(ran(&format!("{line} --format markdown"), 0).starts_with("| stage "));
    assert!(ran(&format!("{line} --format csv"), 0).starts_with("stage,s,a,b"));
}

#[test]
fn all_pairs_says_how_and_prints_small_tables() {
    let reported = ran("graph all-pairs builtin:lecture", 0);
    assert!(reported.contains("method       floyd-warshall (by density)"), "{reported}");
    assert!(
        reported.lines().any(|line| line.starts_with('s') && line.ends_with("15")),
        "{reported}"
    );
    let reported =
        ran("graph all-pairs builtin:lecture --method dijkstra --from s --to t --one-thread", 0);
    assert!(reported.contains("cost         15\nnodes        s d e g t"), "{reported}");
    let reported = ran("graph all-pairs roads:2000", 0);
    assert!(reported.contains("method       dijkstra (by density)"), "{reported}");
}

#[test]
fn bellman_ford_finds_paths_or_the_cycle() {
    write("debts.txt", "a b 4\na c 5\nc b -3\n");
    let reported = ran("graph bellman-ford debts.txt --from a --to b", 0);
    assert!(reported.contains("a c b") && reported.contains('2'), "{reported}");
    write("cycle.txt", "a b 1\nb c -2\nc b 1\n");
    let reported = ran("graph bellman-ford cycle.txt --from a", 1);
    assert!(
        reported.contains("a negative cycle") && reported.contains("once round   -1"),
        "{reported}"
    );
    let reported = ran("graph solve cycle.txt --from a --to b", 2);
    assert!(reported.contains("edge 1 from 1 to 2 has the negative weight -2"), "{reported}");
}

#[test]
fn facilities_tells_everyone_where_to_go() {
    let reported = ran("graph facilities builtin:lecture --at a,t", 0);
    let line =
        |start: &str| reported.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    let words = |line: String| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(line("s "))[..3], ["s", "a", "c"]);
    assert_eq!(words(line("g "))[..3], ["g", "t", "t"]);
    let reported = ran("graph facilities builtin:lecture --at a,t --from s", 0);
    assert!(reported.contains("s c b a"), "{reported}");
}

#[test]
fn networks_are_written_and_read_again() {
    ran("graph generate --nodes 500 --seed 2 --out town.gr --force", 0);
    let reported =
        ran("graph solve town.gr --from 3 --to 440 --search astar --heuristic euclidean", 0);
    let again = ran("graph solve roads:500:2 --from 3 --to 440", 0);
    let cost =
        |reported: &str| reported.lines().find(|line| line.starts_with("cost")).map(str::to_owned);
    assert!(cost(&reported).is_some() && cost(&reported) == cost(&again), "{reported}{again}");
    let reported = ran("graph study roads:500 --region 50 --queries 5", 0);
    assert!(
        reported.contains("entrances, all a border") && reported.contains("landmarks"),
        "{reported}"
    );
    let reported =
        ran("graph study map:builtin:castle --what heuristics --region 50 --queries 3", 0);
    assert!(reported.contains("A*, clusters"), "{reported}");
}

#[test]
fn mistakes_are_named() {
    write("torn.gr", "p sp 2 1\na 1 9 1\n");
    for (line, expected) in [
        ("graph solve builtin:moon --from a --to b", "there is: lecture"),
        (
            "graph solve builtin:lecture --from x --to b",
            "there is no node 'x': they go from s to t",
        ),
        ("graph solve torn.gr --from 0 --to 1", "torn.gr, line 2: node 9 is not among 1 to 2"),
        ("graph solve none.txt --from 0 --to 1", "cannot read none.txt"),
        ("graph solve roads:x --from 0 --to 1", "write roads:NODES"),
        ("graph trace roads:500 --from 0 --to 1", "too wide"),
        ("graph trace builtin:lecture --from s --to t --ties best", "it can be newest, larger-g"),
        ("graph trace builtin:lecture --from s --to t --search ch", "no stages to print"),
        ("graph solve builtin:lecture --from s --to t --search jps", "jps does not serve this"),
        (
            "graph solve builtin:lecture --from s --to t --region 3",
            "--region sets the option size or cluster, which dijkstra does not have; its options: ties",
        ),
        (
            "graph solve builtin:lecture --from s --to t --search ch --heuristic true",
            "--heuristic sets the option heuristic, which ch does not have; its options: none",
        ),
        (
            "graph solve builtin:lecture --from s --to t --search astar:ties=newest --ties newest",
            "the option 'ties' is given twice",
        ),
        ("puzzle solve '1 2 3'", "3 tiles make no square board"),
        ("puzzle solve '1 2 3 0' --goal '1 2 3 4 5 6 7 8 0'", "a board of 2 × 2 cells"),
        (
            "puzzle solve '1 2 3 0' --goal '1 2 3 4 5 6 7 8 0' --search astar",
            "a board of 2 × 2 cells",
        ),
        (
            "puzzle solve '1 2 3 4 5 6 7 8 0' --goal '1 2 3 0' --search bfs",
            "a board of 3 × 3 cells",
        ),
        ("puzzle survey --side 4", "only boards of 2 × 2 and 3 × 3"),
        ("puzzle instances none.txt", "cannot read none.txt"),
    ] {
        let reported = ran(line, 2);
        assert!(
            reported.contains(expected) && !reported.contains("panicked"),
            "{line} says: {reported}"
        );
    }
}

#[test]
fn puzzles_are_solved_told_and_drawn() {
    let reported = ran("puzzle solve '1 2 3  0 4 6  7 5 8' --boards", 0);
    assert!(
        reported.contains("moves        3") && reported.contains("right down right"),
        "{reported}"
    );
    assert!(reported.ends_with("1 2 3\n4 5 6\n7 8 0\n"), "{reported}");
    for search in [
        "astar",
        "dijkstra",
        "bfs",
        "astar --heuristic patterns",
        "deepening --heuristic manhattan",
    ] {
        let reported = ran(&format!("puzzle solve '1 2 3  0 4 6  7 5 8' --search {search}"), 0);
        assert!(reported.contains("moves        3"), "{search}: {reported}");
    }
    let reported = ran("puzzle solve '1 2 3  0 4 6  7 5 8' --search greedy --tree -", 0);
    assert!(reported.contains("├─ "), "{reported}");
    ran("puzzle solve '1 2 3  0 4 6  7 5 8' --search astar --tree tree.svg", 0);
    assert!(std::fs::read_to_string(folder().join("tree.svg")).unwrap().starts_with("<svg "));
    let reported = ran("puzzle solve '2 1 3  4 5 6  7 8 0'", 1);
    assert!(reported.contains("cannot be solved"), "{reported}");
}

#[test]
fn scrambles_surveys_and_lists_work() {
    let board = ran("puzzle scramble --side 3 --moves 12 --seed 4", 0).replace('\n', " ");
    let reported = ran(&format!("puzzle solve '{board}'"), 0);
    assert!(reported.contains("moves        "), "{reported}");
    let reported = ran("puzzle survey --side 2 --solve", 0);
    assert!(reported.contains("12 boards can be solved; the deepest need 6 moves"), "{reported}");
    assert!(reported.contains("0 not in the fewest moves"), "{reported}");
    write("list.txt", "1 1  1 0  2 3\n2 9  0 1  2 3\n");
    let reported = ran("puzzle instances list.txt", 1);
    assert!(
        reported.contains("2 of 2 solved") && reported.contains("1 lengths differ"),
        "{reported}"
    );
    let reported = ran("puzzle instances list.txt --seconds 0", 2);
    assert!(reported.contains("0 s are over before the pattern tables are made"), "{reported}");
}

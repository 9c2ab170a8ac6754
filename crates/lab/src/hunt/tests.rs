use super::*;

#[test]
fn programs_of_many_seeds_find_nothing_wrong() {
    let mut checks = 0;
    for seed in 1..800 {
        let program = random_program(seed);
        match run(&program) {
            Ok(compared) => checks += compared,
            Err(failure) => {
                let (small, failure) = shrink(&program, failure);
                let text = serde_json::to_string(&small).unwrap();
                panic!("seed {seed}: {failure}\n{text}");
            }
        }
    }
    assert!(checks > 10_000, "{checks}");
}

#[test]
fn programs_have_grids_with_and_without_agents_graphs_and_meshes() {
    let settings: Vec<Setting> = (1..200).map(|seed| random_program(seed).setting).collect();
    let some = |wanted: fn(&Setting) -> bool| settings.iter().any(wanted);
    assert!(some(|setting| matches!(setting, Setting::Grid(grid) if grid.agents)));
    assert!(some(|setting| matches!(setting, Setting::Grid(grid) if !grid.agents)));
    assert!(some(|setting| matches!(setting, Setting::Grid(grid) if grid.kinds[0].size > 1)));
    let shaped = |wanted: fn(&Edit) -> bool| {
        let ground = settings.iter().filter_map(|setting| match setting {
            Setting::Grid(grid) => Some(&grid.ground),
            _ => None,
        });
        ground.flatten().any(wanted)
    };
    assert!(shaped(|edit| matches!(edit, Edit::Borders(.., Crossing::Onwards))));
    assert!(shaped(|edit| matches!(edit, Edit::Height(_, _, height) if *height > 0)));
    assert!(shaped(|edit| matches!(edit, Edit::OpenLink(link) if link.kind.is_some())));
    assert!(some(|setting| matches!(setting, Setting::Graph(_))));
    assert!(some(|setting| matches!(setting, Setting::Mesh(_))));
}

#[test]
fn a_program_is_the_same_after_it_was_written_and_read() {
    for seed in 1..50 {
        let program = random_program(seed);
        let text = serde_json::to_string(&program).unwrap();
        assert_eq!(serde_json::from_str::<Program>(&text).unwrap(), program);
    }
}

/// Every program that has found a defect is kept, and finds nothing any more.
#[test]
fn programs_that_found_defects_find_nothing_any_more() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hunts");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let program: Program =
            serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(run(&program).err(), None, "{}", file.display());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn a_panic_is_a_find_like_any_other() {
    let mut program = random_program(1);
    let nowhere = Question { starts: Vec::new(), ..any_question() };
    program.steps = vec![Step::Tick(1), Step::Nearest(nowhere)];
    program.setting = (1..)
        .map(|seed| random_program(seed).setting)
        .find(|setting| matches!(setting, Setting::Graph(_)))
        .unwrap();
    let failure = run(&program).unwrap_err();
    assert_eq!(failure.step, 1);
    assert!(failure.problem.starts_with("panic: index out of bounds"), "{failure}");
    let (small, failure) = shrink(&program, failure);
    assert_eq!((small.steps.len(), failure.step), (1, 0));
}

fn any_question() -> Question {
    Question {
        kind: 0,
        starts: vec![0],
        goals: vec![0],
        rule: EndRule::Exact,
        obstacles: Vec::new(),
    }
}

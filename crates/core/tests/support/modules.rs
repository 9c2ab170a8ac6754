//! Reads which top modules of a crate use which others, and compares that with a list.
//!
//! A use is a path that begins at the root of the crate, anywhere in the code: `crate::a`, `crate::{a, b::C}`, and
//! `super::a` where `super` is the root.

mod sources;

use sources::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A module and a module that it uses.
type Edge = (String, String);

/// What is wrong with the modules of a crate, one sentence each: uses that are not in the list,
/// uses in the list that do not exist, and cycles in the list.
pub(crate) fn problems(source_folder: &Path, allowed: &[(&str, &[&str])]) -> Vec<String> {
    compare(&edges(source_folder), allowed)
}

/// Every use between two top modules.
fn edges(source_folder: &Path) -> BTreeSet<Edge> {
    let sources = sources::sources(source_folder);
    // An exported macro is found at the root, wherever it is: to use it is to use its module.
    let macros: BTreeMap<&String, &String> = sources.iter().flat_map(macros_of).collect();
    let mut edges = BTreeSet::new();
    for Source { modules, tokens, .. } in &sources {
        let Some(top) = modules.first() else { continue };
        let used = root_names(tokens, modules.len()).into_iter();
        let used = used.map(|name| macros.get(&name).map_or(name.clone(), |&of| of.clone()));
        edges.extend(used.filter(|name| name != top).map(|name| (top.clone(), name)));
    }
    edges
}

/// The macros that a file exports, each with the top module.
fn macros_of(source: &Source) -> impl Iterator<Item = (&String, &String)> {
    let tokens = &source.tokens;
    let defined = (0..tokens.len()).filter(|&at| tokens[at] == "macro_rules");
    let is_exported = |at: &usize| {
        let attributes =
            tokens[..*at].iter().rev().take_while(|token| !matches!(&***token, "}" | ";"));
        attributes.into_iter().any(|token| token == "macro_export")
    };
    defined.filter(is_exported).filter_map(|at| Some((&tokens[at + 2], source.modules.first()?)))
}

/// The first names of all paths that begin at the root.
fn root_names(tokens: &[String], depth: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let supers = tokens[at..].chunks(2).take_while(|pair| *pair == ["super", "::"]).count();
        if tokens[at..].starts_with(&["crate".to_owned(), "::".to_owned()]) {
            at += 2;
            names.extend(first_names(&tokens[at..]));
        } else if supers > 0 {
            at += 2 * supers;
            if supers >= depth {
                names.extend(first_names(&tokens[at..]));
            }
        } else {
            at += 1;
        }
    }
    names
}

/// The first name of a path, or of every path in braces.
fn first_names(path: &[String]) -> Vec<String> {
    if path[0] != "{" {
        return vec![path[0].clone()];
    }
    let mut nesting = 0;
    let mut names = Vec::new();
    for pair in path.windows(2) {
        match pair[0].as_str() {
            "{" => nesting += 1,
            "}" => nesting -= 1,
            _ => {}
        }
        if nesting == 0 {
            break;
        }
        if nesting == 1 && matches!(pair[0].as_str(), "{" | ",") && pair[1] != "}" {
            names.push(pair[1].clone());
        }
    }
    names
}

fn compare(edges: &BTreeSet<Edge>, allowed: &[(&str, &[&str])]) -> Vec<String> {
    let mut listed = BTreeSet::new();
    for (from, uses) in allowed {
        listed.extend(uses.iter().map(|to| ((*from).to_owned(), (*to).to_owned())));
    }
    let added = edges.difference(&listed);
    let unused = listed.difference(edges);
    let added = added.map(|(from, to)| format!("`{from}` uses `{to}`, which is not in the list"));
    let unused = unused.map(|(from, to)| format!("`{from}` does not use `{to}`"));
    added.chain(unused).chain(cycle(&listed)).collect()
}

/// Modules in a cycle, or that use one: what is left when modules that use none of the others are
/// taken away again and again.
fn cycle(edges: &BTreeSet<Edge>) -> Option<String> {
    let mut left = edges.clone();
    loop {
        let users: BTreeSet<String> = left.iter().map(|(from, _)| from.clone()).collect();
        let before = left.len();
        left.retain(|(_, to)| users.contains(to));
        if left.is_empty() {
            return None;
        }
        if left.len() == before {
            let users: Vec<String> = users.into_iter().collect();
            return Some(format!("there is a cycle among: {}", users.join(", ")));
        }
    }
}

#[test]
fn the_reader_finds_paths_from_the_root_and_nothing_else() {
    let source = r##"
        //! [`crate::comment`]
        use crate::grid::{Cell, crate_size};
        use crate::{path, search::{self, Scratch}, space::Space,};
        /* crate::block */
        pub(crate) fn f<'a>(c: &'a str) -> char { crate::deep::g("crate::string \" {", '"', '{') }
        const RAW: &str = r#"crate::raw " {"#;
        use super::sibling;
        use super::super::above::Thing;
        #[cfg(test)]
        fn helper() -> [u8; 2] { crate::hidden::f() }
        #[cfg(test)]
        mod tests { use crate::planner::Planner; mod inner {} }
        #[cfg(test)]
        mod storms;
        mod read;
    "##;
    let tokens = sources::tokens(source);
    let names = ["grid", "path", "search", "space", "deep", "above"];
    assert_eq!(root_names(&tokens, 2), names);
    assert_eq!(root_names(&tokens, 3), names[..5]);
    assert_eq!(sources::submodules(&tokens), [("read".to_owned(), false)]);
}

#[test]
fn the_list_must_name_every_edge_and_no_other_and_have_no_cycle() {
    let found = |pairs: &[(&str, &str)]| -> BTreeSet<Edge> {
        pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    };
    let listed: &[(&str, &[&str])] = &[("a", &["b", "c"]), ("b", &["c"])];
    let edges = found(&[("a", "b"), ("a", "c"), ("b", "c")]);
    assert_eq!(compare(&edges, listed), [""; 0]);
    let more = found(&[("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")]);
    assert_eq!(compare(&more, listed), ["`c` uses `d`, which is not in the list"]);
    let fewer = found(&[("a", "b"), ("b", "c")]);
    assert_eq!(compare(&fewer, listed), ["`a` does not use `c`"]);
    let round = found(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]);
    let listed: &[(&str, &[&str])] = &[("a", &["b"]), ("b", &["c"]), ("c", &["b", "d"])];
    assert_eq!(compare(&round, listed), ["there is a cycle among: a, b, c"]);
}

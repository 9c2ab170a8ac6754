//! Reads which top modules of a crate use which others, and compares that with a list.
//!
//! The reader starts at `lib.rs` and follows every `mod name;`. It leaves out comments, strings and
//! everything behind `#[cfg(test)]`. A use is a path that begins at the root of the crate, anywhere in
//! the code: `crate::a`, `crate::{a, b::C}`, and `super::a` where `super` is the root.

use std::collections::BTreeSet;
use std::fs;
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
    let mut edges = BTreeSet::new();
    for module in submodules(&tokens(&read(&source_folder.join("lib.rs")))) {
        collect(source_folder, &module, &module, 1, &mut edges);
    }
    edges
}

/// Reads a module, `depth` steps below the root, and its submodules.
fn collect(folder: &Path, name: &str, top: &str, depth: usize, edges: &mut BTreeSet<Edge>) {
    let (own_folder, file) = (folder.join(name), folder.join(format!("{name}.rs")));
    let file = if file.is_file() { file } else { own_folder.join("mod.rs") };
    let tokens = tokens(&read(&file));
    let used = root_names(&tokens, depth).into_iter().filter(|name| name != top);
    edges.extend(used.map(|name| (top.to_owned(), name)));
    for module in submodules(&tokens) {
        collect(&own_folder, &module, top, depth + 1, edges);
    }
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The names in `mod name;`.
fn submodules(tokens: &[String]) -> Vec<String> {
    let declared = tokens.windows(3).filter(|part| part[0] == "mod" && part[2] == ";");
    declared.map(|part| part[1].clone()).collect()
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

/// The words and signs of a source, without comments, strings and what only tests see.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if let Some(length) = skipped(rest) {
            length
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else {
            let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    without_tests(&tokens)
}

/// How long the comment, string, character or lifetime is that the source begins with.
fn skipped(source: &str) -> Option<usize> {
    let end_of = |end: &str, from: usize| {
        source[from..].find(end).map_or(source.len(), |at| from + at + end.len())
    };
    if source.starts_with("//") {
        return Some(end_of("\n", 2));
    }
    if source.starts_with("/*") {
        return Some(end_of("*/", 2));
    }
    let raw = source.trim_start_matches('b').strip_prefix('r');
    if let Some(raw) = raw {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let opening = source.len() - raw.len() + hashes + 1;
            return Some(end_of(&format!("\"{}", "#".repeat(hashes)), opening));
        }
    }
    match source.as_bytes() {
        [b'"', ..] => Some(end_of_quoted(source, '"')),
        [b'\'', b'\\', ..] => Some(end_of_quoted(source, '\'')),
        [b'\'', ..] => {
            let character = source[1..].chars().next()?;
            let end = 1 + character.len_utf8();
            // Without a closing quote it is a lifetime, whose name is a word like any other.
            Some(if source[end..].starts_with('\'') { end + 1 } else { 1 })
        }
        _ => None,
    }
}

/// Where a quotation ends that may hold escaped characters.
fn end_of_quoted(source: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in source.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    source.len()
}

/// Leaves out every item behind `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    let attribute = ["#", "[", "cfg", "(", "test", ")", "]"].map(str::to_owned);
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].starts_with(&attribute) {
            at += attribute.len();
            at += item_length(&tokens[at..]);
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// How many tokens an item has: up to its `;`, or to the brace that closes its body.
fn item_length(tokens: &[String]) -> usize {
    let mut nesting = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" | "(" | "[" => nesting += 1,
            "}" | ")" | "]" => nesting -= 1,
            _ => {}
        }
        if nesting == 0 && matches!(token.as_str(), ";" | "}") {
            return at + 1;
        }
    }
    tokens.len()
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
    let tokens = tokens(source);
    let names = ["grid", "path", "search", "space", "deep", "above"];
    assert_eq!(root_names(&tokens, 2), names);
    assert_eq!(root_names(&tokens, 3), names[..5]);
    assert_eq!(submodules(&tokens), ["read"]);
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

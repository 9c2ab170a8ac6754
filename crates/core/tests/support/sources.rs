//! Reads the sources of a crate: starts at `lib.rs` and follows every `mod name;`. It leaves out comments, strings and
//! everything behind `#[cfg(test)]`.

#![allow(dead_code, reason = "each test that includes it uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

/// A file of a crate.
pub(crate) struct Source {
    pub(crate) file: PathBuf,
    /// The modules from the root to this one; none for `lib.rs`.
    pub(crate) modules: Vec<String>,
    /// Whether users of the crate can name the module.
    pub(crate) is_public: bool,
    pub(crate) text: String,
    /// The words and signs, without comments, strings and what only tests see.
    pub(crate) tokens: Vec<String>,
}

/// Every file of a crate, `lib.rs` first.
pub(crate) fn sources(source_folder: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    collect(source_folder, source_folder.join("lib.rs"), Vec::new(), true, &mut found);
    found
}

/// Reads a module, and the modules in its folder.
fn collect(
    folder: &Path,
    file: PathBuf,
    modules: Vec<String>,
    is_public: bool,
    found: &mut Vec<Source>,
) {
    let text = fs::read_to_string(&file);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let tokens = tokens(&text);
    let inner = submodules(&tokens);
    found.push(Source { file, modules: modules.clone(), is_public, text, tokens });
    for (name, inner_is_public) in inner {
        let (own_folder, file) = (folder.join(&name), folder.join(format!("{name}.rs")));
        let file = if file.is_file() { file } else { own_folder.join("mod.rs") };
        let modules = modules.iter().cloned().chain([name]).collect();
        collect(&own_folder, file, modules, is_public && inner_is_public, found);
    }
}

/// The names in `mod name;`, and whether it is `pub mod name;`.
pub(crate) fn submodules(tokens: &[String]) -> Vec<(String, bool)> {
    let declared = (0..tokens.len()).filter(|&at| tokens[at] == "mod");
    let declared = declared.filter(|&at| tokens.get(at + 2).is_some_and(|sign| sign == ";"));
    declared.map(|at| (tokens[at + 1].clone(), at > 0 && tokens[at - 1] == "pub")).collect()
}

/// The words and signs of a source, without comments, strings and what only tests see.
pub(crate) fn tokens(source: &str) -> Vec<String> {
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

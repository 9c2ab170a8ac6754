//! Every public item that is not a plain getter is shown by an example in the docs, and every function that can fail
//! says when.
//!
//! The reader goes by lines, as rustfmt sets them. An example *shows* a type, trait or function that it names, and a
//! method that it calls if it stands at the method's type or names it. A *plain getter* takes nothing but `self` and
//! has a body of at most three lines.

#[path = "../../core/tests/support/sources.rs"]
mod sources;

use sources::Source;
use std::collections::BTreeSet;
use std::path::Path;

/// Items that no example shows, and why.
const EXCEPTIONS: &[(&str, &str)] =
    &[("Readme", "it is only there to run the example of the README")];

/// A public item of a file.
#[derive(Debug, Default, PartialEq)]
struct Item {
    line: usize,
    /// The type of a method.
    of: Option<String>,
    name: String,
    doc: String,
    /// Its first lines, up to the brace or semicolon.
    signature: String,
    is_getter: bool,
}

/// A runnable example, and the type at which it stands.
#[derive(Debug, PartialEq)]
struct Example {
    at: Option<String>,
    code: String,
}

/// All that the docs of both crates are made of.
struct Docs {
    /// Public items that users can name, each with its file.
    items: Vec<(String, Item)>,
    examples: Vec<Example>,
    /// Other names of types: the name, and the type.
    aliases: Vec<(String, String)>,
}

impl Docs {
    fn read() -> Self {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folders = ["highroad/src", "core/src"].map(|folder| crates.join(folder));
        let sources: Vec<Source> = folders.iter().flat_map(|at| sources::sources(at)).collect();
        let exported: BTreeSet<String> =
            sources.iter().flat_map(|source| exported_names(&source.tokens)).collect();
        let mut docs = Self { items: Vec::new(), examples: Vec::new(), aliases: Vec::new() };
        for source in &sources {
            let file = source.file.strip_prefix(&crates).unwrap_or(&source.file);
            let (items, examples) = read_docs(&source.text);
            let is_public = |item: &Item| {
                source.is_public || exported.contains(item.of.as_ref().unwrap_or(&item.name))
            };
            let public = items.into_iter().filter(is_public);
            docs.items.extend(public.map(|item| (file.display().to_string(), item)));
            docs.examples.extend(examples);
        }
        docs.aliases = docs.items.iter().filter_map(|(_, item)| alias(item)).collect();
        docs
    }

    fn is_shown(&self, item: &Item) -> bool {
        let Some(of) = &item.of else {
            return self.examples.iter().any(|example| names(&example.code, &item.name));
        };
        let aliases = self.aliases.iter().filter(|alias| alias.1 == *of);
        let own_names: Vec<&String> = aliases.map(|alias| &alias.0).chain([of]).collect();
        self.examples.iter().any(|example| {
            let is_about = example.at.as_ref() == Some(of)
                || own_names.iter().any(|name| names(&example.code, name));
            is_about && calls(&example.code, &item.name)
        })
    }

    /// Whether the docs of a function, or of its type, say when it fails.
    fn says_when_it_fails(&self, item: &Item) -> bool {
        let says = |doc: &str| {
            let text: String = doc.split("```").step_by(2).collect();
            ["fail", "Fail", "error", "Error", "refuse"].iter().any(|word| text.contains(word))
        };
        let own_type = |other: &&(String, Item)| {
            other.1.of.is_none() && Some(&other.1.name) == item.of.as_ref()
        };
        says(&item.doc) || self.items.iter().filter(own_type).any(|(_, item)| says(&item.doc))
    }

    /// One line for each item, but for the exceptions, that `is_good` does not accept.
    fn problems(&self, is_good: impl Fn(&Item) -> bool) -> Vec<String> {
        let excepted = |item: &Item| EXCEPTIONS.iter().any(|(name, _)| *name == item.name);
        let bad = self.items.iter().filter(|(_, item)| !excepted(item) && !is_good(item));
        let line = |(file, item): &(String, Item)| {
            let of = item.of.as_ref().map(|of| format!("{of}::")).unwrap_or_default();
            format!("{file}:{}: {of}{}", item.line, item.name)
        };
        bad.map(line).collect()
    }
}

/// The other name that a `pub type` gives to a type.
fn alias(item: &Item) -> Option<(String, String)> {
    let (_, meaning) = item.signature.strip_prefix("pub type ")?.split_once("= ")?;
    Some((item.name.clone(), first_word(meaning).to_owned()))
}

/// Every word in a `pub use …;`.
fn exported_names(tokens: &[String]) -> Vec<String> {
    let uses = (1..tokens.len()).filter(|&at| tokens[at - 1] == "pub" && tokens[at] == "use");
    let words = uses.flat_map(|at| tokens[at..].iter().take_while(|token| *token != ";"));
    words.cloned().collect()
}

/// The public items of a file, without those that docs hide, and its examples.
fn read_docs(text: &str) -> (Vec<Item>, Vec<Example>) {
    let (mut items, mut examples) = (Vec::new(), Vec::new());
    let lines: Vec<&str> = text.lines().collect();
    let (mut doc, mut own_type) = (String::new(), None);
    let (mut of_tests, mut in_attribute, mut is_hidden) = (false, false, false);
    let mut hidden_types = Vec::new();
    for (at, &line) in lines.iter().enumerate() {
        let code = line.trim_start();
        if let Some(text) = code.strip_prefix("//!") {
            doc = doc + text + "\n";
            continue;
        } else if let Some(text) = code.strip_prefix("///") {
            doc = doc + text + "\n";
            continue;
        } else if of_tests {
            // Up to the end of the item that only tests see.
            of_tests = line.starts_with("#[") || !(line.starts_with('}') || line.ends_with(';'));
            continue;
        } else if line.starts_with("#[cfg(test)]") {
            of_tests = true;
            continue;
        } else if in_attribute || code.starts_with("#[") {
            in_attribute = !code.ends_with(']');
            is_hidden |= code == "#[doc(hidden)]";
            continue;
        }
        if line.starts_with("impl") {
            own_type = type_of_impl(&lines[at..]);
        }
        let is_method = line.starts_with("    ");
        let name = item_name(code).filter(|_| !is_method || line.starts_with("    pub"));
        let at_type = if is_method { own_type.clone() } else { name.map(str::to_owned) };
        let found = examples_of(&doc).into_iter();
        examples.extend(found.map(|code| Example { at: at_type.clone(), code }));
        let doc = std::mem::take(&mut doc);
        let is_hidden = std::mem::take(&mut is_hidden);
        if is_hidden && !is_method {
            hidden_types.extend(name.map(str::to_owned));
        }
        if let Some(name) = name.filter(|_| !is_hidden) {
            let (signature, is_getter) = signature(&lines[at..]);
            let of = if is_method { own_type.clone() } else { None };
            items.push(Item { line: at + 1, of, name: name.to_owned(), doc, signature, is_getter });
        }
    }
    items.retain(|item| item.of.as_ref().is_none_or(|of| !hidden_types.contains(of)));
    (items, examples)
}

/// The name of the public item that a line begins, if it does.
fn item_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ")?;
    let keywords = ["struct ", "enum ", "trait ", "fn ", "const fn ", "type ", "static "];
    let name = keywords.iter().find_map(|keyword| rest.strip_prefix(keyword))?;
    Some(first_word(name))
}

fn is_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

fn first_word(text: &str) -> &str {
    let text = text.trim_start_matches(|sign| !is_word(sign));
    &text[..text.find(|sign| !is_word(sign)).unwrap_or(text.len())]
}

/// The type that an `impl` is for.
fn type_of_impl(lines: &[&str]) -> Option<String> {
    let header: Vec<&str> =
        lines.iter().copied().take_while(|line| !line.starts_with('}')).collect();
    let header = header.join(" ");
    let mut header = header.split('{').next()?.strip_prefix("impl")?;
    if header.starts_with('<') {
        let mut nesting = 0;
        let end = header.char_indices().find(|&(_, sign)| {
            nesting += i32::from(sign == '<') - i32::from(sign == '>');
            nesting == 0
        });
        header = &header[end?.0 + 1..];
    }
    let (_, of) = header.split_once(" for ").unwrap_or(("", header));
    Some(first_word(of).to_owned())
}

/// What a function looks like up to its body, and whether it is a plain getter.
fn signature(lines: &[&str]) -> (String, bool) {
    let ends = |line: &&str| line.ends_with('{') || line.ends_with('}') || line.ends_with(';');
    let end = lines.iter().position(ends).unwrap_or(0);
    let signature: Vec<&str> = lines[..=end].iter().map(|line| line.trim()).collect();
    let signature = signature.join(" ");
    let body = lines[end + 1..].iter().take_while(|line| !line.starts_with("    }")).count();
    let arguments = signature.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    let is_getter = arguments.is_some_and(|(all, _)| matches!(all, "&self" | "self")) && body <= 3;
    (signature, is_getter)
}

/// The runnable examples in a doc comment.
fn examples_of(doc: &str) -> Vec<String> {
    // Between two fences there is an example, after the next one there is text again.
    let parts: Vec<&str> = doc.split("```").collect();
    let fenced = parts.iter().skip(1).step_by(2).filter(|part| part.starts_with('\n'));
    fenced.map(|part| (*part).to_owned()).collect()
}

/// Whether a name occurs as a word.
fn names(code: &str, name: &str) -> bool {
    occurrences(code, name).next().is_some()
}

/// Whether a method of that name is called or passed on.
fn calls(code: &str, name: &str) -> bool {
    occurrences(code, name).any(|at| code[..at].ends_with(['.', ':']))
}

fn occurrences<'t>(code: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    code.match_indices(name).map(|(at, _)| at).filter(move |&at| {
        !code[..at].ends_with(is_word) && !code[at + name.len()..].starts_with(is_word)
    })
}

#[test]
fn every_public_item_is_shown_by_an_example() {
    let docs = Docs::read();
    let problems = docs.problems(|item| item.is_getter || docs.is_shown(item));
    assert!(docs.items.len() > 500, "{} items were found", docs.items.len());
    assert!(problems.is_empty(), "no example shows:\n{}", problems.join("\n"));
}

#[test]
fn every_function_that_can_fail_says_when() {
    let docs = Docs::read();
    let can_fail = |item: &Item| item.signature.contains("-> Result<");
    let problems = docs.problems(|item| !can_fail(item) || docs.says_when_it_fails(item));
    assert!(problems.is_empty(), "no word on errors:\n{}", problems.join("\n"));
}

#[test]
fn examples_import_from_the_crate_that_users_depend_on() {
    let docs = Docs::read();
    let of_core = docs.examples.iter().find(|example| names(&example.code, "highroad_core"));
    assert_eq!(of_core, None);
}

#[test]
fn the_reader_finds_items_examples_and_getters() {
    let text = "
/// A thing.
///
/// ```
/// Thing::make(3);
/// ```
#[derive(Debug)]
pub struct Thing<T>(T);

impl<T: Iterator<Item = u8>> Thing<T> {
    /// ```text
    /// no example
    /// ```
    pub const fn make(
        size: usize,
    ) -> Result<Self, Error> {
        size
    }

    pub fn size(&self) -> usize {
        self.size
    }
    fn hidden(&self) {}
}
#[cfg(test)]
mod tests;
#[cfg(test)]
pub fn of_tests() {
    println!();
}
pub fn last() {}
#[doc(hidden)]
pub struct Secret;
impl Secret {
    pub fn of_the_crate() {}
}
";
    let (items, examples) = read_docs(text);
    let found: Vec<_> = items.iter().map(|item| (&*item.name, item.is_getter)).collect();
    assert_eq!(found, [("Thing", false), ("make", false), ("size", true), ("last", false)]);
    assert_eq!((items[1].line, items[1].of.as_deref()), (14, Some("Thing")));
    assert_eq!(items[1].signature, "pub const fn make( size: usize, ) -> Result<Self, Error> {");
    let [Example { at: Some(at), code }] = &examples[..] else { panic!("{examples:?}") };
    assert!(at == "Thing" && calls(code, "make") && !calls(code, "mak"));
}

//! What dependencies may be: licences and sources by `deny.toml`, without `cargo deny` and without a network.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A licence expression, read from left to right: `A OR B`, `A AND B`, parentheses; `/` is an old way to write `OR`.
struct Expression<'e> {
    words: std::iter::Peekable<std::vec::IntoIter<&'e str>>,
}

impl<'e> Expression<'e> {
    fn new(spaced: &'e str) -> Self {
        Self { words: spaced.split_whitespace().collect::<Vec<_>>().into_iter().peekable() }
    }

    /// Whether what is allowed satisfies it.
    fn holds(&mut self, is_allowed: &dyn Fn(&str) -> bool) -> bool {
        let mut any = self.all(is_allowed);
        while self.words.next_if(|&word| word == "OR" || word == "/").is_some() {
            any |= self.all(is_allowed);
        }
        any
    }

    fn all(&mut self, is_allowed: &dyn Fn(&str) -> bool) -> bool {
        let mut all = self.one(is_allowed);
        while self.words.next_if_eq(&"AND").is_some() {
            all &= self.one(is_allowed);
        }
        all
    }

    fn one(&mut self, is_allowed: &dyn Fn(&str) -> bool) -> bool {
        let Some(word) = self.words.next() else { return false };
        if word == "(" {
            let inner = self.holds(is_allowed);
            self.words.next_if_eq(&")");
            return inner;
        }
        if self.words.next_if_eq(&"WITH").is_some() {
            // An exception only adds to what the licence permits.
            self.words.next();
        }
        is_allowed(word)
    }
}

fn is_permitted(licence: &str, allowed: &[String]) -> bool {
    let spaced = licence.replace('(', " ( ").replace(')', " ) ").replace('/', " / ");
    Expression::new(&spaced).holds(&|word| allowed.iter().any(|allowed| allowed == word))
}

#[test]
fn licence_expressions_are_read() {
    let allowed = ["MIT".to_owned(), "Zlib".to_owned()];
    for licence in
        ["MIT", "GPL-3.0 OR MIT", "GPL-3.0/MIT", "(GPL-3.0 OR Zlib) AND MIT", "MIT WITH exception"]
    {
        assert!(is_permitted(licence, &allowed), "{licence}");
    }
    for licence in ["", "GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR BSD) AND MIT"] {
        assert!(!is_permitted(licence, &allowed), "{licence}");
    }
}

#[test]
fn dependencies_have_permitted_licences_and_come_from_the_registry() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rules: toml::Table =
        toml::from_str(&std::fs::read_to_string(root.join("deny.toml")).unwrap()).unwrap();
    let allowed: Vec<String> = rules["licenses"]["allow"].clone().try_into().unwrap();
    let banned = rules["bans"]["deny"].as_array().unwrap().iter();
    let banned: Vec<&str> = banned.map(|ban| ban["crate"].as_str().unwrap()).collect();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--all-features"])
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "{} packages", packages.len());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_permitted(licence, &allowed), "{name} has the licence '{licence}'");
        assert!(!banned.contains(&name), "{name} is banned");
        match package["source"].as_str() {
            None => assert!(name.starts_with("highroad"), "{name} is no crate of the workspace"),
            // Cargo.lock pins the registry and the hash of each package; a repository of its own is none.
            Some(source) => {
                assert!(source.starts_with("registry+"), "{name} comes from {source}");
            }
        }
    }
}

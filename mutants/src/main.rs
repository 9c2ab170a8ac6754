//! Puts many mutants into one build: each is behind a number, and the environment variable `HIGHROAD_MUTANT` chooses the one
//! that is alive. So the core is built once, not once for each mutant.
//!
//! `highroad-mutants FOLDER COUNT SEED [LINES]` rewrites a **copy** of the repository in `FOLDER`: up to `COUNT` mutants, drawn
//! by a seed, in each of the modules search, hierarchy, index and grid. `FOLDER/mutants.txt` lists them. `LINES` is a file of
//! lines `path:line`, where a mutant did not compile: nothing is changed there.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

const MODULES: [&str; 4] = ["search", "hierarchy", "index", "grid"];

/// Names of functions that decide nothing: drawings, and counts of memory.
const LEFT_OUT: [&str; 4] = ["memory_bytes", "bytes", "fmt", "sketch"];

/// The switch, in the crate that is changed.
const SWITCH: &str = "
#[doc(hidden)]
pub(crate) mod mutants {
    static ALIVE: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        std::env::var(\"HIGHROAD_MUTANT\").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
    });

    pub(crate) fn on(number: u32) -> bool {
        *ALIVE == number
    }
}
";

/// A change that can be made.
struct Candidate {
    /// The bytes that are replaced; empty to insert.
    bytes: Range<usize>,
    line: usize,
    /// What stands there instead, with `{on}` for the switch.
    text: String,
    what: String,
}

struct Finder<'s> {
    source: &'s str,
    found: Vec<Candidate>,
}

impl Finder<'_> {
    fn text(&self, node: &impl Spanned) -> &str {
        &self.source[node.span().byte_range()]
    }

    fn add(&mut self, node: &impl Spanned, text: String, what: String) {
        let (bytes, line) = (node.span().byte_range(), node.span().start().line);
        // Line numbers stay as they are only if nothing of several lines is written twice.
        if !self.source[bytes.clone()].contains('\n') {
            self.found.push(Candidate { bytes, line, text, what });
        }
    }

    /// A function that returns at once.
    fn add_return(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let name = signature.ident.to_string();
        if signature.constness.is_some() || LEFT_OUT.contains(&name.as_str()) {
            return;
        }
        let values: &[&str] = match &signature.output {
            syn::ReturnType::Default => &[""],
            syn::ReturnType::Type(_, kind) => match self.text(kind).split('<').next() {
                Some("bool") => &["true", "false"],
                Some("u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64") => &["0", "1"],
                Some("Option") => &["None"],
                Some("Vec") => &["Vec::new()"],
                _ => &[],
            },
        };
        let Some(first) = block.stmts.first() else { return };
        for value in values {
            let (start, line) = (first.span().byte_range().start, first.span().start().line);
            let text = format!("if {{on}} {{ return {value}; }} ");
            let what =
                format!("{name} returns {}", if value.is_empty() { "at once" } else { value });
            self.found.push(Candidate { bytes: start..start, line, text, what });
        }
    }
}

/// What an operator is replaced by.
fn other(operator: &syn::BinOp) -> Option<(&'static str, &'static str)> {
    use syn::BinOp::*;
    Some(match operator {
        Lt(_) => ("<", "<="),
        Le(_) => ("<=", "<"),
        Gt(_) => (">", ">="),
        Ge(_) => (">=", ">"),
        Eq(_) => ("==", "!="),
        Ne(_) => ("!=", "=="),
        And(_) => ("&&", "||"),
        Or(_) => ("||", "&&"),
        Add(_) => ("+", "-"),
        Sub(_) => ("-", "+"),
        Mul(_) => ("*", "+"),
        Div(_) => ("/", "*"),
        Rem(_) => ("%", "/"),
        Shl(_) => ("<<", ">>"),
        Shr(_) => (">>", "<<"),
        BitAnd(_) => ("&", "|"),
        BitOr(_) => ("|", "&"),
        BitXor(_) => ("^", "|"),
        AddAssign(_) => ("+=", "-="),
        SubAssign(_) => ("-=", "+="),
        BitAndAssign(_) => ("&=", "|="),
        BitOrAssign(_) => ("|=", "&="),
        _ => return None,
    })
}

/// Whether an operand is a `let` of a chain, which cannot be put into parentheses.
fn has_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    let names_test = |meta: &syn::MetaList| meta.tokens.to_string().contains("test");
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && names_test(list),
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::NameValue(_) => false,
    })
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) && function.sig.constness.is_none() {
            self.add_return(&function.sig, &function.block);
            self.visit_block(&function.block);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        let name = function.sig.ident.to_string();
        if function.sig.constness.is_none() && !LEFT_OUT.contains(&name.as_str()) {
            self.add_return(&function.sig, &function.block);
            self.visit_block(&function.block);
        }
    }

    // Constant expressions cannot ask for the switch.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let chained = has_let(&binary.left) || has_let(&binary.right);
        if let (Some((old, new)), false) = (other(&binary.op), chained) {
            let (left, right) = (self.text(&*binary.left), self.text(&*binary.right));
            let what = format!("{old} becomes {new} in {left} {old} {right}");
            let text =
                format!("(if {{on}} {{ {left} {new} {right} }} else {{ {left} {old} {right} }})");
            self.add(binary, text, what);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if let syn::UnOp::Not(_) = unary.op {
            let operand = self.text(&*unary.expr);
            let (what, text) = (
                format!("! is left out in !{operand}"),
                format!("(if {{on}} {{ {operand} }} else {{ !{operand} }})"),
            );
            self.add(unary, text, what);
        }
        visit::visit_expr_unary(self, unary);
    }
}

/// Numbers that follow from a seed: splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            sources(&entry, files)?;
        } else if name.ends_with(".rs") && !name.contains("test") && name != "sketch.rs" {
            files.push(entry);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: highroad-mutants FOLDER COUNT SEED [LINES]";
    let root = PathBuf::from(arguments.next().ok_or(usage)?);
    let count: usize = arguments.next().ok_or(usage)?.parse()?;
    let seed: u64 = arguments.next().ok_or(usage)?.parse()?;
    let refused = arguments.next().map(fs::read_to_string).transpose()?.unwrap_or_default();
    let (mut number, mut list) = (0, String::new());
    for (at, module) in MODULES.iter().enumerate() {
        let mut files = Vec::new();
        let folder = root.join("crates/core/src").join(module);
        sources(&folder, &mut files)?;
        let mut all: Vec<(PathBuf, Candidate)> = Vec::new();
        for file in files {
            let source = fs::read_to_string(&file)?;
            let mut finder = Finder { source: &source, found: Vec::new() };
            finder.visit_file(&syn::parse_file(&source)?);
            all.extend(finder.found.into_iter().map(|candidate| (file.clone(), candidate)));
        }
        let total = all.len();
        let mut random = Random(seed.wrapping_add(at as u64));
        let mut chosen: Vec<(PathBuf, Candidate)> = Vec::new();
        while chosen.len() < count && !all.is_empty() {
            let (file, candidate) = all.swap_remove(random.below(all.len()));
            let place = format!("{}:{}", file.strip_prefix(&root)?.display(), candidate.line);
            let apart = |(other_file, other): &(PathBuf, Candidate)| {
                *other_file != file
                    || other.bytes.end < candidate.bytes.start
                    || candidate.bytes.end < other.bytes.start
            };
            if chosen.iter().all(apart) && !refused.lines().any(|line| line == place) {
                chosen.push((file, candidate));
            }
        }
        // From the end of each file on, so that places stay right.
        chosen.sort_by(|(file, a), (other, b)| (other, b.bytes.start).cmp(&(file, a.bytes.start)));
        for (file, candidate) in &chosen {
            number += 1;
            let mut source = fs::read_to_string(file)?;
            let on = format!("crate::mutants::on({number})");
            source.replace_range(candidate.bytes.clone(), &candidate.text.replace("{on}", &on));
            fs::write(file, source)?;
            let place = file.strip_prefix(&root)?.display();
            writeln!(list, "{number}\t{module}\t{place}:{}\t{}", candidate.line, candidate.what)?;
        }
        println!("{module}: {} of {total}", chosen.len());
    }
    let lib = root.join("crates/core/src/lib.rs");
    let text = fs::read_to_string(&lib)? + SWITCH;
    fs::write(&lib, text)?;
    fs::write(root.join("mutants.txt"), list)?;
    Ok(())
}

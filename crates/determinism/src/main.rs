//! Prints the hash of each part of the fixed work, and one over all of them.
#![allow(clippy::print_stdout)]

use highroad_determinism::{fixed_work, total};

fn main() {
    let parts = fixed_work();
    for part in &parts {
        println!("{:016x}  {:>7} items  {}", part.hash, part.items, part.name);
    }
    println!("{:016x}  total", total(&parts));
}

//! Work is run on stacks of its own, so the host must be able to change to them.

#[allow(clippy::print_stdout)]
fn main() {
    println!("cargo::rustc-link-arg-cdylib=--export=__stack_pointer");
}

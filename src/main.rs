//! The `spirv-if` program.

fn main() {}

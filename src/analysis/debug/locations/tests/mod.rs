//! Source locations of instructions: as real compilers write them, and the scope rules in text.

mod compilers;
mod disassembly;
mod rules;

//! Where instructions come from in the source: what real compilers write, and the scope rules in text.

mod compilers;
mod disassembly;
mod rules;

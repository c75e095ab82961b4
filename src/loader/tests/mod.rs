//! Tests of the loader and the writer: words are kept bit for bit, and bad input is one clear error.

mod bad_input;
mod corruption;
mod disassembly;
mod embedded;
mod round_trip;
mod synthesis;
mod walk;

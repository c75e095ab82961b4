//! The loader and the writer: a module is its words, whatever they are, and bad input is one clear error.

mod bad_input;
mod corruption;
mod embedded;
mod round_trip;
mod synthesis;
mod walk;

//! Splitting device code, on every fixture: the contents, completeness and requirements of each image.

mod images;
mod requirements;
mod state;
mod support;

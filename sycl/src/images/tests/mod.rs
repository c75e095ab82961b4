//! Splitting device code, on every fixture: the contents, completeness and requirements of each image.

mod images;
mod state;
mod support;

//! Device code split, on every fixture: what is in an image, that it stands alone, and what it requires.

mod images;
mod requirements;
mod state;
mod support;

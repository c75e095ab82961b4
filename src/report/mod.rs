//! Reports for people and for other programs, rendered from plain data.
//!
//! What depends on where a text goes comes in as a [`TextStyle`]: nothing here asks the terminal.

mod device;
mod style;

pub use device::text as device;
pub use style::TextStyle;

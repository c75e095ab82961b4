//! Reports for people and for other programs, rendered from plain data.
//!
//! Width and colour come in as a [`TextStyle`]: nothing here asks the terminal.

mod condition;
mod device;
mod dot;
pub mod inspection;
mod style;

pub use condition::assembly;
pub use device::text as device;
pub use dot::dot;
pub use style::TextStyle;

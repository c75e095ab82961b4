//! Reports on the modules in files: one file per form.

mod devices;
mod json;
mod summary;
mod table;
mod text;
mod why;

pub use devices::text as devices;
pub use json::{module as module_json, write as write_json};
pub use text::text;
pub use why::text as why;

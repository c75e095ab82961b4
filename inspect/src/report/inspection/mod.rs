//! Reports on the modules in files: one file for each form.

mod json;
mod statistics;
mod summary;
mod table;
mod text;
mod why;

pub use json::{InspectionJson, module as module_json, parsed as parsed_json, write as write_json};
pub use table::devices;
pub use text::{answered, text};
pub use why::text as why;

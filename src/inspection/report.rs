//! Several files and the modules in them.

use std::sync::Arc;

use serde::Serialize;

use super::enabling::Enable;
use super::model::Inspected;
use super::why::Why;

/// The version of the JSON that a [`Report`] serializes to (`spec-extensions/inspect.md`). Members may be added without a new
/// number.
pub const SCHEMA: &str = "spirv-if/inspect/1";

/// What was found in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The files, in the order in which they were asked about.
    pub files: Vec<FileReport>,
}

/// What was found in one file. `M` is what is known of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport<M = Inspection> {
    /// Its name.
    pub file: String,
    /// Its size in bytes.
    pub size: usize,
    /// Its modules, in their order.
    pub modules: Vec<M>,
}

/// What was found of one module. A copy of it shares what it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// Where it starts, in bytes from the start of the file.
    pub(crate) offset: usize,
    /// Its size in bytes.
    pub(crate) size: usize,
    /// What it needs.
    #[serde(flatten)]
    pub(crate) inspected: Arc<Inspected>,
    /// What an API must enable, if one was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) enable: Option<Enable>,
    /// Why it needs what was asked about, if something was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<Vec<Why>>,
}

impl Report {
    /// A report on files.
    pub fn new(files: Vec<FileReport>) -> Report {
        Report { schema: SCHEMA, files }
    }
}

//! Several files and the modules in them.

use std::sync::Arc;

use serde::Serialize;

use super::enabling::Enable;
use super::model::Inspected;
use super::why::Why;

/// The version of the JSON that a [`InspectionReport`] serializes to (`spec-extensions/inspect.md`). Members may be added without a new
/// number.
pub const SCHEMA: &str = "spirv-if/inspect/1";

/// The findings on files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InspectionReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The files, in the order in which they were given.
    pub files: Vec<FileReport>,
}

/// The findings on one file. `M` are those on a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport<M = Inspection> {
    /// Its name.
    pub file: String,
    /// Its size in bytes.
    pub size: usize,
    /// Its modules, in their order.
    pub modules: Vec<M>,
}

/// The findings on one module. Copies share them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// The offset of its start in the file, in bytes.
    pub(crate) offset: usize,
    /// Its size in bytes.
    pub(crate) size: usize,
    /// Its requirements.
    #[serde(flatten)]
    pub(crate) inspected: Arc<Inspected>,
    /// The features that an API must enable, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) enable: Option<Enable>,
    /// The causes of the requirement in question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<Vec<Why>>,
}

impl InspectionReport {
    /// A report on files.
    pub fn new(files: Vec<FileReport>) -> InspectionReport {
        InspectionReport { schema: SCHEMA, files }
    }
}

//! The errors of loading a program.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::tables::TableError;
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::text::spelling::did_you_mean;
use spirv_if::error::{ModuleErrorKind, RequestErrorKind};
use spirv_if::property_sets::PropertyError;

/// The cause of a failure to read a program or to select the images of a kernel.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RuntimeError {
    /// A file that a program requires cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A linked file has no SPIR-V images with a description that is known.
    #[error("{}: it has no SPIR-V images of DPC++: name a file table, or a program or library that DPC++ linked with -fsycl", .path.display())]
    NoImages {
        /// The file.
        path: PathBuf,
    },
    /// The table is malformed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table does not have a column.
    #[error("{table}: the table has no column `{column}`: {reason}")]
    Column {
        /// The table.
        table: String,
        /// The title.
        column: &'static str,
        /// The use of the column.
        reason: &'static str,
    },
    /// The table names a file outside its folder.
    #[error(
        "{table}: it names {file} outside its folder: allow that (`allow_outside`) if you trust the table"
    )]
    Outside {
        /// The table and the line.
        table: String,
        /// The file.
        file: String,
    },
    /// The properties of an image are malformed.
    #[error("{image}: {error}")]
    Property {
        /// The image.
        image: String,
        /// The cause.
        error: PropertyError,
    },
    /// No image has the kernel.
    #[error("no image has a kernel `{name}`{}", other_names(.nearest, .unreadable))]
    UnknownKernel {
        /// The name.
        name: String,
        /// The names nearest to it.
        nearest: Vec<String>,
        /// The errors of images that cannot be read, and may have the kernel.
        unreadable: Vec<String>,
    },
    /// All images with the kernel are for other targets.
    #[error("no image has a kernel `{name}` for {device}: images with it are for {}", .targets.join(", "))]
    OtherTarget {
        /// The name.
        name: String,
        /// The device.
        device: String,
        /// The targets of the images that have it.
        targets: Vec<String>,
    },
    /// Several images have the kernel.
    #[error(
        "both {first} and {second} have the kernel `{name}`: only one image of a target may have a kernel. Remove the other from the table"
    )]
    TwoKernels {
        /// The kernel.
        name: String,
        /// An image that has it.
        first: String,
        /// The other one.
        second: String,
    },
    /// Several images export a name that an image imports.
    #[error(
        "`{name}`, which {importer} imports, is exported by both {first} and {second}: only one image may export a name. Remove the \
         other from the table"
    )]
    TwoExporters {
        /// The name.
        name: String,
        /// The image that imports it.
        importer: String,
        /// An image that exports it.
        first: String,
        /// The other one.
        second: String,
    },
    /// Two selected images export one name.
    #[error(
        "both {first} and {second} are selected and export `{name}`: only one image may export a name. Remove the other from the table"
    )]
    TwoExports {
        /// The name.
        name: String,
        /// A selected image that exports it.
        first: String,
        /// The other one.
        second: String,
    },
    /// Only an add-on image exports a name, and nothing selected the image.
    #[error(
        "{importer} imports `{name}`, which only the add-on image {add_on} exports: add-on images are found by their id, and no selected \
         image requires add-on images {id}"
    )]
    OnlyAddOn {
        /// The name.
        name: String,
        /// The image that imports it.
        importer: String,
        /// The add-on image.
        add_on: String,
        /// The id.
        id: String,
    },
    /// No image defines a name.
    #[error(
        "{importer} imports `{name}`, and no image of the program defines it: add the image that does; imports of what drivers define are kept \
         with `allow_partial_linkage`"
    )]
    Unresolved {
        /// The name.
        name: String,
        /// The image that imports it.
        importer: String,
    },
    /// No add-on image has the id.
    #[error(
        "{image} requires the add-on images {id}, and the program has no {} image of this id: add its row to the table", kind(*.real)
    )]
    NoAddOn {
        /// The image that requires it.
        image: String,
        /// The id.
        id: String,
        /// True for the image with the real definitions.
        real: bool,
    },
    /// Two add-on images that would take one place.
    #[error("both {first} and {second} are the {} image of add-on {id}: ids are unique in a program", kind(*.real))]
    TwoAddOns {
        /// The id.
        id: String,
        /// True for the images with the real definitions.
        real: bool,
        /// An image.
        first: String,
        /// The other one.
        second: String,
    },
    /// Images import from each other, or require each other's add-on images.
    #[error("images require each other in a circle: {}", .images.join(" -> "))]
    Cycle {
        /// The images, the first again at the end.
        images: Vec<String>,
    },
    /// The condition of add-on images is unknown on the device.
    #[error("{image}: the condition {condition} of its add-on images {id} is unknown on {device}: {advice}")]
    Unknown {
        /// The image that requires them.
        image: String,
        /// The id.
        id: String,
        /// The condition.
        condition: String,
        /// The device.
        device: String,
        /// Advice how to make it known.
        advice: String,
    },
    /// The kernel is not in the code of its image.
    #[error("{image}: its symbols name `{kernel}`, and the module has no entry point of this name")]
    NotAKernel {
        /// The image.
        image: String,
        /// The kernel.
        kernel: String,
    },
    /// The code of an image is not a module.
    #[error("{image}: {error}")]
    Load {
        /// The image.
        image: String,
        /// The cause.
        error: spirv_if::error::LoadError,
    },
    /// The code of an image cannot be specialized before it is linked.
    #[error("{image}: {error}")]
    Image {
        /// The image.
        image: String,
        /// The cause.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl From<RuntimeError> for PipelineError {
    fn from(error: RuntimeError) -> PipelineError {
        match error {
            RuntimeError::UnknownKernel { .. } => PipelineError::request(RequestErrorKind::Kernel, error),
            RuntimeError::File { .. } | RuntimeError::NoImages { .. } | RuntimeError::Table(_) => {
                PipelineError::module(ModuleErrorKind::File, error)
            }
            _ => PipelineError::module(ModuleErrorKind::Program, error),
        }
    }
}

/// Returns the images that may have the kernel, similar names, if any.
fn other_names(nearest: &[String], unreadable: &[String]) -> String {
    match nearest {
        _ if !unreadable.is_empty() => format!(", and some cannot be read: {}", unreadable.join("; ")),
        [] => ", nor one with a similar name".to_owned(),
        _ => did_you_mean(nearest),
    }
}

fn kind(real: bool) -> &'static str {
    if real { "real" } else { "stub" }
}

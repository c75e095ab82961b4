//! The error of all pipelines: variants for the cases that callers handle differently, and a kind with a cause for everything else. The
//! module of each subject has its errors and their kinds.

use std::collections::BTreeSet;
use std::fmt;

use thiserror::Error;

use crate::analysis::AnalysisError;
use crate::collections::IdMap;
use crate::compatibility::Refused;
use crate::condition::{ConditionError, Expr};
use crate::device::DeviceError;
use crate::loader::LoadError;
use crate::metadata::property_sets::PropertyError;
use crate::transform::specialize::SpecializeError;
use crate::transform::version::TooNew;
use crate::writer::WriteError;

/// The cause of an error of a lower layer.
type ErrorCause = Box<dyn std::error::Error + Send + Sync>;

/// The cause of a failed pipeline.
#[derive(Debug, Error)]
pub enum PipelineError {
    /// A device does not run the module, or entry points of it.
    #[error(transparent)]
    Refused(Box<Refused>),
    /// A part of the module would stay conditional.
    #[error("conditions stay open")]
    Open(OpenConditions),
    /// The result uses features that the requested version does not have.
    #[error(transparent)]
    TooNew(#[from] TooNew),
    /// The request is invalid for the module.
    #[error(transparent)]
    Request(RequestError),
    /// The module, or a file beside it, breaks a rule.
    #[error(transparent)]
    Module(ModuleError),
}

impl From<Refused> for PipelineError {
    fn from(refused: Refused) -> PipelineError {
        PipelineError::Refused(Box::new(refused))
    }
}

/// The conditions that nothing decides on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenConditions {
    /// The name of the device.
    pub device: String,
    /// True if nothing is known about the device.
    pub without_device: bool,
    /// The number of parts of the module that would stay conditional.
    pub parts: usize,
    /// The constants without a value, by SpecId, each with its meaning if it is known.
    pub spec_ids: IdMap<Option<Expr>>,
    /// The device constants without a value, by result id.
    pub device_constants: BTreeSet<u32>,
    /// True if some part depends on device constants, or on a condition that cannot be evaluated.
    pub others: bool,
}

/// An invalid request.
#[derive(Debug)]
pub struct RequestError {
    kind: RequestErrorKind,
    cause: ErrorCause,
}

/// The invalid part of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequestErrorKind {
    /// The text or the series of a condition is malformed.
    Condition,
    /// The module does not have a specialization constant, or has several of the name.
    Constant,
    /// A value does not fit a specialization constant or a decision of the host, or its text is not a value.
    Value,
    /// The module does not have an entry point, or a name for one cannot be written.
    EntryPoint,
    /// The program does not have a kernel.
    Kernel,
    /// A device, a target or a part of its description does not exist, or parts contradict each other.
    Device,
    /// A report of a device does not have a profile.
    Profile,
    /// No module has an aspect, a capability or an extension of the name.
    Feature,
    /// An API does not have a version.
    Version,
    /// A file has no module, not the one that was requested, or several.
    ModulePart,
    /// A split or a selection does not have an image of the number.
    Image,
    /// Entries of annotations match nothing in the modules that they are applied to.
    Annotations,
    /// A table or a manifest of variants is malformed.
    Variants,
    /// Options, or modules and options, contradict each other.
    Options,
}

/// A malformed module, or a malformed file beside it.
#[derive(Debug)]
pub struct ModuleError {
    kind: ModuleErrorKind,
    cause: ErrorCause,
}

/// The part that is malformed, or the step that it makes impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModuleErrorKind {
    /// The annotations, or one contradicts the module.
    Annotations,
    /// The property sets, beside the module or inside it.
    PropertySets,
    /// The compile-time properties.
    CompileTimeProperties,
    /// The conditions, conditional calls or constants of the module.
    ConditionalCode,
    /// The module cannot be packed.
    Pack,
    /// The module cannot be specialized.
    Specialize,
    /// The module uses a feature in a way that cannot be lowered.
    Lower,
    /// Modules cannot be linked.
    Link,
    /// Variants cannot be merged.
    Merge,
    /// The module cannot be split into images.
    Split,
    /// The images of a program do not fit together.
    Program,
    /// A device configuration or a report of a device.
    Device,
    /// A file cannot be read, or is malformed: a table of images, their symbols or code.
    File,
    /// The module is invalid, so that a result would be.
    Invalid,
    /// A report cannot be written.
    Report,
}

impl RequestError {
    /// Makes the error for a part of a request.
    pub(crate) fn new(kind: RequestErrorKind, cause: impl Into<ErrorCause>) -> RequestError {
        RequestError { kind, cause: cause.into() }
    }

    /// Returns the invalid part of the request.
    pub fn kind(&self) -> RequestErrorKind {
        self.kind
    }
}

impl ModuleError {
    /// Makes the error for a part of a module.
    pub(crate) fn new(kind: ModuleErrorKind, cause: impl Into<ErrorCause>) -> ModuleError {
        ModuleError { kind, cause: cause.into() }
    }

    /// Returns the part that is malformed, or the step that it makes impossible.
    pub fn kind(&self) -> ModuleErrorKind {
        self.kind
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

/// The message is the cause's, so the source is the cause of that.
impl std::error::Error for RequestError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.source()
    }
}

/// The message is the cause's, so the source is the cause of that.
impl std::error::Error for ModuleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.source()
    }
}

impl PipelineError {
    /// Makes the error for an invalid request.
    pub fn request(kind: RequestErrorKind, cause: impl Into<ErrorCause>) -> PipelineError {
        PipelineError::Request(RequestError::new(kind, cause))
    }

    /// Makes the error for a malformed input.
    pub fn module(kind: ModuleErrorKind, cause: impl Into<ErrorCause>) -> PipelineError {
        PipelineError::Module(ModuleError::new(kind, cause))
    }

    /// Returns the cause, if it is of a type.
    pub fn cause<E: std::error::Error + 'static>(&self) -> Option<&E> {
        match self {
            PipelineError::Request(error) => error.cause.downcast_ref(),
            PipelineError::Module(error) => error.cause.downcast_ref(),
            _ => None,
        }
    }
}

/// Converts errors of one pipeline to the error of all pipelines, each with its kind.
#[doc(hidden)]
#[macro_export]
macro_rules! kinds_of_errors {
    ($($error:ty => $make:ident($kind:path)),* $(,)?) => {
        $(impl From<$error> for $crate::engine::pipelines::PipelineError {
            fn from(error: $error) -> $crate::engine::pipelines::PipelineError {
                $crate::engine::pipelines::PipelineError::$make($kind, error)
            }
        })*
    };
}
pub(super) use kinds_of_errors;

kinds_of_errors! {
    AnalysisError => module(ModuleErrorKind::ConditionalCode),
    ConditionError => module(ModuleErrorKind::ConditionalCode),
    DeviceError => module(ModuleErrorKind::Device),
    PropertyError => module(ModuleErrorKind::PropertySets),
    WriteError => module(ModuleErrorKind::Invalid),
    InvalidResult => module(ModuleErrorKind::Invalid),
}

/// The module is invalid, and therefore the result of a step does not load.
#[derive(Debug, Error)]
#[error("the module is invalid: the result does not load")]
struct InvalidResult(#[source] LoadError);

impl From<LoadError> for PipelineError {
    fn from(error: LoadError) -> PipelineError {
        InvalidResult(error).into()
    }
}

impl From<SpecializeError> for PipelineError {
    fn from(error: SpecializeError) -> PipelineError {
        match error {
            SpecializeError::UnknownConstant { .. } | SpecializeError::AmbiguousName { .. } => {
                PipelineError::request(RequestErrorKind::Constant, error)
            }
            SpecializeError::Value { .. } | SpecializeError::Unreadable { .. } => {
                PipelineError::request(RequestErrorKind::Value, error)
            }
            _ => PipelineError::module(ModuleErrorKind::Specialize, error),
        }
    }
}

//! Errors: why a call fails, and what a device is missing.
//!
//! Every call returns [`Error`](enum@Error). Its variants are what programs treat differently: a device that does not run the module, conditions that
//! nothing decides, a request that makes no sense, a malformed module. Each says more as data. Displayed, an error is the message of the
//! program `spirv-if`.
//!
//! ```
//! use spirv_if::error::RequestErrorKind;
//! use spirv_if::{Condition, Error};
//! let Err(Error::Request(error)) = Condition::parse("fp16 &&") else { unreachable!() };
//! assert_eq!(error.kind(), RequestErrorKind::Condition);
//! assert!(error.to_string().starts_with("column 8: expected an aspect"));
//! ```

use std::fmt;

use thiserror::Error;

use super::condition::Condition;
use super::ids::SpecId;
use crate::check::CheckError;
use crate::compatibility::label;
use crate::device::DeviceError;
use crate::device::reports::ImportError;
use crate::inspection::InspectionError;
use crate::pipelines::runtime::RuntimeError;
use crate::pipelines::{OpenConditions, PipelineError};
use crate::transform::specialize::SpecializeError;

pub use crate::compatibility::{Missing, Refused};
pub use crate::loader::LoadError;
pub use crate::transform::version::{Construct, TooNew};

/// The cause of an error of a lower layer.
type ErrorCause = Box<dyn std::error::Error + Send + Sync>;

/// The cause for which a call fails. Displayed, the message of the program.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Bytes or words are no module; the offset, and the cause.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The device does not run the module.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Something would stay conditional.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// The result uses what the version that was requested does not have ([`Settings::max_version`](crate::Settings::max_version)).
    #[error(transparent)]
    TooNew(#[from] TooNew),
    /// The request makes no sense for this module: it names a SpecId, a value, a device or an entry point that does not exist.
    #[error(transparent)]
    Request(RequestError),
    /// The module, its property sets, its annotations or another file break a rule that the call depends on.
    #[error(transparent)]
    Module(ModuleError),
}

/// A request that makes no sense.
#[derive(Debug)]
pub struct RequestError {
    kind: RequestErrorKind,
    cause: ErrorCause,
}

/// The part of a request that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RequestErrorKind {
    /// The text or the series of a condition is malformed.
    Condition,
    /// The module does not have a specialization constant, or has several of the name.
    Constant,
    /// A value does not fit a specialization constant or a decision of the host, or its text is no value.
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
    /// The conditions, calls or constants by which the module is conditional.
    ConditionalCode,
    /// The module cannot be packed.
    Pack,
    /// The module cannot be specialized.
    Specialize,
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

impl Error {
    /// Makes the error for a request that makes no sense.
    pub(crate) fn request(kind: RequestErrorKind, cause: impl Into<ErrorCause>) -> Error {
        Error::Request(RequestError { kind, cause: cause.into() })
    }

    /// Makes the error for something malformed.
    pub(crate) fn module(kind: ModuleErrorKind, cause: impl Into<ErrorCause>) -> Error {
        Error::Module(ModuleError { kind, cause: cause.into() })
    }
}

impl RequestError {
    /// Returns the part of the request that makes no sense.
    pub fn kind(&self) -> RequestErrorKind {
        self.kind
    }
}

impl ModuleError {
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

/// The conditions that nothing decides on a device, where a part of the module would stay conditional.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecided {
    /// The name of the device; empty for one that was described.
    pub device: String,
    /// The number of parts of the module that would stay conditional.
    pub parts: usize,
    /// The specialization constants without a value.
    pub constants: Vec<UndecidedConstant>,
    /// True if some part depends on something else: a device constant, or a condition that cannot be evaluated.
    pub others: bool,
}

/// A specialization constant without a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UndecidedConstant {
    /// The constant.
    pub spec_id: SpecId,
    /// The condition that it stands for, where that is known.
    pub condition: Option<Condition>,
}

impl From<OpenConditions> for Undecided {
    fn from(open: OpenConditions) -> Undecided {
        let OpenConditions { device, parts, spec_ids, others } = open;
        let constants = spec_ids.into_iter().map(|(spec_id, meaning)| UndecidedConstant {
            spec_id: SpecId::new(spec_id),
            condition: meaning.map(Condition::new),
        });
        Undecided { device, parts, constants: constants.collect(), others }
    }
}

impl std::error::Error for Undecided {}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = if self.parts == 1 { "1 part stays" } else { &format!("{} parts stay", self.parts) };
        write!(f, "{parts} conditional on {}: ", label(&self.device))?;
        let mut reasons = Vec::new();
        for UndecidedConstant { spec_id, condition } in &self.constants {
            reasons.push(match condition {
                Some(condition) if condition.decision().is_some() => {
                    format!("{condition} is for the host to decide (SpecId {spec_id})")
                }
                Some(condition) => format!("it is not known whether {condition} holds (SpecId {spec_id})"),
                None => format!("the module does not give the condition of SpecId {spec_id}"),
            });
        }
        if self.others {
            reasons.push("too little is known of the device to evaluate device constants".to_owned());
        }
        f.write_str(&reasons.join("; "))
    }
}

impl From<PipelineError> for Error {
    fn from(error: PipelineError) -> Error {
        use ModuleErrorKind as Kind;
        match error {
            PipelineError::Refused(refused) => refused.into(),
            PipelineError::Open(open) => Undecided::from(open).into(),
            PipelineError::TooNew(error) => error.into(),
            PipelineError::UnknownEntryPoint { .. } => Error::request(RequestErrorKind::EntryPoint, error),
            PipelineError::HostValue { .. } => Error::request(RequestErrorKind::Value, error),
            PipelineError::Tables(_) => Error::request(RequestErrorKind::Variants, error),
            PipelineError::Specialize(error) => error.into(),
            PipelineError::Runtime(error) => error.into(),
            PipelineError::Property(_)
            | PipelineError::UnitProperty { .. }
            | PipelineError::Requirements(_)
            | PipelineError::NoTarget(_) => Error::module(Kind::PropertySets, error),
            PipelineError::Analysis(_)
            | PipelineError::Condition(_)
            | PipelineError::Predicates { .. }
            | PipelineError::Cloning(_) => Error::module(Kind::ConditionalCode, error),
            PipelineError::Expand(_) => Error::module(Kind::Annotations, error),
            PipelineError::Pack(_) => Error::module(Kind::Pack, error),
            PipelineError::Lowering(_) => Error::module(Kind::CompileTimeProperties, error),
            PipelineError::Link(_) | PipelineError::Conflict { .. } => Error::module(Kind::Link, error),
            PipelineError::Merge(_) => Error::module(Kind::Merge, error),
            PipelineError::Device(_) | PipelineError::NoArchitecture(_) => Error::module(Kind::Device, error),
            PipelineError::Check(error) => error.into(),
            PipelineError::NoEntryPoint
            | PipelineError::NoRoots
            | PipelineError::ImageScope(_)
            | PipelineError::AddOn(_) => Error::module(Kind::Split, error),
            PipelineError::Write(_) | PipelineError::Load(_) | PipelineError::StillUsed { .. } => {
                Error::module(Kind::Invalid, error)
            }
        }
    }
}

impl From<SpecializeError> for Error {
    fn from(error: SpecializeError) -> Error {
        match error {
            SpecializeError::UnknownConstant { .. } | SpecializeError::AmbiguousName { .. } => {
                Error::request(RequestErrorKind::Constant, error)
            }
            SpecializeError::Value { .. } | SpecializeError::Unreadable { .. } => {
                Error::request(RequestErrorKind::Value, error)
            }
            _ => Error::module(ModuleErrorKind::Specialize, error),
        }
    }
}

impl From<RuntimeError> for Error {
    fn from(error: RuntimeError) -> Error {
        match error {
            RuntimeError::UnknownKernel { .. } => Error::request(RequestErrorKind::Kernel, error),
            RuntimeError::File { .. } | RuntimeError::Table(_) => Error::module(ModuleErrorKind::File, error),
            _ => Error::module(ModuleErrorKind::Program, error),
        }
    }
}

impl From<DeviceError> for Error {
    fn from(error: DeviceError) -> Error {
        match error {
            DeviceError::Config { .. } => Error::module(ModuleErrorKind::Device, error),
            _ => Error::request(RequestErrorKind::Device, error),
        }
    }
}

impl From<ImportError> for Error {
    fn from(error: ImportError) -> Error {
        match error {
            ImportError::NoProfile { .. } => Error::request(RequestErrorKind::Profile, error),
            _ => Error::module(ModuleErrorKind::Device, error),
        }
    }
}

macro_rules! from_errors_of_modules {
    ($($error:ty => $kind:ident),* $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::module(ModuleErrorKind::$kind, error)
            }
        })*
    };
}

from_errors_of_modules! {
    crate::analysis::AnalysisError => ConditionalCode,
    crate::analysis::AnnotationError => Annotations,
    crate::metadata::annotations::AnnotationsError => Annotations,
    CheckError => ConditionalCode,
    crate::condition::ConditionError => ConditionalCode,
    InspectionError => ConditionalCode,
    crate::metadata::property_sets::PropertyError => PropertySets,
    crate::compatibility::RequirementsError => PropertySets,
    crate::metadata::tables::TableError => File,
    crate::transform::pack::PackError => Pack,
    crate::writer::WriteError => Invalid,
}

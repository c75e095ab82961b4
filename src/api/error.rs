//! Errors: the causes of failed calls, and the missing features of devices.
//!
//! Every call returns [`Error`](enum@Error). Its variants are the cases that programs handle differently: an unsuitable device, undecided
//! conditions, an invalid request, a malformed module. Each has the details as data. The displayed text of an error is the message of the
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
use crate::compatibility::label;
use crate::device::DeviceError;
use crate::device::reports::ImportError;
use crate::pipelines::{OpenConditions, PipelineError};
use crate::transform::lower::UnknownFeature;
use crate::transform::specialize::SpecializeError;
use crate::transform::trap::TrapError;

pub use super::hints::{Hint, HintWords};
pub use crate::compatibility::{Missing, Refused};
pub use crate::loader::LoadError;
pub use crate::pipelines::{ModuleError, ModuleErrorKind, RequestError, RequestErrorKind};
pub use crate::transform::version::{Construct, TooNew};

/// The cause of a failed call. It is displayed as the message of the program.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes or words are not a module. Contains the offset and the cause.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The device does not run the module.
    #[error(transparent)]
    Refused(Box<Refused>),
    /// A part of the module would stay conditional.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// The result uses a feature that the requested version does not have ([`Settings::max_version`](crate::Settings::max_version)).
    #[error(transparent)]
    TooNew(#[from] TooNew),
    /// The request is invalid for this module: it names a SpecId, a value, a device or an entry point that does not exist.
    #[error(transparent)]
    Request(RequestError),
    /// The module, its property sets, its annotations or another file break a rule that the call depends on.
    #[error(transparent)]
    Module(ModuleError),
}

impl From<UnknownFeature> for Error {
    fn from(error: UnknownFeature) -> Error {
        PipelineError::from(error).into()
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Error {
        Error::Refused(Box::new(refused))
    }
}

impl Error {
    /// Makes the error for an invalid request.
    #[doc(hidden)]
    pub fn request(
        kind: RequestErrorKind,
        cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        PipelineError::request(kind, cause).into()
    }

    /// Makes the error for something malformed.
    #[doc(hidden)]
    pub fn module(
        kind: ModuleErrorKind,
        cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        PipelineError::module(kind, cause).into()
    }
}

/// The undecided conditions on a device, if a part of the module would stay conditional.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecided {
    /// The name of the device; empty for one that was described.
    pub device: String,
    /// True if nothing is known about the device, such as [`Device::default`](crate::Device::default).
    pub without_device: bool,
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
    /// The condition that it represents, if known.
    pub condition: Option<Condition>,
}

impl From<OpenConditions> for Undecided {
    fn from(open: OpenConditions) -> Undecided {
        let OpenConditions { device, without_device, parts, spec_ids, others, device_constants: _ } = open;
        let constants = spec_ids.into_iter().map(|(spec_id, meaning)| UndecidedConstant {
            spec_id: SpecId::new(spec_id),
            condition: meaning.map(Condition::new),
        });
        Undecided { device, without_device, parts, constants: constants.collect(), others }
    }
}

impl std::error::Error for Undecided {}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = if self.parts == 1 { "1 part stays" } else { &format!("{} parts stay", self.parts) };
        match self.without_device {
            true => write!(f, "{parts} conditional without a device: ")?,
            false => write!(f, "{parts} conditional on {}: ", label(&self.device))?,
        }
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
        match error {
            PipelineError::Refused(refused) => Error::Refused(refused),
            PipelineError::Open(open) => Error::Undecided(open.into()),
            PipelineError::TooNew(error) => Error::TooNew(error),
            PipelineError::Request(error) => Error::Request(error),
            PipelineError::Module(error) => Error::Module(error),
        }
    }
}

impl From<SpecializeError> for Error {
    fn from(error: SpecializeError) -> Error {
        PipelineError::from(error).into()
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

impl From<TrapError> for Error {
    fn from(error: TrapError) -> Error {
        Error::request(RequestErrorKind::Options, error)
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

/// Converts errors for malformed inputs to errors of calls, each with its kind.
#[doc(hidden)]
#[macro_export]
macro_rules! from_errors_of_modules {
    ($($error:ty => $kind:ident),* $(,)?) => {
        $(impl From<$error> for $crate::Error {
            fn from(error: $error) -> $crate::Error {
                $crate::Error::module($crate::error::ModuleErrorKind::$kind, error)
            }
        })*
    };
}
pub use from_errors_of_modules;

from_errors_of_modules! {
    crate::analysis::AnalysisError => ConditionalCode,
    crate::analysis::AnnotationError => Annotations,
    crate::metadata::annotations::AnnotationsError => Annotations,
    crate::condition::ConditionError => ConditionalCode,
    crate::metadata::property_sets::PropertyError => PropertySets,
    crate::transform::bound_parts::NoSpecId => Annotations,
    crate::writer::WriteError => Invalid,
}

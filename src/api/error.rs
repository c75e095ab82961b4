//! The error of all calls.

use std::fmt;

use thiserror::Error;

use super::{Condition, SpecId};
use crate::compatibility::label;
use crate::device::DeviceError;
use crate::device::reports::ImportError;
use crate::loader::LoadError;
use crate::pipelines::runtime::RuntimeError;
use crate::pipelines::{OpenConditions, PipelineError};
use crate::transform::specialize::SpecializeError;

pub use crate::compatibility::{Missing, Refused};
pub use crate::transform::version::{Construct, TooNew};

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
    #[error("{0}")]
    Request(String),
    /// The module, its property sets or its annotations break a rule that the call depends on.
    #[error(transparent)]
    Module(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// The error for a request that makes no sense.
    pub(crate) fn request(cause: impl fmt::Display) -> Error {
        Error::Request(cause.to_string())
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
    /// The specialization constants without a value, each with the condition that it stands for, where that is known.
    pub spec_ids: Vec<(SpecId, Option<Condition>)>,
    /// True if some part depends on something else: a device constant, or a condition that cannot be evaluated.
    pub others: bool,
}

impl From<OpenConditions> for Undecided {
    fn from(open: OpenConditions) -> Undecided {
        let OpenConditions { device, parts, spec_ids, others } = open;
        let spec_ids =
            spec_ids.into_iter().map(|(spec_id, meaning)| (SpecId(spec_id), meaning.map(Condition::of)));
        Undecided { device, parts, spec_ids: spec_ids.collect(), others }
    }
}

impl std::error::Error for Undecided {}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = if self.parts == 1 { "1 part stays" } else { &format!("{} parts stay", self.parts) };
        write!(f, "{parts} conditional on {}: ", label(&self.device))?;
        let mut reasons = Vec::new();
        for (spec_id, meaning) in &self.spec_ids {
            reasons.push(match meaning {
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
            PipelineError::Refused(refused) => refused.into(),
            PipelineError::Open(open) => Undecided::from(open).into(),
            PipelineError::TooNew(error) => error.into(),
            PipelineError::UnknownEntryPoint { .. }
            | PipelineError::HostValue { .. }
            | PipelineError::Tables(_) => Error::request(error),
            PipelineError::Specialize(
                SpecializeError::UnknownConstant { .. }
                | SpecializeError::AmbiguousName { .. }
                | SpecializeError::Value { .. },
            ) => Error::request(error),
            PipelineError::Runtime(error) => error.into(),
            _ => Error::Module(Box::new(error)),
        }
    }
}

impl From<RuntimeError> for Error {
    fn from(error: RuntimeError) -> Error {
        match error {
            RuntimeError::UnknownKernel { .. } => Error::request(error),
            _ => Error::Module(Box::new(error)),
        }
    }
}

impl From<DeviceError> for Error {
    fn from(error: DeviceError) -> Error {
        match error {
            DeviceError::Config { .. } => Error::Module(Box::new(error)),
            _ => Error::request(error),
        }
    }
}

impl From<ImportError> for Error {
    fn from(error: ImportError) -> Error {
        match error {
            ImportError::NoProfile { .. } => Error::request(error),
            _ => Error::Module(Box::new(error)),
        }
    }
}

macro_rules! of_module {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::Module(Box::new(error))
            }
        })*
    };
}

of_module! {
    crate::analysis::AnalysisError,
    crate::analysis::AnnotationError,
    crate::metadata::annotations::AnnotationsError,
    crate::check::CheckError,
    crate::condition::ConditionError,
    crate::inspection::InspectionError,
    crate::metadata::property_sets::PropertyError,
    crate::compatibility::RequirementsError,
    crate::metadata::tables::TableError,
    crate::transform::pack::PackError,
    SpecializeError,
    crate::writer::WriteError,
}

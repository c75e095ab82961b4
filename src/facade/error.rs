//! Why a call fails.

use std::fmt;

use thiserror::Error;

use super::{Aspect, Capability, Condition, SpecId};
use crate::compatibility;
use crate::compatibility::Unmet;
use crate::device::reports::ImportError;
use crate::device::{DeviceError, capabilities};
use crate::loader::LoadError;
use crate::pipelines::Waiting;

/// Why a call fails. Displayed, it is what the program says.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Bytes or words are no module; where, and why.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The device does not run the module.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Something would stay conditional.
    #[error(transparent)]
    Undecided(#[from] Undecided),
    /// What is asked for makes no sense of this module: a SpecId, a value, a device or an entry point that does not exist.
    #[error("{0}")]
    Request(String),
    /// The module, or what is said of it, breaks a rule that the work depends on.
    #[error(transparent)]
    Module(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// The error for a request that makes no sense.
    pub(crate) fn request(cause: impl fmt::Display) -> Error {
        Error::Request(cause.to_string())
    }
}

/// Something that a module requires and a device is known to lack. Displayed, a clause as in "it requires the sub-group size 8, which the
/// device does not support".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// A version of SPIR-V, major and minor.
    Version(u8, u8),
    /// A capability.
    Capability(Capability),
    /// An extension, by name.
    Extension(String),
    /// An aspect.
    Aspect(Aspect),
    /// The device is none of these, which are all that the module is compiled for; none, if it is for targets that have none in common.
    FixedTargets(Vec<String>),
    /// A sub-group size, in work-items, and those that the device has, as far as they are known.
    SubGroupSize {
        /// The required size.
        size: u32,
        /// The sizes that there are.
        has: Vec<u32>,
    },
    /// Work-groups of so many work-items, where fewer are the most.
    WorkGroupSize {
        /// The required number of work-items.
        size: u64,
        /// The most that the device supports.
        limit: Option<u32>,
    },
}

impl Missing {
    /// The extensions of which any one must be accepted for this to be accepted: itself, or those that bring the capability.
    pub fn extensions(&self) -> Vec<String> {
        match self {
            Missing::Extension(name) => vec![name.clone()],
            Missing::Capability(capability) => {
                let bring = capabilities::extensions_of(capability.0).unwrap_or_default();
                bring.into_iter().map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl From<compatibility::Missing> for Missing {
    fn from(missing: compatibility::Missing) -> Missing {
        match missing {
            compatibility::Missing::Version(major, minor) => Missing::Version(major, minor),
            compatibility::Missing::Capability(number) => Missing::Capability(Capability(number)),
            compatibility::Missing::Extension(name) => Missing::Extension(name),
            compatibility::Missing::Aspect(number) => Missing::Aspect(Aspect(number)),
            compatibility::Missing::WorkGroupSize(size) => Missing::WorkGroupSize { size, limit: None },
            compatibility::Missing::SubGroupSize(size) => Missing::SubGroupSize { size, has: Vec::new() },
        }
    }
}

impl From<Unmet> for Missing {
    fn from(unmet: Unmet) -> Missing {
        match unmet {
            Unmet::Aspect(number) => Missing::Aspect(Aspect(number)),
            Unmet::FixedTarget(targets) => {
                Missing::FixedTargets(targets.into_iter().map(|target| Aspect(target).to_string()).collect())
            }
            Unmet::SubGroupSize(size) => Missing::SubGroupSize { size, has: Vec::new() },
            Unmet::WorkGroupSize { size, limit } => Missing::WorkGroupSize { size, limit: Some(limit) },
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Version(major, minor) => write!(f, "SPIR-V {major}.{minor}"),
            Missing::Capability(capability) => capability.fmt(f),
            Missing::Extension(name) => f.write_str(name),
            Missing::Aspect(aspect) => {
                write!(f, "it uses the optional feature of aspect `{aspect}`, which the device does not have")
            }
            Missing::FixedTargets(targets) if targets.is_empty() => {
                f.write_str("it is compiled for targets that have none in common")
            }
            Missing::FixedTargets(targets) => {
                let names: Vec<String> = targets.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "it is compiled for {} only, and the device is another one", names.join(" or "))
            }
            Missing::SubGroupSize { size, has } if has.is_empty() => {
                write!(f, "it requires the sub-group size {size}, which the device does not support")
            }
            Missing::SubGroupSize { size, has } => {
                let has: Vec<String> = has.iter().map(u32::to_string).collect();
                write!(f, "it requires sub-groups of {size} work-items, and they have {}", has.join(" or "))
            }
            Missing::WorkGroupSize { size, limit } => {
                write!(f, "it requires work-groups of {size} work-items")?;
                limit.map_or(Ok(()), |limit| write!(f, ", and the device supports at most {limit}"))
            }
        }
    }
}

/// A device that does not run a module, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The name of the device; empty for one that was described.
    pub device: String,
    /// All that it is known to lack.
    pub missing: Vec<Missing>,
    /// Those of them that nothing in the result requires: [`trim`](crate::trim) removes them.
    pub superfluous: Vec<Missing>,
    /// The entry points that require it, where it is not the whole module.
    pub entry_points: Vec<String>,
}

impl std::error::Error for Refused {}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_driver = |missing: &Missing| {
            matches!(missing, Missing::Version(..) | Missing::Capability(_) | Missing::Extension(_))
        };
        let missing: Vec<String> = self.missing.iter().map(ToString::to_string).collect();
        let device = label(&self.device);
        for (number, name) in self.entry_points.iter().enumerate() {
            write!(f, "{}`{name}`", if number > 0 { ", " } else { "" })?;
        }
        if self.entry_points.len() > 1 {
            return write!(f, " do not run on {device}: {}", missing.join("; "));
        }
        if !self.entry_points.is_empty() {
            f.write_str(" ")?;
        }
        match self.missing.iter().all(of_driver) {
            true => write!(f, "does not run on {device}, which does not accept {}", missing.join(", ")),
            false => write!(f, "does not run on {device}: {}", missing.join("; ")),
        }
    }
}

/// What a result waits for, where something would stay conditional.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecided {
    /// The name of the device; empty for one that was described.
    pub device: String,
    /// How many parts of the module would stay conditional.
    pub parts: usize,
    /// The specialization constants that nothing settles, each with what it stands for, where that is known.
    pub waits: Vec<(SpecId, Option<Condition>)>,
    /// Whether some part waits for something else: a device constant, or a condition that cannot be evaluated.
    pub others: bool,
}

impl Undecided {
    pub(crate) fn new(device: String, waiting: Waiting) -> Undecided {
        let waits = waiting.spec_ids.into_iter();
        Undecided {
            device,
            parts: waiting.parts,
            waits: waits.map(|(spec_id, meaning)| (SpecId(spec_id), meaning.map(Condition::of))).collect(),
            others: waiting.others,
        }
    }
}

impl std::error::Error for Undecided {}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = if self.parts == 1 { "1 part stays" } else { &format!("{} parts stay", self.parts) };
        write!(f, "{parts} conditional on {}: ", label(&self.device))?;
        let mut reasons = Vec::new();
        for (spec_id, meaning) in &self.waits {
            reasons.push(match meaning {
                Some(condition) => format!("it is not known whether {condition} (SpecId {spec_id})"),
                None => format!("the module does not say what SpecId {spec_id} stands for"),
            });
        }
        if self.others {
            reasons.push("too little is known of the device for its device constants".to_owned());
        }
        f.write_str(&reasons.join("; "))
    }
}

/// What messages call a device.
fn label(device: &str) -> &str {
    if device.is_empty() { "the described device" } else { device }
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
    crate::sidecar::annotations::AnnotationsError,
    crate::check::CheckError,
    crate::condition::ConditionError,
    crate::inspection::InspectionError,
    crate::sidecar::property_sets::PropertyError,
    crate::pipelines::PipelineError,
    crate::pipelines::program::ProgramError,
    crate::pipelines::split::SplitError,
    crate::compatibility::RequirementsError,
    crate::sidecar::tables::TableError,
    crate::transform::pack::PackError,
    crate::transform::specialize::SpecializeError,
    crate::writer::WriteError,
}

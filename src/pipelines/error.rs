//! The error of all pipelines.

use std::collections::BTreeMap;

use thiserror::Error;

use super::runtime::RuntimeError;
use crate::analysis::AnalysisError;
use crate::analysis::conditions::predicates::PredicateError;
use crate::analysis::constants::SpecValue;
use crate::check::{CheckError, SharedVariable};
use crate::compatibility::{Refused, RequirementsError};
use crate::condition::{ConditionError, Expr, Name};
use crate::device::DeviceError;
use crate::loader::LoadError;
use crate::metadata::property_sets::PropertyError;
use crate::transform::add_on::AddOnError;
use crate::transform::cloning::CloningError;
use crate::transform::expand::ExpandError;
use crate::transform::link::LinkError;
use crate::transform::merge::MergeError;
use crate::transform::pack::PackError;
use crate::transform::properties::PropertyLoweringError;
use crate::transform::specialize::SpecializeError;
use crate::transform::version::TooNew;
use crate::writer::WriteError;

/// The cause for which a pipeline fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// A device does not run the module, or entry points of it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The tables of variants do not fit the modules.
    #[error("{0}")]
    Tables(String),
    /// A table of predicates of one of several modules cannot be read.
    #[error("{file}: {error}")]
    Predicates {
        /// The module.
        file: String,
        /// The problem.
        error: PredicateError,
    },
    /// Something would stay conditional.
    #[error("conditions stay open")]
    Open(OpenConditions),
    /// The result uses features that the requested version does not have.
    #[error(transparent)]
    TooNew(#[from] TooNew),
    /// No entry point has this name.
    #[error("there is no entry point `{name}`: the module has {}", .existing.join(", "))]
    UnknownEntryPoint {
        /// The name.
        name: String,
        /// The names of the entry points of the module.
        existing: Vec<String>,
    },
    /// A module without entry points cannot be split by kernel.
    #[error(
        "the module has no entry point, so there is nothing to split by kernel; split it by source, or not at all (off)"
    )]
    NoEntryPoint,
    /// A module to be split has neither entry points nor exported functions.
    #[error(
        "the module has neither an entry point nor an exported function: no image would have anything in it"
    )]
    NoRoots,
    /// Several images require a variable that only one may have.
    #[error("{0}; its property 'sycl-device-image-scope' allows only one")]
    ImageScope(SharedVariable),
    /// A fixed target has no aspect by which the property could name it.
    #[error(
        "device `{0}` cannot be a fixed target: it is of no known architecture, and so has no aspect that stands for it"
    )]
    NoArchitecture(String),
    /// The properties of two translation units contradict each other.
    #[error(
        "{first} and {second}: their properties differ in `{property}` of [{set}], which can have one value in a program"
    )]
    Conflict {
        /// The unit that comes first.
        first: String,
        /// The other.
        second: String,
        /// The property set.
        set: String,
        /// The property.
        property: String,
    },
    /// The properties beside a translation unit are malformed.
    #[error("{unit}: its properties: {error}")]
    UnitProperty {
        /// The unit.
        unit: String,
        /// The cause.
        error: PropertyError,
    },
    /// A translation unit is for fixed targets, and its list of targets is empty.
    #[error("{0}: its properties say that it runs on fixed targets only, and name none")]
    NoTarget(String),
    /// The functions of an image cannot be checked.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// A program cannot be loaded.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// The properties beside the module are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A condition of the requirements in them cannot be understood.
    #[error(transparent)]
    Requirements(#[from] RequirementsError),
    /// A function is meant for a device that does not exist.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The value of a host's decision is not a Boolean.
    #[error("host({name}) is `true` or `false`, and not `{value}`")]
    HostValue {
        /// The name of the decision.
        name: Name,
        /// The value.
        value: SpecValue,
    },
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// The conditional code of the module is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// Conditional actions cannot be in images of their own.
    #[error(transparent)]
    AddOn(#[from] AddOnError),
    /// Functions cannot be cloned.
    #[error(transparent)]
    Cloning(#[from] CloningError),
    /// Annotations cannot be expanded.
    #[error(transparent)]
    Expand(#[from] ExpandError),
    /// The module cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A compile-time property cannot become a mode or decoration.
    #[error(transparent)]
    Lowering(#[from] PropertyLoweringError),
    /// A value does not fit its constant, or conditional code contradicts itself.
    #[error(transparent)]
    Specialize(#[from] SpecializeError),
    /// Translation units do not link.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// Merging variants failed.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// A result has no room for its ids.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The module is invalid, and the result of a step does not load.
    #[error("the module is invalid: the result does not load")]
    Load(#[from] LoadError),
    /// The module is invalid, and a step removes an id that something else still refers to.
    #[error(
        "the result would be invalid: {opcode} at byte offset {offset:#x} of it refers to %{id}, which was removed. If spirv-val \
         accepts the module, this is a defect of spirv-if"
    )]
    StillUsed {
        /// The id.
        id: u32,
        /// The opcode of the instruction that refers to it.
        opcode: String,
        /// The offset of that instruction in the result, in bytes.
        offset: u64,
    },
}

/// The conditions that nothing decides on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenConditions {
    /// The name of the device.
    pub device: String,
    /// The number of parts of the module that would stay conditional.
    pub parts: usize,
    /// The constants without a value, by SpecId, each with its meaning if it is known.
    pub spec_ids: BTreeMap<u32, Option<Expr>>,
    /// True if some part depends on device constants, or on a condition that cannot be evaluated.
    pub others: bool,
}

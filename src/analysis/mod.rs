//! Reads a module and answers questions about it; changes nothing.

pub mod annotated;
pub mod aspects;
pub mod calls;
pub mod conditional;
mod conditional_calls;
pub mod conditions;
pub mod constants;
mod context;
pub mod debug;
pub mod demangle;
pub mod entry_points;
pub mod flow;
pub mod limits;
mod matrix_uses;
pub mod module_scope;
mod pointer_expressions;
mod readable_conditions;
pub mod references;
pub mod requirements;
pub mod resources;
pub mod root_requirements;
mod roots;
pub mod sycl;
mod units;
mod vulkan_features;
mod vulkan_limits;

#[cfg(test)]
pub use annotated::Otherwise;
pub use annotated::{Annotated, AnnotationError, Unmatched};
pub use aspects::Aspects;
pub use conditional::calls::{Action, ConditionalCall, ConditionalCalls};
pub use conditional::error::AnalysisError;
pub use conditional::guarded_regions::{GuardedRegion, GuardedRegions, constants_where};
pub use conditional::own_actions::OwnAction;
pub use conditional::wrapper::Wrapper;
pub(crate) use constants::Vector;
pub use context::Analyses;
pub use debug::locations::{DebugLocations, SourceLocation};
pub(crate) use debug::names::{FreeNames, numbered, without_number};
pub use debug::names::{NameTable, Names};
pub use debug::{DebugPosition, described_value, is_debug, is_debug_operand, is_weak};
pub use demangle::{FunctionName, in_one_line};
pub use entry_points::interface::{has_location, initializers, is_bound, is_location, push_constants};
pub use entry_points::sizes::{FunctionSizes, Size, Sizes};
pub(crate) use flow::loop_phis::{LoopPhi, crashing_phis};
pub use matrix_uses::{has_matrix_types, matrix_uses};
pub use module_scope::ModuleScope;
pub(crate) use pointer_expressions::pointer_expressions;
pub use readable_conditions::ReadableCondition;
pub use readable_conditions::ReadableConditions;
pub use references::call_graph::ReferenceKind;
pub use references::call_paths::{CallPath, CallReference};
pub use references::conditional::is_definition;
pub use references::declaration_uses::DeclarationUse;
pub use references::graph::{EdgeKinds, ModuleScopeRole, ReferenceGraph, described_id};
pub use references::mode_types::fast_math_type;
pub use references::presence::{Exports, PresenceConditions};
pub use references::summaries::{ReachedFunctions, RequirementSummaries, RequirementSummary};
pub use references::use_counts::UseCounts;
pub use requirements::aspect_sources::{AspectSources, UnknownAspect};
pub use requirements::{InstructionRequirements, closure};
pub use root_requirements::{
    DeviceRequirement, RootRequirements, SimplifiedRequirements, WorkGroupSize, join, may_declare, promises,
    where_not_implied,
};
pub use roots::ModuleRoot;
#[cfg(test)]
pub use sycl::declared_aspects::AspectError;
pub use sycl::declared_aspects::DeclaredAspects;
pub use sycl::properties::SyclProperties;
pub use sycl::translation_units;
pub use units::Units;
pub use vulkan_features::stage;
pub use vulkan_limits::{fixed_limits, has_own_work_group_limit, limit_cause, vulkan_limits};

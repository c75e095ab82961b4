//! Packing: one module for every device, from a compiler's module with conditional code.
//!
//! A build calls [`pack()`] once for each module. The result declares features under conditions if only conditional code requires them.
//! [`Prepared`](crate::Prepared) specializes it to a plain module for a device. Conditions are in names of functions, in decorations, or in
//! [`Annotations`](crate::module::Annotations).
//!
//! ```
//! use spirv_if::pack::{Dialect, pack};
//! use spirv_if::{Module, PackOptions};
//! let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
//! let options = PackOptions::new().dialect(Dialect::SpecConditional).strip(true);
//! let packed = pack(&Module::from_bytes(&bytes)?, &options)?;
//! assert_eq!(packed.summary.conditional[0].name, "Float16");
//! assert_eq!(packed.summary.conditional[0].condition.to_string(), "fp16");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::condition::Condition;
use super::error::Error;
use super::ids::ConditionConstant;
use super::module::{Module, to_bytes};
use super::trim::strip;
use crate::analysis::Exports;
use crate::loader;
use crate::metadata::property_sets::PropertySets;
use crate::pipelines;
use crate::transform::lower::LoweredFeature;
use crate::transform::pack;

pub use crate::transform::pack::{Dialect, PackOptions};

/// A packed module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Packed {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The property sets: the specialization constants that the host sets, and the device requirements of the module.
    pub properties: PropertySets,
    /// The report on packing it.
    pub summary: PackSummary,
}

/// A report on packing. Names are demangled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackSummary {
    /// The conditional calls.
    pub calls: Vec<CallCondition>,
    /// The number of calls that can never be taken, and were removed.
    pub never_taken: usize,
    /// The capabilities and extensions that became conditional.
    pub conditional: Vec<ConditionalDeclaration>,
    /// The capabilities and extensions that stay unconditional.
    pub unconditional: Vec<UnconditionalDeclaration>,
    /// The capabilities, extensions and functions that nothing requires, and that were removed.
    pub removed: Vec<String>,
    /// The exported functions and variables that became conditional, because the module calls them itself.
    pub conditional_exports: Vec<String>,
    /// The lowered twins, which devices without a feature get ([`PackOptions::lower`]).
    pub twins: Vec<LoweredTwin>,
    /// The specialization constants that the host sets to true where a condition holds.
    pub set_by_host: Vec<ConditionConstant>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// A conditional call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CallCondition {
    /// The function that calls.
    pub caller: String,
    /// The function that is called.
    pub callee: String,
    /// The condition under which it is called.
    pub condition: Condition,
}

/// A lowered module in a packed one, for devices that lack features.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoweredTwin {
    /// The condition under which a device gets it.
    pub condition: Condition,
    /// The lowered features, with their costs.
    pub lowered: Vec<LoweredFeature>,
}

impl LoweredTwin {
    /// Returns a line for each lowered feature: the condition, and the changes with their cost.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.lowered.iter().map(|lowered| format!("where {}: {lowered}", self.condition))
    }
}

/// A capability or extension that is declared under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ConditionalDeclaration {
    /// The name of the capability or extension.
    pub name: String,
    /// The condition.
    pub condition: Condition,
}

/// A capability or extension that every device must have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UnconditionalDeclaration {
    /// The name of the capability or extension.
    pub name: String,
    /// The reason that it is not conditional, in words.
    pub reason: String,
}

impl Packed {
    /// Returns the words as little-endian bytes, as a file has them.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.words)
    }
}

/// Makes one module for every device: everything that only conditional code requires becomes conditional, including capabilities and
/// extensions. A module without conditional code is unchanged.
///
/// # Errors
/// If conditional code is malformed, the module's property sets or compile-time properties are, or the dialect cannot express a condition.
///
/// ```
/// let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
/// let module = spirv_if::Module::from_bytes(&bytes)?;
/// let packed = spirv_if::pack(&module, &spirv_if::PackOptions::default())?;
/// let constant = &packed.summary.set_by_host[0];
/// assert_eq!((constant.spec_id.number(), constant.condition.to_string().as_str()), (0, "fp16"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pack(module: &Module, options: &PackOptions) -> Result<Packed, Error> {
    let module = module.lowered()?;
    let exports = Exports { named: options.exports.clone(), all: options.keep_exports, ..Exports::default() };
    let analyses = module.analyses().with_exports(exports);
    let properties = module.properties()?;
    let (packed, properties, twins) = pipelines::merge::pack_lowered(&analyses, &properties, options)?;
    let set_by_host = ConditionConstant::from_leaves(&packed.packed.leaves);
    let twin = |twin: pipelines::merge::TwinModule| LoweredTwin {
        condition: Condition::new(twin.condition),
        lowered: twin.lowered,
    };
    let twins = twins.into_iter().map(twin).collect();
    let mut summary = PackSummary { set_by_host, twins, ..PackSummary::new(packed.packed.summary) };
    summary.warnings.extend(module.annotation_warnings());
    let words = match options.strip {
        true => strip(&Module::from_loaded(loader::Module::from_words(packed.words)?))?.words,
        false => Module::result(packed.words),
    };
    Ok(Packed { words, properties, summary })
}

impl PackSummary {
    /// Returns true if something in the module became conditional: a call, or what the host sets.
    pub fn is_conditional(&self) -> bool {
        !self.calls.is_empty() || !self.set_by_host.is_empty()
    }

    fn new(summary: pack::Summary) -> PackSummary {
        let call = |(caller, callee, when)| CallCondition { caller, callee, condition: Condition::new(when) };
        let conditional = |(name, when)| ConditionalDeclaration { name, condition: Condition::new(when) };
        let unconditional = summary.unconditional.into_iter().map(|unconditional| UnconditionalDeclaration {
            name: unconditional.declaration,
            reason: unconditional.reason.to_string(),
        });
        let removed = summary.removed_declarations.into_iter().chain(summary.removed_functions);
        PackSummary {
            calls: summary.calls.into_iter().map(call).collect(),
            never_taken: summary.never_taken,
            conditional: summary.conditional.into_iter().map(conditional).collect(),
            unconditional: unconditional.collect(),
            removed: removed.collect(),
            conditional_exports: summary.conditional_exports,
            twins: Vec::new(),
            set_by_host: Vec::new(),
            warnings: summary.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}

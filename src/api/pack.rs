//! `pack`: one module for every device.

use super::{Condition, Error, Module, SpecId, strip};
use crate::analysis::Exports;
use crate::condition::Expr;
use crate::device::DeviceConfig;
use crate::loader;
use crate::metadata::property_sets::{PropertyNames, PropertySets};
use crate::pipelines;
use crate::transform::cloning::CloneLimit;
use crate::transform::pack;

pub use crate::transform::pack::Dialect;

/// Options of [`pack()`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PackOptions {
    /// The form of the leaves of conditions.
    pub dialect: Dialect,
    /// The linkage names or OpNames of functions that are kept on every device, beside the entry points.
    pub exports: Vec<String>,
    /// Keeps all exported functions and variables on every device.
    pub keep_exports: bool,
    /// The most clones of one function: one for each combination of values of the constants that guard its blocks. 8 by default.
    pub max_clones: usize,
    /// The devices for which a condition may imply an aspect; those of the embedded configuration, if none are given.
    pub devices: Option<DeviceConfig>,
    /// The spelling of the properties.
    pub property_names: PropertyNames,
    /// Removes names, debug information and reflection from the result, as [`strip`] does.
    pub strip: bool,
}

impl Default for PackOptions {
    fn default() -> PackOptions {
        PackOptions {
            dialect: Dialect::default(),
            exports: Vec::new(),
            keep_exports: false,
            max_clones: CloneLimit::default().0,
            devices: None,
            property_names: PropertyNames::default(),
            strip: false,
        }
    }
}

/// A packed module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Packed {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// Its property sets: which specialization constants the host sets, and what the module requires of a device.
    pub properties: PropertySets,
    /// The report on packing it.
    pub summary: PackSummary,
}

/// A report on packing. Names are demangled.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PackSummary {
    /// The conditional calls: the caller, the callee, and the condition.
    pub calls: Vec<(String, String, Condition)>,
    /// The number of calls that can never be taken, and were removed.
    pub never_taken: usize,
    /// The capabilities and extensions that became conditional, with the conditions of their declarations.
    pub conditional: Vec<(String, Condition)>,
    /// The capabilities and extensions that stay unconditional, each with the reason.
    pub unconditional: Vec<(String, String)>,
    /// The capabilities, extensions and functions that nothing requires, and that were removed.
    pub removed: Vec<String>,
    /// The exported functions and variables that became conditional, because the module calls them itself.
    pub conditional_exports: Vec<String>,
    /// The specialization constants that the host sets to true where a condition holds.
    pub set_by_host: Vec<(SpecId, Condition)>,
    /// Warnings.
    pub warnings: Vec<String>,
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
/// let (spec_id, condition) = &packed.summary.set_by_host[0];
/// assert_eq!((spec_id.0, condition.to_string().as_str()), (0, "fp16"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pack(module: &Module, options: &PackOptions) -> Result<Packed, Error> {
    let module = module.lowered()?;
    let exports = Exports { named: options.exports.clone(), all: options.keep_exports, ..Exports::default() };
    let analyses = module.analyses().with_exports(exports);
    let of_pack =
        pack::Options { dialect: options.dialect, devices: options.devices.clone(), ..Default::default() };
    let of_pipeline = pipelines::PackOptions { pack: of_pack, max_clones: CloneLimit(options.max_clones) };
    let properties = module.properties()?;
    let (packed, properties) =
        pipelines::pack_with(&analyses, &properties, &of_pipeline, options.property_names)?;
    let leaf = |&(spec_id, leaf): &(u32, _)| (SpecId(spec_id), Condition::of(Expr::Leaf(leaf)));
    let set_by_host = packed.packed.leaves.iter().map(leaf).collect();
    let mut summary = PackSummary { set_by_host, ..PackSummary::of(packed.packed.summary) };
    summary.warnings.extend(module.annotation_warnings());
    let words = match options.strip {
        true => strip(&Module::of(loader::Module::from_words(packed.words)?))?,
        false => Module::result(packed.words),
    };
    Ok(Packed { words, properties, summary })
}

impl PackSummary {
    fn of(summary: pack::Summary) -> PackSummary {
        let calls = summary.calls.into_iter();
        let conditional = summary.conditional.into_iter();
        let unconditional = summary.unconditional.into_iter();
        let removed = summary.removed_declarations.into_iter().chain(summary.removed_functions);
        PackSummary {
            calls: calls.map(|(caller, callee, when)| (caller, callee, Condition::of(when))).collect(),
            never_taken: summary.never_taken,
            conditional: conditional.map(|(name, when)| (name, Condition::of(when))).collect(),
            unconditional: unconditional.map(|own| (own.declaration, own.reason.to_string())).collect(),
            removed: removed.collect(),
            conditional_exports: summary.conditional_exports,
            set_by_host: Vec::new(),
            warnings: summary.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}

//! `pack`, `specialize`, `trim`, `strip`, `find_modules` and `validate`, with what they return.

use std::collections::BTreeMap;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use spirv_if::error::ModuleErrorKind;
use spirv_if::module::{Candidate, ConditionConstant};
use spirv_if::pack::LoweredTwin;
use spirv_if::{Error, Module, PackOptions, Prepared};

use crate::arguments::Arguments;
use crate::error::{Missing, feature_names};
use crate::module::{ModuleInputs, ModuleSource, to_bytes};
use crate::record::record;
use crate::settings::{FeatureChoice, specialize_request};

record! {
    /// A packed module.
    pub struct Packed {
        module: Py<PyBytes>,
        properties: String,
        summary: PackSummary,
    }
}

record! {
    /// A report on packing.
    struct PackSummary {
        calls: Vec<(String, String, String)>,
        never_taken: usize,
        conditional: Vec<(String, String)>,
        unconditional: Vec<(String, String)>,
        removed: Vec<String>,
        conditional_exports: Vec<String>,
        twins: Vec<(String, Vec<String>)>,
        set_by_host: BTreeMap<u32, String>,
        warnings: Vec<String>,
    }
}

impl PackSummary {
    fn new(summary: spirv_if::pack::PackSummary) -> PackSummary {
        let calls =
            summary.calls.into_iter().map(|call| (call.caller, call.callee, call.condition.to_string()));
        let conditional = summary
            .conditional
            .into_iter()
            .map(|declaration| (declaration.name, declaration.condition.to_string()));
        let twin = |twin: &LoweredTwin| {
            (twin.condition.to_string(), twin.lowered.iter().map(ToString::to_string).collect())
        };
        PackSummary {
            calls: calls.collect(),
            never_taken: summary.never_taken,
            conditional: conditional.collect(),
            unconditional: summary
                .unconditional
                .into_iter()
                .map(|declaration| (declaration.name, declaration.reason))
                .collect(),
            removed: summary.removed,
            conditional_exports: summary.conditional_exports,
            twins: summary.twins.iter().map(twin).collect(),
            set_by_host: conditions(&summary.set_by_host),
            warnings: summary.warnings,
        }
    }
}

/// Returns the conditions of constants by SpecId.
fn conditions(constants: &[ConditionConstant]) -> BTreeMap<u32, String> {
    let constants = constants.iter();
    constants.map(|constant| (constant.spec_id.number(), constant.condition.to_string())).collect()
}

/// Makes one module for every device.
#[pyfunction]
pub fn pack(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Packed> {
    let inputs = ModuleInputs::read(&arguments)?;
    let options = PackOptions::new()
        .dialect(arguments.get("dialect")?)
        .property_names(arguments.get("property_names")?)
        .exports(arguments.get::<Vec<String>>("exports")?)
        .keep_exports(arguments.get("keep_exports")?)
        .max_clones(arguments.get("max_clones")?)
        .lower(arguments.get::<FeatureChoice>("lower")?.0)
        .strip(arguments.get("strip")?);
    let packed = py.detach(|| spirv_if::pack(&inputs.load()?, &options));
    let packed = packed.map_err(|error| inputs.exception(py, error))?;
    Ok(Packed {
        module: to_bytes(py, &packed.words)?,
        properties: packed.properties.to_text(),
        summary: PackSummary::new(packed.summary),
    })
}

record! {
    /// A module for a device.
    pub struct Specialized {
        module: Py<PyBytes>,
        properties: Option<String>,
        report: SpecializeReport,
    }
}

record! {
    /// A block that became a trap.
    struct TrappedBranch {
        function: String,
        block: u32,
        source: Option<String>,
        requires: Vec<String>,
        trap: String,
    }
}

impl TrappedBranch {
    fn new(branch: &spirv_if::specialize::TrappedBranch) -> TrappedBranch {
        TrappedBranch {
            function: branch.place.function.clone(),
            block: branch.place.block,
            source: branch.place.source.clone(),
            requires: branch.requires.clone(),
            trap: branch.trap.to_string(),
        }
    }
}

record! {
    /// A report on specializing.
    struct SpecializeReport {
        multi_target: bool,
        kept_parts: usize,
        removed_parts: usize,
        removed: Vec<String>,
        removed_functions: usize,
        removed_definitions: usize,
        branches: usize,
        removed_blocks: usize,
        call_clones: Vec<(String, String, usize)>,
        not_cloned: Vec<String>,
        frozen: usize,
        trimmed: Option<Vec<String>>,
        adapted: Vec<String>,
        lowered: Vec<String>,
        undecided: Vec<(String, String)>,
        open: BTreeMap<u32, String>,
        unknown: BTreeMap<u32, String>,
        defaulted: Vec<u32>,
        new_defaults: usize,
        ignored: Vec<String>,
        trapped: Vec<TrappedBranch>,
        unsupported: Vec<(String, Missing)>,
        not_known: Vec<String>,
        removed_reflection: Vec<(String, Vec<u32>)>,
        work_around: Option<String>,
    }
}

impl SpecializeReport {
    fn new(report: spirv_if::specialize::SpecializeReport) -> SpecializeReport {
        // There is one device, so its name is no news.
        let unsupported = report
            .unsupported
            .iter()
            .map(|entry_point| (entry_point.entry_point.clone(), Missing::new(&entry_point.missing)));
        SpecializeReport {
            multi_target: report.multi_target,
            kept_parts: report.kept_parts,
            removed_parts: report.removed_parts,
            removed: report.removed,
            removed_functions: report.removed_functions,
            removed_definitions: report.removed_definitions,
            branches: report.branches,
            removed_blocks: report.removed_blocks,
            call_clones: report
                .call_clones
                .into_iter()
                .map(|clone| (clone.function, clone.name, clone.calls))
                .collect(),
            not_cloned: report.not_cloned,
            frozen: report.frozen,
            trimmed: report.trimmed,
            adapted: report.adapted.iter().map(ToString::to_string).collect(),
            lowered: report.lowered.iter().map(ToString::to_string).collect(),
            undecided: report.undecided.into_iter().map(|part| (part.part, part.depends_on)).collect(),
            open: conditions(&report.open),
            unknown: conditions(&report.unknown),
            defaulted: report.defaulted.iter().map(|id| id.number()).collect(),
            new_defaults: report.new_defaults,
            ignored: report.ignored.iter().map(ToString::to_string).collect(),
            trapped: report.trapped.iter().map(TrappedBranch::new).collect(),
            unsupported: unsupported.collect(),
            not_known: feature_names(report.not_known.iter().flat_map(|device| &device.features)),
            removed_reflection: report
                .removed_reflection
                .into_iter()
                .map(|removed| (removed.instruction, removed.spec_ids.iter().map(|id| id.number()).collect()))
                .collect(),
            work_around: report.work_around.map(|changes| changes.to_string()),
        }
    }
}

impl Specialized {
    /// Creates the data of a result.
    pub fn new(py: Python<'_>, specialized: spirv_if::specialize::Specialized) -> PyResult<Specialized> {
        Ok(Specialized {
            module: to_bytes(py, &specialized.words)?,
            properties: specialized.properties.map(|properties| properties.to_text()),
            report: SpecializeReport::new(specialized.report),
        })
    }
}

/// Makes a plain module for a device.
#[pyfunction]
pub fn specialize(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Specialized> {
    let inputs = ModuleInputs::read(&arguments)?;
    let (device, settings) = specialize_request(&arguments)?;
    let specialized = py.detach(|| Prepared::new(&inputs.load()?)?.specialize(&device, &settings));
    Specialized::new(py, specialized.map_err(|error| inputs.exception(py, error))?)
}

record! {
    /// A module without the declarations that nothing in it requires.
    pub struct Trimmed {
        module: Py<PyBytes>,
        removed: Vec<String>,
    }
}

/// Removes declarations that nothing requires.
#[pyfunction]
pub fn trim(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Trimmed> {
    let module: ModuleSource = arguments.get("module")?;
    let trimmed = py.detach(|| spirv_if::trim::trim(&Module::from_bytes(&module)?));
    let trimmed = trimmed.map_err(|error| module.exception(py, error))?;
    Ok(Trimmed { module: to_bytes(py, &trimmed.words)?, removed: trimmed.removed })
}

/// Removes names and debug information.
#[pyfunction]
pub fn strip(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Py<PyBytes>> {
    let module: ModuleSource = arguments.get("module")?;
    let stripped = py.detach(|| spirv_if::trim::strip(&Module::from_bytes(&module)?));
    to_bytes(py, &stripped.map_err(|error| module.exception(py, error))?.words)
}

record! {
    /// A module inside of a file.
    pub struct FoundModule {
        offset: usize,
        module: Py<PyBytes>,
        properties: Option<String>,
        error: Option<String>,
    }
}

/// Finds the modules inside of a file.
#[pyfunction]
pub fn find_modules(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<Vec<FoundModule>> {
    let file: ModuleSource = arguments.get("file")?;
    let found: Vec<_> = py.detach(|| {
        let candidates = spirv_if::module::find_modules(&file);
        let modules =
            candidates.map(|candidate| (candidate.offset(), candidate.load(), properties(&candidate)));
        modules.filter(|(_, module, properties)| module.is_some() || properties.is_err()).collect()
    });
    let module =
        |(offset, module, properties): (usize, Option<Module<'_>>, Result<Option<String>, Error>)| {
            let (properties, error) = match properties {
                Ok(properties) => (properties, None),
                Err(error) => (None, Some(error.to_string())),
            };
            let module = to_bytes(py, module.as_ref().map_or(&[], Module::words))?;
            Ok(FoundModule { offset, module, properties, error })
        };
    found.into_iter().map(module).collect()
}

/// Returns the property sets that a file has for one of its modules, as text; `None` if it has none. Malformed images are errors.
fn properties(candidate: &Candidate<'_>) -> Result<Option<String>, Error> {
    match candidate.is_linked_image() {
        true => Ok(Some(candidate.load_or_error()?.properties()?.to_text())),
        false => Ok(None),
    }
}

/// Validates a module with the validator of SPIRV-Tools.
#[pyfunction]
pub fn validate(py: Python<'_>, arguments: Arguments<'_>) -> PyResult<()> {
    let module: ModuleSource = arguments.get("module")?;
    let validated = py.detach(|| Module::from_bytes(&module)?.validate());
    validated.map_err(|error| match &error {
        // The validator does not run: nothing is known of the module.
        Error::Module(cause) if cause.kind() == ModuleErrorKind::File => {
            PyOSError::new_err(error.to_string())
        }
        _ => module.exception(py, error),
    })
}

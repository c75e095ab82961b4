//! `pack`, `specialize`, `trim`, `strip` and `find_modules`, with what they return.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use spirv_if::{PackOptions, Prepared};

use crate::device::DeviceArgument;
use crate::error::{Missing, exception, feature_names};
use crate::module::{ModuleBytes, ModuleInputs, to_bytes};
use crate::settings::{Constant, Options, Values, dialect, property_names};

/// A packed module.
#[pyclass(frozen, get_all, module = "spirv_if")]
struct Packed {
    module: Py<PyBytes>,
    properties: String,
    summary: PackSummary,
}

/// A report on packing.
#[pyclass(frozen, get_all, module = "spirv_if")]
#[derive(Clone)]
struct PackSummary {
    calls: Vec<(String, String, String)>,
    never_taken: usize,
    conditional: Vec<(String, String)>,
    unconditional: Vec<(String, String)>,
    removed: Vec<String>,
    conditional_exports: Vec<String>,
    set_by_host: BTreeMap<u32, String>,
    warnings: Vec<String>,
}

impl PackSummary {
    fn new(summary: spirv_if::pack::PackSummary) -> PackSummary {
        let calls =
            summary.calls.into_iter().map(|call| (call.caller, call.callee, call.condition.to_string()));
        let conditional = summary
            .conditional
            .into_iter()
            .map(|declaration| (declaration.name, declaration.condition.to_string()));
        let set_by_host = summary.set_by_host.iter();
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
            set_by_host: set_by_host
                .map(|constant| (constant.spec_id.number(), constant.condition.to_string()))
                .collect(),
            warnings: summary.warnings,
        }
    }
}

/// Makes one module for every device.
#[pyfunction]
#[pyo3(signature = (
    module, *, annotations=None, properties=None, dialect="spec-conditional", exports=Vec::new(), keep_exports=false, max_clones=8,
    property_names="design", strip=false
))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
fn pack(
    py: Python<'_>,
    module: ModuleBytes,
    annotations: Option<&str>,
    properties: Option<&str>,
    dialect: &str,
    exports: Vec<String>,
    keep_exports: bool,
    max_clones: usize,
    property_names: &str,
    strip: bool,
) -> PyResult<Packed> {
    let options = PackOptions::new()
        .dialect(self::dialect(dialect)?)
        .property_names(self::property_names(property_names)?)
        .exports(exports)
        .keep_exports(keep_exports)
        .max_clones(max_clones)
        .strip(strip);
    let inputs = ModuleInputs { bytes: &module, annotations, properties };
    let packed = py.detach(|| spirv_if::pack(&inputs.load()?, &options));
    let packed = packed.map_err(|error| exception(py, error))?;
    Ok(Packed {
        module: to_bytes(py, &packed.words)?,
        properties: packed.properties.to_text(),
        summary: PackSummary::new(packed.summary),
    })
}

/// A module for a device.
#[pyclass(frozen, get_all, module = "spirv_if")]
struct Specialized {
    module: Py<PyBytes>,
    properties: Option<String>,
    report: SpecializeReport,
}

/// A block that became a trap.
#[pyclass(frozen, get_all, module = "spirv_if")]
#[derive(Clone)]
struct TrappedBranch {
    function: String,
    block: u32,
    source: Option<String>,
    requires: Vec<String>,
    trap: String,
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

/// A report on specializing.
#[pyclass(frozen, get_all, module = "spirv_if")]
#[derive(Clone)]
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
    undecided: Vec<(String, String)>,
    defaulted: Vec<u32>,
    new_defaults: usize,
    ignored: Vec<String>,
    trapped: Vec<TrappedBranch>,
    unsupported: Vec<(String, Missing)>,
    not_known: Vec<String>,
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
            undecided: report.undecided.into_iter().map(|part| (part.part, part.depends_on)).collect(),
            defaulted: report.defaulted.iter().map(|id| id.number()).collect(),
            new_defaults: report.new_defaults,
            ignored: report.ignored.iter().map(ToString::to_string).collect(),
            trapped: report.trapped.iter().map(TrappedBranch::new).collect(),
            unsupported: unsupported.collect(),
            not_known: feature_names(report.not_known.iter().flat_map(|device| &device.features)),
        }
    }
}

/// Makes a plain module for a device.
#[pyfunction]
#[pyo3(signature = (
    module, device=None, *, annotations=None, properties=None, set=None, set_default=None, leave=Vec::new(), ignore_unknown=false,
    unset=None, entry_points=Vec::new(), max_clones=8, keep_interface=false, trim=false, strip=false, strict=false, adapt=false,
    max_version=None, work_around=None, trap=None
))]
#[expect(clippy::too_many_arguments, reason = "they are named in Python")]
fn specialize(
    py: Python<'_>,
    module: ModuleBytes,
    device: Option<DeviceArgument>,
    annotations: Option<&str>,
    properties: Option<&str>,
    set: Option<Values>,
    set_default: Option<Values>,
    leave: Vec<Constant>,
    ignore_unknown: bool,
    unset: Option<&str>,
    entry_points: Vec<String>,
    max_clones: usize,
    keep_interface: bool,
    trim: bool,
    strip: bool,
    strict: bool,
    adapt: bool,
    max_version: Option<(u8, u8)>,
    work_around: Option<&str>,
    trap: Option<&str>,
) -> PyResult<Specialized> {
    let options = Options {
        set,
        set_default,
        leave,
        ignore_unknown,
        unset,
        entry_points,
        max_clones,
        keep_interface,
        trim,
        strip,
        strict,
        adapt,
        max_version,
        work_around,
        trap,
    };
    let settings = options.settings(py)?;
    let device = device.map(|device| device.one(py)).transpose()?.unwrap_or_default();
    let inputs = ModuleInputs { bytes: &module, annotations, properties };
    let specialized = py.detach(|| Prepared::new(&inputs.load()?)?.specialize(&device, &settings));
    let specialized = specialized.map_err(|error| exception(py, error))?;
    Ok(Specialized {
        module: to_bytes(py, &specialized.words)?,
        properties: specialized.properties.map(|properties| properties.to_text()),
        report: SpecializeReport::new(specialized.report),
    })
}

/// A module without the declarations that nothing in it requires.
#[pyclass(frozen, get_all, module = "spirv_if")]
struct Trimmed {
    module: Py<PyBytes>,
    removed: Vec<String>,
}

/// Removes declarations that nothing requires.
#[pyfunction]
fn trim(py: Python<'_>, module: ModuleBytes) -> PyResult<Trimmed> {
    let trimmed = py.detach(|| spirv_if::trim::trim(&spirv_if::Module::from_bytes(&module)?));
    let trimmed = trimmed.map_err(|error| exception(py, error))?;
    Ok(Trimmed { module: to_bytes(py, &trimmed.words)?, removed: trimmed.removed })
}

/// Removes names and debug information.
#[pyfunction]
fn strip(py: Python<'_>, module: ModuleBytes) -> PyResult<Py<PyBytes>> {
    let stripped = py.detach(|| spirv_if::trim::strip(&spirv_if::Module::from_bytes(&module)?));
    to_bytes(py, &stripped.map_err(|error| exception(py, error))?.words)
}

/// The modules inside of a file, by their offsets.
#[pyfunction]
fn find_modules(py: Python<'_>, file: ModuleBytes) -> PyResult<Vec<(usize, Py<PyBytes>)>> {
    let modules: Vec<_> = py
        .detach(|| spirv_if::module::find_modules(&file).filter_map(|candidate| candidate.load()).collect());
    modules.iter().map(|module| Ok((module.offset(), to_bytes(py, module.words())?))).collect()
}

/// Adds the functions and what they return to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Packed>()?;
    module.add_class::<PackSummary>()?;
    module.add_class::<Specialized>()?;
    module.add_class::<SpecializeReport>()?;
    module.add_class::<Trimmed>()?;
    module.add_function(wrap_pyfunction!(pack, module)?)?;
    module.add_function(wrap_pyfunction!(specialize, module)?)?;
    module.add_function(wrap_pyfunction!(trim, module)?)?;
    module.add_function(wrap_pyfunction!(strip, module)?)?;
    module.add_function(wrap_pyfunction!(find_modules, module)?)
}

//! Messages of `specialize`, and its map of inputs, devices and values of constants to the files of their modules.

use std::collections::BTreeMap;

use serde::Serialize;
use spirv_if::Device;
use spirv_if::error::HintWords;
use spirv_if::module::{ConditionConstant, Interface};
use spirv_if::specialize::{
    AppliedAdaptation, CallClone, CallCounts, SpecializeReport, TrappedBranch, UndecidedPart,
    UnsupportedEntryPoint,
};

use crate::device::label;
use crate::log::Log;
use crate::{counted, pack, trim};

/// Reports decided and undecided conditions, and more with `-v`. Reports that nothing could be decided only if
/// `decides`: a device or values.
pub fn log_report(report: &SpecializeReport, device: &Device, values: &str, decides: bool, log: &mut Log) {
    let mut on = if device.name().is_empty() { String::new() } else { format!("on {}: ", device.name()) };
    if !values.is_empty() {
        on += &format!("{values}: ");
    }
    for ConditionConstant { spec_id, condition, .. } in &report.unknown {
        let device = label(device);
        log.note(format!(
            "SpecId {spec_id} is not set: it is not known whether {condition} holds on {device}"
        ));
    }
    match &report.calls {
        None => log_parts(report, &on, decides, log),
        Some(calls) => log_calls(report, calls, &on, label(device), log),
    }
    if let Some(removed) = &report.trimmed {
        trim::log_removed(removed, log);
    }
    if !report.adapted.is_empty() {
        log.note(format!("{on}{}", adapted(&report.adapted)));
    }
    for lowered in &report.lowered {
        log.note(format!("{on}{lowered}"));
    }
    for trapped in &report.trapped {
        log.note(format!("{on}{trapped}"));
    }
    if let Some(changes) = &report.work_around {
        log.note(changes.to_string());
    }
    for removed in &report.removed_reflection {
        log.warning(format!("{on}{removed}"));
    }
    for UnsupportedEntryPoint { entry_point, device, missing, .. } in &report.unsupported {
        let device = if device.is_empty() { "the described device" } else { device };
        log.warning(format!("`{entry_point}` does not run on {device}: {missing}"));
    }
    for uncertain in &report.not_known {
        log.note(uncertain.to_string());
    }
}

/// Returns the sentence about the changes that adapt a module.
fn adapted(changes: &[AppliedAdaptation]) -> String {
    let removed = changes.iter().filter(|change| change.becomes.is_none()).map(|change| match change.count {
        1 => change.construct.clone(),
        count => format!("{count} {}", change.construct),
    });
    let removed = removed.collect::<Vec<_>>().join(", ");
    let replaced = changes.iter().filter(|change| change.becomes.is_some()).map(ToString::to_string);
    let removed = (!removed.is_empty()).then(|| format!("removed {removed}"));
    format!("adapted: {}", replaced.chain(removed).collect::<Vec<_>>().join("; "))
}

/// Reports on a packed module, or one whose constants were set.
fn log_parts(report: &SpecializeReport, on: &str, decides: bool, log: &mut Log) {
    let is_changed = report.frozen + report.new_defaults > 0
        || report.work_around.is_some()
        || !report.adapted.is_empty()
        || !report.lowered.is_empty()
        || !report.trapped.is_empty();
    // Constants without a value have a note of their own.
    if decides && !report.multi_target && !is_changed && report.unknown.is_empty() {
        log.note(format!("{on}nothing in this module is conditional"));
    }
    let mut waiting: BTreeMap<&str, usize> = BTreeMap::new();
    for UndecidedPart { part, depends_on, .. } in &report.undecided {
        *waiting.entry(depends_on).or_default() += 1;
        log.detail(format!("{on}stays conditional: {part}"));
    }
    for (what, count) in waiting {
        let stay = if count == 1 {
            "part stays conditional: it depends"
        } else {
            "parts stay conditional: they depend"
        };
        log.note(format!("{on}{count} {stay} on {what}"));
    }
    if !report.defaulted.is_empty() {
        let spec_ids: Vec<String> = report.defaulted.iter().map(ToString::to_string).collect();
        log.note(format!(
            "{on}constants without a value take their defaults: SpecId {}",
            spec_ids.join(", ")
        ));
    }
    if report.new_defaults > 0 {
        let constants = counted(report.new_defaults, "specialization constant");
        log.detail(format!("{on}new default of {constants}"));
    }
    if report.frozen > 0 && !report.multi_target {
        log.detail(format!("{on}{} set", counted(report.frozen, "specialization constant")));
    }
    for CallClone { function, name, calls, .. } in &report.call_clones {
        let name = if name.is_empty() { String::new() } else { format!(" as {name}") };
        log.detail(format!("{on}{function} is cloned{name} for {}", counted(*calls, "call")));
    }
    for function in &report.not_cloned {
        log.detail(format!("{on}{function} is not cloned for its calls: the module would grow too much"));
    }
    if report.branches > 0 {
        let branches = if report.branches == 1 { "branch" } else { "branches" };
        let blocks = counted(report.removed_blocks, "block");
        log.detail(format!("{on}{} {branches} decided, {blocks} removed", report.branches));
    }
    let (functions, definitions) = (report.removed_functions, report.removed_definitions);
    let removed = format!("{}, {}", counted(functions, "function"), counted(definitions, "definition"));
    if report.multi_target {
        let (kept, decided) = (counted(report.kept_parts, "conditional part"), report.removed_parts);
        log.detail(format!("{on}{kept} kept, {decided} removed; also removed, as unused: {removed}"));
    } else if functions + definitions > 0 {
        log.detail(format!("{on}removed, as unused: {removed}"));
    }
}

/// Reports on a compiler's own module.
fn log_calls(report: &SpecializeReport, calls: &CallCounts, on: &str, label: &str, log: &mut Log) {
    let CallCounts { all, taken, conditional: open, .. } = *calls;
    if open > 0 {
        let constants: Vec<String> = report.open.iter().map(pack::constant).collect();
        let reason = match constants.is_empty() {
            true => String::new(),
            false => {
                format!(", since it is not known of {label} whether these hold: {}", constants.join(", "))
            }
        };
        log.note(format!("{on}{open} of {all} conditional calls stay conditional{reason}"));
    }
    let never = all - open - taken;
    let mut text = format!("{on}{}: {taken} taken, {never} removed", counted(all, "conditional call"));
    if !report.removed.is_empty() {
        text = text + "; no longer required: " + &report.removed.join(", ");
    }
    log.detail(text);
}

/// The options of the program that resolve errors.
pub const HINT_WORDS: HintWords = HintWords {
    adapt: "--adapt",
    lower: "--lower",
    trap: "--trap silent",
    trim: "--trim",
    extensions: "--extensions",
    set: "--set {}:true or --set {}:false",
    set_value: "--set {}:{value}",
    and: " ",
    decide: "--set {}:true|false",
    properties: "--properties",
    device: "--device",
    describe: "--aspects, --capabilities, --limits and --architecture",
    keep_undecided: "--unset keep",
};

/// The version of the JSON (`spec-extensions/specializing.md`).
const SCHEMA: &str = "spirv-if/specialize-map/2";

/// The modules in the order of inputs, values and devices.
#[derive(Serialize)]
pub struct SpecializeMap {
    schema: &'static str,
    modules: Vec<SpecializedFile>,
}

/// A module for a device.
#[derive(Clone, Serialize)]
pub struct SpecializedFile {
    /// The input, as it was named.
    pub input: String,
    /// The name of the device.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub device: String,
    /// The values of constants, by SpecId or name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
    /// The file of the module.
    pub file: String,
    /// The blocks that became traps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traps: Vec<MappedTrap>,
    /// The part of the interface of the input that it does not have.
    #[serde(skip_serializing_if = "Interface::is_empty")]
    pub removed: Interface,
}

/// A block that became a trap.
#[derive(Clone, Serialize)]
pub struct MappedTrap {
    /// The function.
    function: String,
    /// The id of the block's label in the input.
    block: u32,
    /// The place in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// The features that the device does not have.
    requires: Vec<String>,
    /// The trap.
    trap: String,
}

impl MappedTrap {
    /// Makes the entry of a block.
    pub fn new(branch: &TrappedBranch) -> MappedTrap {
        MappedTrap {
            function: branch.place.function.clone(),
            block: branch.place.block,
            source: branch.place.source.clone(),
            requires: branch.requires.clone(),
            trap: branch.trap.to_string(),
        }
    }
}

impl SpecializeMap {
    /// Makes the map of these modules.
    pub fn new(modules: Vec<SpecializedFile>) -> SpecializeMap {
        SpecializeMap { schema: SCHEMA, modules }
    }

    /// Returns the map as JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

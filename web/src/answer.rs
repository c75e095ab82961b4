//! Answers, as `spirv-if.js` reads them.

use serde_json::{Value, json};
use spirv_if::device::DeviceConfig;
use spirv_if::error::{Hint, HintWords, Missing, UndecidedConstant};
use spirv_if::module::{ConditionConstant, Interface};
use spirv_if::pack::{CallCondition, ConditionalDeclaration, LoweredTwin, Packed, UnconditionalDeclaration};
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::{Compatibility, Specialized, TrappedBranch};
use spirv_if::trim::Trimmed;
use spirv_if::{Condition, Error};
use spirv_if_bundle::BundleError;
use spirv_if_inspect::{LibraryAnswer, VulkanFeature, VulkanLimit, VulkanProperty, VulkanRequirements};

/// The options of `specialize` that resolve errors.
const HINT_WORDS: HintWords = HintWords {
    adapt: "adapt",
    lower: "lower",
    trap: "trap",
    trim: "trim",
    extensions: "the extensions",
    set: "set: { {}: true } or set: { {}: false }",
    set_value: "set: { {}: {value} }",
    and: " and ",
    decide: "set: { \"{}\": true } or with false",
    properties: "properties",
    device: "device",
    describe: "aspects, capabilities and architecture",
    keep_undecided: "unset: \"keep\"",
};

/// A value, and the file that was made: a module or a text.
pub struct Answer {
    value: Value,
    file: Vec<u8>,
}

/// The cause for which a call fails.
pub enum Failure {
    /// An error of the library, and the name of the module that it is about.
    Library(Option<String>, Box<Error>),
    /// An option of the wrong type, as a sentence that names it.
    OptionType(String),
    /// A request that makes no sense, as a sentence.
    Request(String),
    /// Bytes that are not a bundle, as a sentence.
    Bundle(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Library(None, error.into())
    }
}

/// A result about a module that has a name.
pub trait Named<T> {
    fn named(self, name: &str) -> Result<T, Failure>;
}

impl<T> Named<T> for Result<T, Error> {
    fn named(self, name: &str) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(name, error))
    }
}

/// The JSON of an answer, and its file.
pub fn parts(answer: Result<Answer, Failure>) -> [Vec<u8>; 2] {
    match answer {
        Ok(answer) => [json!({ "value": answer.value }).to_string().into_bytes(), answer.file],
        Err(failure) => [json!({ "error": failure.json() }).to_string().into_bytes(), Vec::new()],
    }
}

/// The answer where the library panicked, which is a defect of it.
pub fn panicked(message: &str) -> [Vec<u8>; 2] {
    let error = json!({ "kind": "internal", "message": message });
    [json!({ "error": error }).to_string().into_bytes(), Vec::new()]
}

impl Failure {
    /// The failure of a call about a module.
    pub fn new(name: &str, error: Error) -> Failure {
        Failure::Library(Some(name.to_owned()), error.into())
    }

    /// The failure of a call about a shader of a bundle.
    pub fn from_bundle(name: &str, error: BundleError) -> Failure {
        match error {
            BundleError::Engine(error) => Failure::new(name, error),
            BundleError::Damaged(_) | BundleError::NotABundle | BundleError::Version(_) => {
                Failure::Bundle(error.to_string())
            }
            error => Failure::Request(error.to_string()),
        }
    }

    fn json(&self) -> Value {
        let list = |all: &[Missing]| -> Vec<String> { all.iter().map(ToString::to_string).collect() };
        let (name, error) = match self {
            Failure::Library(name, error) => (name, error),
            Failure::OptionType(message) => return json!({ "kind": "type", "message": message }),
            Failure::Bundle(message) => {
                return json!({ "kind": "load", "message": message, "module": null });
            }
            Failure::Request(message) => {
                return json!({ "kind": "request", "message": message, "module": null });
            }
        };
        let message = match &**error {
            Error::Undecided(_) => error.with_hints(&Hint::for_error(error, None), &HINT_WORDS),
            error => error.to_string(),
        };
        let mut json = json!({ "message": message, "module": name });
        let (kind, more) = match &**error {
            Error::Load(_) => ("load", json!({})),
            Error::Refused(refused) => (
                "refused",
                json!({ "missing": list(&refused.missing), "unknown": names(&refused.unknown),
                    "superfluous": list(&refused.superfluous) }),
            ),
            Error::Undecided(undecided) => {
                let constant = |constant: &UndecidedConstant| {
                    let condition = constant.condition.as_ref();
                    json!({ "specId": constant.spec_id, "condition": condition.map(ToString::to_string),
                        "decision": condition.and_then(Condition::decision) })
                };
                (
                    "undecided",
                    json!({ "constants": undecided.constants.iter().map(constant).collect::<Vec<_>>() }),
                )
            }
            Error::TooNew(_) => ("too-new", json!({})),
            Error::Request(_) => ("request", json!({})),
            _ => ("module", json!({})),
        };
        json["kind"] = kind.into();
        if let (Value::Object(json), Value::Object(more)) = (&mut json, more) {
            json.extend(more);
        }
        json
    }
}

impl Answer {
    /// The shaders of a bundle.
    pub fn shaders(shaders: Vec<Value>) -> Answer {
        Answer { value: shaders.into(), file: Vec::new() }
    }

    /// A module alone.
    pub fn module(words: &[u32]) -> Answer {
        Answer { value: json!({}), file: words.iter().flat_map(|word| word.to_le_bytes()).collect() }
    }

    /// A text, and the failures of those modules of a file that are not in it.
    pub fn text(text: String, failures: Vec<Failure>) -> Answer {
        let failures: Vec<Value> = failures.iter().map(Failure::json).collect();
        Answer { value: json!({ "failures": failures }), file: text.into_bytes() }
    }

    /// The answer about several modules, if there are several.
    pub fn library(answer: Option<LibraryAnswer>) -> Answer {
        Answer { value: json!(answer), file: Vec::new() }
    }

    pub fn vulkan_requirements(required: &VulkanRequirements) -> Answer {
        let version = required.version();
        let feature = |own: &VulkanFeature| json!({ "structure": own.structure, "member": own.member });
        let property = |own: &VulkanProperty| json!({ "structure": own.structure, "member": own.member, "value": own.value });
        let limit = |own: &VulkanLimit| json!({ "member": own.member, "atLeast": own.at_least });
        let value = json!({
            "version": [version.major, version.minor],
            "extensions": required.extensions(),
            "features": required.features().iter().map(feature).collect::<Vec<_>>(),
            "properties": required.properties().iter().map(property).collect::<Vec<_>>(),
            "limits": required.limits().iter().map(limit).collect::<Vec<_>>(),
            "missing": required.missing(),
            "unknown": required.unknown(),
        });
        Answer { value, file: Vec::new() }
    }

    pub fn devices(config: &DeviceConfig) -> Answer {
        let device = |device: &spirv_if::Device| {
            json!({ "name": device.name(), "architecture": device.architecture(), "category": device.category(),
                "vendor": device.vendor(), "products": device.products().collect::<Vec<_>>(),
                "aspects": device.aspects().map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>()) })
        };
        Answer { value: config.iter().map(device).collect(), file: Vec::new() }
    }

    pub fn packed(packed: Packed, mut warnings: Vec<String>) -> Answer {
        let file = packed.to_bytes();
        let summary = packed.summary;
        warnings.extend(summary.warnings);
        let call = |call: &CallCondition| json!({ "caller": call.caller, "callee": call.callee, "condition": call.condition.to_string() });
        let name = |declaration: &ConditionalDeclaration| json!({ "name": declaration.name, "condition": declaration.condition.to_string() });
        let twin = |twin: &LoweredTwin| json!({ "condition": twin.condition.to_string(), "lowered": twin.lowered.iter().map(ToString::to_string).collect::<Vec<_>>() });
        let reason = |declaration: &UnconditionalDeclaration| json!({ "name": declaration.name, "reason": declaration.reason });
        let summary = json!({
            "calls": summary.calls.iter().map(call).collect::<Vec<_>>(),
            "neverTaken": summary.never_taken,
            "conditional": summary.conditional.iter().map(name).collect::<Vec<_>>(),
            "unconditional": summary.unconditional.iter().map(reason).collect::<Vec<_>>(),
            "removed": summary.removed,
            "conditionalExports": summary.conditional_exports,
            "twins": summary.twins.iter().map(twin).collect::<Vec<_>>(),
            "setByHost": constants(&summary.set_by_host),
            "warnings": warnings,
        });
        let value = json!({ "properties": packed.properties.to_text(), "summary": summary });
        Answer { value, file }
    }

    pub fn specialized(specialized: Specialized, removed: &Interface, warnings: Vec<String>) -> Answer {
        let file = specialized.to_bytes();
        let report = specialized.report;
        let unsupported = report.unsupported.iter().map(
            |entry_point| json!({ "entryPoint": entry_point.entry_point, "missing": entry_point.missing.to_string() }),
        );
        let undecided =
            report.undecided.iter().map(|part| json!({ "part": part.part, "dependsOn": part.depends_on }));
        let call_clones = report
            .call_clones
            .iter()
            .map(|clone| json!({ "function": clone.function, "name": clone.name, "calls": clone.calls }));
        let reflection = report
            .removed_reflection
            .iter()
            .map(|removed| json!({ "instruction": removed.instruction, "specIds": removed.spec_ids }));
        let report = json!({
            "multiTarget": report.multi_target,
            "keptParts": report.kept_parts,
            "removedParts": report.removed_parts,
            "removed": report.removed,
            "removedFunctions": report.removed_functions,
            "removedDefinitions": report.removed_definitions,
            "branches": report.branches,
            "removedBlocks": report.removed_blocks,
            "callClones": call_clones.collect::<Vec<_>>(),
            "notCloned": report.not_cloned,
            "frozen": report.frozen,
            "trimmed": report.trimmed,
            "adapted": texts(&report.adapted),
            "lowered": texts(&report.lowered),
            "undecided": undecided.collect::<Vec<_>>(),
            "open": constants(&report.open),
            "unknown": constants(&report.unknown),
            "defaulted": report.defaulted,
            "newDefaults": report.new_defaults,
            "ignored": texts(&report.ignored),
            "trapped": report.trapped.iter().map(trapped).collect::<Vec<_>>(),
            "unsupported": unsupported.collect::<Vec<_>>(),
            // There is one device.
            "notKnown": names(report.not_known.iter().flat_map(|device| &device.features)),
            "removedReflection": reflection.collect::<Vec<_>>(),
            "workAround": report.work_around.map(|changes| changes.to_string()),
        });
        let value = json!({
            "properties": specialized.properties.map(|properties| properties.to_text()),
            "report": report,
            "removedInterface": removed,
            "warnings": warnings,
        });
        Answer { value, file }
    }

    pub fn compatibility(compatibility: &Compatibility) -> Answer {
        let value = json!({
            "verdict": compatibility.verdict().name(),
            "missing": names(&compatibility.missing),
            "unknown": names(&compatibility.unknown),
        });
        Answer { value, file: Vec::new() }
    }

    pub fn trimmed(trimmed: &Trimmed, properties: Option<&PropertySets>) -> Answer {
        let properties = properties.map(PropertySets::to_text);
        let value =
            json!({ "properties": properties, "removed": trimmed.removed, "readOnly": trimmed.read_only });
        Answer { value, file: trimmed.to_bytes() }
    }
}

/// Returns the names of features.
fn names<'a>(features: impl IntoIterator<Item = &'a Missing>) -> Vec<String> {
    features.into_iter().map(Missing::name).collect()
}

/// Returns parts of a report as text.
fn texts(all: &[impl ToString]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

/// Constants with the conditions for which they stand.
fn constants(all: &[ConditionConstant]) -> Vec<Value> {
    let constant = |constant: &ConditionConstant| json!({ "specId": constant.spec_id, "condition": constant.condition.to_string() });
    all.iter().map(constant).collect()
}

/// Returns a block that became a trap.
fn trapped(branch: &TrappedBranch) -> Value {
    json!({
        "function": branch.place.function,
        "block": branch.place.block,
        "source": branch.place.source,
        "requires": branch.requires,
        "trap": branch.trap.to_string(),
    })
}

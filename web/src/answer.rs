//! Answers, as `spirv-if.js` reads them.

use serde_json::{Value, json};
use spirv_if::{Condition, DeviceConfig, Error, Interface, Packed, SpecId, Specialized, Trimmed};

/// A value, and the file that was made: a module or a text.
pub struct Answer {
    value: Value,
    file: Vec<u8>,
}

/// The cause for which a call fails.
pub enum Failure {
    /// An error of the library, and the name of the module that it is about.
    Library(Option<String>, Error),
    /// An option of the wrong type, as a sentence that names it.
    OptionType(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Library(None, error)
    }
}

/// A result about a module that has a name.
pub trait Named<T> {
    fn named(self, name: &str) -> Result<T, Failure>;
}

impl<T> Named<T> for Result<T, Error> {
    fn named(self, name: &str) -> Result<T, Failure> {
        self.map_err(|error| Failure::of(name, error))
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
    pub fn of(name: &str, error: Error) -> Failure {
        Failure::Library(Some(name.to_owned()), error)
    }

    fn json(&self) -> Value {
        let list =
            |all: &[spirv_if::Missing]| -> Vec<String> { all.iter().map(ToString::to_string).collect() };
        let (name, error) = match self {
            Failure::Library(name, error) => (name, error),
            Failure::OptionType(message) => return json!({ "kind": "type", "message": message }),
        };
        let mut json = json!({ "message": error.to_string(), "module": name });
        let (kind, more) = match error {
            Error::Load(_) => ("load", json!({})),
            Error::Refused(refused) => (
                "refused",
                json!({ "missing": list(&refused.missing), "superfluous": list(&refused.superfluous) }),
            ),
            Error::Undecided(undecided) => {
                let constant = |(spec_id, when): &(SpecId, Option<Condition>)| {
                    json!({ "specId": spec_id, "when": when.as_ref().map(ToString::to_string),
                        "decision": when.as_ref().and_then(Condition::decision) })
                };
                (
                    "undecided",
                    json!({ "constants": undecided.spec_ids.iter().map(constant).collect::<Vec<_>>() }),
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
    /// A text, and the failures of those modules of a file that it does not tell of.
    pub fn text(text: String, failures: Vec<Failure>) -> Answer {
        let failures: Vec<Value> = failures.iter().map(Failure::json).collect();
        Answer { value: json!({ "failures": failures }), file: text.into_bytes() }
    }

    pub fn devices(config: &DeviceConfig) -> Answer {
        let device = |device: &spirv_if::Device| {
            json!({ "name": device.name(), "architecture": device.architecture(), "category": device.category(),
                "aspects": device.aspects().map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>()) })
        };
        Answer { value: config.iter().map(device).collect(), file: Vec::new() }
    }

    pub fn packed(packed: Packed, mut warnings: Vec<String>) -> Answer {
        let summary = packed.summary;
        warnings.extend(summary.warnings);
        let call = |(caller, callee, when): &(String, String, Condition)| json!({ "caller": caller, "callee": callee, "when": when.to_string() });
        let name = |(name, when): &(String, Condition)| json!({ "name": name, "when": when.to_string() });
        let reason = |(name, reason): &(String, String)| json!({ "name": name, "reason": reason });
        let value = json!({
            "properties": packed.properties.to_text(),
            "calls": summary.calls.iter().map(call).collect::<Vec<_>>(),
            "neverTaken": summary.never_taken,
            "conditional": summary.conditional.iter().map(name).collect::<Vec<_>>(),
            "unconditional": summary.unconditional.iter().map(reason).collect::<Vec<_>>(),
            "removed": summary.removed,
            "conditionalExports": summary.conditional_exports,
            "setByHost": constants(&summary.set_by_host),
            "warnings": warnings,
        });
        Answer { value, file: bytes(&packed.words) }
    }

    pub fn specialized(specialized: Specialized, removed: &Interface, warnings: Vec<String>) -> Answer {
        let report = specialized.report;
        let unsupported: Vec<Value> = report
            .unsupported
            .iter()
            .map(|(entry_point, _, missing)| json!({ "entryPoint": entry_point, "missing": missing.to_string() }))
            .collect();
        let undecided: Vec<Value> = report
            .undecided
            .iter()
            .map(|(part, unknown)| json!({ "part": part, "unknown": unknown }))
            .collect();
        let value = json!({
            "properties": specialized.properties.map(|properties| properties.to_text()),
            "multiTarget": report.multi_target,
            "keptParts": report.kept_parts,
            "removedParts": report.removed_parts,
            "removed": report.removed,
            "removedFunctions": report.removed_functions,
            "removedDefinitions": report.removed_definitions,
            "branches": report.branches,
            "removedBlocks": report.removed_blocks,
            "callClones": report.call_clones,
            "notCloned": report.not_cloned,
            "frozen": report.frozen,
            "trimmed": report.trimmed,
            "undecided": undecided,
            "open": constants(&report.open),
            "defaulted": report.defaulted,
            "ignored": report.ignored.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "unknown": constants(&report.unknown),
            "unsupported": unsupported,
            "removedInterface": removed,
            "warnings": warnings,
        });
        Answer { value, file: bytes(&specialized.words) }
    }

    pub fn trimmed(trimmed: Trimmed) -> Answer {
        Answer { value: json!({ "removed": trimmed.removed }), file: bytes(&trimmed.words) }
    }
}

/// Constants with the conditions for which they stand.
fn constants(all: &[(SpecId, Condition)]) -> Vec<Value> {
    all.iter().map(|(spec_id, when)| json!({ "specId": spec_id, "when": when.to_string() })).collect()
}

/// The bytes of a module, as the program writes them.
fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

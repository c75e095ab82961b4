//! Findings as SARIF 2.1.0 (OASIS).

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{FailedFile, Finding, FindingGroup, NOT_KNOWN, Severity};
use spirv_if::engine::analysis::SourceLocation;

/// Name of the fingerprint of a cause. The number is the version of the fingerprint.
const FINGERPRINT: &str = "spirvIfCause/v1";

/// Name and description of each rule.
const RULES: [(&str, &str); 12] = [
    ("unlisted-aspect", "A function uses an aspect that its sycl::device_has does not list."),
    (
        "unexpected-aspect",
        "A function of another module uses an aspect that the kernel which calls it does not list.",
    ),
    ("sub-group-size", "A function requires another sub-group size than the kernel that calls it."),
    ("other-fixed-targets", "A function is meant for other devices than the kernel that calls it."),
    (
        "unconditional-preparation",
        "A feature is required everywhere only for the argument of a conditional call.",
    ),
    ("copied-variable", "Several images have copies of a variable that their code shares."),
    (
        "missing-on-fixed-target",
        "A device that the code is meant for does not have a feature that a function requires.",
    ),
    (
        "declared-not-supported",
        "A device that the code is meant for does not support a declaration of the module, or does not meet a requirement in its property sets.",
    ),
    ("denied-requirement", "An entry point runs only on devices for which a condition holds that is denied."),
    ("required-device", "A device that must run the module does not run it, or is not known to."),
    ("unknown-feature", "A condition asks for a feature, aspect or architecture that no table has."),
    (
        NOT_KNOWN,
        "Nothing says if a device that the code is meant for has a feature that the module requires.",
    ),
];

/// The results of a SARIF log.
pub struct SarifResults<'f> {
    /// The findings that count, by their causes.
    pub new: Vec<FindingGroup<'f>>,
    /// The findings of a baseline, by their causes; `None` without a baseline.
    pub known: Option<Vec<FindingGroup<'f>>>,
}

/// The relation of a result to a baseline.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BaselineState {
    NoBaseline,
    New,
    Known,
}

/// Returns the SARIF 2.1.0 log of findings, and of files that cannot be examined.
pub fn sarif(results: &SarifResults, failed: &[FailedFile]) -> Value {
    let notification = |failed: &FailedFile| {
        json!({
            "level": "error",
            "message": {"text": failed.message},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(&failed.file)}}}],
        })
    };
    let mut invocation = Map::new();
    invocation.insert("executionSuccessful".to_owned(), failed.is_empty().into());
    if !failed.is_empty() {
        let notifications: Vec<Value> = failed.iter().map(notification).collect();
        invocation.insert("toolExecutionNotifications".to_owned(), notifications.into());
    }
    let rule = |(name, text): &(&str, &str)| json!({"id": name, "shortDescription": {"text": text}});
    let state = if results.known.is_some() { BaselineState::New } else { BaselineState::NoBaseline };
    let new = results.new.iter().map(|cause| result(cause, state));
    let known = results.known.iter().flatten().map(|cause| result(cause, BaselineState::Known));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "spirv-if",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
            }},
            "invocations": [invocation],
            "results": new.chain(known).collect::<Vec<_>>(),
        }],
    })
}

fn result(cause: &FindingGroup, state: BaselineState) -> Value {
    let finding = cause.first;
    let mut result = Map::new();
    result.insert("ruleId".to_owned(), finding.rule.into());
    if let Some(index) = RULES.iter().position(|(name, _)| *name == finding.rule) {
        result.insert("ruleIndex".to_owned(), index.into());
    }
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    result.insert("level".to_owned(), level.into());
    let message = finding.message.clone() + &cause.occurrences(finding.is_elsewhere());
    result.insert("message".to_owned(), json!({"text": message}));
    result.insert("partialFingerprints".to_owned(), json!({FINGERPRINT: finding.fingerprint()}));
    // All results of a run have suppressions, or none.
    match state {
        BaselineState::NoBaseline => {}
        BaselineState::New => {
            result.insert("baselineState".to_owned(), "new".into());
            result.insert("suppressions".to_owned(), json!([]));
        }
        BaselineState::Known => {
            let suppression =
                json!({"kind": "external", "status": "accepted", "justification": "It is in the baseline."});
            result.insert("baselineState".to_owned(), "unchanged".into());
            result.insert("suppressions".to_owned(), json!([suppression]));
        }
    }
    if !cause.others.is_empty() {
        result.insert("occurrenceCount".to_owned(), (cause.others.len() + 1).into());
    }
    let modules = cause.by_module();
    let mut location = Map::new();
    let related = match &finding.location {
        Some(place) => {
            location.insert("physicalLocation".to_owned(), in_source(place));
            &modules[..]
        }
        None => {
            location.insert("physicalLocation".to_owned(), in_module(finding));
            &modules[1..]
        }
    };
    if !related.is_empty() {
        let related = related.iter().map(|finding| {
            json!({
                "physicalLocation": in_module(finding),
                "message": {"text": format!("the instruction in {}", finding.module)},
            })
        });
        result.insert("relatedLocations".to_owned(), related.collect());
    }
    let mut logical = Map::new();
    if let Some((function, _)) = finding.chain.last() {
        logical.insert("fullyQualifiedName".to_owned(), format!("{}::{function}", finding.file).into());
        logical.insert("kind".to_owned(), "function".into());
    }
    if let Some(id) = finding.id {
        logical.insert("name".to_owned(), format!("%{id}").into());
    }
    if !logical.is_empty() {
        location.insert("logicalLocations".to_owned(), json!([logical]));
    }
    result.insert("locations".to_owned(), json!([location]));
    if !finding.chain.is_empty() {
        let steps: Vec<Value> = finding.chain.iter().map(step).collect();
        result.insert("codeFlows".to_owned(), json!([{"threadFlows": [{"locations": steps}]}]));
    }
    Value::Object(result)
}

/// Returns a function on a call path.
fn step((function, place): &(String, Option<SourceLocation>)) -> Value {
    let mut location = Map::new();
    location.insert("message".to_owned(), json!({"text": function}));
    if let Some(place) = place {
        location.insert("physicalLocation".to_owned(), in_source(place));
    }
    json!({"location": location})
}

fn in_module(finding: &Finding) -> Value {
    json!({"artifactLocation": {"uri": uri(&finding.file)}, "region": {"byteOffset": finding.offset}})
}

fn in_source(location: &SourceLocation) -> Value {
    let mut region = Map::new();
    region.insert("startLine".to_owned(), location.line.into());
    if location.column > 0 {
        region.insert("startColumn".to_owned(), location.column.into());
    }
    json!({"artifactLocation": {"uri": uri(&location.file)}, "region": region})
}

/// Returns the reference to a file (RFC 3986): relative, or of the scheme `file`.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let is_drive = matches!(path.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic());
    let mut uri = match (path.starts_with('/'), is_drive) {
        (true, _) => "file://".to_owned(),
        (false, true) => "file:///".to_owned(),
        (false, false) => String::new(),
    };
    for (at, &byte) in path.as_bytes().iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' => {
                uri.push(byte.into())
            }
            b':' if is_drive && at == 1 => uri.push(':'),
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_to_files() {
        for (path, expected) in [
            ("./a/b c.cl", "a/b%20c.cl"),
            ("/tmp/x.spv", "file:///tmp/x.spv"),
            (r"C:\src\a.hlsl", "file:///C:/src/a.hlsl"),
            ("a:b%.cl", "a%3Ab%25.cl"),
        ] {
            assert_eq!(uri(path), expected, "{path}");
        }
    }
}

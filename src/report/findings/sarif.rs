//! Findings in modules, in the formats of continuous integration: SARIF 2.1.0 (OASIS), and the workflow
//! commands of GitHub.
//!
//! A finding is at a place in the source if debug information has one. Otherwise it is at an instruction of
//! the module, by its offset in the file and its result id.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::analysis::SourceLocation;

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

/// Rule of the fixed targets that are not known to run a module.
pub const NOT_KNOWN: &str = "not-known-on-fixed-target";

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Fails a build.
    Error,
    /// Should be fixed.
    Warning,
    /// Says what is not known.
    Note,
}

/// A file that cannot be examined.
#[derive(Clone, Debug)]
pub struct FailedFile {
    /// Name of the file.
    pub file: String,
    /// The reason.
    pub message: String,
}

/// A finding in a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Severity.
    pub severity: Severity,
    /// The name of the rule.
    pub rule: &'static str,
    /// Description of the problem, without the call path.
    pub message: String,
    /// The file that contains the module.
    pub file: String,
    /// The offset of the instruction, or of the module, in that file, in bytes.
    pub offset: u64,
    /// Result id of the instruction, or of the function that contains it.
    pub id: Option<u32>,
    /// The location in the source.
    pub location: Option<SourceLocation<'static>>,
    /// The functions on the call path to the instruction, with the location of each call.
    pub chain: Vec<(String, Option<SourceLocation<'static>>)>,
    /// The number of modules with the same finding at the same place in the source.
    pub modules: usize,
}

impl Finding {
    /// True if it is the finding of another module, with the same cause in the source.
    fn has_cause_of(&self, other: &Finding) -> bool {
        let of_cause = |finding: &Finding| Finding {
            file: String::new(),
            offset: 0,
            id: None,
            modules: 1,
            ..finding.clone()
        };
        self.location.is_some() && of_cause(self) == of_cause(other)
    }

    /// Returns the severity in the words of SARIF, and of GitHub.
    fn levels(&self) -> [&'static str; 2] {
        match self.severity {
            Severity::Error => ["error"; 2],
            Severity::Warning => ["warning"; 2],
            Severity::Note => ["note", "notice"],
        }
    }
}

/// Returns one finding for each cause, in the order of the first of each. Findings without a place in the source stay as they are.
pub fn by_cause(findings: Vec<Finding>) -> Vec<Finding> {
    let mut causes: Vec<Finding> = Vec::new();
    let mut at_place: HashMap<(String, u32, u32), Vec<usize>> = HashMap::new();
    for finding in findings {
        let Some(place) = &finding.location else {
            causes.push(finding);
            continue;
        };
        let known = at_place.entry((place.file.to_string(), place.line, place.column)).or_default();
        match known.iter().find(|&&at| causes[at].has_cause_of(&finding)) {
            Some(&at) => causes[at].modules += finding.modules,
            None => {
                known.push(causes.len());
                causes.push(finding);
            }
        }
    }
    causes
}

/// Returns the SARIF 2.1.0 log of findings, and of files that cannot be examined.
pub fn sarif(findings: &[Finding], failed: &[FailedFile]) -> Value {
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
            "results": findings.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn result(finding: &Finding) -> Value {
    let mut result = Map::new();
    result.insert("ruleId".to_owned(), finding.rule.into());
    if let Some(index) = RULES.iter().position(|(name, _)| *name == finding.rule) {
        result.insert("ruleIndex".to_owned(), index.into());
    }
    result.insert("level".to_owned(), finding.levels()[0].into());
    result.insert("message".to_owned(), json!({"text": finding.message}));
    if finding.modules > 1 {
        result.insert("occurrenceCount".to_owned(), finding.modules.into());
    }
    let in_module =
        json!({"artifactLocation": {"uri": uri(&finding.file)}, "region": {"byteOffset": finding.offset}});
    let mut location = Map::new();
    match &finding.location {
        Some(place) => {
            location.insert("physicalLocation".to_owned(), in_source(place));
            result.insert(
                "relatedLocations".to_owned(),
                json!([{
                    "physicalLocation": in_module,
                    "message": {"text": "the instruction in the module"},
                }]),
            );
        }
        None => drop(location.insert("physicalLocation".to_owned(), in_module)),
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

/// Returns the workflow commands with which GitHub annotates lines of source, and files that cannot be examined, one on each line.
pub fn github(findings: &[Finding], failed: &[FailedFile]) -> String {
    let mut text = String::new();
    for FailedFile { file, message } in failed {
        let _ = writeln!(text, "::error file={},title=not-examined::{}", property(file), data(message));
    }
    for finding in findings {
        let mut properties = Vec::new();
        match &finding.location {
            Some(SourceLocation { file, line, column }) => {
                let file = file.strip_prefix("./").unwrap_or(file);
                properties.push(format!("file={}", property(file)));
                properties.push(format!("line={line}"));
                if *column > 0 {
                    properties.push(format!("col={column}"));
                }
            }
            None => properties.push(format!("file={}", property(&finding.file))),
        }
        properties.push(format!("title={}", finding.rule));
        let mut message = finding.message.clone();
        if finding.location.is_none() {
            let id = finding.id.map(|id| format!(", %{id}")).unwrap_or_default();
            message += &format!(" ({} at {:#x}{id})", finding.file, finding.offset);
        }
        for (function, place) in &finding.chain {
            message += &format!("\n  {function}");
            if let Some(place) = place {
                message += &format!(" {place}");
            }
        }
        if finding.modules > 1 {
            message += &format!("\nIt is in {} modules.", finding.modules);
        }
        let [_, word] = finding.levels();
        let _ = writeln!(text, "::{word} {}::{}", properties.join(","), data(&message));
    }
    text
}

/// Escapes the message of a command, in one line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
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

    #[test]
    fn a_command_is_one_line() {
        let finding = Finding {
            severity: Severity::Error,
            rule: RULES[8].0,
            message: "100% of\nit".to_owned(),
            file: "a,b:c.spv".to_owned(),
            offset: 20,
            id: Some(7),
            location: None,
            chain: vec![("main()".to_owned(), None)],
            modules: 1,
        };
        assert_eq!(
            github(&[finding], &[]),
            "::error file=a%2Cb%3Ac.spv,title=denied-requirement::100%25 of%0Ait (a,b:c.spv at 0x14, %257)%0A  main()\n"
        );
    }
}

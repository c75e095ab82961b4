//! Findings that are accepted: checks fail only on others.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{Finding, Severity};

/// The version of the file.
const VERSION: u32 = 1;

/// Accepted findings: causes in modules, entry points and devices.
#[derive(Clone, Debug, Default)]
pub struct AcceptedFindings {
    accepted: BTreeMap<AcceptedKey, AcceptedFinding>,
}

/// Key of accepted findings: the name of the module, the subject of the message, and the fingerprint of the cause.
type AcceptedKey = (String, String, String);

/// The version in the file of a baseline. Other versions may have other fields.
#[derive(Deserialize)]
struct BaselineVersion {
    version: u32,
}

/// The file of a baseline.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineFile {
    version: u32,
    findings: Vec<AcceptedFinding>,
}

/// An accepted finding in the file. The rule and the message are for readers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedFinding {
    module: String,
    /// The number of modules of this name: those inside of one file have no names of their own.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    modules: usize,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    subject: String,
    rule: String,
    message: String,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    devices: BTreeSet<String>,
    fingerprint: String,
}

fn one() -> usize {
    1
}

fn is_one(count: &usize) -> bool {
    *count == 1
}

impl AcceptedFindings {
    /// Accepts findings. Notes need not be accepted.
    pub fn new(findings: &[Finding]) -> AcceptedFindings {
        let mut accepted: BTreeMap<AcceptedKey, AcceptedFinding> = BTreeMap::new();
        let mut modules: HashMap<AcceptedKey, HashSet<&str>> = HashMap::new();
        for finding in findings.iter().filter(|finding| finding.severity != Severity::Note) {
            let key = key(finding);
            let of_key = modules.entry(key.clone()).or_default();
            of_key.insert(&finding.module);
            let entry =
                accepted.entry(key).or_insert_with_key(|(module, subject, fingerprint)| AcceptedFinding {
                    module: module.clone(),
                    modules: 1,
                    subject: subject.clone(),
                    rule: finding.rule.to_owned(),
                    message: finding.message.clone(),
                    devices: BTreeSet::new(),
                    fingerprint: fingerprint.clone(),
                });
            entry.devices.extend(finding.devices.iter().cloned());
            entry.modules = of_key.len();
        }
        AcceptedFindings { accepted }
    }

    /// Reads the file of a baseline.
    ///
    /// # Errors
    /// If the text is not a baseline of this version.
    pub fn from_json(text: &str) -> Result<AcceptedFindings, serde_json::Error> {
        let BaselineVersion { version } = serde_json::from_str(text)?;
        if version != VERSION {
            let message = format!("version {version} of a baseline: this program reads version {VERSION}");
            return Err(serde::de::Error::custom(message));
        }
        let file: BaselineFile = serde_json::from_str(text)?;
        let key = |finding: &AcceptedFinding| {
            (finding.module.clone(), finding.subject.clone(), finding.fingerprint.clone())
        };
        Ok(AcceptedFindings {
            accepted: file.findings.into_iter().map(|finding| (key(&finding), finding)).collect(),
        })
    }

    /// Returns the file, in an order that does not depend on that of the findings.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let file = BaselineFile { version: VERSION, findings: self.accepted.values().cloned().collect() };
        Ok(serde_json::to_string_pretty(&file)? + "\n")
    }

    /// Returns which of the findings are accepted, in their order.
    pub fn accepts(&self, findings: &[Finding]) -> Vec<bool> {
        let mut modules: HashMap<AcceptedKey, HashSet<&str>> = HashMap::new();
        let is_accepted = |finding| {
            let key = key(finding);
            let Some(accepted) = self.accepted.get(&key) else { return false };
            let of_key = modules.entry(key).or_default();
            of_key.insert(&finding.module);
            of_key.len() <= accepted.modules
                && finding.devices.iter().all(|device| accepted.devices.contains(device))
        };
        findings.iter().map(is_accepted).collect()
    }
}

/// Returns the key of a finding.
fn key(finding: &Finding) -> AcceptedKey {
    let module = finding.module_name().replace('\\', "/");
    let module = module.strip_prefix("./").unwrap_or(&module).to_owned();
    (module, finding.subject.clone(), finding.fingerprint())
}

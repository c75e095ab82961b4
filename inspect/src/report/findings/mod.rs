//! Findings in modules, by their causes, and their formats for continuous integration.
//!
//! A finding is at a place in the source if debug information has one. Otherwise it is at an instruction of
//! the module, by its offset in the file and its result id.

mod baseline;
mod github;
mod sarif;

use std::collections::HashMap;

pub use baseline::AcceptedFindings;
pub use github::github;
pub use sarif::{SarifResults, sarif};

use spirv_if::engine::analysis::SourceLocation;

/// Rule of the fixed targets that are not known to run a module.
pub const NOT_KNOWN: &str = "not-known-on-fixed-target";

/// Limit on the modules, or entry points, that a message names.
const MAX_NAMES: usize = 4;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Fails a build.
    Error,
    /// A finding that should be fixed.
    Warning,
    /// A finding about something unknown.
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
    /// The beginning of the message that differs for other entry points with the same cause; may be empty.
    pub subject: String,
    /// Identification of the problem by its rule. It does not depend on the devices, nor on the wording of messages that name some.
    pub problem: String,
    /// The devices that have the problem; empty for a problem of the module alone.
    pub devices: Vec<String>,
    /// The message for people, with the call path.
    pub text: String,
    /// The name of the module in messages.
    pub module: String,
    /// The file that contains the module.
    pub file: String,
    /// The offset of the instruction, or of the module, in the file, in bytes.
    pub offset: u64,
    /// Result id of the instruction, or of the function that contains it.
    pub id: Option<u32>,
    /// The location in the source.
    pub location: Option<SourceLocation<'static>>,
    /// The functions on the call path to the instruction, with the location of each call.
    pub chain: Vec<(String, Option<SourceLocation<'static>>)>,
}

/// Key of findings with one cause.
#[derive(PartialEq, Eq, Hash)]
enum CauseKey<'f> {
    /// A problem at a place in the source, for any entry points.
    Place(&'static str, &'f str, &'f SourceLocation<'static>),
    /// A problem at an instruction of a file, for any entry points.
    Instruction(&'static str, &'f str, (&'f str, u64)),
    /// A problem of an entry point without a place in the source.
    Message(&'static str, &'f str),
}

impl Finding {
    /// Returns the message without its subject.
    fn predicate(&self) -> &str {
        self.message.strip_prefix(&self.subject).unwrap_or(&self.message)
    }

    /// Returns the keys of its cause: findings that have one in common have the same cause.
    fn keys(&self) -> Vec<CauseKey<'_>> {
        let problem = self.predicate();
        match &self.location {
            Some(place) => vec![CauseKey::Place(self.rule, problem, place)],
            None => vec![
                CauseKey::Message(self.rule, &self.message),
                CauseKey::Instruction(self.rule, problem, (&self.file, self.offset)),
            ],
        }
    }

    /// Returns 16 hexadecimal digits that identify the cause. They stay when lines, offsets and ids change.
    fn fingerprint(&self) -> String {
        let (file, function) = match &self.location {
            Some(place) => (&*place.file, self.chain.last().map_or(&*self.subject, |(name, _)| name)),
            // Folders differ from machine to machine.
            None => (self.module_name().rsplit(['/', '\\']).next().unwrap_or_default(), &*self.subject),
        };
        // FNV-1a of 64 bits.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for part in [self.rule, &self.problem, file, function] {
            for byte in part.bytes().chain([0]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        format!("{hash:016x}")
    }

    /// Returns the name of the module without its offset in a file, which changes with everything before it.
    fn module_name(&self) -> &str {
        self.module.rsplit_once(" at 0x").map_or(&*self.module, |(file, _)| file)
    }

    /// Returns true if the place of the finding does not name its module.
    fn is_elsewhere(&self) -> bool {
        self.location.is_some() || self.module != self.file
    }
}

/// A cause of findings: the first of them, and the others.
#[derive(Clone)]
pub struct FindingGroup<'f> {
    /// The first finding.
    pub first: &'f Finding,
    /// The other findings, of other entry points and modules.
    pub others: Vec<&'f Finding>,
}

impl<'f> FindingGroup<'f> {
    /// Returns the first finding in each module.
    pub fn by_module(&self) -> Vec<&'f Finding> {
        let mut modules = vec![self.first];
        for finding in &self.others {
            // Findings in a module follow each other.
            if modules.last().is_some_and(|last| last.module != finding.module) {
                modules.push(finding);
            }
        }
        modules
    }

    /// Returns lines about the other entry points and modules with the cause, each after a line break. A single module
    /// is named only if it `names_module`.
    pub fn occurrences(&self, names_module: bool) -> String {
        let mut lines = String::new();
        let mut subjects: Vec<&str> = Vec::new();
        for finding in &self.others {
            if finding.subject != self.first.subject && !subjects.contains(&&*finding.subject) {
                subjects.push(&finding.subject);
            }
        }
        if !subjects.is_empty() {
            lines += &format!("\nthe same for {}", listed(&subjects));
        }
        let modules: Vec<&str> = self.by_module().iter().map(|finding| &*finding.module).collect();
        match &modules[..] {
            [module] if names_module => lines += &format!("\nin {module}"),
            [] | [_] => {}
            modules => lines += &format!("\nin {} modules: {}", modules.len(), listed(modules)),
        }
        lines
    }
}

/// Returns the first names, and the number of others.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_owned(),
        _ if names.len() > MAX_NAMES => {
            format!("{} and {} more", names[..MAX_NAMES].join(", "), names.len() - MAX_NAMES)
        }
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// Returns the causes of findings, in the order of the first of each. Findings in a module follow each other.
pub fn by_cause<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<FindingGroup<'f>> {
    let mut causes: Vec<FindingGroup> = Vec::new();
    let mut known: HashMap<CauseKey, usize> = HashMap::new();
    for finding in findings {
        let keys = finding.keys();
        let at = keys.iter().find_map(|key| {
            let &at = known.get(key)?;
            let last = causes[at].others.last().unwrap_or(&causes[at].first);
            // An entry point may have it at several instructions: each is to be changed.
            let is_other = matches!(key, CauseKey::Message(..)) && last.module == finding.module;
            (!is_other).then_some(at)
        });
        let at = at.unwrap_or(causes.len());
        match causes.get_mut(at) {
            Some(cause) => cause.others.push(finding),
            None => causes.push(FindingGroup { first: finding, others: Vec::new() }),
        }
        known.extend(keys.into_iter().map(|key| (key, at)));
    }
    causes
}

#[cfg(test)]
mod tests;

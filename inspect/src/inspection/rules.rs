//! Rules for modules: conditions that no entry point may require, and devices that must run all of them.

use std::collections::BTreeSet;

use serde::Serialize;

use super::answer::{in_singular, takes_none};
use super::context::{InspectContext, InspectionError, capability_name};
use super::devices::RootDeclarations;
use super::missing_causes::MissingCauseFinder;
use super::model::{EntryPointReport, Inspected, Necessity};
use super::question::WhySubject;
use super::remedy::{Remedy, RemedyTrials};
use super::why::{CauseFinder, PathStep, RequirementCause};
use spirv_if::device::{Aspect, Device};
use spirv_if::engine::analysis::requirements::{closure_of, is_of_kernels};
use spirv_if::engine::analysis::{DeviceRequirement, ModuleRoot, SourceLocation};
use spirv_if::engine::collections::{OrderedMap, gather};
use spirv_if::engine::compatibility::{ClauseCounts, DeviceResults, EntryRequirements, clause};
use spirv_if::engine::condition::{ConditionError, ConditionId, Expr, FeatureName, Leaf, Limit};
use spirv_if::engine::device::{DeviceNames, capabilities, limits};
use spirv_if::error::Missing;
use spirv_if::specialize::Compatibility;

/// A rule that a module breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Only devices for which a denied condition holds run the entry point.
    DeniedRequirement,
    /// A required device does not run the entry point, or is not known to.
    RequiredDevice,
}

/// A violation of a rule, and the cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// Description of the problem.
    pub message: String,
    /// The beginning of the message that names the entry point.
    #[serde(skip)]
    pub subject: String,
    /// The problem by itself: it depends neither on the entry point nor on the devices.
    #[serde(skip)]
    pub problem: String,
    /// Name of the entry point; `None` for the whole module.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_point: Option<String>,
    /// Devices that do not run the entry point.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<String>,
    /// Result id of the instruction that is the cause, or of the function that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// Call path to the cause, if a requirement is the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<RequirementCause>,
    /// Source location of the cause; otherwise of the entry point's function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceLocation<'static>>,
    /// True if the module has no debug information that would give source locations.
    #[serde(skip)]
    pub without_places: bool,
}

/// A requirement of an entry point.
struct Clause {
    /// Condition of the devices that meet the requirement.
    met: ConditionId,
    /// Subject of the requirement.
    subject: ClauseSubject,
}

/// Subject of a requirement.
enum ClauseSubject {
    /// An aspect, by number.
    Aspect(u32),
    /// A capability, by number.
    Capability(u32),
    /// An extension.
    Extension(String),
    /// A number that the device must reach.
    Number(Limit),
}

impl ClauseSubject {
    /// Returns the question for the code that is the cause; `None` for a number.
    fn question(&self) -> Option<WhySubject> {
        match self {
            ClauseSubject::Aspect(number) => Some(WhySubject::Aspect(*number)),
            ClauseSubject::Capability(number) => Some(WhySubject::Capability(*number)),
            ClauseSubject::Extension(name) => Some(WhySubject::Extension(name.clone())),
            ClauseSubject::Number(_) => None,
        }
    }
}

impl Clause {
    /// Creates a requirement; `None` if all devices meet it.
    fn new(met: ConditionId, subject: ClauseSubject) -> Option<Clause> {
        (!met.is_true()).then_some(Clause { met, subject })
    }
}

impl<'m> InspectContext<'m, '_> {
    /// Checks that a condition is not required. A violation is an entry point or exported function that runs
    /// only on devices for which the condition holds, as do all others of its name. Unneeded and unjudged declarations are reported once,
    /// for the whole module.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn denied(
        &mut self,
        inspected: &Inspected,
        denied: &Expr,
    ) -> Result<Vec<Violation>, InspectionError> {
        let causes = CauseFinder::new(self);
        let holds = self.conditions.of_expr(denied)?;
        let denied =
            DeniedCondition { leaves: denied.leaves(), text: denied.display(&DeviceNames).to_string() };
        let mut found = Vec::new();
        // A device without one entry point may have another one of the same name, such as its lowered twin.
        let mut run_elsewhere = BTreeSet::new();
        for (report, root) in inspected.roots().zip(self.roots()) {
            let existence = root.existence(self.summaries, &mut self.conditions)?;
            let existence = self.in_device_terms(existence)?;
            if report.body_of.is_some() || existence.is_false() {
                continue;
            }
            let clauses = self.clauses(&root, report, &denied.leaves)?;
            match self.culprits(existence, clauses, holds)? {
                Some(culprits) => found.push((report, root, culprits)),
                None => {
                    run_elsewhere.insert((report.stage, &report.name));
                }
            }
        }
        let mut violations = Vec::new();
        for (report, root, culprits) in found {
            if !run_elsewhere.contains(&(report.stage, &report.name)) {
                violations.push(self.violation(&causes, &root, report, &denied, &culprits)?);
            }
        }
        if violations.is_empty() {
            let clauses = self.declared_only(inspected, &denied.leaves)?;
            if let Some(culprits) = self.culprits(ConditionId::TRUE, clauses, holds)?
                && !culprits.is_empty()
            {
                let names: Vec<String> = culprits.iter().map(subject).collect();
                let mut message =
                    format!("the module declares {}, which '{}' denies", names.join(" and "), denied.text);
                if inspected.roots().next().is_some() {
                    message += "; no function is known to require it";
                }
                let problem = format!("{} {}", names.join(" and "), denied.text);
                violations.push(Violation::of_module(Rule::DeniedRequirement, problem, message, Vec::new()));
            }
        }
        Ok(violations)
    }

    fn violation(
        &mut self,
        causes: &CauseFinder<'m>,
        root: &ModuleRoot<'m>,
        report: &EntryPointReport,
        denied: &DeniedCondition,
        culprits: &[Clause],
    ) -> Result<Violation, InspectionError> {
        let (title, text) = (root_title(report), &denied.text);
        let mut cause = None;
        for culprit in culprits {
            if cause.is_none()
                && let Some(question) = culprit.subject.question()
            {
                cause = causes.find(self, root, &question)?.into_iter().next();
            }
        }
        let names: Vec<String> = culprits.iter().map(subject).collect();
        let message = match &names[..] {
            [] => format!("{title} is there only where '{text}', which is denied"),
            _ => format!("{title} requires {}, which '{text}' denies", names.join(" and ")),
        };
        let problem = format!("{} {text}", names.join(" and "));
        Ok(self.violation_at(Rule::DeniedRequirement, problem, message, root, report, cause))
    }

    /// Checks that devices run the module. A multi-target module is specialized for them; any other module must run unchanged. Devices with
    /// the same first missing feature are reported together, and once those that take no modules of this kind. A module without entry
    /// points and exported functions is checked as a whole. `trials` find the remedies of single devices.
    ///
    /// # Errors
    /// If the module cannot be packed, its properties are malformed, or a condition is out of bounds.
    pub fn not_run_by(
        &mut self,
        inspected: &Inspected,
        results: &mut DeviceResults,
        trials: &dyn RemedyTrials,
    ) -> Result<Vec<Violation>, InspectionError> {
        let mut causes = MissingCauseFinder::new(self);
        let declarations = self.declarations_of_roots(inspected)?;
        let mut violations = Vec::new();
        let kind = self.kind();
        let takes = |device: &Device| kind.is_none_or(|kind| !device.takes_only_other_modules(kind));
        let others = results.devices().iter().filter(|device| !takes(device));
        let others: Vec<String> = others.map(|device| device.name().to_owned()).collect();
        if !others.is_empty() {
            let words = takes_none(kind);
            let clause = if others.len() == 1 { in_singular(words) } else { words.to_owned() };
            let message = format!("the module does not run on {}, which {clause}", quoted(&others));
            violations.push(Violation::of_module(Rule::RequiredDevice, words.to_owned(), message, others));
        }
        if declarations.is_empty() {
            let RootDeclarations { as_is, after_pack, .. } = self.declarations_of_module(inspected)?;
            let counted = if self.multi_target.is_empty() { as_is } else { after_pack };
            let answers = results.for_module(&counted, self.module, self.properties)?;
            let mut together: OrderedMap<Compatibility, Vec<String>> = OrderedMap::new();
            for (device, result) in
                results.devices().iter().zip(answers.iter()).filter(|(device, _)| takes(device))
            {
                together.entry(result.first_only()).or_default().push(device.name().to_owned());
            }
            for (result, devices) in together.into_iter().filter(|(result, _)| !result.runs()) {
                let message = format!("the module {}", does_not_run(&result, &devices));
                let problem = result.first().map(Missing::name).unwrap_or_default();
                violations.push(Violation::of_module(Rule::RequiredDevice, problem, message, devices));
            }
        }
        let packed = self.on_devices(&declarations, |declared| &declared.after_pack, results)?;
        let split = self.on_devices(&declarations, RootDeclarations::of_image, results)?;
        let as_is = self.on_devices(&declarations, |declared| &declared.as_is, results)?;
        let counted = if self.multi_target.is_empty() { &as_is } else { &packed };
        let of_devices =
            self.device_remedies(inspected, results.devices(), (&as_is, counted), trials).by_root;
        for (at, (report, root)) in inspected.roots().zip(self.roots()).enumerate() {
            if report.body_of.is_some() {
                continue;
            }
            let mut together: Vec<(Compatibility, Option<String>, Vec<String>)> = Vec::new();
            for (number, device) in results.devices().iter().enumerate() {
                if !takes(device) || counted[at][number].runs() {
                    continue;
                }
                let first = counted[at][number].first_only();
                let remedy = match (packed[at][number].runs(), split[at][number].runs()) {
                    (true, _) => Some(self.remedy().commands()),
                    (false, true) => self.remedy().with_split().map(|remedy| remedy.commands()),
                    (false, false) => {
                        let changes = of_devices[at][number].clone();
                        changes.map(|changes| Remedy::Specialize(changes).commands())
                    }
                };
                let same = |entry: &&mut (Compatibility, Option<String>, _)| {
                    (&entry.0, &entry.1) == (&first, &remedy)
                };
                match together.iter_mut().find(same) {
                    Some((_, _, names)) => names.push(device.name().to_owned()),
                    None => together.push((first, remedy, vec![device.name().to_owned()])),
                }
            }
            for (result, remedy, devices) in together {
                let Some(first) = result.first() else { continue };
                let cause = causes.find(self, &root, first)?;
                let mut message = format!("{} {}", root_title(report), does_not_run(&result, &devices));
                let is_of_module = cause.is_none() && first.is_declaration();
                if is_of_module && !matches!(first, Missing::Version(_)) {
                    message += "; it does not require it, but the module declares it";
                }
                if let Some(remedy) = remedy {
                    message += &format!("; it does after {remedy}");
                }
                let violation =
                    self.violation_at(Rule::RequiredDevice, first.name(), message, &root, report, cause);
                // The cause is the declaration for all entry points, and not in the function of one.
                let (id, place) = if is_of_module { (None, None) } else { (violation.id, violation.place) };
                violations.push(Violation { devices, id, place, ..violation });
            }
        }
        Ok(violations)
    }

    fn violation_at(
        &self,
        rule: Rule,
        problem: String,
        message: String,
        root: &ModuleRoot,
        report: &EntryPointReport,
        cause: Option<RequirementCause>,
    ) -> Violation {
        let places = self.analyses.debug_locations();
        let at = cause.as_ref().and_then(|cause| u32::try_from(cause.instruction.offset / 4).ok());
        let of_cause = at.and_then(|offset| places.location(offset));
        let place = of_cause.or_else(|| places.function(root.function()));
        let result = at.and_then(|offset| self.module.instruction(offset).result_id());
        Violation {
            rule,
            message,
            subject: root_title(report),
            problem,
            entry_point: Some(report.name.clone()),
            devices: Vec::new(),
            id: Some(result.unwrap_or(root.function())),
            place: place.map(SourceLocation::into_owned),
            // Outside of functions there are no places.
            without_places: cause.as_ref().is_some_and(|cause| !cause.calls.is_empty()) && !places.has_any(),
            cause,
        }
    }

    /// Returns the requirements of a root in terms of these leaves. Requirements that do not depend on them
    /// are omitted.
    fn clauses(
        &mut self,
        root: &ModuleRoot<'m>,
        report: &EntryPointReport,
        leaves: &BTreeSet<Leaf>,
    ) -> Result<Vec<Clause>, InspectionError> {
        let (summary, chosen) = self.summary(root)?;
        let mut clauses = Vec::new();
        for (name, when) in self.declarations.choose_extensions(&summary, &mut self.conditions)? {
            clauses.extend(self.clause_of_extension(name, when, leaves)?);
        }
        for (number, when) in chosen {
            let when = self.in_device_terms(when)?;
            clauses.extend(self.clause_of_capability(number, when, leaves)?);
        }
        for (requirement, when) in &report.required {
            if let DeviceRequirement::Aspect(aspect) = *requirement
                && leaves.contains(&Leaf::Aspect(aspect))
            {
                let when = self.conditions.of_expr(when)?;
                let when = self.in_device_terms(when)?;
                let leaf = self.conditions.leaf(Leaf::Aspect(aspect))?;
                let met = self.implication(when, leaf)?;
                clauses.extend(Clause::new(met, ClauseSubject::Aspect(aspect)));
            }
        }
        clauses.extend(self.clauses_of_numbers(root, leaves)?);
        Ok(clauses)
    }

    /// Returns the requirements of declarations that no code is known to have. Without entry points and exported functions these are all.
    fn declared_only(
        &mut self,
        inspected: &Inspected,
        leaves: &BTreeSet<Leaf>,
    ) -> Result<Vec<Clause>, InspectionError> {
        let declared: Vec<(u32, ConditionId)> = self.declarations.capabilities().collect();
        let has_roots = inspected.roots().next().is_some();
        let mut clauses = Vec::new();
        for ((number, when), report) in declared.into_iter().zip(&inspected.capabilities) {
            if !has_roots || report.need != Necessity::Needed {
                let when = self.in_device_terms(when)?;
                clauses.extend(self.clause_of_capability(number, when, leaves)?);
            }
        }
        let declared: Vec<(String, ConditionId)> = self.declarations.extensions().collect();
        for ((name, when), report) in declared.into_iter().zip(&inspected.extensions) {
            if !has_roots || report.need != Necessity::Needed {
                clauses.extend(self.clause_of_extension(name, when, leaves)?);
            }
        }
        Ok(clauses)
    }

    /// Returns the numbers that a device must reach to run a root with any settings of the host, in terms of these
    /// leaves.
    fn clauses_of_numbers(
        &mut self,
        root: &ModuleRoot<'m>,
        leaves: &BTreeSet<Leaf>,
    ) -> Result<Vec<Clause>, InspectionError> {
        let names = leaves.iter().filter_map(|leaf| match leaf {
            Leaf::Limit(limit) => Some(limit.name()),
            _ => None,
        });
        let names: BTreeSet<FeatureName> = gather(names);
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let entry = EntryRequirements::new(self.analyses, root, &[], Vec::new());
        let size = entry.work_group_size.map(|size| (limits::MAX_WORK_GROUP_SIZE, size));
        let version = (limits::SPIRV_VERSION, self.module.version().to_word().into());
        let limits = entry.limits.iter().map(|(row, number)| (row.limit, *number));
        let required: Vec<(&str, u64)> = limits.chain(size).chain([version]).collect();
        let mut clauses = Vec::new();
        for name in names {
            let key = limits::number(name).map(|number| number.name);
            let of_name = required.iter().find(|(other, _)| Some(*other) == key);
            let number = of_name.map(|(_, number)| *number);
            let Some(limit) = number.and_then(|number| Limit::new(name, number)) else { continue };
            let met = self.conditions.leaf(Leaf::Limit(limit))?;
            clauses.push(Clause { met, subject: ClauseSubject::Number(limit) });
        }
        Ok(clauses)
    }

    fn clause_of_extension(
        &mut self,
        name: String,
        when: ConditionId,
        leaves: &BTreeSet<Leaf>,
    ) -> Result<Option<Clause>, ConditionError> {
        let is_own = |leaf: &&Leaf| matches!(leaf, Leaf::Extension(extension) if extension.as_str() == name);
        let Some(&leaf) = leaves.iter().find(is_own) else { return Ok(None) };
        let (when, leaf) = (self.in_device_terms(when)?, self.conditions.leaf(leaf)?);
        let met = self.implication(when, leaf)?;
        Ok(Clause::new(met, ClauseSubject::Extension(name)))
    }

    fn clause_of_capability(
        &mut self,
        number: u32,
        when: ConditionId,
        leaves: &BTreeSet<Leaf>,
    ) -> Result<Option<Clause>, ConditionError> {
        let implied = closure_of(number);
        let aspects = capabilities::required_aspects(number, is_of_kernels(self.module));
        let mut has = ConditionId::TRUE;
        for &leaf in leaves {
            let is_implied = match leaf {
                Leaf::Capability(other) => implied.contains(&other),
                Leaf::Aspect(aspect) => aspects.contains(&aspect),
                _ => false,
            };
            if is_implied {
                let leaf = self.conditions.leaf(leaf)?;
                has = self.conditions.and(has, leaf)?;
            }
        }
        let met = self.implication(when, has)?;
        Ok(Clause::new(met, ClauseSubject::Capability(number)))
    }

    /// Returns the condition that a requirement does not apply or is met.
    fn implication(&mut self, when: ConditionId, met: ConditionId) -> Result<ConditionId, ConditionError> {
        let never = self.conditions.not(when)?;
        self.conditions.or(never, met)
    }

    /// Returns a condition in terms of devices: constants of the module are replaced by their meaning.
    fn in_device_terms(&mut self, condition: ConditionId) -> Result<ConditionId, ConditionError> {
        match self.when(condition)? {
            None => Ok(ConditionId::TRUE),
            Some(when) => self.conditions.of_expr(&when.expr),
        }
    }

    /// Returns a minimal set of requirements that together imply a condition: without any of them it would
    /// not hold on all devices. Empty if they do not imply it.
    fn culprits(
        &mut self,
        existence: ConditionId,
        mut clauses: Vec<Clause>,
        denied: ConditionId,
    ) -> Result<Option<Vec<Clause>>, ConditionError> {
        if !self.imply(existence, &clauses, None, denied)? {
            return Ok(None);
        }
        for at in (0..clauses.len()).rev() {
            if self.imply(existence, &clauses, Some(at), denied)? {
                clauses.remove(at);
            }
        }
        Ok(Some(clauses))
    }

    /// Returns true if a condition holds on every device that meets all requirements but one.
    fn imply(
        &mut self,
        existence: ConditionId,
        clauses: &[Clause],
        without: Option<usize>,
        denied: ConditionId,
    ) -> Result<bool, ConditionError> {
        let mut all = existence;
        for (_, clause) in clauses.iter().enumerate().filter(|(at, _)| Some(*at) != without) {
            all = self.conditions.and(all, clause.met)?;
        }
        self.conditions.implies(all, denied)
    }
}

impl Rule {
    /// Returns the name of the rule in the formats of other programs.
    pub fn name(self) -> &'static str {
        match self {
            Rule::DeniedRequirement => "denied-requirement",
            Rule::RequiredDevice => "required-device",
        }
    }
}

impl Violation {
    /// Creates a violation by a whole module.
    fn of_module(rule: Rule, problem: String, message: String, devices: Vec<String>) -> Violation {
        Violation {
            rule,
            message,
            subject: "the module".to_owned(),
            problem,
            entry_point: None,
            devices,
            id: None,
            cause: None,
            place: None,
            without_places: false,
        }
    }

    /// Returns the functions on the call path to the cause, with the location of each call.
    pub fn chain(&self) -> impl Iterator<Item = &PathStep> {
        let calls = self.cause.iter().flat_map(|cause| &cause.calls);
        calls.filter(|step| !step.is_kernel_body)
    }

    /// Returns the message, followed by the lines of the call path.
    pub fn text(&self) -> String {
        let mut text = self.message.clone();
        let Some(cause) = &self.cause else { return text };
        text += "\nuse is from this call chain:";
        let mut line = |what: &str, place: &Option<SourceLocation>| {
            text = format!("{text}\n  {what}");
            if let Some(place) = place {
                text = format!("{text} {place}");
            }
        };
        self.chain().for_each(|step| line(&step.function, &step.called_at));
        line(&cause.instruction.to_string(), &cause.instruction.place);
        if self.without_places {
            text += "\ncompile with '-g' to get source location";
        }
        text
    }
}

/// A condition that is denied.
struct DeniedCondition {
    leaves: BTreeSet<Leaf>,
    text: String,
}

fn root_title(report: &EntryPointReport) -> String {
    match report.stage {
        Some(_) => format!("entry point '{}'", report.title()),
        None => format!("exported function '{}'", report.title()),
    }
}

/// Returns the name of a requirement, with its kind.
fn subject(clause: &Clause) -> String {
    match &clause.subject {
        ClauseSubject::Aspect(number) => format!("aspect '{}'", Aspect::from(*number)),
        ClauseSubject::Capability(number) => format!("capability '{}'", capability_name(*number)),
        ClauseSubject::Extension(name) => format!("extension '{name}'"),
        ClauseSubject::Number(limit) => Expr::from(Leaf::Limit(*limit)).display(&DeviceNames).to_string(),
    }
}

/// Returns the clause that follows the name of the entry point.
fn does_not_run(result: &Compatibility, devices: &[String]) -> String {
    let counts = ClauseCounts { subjects: 1, devices: devices.len() };
    clause(&result.missing, &result.unknown, &quoted(devices), counts)
}

/// Returns the names of devices in a message.
fn quoted(devices: &[String]) -> String {
    let quoted: Vec<String> = devices.iter().map(|name| format!("'{name}'")).collect();
    match &quoted[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => quoted.concat(),
    }
}

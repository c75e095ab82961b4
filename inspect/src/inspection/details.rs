//! Details of reports for people: the call graph, sizes by condition, and the call paths to features that
//! devices are missing.

use std::collections::BTreeSet;

use serde::Serialize;

use super::call_graph::CallGraph;
use super::context::{InspectContext, InspectionError};
use super::cost::CodeCost;
use super::model::Inspected;
use super::question::WhySubject;
use super::why::Why;
use spirv_if::device::Device;
use spirv_if::engine::analysis::{ReadableCondition, ReadableConditions};
use spirv_if::engine::collections::{OrderedMap, gather, sort_by};
use spirv_if::engine::compatibility::{ComparedFeature, check_requirements};
use spirv_if::engine::condition::ConditionId;
use spirv_if::engine::metadata::property_sets::SpecialConstants;
use spirv_if::error::Missing;
use spirv_if::specialize::SpecValue;

/// The details of one module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Details {
    /// Size of the module by presence condition, the largest part first.
    pub sizes: Vec<SizeUnder>,
    /// The functions, and their calls.
    pub calls: CallGraph,
    /// Causes of the requirements that devices do not meet.
    pub paths: Vec<PathsTo>,
    /// The numbers of devices that run the module after a specialization constant is set, and not before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constant_gains: Vec<ConstantGain>,
}

/// The number of devices that run a module after a specialization constant is set, and not before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConstantGain {
    /// The number of the constant.
    pub spec_id: u32,
    /// The value.
    pub value: SpecValue,
    /// The number of devices.
    pub devices: usize,
}

/// The size of the functions and module-scope definitions that are required under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SizeUnder {
    /// The condition; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<ReadableCondition>,
    /// The number of functions.
    pub functions: usize,
    /// Size of the functions and definitions, in bytes. Instructions without result id count as always
    /// required.
    pub bytes: usize,
}

/// The causes of one requirement, for each entry point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathsTo {
    /// Name of the feature, as devices are missing it.
    pub missing: String,
    /// The part of the module that requires it.
    pub origin: RequirementOrigin,
    /// The size of the code that requires it, if code does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CodeCost>,
    /// The causes, by entry point.
    pub why: Vec<Why>,
}

/// The part of a module that requires a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequirementOrigin {
    /// Instructions, execution modes or variables.
    Code,
    /// Only the declaration of the feature.
    Declaration,
    /// Only the version in the header: no code is so new.
    Header,
    /// Only the property sets of the module.
    Properties,
}

impl PathsTo {
    /// Creates the paths to a missing feature. `recorded` are the names of features that only property sets require.
    fn new(missing: &Missing, why: Vec<Why>, cost: CodeCost, recorded: &BTreeSet<String>) -> PathsTo {
        let origin = match missing {
            _ if cost.bytes > 0 => RequirementOrigin::Code,
            _ if recorded.contains(&missing.name()) => RequirementOrigin::Properties,
            Missing::Version(_) => RequirementOrigin::Header,
            _ => RequirementOrigin::Declaration,
        };
        let cost = Some(cost).filter(|_| origin == RequirementOrigin::Code);
        PathsTo { missing: missing.name(), origin, cost, why }
    }
}

/// A difference between an entry point and the one of the same name in another module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryPointDifference {
    /// The name of the entry point.
    pub entry_point: String,
    /// True if only this module has the entry point.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub added: bool,
    /// True if only the other module has the entry point.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
    /// The capabilities, extensions and aspects that only the entry point of this module requires.
    pub requires: Vec<String>,
    /// The capabilities, extensions and aspects that only the entry point of the other module requires.
    pub no_longer: Vec<String>,
    /// The devices that run only the other entry point, unchanged or packed.
    pub lost: Vec<String>,
    /// The devices that run only this entry point.
    pub gained: Vec<String>,
}

impl InspectContext<'_, '_> {
    /// Returns the details of a module. The missing features are those of the single devices in the reports
    /// of its entry points.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn details(&mut self, inspected: &Inspected) -> Result<Details, InspectionError> {
        let each =
            inspected.roots().filter_map(|root| root.devices.as_ref()).flat_map(|devices| &devices.each);
        let results = each.flat_map(|device| [&device.as_is, &device.after_pack]);
        let missing: BTreeSet<&Missing> =
            gather(results.flat_map(|result| result.missing.iter().chain(&result.unknown)));
        let recorded = self.only_recorded(inspected);
        let mut paths = Vec::new();
        for missing in missing {
            let (why, cost) = match WhySubject::of_missing(missing) {
                Some(question) => (self.why(&question)?, self.cost(&question)?),
                None => self.why_of_number(missing),
            };
            paths.push(PathsTo::new(missing, why, cost, &recorded));
        }
        // What devices have instead of a size or a limit makes no difference.
        paths.dedup_by(|one, other| one.missing == other.missing);
        let constant_gains = Vec::new();
        Ok(Details { sizes: self.sizes_by_condition()?, calls: self.call_graph("")?, paths, constant_gains })
    }

    /// Returns the names of the features that property sets require and no entry point does.
    fn only_recorded(&self, inspected: &Inspected) -> BTreeSet<String> {
        let Some(recorded) = &self.recorded else { return BTreeSet::new() };
        // An unknown device may not have any feature.
        let required = check_requirements(&Device::default(), recorded).unknown;
        let mut names: BTreeSet<String> = gather(required.iter().map(Missing::name));
        for (required, _) in inspected.roots().flat_map(|root| &root.required) {
            if let Some(feature) = ComparedFeature::from_requirement(*required) {
                let missing = feature.missing(&Device::default());
                names.remove(&missing.name());
            }
        }
        names
    }

    /// Returns the size of the module by condition.
    fn sizes_by_condition(&self) -> Result<Vec<SizeUnder>, InspectionError> {
        let module = self.module;
        let presence = self.analyses.presence()?;
        let mut by_condition: OrderedMap<ConditionId, (usize, usize)> = OrderedMap::new();
        let mut always = 4 * module.words().len();
        for function in module.functions() {
            let bytes = 4 * (function.end - function.start) as usize;
            let sum = by_condition.entry(presence.condition(function.id)).or_default();
            *sum = (sum.0 + 1, sum.1 + bytes);
            always -= bytes;
        }
        for inst in module.globals() {
            if let Some(id) = inst.result_id() {
                let bytes = 4 * (inst.end() - inst.offset()) as usize;
                by_condition.entry(presence.condition(id)).or_default().1 += bytes;
                always -= bytes;
            }
        }
        by_condition.entry(ConditionId::TRUE).or_default().1 += always;
        let mut conditions = presence.conditions.clone();
        let special = SpecialConstants::from_properties(self.properties)?;
        let mut readable = ReadableConditions::new(module, self.multi_target, &special, &mut conditions)?;
        let mut sizes = Vec::new();
        for (condition, (functions, bytes)) in by_condition {
            sizes.push(SizeUnder { when: readable.when(condition, &mut conditions)?, functions, bytes });
        }
        sort_by(&mut sizes, |one, other| (other.bytes, &one.when).cmp(&(one.bytes, &other.when)));
        Ok(sizes)
    }
}

impl EntryPointDifference {
    /// Returns the differences between two modules, by entry point. Equal entry points are omitted.
    pub fn between(new: &Inspected, old: &Inspected) -> Vec<EntryPointDifference> {
        let facts = |inspected: &Inspected, name: &str| {
            inspected.roots().find(|root| root.name == name).map(ComparedFacts::new)
        };
        let names = new.roots().chain(old.roots()).map(|root| root.name.as_str());
        let mut seen = BTreeSet::new();
        let names = names.filter(|name| seen.insert(name.to_string()));
        let differences = names.map(|name| {
            let (new, old) = (facts(new, name), facts(old, name));
            let (added, removed) = (old.is_none(), new.is_none());
            // For an entry point that only one module has, devices are not compared.
            let is_in_both = !added && !removed;
            let (new, old) = (new.unwrap_or_default(), old.unwrap_or_default());
            let less =
                |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).cloned().collect();
            EntryPointDifference {
                entry_point: name.to_owned(),
                added,
                removed,
                requires: less(&new.required, &old.required),
                no_longer: less(&old.required, &new.required),
                lost: if is_in_both { less(&old.runs, &new.runs) } else { Vec::new() },
                gained: if is_in_both { less(&new.runs, &old.runs) } else { Vec::new() },
            }
        });
        differences.filter(|difference| !difference.is_none()).collect()
    }

    fn is_none(&self) -> bool {
        let lists = [&self.requires, &self.no_longer, &self.lost, &self.gained];
        !self.added && !self.removed && lists.iter().all(|list| list.is_empty())
    }
}

/// The compared properties of an entry point.
#[derive(Default)]
struct ComparedFacts {
    required: BTreeSet<String>,
    runs: BTreeSet<String>,
}

impl ComparedFacts {
    fn new(root: &super::EntryPointReport) -> ComparedFacts {
        let features = root.capabilities.iter().chain(&root.extensions).chain(&root.aspects);
        let text = |feature: &super::model::RequiredFeature| match &feature.when {
            Some(when) => format!("{} where {when}", feature.name),
            None => feature.name.to_string(),
        };
        let each = root.devices.iter().flat_map(|devices| &devices.each);
        let runs = each.filter(|device| device.as_is.runs() || device.after_pack.runs());
        ComparedFacts {
            required: features.map(text).collect(),
            runs: runs.map(|device| device.device.clone()).collect(),
        }
    }
}

//! Missing features of fixed targets: aspects, capabilities, extensions and sizes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{CheckContext, CheckError, Requires, WarningProblem};
use spirv_if::device::{Aspect, Device};
use spirv_if::engine::analysis::requirements::{Requirement, RequirementId, closure, is_of_kernels};
use spirv_if::engine::analysis::{
    Analyses, AnalysisError, CallPath, ModuleRoot, Sizes, has_own_work_group_limit, join, matrix_uses,
};
use spirv_if::engine::collections::{IdMap, OrderedMap, gather};
use spirv_if::engine::compatibility::{
    ComparedFeature, DeviceValues, EntryRequirements, MULTI_TARGET_EXTENSION, ModuleDeclarations,
    check_requirements, explained_aspects, fails_on_driver, is_of_multi_target,
};
use spirv_if::engine::condition::{ConditionError, ConditionId, Expr, Leaf, Truth, evaluate};
use spirv_if::engine::device::DeviceNames;
use spirv_if::engine::metadata::property_sets::DeviceRequirements;
use spirv_if::error::Missing;
use spirv_if::module::Version;

/// A requirement of a function that a device does not meet, with its condition and the call path to its cause. A requirement that is only
/// declared has no path.
struct UnmetRequirement {
    requires: Requires,
    condition: Option<String>,
    chain: Option<Option<CallPath>>,
}

impl UnmetRequirement {
    fn aspect(&self) -> Option<u32> {
        match &self.requires {
            Requires::Use(any) => match any[..] {
                [Missing::Aspect(aspect)] => Some(aspect.0),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns true if a function is meant for other devices than the root that calls it; false if its targets are
/// unknown.
pub(crate) fn are_other_targets<T: Ord>(of_root: &BTreeSet<T>, of_function: Option<&BTreeSet<T>>) -> bool {
    of_function.is_some_and(|targets| targets != of_root)
}

/// A fixed target.
struct TargetState<'d> {
    /// The device as the module finds it.
    device: Cow<'d, Device>,
    /// True if all code is meant for the target, and not only the functions that name it.
    for_all: bool,
    /// The values of the constants of a multi-target module on the target, by result id.
    constants: IdMap<bool>,
    /// The conditions of calls that may hold on the target.
    may_hold: BTreeSet<ConditionId>,
    /// The requirements of any function that the target does not meet, whether or not they apply on it.
    missing: BTreeSet<RequirementId>,
}

impl TargetState<'_> {
    /// Returns the value of a leaf on the target.
    fn truth(&self, leaf: Leaf) -> Option<bool> {
        match leaf {
            Leaf::Constant(id) => self.constants.get(&id).copied(),
            _ => self.device.truth(leaf),
        }
    }
}

impl<'m> CheckContext<'m, '_> {
    /// Warns of the missing features of the fixed targets. A feature missing on several of them is one
    /// warning.
    pub(super) fn warn_of_fixed_targets(&mut self) -> Result<(), CheckError> {
        let (all, by_function) = (self.options.fixed_targets, self.function_targets()?);
        if all.is_empty() && by_function.values().all(Vec::is_empty) {
            return Ok(());
        }
        self.warn_of_other_targets(&by_function)?;
        let facts = ModuleFacts::new(self.analyses)?;
        let mut targets: Vec<TargetState> = Vec::new();
        let of_some = by_function.values().flatten().map(|&device| (device, false));
        for (device, for_all) in all.iter().map(|device| (device, true)).chain(of_some) {
            if !targets.iter().any(|target| target.device.name == device.name) {
                targets.push(self.target(device, for_all)?);
            }
        }
        let roots = self.roots();
        let reached = self.reached_when(&roots)?;
        let reported_at_roots = self.reached_by_target(&roots, &by_function)?;
        let mut reported: BTreeSet<(String, String)> = BTreeSet::new();
        for function in self.functions() {
            let is_root = roots.contains(&function);
            let when = reached.get(&function).copied().unwrap_or(ConditionId::TRUE);
            let states = self.listed.aspects(function).is_some() || self.sizes.get(function).is_some();
            let has_targets = by_function.get(&function).is_some_and(|targets| !targets.is_empty());
            // Calls of conditional callers are calls of their actions.
            let is_replaced = self.callers.contains(&function) || self.is_kernel_body(function);
            if is_replaced || !(is_root || states || has_targets) {
                continue;
            }
            let function_targets = by_function.get(&function).map_or(&[][..], Vec::as_slice);
            let mut together: Vec<(UnmetRequirement, Vec<String>)> = Vec::new();
            for target in &mut targets {
                let name = &*target.device.name().to_owned();
                let is_named = function_targets.iter().any(|device| device.name() == name);
                if !is_named && !(target.for_all && (is_root || states)) {
                    continue;
                }
                let is_reported = reported_at_roots.contains(&(function, name.to_owned()));
                let with_uses = is_root || (is_named && !is_reported);
                for unmet in self.unmet_requirements(function, when, with_uses, target, &facts)? {
                    let same = |(other, _): &&mut (UnmetRequirement, Vec<String>)| {
                        (&other.requires, &other.condition) == (&unmet.requires, &unmet.condition)
                    };
                    match together.iter_mut().find(same) {
                        Some((_, names)) if names.last().is_some_and(|last| last == name) => {}
                        Some((_, names)) => names.push(name.to_owned()),
                        None => together.push((unmet, vec![name.to_owned()])),
                    }
                }
            }
            for (UnmetRequirement { requires, condition, chain }, targets) in together {
                if let Some(name) = requires.name().filter(|_| condition.is_none()) {
                    reported.extend(targets.iter().map(|target| (target.clone(), name.clone())));
                }
                let problem =
                    WarningProblem::Function { function: self.name(function), requires, targets, condition };
                match chain {
                    Some(chain) => self.warn_of_use(problem, function, chain.as_ref()),
                    None => {
                        let at = self.at(function);
                        self.warn(problem, at, Vec::new());
                    }
                }
            }
        }
        self.warn_of_declarations(&facts, &targets);
        self.warn_of_property_sets(&roots, &reported)
    }

    /// Warns of requirements in the property sets of the module that fixed targets do not meet. Aspects that code
    /// explains are excepted, and `reported` names: those of targets and features in warnings about functions without a
    /// condition.
    fn warn_of_property_sets(
        &mut self,
        roots: &BTreeSet<u32>,
        reported: &BTreeSet<(String, String)>,
    ) -> Result<(), CheckError> {
        let Some(requirements) = DeviceRequirements::from_properties(self.options.properties)? else {
            return Ok(());
        };
        let mut used = BTreeSet::new();
        for &root in roots {
            let of_root = self.used_aspects(root)?;
            used.extend(of_root.into_iter().filter(|(_, when)| when.is_true()).map(|(aspect, _)| aspect));
        }
        let declared = ModuleDeclarations::as_is(self.module);
        let requirements = requirements.without_aspects(&explained_aspects(&declared, used));
        // What the targets have instead makes no difference.
        let mut by_name: OrderedMap<String, (Missing, Vec<String>)> = OrderedMap::new();
        for target in self.options.fixed_targets {
            let on_target = check_requirements(&self.analyses.device_for_module(target), &requirements);
            for missing in on_target.missing {
                let name = missing.name();
                if !reported.contains(&(target.name().to_owned(), name.clone())) {
                    let (_, targets) = by_name.entry(name).or_insert((missing, Vec::new()));
                    targets.push(target.name().to_owned());
                }
            }
        }
        for (missing, targets) in by_name.into_values() {
            self.warn(WarningProblem::PropertySets { missing, targets }, None, Vec::new());
        }
        Ok(())
    }

    /// Returns the fixed targets of each function and of its callees.
    fn function_targets(&self) -> Result<IdMap<Vec<&'m Device>>, CheckError> {
        let mut by_function: IdMap<Vec<&Device>> = IdMap::new();
        for (&function, globs) in &self.annotated.fixed_targets {
            let targets = by_function.entry(function).or_default();
            for glob in globs {
                targets.extend(self.options.devices.matching(glob)?);
            }
        }
        Ok(by_function)
    }

    /// Returns the functions that roots reach, with the names of the roots' targets. Missing features are
    /// reported for the roots.
    fn reached_by_target(
        &mut self,
        roots: &BTreeSet<u32>,
        by_function: &IdMap<Vec<&Device>>,
    ) -> Result<BTreeSet<(u32, String)>, CheckError> {
        let mut reached = BTreeSet::new();
        for &root in roots {
            let Some(targets) = self.targets_of(root, by_function) else { continue };
            let when = self.summaries.reached_when(root, &mut self.conditions)?;
            for (function, _) in when.into_iter().filter(|(_, when)| !when.is_false()) {
                reached.extend(targets.iter().map(|name| (function, (*name).to_owned())));
            }
        }
        Ok(reached)
    }

    /// Returns the names of a function's targets: empty if it is known to be for any device, and `None` if
    /// unknown.
    fn targets_of<'d>(&self, function: u32, by_function: &IdMap<Vec<&'d Device>>) -> Option<BTreeSet<&'d str>>
    where
        'm: 'd,
    {
        match by_function.get(&function) {
            Some(targets) => Some(gather(targets.iter().map(|device| &*device.name))),
            None if self.options.fixed_targets.is_empty() => None,
            None => Some(self.options.fixed_targets.iter().map(|device| &*device.name).collect()),
        }
    }

    /// Warns of functions that are meant for other devices than a root that calls them.
    fn warn_of_other_targets(&mut self, by_function: &IdMap<Vec<&'m Device>>) -> Result<(), CheckError> {
        let roots = self.roots();
        let mut called = self.functions();
        called.retain(|id| !roots.contains(id) && !self.is_kernel_body(*id));
        let mut reported = BTreeSet::new();
        for &root in &roots {
            let targets = self.targets_of(root, by_function);
            let Some(of_root) = targets.filter(|names| !names.is_empty()) else { continue };
            let when = self.summaries.reached_when(root, &mut self.conditions)?;
            for &function in &called {
                let is_reached = when.get(&function).is_some_and(|when| !when.is_false());
                if !is_reached
                    || !are_other_targets(&of_root, self.targets_of(function, by_function).as_ref())
                {
                    continue;
                }
                if let Some(calls) = self.summaries.calls_between(root, function, &|_| true)
                    && reported.insert((function, of_root.clone()))
                {
                    let problem = WarningProblem::FixedTargets { function: self.name(function) };
                    let (at, steps) = (self.at(function), self.steps(root, &calls));
                    self.warn(problem, at, steps);
                }
            }
        }
        Ok(())
    }

    fn target<'d>(&mut self, device: &'d Device, for_all: bool) -> Result<TargetState<'d>, CheckError> {
        let device = self.analyses.device_for_module(device);
        let constants = self.constants_on(&device)?;
        let mut target =
            TargetState { device, constants, for_all, may_hold: BTreeSet::new(), missing: BTreeSet::new() };
        for condition in self.summaries.call_conditions() {
            if !self.on_target(&target, condition, ConditionId::TRUE)?.is_false() {
                target.may_hold.insert(condition);
            }
        }
        Ok(target)
    }

    /// Returns the values of the Boolean constants of a multi-target module on a device, by result id.
    fn constants_on(&self, device: &Device) -> Result<IdMap<bool>, CheckError> {
        if self.analyses.multi_target()?.is_empty() {
            return Ok(IdMap::new());
        }
        Ok(DeviceValues::new(device, self.options.properties)?.conditions_of(self.module))
    }

    /// Returns the roots: entry points, and exported functions without callers in the module.
    fn roots(&self) -> BTreeSet<u32> {
        let called = self.summaries.called();
        let exported = self.names.exported().filter(|id| self.module.is_function(*id));
        let exported = exported
            .filter(|id| !called.contains(id) && !self.callers.contains(id) && !self.is_kernel_body(*id));
        self.entry_points.keys().copied().chain(exported).collect()
    }

    /// Returns the requirements of a function that a device does not meet. For a function with callers, only its declared requirements
    /// count.
    fn unmet_requirements(
        &mut self,
        function: u32,
        when: ConditionId,
        is_root: bool,
        target: &mut TargetState,
        facts: &ModuleFacts,
    ) -> Result<Vec<UnmetRequirement>, CheckError> {
        let device = &*target.device.clone();
        let present_when = self.on_target(target, when, ConditionId::TRUE)?;
        if present_when.is_false() {
            return Ok(Vec::new());
        }
        let mut unmet =
            if is_root { self.missing_uses(function, present_when, target, facts)? } else { Vec::new() };
        let reported: BTreeSet<u32> = match is_root {
            true => unmet.iter().filter_map(|unmet| unmet.aspect()).collect(),
            // Uses are reported for the callers.
            false => self.used_aspects(function)?.keys().copied().collect(),
        };
        if is_root {
            unmet.extend(facts.missing_features(target, function)?);
        }
        let present_when = self.text(present_when)?;
        let declared = |requires| UnmetRequirement { requires, condition: present_when.clone(), chain: None };
        let listed = self.listed.aspects(function).into_iter().flatten();
        let listed = listed
            .filter(|aspect| lacks(device, &ComparedFeature::Aspect(**aspect)) && !reported.contains(aspect));
        unmet.extend(listed.map(|&aspect| declared(Requires::List(Aspect(aspect)))));
        if let Some(&sizes) = self.sizes.get(function) {
            let sizes = match facts.own_work_groups.contains(&function) {
                true => Sizes { work_group: None, sub_groups: None, ..sizes },
                false => sizes,
            };
            unmet.extend(missing_sizes(&sizes, device).into_iter().map(declared));
        }
        Ok(unmet)
    }

    /// Returns the features that a function uses, directly or through its callees, and that are missing on a
    /// device.
    fn missing_uses(
        &mut self,
        function: u32,
        present_when: ConditionId,
        target: &mut TargetState,
        facts: &ModuleFacts,
    ) -> Result<Vec<UnmetRequirement>, CheckError> {
        let device = &*target.device.clone();
        let mut unmet = Vec::new();
        let mut aspects = BTreeSet::new();
        for (aspect, condition) in self.used_aspects(function)? {
            let condition = self.on_target(target, condition, present_when)?;
            if lacks(device, &ComparedFeature::Aspect(aspect)) && !condition.is_false() {
                aspects.insert(aspect);
                let chain =
                    self.shortest_path(function, aspect, &|condition| target.may_hold.contains(&condition));
                let condition = self.text(condition)?;
                let requires = Requires::Use(vec![Missing::Aspect(Aspect(aspect))]);
                unmet.push(UnmetRequirement { requires, condition, chain: Some(chain) });
            }
        }
        for (id, condition) in self.summary(function).iter() {
            let Some(missing) = facts.missing(device, id) else { continue };
            target.missing.insert(id);
            let condition = self.on_target(target, condition, present_when)?;
            // A missing aspect is reported only once.
            let is_reported = self.aspects.implied(id).iter().any(|aspect| aspects.contains(aspect));
            if !condition.is_false() && !is_reported {
                let may_hold = |condition: ConditionId| target.may_hold.contains(&condition);
                let chain = self.summaries.call_path_where(function, id, &may_hold);
                let condition = self.text(condition)?;
                unmet.push(UnmetRequirement {
                    requires: Requires::Use(missing),
                    condition,
                    chain: Some(chain),
                });
            }
        }
        drop_implied(&mut unmet);
        Ok(unmet)
    }

    /// Returns the conjunction of two conditions, restricted to a target.
    fn on_target(
        &mut self,
        target: &TargetState,
        condition: ConditionId,
        present_when: ConditionId,
    ) -> Result<ConditionId, ConditionError> {
        let both = self.conditions.and(condition, present_when)?;
        self.conditions.restrict(both, &|leaf| target.truth(leaf))
    }

    /// Returns the conditions under which functions are roots, or called.
    fn reached_when(&mut self, roots: &BTreeSet<u32>) -> Result<IdMap<ConditionId>, ConditionError> {
        let mut reached = IdMap::new();
        for &root in roots {
            let existence = self.existence_condition(root)?;
            for (function, when) in self.summaries.reached_when(root, &mut self.conditions)? {
                let when = self.conditions.and(existence, when)?;
                join(reached.entry(function).or_insert(ConditionId::FALSE), when, &mut self.conditions)?;
            }
        }
        Ok(reached)
    }

    /// Returns the condition under which a function is an entry point, or true for another function.
    fn existence_condition(&mut self, function: u32) -> Result<ConditionId, ConditionError> {
        match self.entry_points.get(&function) {
            Some(entry_point) => entry_point.existence(self.summaries, &mut self.conditions),
            None => Ok(ConditionId::TRUE),
        }
    }

    /// Warns of declarations of the module that devices do not support, except those reported for its functions, and
    /// those that are removed when conditional calls are decided.
    fn warn_of_declarations(&mut self, facts: &ModuleFacts, targets: &[TargetState]) {
        let mut by_feature: OrderedMap<Missing, Vec<String>> = OrderedMap::new();
        let mut add =
            |missing, target: &Device| by_feature.entry(missing).or_default().push(target.name().to_owned());
        let version = ComparedFeature::Version(self.module.version());
        for TargetState { device: target, missing, .. } in targets.iter().filter(|target| target.for_all) {
            if lacks(target, &version) {
                add(version.missing(target), target);
            }
            // A reported capability explains its implied capabilities.
            let explained = closure(missing.iter().flat_map(|id| match id.get() {
                Requirement::Capabilities(any) => any.iter().copied(),
                _ => [].iter().copied(),
            }));
            let explained = |number: u32| explained.contains(&number);
            for declared in self.module.capabilities().filter(|declared| declared.condition().is_none()) {
                let number = declared.capability();
                let feature = facts.capability(number);
                if lacks(target, &feature)
                    && !explained(number)
                    && facts.keeps(target, |packed| packed.capability(number))
                {
                    add(feature.missing(target), target);
                }
            }
            if facts.packed.is_none() && fails_on_driver(target, self.module) {
                add(Missing::driver_defect(target), target);
            }
            for declared in self.module.extensions().filter(|declared| declared.condition().is_none()) {
                let name = declared.name();
                let is_explained = missing.iter().any(|id| match id.get() {
                    Requirement::Extensions(any) => any.contains(&&*name),
                    _ => false,
                });
                let feature = ComparedFeature::extension(&name, facts.version);
                if lacks(target, &feature)
                    && !is_explained
                    && facts.keeps(target, |packed| packed.extension(&name))
                {
                    add(feature.missing(target), target);
                }
            }
        }
        for (missing, targets) in by_feature {
            self.warn(WarningProblem::Module { missing, targets }, None, Vec::new());
        }
    }
}

/// The declarations of the module that decide which devices meet a requirement.
struct ModuleFacts {
    /// The requirements of roots by the functions, except aspects and sizes of sub-groups.
    roots: IdMap<Vec<EntryRequirements>>,
    /// The roots whose work-groups have limits of Vulkan alone.
    own_work_groups: BTreeSet<u32>,
    /// The declared capabilities, and their implied capabilities.
    declared: Vec<u32>,
    version: Version,
    has_kernels: bool,
    /// The declarations of the packed module, if there are conditional calls.
    packed: Option<ModuleDeclarations>,
}

impl ModuleFacts {
    fn new(analyses: &Analyses) -> Result<ModuleFacts, AnalysisError> {
        let module = analyses.module();
        let declared = closure(module.capabilities().map(|declared| declared.capability()));
        let mut roots: IdMap<Vec<EntryRequirements>> = IdMap::new();
        let mut own_work_groups = BTreeSet::new();
        let of_roots = analyses.vulkan_features()?.roots.iter().zip(matrix_uses(analyses)?);
        for (root, (features, matrices)) in ModuleRoot::all(analyses).iter().zip(of_roots) {
            let entry = EntryRequirements::new(analyses, root, features, matrices);
            roots.entry(root.function()).or_default().push(entry);
            own_work_groups.extend(Some(root.function()).filter(|_| has_own_work_group_limit(root)));
        }
        let packed = match analyses.calls()?.is_empty() {
            true => None,
            false => Some(ModuleDeclarations::after_pack(analyses)?),
        };
        let (version, has_kernels) = (module.version(), is_of_kernels(module));
        Ok(ModuleFacts { roots, own_work_groups, declared, version, has_kernels, packed })
    }

    /// Returns true if a declaration stays where conditional calls are decided on a device. `when` finds its condition.
    fn keeps<'f>(
        &'f self,
        device: &Device,
        when: impl Fn(&'f ModuleDeclarations) -> Option<&'f Expr>,
    ) -> bool {
        let holds = |when: &Expr| evaluate(when, &|leaf| device.truth(leaf)) != Ok(Truth::False);
        self.packed.as_ref().is_none_or(|packed| when(packed).is_some_and(holds))
    }

    /// Returns the features and limits of Vulkan that a root requires and a device does not have.
    fn missing_features(
        &self,
        target: &TargetState,
        root: u32,
    ) -> Result<Vec<UnmetRequirement>, ConditionError> {
        let mut unmet = Vec::new();
        let entries = self.roots.get(&root).into_iter().flatten();
        for (feature, when) in entries.flat_map(EntryRequirements::vulkan_features) {
            let condition = match evaluate(when, &|leaf| target.truth(leaf))? {
                Truth::True => None,
                Truth::False => continue,
                Truth::Unknown => Some(when.display(&DeviceNames).to_string()),
            };
            if lacks(&target.device, &feature) {
                let missing = feature.missing(&target.device);
                let requires = match feature {
                    ComparedFeature::VulkanLimit(..) => {
                        Requires::Size { missing, dimensions: None, specializable: false }
                    }
                    _ => Requires::Use(vec![missing]),
                };
                unmet.push(UnmetRequirement { requires, condition, chain: None });
            }
        }
        Ok(unmet)
    }

    fn capability(&self, number: u32) -> ComparedFeature<'static> {
        ComparedFeature::Capability { number, in_kernels: self.has_kernels }
    }

    /// Returns the alternatives for a requirement that the module declares, if a device is known to have none
    /// of them.
    fn missing(&self, device: &Device, id: RequirementId) -> Option<Vec<Missing>> {
        let any: Vec<ComparedFeature> = match id.get() {
            Requirement::Aspect(_) | Requirement::Feature(_) => return None,
            Requirement::Capabilities(any) => {
                let declared = any.iter().filter(|capability| self.declared.contains(capability));
                declared.map(|&number| self.capability(number)).collect()
            }
            Requirement::Extensions(any) => {
                any.iter().map(|name| ComparedFeature::extension(name, self.version)).collect()
            }
        };
        let lacks_all = !any.is_empty() && any.iter().all(|feature| lacks(device, feature));
        lacks_all.then(|| any.iter().map(|feature| feature.missing(device)).collect())
    }
}

/// Returns true if a device does not have a feature. Declarations of the multi-target extension are not for drivers.
fn lacks(device: &Device, feature: &ComparedFeature) -> bool {
    let is_for_drivers = match feature {
        ComparedFeature::Capability { number, .. } => !is_of_multi_target(*number),
        ComparedFeature::Extension(extension) => extension.name() != MULTI_TARGET_EXTENSION,
        _ => true,
    };
    is_for_drivers && feature.is_supported(device) == Some(false)
}

/// Removes capabilities implied by another one that is missing under the same condition.
fn drop_implied(unmet: &mut Vec<UnmetRequirement>) {
    let single = |unmet: &UnmetRequirement| match &unmet.requires {
        Requires::Use(any) => match any[..] {
            [Missing::Capability(capability)] => Some((capability.0, unmet.condition.clone())),
            _ => None,
        },
        _ => None,
    };
    let all: Vec<(u32, Option<String>)> = unmet.iter().filter_map(single).collect();
    unmet.retain(|unmet| {
        let Some((capability, condition)) = single(unmet) else { return true };
        let others = all.iter().filter(|other| other.0 != capability && other.1 == condition);
        let mut implied = others.flat_map(|other| closure(std::iter::once(other.0)));
        !implied.any(|implied| implied == capability)
    });
}

/// Returns the required sizes that a device does not support.
fn missing_sizes(sizes: &Sizes, target: &Device) -> Vec<Requires> {
    let mut missing = Vec::new();
    if let Some(size) =
        sizes.sub_group.filter(|size| lacks(target, &ComparedFeature::SubGroupSize(size.value)))
    {
        missing.push(Requires::Size {
            missing: Missing::sub_group_size(size.value),
            dimensions: None,
            specializable: size.specializable,
        });
    }
    if let (Some(size), Some(limit)) = (sizes.least_work_items(), target.facts.max_work_group_size)
        && lacks(target, &ComparedFeature::WorkGroupSize(size))
    {
        missing.push(Requires::Size {
            missing: Missing::WorkGroupSize { size, limit: Some(limit) },
            dimensions: sizes.work_group.map(|size| size.dimensions),
            specializable: sizes.work_group.is_some_and(|size| size.specializable),
        });
    }
    missing
}

//! What fixed targets lack: aspects, capabilities, extensions, sizes.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Capability, Op};

use super::{Check, CheckError, Declared, Lack, Problem};
use crate::analysis::requirements::{Requirement, RequirementId, closure};
use crate::analysis::{CallPath, Sizes, join};
use crate::condition::{Condition, ConditionError};
use crate::device::Device;
use crate::device::KnownCapabilities;
use crate::loader::Module;

/// What one device lacks for a function: when, and the way to the cause; none for what is no use.
struct Found {
    lack: Lack,
    condition: Option<String>,
    chain: Option<Option<CallPath>>,
}

impl Found {
    fn aspect(&self) -> Option<u32> {
        match self.lack {
            Lack::Aspect(aspect) => Some(aspect),
            _ => None,
        }
    }
}

/// A fixed target.
struct Target<'d> {
    device: &'d Device,
    /// Whether all code is meant for it, and not only the functions that name it.
    for_all: bool,
    /// The conditions of calls that do not rule it out.
    may_hold: BTreeSet<Condition>,
    /// What some function needs of it and it lacks, whether or not that function does so on this device.
    lacking: BTreeSet<RequirementId>,
}

impl<'m> Check<'m, '_> {
    /// Warns of all that the fixed targets lack. Whatever several of them lack is one warning.
    pub(super) fn fixed_targets(&mut self) -> Result<(), CheckError> {
        let (all, own) = (self.options.fixed_targets, self.own_targets()?);
        if all.is_empty() && own.is_empty() {
            return Ok(());
        }
        let known = Known::new(self.module, self.options.devices.iter().chain(all));
        let mut targets: Vec<Target> = Vec::new();
        let of_some = own.values().flatten().map(|&device| (device, false));
        for (device, for_all) in all.iter().map(|device| (device, true)).chain(of_some) {
            if !targets.iter().any(|target| target.device == device) {
                targets.push(self.target(device, for_all)?);
            }
        }
        let roots = self.roots();
        let reached = self.reached(&roots)?;
        for function in self.functions() {
            let is_root = roots.contains(&function);
            let when = reached.get(&function).copied().unwrap_or(Condition::TRUE);
            let states = self.listed.of(function).is_some() || self.sizes.contains_key(&function);
            if self.is_kernel_body(function) || !(is_root || states || own.contains_key(&function)) {
                continue;
            }
            let own = own.get(&function).map_or(&[][..], Vec::as_slice);
            let mut together: Vec<(Found, Vec<String>)> = Vec::new();
            for target in &mut targets {
                let name = &target.device.name;
                let is_own = own.contains(&target.device);
                if !is_own && !(target.for_all && (is_root || states)) {
                    continue;
                }
                for found in self.lacking(function, when, is_root || is_own, target, &known)? {
                    let same = |(other, _): &&mut (Found, Vec<String>)| {
                        (&other.lack, &other.condition) == (&found.lack, &found.condition)
                    };
                    match together.iter_mut().find(same) {
                        Some((_, names)) if names.last() == Some(name) => {}
                        Some((_, names)) => names.push(name.clone()),
                        None => together.push((found, vec![name.clone()])),
                    }
                }
            }
            for (Found { lack, condition, chain }, targets) in together {
                let problem =
                    Problem::Function { function: self.name(function), lacks: lack, targets, condition };
                match chain {
                    Some(chain) => self.warn_of_use(problem, function, chain.as_ref()),
                    None => {
                        let place = self.place_of(function);
                        self.warn(problem, place, Vec::new());
                    }
                }
            }
        }
        self.declarations(&known, &targets);
        Ok(())
    }

    /// By function: the devices that it is meant for, with what it calls.
    fn own_targets(&self) -> Result<BTreeMap<u32, Vec<&'m Device>>, CheckError> {
        let mut own: BTreeMap<u32, Vec<&Device>> = BTreeMap::new();
        for (&function, globs) in &self.annotated.fixed_targets {
            for glob in globs {
                own.entry(function).or_default().extend(self.options.devices.matching(glob)?);
            }
        }
        Ok(own)
    }

    fn target<'d>(&mut self, device: &'d Device, for_all: bool) -> Result<Target<'d>, ConditionError> {
        let mut may_hold = BTreeSet::new();
        for condition in self.summaries.call_conditions() {
            if !self.on_device(device, condition, Condition::TRUE)?.is_false() {
                may_hold.insert(condition);
            }
        }
        Ok(Target { device, for_all, may_hold, lacking: BTreeSet::new() })
    }

    /// The functions that are needed from outside: entry points, and exports that nothing here calls.
    fn roots(&self) -> BTreeSet<u32> {
        let called = self.summaries.called();
        let exported = self.names.exported().filter(|id| self.module.function(*id).is_some());
        let exported = exported
            .filter(|id| !called.contains(id) && !self.callers.contains(id) && !self.is_kernel_body(*id));
        self.entry_points.keys().copied().chain(exported).collect()
    }

    /// What a device lacks for a function; of one that others call only what it says itself.
    fn lacking(
        &mut self,
        function: u32,
        when: Condition,
        is_root: bool,
        target: &mut Target,
        known: &Known,
    ) -> Result<Vec<Found>, CheckError> {
        let device = target.device;
        let present_when = self.on_device(device, when, Condition::TRUE)?;
        if present_when.is_false() {
            return Ok(Vec::new());
        }
        let mut found = if is_root { self.uses(function, present_when, target, known)? } else { Vec::new() };
        let said: BTreeSet<u32> = match is_root {
            true => found.iter().filter_map(|found| found.aspect()).collect(),
            // What it uses is told of those that call it.
            false => self.used(function)?.into_keys().collect(),
        };
        let present_when = self.text(present_when)?;
        let stated = |lack| Found { lack, condition: present_when.clone(), chain: None };
        let listed = self.listed.of(function).into_iter().flatten();
        let listed =
            listed.filter(|aspect| device.has_aspect(**aspect) == Some(false) && !said.contains(aspect));
        found.extend(listed.map(|&aspect| stated(Lack::Listed(aspect))));
        if let Some(sizes) = self.sizes.get(&function) {
            found.extend(lacking_sizes(sizes, device).into_iter().map(stated));
        }
        Ok(found)
    }

    /// What a device lacks of what a function uses, itself or through what it calls.
    fn uses(
        &mut self,
        function: u32,
        present_when: Condition,
        target: &mut Target,
        known: &Known,
    ) -> Result<Vec<Found>, CheckError> {
        let device = target.device;
        let mut found = Vec::new();
        let mut aspects = BTreeSet::new();
        for (aspect, condition) in self.used(function)? {
            let condition = self.on_device(device, condition, present_when)?;
            if device.has_aspect(aspect) == Some(false) && !condition.is_false() {
                aspects.insert(aspect);
                let chain =
                    self.shortest(function, aspect, &|condition| target.may_hold.contains(&condition));
                let condition = self.text(condition)?;
                found.push(Found { lack: Lack::Aspect(aspect), condition, chain: Some(chain) });
            }
        }
        for (id, condition) in self.summary(function).iter() {
            let Some(lack) = known.lack(device, id) else { continue };
            target.lacking.insert(id);
            let condition = self.on_device(device, condition, present_when)?;
            // What an aspect says need not be said again.
            let is_said = self.aspects.of(id).iter().any(|aspect| aspects.contains(aspect));
            if !condition.is_false() && !is_said {
                let may_hold = |condition: Condition| target.may_hold.contains(&condition);
                let chain = self.summaries.call_path_where(function, id, &may_hold);
                let condition = self.text(condition)?;
                found.push(Found { lack, condition, chain: Some(chain) });
            }
        }
        drop_implied(&mut found);
        Ok(found)
    }

    /// What is left on a device of two conditions that must both hold.
    fn on_device(
        &mut self,
        device: &Device,
        condition: Condition,
        present_when: Condition,
    ) -> Result<Condition, ConditionError> {
        let both = self.conditions.and(condition, present_when)?;
        self.conditions.restrict(both, &|leaf| device.truth(leaf))
    }

    /// When functions are needed from outside, or called.
    fn reached(&mut self, roots: &BTreeSet<u32>) -> Result<BTreeMap<u32, Condition>, ConditionError> {
        let mut reached = BTreeMap::new();
        for &root in roots {
            let existence = self.existence(root)?;
            for (function, when) in self.summaries.reached_when(root, &mut self.conditions)? {
                let when = self.conditions.and(existence, when)?;
                join(&mut reached, function, when, &mut self.conditions)?;
            }
        }
        Ok(reached)
    }

    /// When a function is an entry point at all, if it is one; else always.
    fn existence(&mut self, function: u32) -> Result<Condition, ConditionError> {
        match self.entry_points.get(&function) {
            Some(entry_point) => entry_point.existence(self.summaries, &mut self.conditions),
            None => Ok(Condition::TRUE),
        }
    }

    /// Warns of what the module declares and devices lack, beside what has been said of its functions.
    fn declarations(&mut self, known: &Known, targets: &[Target]) {
        let mut found: BTreeMap<Declared, Vec<String>> = BTreeMap::new();
        let mut lacks =
            |declared, target: &Device| found.entry(declared).or_default().push(target.name.clone());
        let version = self.module.version();
        for Target { device: target, lacking, .. } in targets.iter().filter(|target| target.for_all) {
            if target.spirv_versions.as_ref().is_some_and(|versions| !versions.contains(&version)) {
                lacks(Declared::Version(version.0, version.1), target);
            }
            // With a capability that has been told of goes what it implies.
            let explained = closure(lacking.iter().flat_map(|id| match id.get() {
                Requirement::Capabilities(any) => any.iter().map(|&any| any as u32).collect(),
                _ => Vec::new(),
            }));
            let explained = |number: u32| explained.iter().any(|&capability| capability as u32 == number);
            for declared in self.module.capabilities() {
                let number = declared.capability();
                if declared.condition().is_none()
                    && known.lacks_capability(target, number)
                    && !explained(number)
                {
                    lacks(Declared::Capability(number), target);
                }
            }
            let Some(extensions) = &target.extensions else { continue };
            for inst in self.module.globals().filter(|inst| inst.is(Op::Extension)) {
                let name = inst.string(1);
                let is_explained = lacking.iter().any(|id| match id.get() {
                    Requirement::Extensions(any) => any.contains(&&*name),
                    _ => false,
                });
                if !extensions.contains(&*name) && !is_explained {
                    lacks(Declared::Extension(name.into_owned()), target);
                }
            }
        }
        for (declares, targets) in found {
            self.warn(Problem::Module { declares, targets }, None, Vec::new());
        }
    }
}

/// Which capabilities the device configuration tells of, and the module declares.
struct Known {
    /// The capabilities that the module declares, with what they imply.
    declared: Vec<Capability>,
    told: KnownCapabilities,
}

impl Known {
    fn new<'d>(module: &Module, devices: impl Iterator<Item = &'d Device>) -> Known {
        let declared = closure(module.capabilities().map(|declared| declared.capability()));
        Known { declared, told: KnownCapabilities::by(devices) }
    }

    fn lacks_capability(&self, device: &Device, number: u32) -> bool {
        self.told.has(device, number) == Some(false)
    }

    /// What a device is known to lack of a requirement: all that the module declares to meet it.
    fn lack(&self, device: &Device, id: RequirementId) -> Option<Lack> {
        match id.get() {
            Requirement::Aspect(_) => None,
            Requirement::Capabilities(any) => {
                let declared = |capability: &&Capability| self.declared.contains(capability);
                let meeting: Vec<Capability> = any.iter().filter(declared).copied().collect();
                let lacks = |capability: &Capability| self.lacks_capability(device, *capability as u32);
                (!meeting.is_empty() && meeting.iter().all(lacks)).then_some(Lack::Capabilities(meeting))
            }
            Requirement::Extensions(any) => {
                let extensions = device.extensions.as_ref()?;
                let has_any = any.iter().any(|name| extensions.contains(*name));
                (!has_any).then(|| Lack::Extensions(any.clone()))
            }
        }
    }
}

/// Drops what goes without saying: a capability that another implies which is lacking under the same condition.
fn drop_implied(found: &mut Vec<Found>) {
    let single = |found: &Found| match found.lack {
        Lack::Capabilities(ref any) if any.len() == 1 => Some((any[0], found.condition.clone())),
        _ => None,
    };
    let all: Vec<(Capability, Option<String>)> = found.iter().filter_map(single).collect();
    found.retain(|found| {
        let Some((own, condition)) = single(found) else { return true };
        let others = all.iter().filter(|other| other.0 != own && other.1 == condition);
        !others.map(|other| closure(std::iter::once(other.0 as u32))).any(|implied| implied.contains(&own))
    });
}

/// The required sizes that a device is known not to support.
fn lacking_sizes(sizes: &Sizes, target: &Device) -> Vec<Lack> {
    let mut lacking = Vec::new();
    let told = target.complete || !target.sub_group_sizes.is_empty();
    if let Some(size) = sizes.sub_group.filter(|size| told && !target.sub_group_sizes.contains(&size.value)) {
        lacking.push(Lack::SubGroupSize(size.into()));
    }
    if let (Some(items), Some(limit)) = (sizes.least_work_items(), target.max_work_group_size)
        && items > u64::from(limit)
    {
        let dimensions = sizes.work_group.map(|size| size.dimensions.map(u64::from).to_vec());
        let specializable = sizes.work_group.is_some_and(|size| size.specializable);
        lacking.push(Lack::WorkGroupSize { size: dimensions.unwrap_or(vec![items]), specializable, limit });
    }
    lacking
}

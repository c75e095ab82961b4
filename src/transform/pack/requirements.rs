//! What a packed module requires of a device, and when.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{Capability, Op};

use super::{Options, PackError, Work};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Analyses, AnalysisError, DeviceRequirement, Root, RootRequirements, Simplified, join};
use crate::condition::{Condition, Conditions, Expr};
use crate::device::capabilities;
use crate::loader::Module;

/// What a module requires: the aspects that follow from what it declares, since a driver that lacks any of that refuses all of it, and of
/// what entry points declare themselves, such as sizes of work-groups, what all of them do.
pub fn collect(work: &mut Work, analyses: &Analyses, options: &Options) -> Result<Simplified, PackError> {
    let mut required = BTreeMap::new();
    for (capability, present_when) in needed(work) {
        for aspect in capabilities::required_aspects(capability, is_of_kernels(work.module)) {
            join(
                &mut required,
                DeviceRequirement::Aspect(aspect),
                present_when,
                &mut work.presence.conditions,
            )?;
        }
    }
    for &(aspect, present_when) in &work.presence.declaration_uses.aspects {
        join(&mut required, DeviceRequirement::Aspect(aspect), present_when, &mut work.presence.conditions)?;
    }
    let conditions = &mut work.presence.conditions;
    for (need, when) in of_all_entry_points(analyses)? {
        let mut when = conditions.of_expr(&when)?;
        if let Some(device) = &options.device {
            when = conditions.restrict(when, &|leaf| device.truth(leaf))?;
        }
        join(&mut required, need, when, conditions)?;
    }
    Ok(Simplified::of(required, conditions, options.devices.as_ref())?)
}

/// What a module requires in which nothing is conditional.
pub fn unconditional(analyses: &Analyses, options: &Options) -> Result<Simplified, PackError> {
    let module = analyses.module();
    let mut conditions = Conditions::new();
    let mut required = BTreeMap::new();
    let of_kernels = is_of_kernels(module);
    let declared =
        declared_capabilities(module).flat_map(|number| capabilities::required_aspects(number, of_kernels));
    let said = analyses.annotated().aspects.aspects_in(module, analyses.names());
    let said = said.into_iter().flat_map(|(_, aspects)| aspects.iter().copied());
    required.extend(declared.chain(said).map(|aspect| (DeviceRequirement::Aspect(aspect), Condition::TRUE)));
    for (need, when) in of_all_entry_points(analyses)? {
        let when = conditions.of_expr(&when)?;
        join(&mut required, need, when, &mut conditions)?;
    }
    Ok(Simplified::of(required, &mut conditions, options.devices.as_ref())?)
}

/// What all entry points declare that they require, themselves or through what they call, and when; of a module without entry
/// points, all exported functions.
fn of_all_entry_points(analyses: &Analyses) -> Result<Vec<(DeviceRequirement, Expr)>, AnalysisError> {
    if analyses.declared_aspects()?.is_empty() && analyses.sizes().is_empty() {
        return Ok(Vec::new());
    }
    let mut conditions = RootRequirements::conditions(analyses)?;
    // Aspects that annotations declare do not stand in the module: they count if any root requires them, as those do that annotations
    // say are used.
    let annotated: BTreeSet<u32> =
        analyses.annotated().aspects.declared.values().flatten().copied().collect();
    let is_annotated = |need: &DeviceRequirement| matches!(need, DeviceRequirement::Aspect(aspect) if annotated.contains(aspect));
    let mut of_any = BTreeMap::new();
    let mut common: Option<BTreeMap<DeviceRequirement, Condition>> = None;
    for root in Root::all(analyses) {
        let own = RootRequirements::declared_by(analyses, root, &mut conditions)?;
        for (&need, &when) in own.iter().filter(|(need, _)| is_annotated(need)) {
            join(&mut of_any, need, when, &mut conditions)?;
        }
        common = Some(match common {
            None => own,
            Some(mut common) => {
                for (need, when) in &mut common {
                    let other = own.get(need).copied().unwrap_or(Condition::FALSE);
                    *when = conditions.and(*when, other)?;
                }
                common
            }
        });
    }
    let mut common = common.unwrap_or_default();
    for (need, when) in of_any {
        join(&mut common, need, when, &mut conditions)?;
    }
    let common = common.into_iter().filter(|(_, when)| !when.is_false());
    common.map(|(need, when)| Ok((need, conditions.expr_of(when)?))).collect()
}

/// The numbers of the capabilities that a module declares: the grammar does not have all of them.
fn declared_capabilities(module: &Module) -> impl Iterator<Item = u32> {
    module.globals().filter(|inst| inst.is(Op::Capability)).map(|inst| inst.word(1))
}

/// The capabilities that the module declares, with the gates of what needs them.
fn needed(work: &Work) -> Vec<(u32, Condition)> {
    let present_when = |number: u32| {
        let capability = Capability::from_u32(number);
        let required_when =
            capability.and_then(|capability| work.presence.declaration_uses.capability(capability));
        (number, required_when.map_or(Condition::TRUE, |required_when| required_when.present_when))
    };
    declared_capabilities(work.module).map(present_when).collect()
}

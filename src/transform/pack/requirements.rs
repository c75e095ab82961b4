//! The requirements of a packed module on a device, with their conditions.

use std::collections::BTreeSet;

use spirv::Capability;

use super::declarations::declared;
use super::{PackContext, PackError, PackOptions};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::sycl::declared_aspects::used_by_property;
use crate::analysis::{
    Analyses, AnalysisError, Aspects, DeviceRequirement, ModuleRoot, RootRequirements,
    SimplifiedRequirements, join,
};
use crate::collections::{IdMap, OrderedMap};
use crate::condition::{ConditionId, Conditions, Expr};
use crate::device::capabilities;

/// Returns the requirements of a module. These are the aspects of its declarations, since a driver without one of them rejects the whole module,
/// and the common requirements of all entry points, such as work-group sizes.
pub fn collect(
    context: &mut PackContext,
    analyses: &Analyses,
    options: &PackOptions,
) -> Result<SimplifiedRequirements, PackError> {
    let mut required = OrderedMap::new();
    for (capability, present_when) in presence_of_declared(context) {
        for aspect in capabilities::required_aspects(capability, is_of_kernels(context.module)) {
            join(
                required.entry(DeviceRequirement::Aspect(aspect)).or_insert(ConditionId::FALSE),
                present_when,
                &mut context.presence.conditions,
            )?;
        }
    }
    for &(aspect, present_when) in &context.presence.declaration_uses.aspects {
        join(
            required.entry(DeviceRequirement::Aspect(aspect)).or_insert(ConditionId::FALSE),
            present_when,
            &mut context.presence.conditions,
        )?;
    }
    let conditions = &mut context.presence.conditions;
    for (requirement, when) in of_all_entry_points(analyses)?.into_iter().chain(of_halves(analyses)?) {
        let when = conditions.of_expr(&when)?;
        let when = options.with_known(|known| conditions.restrict_for_all(when, known))?;
        join(required.entry(requirement).or_insert(ConditionId::FALSE), when, conditions)?;
    }
    Ok(SimplifiedRequirements::new(required, conditions, options.devices.as_ref())?)
}

/// Returns the requirements of a module in which nothing is conditional.
pub fn unconditional(
    analyses: &Analyses,
    options: &PackOptions,
) -> Result<SimplifiedRequirements, PackError> {
    let mut conditions = Conditions::new();
    let required = required(analyses, &mut conditions)?;
    Ok(SimplifiedRequirements::new(required, &mut conditions, options.devices.as_ref())?)
}

/// Returns the requirements of a module in which nothing is conditional, with their conditions.
pub fn required(
    analyses: &Analyses,
    conditions: &mut Conditions,
) -> Result<OrderedMap<DeviceRequirement, ConditionId>, PackError> {
    let module = analyses.module();
    let mut required = OrderedMap::new();
    let of_kernels = is_of_kernels(module);
    let declared = declared(module).flat_map(|number| capabilities::required_aspects(number, of_kernels));
    let annotated = analyses.annotated().aspects.aspects_in(module, analyses.names());
    let annotated = annotated.into_iter().flat_map(|(_, aspects)| aspects.iter().copied());
    let by_property = match analyses.properties().is_empty() {
        true => IdMap::new(),
        false => used_by_property(analyses.names(), analyses.properties()).map_err(AnalysisError::from)?,
    };
    let by_property = by_property.into_values().flatten();
    let aspects = declared.chain(annotated).chain(by_property).map(DeviceRequirement::Aspect);
    required.extend(aspects.map(|requirement| (requirement, ConditionId::TRUE)));
    for (requirement, when) in of_all_entry_points(analyses)?.into_iter().chain(of_halves(analyses)?) {
        let when = conditions.of_expr(&when)?;
        join(required.entry(requirement).or_insert(ConditionId::FALSE), when, conditions)?;
    }
    Ok(required)
}

/// Returns the requirements that all entry points declare, themselves or through their callees, with their conditions. In a module without entry
/// points, exported functions take their place.
fn of_all_entry_points(analyses: &Analyses) -> Result<Vec<(DeviceRequirement, Expr)>, AnalysisError> {
    if analyses.declared_aspects()?.is_empty() && analyses.sizes().is_empty() {
        return Ok(Vec::new());
    }
    let mut conditions = RootRequirements::conditions(analyses)?;
    // Aspects that annotations declare are not in the module: they count if any root requires them, like aspects that annotations
    // mark as used.
    let annotated: BTreeSet<u32> =
        analyses.annotated().aspects.declared.values().flatten().copied().collect();
    let is_annotated = |requirement: &DeviceRequirement| matches!(requirement, DeviceRequirement::Aspect(aspect) if annotated.contains(aspect));
    let mut of_any = OrderedMap::new();
    let mut common: Option<OrderedMap<DeviceRequirement, ConditionId>> = None;
    for root in ModuleRoot::all(analyses) {
        let declared = RootRequirements::declared_by(analyses, root, &mut conditions)?;
        for (&requirement, &when) in declared.iter().filter(|(requirement, _)| is_annotated(requirement)) {
            join(of_any.entry(requirement).or_insert(ConditionId::FALSE), when, &mut conditions)?;
        }
        common = Some(match common {
            None => declared,
            Some(mut common) => {
                for (requirement, when) in common.iter_mut() {
                    let other = declared.get(requirement).copied().unwrap_or(ConditionId::FALSE);
                    *when = conditions.and(*when, other)?;
                }
                common
            }
        });
    }
    let mut common = common.unwrap_or_default();
    for (requirement, when) in of_any {
        join(common.entry(requirement).or_insert(ConditionId::FALSE), when, &mut conditions)?;
    }
    let common = common.into_iter().filter(|(_, when)| !when.is_false());
    common.map(|(requirement, when)| Ok((requirement, conditions.expr_of(when)?))).collect()
}

/// Returns the aspects that code requires for computing with half floats, with their conditions, if the module declares
/// only half floats in memory: DPC++'s translator declares Float16Buffer and not Float16.
fn of_halves(analyses: &Analyses) -> Result<Vec<(DeviceRequirement, Expr)>, AnalysisError> {
    let module = analyses.module();
    let declares = |capability: Capability| declared(module).any(|number| number == capability as u32);
    if !declares(Capability::Float16Buffer) || declares(Capability::Float16) {
        return Ok(Vec::new());
    }
    let of_capability: BTreeSet<u32> =
        capabilities::required_aspects(Capability::Float16 as u32, is_of_kernels(module))
            .into_iter()
            .collect();
    let summaries = analyses.summaries()?;
    let mut conditions = summaries.conditions.clone();
    let mut required = OrderedMap::new();
    for root in ModuleRoot::all(analyses) {
        let used = Aspects::get(is_of_kernels(module))
            .implied_by_summary(&root.summary(summaries), &mut conditions)?;
        for (aspect, when) in used.into_iter().filter(|(aspect, _)| of_capability.contains(aspect)) {
            join(
                required.entry(DeviceRequirement::Aspect(aspect)).or_insert(ConditionId::FALSE),
                when,
                &mut conditions,
            )?;
        }
    }
    required.into_iter().map(|(requirement, when)| Ok((requirement, conditions.expr_of(when)?))).collect()
}

/// Returns the capabilities that the module declares, with their presence conditions.
fn presence_of_declared(context: &PackContext) -> Vec<(u32, ConditionId)> {
    let present_when = |number: u32| {
        let required_when = context.presence.declaration_uses.capability(number);
        (number, required_when.map_or(ConditionId::TRUE, |required_when| required_when.present_when))
    };
    declared(context.module).map(present_when).collect()
}

//! Conditions that do not imply what their code requires: a device on which such a condition holds may still not run the module.

use std::collections::BTreeSet;

use super::{PackContext, PackError, PackWarning};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Analyses, closure};
use crate::collections::OrderedMap;
use crate::condition::{ConditionId, Expr, FeatureName, Leaf};
use crate::device::api::{FeatureUse, named_features};
use crate::device::{Api, CooperativeMatrix, Device, architectures, capabilities, providers};

/// Requirements under one condition, and the leaves that promise them.
#[derive(Default)]
struct Unpromised {
    names: Vec<String>,
    leaves: Vec<Leaf>,
}

/// Warns of conditional requirements that their conditions do not imply.
pub(super) fn warn(context: &mut PackContext, analyses: &Analyses) -> Result<(), PackError> {
    let api = if is_of_kernels(context.module) { Api::OpenCl } else { Api::Vulkan };
    let always: BTreeSet<u32> = capabilities::required_by_environment(api.keyword()).collect();
    let mut unpromised: OrderedMap<ConditionId, Unpromised> = OrderedMap::new();
    let declared: Vec<(u32, ConditionId)> = context
        .summary
        .conditional_declarations
        .iter()
        .filter_map(|(name, when)| Some((capabilities::number(name)?, *when)))
        .collect();
    for &(capability, when) in &declared {
        let promises = |leaf| always.contains(&capability) || promises_capability(leaf, capability, api);
        if !is_promised(context, when, &promises)? {
            let entry = unpromised.entry(when).or_default();
            entry.names.extend(capabilities::name(capability).map(str::to_owned));
            entry.leaves.push(Leaf::Capability(capability));
        }
    }
    let features = analyses.vulkan_features()?;
    // The capability is judged instead, and was.
    let all = closure(context.module.capabilities().map(|declared| declared.capability()));
    let declares = |capability: &u32| all.contains(capability);
    for (feature, when) in features.roots.iter().flatten().filter(|(_, when)| *when != Expr::True) {
        let known = named_features().get(&feature.name);
        if known.is_some_and(|known| known.capabilities.iter().any(declares)) {
            continue;
        }
        let when = context.presence.conditions.of_expr(when)?;
        if let Some(leaf) = FeatureName::new(providers::VULKAN, &feature.name).map(Leaf::Feature)
            && !is_promised(context, when, &|leaf| promises_feature(leaf, feature))?
        {
            let entry = unpromised.entry(when).or_default();
            if !entry.leaves.contains(&leaf) {
                entry.names.push(feature.name.clone());
                entry.leaves.push(leaf);
            }
        }
    }
    for (when, Unpromised { names, leaves }) in unpromised {
        let conditions = &mut context.presence.conditions;
        let condition = conditions.expr_of(when)?;
        let all = leaves
            .into_iter()
            .fold(condition.clone(), |all, leaf| Expr::And(Box::new(all), Box::new(leaf.into())));
        let all = conditions.of_expr(&all)?;
        let wanted = conditions.expr_of(all)?;
        context.summary.warnings.push(PackWarning::NotImplied { condition, requirements: names, wanted });
    }
    Ok(())
}

/// Returns true if a condition implies a requirement. Each of some leaves promises it, or the condition holds for
/// devices without any feature, or the host decides the condition, which may know more.
fn is_promised(
    context: &mut PackContext,
    when: ConditionId,
    promises: &dyn Fn(Leaf) -> bool,
) -> Result<bool, PackError> {
    let conditions = &mut context.presence.conditions;
    let is_open = |leaf: &Leaf| {
        matches!(leaf, Leaf::Host(_) | Leaf::Constant(_) | Leaf::Target(_) | Leaf::Comparison(_))
            || matches!(leaf, Leaf::Feature(name) if name.provider() != providers::VULKAN)
    };
    if when.is_true() || when.is_false() || conditions.leaves(when).iter().any(is_open) {
        return Ok(true);
    }
    // Code for devices without features is for all that remain, like unconditional code.
    if conditions.restrict(when, &|_| Some(false))?.is_true() {
        return Ok(true);
    }
    let without = conditions.restrict(when, &|leaf| promises(leaf).then_some(false))?;
    Ok(without.is_false())
}

/// Returns true if every device for which a leaf holds supports a capability.
fn promises_capability(leaf: Leaf, capability: u32, api: Api) -> bool {
    match leaf {
        Leaf::Capability(other) => closure([other].into_iter()).contains(&capability),
        Leaf::Aspect(aspect) => {
            closure(capabilities::implied_by_aspect(aspect)).contains(&capability)
                || capabilities::required_aspects(capability, true).contains(&aspect)
        }
        Leaf::Extension(name) => {
            capabilities::extensions_of(capability).unwrap_or_default().contains(&name.as_str())
        }
        Leaf::Architecture(number) => {
            let device = architectures::by_value(number).map(|known| Device::embedded(known.name));
            let has = |device: &Device| device.for_api(api).has_capability(capability);
            !matches!(device, Some(Ok(device)) if has(&device) == Some(false))
        }
        Leaf::Feature(name) if CooperativeMatrix::parse(name.name()).is_some() => {
            closure([spirv::Capability::CooperativeMatrixKHR as u32].into_iter()).contains(&capability)
        }
        Leaf::Feature(name) => {
            named_features().get(name.name()).is_some_and(|known| known.capabilities.contains(&capability))
        }
        Leaf::Limit(_) => false,
        Leaf::Host(_) | Leaf::Constant(_) | Leaf::Target(_) | Leaf::Comparison(_) => true,
    }
}

/// Returns true if every Vulkan device for which a leaf holds has the features that a use requires.
fn promises_feature(leaf: Leaf, feature: &FeatureUse) -> bool {
    let names = || feature.ways.iter().filter_map(|way| Some(way.setting?.feature_name()));
    match leaf {
        Leaf::Feature(name) => names().any(|alternative| alternative == name.name()),
        Leaf::Capability(capability) => names().any(|alternative| {
            let known = named_features().get(&alternative);
            known.is_some_and(|known| known.capabilities.contains(&capability))
        }),
        Leaf::Aspect(aspect) => feature.follows_from_aspect(aspect),
        Leaf::Architecture(number) => {
            let device = architectures::by_value(number).map(|known| Device::embedded(known.name));
            let has = |device: &Device| device.for_api(Api::Vulkan).has_feature_of(feature);
            !matches!(device, Some(Ok(device)) if has(&device) == Some(false))
        }
        _ => false,
    }
}

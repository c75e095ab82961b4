//! Merging of the properties that a module carries with those in its file.

use std::collections::BTreeSet;
use std::fmt;

use super::{
    DEVICE_REQUIREMENTS, DeviceRequirements, PropertyError, PropertySet, PropertySets, SPECIAL_CONSTANTS,
    SpecialConstants,
};
use crate::collections::{IdMap, OrderedMap};
use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf};
use crate::device::{DeviceNames, aspects};

impl PropertySets {
    /// Returns these property sets from a file, with the properties that only the module carries. Sets of
    /// other tools are taken from the file.
    ///
    /// # Errors
    /// [`PropertyError::Disagreement`] if they contradict each other.
    pub(crate) fn joined(mut self, inside: PropertySets) -> Result<PropertySets, PropertyError> {
        for set in inside.sets {
            match self.sets.iter_mut().find(|outside| outside.name == set.name) {
                None => self.sets.push(set),
                Some(outside) if *outside == set => {}
                Some(outside) if outside.name == SPECIAL_CONSTANTS => join_constants(outside, &set)?,
                Some(outside) if outside.name == DEVICE_REQUIREMENTS => join_requirements(outside, &set)?,
                Some(_) => {}
            }
        }
        Ok(self)
    }
}

/// Merges the meanings of SpecIds, each of which stands for one leaf. Either set may have SpecIds that the
/// other does not have.
fn join_constants(outside: &mut PropertySet, inside: &PropertySet) -> Result<(), PropertyError> {
    let (mut all, other) = (SpecialConstants::from_set(outside)?, SpecialConstants::from_set(inside)?);
    let known: IdMap<Leaf> = all.leaves().collect();
    for (spec_id, leaf) in other.leaves() {
        if let Some(&beside) = known.get(&spec_id).filter(|&&beside| beside != leaf) {
            let subject = format!("the meaning of SpecId {spec_id}");
            return Err(PropertyError::Disagreement { subject, inside: name(leaf), beside: name(beside) });
        }
    }
    all.extend(other.leaves());
    let joined = all.to_set();
    outside.properties.retain(|(name, _)| joined.get(name).is_none());
    outside.properties.splice(..0, joined.properties);
    Ok(())
}

/// Merges requirements. Both sets list all of them, in any form. Unknown properties belong to other tools.
fn join_requirements(outside: &mut PropertySet, inside: &PropertySet) -> Result<(), PropertyError> {
    let (beside, inside) = (DeviceRequirements::from_set(outside)?, DeviceRequirements::from_set(inside)?);
    let disagreement = match disagreement(&inside, &beside) {
        Ok(None) => disagreement_on_targets(&inside, &beside).or(disagreement_on_condition(&inside, &beside)),
        Ok(first) => first,
        Err(error) => return Err(outside.error("condition", error.to_string())),
    };
    if let Some([subject, inside, beside]) = disagreement {
        return Err(PropertyError::Disagreement { subject, inside, beside });
    }
    for (name, property) in inside.other {
        if outside.get(&name).is_none() {
            outside.push(name, property);
        }
    }
    Ok(())
}

/// A requirement on a device.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum MergedRequirement<'r> {
    Aspect(u32),
    SubGroupSize(u32),
    WorkGroupSize(&'r [u32]),
}

impl fmt::Display for MergedRequirement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergedRequirement::Aspect(number) => write!(f, "aspect {}", aspect_name(*number)),
            MergedRequirement::SubGroupSize(size) => write!(f, "sub-group size {size}"),
            MergedRequirement::WorkGroupSize(size) => write!(f, "work-group size {size:?}"),
        }
    }
}

/// Returns the first requirement that differs, and its conditions in both sets.
fn disagreement(
    inside: &DeviceRequirements,
    beside: &DeviceRequirements,
) -> Result<Option<[String; 3]>, ConditionError> {
    let mut conditions = Conditions::new();
    let [inside, beside] = [when(inside, &mut conditions)?, when(beside, &mut conditions)?];
    for requirement in inside.keys().chain(beside.keys()) {
        let [inside, beside] =
            [&inside, &beside].map(|all| all.get(requirement).copied().unwrap_or(ConditionId::FALSE));
        if inside != beside {
            let mut text = |condition: ConditionId| -> Result<String, ConditionError> {
                Ok(match conditions.expr_of(condition)? {
                    Expr::True => "required".to_owned(),
                    Expr::False => "not required".to_owned(),
                    when => format!("required if {}", when.display(&DeviceNames)),
                })
            };
            return Ok(Some([requirement.to_string(), text(inside)?, text(beside)?]));
        }
    }
    Ok(None)
}

/// Returns the condition of each requirement.
fn when<'r>(
    required: &'r DeviceRequirements,
    conditions: &mut Conditions,
) -> Result<OrderedMap<MergedRequirement<'r>, ConditionId>, ConditionError> {
    let DeviceRequirements { aspects, sub_group_sizes, work_group_sizes, .. } = required;
    let mut parts = vec![(ConditionId::TRUE, aspects, sub_group_sizes, work_group_sizes)];
    for conditional in &required.conditional {
        let condition = conditions.of_expr(&Expr::from_series(&conditional.condition)?)?;
        parts.push((
            condition,
            &conditional.aspects,
            &conditional.sub_group_sizes,
            &conditional.work_group_sizes,
        ));
    }
    let mut when: OrderedMap<MergedRequirement, ConditionId> = OrderedMap::new();
    for (condition, aspects, sub_group_sizes, work_group_sizes) in parts {
        let all = aspects.iter().map(|&aspect| MergedRequirement::Aspect(aspect));
        let all = all.chain(sub_group_sizes.iter().map(|&size| MergedRequirement::SubGroupSize(size)));
        for requirement in
            all.chain(work_group_sizes.iter().map(|size| MergedRequirement::WorkGroupSize(size)))
        {
            let before = when.get(&requirement).copied().unwrap_or(ConditionId::FALSE);
            when.insert(requirement, conditions.or(before, condition)?);
        }
    }
    Ok(when)
}

/// Compares the targets of the code, one of which the device must be.
fn disagreement_on_targets(inside: &DeviceRequirements, beside: &DeviceRequirements) -> Option<[String; 3]> {
    let [inside, beside] = [inside, beside].map(|requirements| {
        requirements.fixed_targets.as_ref().map(|targets| targets.iter().copied().collect::<BTreeSet<u32>>())
    });
    let text = |targets: Option<BTreeSet<u32>>| match targets {
        None => "any".to_owned(),
        Some(targets) if targets.is_empty() => "none".to_owned(),
        Some(targets) => targets.into_iter().map(aspect_name).collect::<Vec<String>>().join(", "),
    };
    (inside != beside).then(|| ["the targets that the code is for".to_owned(), text(inside), text(beside)])
}

/// Compares the condition that must hold on the device.
fn disagreement_on_condition(
    inside: &DeviceRequirements,
    beside: &DeviceRequirements,
) -> Option<[String; 3]> {
    let [inside, beside] = [inside, beside].map(|requirements| {
        let expr = requirements
            .condition
            .as_ref()
            .map(|series| Expr::from_series(series).and_then(|expr| expr.canonical()));
        expr.transpose().map_or_else(
            |error| error.to_string(),
            |expr| match expr {
                Some(expr) => expr.display(&DeviceNames).to_string(),
                None => "none".to_owned(),
            },
        )
    });
    (inside != beside).then(|| ["the condition of the whole module".to_owned(), inside, beside])
}

/// Returns the name of an aspect, or of the architecture that it stands for.
fn aspect_name(number: u32) -> String {
    name(aspects::architecture_of(number).map_or(Leaf::Aspect(number), Leaf::Architecture))
}

fn name(leaf: Leaf) -> String {
    Expr::Leaf(leaf).display(&DeviceNames).to_string()
}

#[cfg(test)]
mod tests;

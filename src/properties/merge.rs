//! What a module carries of its properties, and what is beside it.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    DEVICE_REQUIREMENTS, DeviceRequirements, PropertyError, PropertySet, PropertySets, SPECIAL_CONSTANTS,
    SpecialConstants,
};
use crate::condition::{Condition, ConditionError, Conditions, Expr, Leaf};
use crate::device::{Tables, aspects};

impl PropertySets {
    /// These, which are beside a module, with what it carries and they do not say. Of the sets of other tools, those beside the module
    /// count.
    ///
    /// # Errors
    /// [`PropertyError::Disagreement`] where both cannot be true.
    pub(crate) fn joined(mut self, inside: PropertySets) -> Result<PropertySets, PropertyError> {
        for set in inside.sets {
            match self.sets.iter_mut().find(|own| own.name == set.name) {
                None => self.sets.push(set),
                Some(own) if *own == set => {}
                Some(own) if own.name == SPECIAL_CONSTANTS => join_constants(own, &set)?,
                Some(own) if own.name == DEVICE_REQUIREMENTS => join_requirements(own, &set)?,
                Some(_) => {}
            }
        }
        Ok(self)
    }
}

/// A SpecId stands for one thing; either may say of one what the other does not know.
fn join_constants(own: &mut PropertySet, inside: &PropertySet) -> Result<(), PropertyError> {
    let (mut all, other) = (SpecialConstants::from_set(own)?, SpecialConstants::from_set(inside)?);
    let known: BTreeMap<u32, Leaf> = all.leaves().collect();
    for (spec_id, leaf) in other.leaves() {
        if let Some(&beside) = known.get(&spec_id).filter(|&&beside| beside != leaf) {
            let subject = format!("what SpecId {spec_id} stands for");
            return Err(PropertyError::Disagreement { subject, inside: name(leaf), beside: name(beside) });
        }
    }
    for (list, other) in [
        (&mut all.aspects, other.aspects),
        (&mut all.architectures, other.architectures),
        (&mut all.capabilities, other.capabilities),
    ] {
        list.extend(other.into_iter().filter(|(spec_id, _)| !known.contains_key(spec_id)));
    }
    let joined = all.to_set();
    own.properties.retain(|(name, _)| joined.get(name).is_none());
    own.properties.splice(..0, joined.properties);
    Ok(())
}

/// Both say all that is required, however they write it. Properties that we do not know are other tools'.
fn join_requirements(own: &mut PropertySet, inside: &PropertySet) -> Result<(), PropertyError> {
    let (beside, carried) = (DeviceRequirements::from_set(own)?, DeviceRequirements::from_set(inside)?);
    agree_on_aspects(&carried, &beside)
        .map_err(|error| own.error("conditional-aspects", error.to_string()))??;
    let sorted = |numbers: &[u32]| -> BTreeSet<u32> { numbers.iter().copied().collect() };
    let list = |names: Vec<String>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    agree(
        "required sub-group sizes",
        (&carried, &beside),
        |required| sorted(&required.sub_group_sizes),
        |required| list(required.sub_group_sizes.iter().map(u32::to_string).collect()),
    )?;
    agree(
        "required work-group sizes",
        (&carried, &beside),
        |required| required.work_group_sizes.iter().cloned().collect::<BTreeSet<Vec<u32>>>(),
        |required| list(required.work_group_sizes.iter().map(|size| format!("{size:?}")).collect()),
    )?;
    agree(
        "the targets that the code is for",
        (&carried, &beside),
        |required| required.fixed_targets.as_deref().map(sorted),
        |required| match &required.fixed_targets {
            None => "any".to_owned(),
            Some(targets) => list(targets.iter().map(|&target| aspect_name(target)).collect()),
        },
    )?;
    for (name, property) in carried.other {
        if own.get(&name).is_none() {
            own.push(name, property);
        }
    }
    Ok(())
}

/// What two say of one thing must be the same.
fn agree<T: PartialEq>(
    subject: &str,
    (inside, beside): (&DeviceRequirements, &DeviceRequirements),
    value: impl Fn(&DeviceRequirements) -> T,
    text: impl Fn(&DeviceRequirements) -> String,
) -> Result<(), PropertyError> {
    if value(inside) == value(beside) {
        return Ok(());
    }
    Err(PropertyError::Disagreement {
        subject: subject.to_owned(),
        inside: text(inside),
        beside: text(beside),
    })
}

/// Each aspect must be required on the same devices.
fn agree_on_aspects(
    inside: &DeviceRequirements,
    beside: &DeviceRequirements,
) -> Result<Result<(), PropertyError>, ConditionError> {
    let mut conditions = Conditions::new();
    let [inside, beside] = [when(inside, &mut conditions)?, when(beside, &mut conditions)?];
    for &aspect in inside.keys().chain(beside.keys()) {
        let of = |all: &BTreeMap<u32, Condition>| all.get(&aspect).copied().unwrap_or(Condition::FALSE);
        let (inside, beside) = (of(&inside), of(&beside));
        if inside != beside {
            let mut text = |condition: Condition| -> Result<String, ConditionError> {
                Ok(match conditions.to_expr(condition)? {
                    Expr::True => "required".to_owned(),
                    Expr::False => "not required".to_owned(),
                    when => format!("required if {}", when.display(&Tables)),
                })
            };
            return Ok(Err(PropertyError::Disagreement {
                subject: format!("aspect {}", aspect_name(aspect)),
                inside: text(inside)?,
                beside: text(beside)?,
            }));
        }
    }
    Ok(Ok(()))
}

/// When each aspect is required.
fn when(
    required: &DeviceRequirements,
    conditions: &mut Conditions,
) -> Result<BTreeMap<u32, Condition>, ConditionError> {
    let mut when: BTreeMap<u32, Condition> = BTreeMap::new();
    for conditional in &required.conditional {
        let condition = conditions.from_expr(&Expr::from_series(&conditional.condition)?)?;
        for &aspect in &conditional.aspects {
            let before = when.get(&aspect).copied().unwrap_or(Condition::FALSE);
            when.insert(aspect, conditions.or(before, condition)?);
        }
    }
    when.extend(required.aspects.iter().map(|&aspect| (aspect, Condition::TRUE)));
    Ok(when)
}

/// The name of an aspect, or of the architecture that it stands for.
fn aspect_name(number: u32) -> String {
    name(aspects::architecture_of(number).map_or(Leaf::Aspect(number), Leaf::Architecture))
}

fn name(leaf: Leaf) -> String {
    Expr::Leaf(leaf).display(&Tables).to_string()
}

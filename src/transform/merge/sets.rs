//! Sets of variants, each stored once.

use std::collections::HashMap;

use crate::condition::{ConditionError, ConditionId, Conditions};

/// The number of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SetId(u32);

/// Sets of variants.
pub(super) struct VariantSets {
    /// Members of each set, in ascending order.
    sets: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, SetId>,
    /// The sets that adding a variant made of others, of the variant that was added last.
    grown: HashMap<SetId, SetId>,
    added: u32,
}

impl VariantSets {
    /// Creates the empty set alone.
    pub fn new() -> VariantSets {
        let (sets, numbers) = (vec![Vec::new()], HashMap::from([(Vec::new(), VariantSets::EMPTY)]));
        VariantSets { sets, numbers, grown: HashMap::new(), added: 0 }
    }

    /// The set without members.
    pub const EMPTY: SetId = SetId(0);

    /// Returns a set with one more variant.
    pub fn with(&mut self, set: SetId, variant: u32) -> SetId {
        if self.added != variant {
            self.grown.clear();
            self.added = variant;
        }
        if let Some(&grown) = self.grown.get(&set) {
            return grown;
        }
        let mut members = self.sets[set.0 as usize].clone();
        if let Err(at) = members.binary_search(&variant) {
            members.insert(at, variant);
        }
        let grown = self.set_id(members);
        self.grown.insert(set, grown);
        grown
    }

    /// Returns the set of these variants, which are in ascending order.
    pub fn set_id(&mut self, members: Vec<u32>) -> SetId {
        if let Some(&set) = self.numbers.get(&members) {
            return set;
        }
        let set = SetId(self.sets.len() as u32);
        self.sets.push(members.clone());
        self.numbers.insert(members, set);
        set
    }

    /// Returns the members of a set, in ascending order.
    pub fn members(&self, set: SetId) -> &[u32] {
        &self.sets[set.0 as usize]
    }

    /// Returns true if a variant is in a set.
    pub fn contains(&self, set: SetId, variant: u32) -> bool {
        self.members(set).binary_search(&variant).is_ok()
    }

    /// Returns the condition under which a variant of a set is chosen. Each variant is chosen under its own, and one of them on every device
    /// that can run any.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn condition(
        &self,
        set: SetId,
        of_variants: &[ConditionId],
        conditions: &mut Conditions,
    ) -> Result<ConditionId, ConditionError> {
        let members = self.members(set);
        if members.len() == of_variants.len() {
            return Ok(ConditionId::TRUE);
        }
        let (inside, outside): (Vec<_>, Vec<_>) =
            (0..).zip(of_variants).partition(|(variant, _)| members.binary_search(variant).is_ok());
        let any = |of: Vec<(u32, &ConditionId)>, conditions: &mut Conditions| {
            conditions.any(&of.into_iter().map(|(_, &condition)| condition).collect::<Vec<_>>())
        };
        if inside.len() <= outside.len() {
            return any(inside, conditions);
        }
        // No two variants are chosen on one device.
        let others = any(outside, conditions)?;
        let not_others = conditions.not(others)?;
        let all = conditions.any(of_variants)?;
        conditions.and(all, not_others)
    }
}

//! Conditions in terms of devices: the constants of a multi-target module are replaced by their meaning.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::{Serialize, Serializer};

use crate::analysis::conditional::existing_conditions::ExistingConditions;
use crate::analysis::conditions::device_constants::condition_of_constant;
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::constants::find_spec_constants;
use crate::collections::IdMap;
use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf};
use crate::device::DeviceNames;
use crate::loader::{Module, views};
use crate::metadata::property_sets::SpecialConstants;

/// A condition, in canonical form; shown and serialized as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReadableCondition {
    /// The expression. Specialization constants without a known meaning are leaves of it.
    pub expr: Expr,
    text: String,
}

impl ReadableCondition {
    /// Returns true if it depends on a specialization constant without a known meaning.
    pub fn depends_on_constants(&self) -> bool {
        self.expr.leaves().into_iter().any(|leaf| matches!(leaf, Leaf::Constant(_)))
    }
}

impl fmt::Display for ReadableCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Serialize for ReadableCondition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// Writes the conditions of one module as text, each once.
pub struct ReadableConditions<'m> {
    module: &'m Module<'m>,
    /// The conditions of constants with a known meaning, and of those computed from them.
    meanings: ExistingConditions,
    /// The SpecId of each constant.
    spec_ids: BTreeMap<u32, u32>,
    known: HashMap<ConditionId, ReadableCondition>,
}

impl<'m> ReadableConditions<'m> {
    /// Reads the meaning of a module's constants from its instructions and its property sets.
    pub fn new(
        module: &'m Module<'m>,
        multi_target: &MultiTarget,
        special: &SpecialConstants,
        conditions: &mut Conditions,
    ) -> Result<ReadableConditions<'m>, ConditionError> {
        let mut leaves = BTreeMap::new();
        for (spec_id, leaf) in special.leaves() {
            leaves.entry(spec_id).or_insert(leaf);
        }
        let mut meanings: IdMap<Expr> = IdMap::new();
        let mut spec_ids = BTreeMap::new();
        for constant in find_spec_constants(module) {
            spec_ids.insert(constant.id, constant.spec_id);
            if let Some(&leaf) = leaves.get(&constant.spec_id) {
                meanings.insert(constant.id, Expr::Leaf(leaf));
            }
        }
        for &offset in &multi_target.device_constants {
            let inst = module.instruction(offset);
            if let Some(meaning) = condition_of_constant(inst) {
                meanings.insert(views::Value(inst).id(), meaning);
            }
        }
        let meanings = meanings.iter().map(|(&id, meaning)| (id, meaning));
        let meanings = ExistingConditions::new(meanings, conditions)?;
        Ok(ReadableConditions { module, meanings, spec_ids, known: HashMap::new() })
    }

    /// Returns the condition for reports; `None` for one that always holds.
    pub fn when(
        &mut self,
        condition: ConditionId,
        conditions: &mut Conditions,
    ) -> Result<Option<ReadableCondition>, ConditionError> {
        if condition.is_true() {
            return Ok(None);
        }
        if let Some(known) = self.known.get(&condition) {
            return Ok(Some(known.clone()));
        }
        let mut meanings = IdMap::new();
        for leaf in conditions.leaves(condition) {
            if let Leaf::Constant(id) = leaf {
                meanings.insert(id, self.meanings.condition(self.module, id, conditions)?);
            }
        }
        let named = conditions.replace_constants(condition, &meanings)?;
        let expr = conditions.expr_of(named)?;
        let when = ReadableCondition { text: self.text(&expr), expr };
        self.known.insert(condition, when.clone());
        Ok(Some(when))
    }

    fn text(&self, expr: &Expr) -> String {
        let text = expr.display(&DeviceNames).to_string();
        // The text form names constants by id, which means nothing outside of the module.
        expr.leaves().into_iter().fold(text, |text, leaf| match leaf {
            Leaf::Constant(id) => match self.spec_ids.get(&id) {
                Some(spec_id) => text.replace(&format!("constant(%{id})"), &format!("SpecId({spec_id})")),
                None => text,
            },
            _ => text,
        })
    }
}

//! Guarded blocks: which parts of functions run only where specialization constants have certain values.

use std::collections::BTreeMap;
use std::ops::Range;

use super::annotated::Annotated;
use super::constants::{SpecId, find_spec_ids};
use super::error::AnalysisError;
use super::names::Names;
use crate::condition::Expr;
use crate::loader::Module;

/// Instructions that matter only where a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guarded {
    /// Where they stand, in words.
    pub range: Range<u32>,
    /// The condition, which is not true.
    pub condition: Expr,
}

/// A specialization constant of which it is known what it stands for: its value is 1 where that holds, else 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tied {
    /// Its SpecId.
    pub spec_id: u32,
    /// Where the SpecId decoration stands, in words.
    pub decoration: u32,
    /// What it stands for.
    pub condition: Expr,
}

/// The guarded blocks of a module.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    /// By id: the specialization constants of which it is known what they stand for.
    pub constants: BTreeMap<u32, Tied>,
    /// By index of the function: its guarded parts, in their order.
    functions: BTreeMap<usize, Vec<Guarded>>,
}

impl Guards {
    /// The constants of a module of which annotations say what they stand for.
    pub(super) fn constants(module: &Module, annotated: &Annotated) -> Guards {
        let mut guards = Guards::default();
        if !annotated.spec_constants.is_empty() {
            for SpecId { id, spec_id, decoration } in find_spec_ids(module) {
                if let (Some(condition), Some(decoration)) =
                    (annotated.spec_constants.get(&spec_id), decoration)
                {
                    guards.constants.insert(id, Tied { spec_id, decoration, condition: condition.clone() });
                }
            }
        }
        guards
    }

    /// Finds the blocks that the constants guard.
    pub(super) fn find(&mut self, _module: &Module, _names: &Names) -> Result<(), AnalysisError> {
        Ok(())
    }

    /// Whether no block is guarded.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The guarded parts of a function, by its index.
    pub fn of(&self, function: usize) -> &[Guarded] {
        self.functions.get(&function).map_or(&[], Vec::as_slice)
    }
}

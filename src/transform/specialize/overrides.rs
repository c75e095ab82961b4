//! Settings for constants of packed modules that are computed from conditions: `pack` binds them, and keeps their
//! names.
//!
//! A setting takes precedence over the conditions. It makes an ordinary specialization constant of the computed one, which then has the value that was
//! set, and so have all conditions that are written by it.

use spirv::{Decoration, Op};

use super::{ConstantKey, ConstantSetting, KeyedSetting};
use crate::analysis::Analyses;
use crate::loader::{Instruction, Module, views};
use crate::transform::insertion::InsertionPoints;
use crate::transform::spec_ids::SpecIds;
use crate::transform::{Edits, NewInstruction};

/// Returns edits that make specialization constants of the computed constants that settings override, and the settings for the result. `None` if no setting is
/// for such a constant.
pub fn override_constants(
    analyses: &Analyses,
    settings: &[KeyedSetting],
) -> Option<(Edits, Vec<KeyedSetting>)> {
    let module = analyses.module();
    let (mut edits, mut spec_ids) = (Edits::new(module), SpecIds::from_module(module));
    let mut all = settings.to_vec();
    let mut decorations = Vec::new();
    for setting in &mut all {
        let Some(computed) = overridden(analyses, setting) else { continue };
        let Some(spec_id) = spec_ids.fresh() else { continue };
        edits.replace(&computed, &as_spec_constant(module, &computed));
        let operands = vec![computed.result_id().unwrap_or(0), Decoration::SpecId as u32, spec_id];
        NewInstruction::new(Op::Decorate, None, None, operands).write(&mut decorations);
        setting.constant = ConstantKey::SpecId(spec_id);
    }
    if decorations.is_empty() {
        return None;
    }
    edits.insert_words(InsertionPoints::find(module).annotations, &decorations);
    Some((edits, all))
}

/// Returns the computed constant that a setting overrides.
pub fn overridden<'m>(analyses: &Analyses<'m>, setting: &KeyedSetting) -> Option<Instruction<'m>> {
    let (ConstantKey::Name(name), ConstantSetting::Set(_)) = (&setting.constant, &setting.treatment) else {
        return None;
    };
    let module = analyses.module();
    // No specialization constant has the name as well.
    let is_named = |named: &views::Name| named.name() == *name;
    let mut named = module.names().filter(is_named).map(|named| named.target());
    let only = named.next().filter(|_| named.next().is_none())?;
    module.definition_as(only, Op::SpecConstantOp).filter(|computed| is_bound(module, computed))
}

/// Returns true for a constant as `pack` computes it: a condition, or 1 where one holds and 0 elsewhere.
fn is_bound(module: &Module, computed: &Instruction) -> bool {
    let number = |id: &u32| module.constant(*id).map(|constant| constant.bits());
    match computed.words_from(3) {
        [op, left, right] if *op == Op::LogicalOr as u32 => left == right,
        [op, _, on, off] if *op == Op::Select as u32 => (number(on), number(off)) == (Some(1), Some(0)),
        _ => false,
    }
}

/// Returns a specialization constant with the id and the type of a computed one.
fn as_spec_constant(module: &Module, computed: &Instruction) -> NewInstruction {
    let (type_id, id) = (computed.result_type(), computed.result_id());
    match computed.words_from(3) {
        // That of the integer 0 has as many words.
        [_, _, _, off] => {
            let zero = module.definition(*off).map_or(vec![0], |zero| zero.words_from(3).to_vec());
            NewInstruction::new(Op::SpecConstant, type_id, id, zero)
        }
        _ => NewInstruction::new(Op::SpecConstantFalse, type_id, id, Vec::new()),
    }
}

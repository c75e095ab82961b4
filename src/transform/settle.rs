//! Actions whose calls are decided.

use spirv::FunctionControl;

use super::Edits;
use crate::analysis::OwnAction;
use crate::loader::{Module, views};

/// Makes an ordinary function of a conditional caller that is its own action, once all its calls are decided. Removes its export, and the function
/// controls by which the headers prevent inlining (docs/design/device-if.md, "New IR pass").
pub fn settle(module: &Module, action: &OwnAction, edits: &mut Edits) {
    if let Some(inst) = module.definition(action.function).and_then(views::Function::new) {
        allow_inlining(inst, edits);
    }
    if let Some(export) = action.export {
        edits.drop(&module.instruction(export.get()));
    }
}

/// Removes DontInline and OptNone from a function.
pub fn allow_inlining(inst: views::Function, edits: &mut Edits) {
    remove_controls(inst, FunctionControl::DONT_INLINE | FunctionControl::OPT_NONE_EXT, edits);
}

/// Removes OptNone from a conditional caller, whose calls are conditional without it once the module is packed.
pub fn allow_optimizing(inst: views::Function, edits: &mut Edits) {
    remove_controls(inst, FunctionControl::OPT_NONE_EXT, edits);
}

fn remove_controls(inst: views::Function, removed: FunctionControl, edits: &mut Edits) {
    let control = FunctionControl::from_bits_retain(inst.control());
    let rest = control.difference(removed);
    if rest != control {
        let words: Vec<u32> = [&inst.words()[..3], &[rest.bits()], inst.words_from(4)].concat();
        edits.replace_words(&inst, &words);
    }
}

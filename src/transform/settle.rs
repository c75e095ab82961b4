//! Actions whose calls are decided.

use spirv::FunctionControl;

use super::removal::count_words;
use super::{Edits, NewInstruction};
use crate::analysis::OwnAction;
use crate::analysis::conditions::names::ON_DEVICE_CONDITIONALLY;
use crate::analysis::sycl::properties;
use crate::loader::{Module, literal, views};

/// The maximum number of words of an instruction.
const MAX_WORDS: usize = 0xffff;

/// Makes an ordinary function of a conditional caller that is its own action, once all its calls are decided. Neither its names nor a property make
/// calls of it conditional again. Removes its export, and the function controls by which the headers prevent inlining
/// (docs/design/device-if.md, "New IR pass").
pub fn settle(module: &Module, action: &OwnAction, edits: &mut Edits) {
    for (offset, name) in &action.names {
        edits.replace(&module.instruction(*offset), &NewInstruction::name(action.function, name));
    }
    if let Some(export) = action.export {
        edits.drop(&module.instruction(export.get()));
    }
    make_ordinary(module, action, edits);
}

/// Removes DontInline and OptNone from a conditional caller that is its own action, and the property that makes it one.
pub fn make_ordinary(module: &Module, action: &OwnAction, edits: &mut Edits) {
    action.properties.iter().for_each(|&offset| unset_caller(module, offset, edits));
    if let Some(inst) = module.definition(action.function).and_then(views::Function::new) {
        remove_controls(inst, FunctionControl::DONT_INLINE | FunctionControl::OPT_NONE_EXT, edits);
    }
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

/// Sets the property of conditional callers to false in a decoration with properties.
fn unset_caller(module: &Module, offset: u32, edits: &mut Edits) {
    let inst = module.instruction(offset);
    // A property in annotations has no decoration.
    if !properties::is_list(&inst) {
        return;
    }
    let text = views::Decoration(inst).text();
    let mut list = properties::parse(text.strip_prefix(properties::PREFIX).unwrap_or_default());
    let callers = list.iter_mut().filter(|property| property.name == ON_DEVICE_CONDITIONALLY);
    callers.for_each(|property| property.values = vec!["false".to_owned()]);
    let mut words = inst.words()[..3].to_vec();
    words.extend(literal(&properties::to_text(&list)));
    if words.len() <= MAX_WORDS {
        count_words(&mut words);
        edits.replace_words(&inst, &words);
    }
}

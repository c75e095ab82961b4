//! Common properties of modules: some must be equal, the result has the union of the others.

use spirv::{AddressingModel, Capability, MemoryModel, Op};
use thiserror::Error;

use crate::loader::Module;

/// Two modules with different addressing models or memory models, which cannot be joined.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{first} has {first_model}, but {second} has {second_model}: compile both for the same memory model and the same size of \
     pointers"
)]
pub struct DifferentMemoryModels {
    /// The first module.
    pub first: String,
    /// OpMemoryModel of the first module, in words.
    pub first_model: String,
    /// A module that differs.
    pub second: String,
    /// OpMemoryModel of the second module.
    pub second_model: String,
}

/// A module with its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedModule<'m> {
    /// Name in messages, such as its path.
    pub name: &'m str,
    /// The module.
    pub module: &'m Module<'m>,
}

/// Checks that all modules have one memory model.
///
/// # Errors
/// If one differs from that before it.
pub fn check_memory_models<'m>(
    modules: impl IntoIterator<Item = NamedModule<'m>>,
) -> Result<(), DifferentMemoryModels> {
    let mut modules = modules.into_iter();
    let Some(mut first) = modules.next() else { return Ok(()) };
    let first_model = display_memory_model(first.module);
    for second in modules {
        let second_model = display_memory_model(second.module);
        if second_model != first_model {
            let (first, second) = (first.name.to_owned(), second.name.to_owned());
            return Err(DifferentMemoryModels { first, first_model, second, second_model });
        }
        first = second;
    }
    Ok(())
}

/// Returns the memory model of a module as text.
fn display_memory_model(module: &Module) -> String {
    let Some(model) = module.memory_model() else { return "no OpMemoryModel".to_string() };
    let (addressing, memory) = (model.addressing_model(), model.memory_model());
    let addressing = AddressingModel::from_u32(addressing)
        .map_or(addressing.to_string(), |addressing| format!("{addressing:?}"));
    let memory = MemoryModel::from_u32(memory).map_or(memory.to_string(), |memory| format!("{memory:?}"));
    format!("OpMemoryModel {addressing} {memory}")
}

/// Returns true if a module declares or has conditional code (SPV_INTEL_function_variants).
pub fn is_multi_target(module: &Module) -> bool {
    const CAPABILITIES: [u32; 2] =
        [Capability::SpecConditionalINTEL as u32, Capability::FunctionVariantsINTEL as u32];
    module.head().any(|inst| match inst.op() {
        Some(Op::Capability) => CAPABILITIES.contains(&inst.word(1)),
        Some(
            Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL | Op::ConditionalEntryPointINTEL,
        ) => true,
        _ => false,
    })
}

/// Returns the latest version of modules, as a word of a header, and the number of the first module that has it.
pub fn latest<'m>(modules: impl Iterator<Item = &'m Module<'m>>) -> (u32, usize) {
    let versions = (0..).zip(modules).map(|(at, module)| (module.version_word(), at));
    versions.max_by_key(|&(version, at)| (version, std::cmp::Reverse(at))).unwrap_or_default()
}

/// Returns the tool that wrote all modules, as a word of a header; 0 if several tools wrote them.
pub fn common_generator<'m>(modules: impl Iterator<Item = &'m Module<'m>>) -> u32 {
    let mut generators = modules.map(Module::generator);
    let first = generators.next().unwrap_or_default();
    if generators.all(|other| other == first) { first } else { 0 }
}

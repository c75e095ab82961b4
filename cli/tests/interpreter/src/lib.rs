//! An interpreter of SPIR-V: runs one invocation of an entry point on given inputs.
//!
//! It checks the library's handling of values independently, so it shares no code with it. It reads words with the grammar of rspirv alone, and
//! keeps every value as a tree. Composites are nested, and pointers are a variable with the path to a part of it. So only buffers have a layout in
//! memory.
//!
//! A program ends at undefined behaviour, or at an unsupported instruction: its results must not be compared.

mod arithmetic;
mod floats;
mod globals;
mod glsl;
mod instructions;
mod layout;
mod machine;
mod memory;
mod program;
mod values;

use std::collections::BTreeMap;

use machine::Invocation;
use program::RunnableModule;

/// The reason why a run has no results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The interpreter does not know something of the program, or the program takes too many steps.
    Unsupported(String),
    /// The program does something undefined.
    Undefined(String),
}

/// The result of a step, or the reason why there is none.
pub type Interpreted<T> = std::result::Result<T, RunError>;

/// Returns the error of something that is not interpreted.
fn unsupported<T>(what: impl Into<String>) -> Interpreted<T> {
    Err(RunError::Unsupported(what.into()))
}

/// Returns the error of something undefined.
fn undefined<T>(what: impl Into<String>) -> Interpreted<T> {
    Err(RunError::Undefined(what.into()))
}

/// A part of a program's interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InterfaceSlot {
    /// A buffer, by descriptor set and binding.
    Buffer(u32, u32),
    /// The push constants.
    PushConstants,
    /// An input, by location and component.
    Input(u32, u32),
    /// An output, by location and component.
    Output(u32, u32),
    /// A built-in output.
    BuiltIn(u32),
    /// An argument of a kernel or an exported function. A pointer's is the buffer that it points to.
    Argument(u32),
    /// The number that an exported function returns.
    Returned,
}

/// Inputs of a run.
#[derive(Clone, Debug, Default)]
pub struct RunInputs {
    /// The bytes of buffers, inputs and arguments. Every slot that [`slots`] lists must have some.
    pub bytes: BTreeMap<InterfaceSlot, Vec<u8>>,
    /// Bits of the values of specialization constants, by SpecId; a Boolean is true if they are not 0. Other constants have their defaults.
    pub constants: BTreeMap<u32, u64>,
    /// The number of instructions after which a run ends.
    pub max_steps: usize,
}

/// Bytes after a run, by slot. A byte is missing where the program stores an undefined value.
pub type RunResults = BTreeMap<InterfaceSlot, Vec<Option<u8>>>;

/// Returns true if results may replace others: they are equal as far as the others are defined. A slot that is missing has not changed.
pub fn may_replace(inputs: &RunInputs, original: &RunResults, result: &RunResults) -> bool {
    let slots = original.keys().chain(result.keys());
    slots.into_iter().all(|slot| {
        let unchanged: Vec<Option<u8>> =
            inputs.bytes.get(slot).into_iter().flatten().copied().map(Some).collect();
        let (before, after) =
            (original.get(slot).unwrap_or(&unchanged), result.get(slot).unwrap_or(&unchanged));
        before.iter().enumerate().all(|(at, byte)| byte.is_none() || after.get(at) == Some(byte))
    })
}

/// Returns the names of the entry points and exported functions of a module.
pub fn entry_points(words: &[u32]) -> Interpreted<Vec<String>> {
    let program = RunnableModule::read(words)?;
    Ok(program.entry_points.into_iter().map(|entry_point| entry_point.name).collect())
}

/// Returns the interface of a module after one invocation of an entry point.
pub fn run(words: &[u32], entry_point: &str, inputs: &RunInputs) -> Interpreted<RunResults> {
    Invocation::new(&RunnableModule::read(words)?, inputs)?.run(entry_point)
}

/// Returns the slots that an entry point reads or changes, with sizes in bytes. An array without a length is as long as `elements`.
pub fn slots(
    words: &[u32],
    entry_point: &str,
    inputs: &RunInputs,
    elements: usize,
) -> Interpreted<Vec<(InterfaceSlot, usize)>> {
    Invocation::new(&RunnableModule::read(words)?, inputs)?.slots(entry_point, elements)
}

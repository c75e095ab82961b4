//! Instructions for which invocations wait for others, or read their values (`spec-extensions/waiting-instructions.csv`).

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::analysis::calls::DirectCalls;
use crate::loader::{Instruction, Module, grammar, views};
use crate::text::csv;

/// The opcodes of the table.
static WAITING: LazyLock<HashSet<u16>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../../spec-extensions/waiting-instructions.csv"));
    let opcode = |[number, ..]: [&'static str; 3]| u16::try_from(csv::number(number)?).ok();
    rows.filter_map(opcode).collect()
});

/// The functions in which invocations wait for others.
pub struct WaitingInstructions {
    /// The offset of the first such instruction of each function, in the function itself or in a callee.
    functions: Vec<Option<u32>>,
}

impl WaitingInstructions {
    /// Reads a module.
    pub fn new(module: &Module, calls: &DirectCalls) -> WaitingInstructions {
        let mut waiting = WaitingInstructions { functions: vec![None; module.functions().len()] };
        for at in calls.callees_first() {
            let function = &module.functions()[at];
            waiting.functions[at] = module.body(function).find_map(|inst| waiting.place(module, &inst));
        }
        waiting
    }

    /// Returns the offset of an instruction that makes invocations wait: this one, or one in the function that it
    /// calls.
    fn place(&self, module: &Module, inst: &Instruction) -> Option<u32> {
        match views::FunctionCall::new(*inst) {
            Some(call) => {
                let callee = module.function_index(call.callee())?;
                // Nothing is known of a function that is defined elsewhere.
                match module.is_declaration(&module.functions()[callee]) {
                    true => Some(inst.offset()),
                    false => self.functions[callee],
                }
            }
            None => WAITING.contains(&inst.opcode()).then(|| inst.offset()),
        }
    }

    /// Returns the offset of the first such instruction from one offset to another.
    pub fn first_within(&self, module: &Module, start: u32, end: u32) -> Option<u32> {
        module.range(start, end).find_map(|inst| self.place(module, &inst))
    }
}

/// Returns the name of the instruction at an offset.
pub fn name(module: &Module, offset: u32) -> String {
    grammar::opcode_name(module.instruction(offset).opcode())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_name_their_opcodes() {
        let text = include_str!("../../../spec-extensions/waiting-instructions.csv");
        let rows: Vec<[&str; 3]> = csv::rows(text).collect();
        for [number, instruction, why] in &rows {
            let opcode = number.parse().unwrap();
            let name = grammar::opcode_name(opcode);
            assert_eq!(name, *instruction, "{number}");
            assert!(!why.is_empty(), "{instruction}");
        }
        assert_eq!(WAITING.len(), rows.len());
    }
}

//! Variables, as long as they live.

use std::collections::HashMap;

use super::values::{Pointer, ValueTree};
use super::{Interpreted, undefined};

#[derive(Default)]
pub struct VariableMemory {
    variables: HashMap<u64, ValueTree>,
    /// The number of variables so far. None has the number of an earlier one, so that no pointer leads to another variable.
    count: u64,
}

impl VariableMemory {
    /// Creates a variable with a value.
    pub fn allocate(&mut self, value: ValueTree) -> Pointer {
        self.count += 1;
        self.variables.insert(self.count, value);
        Pointer { variable: self.count, path: Vec::new() }
    }

    /// Ends the life of a variable.
    pub fn release(&mut self, variable: u64) {
        self.variables.remove(&variable);
    }

    pub fn load(&mut self, pointer: &Pointer) -> Interpreted<ValueTree> {
        self.part(pointer).map(|value| value.clone())
    }

    pub fn store(&mut self, pointer: &Pointer, value: ValueTree) -> Interpreted<()> {
        *self.part(pointer)? = value;
        Ok(())
    }

    fn part(&mut self, pointer: &Pointer) -> Interpreted<&mut ValueTree> {
        let Some(mut value) = self.variables.get_mut(&pointer.variable) else {
            return undefined("an access to a variable after its life");
        };
        for &index in &pointer.path {
            value = match (value, usize::try_from(index)) {
                (ValueTree::Composite(parts), Ok(index)) if index < parts.len() => &mut parts[index],
                _ => return undefined("an access outside of a variable"),
            };
        }
        Ok(value)
    }
}

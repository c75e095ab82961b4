//! Entry points of a result, and instructions that it has once.

use std::collections::HashMap;

use spirv::Op;

/// Entry point of a result.
pub struct ResultEntryPoint {
    /// The execution model.
    pub model: u32,
    /// The words of the name.
    pub name: Vec<u32>,
    /// The function, by its id in the result.
    pub function: u32,
    /// The interface list, as ids of the result.
    pub interface: Vec<u32>,
}

impl ResultEntryPoint {
    /// Writes the entry point, under a condition if it has one.
    pub fn write(&self, condition: Option<u32>, words: &mut Vec<u32>) {
        let op = if condition.is_some() { Op::ConditionalEntryPointINTEL } else { Op::EntryPoint };
        let start = words.len();
        words.push(op as u32);
        words.extend(condition);
        words.extend([self.model, self.function]);
        words.extend_from_slice(&self.name);
        words.extend_from_slice(&self.interface);
        words[start] |= ((words.len() - start) as u32) << 16;
    }
}

/// Numbers of equal instructions of several modules. The result has each as often as the module that repeats it most.
#[derive(Default)]
pub struct DistinctInstructions {
    /// Number of an instruction for its words and the number of repetitions before it.
    numbers: HashMap<(Vec<u32>, u32), usize>,
    /// Repetitions of words in the current module.
    repetitions: HashMap<Vec<u32>, u32>,
}

impl DistinctInstructions {
    /// Begins another module.
    pub fn begin_module(&mut self) {
        self.repetitions.clear();
    }

    /// Returns the number of an instruction with the ids of the result, and true if no other module has it.
    pub fn add(&mut self, words: &[u32]) -> (usize, bool) {
        let repetitions = self.repetitions.entry(words.to_vec()).or_default();
        let key = (words.to_vec(), *repetitions);
        *repetitions += 1;
        let count = self.numbers.len();
        let number = *self.numbers.entry(key).or_insert(count);
        (number, number == count)
    }
}

//! Instructions that transforms write.

use spirv::Op;

use crate::loader::literal;

/// An instruction that is not in the module yet.
#[derive(Clone, Debug)]
pub struct NewInstruction {
    op: Op,
    result_type: Option<u32>,
    result_id: Option<u32>,
    /// The words after these: ids, numbers, and [texts](literal).
    pub operands: Vec<u32>,
}

impl NewInstruction {
    /// An instruction with these operands.
    pub fn new(
        op: Op,
        result_type: Option<u32>,
        result_id: Option<u32>,
        operands: Vec<u32>,
    ) -> NewInstruction {
        NewInstruction { op, result_type, result_id, operands }
    }

    /// The name of an id.
    pub fn name(id: u32, name: &str) -> NewInstruction {
        NewInstruction::new(Op::Name, None, None, [vec![id], literal(name)].concat())
    }

    /// Writes its words after others.
    pub fn write(&self, words: &mut Vec<u32>) {
        let start = words.len();
        words.push(self.op as u32);
        words.extend(self.result_type);
        words.extend(self.result_id);
        words.extend_from_slice(&self.operands);
        words[start] |= ((words.len() - start) as u32) << 16;
    }
}

//! Modules as lists of instructions, and which of their words are ids.

use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier};

/// The first word of a module.
pub const MAGIC: u32 = 0x0723_0203;
const HEADER: usize = 5;

/// Opcodes that the mutator knows.
pub mod op {
    /// OpMemoryModel
    pub const MEMORY_MODEL: u32 = 14;
    /// OpEntryPoint
    pub const ENTRY_POINT: u32 = 15;
    /// OpExecutionMode
    pub const EXECUTION_MODE: u32 = 16;
    /// OpCapability
    pub const CAPABILITY: u32 = 17;
    /// OpTypeVoid
    pub const TYPE_VOID: u32 = 19;
    /// OpTypeFunction
    pub const TYPE_FUNCTION: u32 = 33;
    /// OpConstantTrue, before OpConstantFalse
    pub const CONSTANT_TRUE: u32 = 41;
    /// OpConstant
    pub const CONSTANT: u32 = 43;
    /// OpSpecConstantTrue, before OpSpecConstantFalse
    pub const SPEC_CONSTANT_TRUE: u32 = 48;
    /// OpSpecConstant
    pub const SPEC_CONSTANT: u32 = 50;
    /// OpSpecConstantOp
    pub const SPEC_CONSTANT_OP: u32 = 52;
    /// OpFunction
    pub const FUNCTION: u32 = 54;
    /// OpFunctionEnd
    pub const FUNCTION_END: u32 = 56;
    /// OpDecorate
    pub const DECORATE: u32 = 71;
    /// OpLabel
    pub const LABEL: u32 = 248;
    /// OpBranchConditional
    pub const BRANCH_CONDITIONAL: u32 = 250;
    /// OpReturn
    pub const RETURN: u32 = 253;
}

/// A module, instruction by instruction.
#[derive(Clone, Debug)]
pub struct Instructions {
    /// The words of the header.
    pub header: [u32; HEADER],
    /// The words of each instruction; the first has its number and opcode.
    pub all: Vec<Vec<u32>>,
}

/// The words of bytes, without those after the last whole one.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|chunk| u32::from_le_bytes(chunk.try_into().unwrap_or_default())).collect()
}

/// The opcode of an instruction.
pub fn opcode(instruction: &[u32]) -> u32 {
    instruction.first().map_or(0, |first| first & 0xffff)
}

impl Instructions {
    /// Reads words; `None` if they do not begin as a module does. An instruction that is cut off ends it.
    pub fn read(words: &[u32]) -> Option<Instructions> {
        let header: [u32; HEADER] = words.get(..HEADER)?.try_into().ok()?;
        if header[0] != MAGIC {
            return None;
        }
        let (mut all, mut rest) = (Vec::new(), &words[HEADER..]);
        while let Some(&first) = rest.first() {
            let count = ((first >> 16) as usize).clamp(1, rest.len());
            let (instruction, after) = rest.split_at(count);
            all.push(instruction.to_vec());
            rest = after;
        }
        Some(Instructions { header, all })
    }

    /// Returns the module's words, with true lengths of instructions.
    pub fn words(&self) -> impl Iterator<Item = u32> {
        let instruction = |words: &Vec<u32>| {
            let first = (words.len() as u32) << 16 | opcode(words);
            std::iter::once(first).chain(words.iter().skip(1).copied().collect::<Vec<_>>())
        };
        self.header.into_iter().chain(self.all.iter().flat_map(instruction))
    }

    /// The number of its words.
    pub fn size(&self) -> usize {
        HEADER + self.all.iter().map(Vec::len).sum::<usize>()
    }

    /// The first id that is above all of its own.
    pub fn true_bound(&self) -> u32 {
        let ids = self.all.iter().flat_map(|inst| ids(inst).into_iter().filter_map(|at| inst.get(at)));
        ids.copied().filter(|&id| id < 0x3f_ffff).max().unwrap_or(0) + 1
    }

    /// Returns the range of each function.
    pub fn functions(&self) -> Vec<(usize, usize)> {
        let mut functions = Vec::new();
        let mut start = None;
        for (at, instruction) in self.all.iter().enumerate() {
            match (opcode(instruction), start) {
                (op::FUNCTION, _) => start = Some(at),
                (op::FUNCTION_END, Some(start)) => functions.push((start, at + 1)),
                _ => {}
            }
        }
        functions
    }
}

fn operands(instruction: &[u32]) -> &'static [LogicalOperand] {
    static BY_OPCODE: LazyLock<Vec<&[LogicalOperand]>> = LazyLock::new(|| {
        let mut all: Vec<&[LogicalOperand]> = vec![&[]; 1 << 16];
        for row in INSTRUCTION_TABLE.iter() {
            all[row.opcode as usize] = row.operands;
        }
        all
    });
    BY_OPCODE[opcode(instruction) as usize]
}

/// The word with the result id of an instruction.
pub fn result(instruction: &[u32]) -> Option<usize> {
    let at = operands(instruction).iter().position(|operand| operand.kind == OperandKind::IdResult)? + 1;
    (at < instruction.len()).then_some(at)
}

/// Returns the words of an instruction that are ids, as far as its grammar shows without enumerants.
pub fn ids(instruction: &[u32]) -> Vec<usize> {
    use OperandKind as Kind;
    let mut ids = Vec::new();
    let mut at = 1;
    for operand in operands(instruction) {
        let rest = at..instruction.len();
        let many = operand.quantifier == OperandQuantifier::ZeroOrMore;
        match operand.kind {
            Kind::IdResultType | Kind::IdResult | Kind::IdRef | Kind::IdScope | Kind::IdMemorySemantics => {
                ids.extend(rest.take(if many { usize::MAX } else { 1 }));
                at += 1;
            }
            Kind::PairIdRefIdRef => return [ids, rest.collect()].concat(),
            Kind::PairIdRefLiteralInteger => ids.extend(rest.step_by(2)),
            Kind::PairLiteralIntegerIdRef => ids.extend(rest.skip(1).step_by(2)),
            Kind::ImageOperands => ids.extend(rest.skip(1)),
            Kind::LiteralString => {
                let ends = |&at: &usize| instruction[at].to_le_bytes().contains(&0);
                at = rest.clone().find(ends).map_or(instruction.len(), |end| end + 1);
            }
            // The operation of a constant is a number, and the rest are ids.
            Kind::LiteralSpecConstantOpInteger => return [ids, rest.skip(1).collect()].concat(),
            _ => at += 1,
        }
    }
    ids
}

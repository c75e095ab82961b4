//! Words to instructions, functions and blocks. Nothing is checked that an instruction does not need when it runs.

use std::collections::HashMap;
use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};
use spirv::{Decoration, LinkageType, Op};

use super::{Interpreted, unsupported};

pub type Id = u32;

/// An instruction. The id that it does not have is 0.
#[derive(Clone, Debug)]
pub struct ParsedInstruction {
    pub op: Op,
    pub result_type: Id,
    pub result: Id,
    /// The other operands.
    pub operands: Vec<u32>,
}

impl ParsedInstruction {
    /// Returns the operand of a number.
    pub fn operand(&self, number: usize) -> Interpreted<u32> {
        match self.operands.get(number) {
            Some(&operand) => Ok(operand),
            None => unsupported(format!("{:?} without operand {number}", self.op)),
        }
    }

    /// Returns the operands from a number on.
    pub fn operands_from(&self, number: usize) -> &[u32] {
        self.operands.get(number..).unwrap_or_default()
    }
}

pub struct BasicBlock {
    pub label: Id,
    pub body: Vec<ParsedInstruction>,
}

#[derive(Default)]
pub struct FunctionBody {
    pub parameters: Vec<ParsedInstruction>,
    pub blocks: Vec<BasicBlock>,
}

impl FunctionBody {
    /// Returns the index of the block with a label.
    pub fn block(&self, label: Id) -> Interpreted<usize> {
        match self.blocks.iter().position(|block| block.label == label) {
            Some(index) => Ok(index),
            None => unsupported(format!("a branch to %{label}, which is not a block")),
        }
    }
}

/// A function that can be run: an entry point, or an exported function.
pub struct RunnableFunction {
    pub name: String,
    pub function: Id,
}

/// A module as it is run.
#[derive(Default)]
pub struct RunnableModule {
    pub entry_points: Vec<RunnableFunction>,
    /// Types, constants and variables.
    pub globals: Vec<ParsedInstruction>,
    pub functions: HashMap<Id, FunctionBody>,
    /// Names of sets of extended instructions.
    pub instruction_sets: HashMap<Id, String>,
    /// Operands of decorations, by target and member.
    decorations: HashMap<(Id, Option<u32>, Decoration), Vec<u32>>,
}

/// The words of a module's header.
const HEADER: usize = 5;

impl RunnableModule {
    /// Reads the words of a module.
    pub fn read(words: &[u32]) -> Interpreted<RunnableModule> {
        let mut program = RunnableModule::default();
        let mut function: Option<(Id, FunctionBody)> = None;
        let mut rest = words.get(HEADER..).unwrap_or_default();
        while let Some(&first) = rest.first() {
            let count = (first >> 16) as usize;
            if count == 0 || count > rest.len() {
                return unsupported("an instruction that does not fit");
            }
            let (words, following) = rest.split_at(count);
            rest = following;
            let instruction = read_instruction(words)?;
            match (instruction.op, &mut function) {
                (Op::Function, _) => function = Some((instruction.result, FunctionBody::default())),
                (Op::FunctionParameter, Some((_, function))) => function.parameters.push(instruction),
                (Op::Label, Some((_, function))) => {
                    function.blocks.push(BasicBlock { label: instruction.result, body: Vec::new() });
                }
                (Op::FunctionEnd, _) => program.functions.extend(function.take()),
                (Op::Line | Op::NoLine, _) => {}
                (_, Some((_, function))) => match function.blocks.last_mut() {
                    Some(block) => block.body.push(instruction),
                    None => return unsupported("an instruction outside of blocks"),
                },
                (_, None) => program.add(instruction)?,
            }
        }
        Ok(program)
    }

    fn add(&mut self, instruction: ParsedInstruction) -> Interpreted<()> {
        match instruction.op {
            Op::EntryPoint => self.entry_points.push(RunnableFunction {
                name: string(instruction.operands_from(2)),
                function: instruction.operand(1)?,
            }),
            Op::ExtInstImport => {
                self.instruction_sets.insert(instruction.result, string(&instruction.operands));
            }
            Op::Decorate => {
                let (target, operands) = (instruction.operand(0)?, instruction.operands_from(1));
                self.decorate(target, None, operands);
                // Other modules may call exported functions.
                let is_linkage = operands.first() == Some(&(Decoration::LinkageAttributes as u32));
                if is_linkage && operands.last() == Some(&(LinkageType::Export as u32)) {
                    self.entry_points
                        .push(RunnableFunction { name: string(&operands[1..]), function: target });
                }
            }
            Op::MemberDecorate => {
                let member = Some(instruction.operand(1)?);
                self.decorate(instruction.operand(0)?, member, instruction.operands_from(2));
            }
            Op::GroupDecorate | Op::GroupMemberDecorate => return unsupported("groups of decorations"),
            _ => self.globals.push(instruction),
        }
        Ok(())
    }

    fn decorate(&mut self, target: Id, member: Option<u32>, operands: &[u32]) {
        if let Some((&number, rest)) = operands.split_first()
            && let Some(decoration) = Decoration::from_u32(number)
        {
            self.decorations.insert((target, member, decoration), rest.to_vec());
        }
    }

    /// Returns true if an id, or a member of it, has a decoration.
    pub fn has_decoration(&self, target: Id, member: Option<u32>, decoration: Decoration) -> bool {
        self.decorations.contains_key(&(target, member, decoration))
    }

    /// Returns the first operand of a decoration.
    pub fn decoration(&self, target: Id, member: Option<u32>, decoration: Decoration) -> Option<u32> {
        self.decorations.get(&(target, member, decoration))?.first().copied()
    }
}

/// An opcode, with the ids before the operands that it has.
struct OpcodeShape {
    op: Op,
    has_type: bool,
    has_result: bool,
}

static SHAPES: LazyLock<HashMap<u32, OpcodeShape>> = LazyLock::new(|| {
    let shapes = INSTRUCTION_TABLE.iter().map(|grammar| {
        let has = |kind| grammar.operands.iter().any(|operand| operand.kind == kind);
        let (has_type, has_result) = (has(OperandKind::IdResultType), has(OperandKind::IdResult));
        (grammar.opcode as u32, OpcodeShape { op: grammar.opcode, has_type, has_result })
    });
    shapes.collect()
});

fn read_instruction(words: &[u32]) -> Interpreted<ParsedInstruction> {
    let opcode = words[0] & 0xffff;
    let Some(shape) = SHAPES.get(&opcode) else { return unsupported(format!("the opcode {opcode}")) };
    let mut operands = words[1..].iter().copied();
    let mut take = |is_there: bool| if is_there { operands.next().unwrap_or(0) } else { 0 };
    let (result_type, result) = (take(shape.has_type), take(shape.has_result));
    Ok(ParsedInstruction { op: shape.op, result_type, result, operands: operands.collect() })
}

/// Returns the literal string that words begin with.
fn string(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0);
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

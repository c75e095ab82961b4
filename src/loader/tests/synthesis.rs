//! Instances of every instruction in rspirv's grammar, built by rspirv: with and without optional operands,
//! and with every enumerant and its parameters.

use std::collections::HashMap;

use rspirv::dr::{Instruction, Operand};
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use crate::loader::grammar;

/// The id bound of the modules that contain the instances.
pub const BOUND: u32 = 10_000;

/// The number of times that an optional operand occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Optional {
    Never,
    Once,
    Twice,
}

/// Makes operands. Every id and literal is a different number below the bound, so that a word of the wrong
/// kind is noticed.
pub struct Synthesis {
    next: u32,
    enumerants: HashMap<OperandKind, Vec<Operand>>,
}

/// Returns true for kinds whose values are bits.
fn is_mask(kind: OperandKind) -> bool {
    grammar::enumerants(kind, 0).next().is_none()
}

impl Synthesis {
    pub fn new() -> Synthesis {
        Synthesis { next: 1, enumerants: HashMap::new() }
    }

    fn number(&mut self) -> u32 {
        self.next = self.next % (BOUND - 1) + 1;
        self.next
    }

    /// Returns all enumerants of a kind, found by trying every value; none for ids and literals.
    fn enumerants(&mut self, kind: OperandKind) -> Vec<Operand> {
        let all = || match is_mask(kind) {
            true => (0..32).filter_map(|bit| grammar::from_rspirv(kind, 1 << bit)).collect(),
            false => (0..0x4000).filter_map(|value| grammar::from_rspirv(kind, value)).collect(),
        };
        self.enumerants.entry(kind).or_insert_with(all).clone()
    }

    /// Adds an enumerant with the parameters in rspirv's grammar.
    fn with_parameters(&mut self, enumerant: Operand, into: &mut Vec<Operand>) {
        let parameters = enumerant.additional_operands();
        into.push(enumerant);
        self.fill(&parameters, Optional::Once, into);
    }

    fn operand(&mut self, kind: OperandKind, into: &mut Vec<Operand>) {
        use OperandKind::*;
        let operand = match kind {
            IdRef => Operand::IdRef(self.number()),
            IdScope => Operand::IdScope(self.number()),
            IdMemorySemantics => Operand::IdMemorySemantics(self.number()),
            LiteralInteger | LiteralFloat | LiteralContextDependentNumber => {
                Operand::LiteralBit32(self.number())
            }
            LiteralExtInstInteger => Operand::LiteralExtInstInteger(self.number()),
            LiteralSpecConstantOpInteger => {
                into.push(Operand::LiteralSpecConstantOpInteger(Op::Not));
                Operand::IdRef(self.number())
            }
            LiteralString => Operand::LiteralString(
                ["", "\u{1}\u{2}\u{3}", "four", "longer"][self.next as usize % 4].to_owned(),
            ),
            PairIdRefIdRef => {
                into.push(Operand::IdRef(self.number()));
                Operand::IdRef(self.number())
            }
            PairIdRefLiteralInteger => {
                into.push(Operand::IdRef(self.number()));
                Operand::LiteralBit32(self.number())
            }
            PairLiteralIntegerIdRef => {
                into.push(Operand::LiteralBit32(self.number()));
                Operand::IdRef(self.number())
            }
            _ => {
                let first = self.enumerants(kind).first().cloned();
                return self
                    .with_parameters(first.unwrap_or_else(|| panic!("no enumerants for {kind:?}")), into);
            }
        };
        into.push(operand);
    }

    fn fill(&mut self, operands: &[LogicalOperand], optional: Optional, into: &mut Vec<Operand>) {
        for operand in operands {
            let times = match (operand.quantifier, optional) {
                (OperandQuantifier::One, _) => 1,
                (_, Optional::Never) => return,
                (OperandQuantifier::ZeroOrMore, Optional::Twice) => 2,
                _ => 1,
            };
            for _ in 0..times {
                self.operand(operand.kind, into);
            }
        }
    }

    /// Returns the instruction with these operands, and with result type and result if the grammar has them.
    fn instruction(&mut self, op: Op, grammar: &[LogicalOperand], operands: Vec<Operand>) -> Instruction {
        let has = |kind| grammar.iter().any(|operand| operand.kind == kind);
        let type_ = has(OperandKind::IdResultType).then(|| self.number());
        let result = has(OperandKind::IdResult).then(|| self.number());
        Instruction::new(op, type_, result, operands)
    }

    /// Returns instances of one instruction.
    pub fn instances(&mut self, op: Op, grammar: &'static [LogicalOperand]) -> Vec<Instruction> {
        let results = [OperandKind::IdResultType, OperandKind::IdResult];
        let remaining: Vec<LogicalOperand> =
            grammar.iter().filter(|operand| !results.contains(&operand.kind)).cloned().collect();
        let mut instances = Vec::new();
        let mut add = |this: &mut Self, operands| instances.push(this.instruction(op, grammar, operands));
        for optional in [Optional::Never, Optional::Once, Optional::Twice] {
            let mut operands = Vec::new();
            self.fill(&remaining, optional, &mut operands);
            add(self, operands);
        }
        // Each enumerant with its parameters in the place of its operand; the other operands as they are.
        for (at, operand) in remaining.iter().enumerate() {
            let enumerants = self.enumerants(operand.kind);
            let pairs = match is_mask(operand.kind) {
                true => enumerants.windows(2).map(|pair| union(operand.kind, pair)).collect(),
                false => Vec::new(),
            };
            let all = is_mask(operand.kind).then(|| union(operand.kind, &enumerants));
            for enumerant in enumerants.iter().cloned().chain(pairs).chain(all) {
                let mut operands = Vec::new();
                self.fill(&remaining[..at], Optional::Once, &mut operands);
                if is_mask(operand.kind) {
                    // Parameters follow from the lowest bit to the highest.
                    let bits = bits_of(&enumerant);
                    operands.push(enumerant);
                    for bit in enumerants.iter().filter(|bit| bits & bits_of(bit) != 0) {
                        self.fill(&bit.additional_operands(), Optional::Once, &mut operands);
                    }
                } else {
                    self.with_parameters(enumerant, &mut operands);
                }
                self.fill(&remaining[at + 1..], Optional::Once, &mut operands);
                add(self, operands);
            }
        }
        instances
    }

    /// Returns OpSpecConstantOp with an inner opcode and each of its operands once: rspirv reads no more.
    pub fn spec_constant_op(&mut self, inner: Op, grammar: &[LogicalOperand]) -> Instruction {
        let results = [OperandKind::IdResultType, OperandKind::IdResult];
        let mut operands = vec![Operand::LiteralSpecConstantOpInteger(inner)];
        for operand in grammar.iter().filter(|operand| !results.contains(&operand.kind)) {
            self.operand(operand.kind, &mut operands);
        }
        Instruction::new(Op::SpecConstantOp, Some(self.number()), Some(self.number()), operands)
    }
}

/// Returns the value of an enumerant.
fn bits_of(enumerant: &Operand) -> u32 {
    rspirv::binary::Assemble::assemble(enumerant)[0]
}

fn union(kind: OperandKind, bits: &[Operand]) -> Operand {
    let all = bits.iter().map(bits_of).fold(0, |all, bit| all | bit);
    grammar::from_rspirv(kind, all).unwrap()
}

/// Returns every instruction of the grammar.
pub fn all() -> impl Iterator<Item = (Op, &'static [LogicalOperand])> {
    INSTRUCTION_TABLE.iter().map(|inst| (inst.opcode, inst.operands))
}

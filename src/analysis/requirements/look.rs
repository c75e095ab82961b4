//! What must be looked at, beside the opcode, to tell what an instruction needs.

use rspirv::grammar::{LogicalOperand, OperandKind};
use spirv::Op;

use super::pointers::{is_access_chain, loads_or_stores, may_be_variable_pointer};
use super::values::Values;
use super::words::Words;
use super::{declarations, values};
use crate::loader::grammar;

bitflags::bitflags! {
    /// Why to look at an instruction. Which of these reasons hold depends on the module.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Reasons: u64 {
        /// The opcode needs something by itself.
        const OPCODE = 1;
        /// It says what something in the module is like: the memory model, decorations, imports, constants that are computed.
        const MODULE = 1 << 1;
        /// It declares a type or a variable.
        const DECLARATION = 1 << 2;
        /// It computes something that may need something by its operands' types.
        const VALUE = 1 << 3;
        /// It makes an access chain.
        const ACCESS_CHAIN = 1 << 4;
        /// It may make or use a variable pointer.
        const VARIABLE_POINTER = 1 << 5;
        /// It may access members that need something.
        const MEMBER = 1 << 6;
        /// It belongs to an extended instruction set.
        const EXTENDED = 1 << 7;
        /// Some source may tell of aspects.
        const ASPECTS = 1 << 8;
        /// It may have scopes.
        const SCOPES = 1 << 9;
        /// It may have memory semantics.
        const SEMANTICS = 1 << 10;
        /// One bit for each kind of operand whose enumerants may need something.
        const ENUMERANTS = u64::MAX << 11;
    }
}

impl Reasons {
    /// Why to look for the enumerants of one kind, by the number of the kind.
    pub fn of_kind(number: usize) -> Reasons {
        Reasons::from_bits_retain(1 << (11 + number))
    }

    /// What looking at the operands of an opcode in a way of its own is for.
    pub const ITSELF: Reasons = Reasons::MODULE
        .union(Reasons::DECLARATION)
        .union(Reasons::VALUE)
        .union(Reasons::ACCESS_CHAIN)
        .union(Reasons::VARIABLE_POINTER)
        .union(Reasons::MEMBER)
        .union(Reasons::EXTENDED);
}

/// What is to be looked at, for one opcode, in whatever module.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Why to look at it.
    pub reasons: Reasons,
    /// Which of its words may be scopes.
    pub scopes: Words,
    /// Which of its words may be memory semantics.
    pub semantics: Words,
    /// How it is told whether it computes with values of small types.
    pub values: Values,
    /// The number of the word that says how it accesses memory, where no other operand is an enumerant; else 0.
    pub memory_access: u8,
}

impl Look {
    /// What there is to look at for an opcode with such operands, what the opcode and its enumerants need left out.
    pub fn new(op: Op, operands: &[LogicalOperand]) -> Look {
        let scopes = Words::of(operands, OperandKind::IdScope);
        let semantics = Words::of(operands, OperandKind::IdMemorySemantics);
        let mut reasons = Reasons::empty();
        let mut add = |reason, holds| reasons.set(reason, holds);
        add(
            Reasons::MODULE,
            matches!(
                op,
                Op::MemoryModel | Op::Decorate | Op::MemberDecorate | Op::SpecConstantOp | Op::ExtInstImport
            ),
        );
        add(Reasons::EXTENDED, matches!(op, Op::ExtInst | Op::ExtInstWithForwardRefsKHR));
        add(Reasons::DECLARATION, declarations::looks_at(op));
        add(Reasons::VALUE, values::looks_at(op));
        add(Reasons::ACCESS_CHAIN, is_access_chain(op));
        add(Reasons::VARIABLE_POINTER, may_be_variable_pointer(op));
        add(Reasons::MEMBER, loads_or_stores(op));
        add(Reasons::ASPECTS, matches!(op, Op::TypeStruct | Op::Function));
        add(Reasons::SCOPES, !scopes.is_empty());
        add(Reasons::SEMANTICS, !semantics.is_empty());
        let ids = grammar::layout(op as u16).map_or(0, |layout| usize::from(layout.ids));
        let memory_access = match &operands[ids.min(operands.len())..] {
            [LogicalOperand { kind: OperandKind::MemoryAccess, .. }] => ids as u8 + 1,
            _ => 0,
        };
        Look { values: Values::of(op), reasons, scopes, semantics, memory_access }
    }
}

//! What must be looked at, beside the opcode, to tell what an instruction needs.

use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};

use super::words::Words;
use crate::loader::grammar::{self, Tail};

/// What is to be looked at, for one opcode. What no module can change is known once for all of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// Whether the grammar has the opcode.
    pub known: bool,
    /// None of what follows, and nothing that the opcode needs by itself.
    pub nothing: bool,
    /// Enumerants among its operands.
    pub enumerants: bool,
    /// Its operands, in a way of its own.
    pub itself: bool,
    /// Which of its words may be scopes.
    pub scopes: Words,
    /// Which of its words may be memory semantics.
    pub semantics: Words,
    /// The number of the word that says how it accesses memory, where no other operand is an enumerant; else 0.
    pub memory_access: u8,
}

impl Look {
    /// By opcode: whether it is known, and where its scopes, semantics and memory access are.
    pub fn all() -> &'static [Look] {
        static LOOKS: LazyLock<Vec<Look>> = LazyLock::new(|| {
            let mut looks = Vec::new();
            for inst in INSTRUCTION_TABLE.iter() {
                let opcode = inst.opcode as usize;
                if looks.len() <= opcode {
                    looks.resize(opcode + 1, Look::default());
                }
                let layout = grammar::layout(opcode as u16);
                looks[opcode] = Look {
                    known: true,
                    scopes: Words::of(inst.operands, OperandKind::IdScope),
                    semantics: Words::of(inst.operands, OperandKind::IdMemorySemantics),
                    memory_access: match layout.map(|layout| (layout.tail, layout.ids)) {
                        Some((Tail::Mask(_), ids)) => ids + 1,
                        _ => 0,
                    },
                    ..Look::default()
                };
            }
            looks
        });
        &LOOKS
    }
}

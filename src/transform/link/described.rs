//! The decorations and names of the types and constants of a module.

use std::collections::HashSet;

use spirv::{Decoration, FunctionParameterAttribute, Op, StorageClass};

use super::Rules;
use crate::loader::{Instruction, Module, views};

/// A decoration or name of an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Description {
    target: u32,
    /// The instruction, as an offset in words.
    pub offset: u32,
    /// The number of the word that names the target.
    pub at: u32,
}

/// The decorations of types, constants and variables, and the names of structures and specialization constants: definitions that differ
/// in these are not equal.
pub(super) struct Described {
    descriptions: Vec<Description>,
    /// The parameters that are pointers to an argument that is copied.
    pub by_value: HashSet<u32>,
}

impl Described {
    pub fn new(module: &Module, rules: Rules) -> Described {
        let mut descriptions = Vec::new();
        let mut by_value = HashSet::new();
        const BY_VALUE: [u32; 2] =
            [Decoration::FuncParamAttr as u32, FunctionParameterAttribute::ByVal as u32];
        for inst in module.annotations() {
            let mut say = |target: u32, at: usize| {
                descriptions.push(Description { target, offset: inst.offset(), at: at as u32 });
            };
            match inst.op() {
                Some(Op::Name | Op::MemberName) if is_identified_by_name(module, inst.word(1), rules) => {
                    say(inst.word(1), 1)
                }
                Some(Op::Decorate | Op::DecorateId | Op::DecorateString)
                | Some(Op::MemberDecorate | Op::MemberDecorateString)
                    if module.is_global(inst.word(1)) || is_group(module, inst.word(1)) =>
                {
                    say(inst.word(1), 1);
                }
                Some(Op::Decorate) if inst.words_from(2) == BY_VALUE => {
                    by_value.insert(inst.word(1));
                }
                Some(op @ (Op::GroupDecorate | Op::GroupMemberDecorate)) => {
                    let step = if op == Op::GroupDecorate { 1 } else { 2 };
                    for at in (2..inst.words().len()).step_by(step) {
                        say(inst.word(at), at);
                    }
                }
                _ => {}
            }
        }
        descriptions.sort_unstable();
        Described { descriptions, by_value }
    }

    /// The decorations and names of an id, in the order of the module.
    pub fn of(&self, target: u32) -> &[Description] {
        let start = self.descriptions.partition_point(|descriptions| descriptions.target < target);
        let rest = &self.descriptions[start..];
        &rest[..rest.partition_point(|descriptions| descriptions.target == target)]
    }
}

/// True if the name of an id is part of its identity: reflection uses the names of structures and specialization constants. In the images
/// of a program, a SpecId identifies a constant, and constant data has a name.
fn is_identified_by_name(module: &Module, id: u32, rules: Rules) -> bool {
    let inst = module.definition(id);
    let op = inst.as_ref().and_then(|inst| inst.op());
    if rules == Rules::Images {
        return match op {
            Some(Op::TypeStruct | Op::SpecConstantOp) => true,
            Some(Op::Variable) => inst.is_some_and(|inst| is_data(&inst)),
            _ => false,
        };
    }
    matches!(
        op,
        Some(
            Op::TypeStruct
                | Op::SpecConstant
                | Op::SpecConstantTrue
                | Op::SpecConstantFalse
                | Op::SpecConstantOp
        )
    )
}

/// True if a variable has its value from the module, and keeps it.
fn is_data(variable: &Instruction) -> bool {
    views::Variable(*variable).storage_class() == StorageClass::UniformConstant as u32
        && variable.words().len() > 4
}

fn is_group(module: &Module, id: u32) -> bool {
    module.definition(id).is_some_and(|inst: Instruction| inst.is(Op::DecorationGroup))
}

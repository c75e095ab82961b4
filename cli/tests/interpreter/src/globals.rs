//! Types and constants of a module, with the values of specialization constants.

use std::collections::{BTreeMap, HashMap};

use spirv::{Decoration, Op, StorageClass};

use super::instructions::evaluate;
use super::program::{Id, ParsedInstruction, RunnableModule};
use super::values::{ValueTree, ValueType};
use super::{Interpreted, unsupported};

/// The number of leaves that a value may have.
const MAX_LEAVES: u64 = 1 << 16;

/// A variable outside of functions.
pub struct GlobalVariable {
    pub id: Id,
    pub class: StorageClass,
    /// The type of its value.
    pub of: Id,
    pub initializer: Option<Id>,
}

#[derive(Default)]
pub struct ModuleValues {
    types: HashMap<Id, ValueType>,
    /// The number of leaves of a value, by type.
    leaves: HashMap<Id, u64>,
    /// Constants. One that cannot be evaluated matters only if it is used.
    constants: HashMap<Id, Interpreted<ValueTree>>,
    pub variables: Vec<GlobalVariable>,
}

impl ModuleValues {
    pub fn new(program: &RunnableModule, values: &BTreeMap<u32, u64>) -> Interpreted<ModuleValues> {
        let mut globals = ModuleValues::default();
        for instruction in &program.globals {
            if globals.types.contains_key(&instruction.result)
                || globals.constants.contains_key(&instruction.result)
            {
                return unsupported("an id that is defined twice");
            }
            if instruction.op == Op::Variable {
                globals.add_variable(instruction)?;
            } else if let Some(of) = globals.read_type(instruction) {
                let leaves = globals.count_leaves(&of);
                globals.leaves.insert(instruction.result, leaves);
                globals.types.insert(instruction.result, of);
            } else if instruction.result_type != 0 {
                let spec_id = program.decoration(instruction.result, None, Decoration::SpecId);
                let set = spec_id.and_then(|spec_id| values.get(&spec_id).copied());
                let value = globals.evaluate(instruction, set);
                globals.constants.insert(instruction.result, value);
            }
        }
        Ok(globals)
    }

    pub fn type_of(&self, id: Id) -> Interpreted<&ValueType> {
        match self.types.get(&id) {
            Some(of) => Ok(of),
            None => unsupported(format!("the type %{id}")),
        }
    }

    /// Returns the type of the components of a vector, or of a scalar itself.
    pub fn component(&self, id: Id) -> Interpreted<ValueType> {
        match self.type_of(id)? {
            ValueType::Vector(component, _) => self.type_of(*component).cloned(),
            scalar => Ok(scalar.clone()),
        }
    }

    pub fn constant(&self, id: Id) -> Option<&Interpreted<ValueTree>> {
        self.constants.get(&id)
    }

    /// Returns a value of a type whose leaves are undefined.
    pub fn undefined(&self, id: Id) -> Interpreted<ValueTree> {
        self.tree(id, &|_| Ok(ValueTree::Undefined))
    }

    /// Returns the value of a type whose leaves are 0 or false.
    pub fn null(&self, id: Id) -> Interpreted<ValueTree> {
        self.tree(id, &|of| match of {
            ValueType::Bool => Ok(ValueTree::Bool(false)),
            ValueType::Int(width) | ValueType::Float(width) => Ok(ValueTree::number(*width, 0)),
            _ => unsupported("a null pointer"),
        })
    }

    fn tree(&self, id: Id, leaf: &dyn Fn(&ValueType) -> Interpreted<ValueTree>) -> Interpreted<ValueTree> {
        if self.leaves.get(&id).is_none_or(|&leaves| leaves > MAX_LEAVES) {
            return unsupported("a value of that size");
        }
        let parts = |of: Id, count: u64| -> Interpreted<ValueTree> {
            let part = self.tree(of, leaf)?;
            Ok(ValueTree::Composite(vec![part; count as usize]))
        };
        match self.type_of(id)? {
            ValueType::Opaque | ValueType::Void | ValueType::RuntimeArray(_) => {
                unsupported("a value of an opaque type")
            }
            ValueType::Vector(of, count) | ValueType::Matrix(of, count) | ValueType::Array(of, count) => {
                parts(*of, *count)
            }
            ValueType::Struct(members) => {
                let members = members.iter().map(|&member| self.tree(member, leaf));
                Ok(ValueTree::Composite(members.collect::<Interpreted<_>>()?))
            }
            scalar => leaf(scalar),
        }
    }

    fn count_leaves(&self, of: &ValueType) -> u64 {
        let leaves = |id: &Id| self.leaves.get(id).copied().unwrap_or(0);
        match of {
            ValueType::Vector(of, count) | ValueType::Matrix(of, count) | ValueType::Array(of, count) => {
                // Arrays of nothing are as long as others.
                leaves(of).max(1).saturating_mul(*count)
            }
            ValueType::Struct(members) => members.iter().map(leaves).fold(1, u64::saturating_add),
            _ => 1,
        }
    }

    /// Returns the type that an instruction declares.
    fn read_type(&self, instruction: &ParsedInstruction) -> Option<ValueType> {
        let operands = &instruction.operands[..];
        let is_known = |id: &Id| self.types.contains_key(id);
        Some(match (instruction.op, operands) {
            (Op::TypeVoid, _) => ValueType::Void,
            (Op::TypeBool, _) => ValueType::Bool,
            (Op::TypeInt, &[width @ (8 | 16 | 32 | 64), _]) => ValueType::Int(width),
            (Op::TypeFloat, &[width @ (16 | 32 | 64)]) => ValueType::Float(width),
            (Op::TypeVector, &[of, count]) if is_known(&of) => ValueType::Vector(of, count.into()),
            (Op::TypeMatrix, &[of, count]) if is_known(&of) => ValueType::Matrix(of, count.into()),
            (Op::TypeArray, &[of, length]) if is_known(&of) => match self.constants.get(&length) {
                Some(Ok(ValueTree::Number(length))) => ValueType::Array(of, length.bits),
                _ => ValueType::Opaque,
            },
            (Op::TypeRuntimeArray, &[of]) if is_known(&of) => ValueType::RuntimeArray(of),
            (Op::TypeStruct, members) if members.iter().all(is_known) => ValueType::Struct(members.to_vec()),
            (Op::TypePointer, &[_, of]) if is_known(&of) => ValueType::Pointer(of),
            _ if instruction.result != 0 && instruction.result_type == 0 => ValueType::Opaque,
            _ => return None,
        })
    }

    fn add_variable(&mut self, instruction: &ParsedInstruction) -> Interpreted<()> {
        let Some(class) = StorageClass::from_u32(instruction.operand(0)?) else {
            return unsupported("an unknown storage class");
        };
        let of = match self.type_of(instruction.result_type)? {
            ValueType::Pointer(of) => *of,
            _ => return unsupported("a variable whose type is not a pointer"),
        };
        let initializer = instruction.operands.get(1).copied();
        self.variables.push(GlobalVariable { id: instruction.result, class, of, initializer });
        Ok(())
    }

    fn evaluate(&self, instruction: &ParsedInstruction, set: Option<u64>) -> Interpreted<ValueTree> {
        let known = |id: Id| match self.constants.get(&id) {
            Some(value) => value.clone(),
            None => unsupported(format!("%{id} in a constant")),
        };
        let operands = &instruction.operands[..];
        match instruction.op {
            Op::ConstantTrue | Op::SpecConstantTrue => Ok(ValueTree::Bool(set.is_none_or(|bits| bits != 0))),
            Op::ConstantFalse | Op::SpecConstantFalse => {
                Ok(ValueTree::Bool(set.is_some_and(|bits| bits != 0)))
            }
            Op::Constant | Op::SpecConstant => {
                let width = self.type_of(instruction.result_type)?.width()?;
                let default = operands.iter().rev().fold(0, |bits, &word| bits << 32 | u64::from(word));
                Ok(ValueTree::number(width, set.unwrap_or(default)))
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                evaluate(self, Op::CompositeConstruct, instruction.result_type, operands, &known)?
                    .map_or_else(|| unsupported("a composite constant"), Ok)
            }
            Op::ConstantNull => self.null(instruction.result_type),
            Op::Undef => self.undefined(instruction.result_type),
            Op::SpecConstantOp => {
                let opcode = instruction.operand(0)?;
                let what = || unsupported(format!("the opcode {opcode} in a constant"));
                let Some(op) = Op::from_u32(opcode) else { return what() };
                let operands = instruction.operands_from(1);
                match evaluate(self, op, instruction.result_type, operands, &known) {
                    // A division by 0 is undefined only if it is used.
                    Err(super::RunError::Undefined(_)) => self.undefined(instruction.result_type),
                    value => value?.map_or_else(what, Ok),
                }
            }
            op => unsupported(format!("{op:?} outside of functions")),
        }
    }
}

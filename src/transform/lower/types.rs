use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::{Capability, Op, StorageClass};

use super::{LowerError, LowerableFeature};
use crate::analysis::requirements::closure;
use crate::loader::{Instruction, Module, views};

/// The storage classes in which an array may be in the place of a vector. Those of variables between stages are refused for another reason.
const WITHOUT_LAYOUT: [StorageClass; 4] =
    [StorageClass::Function, StorageClass::Private, StorageClass::Input, StorageClass::Output];

/// The substitute of a number of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberForm {
    /// Two words of 32 bits.
    Words,
    /// An integer of 64 bits.
    Integer,
}

impl NumberForm {
    /// Chooses the form: doubles become integers of 64 bits where the result may have some. The module has them, or is for kernels: OpenCL's full
    /// profile has them.
    pub fn new(module: &Module, feature: LowerableFeature, keeps_integers: bool) -> NumberForm {
        let declared = closure(module.capabilities().map(|one| one.capability()));
        let has = |capability: Capability| declared.contains(&(capability as u32));
        let has_integers = keeps_integers && (has(Capability::Int64) || has(Capability::Kernel));
        match feature.type_op() == Op::TypeFloat && has_integers {
            true => NumberForm::Integer,
            false => NumberForm::Words,
        }
    }
}

/// The form of a value of a lowered type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WideShape {
    /// A number, of two words or one integer.
    Scalar,
    /// A vector of two numbers, of four words.
    Pair,
    /// A vector of so many integers, or an array of so many numbers of two words.
    Vector(u32),
}

impl WideShape {
    /// The number of components.
    pub fn components(self) -> usize {
        match self {
            WideShape::Scalar => 1,
            WideShape::Pair => 2,
            WideShape::Vector(count) => count as usize,
        }
    }
}

/// The types of a module that are lowered, and those that contain them.
pub struct LoweredTypes {
    shapes: HashMap<u32, WideShape>,
    /// Arrays and structures that have parts of lowered types.
    containing: HashSet<u32>,
    /// Vectors that become arrays, and the types that have such parts.
    with_arrays: HashSet<u32>,
    /// The form of numbers.
    pub form: NumberForm,
}

impl LoweredTypes {
    /// Finds the types of 64-bit integers, or of doubles.
    pub fn find(
        module: &Module,
        feature: LowerableFeature,
        form: NumberForm,
    ) -> Result<LoweredTypes, LowerError> {
        let mut types = LoweredTypes {
            shapes: HashMap::new(),
            containing: HashSet::new(),
            with_arrays: HashSet::new(),
            form,
        };
        for inst in module.outside_functions() {
            types.read(module, feature, &inst)?;
        }
        Ok(types)
    }

    fn read(
        &mut self,
        module: &Module,
        feature: LowerableFeature,
        inst: &Instruction,
    ) -> Result<(), LowerError> {
        let error = |reason: &str| Err(LowerError::new(module, feature, inst, reason.to_owned()));
        let Some(id) = inst.result_id() else { return Ok(()) };
        match inst.op() {
            Some(op @ (Op::TypeInt | Op::TypeFloat))
                if op == feature.type_op() && inst.word(2) == 64 && inst.word(3) <= 1 =>
            {
                self.shapes.insert(id, WideShape::Scalar);
            }
            Some(Op::TypeVector) if self.is_wide(views::TypeVector(*inst).component_type()) => {
                let shape = match (self.form, views::TypeVector(*inst).component_count()) {
                    (NumberForm::Words, 2) => WideShape::Pair,
                    (_, count) => WideShape::Vector(count),
                };
                self.shapes.insert(id, shape);
                if self.is_array(shape) {
                    self.with_arrays.insert(id);
                }
            }
            Some(Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray) => {
                let parts: Vec<u32> = match views::AnyArray::new(*inst) {
                    Some(array) => vec![array.element_type()],
                    None => module.members(inst).collect(),
                };
                if parts.iter().any(|&part| self.has_wide(part)) {
                    self.containing.insert(id);
                }
                if parts.iter().any(|part| self.with_arrays.contains(part)) {
                    self.with_arrays.insert(id);
                }
            }
            Some(Op::TypePointer) => {
                let pointer = views::TypePointer(*inst);
                let is_free = WITHOUT_LAYOUT.iter().any(|&class| class as u32 == pointer.storage_class());
                if !is_free && self.with_arrays.contains(&pointer.pointee()) {
                    let values = feature.values();
                    return error(&format!(
                        "vectors of three or four {values} are lowered in functions and private variables only"
                    ));
                }
            }
            Some(Op::TypeFunction) => {}
            Some(op) if inst.result_type().is_none() => {
                let mut is_used = false;
                module.walk(inst, &mut |_, operand: u32| is_used |= operand != id && self.is_wide(operand));
                if is_used {
                    return error(&format!("Op{op:?} of {} has no other form", feature.values()));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the forms of vectors, smaller ones first.
    pub fn vectors(&self) -> BTreeSet<WideShape> {
        self.shapes.values().copied().filter(|&shape| shape != WideShape::Scalar).collect()
    }

    /// Returns the form of values of a type, if it is lowered.
    pub fn shape(&self, type_id: u32) -> Option<WideShape> {
        self.shapes.get(&type_id).copied()
    }

    /// Returns true if values of a form are arrays.
    pub fn is_array(&self, shape: WideShape) -> bool {
        self.form == NumberForm::Words && matches!(shape, WideShape::Vector(_))
    }

    fn is_wide(&self, type_id: u32) -> bool {
        self.shapes.contains_key(&type_id)
    }

    /// Returns true if a type is lowered, or contains one that is.
    pub fn has_wide(&self, type_id: u32) -> bool {
        self.is_wide(type_id) || self.containing.contains(&type_id)
    }

    /// Returns the form of a value, if its type is lowered.
    pub fn shape_of(&self, module: &Module, value: u32) -> Option<WideShape> {
        self.shape(module.type_of(value)?)
    }
}

//! Structural equality of types in two modules: the types of an import and its export must be equal.

use std::collections::{HashMap, HashSet};

use spirv::{AddressingModel, Decoration, FunctionParameterAttribute, Op, StorageClass};

use super::memory::Agreement;
use super::unit::{Definition, LinkUnit};
use crate::loader::{Instruction, Module, views};
use crate::transform::definitions::{
    Description, Descriptions, are_described_equally, are_equal_definitions,
};

/// Classes of types and constants of several modules that are merged because symbols of one name have them. Structures of one class may
/// have different names.
#[derive(Default)]
pub(super) struct Classes {
    /// Link from each member to one closer to the first of its class; the first points to itself.
    parents: HashMap<Definition, Definition>,
    /// Id in the result for the first of each class.
    ids: HashMap<Definition, u32>,
    /// Pairs that are known to be the same.
    proved: HashSet<(Definition, Definition)>,
}

/// The comparison of the types of two functions or variables of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    Same,
    /// The types differ only in pointees.
    Pointees,
    /// Like `Pointees`, and a caller passes an array of several times the length that the function takes.
    Lengths,
    Different,
}

impl Classes {
    fn first(&self, mut node: Definition) -> Definition {
        while let Some(&parent) = self.parents.get(&node).filter(|&&parent| parent != node) {
            node = parent;
        }
        node
    }

    fn join(&mut self, left: Definition, right: Definition) {
        let (left, right) = (self.first(left), self.first(right));
        // Members are added in the order of the modules.
        let first = left.min(right);
        self.parents.insert(first, first);
        self.parents.insert(left.max(right), first);
    }

    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Returns the id in the result of another one of the same class.
    pub fn id(&self, node: Definition) -> Option<u32> {
        self.ids.get(&self.first(node)).copied()
    }

    /// Sets the id in the result.
    pub fn set_id(&mut self, node: Definition, id: u32) {
        if self.parents.contains_key(&node) {
            self.ids.entry(self.first(node)).or_insert(id);
        }
    }
}

/// All modules with the decorations and names of their types.
pub(super) struct DefinedTypes<'u, 'm> {
    pub units: &'u [LinkUnit<'m>],
    pub described: &'u [Descriptions],
}

impl<'m> DefinedTypes<'_, 'm> {
    fn module(&self, node: Definition) -> &'m Module<'m> {
        self.units[node.0 as usize].module
    }

    /// Compares two functions. If only one of them is a definition, `import` is the other.
    pub fn functions(
        &self,
        left: Definition,
        right: Definition,
        import: Option<Definition>,
        classes: &mut Classes,
    ) -> Compared {
        let function_type = |node: Definition| {
            let function = self.module(node).definition(node.1)?;
            Some((node.0, function.word(4)))
        };
        let (Some(left_type), Some(right_type)) = (function_type(left), function_type(right)) else {
            return Compared::Different;
        };
        if self.are_same(left_type, right_type, classes) {
            return Compared::Same;
        }
        let signature = |node: Definition| self.module(node).definition_as(node.1, Op::TypeFunction);
        let (Some(left_signature), Some(right_signature)) = (signature(left_type), signature(right_type))
        else {
            return Compared::Different;
        };
        if left_signature.words().len() != right_signature.words().len() || !self.may_cast(left.0) {
            return Compared::Different;
        }
        let mut compared = Compared::Pointees;
        for at in 2..left_signature.words().len() {
            let one = (left.0, left_signature.word(at));
            let other = (right.0, right_signature.word(at));
            let by_value = at > 2 && (self.is_by_value(left, at - 3) || self.is_by_value(right, at - 3));
            if self.are_same(one, other, classes) {
                continue;
            }
            if by_value || !self.are_castable(one, other) {
                return Compared::Different;
            }
            let pointees = self.pointee(one).zip(self.pointee(other)).filter(|_| at > 2);
            let (Some((one, other)), Some(import)) = (pointees, import) else { continue };
            let (caller, taken) = if import == left { (one, other) } else { (other, one) };
            match self.passed(caller, taken, classes) {
                Agreement::Possible => {}
                Agreement::Doubtful => compared = Compared::Lengths,
                Agreement::Impossible => return Compared::Different,
            }
        }
        compared
    }

    /// Compares two variables, one or both of which are imports.
    pub fn variables(
        &self,
        left: Definition,
        right: Definition,
        imported: [bool; 2],
        classes: &mut Classes,
    ) -> Compared {
        let definition = |node: Definition| self.module(node).definition(node.1);
        let (Some(left_inst), Some(right_inst)) = (definition(left), definition(right)) else {
            return Compared::Different;
        };
        let mut same = left_inst.opcode() == right_inst.opcode() && left_inst.word(3) == right_inst.word(3);
        same = same && self.are_same((left.0, left_inst.word(1)), (right.0, right_inst.word(1)), classes);
        if same && left_inst.is(Op::UntypedVariableKHR) {
            let (left_type, right_type) = (left_inst.word(4), right_inst.word(4));
            same = left_type == 0
                || right_type == 0
                || self.are_same((left.0, left_type), (right.0, right_type), classes);
        }
        if same {
            return Compared::Same;
        }
        const CLASSES: [u32; 3] = [
            StorageClass::CrossWorkgroup as u32,
            StorageClass::UniformConstant as u32,
            StorageClass::Workgroup as u32,
        ];
        let types = ((left.0, left_inst.word(1)), (right.0, right_inst.word(1)));
        let may_cast = left_inst.is(Op::Variable)
            && right_inst.is(Op::Variable)
            && CLASSES.contains(&left_inst.word(3))
            && self.may_cast(left.0)
            && self.are_castable(types.0, types.1)
            && self
                .pointee(types.0)
                .zip(self.pointee(types.1))
                .is_none_or(|(one, other)| self.may_be_one_variable([one, other], imported));
        if may_cast { Compared::Pointees } else { Compared::Different }
    }

    /// Returns true if pointers can be cast, since compilers infer the types of their pointees: with the addressing of kernels. Those of shaders know them.
    fn may_cast(&self, unit: u32) -> bool {
        const OF_KERNELS: [u32; 2] = [AddressingModel::Physical32 as u32, AddressingModel::Physical64 as u32];
        let model = self.units[unit as usize].module.memory_model();
        model.is_some_and(|model| OF_KERNELS.contains(&model.addressing_model()))
    }

    /// Returns the type that a pointer type points to.
    fn pointee(&self, (unit, pointer): Definition) -> Option<Definition> {
        Some((unit, self.units[unit as usize].module.pointee(pointer)?))
    }

    fn are_castable(&self, left: Definition, right: Definition) -> bool {
        let class = |node: Definition| match self.module(node).definition(node.1) {
            Some(inst) if inst.is(Op::TypePointer) || inst.is(Op::TypeUntypedPointerKHR) => {
                Some(inst.word(2))
            }
            _ => None,
        };
        class(left).is_some() && class(left) == class(right)
    }

    /// Returns true if a parameter is a pointer to an argument that is copied: the size of the pointee matters.
    fn is_by_value(&self, function: Definition, number: usize) -> bool {
        let module = self.module(function);
        let Some(function_of_parameter) = module.function(function.1) else { return false };
        let parameter = module.parameters(function_of_parameter).nth(number);
        let by_value = [Decoration::FuncParamAttr as u32, FunctionParameterAttribute::ByVal as u32];
        let decorations = parameter.map_or(&[][..], |inst| self.decorations((function.0, inst.word(2))));
        decorations.iter().any(|description| description.words(module) == by_value)
    }

    /// Returns true if two types or constants are the same, names aside. Pointers to structures that contain them may form cycles: pairs are
    /// assumed to be the same while they are compared.
    pub fn are_same(&self, left: Definition, right: Definition, classes: &mut Classes) -> bool {
        self.are_same_but(left, right, classes, &mut None)
    }

    /// Like [`DefinedTypes::are_same`], but adds functions and variables whose addresses are in constants to a list, if
    /// it exists, instead of comparing them.
    pub fn are_same_but(
        &self,
        left: Definition,
        right: Definition,
        classes: &mut Classes,
        addressed: &mut Option<Vec<(Definition, Definition)>>,
    ) -> bool {
        let mut open = vec![(left, right)];
        let mut tried = HashSet::new();
        while let Some((left, right)) = open.pop() {
            if left == right || classes.proved.contains(&(left, right)) || !tried.insert((left, right)) {
                continue;
            }
            if !self.match_one(left, right, &mut open, addressed) {
                return false;
            }
        }
        if addressed.as_ref().is_some_and(|addressed| !addressed.is_empty()) {
            return true;
        }
        for &(left, right) in &tried {
            classes.join(left, right);
        }
        classes.proved.extend(tried);
        true
    }

    fn match_one(
        &self,
        left: Definition,
        right: Definition,
        open: &mut Vec<(Definition, Definition)>,
        addressed: &mut Option<Vec<(Definition, Definition)>>,
    ) -> bool {
        let definition = |node: Definition| self.module(node).definition(node.1);
        let (Some(one), Some(other)) = (definition(left), definition(right)) else { return false };
        if one.result_id().is_none() {
            return false;
        }
        // Functions and variables are identified by their linkage.
        if matches!(one.op(), Some(Op::Function | Op::Variable | Op::UntypedVariableKHR)) {
            let Some(addressed) = addressed.as_mut().filter(|_| one.opcode() == other.opcode()) else {
                return false;
            };
            addressed.push((left, right));
            return true;
        }
        let lengths = [(left.0, &one), (right.0, &other)].map(|(unit, inst)| self.length(unit, inst));
        if let [Some(length), Some(other_length)] = lengths {
            // Compilers differ in the type of the length.
            open.push(((left.0, one.word(2)), (right.0, other.word(2))));
            if length != other_length {
                return false;
            }
        } else {
            let [one, other] = [(left, &one), (right, &other)].map(|(node, inst)| (self.module(node), inst));
            let is_same = are_equal_definitions(one, other, |id, other_id| {
                open.push(((left.0, id), (right.0, other_id)));
                true
            });
            if !is_same {
                return false;
            }
        }
        let [one, other] = [left, right].map(|node| (self.module(node), self.decorations(node)));
        are_described_equally(one, other, |id, other_id| {
            open.push(((left.0, id), (right.0, other_id)));
            true
        })
    }

    /// Returns the length of an array, if it is a plain number.
    pub fn length(&self, unit: u32, inst: &Instruction) -> Option<u64> {
        let length = if inst.is(Op::TypeArray) { inst.word(3) } else { return None };
        match self.units[unit as usize].module.definition_as(length, Op::Constant)?.words_from(3) {
            [low] => Some(u64::from(*low)),
            [low, high] => Some(u64::from(*high) << 32 | u64::from(*low)),
            _ => None,
        }
    }

    /// Returns the decorations of an id, sorted.
    pub fn decorations(&self, node: Definition) -> &[Description] {
        self.described[node.0 as usize].decorations(node.1)
    }

    /// Returns the type of a function or variable, in words.
    pub fn show(&self, node: Definition) -> String {
        let module = self.module(node);
        match module.definition(node.1) {
            Some(inst) if inst.is(Op::Function) => show_type(module, inst.word(4), DEPTH),
            Some(inst) => show_type(module, inst.word(1), DEPTH),
            None => String::new(),
        }
    }
}

/// The maximum depth of a type in a message.
const DEPTH: usize = 5;

/// Returns a type in words.
fn show_type(module: &Module, id: u32, depth: usize) -> String {
    let Some(inst) = module.definition(id).filter(|_| depth > 0) else { return "...".to_string() };
    let show = |id: u32| show_type(module, id, depth - 1);
    let list = |ids: &[u32]| {
        const SHOWN: usize = 12;
        let mut shown: Vec<String> = ids.iter().take(SHOWN).map(|&id| show(id)).collect();
        if ids.len() > SHOWN {
            shown.push("...".to_string());
        }
        shown.join(", ")
    };
    let class =
        |word: u32| StorageClass::from_u32(word).map_or(word.to_string(), |class| format!("{class:?}"));
    match inst.op() {
        Some(Op::TypeVoid) => "void".to_string(),
        Some(Op::TypeBool) => "bool".to_string(),
        Some(Op::TypeInt) => format!("{}int{}", if inst.word(3) == 0 { "u" } else { "" }, inst.word(2)),
        Some(Op::TypeFloat) => views::TypeFloat(inst).to_string(),
        Some(Op::TypeVector) => format!("vector of {} {}", inst.word(3), show(inst.word(2))),
        Some(Op::TypeArray) => match module.definition_as(inst.word(3), Op::Constant) {
            Some(length) => format!("array of {} {}", length.word(3), show(inst.word(2))),
            None => format!("array of {}", show(inst.word(2))),
        },
        Some(Op::TypeStruct) => format!("struct {{{}}}", list(&module.members(&inst).collect::<Vec<u32>>())),
        Some(Op::TypePointer) => format!("{} pointer to {}", class(inst.word(2)), show(inst.word(3))),
        Some(Op::TypeUntypedPointerKHR) => format!("{} pointer", class(inst.word(2))),
        Some(Op::TypeFunction) => format!("{} ({})", show(inst.word(2)), list(inst.words_from(3))),
        _ => inst.name(),
    }
}

//! Equal definitions of one name in two modules: word by word, except ids and lines. Compilers export the definitions of headers, and functions of
//! their own (`spirv.llvm_memset_p4_i64`), from every module.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, Op};

use super::Rules;
use super::globals::is_same_in_all_images;
use super::structural_equality::{Classes, DefinedTypes};
use super::unit::{Definition, place};
use crate::analysis::is_debug;
use crate::collections::sort;
use crate::loader::{Instruction, Module, views};
use crate::transform::definitions::{are_described_equally, are_equal};

/// The linkage names, as words.
pub(super) type LinkageNames<'m> = HashMap<Definition, &'m [u32]>;

/// Compares definitions.
pub(super) struct EqualDefinitions<'t, 'u, 'm> {
    types: &'t DefinedTypes<'u, 'm>,
    names: &'t LinkageNames<'m>,
    rules: Rules,
    /// Pairs that are equal if all open pairs are.
    same: HashSet<(Definition, Definition)>,
    /// Functions and variables that have no name to other modules, and that have to be compared.
    open: Vec<(Definition, Definition)>,
}

/// The difference of two definitions, in words.
type Difference = Box<str>;

impl<'t, 'u, 'm> EqualDefinitions<'t, 'u, 'm> {
    pub fn new(
        types: &'t DefinedTypes<'u, 'm>,
        names: &'t LinkageNames<'m>,
        rules: Rules,
    ) -> EqualDefinitions<'t, 'u, 'm> {
        EqualDefinitions { types, names, rules, same: HashSet::new(), open: Vec::new() }
    }

    /// Compares two functions, or two variables that are never written, or are one in the images of a program; the error is the first difference. The definitions that they
    /// refer to must be the same as well, or have the same linkage name.
    pub fn compare(
        &mut self,
        left: Definition,
        right: Definition,
        classes: &mut Classes,
    ) -> Result<(), Difference> {
        self.open = vec![(left, right)];
        while let Some((left, right)) = self.open.pop() {
            let compared = match (self.function(left), self.function(right)) {
                (true, true) => self.functions(left, right, classes),
                (false, false) => self.variables(left, right, classes),
                _ => Err(self.against(left, right)),
            };
            if compared.is_err() {
                self.same.clear();
                return compared;
            }
        }
        Ok(())
    }

    fn module(&self, node: Definition) -> &'m Module<'m> {
        self.types.units[node.0 as usize].module
    }

    fn function(&self, node: Definition) -> bool {
        self.module(node).is_function(node.1)
    }

    /// Returns the difference of two definitions, each shown by its own instruction.
    fn against(&self, left: Definition, right: Definition) -> Difference {
        let [one, other] = [left, right].map(|node| self.module(node).definition(node.1));
        self.differ((left.0, one.as_ref()), (right.0, other.as_ref()))
    }

    /// Returns the difference of two instructions.
    fn differ(&self, left: (u32, Option<&Instruction>), right: (u32, Option<&Instruction>)) -> Difference {
        let [one, other] = [left, right].map(|(unit, inst)| {
            let file = self.types.units[unit as usize].name;
            match inst.map(place) {
                Some((name, offset)) => (file, format!("{name} at byte offset {offset:#x}")),
                None => (file, "nothing more".to_string()),
            }
        });
        format!("{} has {}, and {} has {}", one.0, one.1, other.0, other.1).into()
    }

    fn functions(
        &mut self,
        left: Definition,
        right: Definition,
        classes: &mut Classes,
    ) -> Result<(), Difference> {
        let (left_module, right_module) = (self.module(left), self.module(right));
        let mut pairs = HashMap::from([(left.1, right.1)]);
        let mut one = code(left_module, left.1);
        let mut other = code(right_module, right.1);
        loop {
            let (one, other) = match (one.next(), other.next()) {
                (None, None) => break,
                (Some(one), Some(other)) if one.words()[0] == other.words()[0] => (one, other),
                (one, other) => return Err(self.differ((left.0, one.as_ref()), (right.0, other.as_ref()))),
            };
            let is_same = are_equal(left_module, &one, &other, |_, id, other_id| {
                match id != left.1 && (left_module.is_global(id) || left_module.is_function(id)) {
                    true => self.globals((left.0, id), (right.0, other_id), classes),
                    false => *pairs.entry(id).or_insert(other_id) == other_id,
                }
            });
            if !is_same {
                return Err(self.differ((left.0, Some(&one)), (right.0, Some(&other))));
            }
        }
        match (modes(left_module, left.1), modes(right_module, right.1)) {
            (Some(one), Some(other)) if one == other => {}
            _ => return Err("their execution modes differ".into()),
        }
        let is_different =
            |&(id, other_id): &(&u32, &u32)| !self.are_decorated_equally((left.0, *id), (right.0, *other_id));
        match pairs.iter().filter(is_different).min() {
            Some((&id, &other)) => Err(self.differ_in_decorations((left.0, id), (right.0, other))),
            None => Ok(()),
        }
    }

    fn differ_in_decorations(&self, left: Definition, right: Definition) -> Difference {
        let [one, other] = [left, right].map(|node| (self.types.units[node.0 as usize].name, node.1));
        format!("%{} in {} and %{} in {} have other decorations", one.1, one.0, other.1, other.0).into()
    }

    /// Returns true if two definitions outside of functions are the same. Functions and variables are compared by their linkage names; without
    /// such names they are compared later on.
    fn globals(&mut self, left: Definition, right: Definition, classes: &mut Classes) -> bool {
        if self.same.contains(&(left, right)) {
            return true;
        }
        let mut addressed = Some(Vec::new());
        if !self.types.are_same_but(left, right, classes, &mut addressed) {
            return false;
        }
        for pair in addressed.into_iter().flatten() {
            match (self.names.get(&pair.0), self.names.get(&pair.1)) {
                (Some(name), Some(other)) if name == other => {}
                (None, None) if self.same.insert(pair) => self.open.push(pair),
                (None, None) => {}
                _ => return false,
            }
        }
        self.same.insert((left, right));
        true
    }

    fn variables(
        &mut self,
        left: Definition,
        right: Definition,
        classes: &mut Classes,
    ) -> Result<(), Difference> {
        let definition = |node: Definition| self.module(node).definition_as(node.1, Op::Variable);
        let [Some(one), Some(other)] = [left, right].map(definition) else {
            return Err(self.against(left, right));
        };
        let (one, other) = (views::Variable(one), views::Variable(other));
        let is_one = self.rules == Rules::Images && is_same_in_all_images(&one);
        let values_are_same = match (one.initializer(), other.initializer()) {
            (Some(one), Some(other)) => self.globals((left.0, one), (right.0, other), classes),
            (None, None) => is_one,
            _ => false,
        };
        let same = values_are_same
            && one.storage_class() == other.storage_class()
            && self.types.are_same((left.0, one.type_id()), (right.0, other.type_id()), classes);
        if !same {
            return Err(self.against(left, right));
        }
        let module = self.module(left);
        let constant = [Decoration::Constant as u32];
        let is_constant =
            self.types.decorations(left).iter().any(|decoration| decoration.words(module) == constant);
        if !self.are_decorated_equally(left, right) {
            return Err(self.differ_in_decorations(left, right));
        }
        if is_constant || is_one {
            Ok(())
        } else {
            Err(format!("{}, which may be written", self.against(left, right)).into())
        }
    }

    /// Returns true if two ids have the same decorations, in which no ids differ.
    fn are_decorated_equally(&self, left: Definition, right: Definition) -> bool {
        let [one, other] = [left, right].map(|node| (self.module(node), self.types.decorations(node)));
        are_described_equally(one, other, |id, other_id| id == other_id)
    }
}

/// Returns the sorted execution modes of a function; `None` if some have ids, which differ between modules.
fn modes<'m>(module: &'m Module<'m>, function: u32) -> Option<Vec<&'m [u32]>> {
    let mut modes = Vec::new();
    for mode in module.execution_modes().filter(|mode| mode.entry_point() == function) {
        if mode.is(Op::ExecutionModeId) {
            return None;
        }
        modes.push(mode.words_from(2));
    }
    sort(&mut modes);
    Some(modes)
}

/// Returns the instructions of a function without lines and debug information.
fn code<'m>(module: &'m Module<'m>, id: u32) -> impl Iterator<Item = Instruction<'m>> {
    let function = module.function(id);
    let all = function.into_iter().flat_map(|function| module.body(function));
    all.filter(|inst| !inst.is_line() && !is_debug(module, inst))
}

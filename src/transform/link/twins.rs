//! Definitions of one name in two modules that are the same, word by word but for ids and lines. Compilers export what stands in headers, and
//! functions that they bring themselves (`spirv.llvm_memset_p4_i64`), from every module.

use std::collections::HashMap;

use spirv::{Decoration, Op};

use super::same::{Classes, Types};
use super::unit::Node;
use crate::analysis::is_debug;
use crate::loader::{Instruction, Module};

/// The linkage names, as words.
pub(super) type LinkageNames<'m> = HashMap<Node, &'m [u32]>;

/// Compares definitions.
pub(super) struct Twins<'t, 'u, 'm> {
    pub types: &'t Types<'u, 'm>,
    pub names: &'t LinkageNames<'m>,
    /// By module, once it is asked for: the decorations of each id; `None` where there are decoration groups.
    pub decorations: HashMap<u32, Option<Decorations<'m>>>,
}

/// By id, the words of its decorations without the target.
type Decorations<'m> = HashMap<u32, Vec<&'m [u32]>>;

impl<'m> Twins<'_, '_, 'm> {
    /// Whether two functions are the same, or two variables that nobody writes.
    pub fn are_twins(&mut self, left: Node, right: Node, classes: &mut Classes) -> bool {
        let [left_module, right_module] = [left, right].map(|node| self.types.units[node.0 as usize].module);
        match (left_module.function(left.1), right_module.function(right.1)) {
            (Some(_), Some(_)) => self.functions((left, left_module), (right, right_module), classes),
            (None, None) => self.variables(left, right, classes),
            _ => false,
        }
    }

    fn functions(
        &mut self,
        (left, left_module): (Node, &'m Module<'m>),
        (right, right_module): (Node, &'m Module<'m>),
        classes: &mut Classes,
    ) -> bool {
        let mut pairs = HashMap::from([(left.1, right.1)]);
        let mut own = code(left_module, left.1);
        let mut other = code(right_module, right.1);
        loop {
            let (own, other) = match (own.next(), other.next()) {
                (Some(own), Some(other)) if own.words()[0] == other.words()[0] => (own, other),
                (None, None) => break,
                _ => return false,
            };
            let mut next = 1;
            let mut same = true;
            left_module.walk(&own, &mut |at: usize, id: u32| {
                same = same && own.words()[next..at] == other.words()[next..at];
                next = at + 1;
                let other_id = other.words()[at];
                same = same
                    && match id != left.1 && (left_module.is_global(id) || left_module.function(id).is_some())
                    {
                        true => self.globals((left.0, id), (right.0, other_id), classes),
                        false => *pairs.entry(id).or_insert(other_id) == other_id,
                    };
            });
            if !same || own.words()[next..] != other.words()[next..] {
                return false;
            }
        }
        match (modes(left_module, left.1), modes(right_module, right.1)) {
            (Some(own), Some(other)) if own == other => {}
            _ => return false,
        }
        let Some([own, other]) = self.decorations([left.0, right.0]) else { return false };
        pairs.iter().all(|(id, other_id)| own.get(id) == other.get(other_id))
    }

    /// Functions and variables are the same if they have the same name; types and constants if they are.
    fn globals(&self, left: Node, right: Node, classes: &mut Classes) -> bool {
        match (self.names.get(&left), self.names.get(&right)) {
            (Some(name), Some(other)) => name == other,
            (None, None) => self.types.are_same(left, right, classes),
            _ => false,
        }
    }

    fn variables(&mut self, left: Node, right: Node, classes: &mut Classes) -> bool {
        let definition =
            |node: Node| self.types.units[node.0 as usize].module.definition_as(node.1, Op::Variable);
        let (Some(own), Some(other)) = (definition(left), definition(right)) else { return false };
        let (&[_, type_, _, class, value], &[_, other_type, _, other_class, other_value]) =
            (own.words(), other.words())
        else {
            return false;
        };
        let same = class == other_class
            && self.types.are_same((left.0, type_), (right.0, other_type), classes)
            && self.globals((left.0, value), (right.0, other_value), classes);
        let Some([own, other]) = self.decorations([left.0, right.0]) else { return false };
        let said = own.get(&left.1);
        let is_constant =
            said.is_some_and(|said| said.iter().any(|words| words[0] == Decoration::Constant as u32));
        same && is_constant && said == other.get(&right.1)
    }

    /// The decorations of each id of two modules, without the targets, in an order of their own.
    fn decorations(&mut self, units: [u32; 2]) -> Option<[&Decorations<'m>; 2]> {
        units.iter().for_each(|&unit| self.read_decorations(unit));
        let [Some(own), Some(other)] = units.map(|unit| self.decorations[&unit].as_ref()) else {
            return None;
        };
        Some([own, other])
    }

    fn read_decorations(&mut self, unit: u32) {
        let module = self.types.units[unit as usize].module;
        self.decorations.entry(unit).or_insert_with(|| {
            let mut found = Decorations::new();
            for inst in module.annotations() {
                match inst.op() {
                    Some(Op::Decorate | Op::DecorateId | Op::DecorateString) => {
                        found.entry(inst.word(1)).or_default().push(inst.words_from(2));
                    }
                    Some(Op::GroupDecorate) => return None,
                    _ => {}
                }
            }
            found.values_mut().for_each(|said| said.sort_unstable());
            Some(found)
        });
    }
}

/// The execution modes of a function, in an order of their own; `None` where some have ids, which differ between modules.
fn modes<'m>(module: &'m Module<'m>, function: u32) -> Option<Vec<&'m [u32]>> {
    let mut modes = Vec::new();
    for inst in module.head() {
        match inst.op() {
            Some(Op::ExecutionModeId) if inst.word(1) == function => return None,
            Some(Op::ExecutionMode) if inst.word(1) == function => modes.push(inst.words_from(2)),
            _ => {}
        }
    }
    modes.sort_unstable();
    Some(modes)
}

/// The instructions of a function without lines and debug information.
fn code<'m>(module: &'m Module<'m>, id: u32) -> impl Iterator<Item = Instruction<'m>> {
    let function = module.function(id);
    let all = function.into_iter().flat_map(|function| module.body(function));
    all.filter(|inst| !inst.is(Op::Line) && !inst.is(Op::NoLine) && !is_debug(module, inst))
}

//! The work-around for constants that are computed from addresses, which rusticl does not compile: functions compute them.

use std::collections::{HashMap, HashSet};

use spirv::Op;

use super::WorkAround;
use crate::analysis::{self, EdgeKinds, ReferenceGraph};
use crate::loader::{Function, Instruction, Module, views};
use crate::transform::insertion::{DecorationsById, InsertionPoints, renamed};
use crate::transform::removal::{Removal, count_words};
use crate::transform::{Edits, NewInstruction};

/// Limit on the instructions that functions get. Each function computes everything that it uses.
const MAX_INSTRUCTIONS: usize = 1 << 20;

/// Moves the constants that compute with pointers, and those that depend on them, into the functions that use them.
/// Those that other definitions outside of functions require stay: a variable keeps its initializer.
pub fn pointer_expressions(module: &Module) -> WorkAround {
    let unchanged = WorkAround::new(module);
    let expressions = analysis::pointer_expressions(module);
    if expressions.is_empty() {
        return unchanged;
    }
    let graph = ReferenceGraph::new(module);
    let moved = moved(module, &graph, &expressions);
    let mut mover = Mover {
        module,
        decorations: DecorationsById::new(module, moved.iter().copied()),
        annotations: InsertionPoints::find(module).annotations,
        defined: HashSet::new(),
        edits: Edits::new(module),
    };
    let mut count = 0;
    for function in module.functions() {
        let used = used(module, &graph, function, &moved);
        count += used.len();
        if count > MAX_INSTRUCTIONS {
            return unchanged;
        }
        if !used.is_empty() {
            mover.compute_in(function, &used);
        }
    }
    mover.remove(&moved);
    let is_moved =
        |&&offset: &&u32| module.instruction(offset).result_id().is_some_and(|id| moved.contains(&id));
    WorkAround { instructions: expressions.iter().filter(is_moved).count(), edits: mover.edits }
}

/// Returns the constants that functions can compute instead: the expressions and constants that depend on them, except
/// those that other definitions outside of functions refer to.
fn moved(module: &Module, graph: &ReferenceGraph, expressions: &[u32]) -> HashSet<u32> {
    let mut moved: HashSet<u32> = HashSet::new();
    let mut in_order: Vec<u32> = Vec::new();
    let every = EdgeKinds::all();
    for inst in module.globals() {
        let Some(id) = inst.result_id() else { continue };
        let follows = || graph.any_use(module, id, |used| moved.contains(&used));
        if expressions.binary_search(&inst.offset()).is_ok() || is_computable(module, &inst) && follows() {
            moved.insert(id);
            in_order.push(id);
        }
    }
    let others = module.globals().filter_map(|inst| inst.result_id()).filter(|id| !moved.contains(id));
    let of_attributes = graph.attributes(every).map(|(_, used)| used);
    // What stays keeps its operands.
    let mut stays: HashSet<u32> = of_attributes.chain(graph.module_targets(every)).collect();
    others.for_each(|id| graph.each_target(module, id, every, |used| _ = stays.insert(used)));
    for &id in in_order.iter().rev() {
        if stays.contains(&id) {
            moved.remove(&id);
            graph.each_use(module, id, |used| _ = stays.insert(used));
        }
    }
    moved
}

/// Returns true for a constant for which an instruction of functions exists.
fn is_computable(module: &Module, inst: &Instruction) -> bool {
    let is_composite = views::ConstantComposite::new(*inst).is_some();
    inst.is(Op::SpecConstantOp) || is_composite && module.continuations(inst).next().is_none()
}

/// Returns the moved constants that a function uses, and all from which they are computed, in the order of their definitions.
fn used(module: &Module, graph: &ReferenceGraph, function: &Function, moved: &HashSet<u32>) -> Vec<u32> {
    let kinds = EdgeKinds::USES | EdgeKinds::DEBUG;
    let mut reached: HashSet<u32> = HashSet::new();
    let mut pending = vec![function.id];
    while let Some(id) = pending.pop() {
        graph.each_target(module, id, kinds, |used| {
            if moved.contains(&used) && reached.insert(used) {
                pending.push(used);
            }
        });
    }
    let mut all: Vec<u32> = reached.into_iter().collect();
    module.sort_by_definition(&mut all);
    all
}

/// Moves constants into functions.
struct Mover<'m> {
    module: &'m Module<'m>,
    decorations: DecorationsById<'m>,
    annotations: u32,
    /// The constants that a function computes under their own ids.
    defined: HashSet<u32>,
    edits: Edits,
}

impl Mover<'_> {
    /// Has a function compute constants before anything else. The first function keeps the ids, with their names and decorations.
    fn compute_in(&mut self, function: &Function, constants: &[u32]) {
        let module = self.module;
        let Some(place) = after_variables(module, function) else { return };
        let mut ids: HashMap<u32, u32> = HashMap::new();
        for &id in constants {
            if !self.defined.insert(id) {
                let fresh = self.edits.fresh_id();
                self.decorations.copy(id, fresh, self.annotations, &mut self.edits);
                ids.insert(id, fresh);
            }
        }
        let mut words: Vec<u32> = Vec::new();
        for inst in constants.iter().filter_map(|&id| module.definition(id)) {
            words.extend(computation(&inst, renamed(module, &inst, &ids)));
        }
        for inst in module.body(function) {
            let initialized = views::Variable::new(inst)
                .and_then(|variable| Some((variable.id(), variable.initializer()?)))
                .filter(|(_, value)| self.defined.contains(value));
            if let Some((variable, value)) = initialized {
                let mut without = inst.words()[..4].to_vec();
                count_words(&mut without);
                self.edits.replace_words(&inst, &without);
                let value = ids.get(&value).copied().unwrap_or(value);
                NewInstruction::new(Op::Store, None, None, vec![variable, value]).write(&mut words);
            } else if !ids.is_empty() {
                let renamed = renamed(module, &inst, &ids);
                if renamed != inst.words() {
                    self.edits.replace_words(&inst, &renamed);
                }
            }
        }
        self.edits.insert_words(place, &words);
    }

    /// Removes the definitions outside of functions, and the descriptions of those that no function uses.
    fn remove(&mut self, moved: &HashSet<u32>) {
        let mut removal = Removal::default();
        let is_unused = |id: u32| moved.contains(&id) && !self.defined.contains(&id);
        for inst in self.module.globals() {
            match inst.result_id().filter(|id| self.defined.contains(id)) {
                Some(_) => self.edits.drop(&inst),
                None => {
                    removal.outside(self.module, &inst, &is_unused, &mut self.edits);
                }
            }
        }
    }
}

/// Returns the instruction with which a function computes a constant, from the renamed words of the constant.
fn computation(inst: &Instruction, renamed: Vec<u32>) -> Vec<u32> {
    let (operation, operands) = match views::SpecConstantOp::new(*inst) {
        Some(constant) => (constant.operation_number(), 4),
        None => (Op::CompositeConstruct as u32, 3),
    };
    let mut words = vec![operation, renamed[1], renamed[2]];
    words.extend_from_slice(&renamed[operands..]);
    count_words(&mut words);
    words
}

/// Returns the offset after the variables of a function; `None` for a declaration.
fn after_variables(module: &Module, function: &Function) -> Option<u32> {
    let is_in_first = |inst: &Instruction| !inst.ends_block();
    let first = module.body(function).take_while(is_in_first);
    let starts =
        |inst: &Instruction| matches!(inst.op(), Some(Op::Label | Op::Variable | Op::UntypedVariableKHR));
    first.filter(starts).last().filter(|_| !module.is_declaration(function)).map(|inst| inst.end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{instruction, module_of};

    /// Returns a module with a chain of constants, each computed from the previous one, and functions that load by the
    /// last one.
    fn chain(constants: u32, functions: u32) -> Vec<u32> {
        let [void, uint, pointer, function_type, variable, first] = [1, 2, 3, 4, 5, 6];
        let inst = |op: Op, operands: &[u32]| instruction(op as u16, operands);
        let mut all = vec![
            inst(Op::Capability, &[spirv::Capability::Addresses as u32]),
            inst(Op::Capability, &[spirv::Capability::Kernel as u32]),
            inst(Op::MemoryModel, &[2, 2]),
            inst(Op::TypeVoid, &[void]),
            inst(Op::TypeInt, &[uint, 32, 0]),
            inst(Op::TypePointer, &[pointer, 0, uint]),
            inst(Op::TypeFunction, &[function_type, void]),
            inst(Op::Variable, &[pointer, variable, 0]),
        ];
        for id in first..first + constants {
            all.push(inst(Op::SpecConstantOp, &[pointer, id, Op::Bitcast as u32, id - 1]));
        }
        let last = first + constants - 1;
        for id in (last + 1..).step_by(3).take(functions as usize) {
            all.push(inst(Op::Function, &[void, id, 0, function_type]));
            all.push(inst(Op::Label, &[id + 1]));
            all.push(inst(Op::Load, &[uint, id + 2, last]));
            all.push(inst(Op::Return, &[]));
            all.push(inst(Op::FunctionEnd, &[]));
        }
        module_of(last + 1 + 3 * functions, &all)
    }

    #[test]
    fn all_that_follows_moves() {
        let module = Module::from_words(chain(3, 2)).unwrap();
        let fixes = pointer_expressions(&module);
        assert_eq!(fixes.instructions, 1, "the others follow from it");
        let result = crate::writer::apply(&module, &fixes.edits).unwrap();
        let result = Module::from_words(result).unwrap();
        assert_eq!(result.globals().filter(|inst| inst.is(Op::SpecConstantOp)).count(), 0);
        let bitcasts = |function| result.body(function).filter(|inst| inst.is(Op::Bitcast)).count();
        assert_eq!(result.functions().iter().map(bitcasts).collect::<Vec<_>>(), [3, 3]);
    }

    /// Each of many functions would compute a long chain.
    #[test]
    fn work_is_bounded() {
        let module = Module::from_words(chain(1100, 1000)).unwrap();
        let fixes = pointer_expressions(&module);
        assert_eq!(fixes.instructions, 0);
        assert_eq!(crate::writer::apply(&module, &fixes.edits).unwrap(), module.words());
    }
}

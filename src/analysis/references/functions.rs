//! The ids that functions refer to outside of themselves.

use spirv::Op;

use super::scc::referred_first;
use crate::analysis::debug::{is_debug_operand, is_weak};
use crate::loader::{Function, Instruction, Module, SetKind};

/// The references of the function bodies of a module.
#[derive(Clone, Debug, Default)]
pub struct FunctionReferences {
    /// The ids that each function refers to outside of itself, each once per function. Debug information refers to what it does not keep by itself
    /// only in `debug`.
    pub ids: Vec<u32>,
    /// By function: the end of its ids.
    pub ends: Vec<u32>,
    /// Debug instructions that name something which may be removed: function and offset.
    pub debug: Vec<(usize, u32)>,
    /// The functions with an OpConditionalCopyObjectINTEL, in order.
    pub with_copies: Vec<usize>,
    /// By reference, as in `ids`: the number of uses by the function. `None` where such numbers do not tell of all.
    pub uses: Option<Vec<u16>>,
    /// True if functions refer to each other in a cycle.
    pub is_recursive: bool,
}

/// The words of a module whose uses are counted at most. In larger ones, that takes longer than finding them in single functions again.
pub const MOST_COUNTED: usize = 1 << 18;

/// Tells the ids of a function from those outside of it, function by function.
pub struct Collector<'m> {
    module: &'m Module<'m>,
    /// By id: the number of the function that was the last to refer to it.
    seen: Vec<u16>,
    /// The number of this function among those that were turned to, from one on.
    number: u16,
    start: u32,
    len: u32,
}

impl<'m> Collector<'m> {
    /// Starts without a function.
    pub fn new(module: &'m Module<'m>) -> Collector<'m> {
        Collector { module, seen: module.table_by_id(), number: 0, start: 0, len: 0 }
    }

    /// Turns to a function, which is read once.
    pub fn enter(&mut self, function: usize) {
        let Function { start, end, .. } = self.module.functions()[function];
        (self.start, self.len) = (start, end - start);
        self.number = self.number.checked_add(1).unwrap_or_else(|| {
            // The numbers are used up.
            self.seen.fill(0);
            1
        });
    }

    /// True if the function defines an id. Any other is added to `ids`, if the function has not referred to it before.
    #[inline]
    pub fn defines(&mut self, id: u32, ids: &mut Vec<u32>) -> bool {
        let offset = self.module.definition_offset(id).unwrap_or(0);
        if offset.wrapping_sub(self.start) < self.len {
            return true;
        }
        let seen = &mut self.seen[id as usize];
        if *seen != self.number {
            *seen = self.number;
            ids.push(id);
        }
        false
    }
}

impl FunctionReferences {
    /// Those of a module, with all that is conditional. Where uses are counted, also a table by id: of an id that a function defines, the number of
    /// uses there, its definition among them. Of others, it means nothing.
    pub fn of(module: &Module) -> (FunctionReferences, Option<Vec<u32>>) {
        let (found, of_own) = FunctionReferences::find(module);
        let functions = module.functions().len();
        let groups = (functions > 1).then(|| {
            referred_first(functions, |at, targets| {
                targets.extend(found.of_function(at).iter().filter_map(|&id| module.function_index(id)));
            })
        });
        let is_recursive = groups.is_some_and(|groups| groups.iter().any(|group| group.len() > 1));
        (FunctionReferences { is_recursive, ..found }, of_own)
    }

    fn find(module: &Module) -> (FunctionReferences, Option<Vec<u32>>) {
        let mut found = FunctionReferences::default();
        let is_plain = !module.has_unknown_instructions()
            && !module.has_conditional_copies()
            && ![SetKind::Debug, SetKind::NonSemantic].iter().any(|&kind| module.has_sets_of(kind));
        if is_plain
            && module.words().len() <= MOST_COUNTED
            && let Some(of_own) = found.count(module)
        {
            return (found, Some(of_own));
        }
        found = FunctionReferences::default();
        let mut collector = Collector::new(module);
        for (at, function) in module.functions().iter().enumerate() {
            collector.enter(at);
            for inst in module.range(function.lines, function.end) {
                match inst.op() {
                    Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR)
                        if module.set_kind(&inst) == Some(SetKind::Debug) =>
                    {
                        found.debug(&mut collector, at, &inst);
                        continue;
                    }
                    Some(Op::ConditionalCopyObjectINTEL) if found.with_copies.last() != Some(&at) => {
                        found.with_copies.push(at);
                    }
                    _ => {}
                }
                module.walk(&inst, &mut |_: usize, id: u32| {
                    collector.defines(id, &mut found.ids);
                });
            }
            found.ends.push(found.ids.len() as u32);
        }
        (found, None)
    }

    /// Finds references and counts uses. Gives the table by id, unless a function refers to what another one defines.
    fn count(&mut self, module: &Module) -> Option<Vec<u32>> {
        // Of what a function defines, the uses; of what it refers to, one more than the index of the reference.
        let mut table = vec![0u32; module.bound() as usize];
        let mut counts: Vec<u32> = Vec::new();
        let mut is_sound = true;
        for function in module.functions() {
            let first = self.ids.len() as u32;
            let len = function.end - function.start;
            for inst in module.range(function.lines, function.end) {
                module.walk(&inst, &mut |_: usize, id: u32| {
                    let offset = module.definition_offset(id).unwrap_or(0);
                    let entry = &mut table[id as usize];
                    if id == function.id {
                        // Other functions refer to it.
                    } else if offset.wrapping_sub(function.start) < len {
                        *entry += 1;
                    } else if *entry > first {
                        counts[*entry as usize - 1] += 1;
                    } else {
                        is_sound &= offset < module.globals_end() || module.is_function(id);
                        self.ids.push(id);
                        counts.push(1);
                        *entry = self.ids.len() as u32;
                    }
                });
            }
            self.ends.push(self.ids.len() as u32);
        }
        // They are kept as long as the module.
        self.ids.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.uses = counts.into_iter().map(|count| count.try_into().ok()).collect();
        self.uses.iter_mut().for_each(Vec::shrink_to_fit);
        is_sound.then_some(table)
    }

    fn debug(&mut self, collector: &mut Collector, at: usize, inst: &Instruction) {
        let module = collector.module;
        let mut names_removable = false;
        module.walk(inst, &mut |word: usize, id: u32| {
            if is_debug_operand(word) && is_weak(module, inst, id) {
                names_removable = true;
            } else {
                collector.defines(id, &mut self.ids);
            }
        });
        self.debug.extend(names_removable.then_some((at, inst.offset())));
    }

    /// The ids that a function refers to outside of itself.
    pub fn of_function(&self, function: usize) -> &[u32] {
        &self.ids[self.range(function)]
    }

    /// Their places among all.
    pub fn range(&self, function: usize) -> std::ops::Range<usize> {
        let start = function.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[function] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first and the last refer to a constant, the others to nothing but types.
    #[test]
    fn functions_that_are_many_refer_to_what_they_refer_to() {
        const FUNCTIONS: u32 = 1 << 16;
        const VOID: u32 = 1;
        const FUNCTION_TYPE: u32 = 2;
        const INT: u32 = 3;
        const CONSTANT: u32 = 4;
        const FIRST: u32 = 5;
        let inst = |op: Op, operands: &[u32]| {
            let first = (operands.len() as u32 + 1) << 16 | op as u32;
            [&[first], operands].concat()
        };
        let mut words = [
            vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, FIRST + 3 * FUNCTIONS, 0],
            inst(Op::TypeVoid, &[VOID]),
            inst(Op::TypeFunction, &[FUNCTION_TYPE, VOID]),
            inst(Op::TypeInt, &[INT, 32, 0]),
            inst(Op::Constant, &[INT, CONSTANT, 7]),
        ]
        .concat();
        for number in 0..FUNCTIONS {
            let id = FIRST + 3 * number;
            words.extend(inst(Op::Function, &[VOID, id, 0, FUNCTION_TYPE]));
            words.extend(inst(Op::Label, &[id + 1]));
            if number == 0 || number == FUNCTIONS - 1 {
                words.extend(inst(Op::CopyObject, &[INT, id + 2, CONSTANT]));
            }
            words.extend(inst(Op::Return, &[]));
            words.extend(inst(Op::FunctionEnd, &[]));
        }
        assert!(words.len() > MOST_COUNTED);
        let module = Module::from_words(&words).unwrap();
        let references = FunctionReferences::of(&module).0;
        let with_constant: Vec<usize> = (0..FUNCTIONS as usize)
            .filter(|&function| references.of_function(function).contains(&CONSTANT))
            .collect();
        assert_eq!(with_constant, [0, FUNCTIONS as usize - 1]);
    }
}

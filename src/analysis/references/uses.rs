//! Uses between definitions: the ids that each function and each definition outside of functions refers to.

use spirv::Op;

use crate::analysis::conditions::multi_target::{OP_DEVICE_REGISTRY_VERSION, condition_of};
use crate::analysis::debug::{is_debug_operand, is_weak};
use crate::loader::{Function, Instruction, Module, SetKind, views};

/// The uses between the definitions of a module, with all that is conditional.
///
/// Names, decorations, execution modes and interface lists use nothing: they go with what they describe.
#[derive(Clone, Debug, Default)]
pub struct DefinitionUses {
    /// The place behind a row's length in `used`, or 0, by id of a function or of a definition outside of functions. Few ids have a row,
    /// and a module may have any bound.
    rows: Vec<u32>,
    /// The rows one after the other, each the number of the used ids and these.
    used: Vec<u32>,
    /// The ids with rows that can be removed: functions, and definitions before them.
    pub removable: Vec<u32>,
    /// The ids that stay even if nothing uses them: unused definitions, and operands of instructions without a result.
    pub roots: Vec<u32>,
    /// The variables that only interface lists of entry points name, where some of these are conditional. A variable stays with one of the
    /// entry points.
    pub in_interfaces: Vec<u32>,
    /// Debug instructions in functions that name something which may be removed: the number of the function and the offset.
    pub debug: Vec<(usize, u32)>,
    /// The functions with an OpConditionalCopyObjectINTEL, in order.
    pub with_copies: Vec<usize>,
}

impl DefinitionUses {
    /// Finds the uses in a module. `attributes` are the offsets of its decorations and execution modes that may refer to ids.
    pub fn new(module: &Module, attributes: &[u32]) -> DefinitionUses {
        let mut finder = UseFinder {
            module,
            uses: DefinitionUses { rows: module.table_by_id(), ..DefinitionUses::default() },
            is_used: module.table_by_id(),
            is_start: module.table_by_id(),
            is_root: module.table_by_id(),
            starts: Vec::new(),
            length: 0,
        };
        module.outside_functions().for_each(|inst| finder.outside(&inst));
        for &offset in attributes {
            finder.mentions(&module.instruction(offset));
        }
        finder.functions();
        finder.finish()
    }

    /// Returns the ids that a function or a definition outside of functions uses. For a function these are the ids outside of it, each once.
    #[inline]
    pub fn of(&self, id: u32) -> &[u32] {
        let start = self.rows[id as usize] as usize;
        match start.checked_sub(1) {
            Some(length) => &self.used[start..start + self.used[length] as usize],
            None => &[],
        }
    }
}

struct UseFinder<'m> {
    module: &'m Module<'m>,
    uses: DefinitionUses,
    /// True for each id that something uses or mentions, so that it may be removed with its users.
    is_used: Vec<bool>,
    /// True for each id that is a root, or that an instruction without a row mentions.
    is_start: Vec<bool>,
    is_root: Vec<bool>,
    /// The ids that are such starts.
    starts: Vec<u32>,
    /// The place of the length of the row that was begun last.
    length: usize,
}

impl<'m> UseFinder<'m> {
    /// Adds an instruction outside of functions.
    fn outside(&mut self, inst: &Instruction) {
        let module = self.module;
        match inst.op() {
            Some(
                Op::Name
                | Op::MemberName
                | Op::DecorateString
                | Op::MemberDecorate
                | Op::MemberDecorateString
                | Op::GroupDecorate
                | Op::GroupMemberDecorate
                | Op::ExecutionMode
                | Op::ExecutionModeId
                | Op::TypeForwardPointer,
            ) => {}
            Some(Op::Decorate | Op::DecorateId) => {
                condition_of(inst).into_iter().for_each(|condition| self.mention(condition));
            }
            Some(Op::EntryPoint) => self.root(views::EntryPoint(*inst).function()),
            Some(Op::ConditionalEntryPointINTEL) => {
                let entry = views::EntryPoint(*inst);
                self.mention(entry.function());
                entry.condition().into_iter().for_each(|condition| self.mention(condition));
                self.uses.in_interfaces.extend_from_slice(entry.interface());
            }
            Some(Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL) => {
                self.mention(inst.word(1));
            }
            // Its operand is a number, not an id.
            None if inst.opcode() == OP_DEVICE_REGISTRY_VERSION => {}
            _ => match inst.result_id() {
                Some(id) => {
                    self.definition(inst, id);
                    let is_removable = inst.offset() < module.globals_end()
                        && !inst.is(Op::ExtInst)
                        && !inst.is(Op::ExtInstWithForwardRefsKHR);
                    match is_removable {
                        true => self.uses.removable.push(id),
                        false => self.root(id),
                    }
                }
                None => module.walk(inst, &mut |_: usize, id: u32| self.root(id)),
            },
        }
    }

    fn definition(&mut self, inst: &Instruction, id: u32) {
        let module = self.module;
        let is_debug = module.set_kind(inst) == Some(SetKind::Debug);
        self.open_row(id);
        module.walk(inst, &mut |at: usize, used: u32| {
            if used != id && !(is_debug && is_debug_operand(at) && is_weak(module, inst, used)) {
                self.add(used);
            }
        });
    }

    /// Begins the row of an id.
    fn open_row(&mut self, id: u32) {
        self.uses.used.push(0);
        self.uses.rows[id as usize] = self.uses.used.len() as u32;
        self.length = self.uses.used.len() - 1;
    }

    /// Adds an id to the row that was begun last.
    fn add(&mut self, used: u32) {
        self.uses.used.push(used);
        self.uses.used[self.length] += 1;
        self.is_used[used as usize] = true;
    }

    /// Adds an id that is used as long as an instruction without a row stays.
    fn mention(&mut self, id: u32) {
        self.is_used[id as usize] = true;
        self.start(id);
    }

    fn start(&mut self, id: u32) {
        if !std::mem::replace(&mut self.is_start[id as usize], true) {
            self.starts.push(id);
        }
    }

    fn root(&mut self, id: u32) {
        self.mention(id);
        if !std::mem::replace(&mut self.is_root[id as usize], true) {
            self.uses.roots.push(id);
        }
    }

    /// Adds a decoration or an execution mode, which uses ids as long as its target stays, or the group of decorations that has one.
    fn mentions(&mut self, inst: &Instruction) {
        match inst.op() {
            Some(Op::GroupDecorate | Op::GroupMemberDecorate) => {
                self.mention(views::GroupDecorate(*inst).group());
            }
            _ => self.module.walk(inst, &mut |at: usize, id: u32| {
                if at > 1 {
                    self.mention(id);
                }
            }),
        }
    }

    fn functions(&mut self) {
        let module = self.module;
        let mut collector = ReferenceCollector::new(module);
        let mut ids = Vec::new();
        for (at, function) in module.functions().iter().enumerate() {
            self.uses.removable.push(function.id);
            collector.enter(at);
            for inst in module.range(function.lines, function.end) {
                if module.set_kind(&inst) == Some(SetKind::Debug) {
                    let mut names_removable = false;
                    module.walk(&inst, &mut |word: usize, id: u32| {
                        if is_debug_operand(word) && is_weak(module, &inst, id) {
                            names_removable = true;
                        } else {
                            collector.defines(id, &mut ids);
                        }
                    });
                    self.uses.debug.extend(names_removable.then_some((at, inst.offset())));
                    continue;
                }
                if inst.is(Op::ConditionalCopyObjectINTEL) && self.uses.with_copies.last() != Some(&at) {
                    self.uses.with_copies.push(at);
                }
                module.walk(&inst, &mut |_: usize, id: u32| {
                    collector.defines(id, &mut ids);
                });
            }
            self.open_row(function.id);
            ids.drain(..).for_each(|id| self.add(id));
        }
    }

    /// Finds the roots that nothing uses.
    fn finish(mut self) -> DefinitionUses {
        let mut in_interfaces = std::mem::take(&mut self.uses.in_interfaces);
        in_interfaces.sort_unstable();
        in_interfaces.dedup();
        in_interfaces.retain(|&id| !self.is_used[id as usize]);
        in_interfaces.iter().for_each(|&id| self.start(id));
        let removable = std::mem::take(&mut self.uses.removable);
        let is_unused =
            |finder: &UseFinder, id: u32| !finder.is_used[id as usize] && !finder.is_start[id as usize];
        for &id in &removable {
            if is_unused(&self, id) {
                self.root(id);
            }
        }
        // What refers to itself in a circle is not used, either.
        let UseFinder { mut uses, is_start: mut is_reached, starts: mut stack, .. } = self;
        while let Some(id) = stack.pop() {
            for &used in uses.of(id) {
                if !std::mem::replace(&mut is_reached[used as usize], true) {
                    stack.push(used);
                }
            }
        }
        uses.roots.extend(removable.iter().filter(|&&id| !is_reached[id as usize]));
        (uses.removable, uses.in_interfaces) = (removable, in_interfaces);
        // They are kept as long as the module.
        let lists = [&mut uses.used, &mut uses.removable, &mut uses.roots, &mut uses.in_interfaces];
        lists.into_iter().for_each(Vec::shrink_to_fit);
        uses
    }
}

/// Tells the ids of a function from those outside of it, function by function.
pub struct ReferenceCollector<'m> {
    module: &'m Module<'m>,
    /// The number of the last function that refers to an id, by id.
    seen: Vec<u16>,
    /// The number of the current function, counted from 1.
    number: u16,
    start: u32,
    len: u32,
}

impl<'m> ReferenceCollector<'m> {
    /// Starts without a function.
    pub fn new(module: &'m Module<'m>) -> ReferenceCollector<'m> {
        ReferenceCollector { module, seen: module.table_by_id(), number: 0, start: 0, len: 0 }
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
        let module = Module::from_words(&words).unwrap();
        let uses = DefinitionUses::new(&module, &[]);
        let functions = module.functions().iter().map(|function| function.id);
        let with_constant: Vec<u32> = functions.filter(|&id| uses.of(id).contains(&CONSTANT)).collect();
        assert_eq!(with_constant, [FIRST, FIRST + 3 * (FUNCTIONS - 1)]);
    }
}

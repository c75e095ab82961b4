//! The instructions that only prepare the arguments of calls: they go with calls that are removed.

use std::collections::HashSet;

use spirv::{MemoryAccess, Op};

use crate::analysis::debug::is_debug;
use crate::loader::{Function, Instruction, Module, views};

/// The instructions of a function, besides these calls, that nothing needs without the calls: those that compute arguments, and variables
/// that are then only stored to, with the stores, and with debug information of either. As offsets, in order.
pub fn of_calls(module: &Module, function: &Function, calls: &HashSet<u32>) -> Vec<u32> {
    let stays = |inst: &Instruction| !inst.is(Op::FunctionCall) || !calls.contains(&inst.offset());
    idle(module, calls.iter().copied(), || Users::of_function(module, function, stays))
}

/// The instructions that only prepare the arguments of the conditional calls of a module: found once, however often some of them are removed.
#[derive(Debug, Default)]
pub struct Preparation(Vec<OfFunction>);

/// Those of one function. Offsets, in order.
#[derive(Debug)]
struct OfFunction {
    function: usize,
    calls: Vec<u32>,
    /// What nothing needs without all these calls. Nothing else can be idle without some of them.
    instructions: Vec<u32>,
}

impl Preparation {
    /// That of the calls among the conditional ids of a module.
    pub fn of(module: &Module, conditional: &[u32]) -> Preparation {
        let place = |&id: &u32| {
            let call = module.definition_as(id, Op::FunctionCall)?;
            Some((module.function_of(id)?, call.offset()))
        };
        let mut calls: Vec<(usize, u32)> = conditional.iter().filter_map(place).collect();
        calls.sort_unstable();
        let by_function = calls.chunk_by(|(one, _), (other, _)| one == other).map(|calls| {
            let function = calls[0].0;
            let calls: Vec<u32> = calls.iter().map(|&(_, offset)| offset).collect();
            let all = calls.iter().copied().collect();
            let instructions = of_calls(module, &module.functions()[function], &all);
            OfFunction { function, calls, instructions }
        });
        Preparation(by_function.filter(|found| !found.instructions.is_empty()).collect())
    }

    /// What nothing needs without the calls whose result is removed, in functions that are not. As offsets, in order.
    pub fn without(&self, module: &Module, is_removed: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        for own in &self.0 {
            let function = &module.functions()[own.function];
            let is_kept = |&&call: &&u32| !is_removed(views::Value(module.instruction(call)).id());
            match own.calls.iter().filter(is_kept).count() {
                _ if is_removed(function.id) => {}
                0 => found.extend_from_slice(&own.instructions),
                kept if kept == own.calls.len() => {}
                _ => {
                    let mut users: Vec<u32> = own.calls.iter().filter(is_kept).copied().collect();
                    users.extend_from_slice(&own.instructions);
                    users.sort_unstable();
                    let removed = own.calls.iter().filter(|call| !is_kept(call)).copied();
                    found.extend(idle(module, removed, || Users::among(module, &users)));
                }
            }
        }
        found
    }
}

/// What nothing needs without these calls, where others use what is computed.
fn idle<'m>(
    module: &'m Module<'m>,
    calls: impl Iterator<Item = u32>,
    users: impl FnOnce() -> Users<'m>,
) -> Vec<u32> {
    let arguments = |offset: u32| views::FunctionCall(module.instruction(offset)).arguments();
    let mut idle: Vec<u32> = calls.flat_map(arguments).copied().collect();
    if idle.is_empty() {
        // There is nothing to prepare.
        return Vec::new();
    }
    let mut users = users();
    while let Some(id) = idle.pop() {
        let Some(place) = users.place_of(id).filter(|&place| !users.dropped[place]) else { continue };
        let inst = module.instruction(users.places.offset(place));
        let mut gone = Vec::new();
        if is_pure(module, &inst) && users.of(id).next().is_none() {
            gone.push(inst);
        } else if let Some(only_written) = users.only_written(inst) {
            gone = only_written;
        } else {
            // What points into a variable may be in use by stores alone.
            idle.extend(pointed_into(&inst));
        }
        for inst in gone {
            users.drop(&inst);
            module.walk(&inst, &mut |_, operand: u32| idle.push(operand));
        }
    }
    let dropped = users.dropped.iter().enumerate().filter(|(_, dropped)| **dropped);
    dropped.map(|(place, _)| users.places.offset(place)).collect()
}

/// The numbers of instructions.
enum Places<'m> {
    /// All of a function: offsets from its start.
    Function(&'m Function),
    /// Those at these offsets, in order.
    Listed(&'m [u32]),
}

impl Places<'_> {
    fn of(&self, offset: u32) -> Option<usize> {
        match self {
            Places::Function(function) => {
                (function.start..function.end).contains(&offset).then(|| (offset - function.start) as usize)
            }
            Places::Listed(offsets) => offsets.binary_search(&offset).ok(),
        }
    }

    fn offset(&self, place: usize) -> u32 {
        match self {
            Places::Function(function) => function.start + place as u32,
            Places::Listed(offsets) => offsets[place],
        }
    }
}

/// The instructions that use what some instructions define.
struct Users<'m> {
    module: &'m Module<'m>,
    places: Places<'m>,
    /// By the place of a definition: the number of the last use of its id, counted from 1, or 0.
    last: Vec<u32>,
    uses: Vec<Use>,
    /// By place: true where an instruction starts that is dropped.
    dropped: Vec<bool>,
}

/// A use of an id.
struct Use {
    /// The offset of the instruction.
    offset: u32,
    /// True for a debug instruction that describes the id: it is dropped with it.
    is_debug: bool,
    /// The number of the use before it of the same id, or 0.
    before: u32,
}

impl<'m> Users<'m> {
    /// Those of all that a function defines, but for some instructions.
    fn of_function(
        module: &'m Module<'m>,
        function: &'m Function,
        stays: impl Fn(&Instruction) -> bool,
    ) -> Users<'m> {
        let count = (function.end - function.start) as usize;
        let instructions = module.body(function).filter(stays);
        Users::with(module, Places::Function(function), count, instructions)
    }

    /// Those among instructions of what they define.
    fn among(module: &'m Module<'m>, offsets: &'m [u32]) -> Users<'m> {
        let instructions = offsets.iter().map(|&offset| module.instruction(offset));
        Users::with(module, Places::Listed(offsets), offsets.len(), instructions)
    }

    fn with(
        module: &'m Module<'m>,
        places: Places<'m>,
        count: usize,
        instructions: impl Iterator<Item = Instruction<'m>>,
    ) -> Users<'m> {
        let (last, dropped) = (vec![0; count], vec![false; count]);
        let mut users = Users { module, places, last, uses: Vec::new(), dropped };
        for inst in instructions {
            let (offset, is_debug) = (inst.offset(), is_debug(module, &inst));
            module.walk(&inst, &mut |_, id: u32| {
                if let Some(place) = users.place_of(id) {
                    users.uses.push(Use { offset, is_debug, before: users.last[place] });
                    users.last[place] = users.uses.len() as u32;
                }
            });
        }
        users
    }

    /// The place of the definition of an id.
    #[inline]
    fn place_of(&self, id: u32) -> Option<usize> {
        self.places.of(self.module.definition_offset(id)?)
    }

    /// The uses of an id, the last first.
    fn uses(&self, id: u32) -> impl Iterator<Item = &Use> {
        let last = self.place_of(id).map_or(0, |place| self.last[place]);
        let number = |number: u32| self.uses.get((number as usize).checked_sub(1)?);
        std::iter::successors(number(last), move |found| number(found.before))
    }

    fn is_dropped(&self, offset: u32) -> bool {
        self.places.of(offset).is_some_and(|place| self.dropped[place])
    }

    /// The instructions that still use an id, without its definition and debug information.
    fn of(&self, id: u32) -> impl Iterator<Item = Instruction<'m>> {
        let uses = self.uses(id).filter(|found| !found.is_debug && !self.is_dropped(found.offset));
        uses.map(|found| self.module.instruction(found.offset))
            .filter(move |inst| inst.result_id() != Some(id))
    }

    /// Drops an instruction with the debug information on its result.
    fn drop(&mut self, inst: &Instruction) {
        let described = inst.result_id().into_iter().flat_map(|id| self.uses(id));
        let debug: Vec<u32> = described.filter(|found| found.is_debug).map(|found| found.offset).collect();
        for offset in debug.into_iter().chain([inst.offset()]) {
            if let Some(place) = self.places.of(offset) {
                self.dropped[place] = true;
            }
        }
    }

    /// A variable of a function with all that uses it, if nothing reads it.
    fn only_written(&self, variable: Instruction<'m>) -> Option<Vec<Instruction<'m>>> {
        if !variable.is(Op::Variable) {
            return None;
        }
        let (mut found, mut pointers) = (vec![variable], vec![views::Variable(variable).id()]);
        while let Some(pointer) = pointers.pop() {
            for user in self.of(pointer) {
                match user.op() {
                    Some(Op::Store) => {
                        let store = views::Store(user);
                        let volatile = store.memory_access() & MemoryAccess::VOLATILE.bits() != 0;
                        if store.object() == pointer || volatile {
                            return None;
                        }
                    }
                    Some(Op::LifetimeStart | Op::LifetimeStop) => {}
                    _ if pointed_into(&user) == Some(pointer) => pointers.extend(user.result_id()),
                    _ => return None,
                }
                found.push(user);
            }
        }
        Some(found)
    }
}

/// The pointer that an instruction makes another of.
pub(super) fn pointed_into(inst: &Instruction) -> Option<u32> {
    match inst.op()? {
        Op::AccessChain
        | Op::InBoundsAccessChain
        | Op::PtrAccessChain
        | Op::InBoundsPtrAccessChain
        | Op::Bitcast
        | Op::PtrCastToGeneric
        | Op::GenericCastToPtr
        | Op::CopyObject => Some(inst.word(3)),
        _ => None,
    }
}

/// True for an instruction that does nothing but compute its result.
pub(super) fn is_pure(module: &Module, inst: &Instruction) -> bool {
    let volatile =
        |inst: &Instruction| views::Load(*inst).memory_access() & MemoryAccess::VOLATILE.bits() != 0;
    match inst.op() {
        Some(Op::Load) => !volatile(inst),
        Some(Op::Undef | Op::PtrAccessChain | Op::InBoundsPtrAccessChain) => true,
        Some(Op::ExtInst) => is_function_of_values(module, views::ExtInst(*inst)),
        Some(op) => PURE.iter().any(|(first, last)| (*first as u32..=*last as u32).contains(&(op as u32))),
        None => false,
    }
}

/// True for an extended instruction that computes a value from values. In these sets, what has an effect has a pointer (`printf`, `modf`), and so
/// have interpolations, which depend on other invocations.
fn is_function_of_values(module: &Module, inst: views::ExtInst) -> bool {
    let set = module.definition_as(inst.set(), Op::ExtInstImport);
    let mut only_values = set.is_some_and(|set| SETS.contains(&&*set.string(2)));
    module.walk(&inst, &mut |_, id: u32| {
        let type_ = module.type_of(id).and_then(|type_| module.definition(type_));
        only_values &= type_.and_then(views::AnyPointer::of).is_none();
    });
    only_values
}

const SETS: [&str; 2] = ["GLSL.std.450", "OpenCL.std"];

/// The opcodes, from one to another, of instructions that only compute (specification, "Composite Instructions", "Conversion Instructions",
/// "Arithmetic Instructions", "Bit Instructions", "Relational and Logical Instructions").
const PURE: [(Op, Op); 5] = [
    (Op::AccessChain, Op::InBoundsAccessChain),
    (Op::VectorExtractDynamic, Op::Transpose),
    (Op::ConvertFToU, Op::Bitcast),
    (Op::SNegate, Op::SMulExtended),
    (Op::Any, Op::BitCount),
];

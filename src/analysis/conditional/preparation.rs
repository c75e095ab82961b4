//! The instructions that only prepare the arguments of calls: they go with calls that are removed.

use std::collections::HashSet;

use spirv::{MemoryAccess, Op};

use crate::analysis::debug::is_debug;
use crate::loader::{Function, Instruction, Module, views};

/// The instructions of a function, besides these calls, that nothing needs without the calls: those that compute arguments, and variables
/// that are then only stored to, with the stores, and with debug information of either. As offsets, in order.
pub fn of_calls(module: &Module, function: &Function, calls: &HashSet<u32>) -> Vec<u32> {
    let arguments = |&offset: &u32| views::FunctionCall(module.instruction(offset)).arguments().iter();
    if calls.iter().all(|call| arguments(call).next().is_none()) {
        // There is nothing to prepare.
        return Vec::new();
    }
    let mut idle: Vec<u32> = calls.iter().flat_map(arguments).copied().collect();
    let mut users = Users::outside_of(module, function, calls);
    while let Some(id) = idle.pop() {
        let Some(place) = module.place_in(function, id).filter(|&place| !users.dropped[place]) else {
            continue;
        };
        let inst = module.instruction(function.start + place as u32);
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
    let dropped = (function.start..).zip(&users.dropped).filter(|(_, dropped)| **dropped);
    dropped.map(|(offset, _)| offset).collect()
}

/// The instructions that use the ids that a function defines, in the function without some calls. A place is an offset from its start.
struct Users<'m> {
    module: &'m Module<'m>,
    function: &'m Function,
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
    fn outside_of(module: &'m Module, function: &'m Function, calls: &HashSet<u32>) -> Users<'m> {
        let words = (function.end - function.start) as usize;
        let (last, dropped) = (vec![0; words], vec![false; words]);
        let mut users = Users { module, function, last, uses: Vec::new(), dropped };
        for inst in module.body(function) {
            let offset = inst.offset();
            if inst.is(Op::FunctionCall) && calls.contains(&offset) {
                continue;
            }
            let is_debug = is_debug(module, &inst);
            module.walk(&inst, &mut |_, id: u32| {
                if let Some(place) = module.place_in(function, id) {
                    users.uses.push(Use { offset, is_debug, before: users.last[place] });
                    users.last[place] = users.uses.len() as u32;
                }
            });
        }
        users
    }

    /// The uses of an id, the last first.
    fn uses(&self, id: u32) -> impl Iterator<Item = &Use> {
        let last = self.module.place_in(self.function, id).map_or(0, |place| self.last[place]);
        let number = |number: u32| self.uses.get((number as usize).checked_sub(1)?);
        std::iter::successors(number(last), move |found| number(found.before))
    }

    fn is_dropped(&self, offset: u32) -> bool {
        self.dropped[(offset - self.function.start) as usize]
    }

    /// The instructions that still use an id, without its definition and debug information.
    fn of(&self, id: u32) -> impl Iterator<Item = Instruction<'m>> {
        let uses = self.uses(id).filter(|found| !found.is_debug && !self.is_dropped(found.offset));
        uses.map(|found| self.module.instruction(found.offset))
            .filter(move |inst| inst.result_id() != Some(id))
    }

    /// Drops an instruction with the debug information on its result.
    fn drop(&mut self, inst: &Instruction) {
        let start = self.function.start;
        let described = inst.result_id().into_iter().flat_map(|id| self.uses(id));
        let debug: Vec<u32> = described.filter(|found| found.is_debug).map(|found| found.offset).collect();
        for offset in debug.into_iter().chain([inst.offset()]) {
            self.dropped[(offset - start) as usize] = true;
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

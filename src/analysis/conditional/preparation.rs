//! The instructions that only prepare the arguments of calls: they go with calls that are removed.

use std::collections::{HashMap, HashSet};

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
    let mut users = Users::default();
    let mut idle = Vec::new();
    for inst in module.body(function) {
        if calls.contains(&inst.offset()) {
            idle.extend_from_slice(views::FunctionCall(inst).arguments());
        } else if is_debug(module, &inst) {
            module.walk(&inst, &mut |_, id: u32| users.debug.entry(id).or_default().push(inst.offset()));
        } else {
            module.walk(&inst, &mut |_, id: u32| users.by_id.entry(id).or_default().push(inst));
        }
    }
    let inside = |inst: &Instruction| (function.start..function.end).contains(&inst.offset());
    while let Some(id) = idle.pop() {
        let Some(inst) = module.definition(id).filter(inside) else { continue };
        if users.dropped.contains(&inst.offset()) {
            continue;
        }
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
            users.dropped.insert(inst.offset());
            let described = inst.result_id().and_then(|id| users.debug.remove(&id));
            users.dropped.extend(described.into_iter().flatten());
            module.walk(&inst, &mut |_, operand: u32| idle.push(operand));
        }
    }
    let mut dropped: Vec<u32> = users.dropped.into_iter().collect();
    dropped.sort_unstable();
    dropped
}

/// The instructions that use ids, in a function without some calls.
#[derive(Default)]
struct Users<'m> {
    by_id: HashMap<u32, Vec<Instruction<'m>>>,
    /// The debug instructions that describe ids, as offsets: they are dropped with what they describe.
    debug: HashMap<u32, Vec<u32>>,
    /// The instructions that are dropped, as offsets.
    dropped: HashSet<u32>,
}

impl<'m> Users<'m> {
    /// The instructions that still use an id, without its definition.
    fn of(&self, id: u32) -> impl Iterator<Item = Instruction<'m>> {
        let users = self.by_id.get(&id).into_iter().flatten().copied();
        users.filter(move |inst| inst.result_id() != Some(id) && !self.dropped.contains(&inst.offset()))
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

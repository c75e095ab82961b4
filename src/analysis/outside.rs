//! The instructions outside of functions, as far as the removal of ids concerns them: found once for a module, however often parts of it are
//! removed.

use spirv::{BuiltIn, Decoration, Op};

use super::conditions::multi_target::{OP_DEVICE_REGISTRY_VERSION, condition_of};
use super::constants::{find_spec_ids, is_device_constant};
use super::debug::is_debug;
use super::entry_points::interface::{is_bound, is_location};
use super::references::functions::MOST_COUNTED;
use crate::loader::{Instruction, Module, SetKind, views};

/// The instructions outside of functions.
#[derive(Debug, Default)]
pub struct Outside {
    /// Those that are removed with an id and do not change otherwise, in order.
    pub removable: Vec<Removable>,
    /// Those that are looked at whatever becomes of an id: they may change otherwise, or are conditions. In order.
    pub changeable: Vec<Removable>,
    /// The execution modes, the groups of decorations, and the decorations that refer to ids or keep their target, in order. Where there are
    /// groups, all decorations. In no case those with conditions.
    pub attributes: Vec<u32>,
    /// The specialization constants that are computed from others, and those that no host can set, in order.
    pub computed: Vec<u32>,
    /// By id, the number of its uses by instructions that keep it. For what no function defines: those outside of functions, but for conditional
    /// declarations and entry points, and one for each function that refers to it, if [these are counted](Outside::is_counted). For what a function
    /// defines: those in the function, if these are counted where references of functions are found. Else it means nothing.
    pub uses: Vec<u16>,
    /// True if the uses of what no function defines are counted. Not where more than such uses counts: there is debug information, or an
    /// instruction that the grammar does not have, one refers into a function, or an id has more uses than fit. Nor for large modules with
    /// conditions: there, counting takes longer than marking.
    pub is_counted: bool,
    /// True if definitions may refer to each other: one is declared before it is defined, refers to itself or a function, or is decorated with an id
    /// that is defined after it.
    pub may_be_cyclic: bool,
}

/// An instruction that is removed with an id, in eight bytes.
#[derive(Clone, Copy, Debug)]
pub struct Removable {
    offset: u32,
    /// The id, in the lower bits, and flags.
    id: u32,
}

/// The bits that an id takes.
const ID: u32 = (1 << 22) - 1;
const CONDITION: u32 = 1 << 29;
const DEFINES: u32 = 1 << 30;
const CHANGES: u32 = 1 << 31;

impl Removable {
    /// The offset of the instruction.
    pub fn offset(self) -> u32 {
        self.offset
    }

    /// The id: what it defines or describes, or 0.
    pub fn id(self) -> u32 {
        self.id & ID
    }

    /// True if it defines the id.
    pub fn defines(self) -> bool {
        self.id & DEFINES != 0
    }

    /// True if it decorates the id with a condition.
    pub fn is_condition(self) -> bool {
        self.id & CONDITION != 0
    }

    /// True if it may have to change otherwise: a conditional declaration, an entry point, an execution mode, a specialization constant or its
    /// SpecId, a group of decorations, or debug information.
    pub fn changes(self) -> bool {
        self.id & CHANGES != 0
    }
}

impl Outside {
    /// Those of a module.
    pub fn of(module: &Module) -> Outside {
        let mut outside = Outside::default();
        let has_groups = module.globals().any(|inst| is_group(&inst));
        let is_known = !module.has_unknown_instructions() && !module.has_sets_of(SetKind::Debug);
        let mut uses = is_known.then(|| vec![0; module.bound() as usize]);
        let spec_ids = find_spec_ids(module);
        let can_be_set = |id: u32| spec_ids.binary_search_by_key(&id, |own| own.id).is_ok();
        for inst in module.outside_functions() {
            outside.add(module, &inst, &mut uses);
            if inst.offset() >= module.globals_end() {
                continue;
            }
            match inst.op() {
                Some(
                    Op::SpecConstantOp | Op::SpecConstantComposite | Op::SpecConstantCompositeReplicateEXT,
                ) => {
                    outside.computed.push(inst.offset());
                }
                Some(Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse)
                    if !can_be_set(views::Value(inst).id()) =>
                {
                    outside.computed.push(inst.offset());
                }
                _ if is_attribute(module, &inst, has_groups) => outside.attributes.push(inst.offset()),
                _ => {}
            }
        }
        // They are kept as long as the module.
        outside.removable.shrink_to_fit();
        outside.changeable.shrink_to_fit();
        let lists = [&mut outside.attributes, &mut outside.computed];
        lists.into_iter().for_each(Vec::shrink_to_fit);
        let is_used = |uses: &[u32], id: u32| uses[id as usize] != 0 && is_local(module, id);
        let small = uses
            .filter(|uses| !(0..module.bound()).any(|id| is_used(uses, id)))
            .and_then(|uses| uses.into_iter().map(u16::try_from).collect::<Result<Vec<_>, _>>().ok());
        outside.is_counted = small.is_some();
        outside.uses = small.unwrap_or_default();
        outside.uses.shrink_to_fit();
        outside
    }

    /// Counts what functions refer to outside of themselves, each id once per function.
    pub fn add_references(&mut self, ids: &[u32]) {
        if self.is_counted {
            let mut add = |&id: &u32| {
                let uses = &mut self.uses[id as usize];
                let fits = *uses < u16::MAX;
                *uses += u16::from(fits);
                fits
            };
            self.is_counted = ids.iter().all(&mut add);
        }
    }

    /// Adds the uses of ids that functions define, by id; what the table has of others means nothing. False, with nothing added, if they do not fit.
    pub fn add_local(&mut self, module: &Module, uses: &[u32]) -> bool {
        let local = || (0..).zip(uses).filter(|&(id, &count)| count != 0 && is_local(module, id));
        let fits = local().all(|(_, &count)| u16::try_from(count).is_ok());
        if fits {
            self.uses.resize(uses.len(), 0);
            local().for_each(|(id, &count)| self.uses[id as usize] = count as u16);
        }
        fits
    }

    fn add(&mut self, module: &Module, inst: &Instruction, uses: &mut Option<Vec<u32>>) {
        let (mut id, mut flags, mut keeps) = (inst.result_id().unwrap_or(0), 0, true);
        let mut has_conditions = false;
        if id != 0 {
            flags |= DEFINES;
        }
        match inst.op() {
            Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                (id, flags, keeps) = (views::ExecutionMode(*inst).entry_point(), CHANGES, false);
            }
            Some(Op::TypeForwardPointer) => {
                self.may_be_cyclic = true;
                (id, keeps) = (views::TypeForwardPointer(*inst).pointer_type(), false);
            }
            Some(
                Op::Name
                | Op::MemberName
                | Op::DecorateString
                | Op::MemberDecorate
                | Op::MemberDecorateString,
            ) => (id, keeps) = (views::Annotation(*inst).target(), false),
            Some(Op::Decorate | Op::DecorateId) => {
                (id, keeps) = (views::Annotation(*inst).target(), false);
                let decoration = views::Decoration(*inst);
                if decoration.is_a(Decoration::SpecId) {
                    flags = CHANGES;
                } else if decoration.is_a(Decoration::ConditionalINTEL) {
                    flags = CONDITION;
                    has_conditions = true;
                } else if inst.is(Op::DecorateId) {
                    let target = module.definition_offset(id);
                    module.walk(inst, &mut |_: usize, id: u32| {
                        self.may_be_cyclic |= module.definition_offset(id) > target;
                    });
                }
            }
            Some(Op::GroupDecorate | Op::GroupMemberDecorate) => (id, flags, keeps) = (0, CHANGES, false),
            Some(Op::EntryPoint) => {
                (flags, keeps) = (CHANGES, false);
                if let Some(uses) = uses {
                    uses[views::EntryPoint(*inst).function() as usize] += 1;
                }
            }
            Some(
                Op::ConditionalEntryPointINTEL
                | Op::ConditionalCapabilityINTEL
                | Op::ConditionalExtensionINTEL,
            ) => {
                (flags, keeps) = (CHANGES, false);
                has_conditions = true;
            }
            Some(
                Op::SpecConstant
                | Op::SpecConstantTrue
                | Op::SpecConstantFalse
                | Op::SpecConstantOp
                | Op::SpecConstantComposite
                | Op::SpecConstantCompositeReplicateEXT,
            ) => flags |= CHANGES,
            _ if is_device_constant(inst) => {
                flags |= CHANGES;
                has_conditions = true;
            }
            _ if is_debug(module, inst) => flags |= CHANGES,
            None if inst.opcode() == OP_DEVICE_REGISTRY_VERSION => *uses = None,
            _ => {}
        }
        if has_conditions && module.words().len() > MOST_COUNTED {
            *uses = None;
        }
        let own = Removable { offset: inst.offset(), id: id | flags };
        match flags & (CHANGES | CONDITION) {
            0 if id == 0 => {}
            0 => self.removable.push(own),
            _ => self.changeable.push(own),
        }
        if let Some(uses) = uses.as_mut().filter(|_| keeps) {
            let mut own = 0;
            module.walk(inst, &mut |_: usize, id: u32| {
                uses[id as usize] += 1;
                let offset = module.definition_offset(id).unwrap_or(u32::MAX);
                own += u32::from(offset == inst.offset());
                self.may_be_cyclic |= offset > inst.offset();
            });
            self.may_be_cyclic |= own > 1;
        }
    }
}

fn is_group(inst: &Instruction) -> bool {
    matches!(inst.op(), Some(Op::GroupDecorate | Op::GroupMemberDecorate))
}

/// True if an instruction is one of [`Outside::attributes`].
fn is_attribute(module: &Module, inst: &Instruction, has_groups: bool) -> bool {
    match inst.op() {
        Some(Op::Decorate | Op::DecorateId) if condition_of(inst).is_some() => false,
        Some(Op::Decorate | Op::MemberDecorate | Op::DecorateString | Op::MemberDecorateString) => {
            let decoration = views::Decoration(*inst);
            has_groups
                || is_location(decoration.decoration())
                || is_bound(decoration.decoration())
                || decoration.is_built_in(BuiltIn::WorkgroupSize)
                || decoration.is_a(Decoration::LinkageAttributes)
                || refers(module, inst)
        }
        Some(Op::DecorateId | Op::ExecutionMode | Op::ExecutionModeId) => true,
        _ => is_group(inst),
    }
}

/// True if an id is defined inside of a function.
fn is_local(module: &Module, id: u32) -> bool {
    let is_behind = module.definition_offset(id).is_some_and(|offset| offset >= module.globals_end());
    is_behind && !module.is_function(id) && module.function_of(id).is_some()
}

/// True if a decoration refers to an id besides its target.
fn refers(module: &Module, inst: &Instruction) -> bool {
    let mut refers = false;
    module.walk(inst, &mut |at: usize, _: u32| refers |= at > 1);
    refers
}

//! The names and decorations of a variant's ids, decoration groups expanded.

use spirv::Op;

use crate::loader::{Instruction, Module, views};

/// A name or decoration of an id, or of a member of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Description {
    target: u32,
    /// The opcode of an instruction that says it of the id alone.
    pub opcode: u16,
    /// The member, where it is of one.
    pub member: Option<u32>,
    /// The instruction that says it.
    offset: u32,
    /// The number of the first word of what it says.
    from: u32,
}

impl Description {
    /// The instruction that says it.
    pub fn instruction<'m>(&self, module: &'m Module) -> Instruction<'m> {
        module.instruction(self.offset)
    }

    /// The number of the first word of what it says.
    pub fn from(&self) -> usize {
        self.from as usize
    }

    /// What it says, as words.
    pub fn words<'m>(&self, module: &'m Module) -> &'m [u32] {
        self.instruction(module).words_from(self.from())
    }

    /// True for a name, which changes nothing that the module does.
    pub fn is_name(&self) -> bool {
        self.opcode == Op::Name as u16 || self.opcode == Op::MemberName as u16
    }

    /// Calls `each` with the numbers of the words that are ids in what it says, and with these ids.
    pub fn ids(&self, module: &Module, each: &mut impl FnMut(usize, u32)) {
        let from = self.from();
        module.walk(&self.instruction(module), &mut |at: usize, id: u32| {
            if at >= from {
                each(at, id);
            }
        });
    }
}

/// All names and decorations, by id.
pub(super) struct Descriptions {
    list: Vec<Description>,
    /// By id: the number of those of smaller ids.
    starts: Vec<u32>,
}

impl Descriptions {
    pub fn of_module(module: &Module) -> Descriptions {
        let mut list = Vec::new();
        for inst in module.annotations() {
            match inst.op() {
                Some(Op::Name | Op::Decorate | Op::DecorateId | Op::DecorateString)
                    if module.definition_as(inst.word(1), Op::DecorationGroup).is_none() =>
                {
                    list.push(describe(inst.word(1), None, &inst));
                }
                Some(Op::MemberName | Op::MemberDecorate | Op::MemberDecorateString) => {
                    list.push(describe(inst.word(1), Some(inst.word(2)), &inst));
                }
                Some(Op::GroupDecorate) => {
                    for own in of_group(module, inst.word(1)) {
                        let targets = inst.words_from(2).iter();
                        list.extend(targets.map(|&target| describe(target, None, &own)));
                    }
                }
                Some(Op::GroupMemberDecorate) => {
                    for own in of_group(module, inst.word(1)) {
                        let members = inst.words_from(2).as_chunks().0.iter();
                        list.extend(members.map(|&[target, member]| describe(target, Some(member), &own)));
                    }
                }
                _ => {}
            }
        }
        list.sort_by(|left, right| {
            let key = |own: &Description| (own.target, own.opcode, own.member);
            key(left).cmp(&key(right)).then_with(|| left.words(module).cmp(right.words(module)))
        });
        let mut starts = vec![0; module.bound() as usize + 1];
        for own in &list {
            if let Some(count) = starts.get_mut(own.target as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Descriptions { list, starts }
    }

    /// The names and decorations of an id: names first, each kind sorted.
    #[inline]
    pub fn of(&self, id: u32) -> &[Description] {
        match self.starts.get(id as usize..id as usize + 2) {
            Some(&[start, end]) => &self.list[start as usize..end as usize],
            _ => &[],
        }
    }
}

fn describe(target: u32, member: Option<u32>, inst: &Instruction) -> Description {
    let is_of_member =
        matches!(inst.op(), Some(Op::MemberName | Op::MemberDecorate | Op::MemberDecorateString));
    let opcode = match (inst.op(), member) {
        (Some(Op::Decorate), Some(_)) => Op::MemberDecorate as u16,
        (Some(Op::DecorateString), Some(_)) => Op::MemberDecorateString as u16,
        _ => inst.opcode(),
    };
    let from = if is_of_member { 3 } else { 2 };
    Description { target, opcode, member, offset: inst.offset(), from }
}

/// The decorations of a decoration group.
fn of_group<'m>(module: &'m Module, group: u32) -> impl Iterator<Item = Instruction<'m>> {
    let is_group = module.definition_as(group, Op::DecorationGroup).is_some();
    let decorations = module.decorations().filter(move |own| is_group && own.target() == group);
    decorations.filter(|own| own.member().is_none()).map(|own: views::Decoration| *own)
}

//! Copies of composite values to other types, member by member.

use spirv::Op;

use crate::loader::{Instruction, Module, views};
use crate::transform::Edits;
use crate::transform::edits::NewInstruction;

/// The maximum number of parts of a value that is copied member by member.
const MAX_PARTS: usize = 1024;

/// Returns the words of OpCompositeExtract and OpCompositeConstruct that compute the result of an OpCopyLogical; `None` if its types do not
/// match, the length of an array is not known, or there are too many parts.
pub(super) fn members(module: &Module, inst: &Instruction, edits: &mut Edits) -> Option<Vec<u32>> {
    let [type_id, result] = inst.typed_result()?;
    let value = inst.word(3);
    let mut copy = MemberCopy { module, value, edits, path: Vec::new(), parts: 0, words: Vec::new() };
    copy.construct(type_id, module.type_of(value)?, result)?;
    Some(copy.words)
}

/// The copy of one value.
struct MemberCopy<'c, 'm> {
    module: &'c Module<'m>,
    value: u32,
    edits: &'c mut Edits,
    /// The indices of the part that is copied.
    path: Vec<u32>,
    parts: usize,
    words: Vec<u32>,
}

impl MemberCopy<'_, '_> {
    /// Copies a part. Returns its id.
    fn part(&mut self, to: u32, from: u32) -> Option<u32> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let result = self.edits.fresh_id();
        if to == from {
            let operands = [&[self.value], self.path.as_slice()].concat();
            NewInstruction::new(Op::CompositeExtract, Some(to), Some(result), operands)
                .write(&mut self.words);
        } else {
            self.construct(to, from, result)?;
        }
        Some(result)
    }

    /// Copies the members of a part, whose types differ.
    fn construct(&mut self, to: u32, from: u32, result: u32) -> Option<()> {
        let (to_members, from_members) = (members_of(self.module, to)?, members_of(self.module, from)?);
        if to_members.len() != from_members.len() {
            return None;
        }
        let mut copies = Vec::with_capacity(to_members.len());
        for (index, (to, from)) in (0..).zip(to_members.into_iter().zip(from_members)) {
            self.path.push(index);
            copies.push(self.part(to, from)?);
            self.path.pop();
        }
        NewInstruction::new(Op::CompositeConstruct, Some(to), Some(result), copies).write(&mut self.words);
        Some(())
    }
}

/// Returns the types of the members of a structure, or of the elements of an array.
fn members_of(module: &Module, type_id: u32) -> Option<Vec<u32>> {
    let type_ = module.definition(type_id)?;
    let members: Vec<u32> = match type_.op()? {
        Op::TypeStruct => module.members(&type_).take(MAX_PARTS + 1).collect(),
        Op::TypeArray => {
            let array = views::TypeArray(type_);
            let length = module.constant(array.length())?.low_word();
            let length = usize::try_from(length).ok().filter(|&length| length <= MAX_PARTS)?;
            vec![array.element_type(); length]
        }
        _ => return None,
    };
    (members.len() <= MAX_PARTS).then_some(members)
}

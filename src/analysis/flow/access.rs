//! Parts of composites and of variables.

use spirv::Op;

use crate::analysis::constants::folding::Scalar;
use crate::loader::{Module, views};

/// The maximum depth of a scalar in a composite.
const MAX_DEPTH: usize = 4;
/// The maximum index of a constituent.
const MAX_INDEX: u32 = 0xfffe;

/// The position of a scalar in a composite: its indexes from the outermost in. Each index is incremented by one and takes 16 bits, the
/// outermost lowest. Zero is the whole composite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PartPath(u64);

impl PartPath {
    pub fn is_whole(self) -> bool {
        self.0 == 0
    }

    pub fn first(self) -> Option<u32> {
        (self.0 != 0).then(|| (self.0 as u32 & 0xffff) - 1)
    }

    pub fn rest(self) -> PartPath {
        PartPath(self.0 >> 16)
    }

    /// Returns this path inside of the part that indexes lead to.
    pub fn inside(self, indexes: &[u32]) -> Option<PartPath> {
        indexes.iter().rev().try_fold(self, |path, &index| {
            (path.0 >> (16 * (MAX_DEPTH - 1)) == 0 && index <= MAX_INDEX)
                .then(|| PartPath(path.0 << 16 | u64::from(index + 1)))
        })
    }

    /// Returns the rest of the path after these indexes, if it begins with them.
    pub fn after(self, indexes: &[u32]) -> Option<PartPath> {
        indexes.iter().try_fold(self, |path, &index| (path.first()? == index).then(|| path.rest()))
    }

    /// Returns the scalar type of the part of a type.
    pub fn scalar_in(self, module: &Module, mut type_id: u32) -> Option<Scalar> {
        let mut path = self;
        while let Some(index) = path.first() {
            type_id = module.part_type(type_id, index)?;
            path = path.rest();
        }
        Scalar::from_type(module, type_id)
    }
}

/// An index of an access chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum AccessIndex {
    Literal(u32),
    /// A value, by id.
    Value(u32),
}

/// The part of a variable that a pointer refers to.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// Variable or parameter, by id.
    pub root: u32,
    /// Indexes from the outermost to the innermost.
    pub indexes: Vec<AccessIndex>,
}

impl Access {
    /// Follows access chains from a pointer to a variable or parameter. `None` if there are more indexes than a [`PartPath`] holds, or the pointer
    /// comes from elsewhere.
    pub fn new(module: &Module, pointer: u32) -> Option<Access> {
        let mut indexes = Vec::new();
        let root = module.follow_pointer(pointer, |inst| {
            let more_indexes = match inst.op()? {
                Op::AccessChain | Op::InBoundsAccessChain => views::AccessChain(inst).indexes(),
                Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
                    let chain = views::PtrAccessChain(inst);
                    let element = module.constant(chain.element())?;
                    (element.low_word() == 0).then_some(())?;
                    chain.indexes()
                }
                _ => return None,
            };
            (indexes.len() + more_indexes.len() <= MAX_DEPTH).then_some(())?;
            let index = |&id: &u32| match module.constant(id) {
                Some(constant) => AccessIndex::Literal(constant.low_word()),
                None => AccessIndex::Value(id),
            };
            indexes.splice(0..0, more_indexes.iter().map(index));
            Some(())
        })?;
        let is_followed = root.is(Op::Variable) || root.is(Op::FunctionParameter);
        Some(Access { root: root.result_id().filter(|_| is_followed)?, indexes })
    }
}

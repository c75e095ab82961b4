//! Vector types.

use spirv::Op;

use crate::loader::Module;

/// How many components are looked at one by one: a module of a few words may claim to have vectors of 2^32.
const FEW: u32 = 64;

/// A vector type: OpTypeVector, or OpTypeVectorIdEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vector {
    /// The type of its components.
    pub component: u32,
    /// How many components it has; `None` where a specialization constant says it.
    pub count: Option<u32>,
}

impl Vector {
    /// The vector type that an id stands for; `None` for other types.
    #[inline]
    pub fn of(module: &Module, type_id: u32) -> Option<Vector> {
        let inst = module.definition(type_id)?;
        if inst.is(Op::TypeVector) {
            return Some(Vector { component: inst.word(2), count: Some(inst.word(3)) });
        }
        let is_long = inst.is(Op::TypeVectorIdEXT);
        is_long.then(|| {
            let count = module.definition_as(inst.word(3), Op::Constant);
            Vector { component: inst.word(2), count: count.map(|count| count.word(3)) }
        })
    }

    /// How many components it has, if they are few enough to look at each of them.
    pub fn few(self) -> Option<u32> {
        self.count.filter(|&count| count <= FEW)
    }

    /// The vector type of a value; `None` for a value of another type.
    pub fn of_value(module: &Module, id: u32) -> Option<Vector> {
        Vector::of(module, module.definition(id)?.result_type()?)
    }
}

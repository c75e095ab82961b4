//! Vector types, of any spelling.

use crate::loader::{Module, views};

/// The maximum number of components that are examined one by one: a module of a few words may claim to have vectors of
/// 2^32 components.
const FEW: u32 = 64;

/// A vector type: OpTypeVector, or OpTypeVectorIdEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vector {
    /// The type of its components.
    pub component: u32,
    /// The number of components; `None` if it is a specialization constant.
    pub count: Option<u32>,
}

impl Vector {
    /// Returns the vector type with an id, or `None` for other types.
    #[inline]
    pub fn from_type(module: &Module, type_id: u32) -> Option<Vector> {
        let inst = module.definition(type_id)?;
        if let Some(vector) = views::TypeVector::new(inst) {
            return Some(Vector {
                component: vector.component_type(),
                count: Some(vector.component_count()),
            });
        }
        let vector = views::TypeVectorIdEXT::new(inst)?;
        let count = module.constant(vector.component_count());
        Some(Vector { component: vector.component_type(), count: count.map(|count| count.low_word()) })
    }

    /// Returns the number of components, if they are few enough to look at each of them.
    pub fn few(self) -> Option<u32> {
        self.count.filter(|&count| count <= FEW)
    }

    /// Returns the vector type of a value; `None` for a value of another type.
    pub fn from_value(module: &Module, id: u32) -> Option<Vector> {
        Vector::from_type(module, module.type_of(id)?)
    }
}

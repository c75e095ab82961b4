//! The interface of a module to its host and to other stages.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use serde::Serialize;
use spirv::{Decoration, ExecutionModel, Op, StorageClass};

use super::ids::SpecId;
use super::module::Module;
use crate::analysis::constants::find_spec_constants;
use crate::loader::{self, views};

/// The interface of a module: the parts that pipeline layouts, other stages and hosts refer to.
///
/// [`Prepared::removed_interface`](crate::Prepared::removed_interface) returns the part of it that specializing removed.
///
/// ```
/// let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
/// let interface = spirv_if::module::Interface::new(&spirv_if::Module::from_bytes(&bytes)?);
/// assert_eq!(interface.entry_points.iter().next().unwrap().name, "main");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Interface {
    /// The entry points.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub entry_points: BTreeSet<StageName>,
    /// The bindings of descriptors.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub bindings: BTreeSet<Binding>,
    /// The locations of variables: inputs and outputs of a stage, and others of their kind.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub locations: BTreeSet<Location>,
    /// The blocks of push constants.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub push_constants: BTreeSet<PushConstants>,
    /// The SpecIds of specialization constants.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub spec_ids: BTreeSet<SpecId>,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct StageName {
    /// The name.
    pub name: String,
    /// The execution model, such as `GLCompute`.
    pub stage: String,
}

/// The binding of a descriptor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct Binding {
    /// The number of its descriptor set.
    pub set: u32,
    /// The number in the set.
    pub binding: u32,
    /// The name of its variable, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct Location {
    /// The storage class of its variable, such as `Input`.
    pub storage_class: String,
    /// The number.
    pub location: u32,
    /// The first component.
    pub component: u32,
    /// The name of its variable, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A block of push constants.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct PushConstants {
    /// The number of its members.
    pub members: usize,
    /// The name of its variable, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Interface {
    /// Reads the interface of a module. Variables whose names were removed have none.
    pub fn new(module: &Module) -> Interface {
        Interface::read(&module.inner)
    }

    pub(super) fn read(module: &loader::Module) -> Interface {
        let mut interface = Interface::default();
        for entry in module.entry_points() {
            let stage = match ExecutionModel::from_u32(entry.execution_model()) {
                Some(model) => format!("{model:?}"),
                None => entry.execution_model().to_string(),
            };
            interface.entry_points.insert(StageName { name: entry.name().into_owned(), stage });
        }
        interface
            .spec_ids
            .extend(find_spec_constants(module).iter().map(|constant| SpecId(constant.spec_id)));
        let names: HashMap<u32, views::Name> = module.names().map(|name| (name.target(), name)).collect();
        let decorations = BindingDecorations::new(module);
        for variable in module.globals() {
            let (id, storage_class, block) = match variable.op() {
                Some(Op::Variable) => {
                    let variable = views::Variable(variable);
                    let block = module.pointee(variable.type_id()).map(|type_| module.without_arrays(type_));
                    (variable.id(), variable.storage_class(), block)
                }
                Some(Op::UntypedVariableKHR) => {
                    let variable = views::UntypedVariableKHR(variable);
                    (variable.id(), variable.storage_class(), Some(variable.data_type()))
                }
                _ => continue,
            };
            let name = names.get(&id).map(|name| name.name().into_owned()).filter(|name| !name.is_empty());
            if let Some(binding) = decorations.number(id, None, Decoration::Binding) {
                let set = decorations.number(id, None, Decoration::DescriptorSet).unwrap_or(0);
                interface.bindings.insert(Binding { set, binding, name: name.clone() });
            }
            let members = block
                .and_then(|block| module.definition_as(block, Op::TypeStruct))
                .map_or(0, |block| block.words().len().saturating_sub(2));
            if storage_class == StorageClass::PushConstant as u32 {
                interface.push_constants.insert(PushConstants { members, name: name.clone() });
            }
            let variable = std::iter::once((id, None));
            let of_members = (0..members as u32).map(|member| (block.unwrap_or(0), Some(member)));
            for (target, member) in variable.chain(of_members) {
                let Some(location) = decorations.number(target, member, Decoration::Location) else {
                    continue;
                };
                let component = decorations.number(target, member, Decoration::Component).unwrap_or(0);
                let storage_class = match StorageClass::from_u32(storage_class) {
                    Some(class) => format!("{class:?}"),
                    None => storage_class.to_string(),
                };
                let name = name.clone();
                interface.locations.insert(Location { storage_class, location, component, name });
            }
        }
        interface
    }

    /// Returns the part of the interface that another does not have. Names of variables are ignored. Blocks of push constants are equal if
    /// they have the same number of members.
    pub fn without(&self, other: &Interface) -> Interface {
        let mut left = self.clone();
        left.entry_points.retain(|item| !other.entry_points.contains(item));
        remove(&mut left.bindings, &other.bindings, |item| (item.set, item.binding));
        remove(&mut left.locations, &other.locations, |item| {
            (item.storage_class.clone(), item.location, item.component)
        });
        remove(&mut left.push_constants, &other.push_constants, |item| item.members);
        left.spec_ids.retain(|item| !other.spec_ids.contains(item));
        left
    }

    /// Returns true if it has nothing.
    pub fn is_empty(&self) -> bool {
        *self == Interface::default()
    }
}

/// Removes the items whose key exists in the other list.
fn remove<T: Ord, K: Eq + Hash>(items: &mut BTreeSet<T>, others: &BTreeSet<T>, key: impl Fn(&T) -> K) {
    let others: HashSet<K> = others.iter().map(&key).collect();
    items.retain(|item| !others.contains(&key(item)));
}

/// The numbers of the decorations of an interface, by target, member and decoration.
struct BindingDecorations(BTreeMap<(u32, Option<u32>, u32), u32>);

impl BindingDecorations {
    fn new(module: &loader::Module) -> BindingDecorations {
        let mut numbers = BTreeMap::new();
        let relevant =
            [Decoration::Binding, Decoration::DescriptorSet, Decoration::Location, Decoration::Component];
        for decoration in module.decorations() {
            if let (Some(_), &[number]) =
                (relevant.iter().find(|candidate| decoration.is_a(**candidate)), decoration.operands())
            {
                numbers.insert((decoration.target(), decoration.member(), decoration.decoration()), number);
            }
        }
        for group in module.group_decorations().filter(|group| group.is(Op::GroupDecorate)) {
            for decoration in relevant {
                if let Some(&number) = numbers.get(&(group.group(), None, decoration as u32)) {
                    group.targets().for_each(|target| {
                        numbers.insert((target, None, decoration as u32), number);
                    });
                }
            }
        }
        BindingDecorations(numbers)
    }

    fn number(&self, target: u32, member: Option<u32>, decoration: Decoration) -> Option<u32> {
        self.0.get(&(target, member, decoration as u32)).copied()
    }
}

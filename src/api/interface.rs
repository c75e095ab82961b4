//! The interface of a module to its host and to other stages.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::Hash;
use std::ops::Range;

use serde::Serialize;
use spirv::{Decoration, ExecutionModel, Op, StorageClass};

use super::ids::SpecId;
use super::module::Module;
use crate::analysis::ReferenceGraph;
use crate::analysis::constants::{Constants, find_spec_constants};
use crate::analysis::limits::layout::Layouts;
use crate::analysis::resources::{self, StagesById};
use crate::collections::IdMap;
use crate::loader::{self, views};

pub use crate::analysis::resources::DescriptorType;

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
    /// The type of its descriptors; `None` for a variable that Vulkan has no descriptor for.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub descriptor_type: Option<DescriptorType>,
    /// The number of its descriptors, by the defaults of specialization constants; `None` for an array without a length.
    pub count: Option<u32>,
    /// The execution models of the entry points that use it, such as `GLCompute`.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub stages: BTreeSet<String>,
}

impl Binding {
    /// Returns its stages as VkShaderStageFlags.
    pub fn stage_flags(&self) -> u32 {
        stage_flags(&self.stages)
    }
}

impl PushConstants {
    /// Returns its stages as VkShaderStageFlags.
    pub fn stage_flags(&self) -> u32 {
        stage_flags(&self.stages)
    }
}

fn stage_flags(models: &BTreeSet<String>) -> u32 {
    models.iter().fold(0, |flags, model| flags | resources::stage_flag(model))
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
    /// The offset of its first byte, rounded down to a multiple of four, as VkPushConstantRange has it.
    pub offset: u32,
    /// The number of bytes up to its end, rounded up to a multiple of four, by the defaults of specialization constants. 0 if they have no
    /// offsets.
    pub size: u32,
    /// The execution models of the entry points that use it, such as `GLCompute`.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub stages: BTreeSet<String>,
}

impl Interface {
    /// Reads the interface of a module. Variables whose names were removed have none.
    pub fn new(module: &Module) -> Interface {
        let stages = StagesById::new(&module.inner, &ReferenceGraph::new(&module.inner));
        Interface::read(&module.inner, &|id| stages.models(id).into_iter().map(stage_name).collect())
    }

    /// Reads the interface without stages from the words before the functions of a module.
    pub(super) fn without_stages(head: &loader::Module) -> Interface {
        Interface::read(head, &|_| BTreeSet::new())
    }

    fn read(module: &loader::Module, stages: &dyn Fn(u32) -> BTreeSet<String>) -> Interface {
        let mut interface = Interface::default();
        for entry in module.entry_points() {
            let (name, stage) = (entry.name().into_owned(), stage_name(entry.execution_model()));
            interface.entry_points.insert(StageName { name, stage });
        }
        interface
            .spec_ids
            .extend(find_spec_constants(module).iter().map(|constant| SpecId(constant.spec_id)));
        let names: IdMap<views::Name> = module.names().map(|name| (name.target(), name)).collect();
        let decorations = BindingDecorations::new(module);
        let mut constants = Constants::defaults(module);
        for variable in module.globals() {
            let (id, storage_class, type_id) = match variable.op() {
                Some(Op::Variable) => {
                    let variable = views::Variable(variable);
                    (variable.id(), variable.storage_class(), module.pointee(variable.type_id()))
                }
                Some(Op::UntypedVariableKHR) => {
                    let variable = views::UntypedVariableKHR(variable);
                    (variable.id(), variable.storage_class(), Some(variable.data_type()))
                }
                _ => continue,
            };
            let block = type_id.map(|type_id| module.without_arrays(type_id));
            let name = names.get(&id).map(|name| name.name().into_owned()).filter(|name| !name.is_empty());
            if let Some(binding) = decorations.number(id, None, Decoration::Binding) {
                let is_decorated = |decoration| {
                    [Some(id), block].into_iter().flatten().any(|target| decorations.has(target, decoration))
                };
                interface.bindings.insert(Binding {
                    set: decorations.number(id, None, Decoration::DescriptorSet).unwrap_or(0),
                    binding,
                    name: name.clone(),
                    descriptor_type: type_id.and_then(|type_id| {
                        resources::descriptor_type(module, storage_class, type_id, is_decorated)
                    }),
                    count: type_id.map_or(Some(1), |type_id| {
                        resources::descriptor_count(module, type_id, &mut constants)
                    }),
                    stages: stages(id),
                });
            }
            let members = block
                .and_then(|block| module.definition_as(block, Op::TypeStruct))
                .map_or(0, |block| block.words().len().saturating_sub(2));
            if storage_class == StorageClass::PushConstant as u32 {
                let range = block
                    .and_then(|block| {
                        let structures = BTreeSet::from([block]);
                        Layouts::ranges_of(module, &structures, &mut |id| constants.value(id)).remove(&block)
                    })
                    .unwrap_or_default();
                let (offset, size) = push_constant_range(range);
                let (name, stages) = (name.clone(), stages(id));
                interface.push_constants.insert(PushConstants { members, name, offset, size, stages });
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

    /// Returns the part of the interface that is missing in another. Names of variables are ignored. Blocks of push
    /// constants are equal if they have the same number of members.
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

/// Returns the name of an execution model.
fn stage_name(model: u32) -> String {
    match ExecutionModel::from_u32(model) {
        Some(model) => format!("{model:?}"),
        None => model.to_string(),
    }
}

/// Returns offset and size of a VkPushConstantRange with these bytes.
fn push_constant_range(bytes: Range<u64>) -> (u32, u32) {
    let offset = bytes.start / 4 * 4;
    let size = bytes.end.max(offset).div_ceil(4).saturating_mul(4) - offset;
    let number = |bytes: u64| u32::try_from(bytes).unwrap_or(u32::MAX);
    (number(offset), number(size))
}

/// Removes the items whose key exists in the other list.
fn remove<T: Ord, K: Eq + Hash>(items: &mut BTreeSet<T>, others: &BTreeSet<T>, key: impl Fn(&T) -> K) {
    let others: HashSet<K> = others.iter().map(&key).collect();
    items.retain(|item| !others.contains(&key(item)));
}

/// The decorations of an interface: their numbers by target, member and decoration, and the targets of those that decide the type of a descriptor.
#[derive(Default)]
struct BindingDecorations {
    numbers: BTreeMap<(u32, Option<u32>, u32), u32>,
    descriptors: BTreeSet<(u32, u32)>,
}

impl BindingDecorations {
    fn new(module: &loader::Module) -> BindingDecorations {
        let mut decorations = BindingDecorations::default();
        let relevant =
            [Decoration::Binding, Decoration::DescriptorSet, Decoration::Location, Decoration::Component];
        for decoration in module.decorations() {
            let (target, kind) = (decoration.target(), decoration.decoration());
            match decoration.operands() {
                &[number] if relevant.iter().any(|candidate| decoration.is_a(*candidate)) => {
                    decorations.numbers.insert((target, decoration.member(), kind), number);
                }
                [] if decoration.member().is_none() && resources::decides_descriptor(kind) => {
                    decorations.descriptors.insert((target, kind));
                }
                _ => {}
            }
        }
        for applied in module.group_decorations().filter(|applied| applied.is(Op::GroupDecorate)) {
            let group = applied.group();
            for decoration in relevant.map(|decoration| decoration as u32) {
                if let Some(&number) = decorations.numbers.get(&(group, None, decoration)) {
                    let keys = applied.targets().map(|target| (target, None, decoration));
                    decorations.numbers.extend(keys.map(|key| (key, number)));
                }
            }
            let of_group = decorations.descriptors.range((group, 0)..=(group, u32::MAX));
            let kinds: Vec<u32> = of_group.map(|&(_, kind)| kind).collect();
            let all = applied.targets().flat_map(|target| kinds.iter().map(move |&kind| (target, kind)));
            decorations.descriptors.extend(all);
        }
        decorations
    }

    fn number(&self, target: u32, member: Option<u32>, decoration: Decoration) -> Option<u32> {
        self.numbers.get(&(target, member, decoration as u32)).copied()
    }

    fn has(&self, target: u32, decoration: Decoration) -> bool {
        self.descriptors.contains(&(target, decoration as u32))
    }
}

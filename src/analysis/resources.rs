//! Resources of shaders in the terms of Vulkan: types and counts of descriptors, ranges of push constants, and the stages that use them.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

use serde::{Serialize, Serializer};
use spirv::{Decoration, Dim, ExecutionModel, Op, StorageClass};

use super::constants::Constants;
use super::references::graph::ReferenceGraph;
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, views};
use crate::text::csv;

/// A type of descriptors, displayed as the name of a value of VkDescriptorType, such as `VK_DESCRIPTOR_TYPE_STORAGE_BUFFER`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DescriptorType {
    number: u32,
    name: &'static str,
}

impl DescriptorType {
    /// Returns the value in VkDescriptorType.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Returns the name of the descriptor type.
    pub fn name(self) -> &'static str {
        self.name
    }
}

impl fmt::Display for DescriptorType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Serialize for DescriptorType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}

/// A row of `vulkan-descriptors.csv`.
struct DescriptorRow {
    class: StorageClass,
    op: Op,
    dimension: Option<Dim>,
    sampled: Option<u32>,
    decoration: Option<Decoration>,
    descriptor: DescriptorType,
}

static DESCRIPTORS: LazyLock<Vec<DescriptorRow>> =
    LazyLock::new(|| descriptor_rows().filter_map(descriptor_row).collect());
static STAGES: LazyLock<Vec<(ExecutionModel, u32)>> =
    LazyLock::new(|| stage_rows().filter_map(stage_row).collect());

fn descriptor_rows() -> impl Iterator<Item = [&'static str; 9]> {
    csv::rows(include_str!("../../spec-extensions/vulkan-descriptors.csv"))
}

fn descriptor_row(row: [&'static str; 9]) -> Option<DescriptorRow> {
    let [class, _, opcode, dimension, sampled, decoration, name, number, _] = row;
    Some(DescriptorRow {
        class: class.parse().ok()?,
        op: Op::from_u32(opcode.parse().ok()?)?,
        dimension: optional(dimension, |name| name.parse().ok())?,
        sampled: optional(sampled, |number| number.parse().ok())?,
        decoration: optional(decoration, |name| name.parse().ok())?,
        descriptor: DescriptorType { number: number.parse().ok()?, name },
    })
}

/// Parses a field that may be empty.
fn optional<T>(field: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    if field.is_empty() { Some(None) } else { parse(field).map(Some) }
}

fn stage_rows() -> impl Iterator<Item = [&'static str; 3]> {
    csv::rows(include_str!("../../spec-extensions/vulkan-stages.csv"))
}

fn stage_row([model, _, number]: [&'static str; 3]) -> Option<(ExecutionModel, u32)> {
    Some((model.parse().ok()?, csv::number(number)? as u32))
}

/// Returns the bit of VkShaderStageFlags of an execution model; 0 if Vulkan has none.
pub fn stage_flag(model: &str) -> u32 {
    let model: Option<ExecutionModel> = model.parse().ok();
    STAGES.iter().find(|(of_row, _)| Some(*of_row) == model).map_or(0, |(_, flag)| *flag)
}

/// Returns true for a decoration that decides the type of a descriptor.
pub fn decides_descriptor(decoration: u32) -> bool {
    DESCRIPTORS.iter().any(|row| row.decoration.is_some_and(|of_row| of_row as u32 == decoration))
}

/// Returns the type of the descriptor of a variable of a type, which may be an array. `is_decorated` returns true if the variable, or the type
/// without arrays, has a decoration.
pub fn descriptor_type(
    module: &Module,
    class: u32,
    type_id: u32,
    is_decorated: impl Fn(Decoration) -> bool,
) -> Option<DescriptorType> {
    let inst = module.definition(module.without_arrays(type_id))?;
    let image = image_in(module, inst);
    let fits = |row: &&DescriptorRow| {
        row.class as u32 == class
            && inst.is(row.op)
            && row.dimension.is_none_or(|dimension| image.is_some_and(|image| image.0 == dimension as u32))
            && row.sampled.is_none_or(|sampled| image.is_some_and(|image| image.1 == sampled))
            && row.decoration.is_none_or(&is_decorated)
    };
    DESCRIPTORS.iter().find(fits).map(|row| row.descriptor)
}

/// Returns the dimension of an image type, or of the image in a sampled image type, and true if it is sampled.
fn image_in(module: &Module, inst: Instruction) -> Option<(u32, u32)> {
    let image = match inst.op()? {
        Op::TypeSampledImage => module.definition_as(inst.word(2), Op::TypeImage)?,
        Op::TypeImage => inst,
        _ => return None,
    };
    Some((image.word(3), image.word(7)))
}

/// Returns the number of descriptors of a variable of a type: the product of the lengths of its arrays. `None` if an
/// array has no length or an unknown one.
pub fn descriptor_count(module: &Module, type_id: u32, constants: &mut Constants) -> Option<u32> {
    let (mut count, mut inner) = (1u32, type_id);
    while let Some(array) = module.array_type(inner) {
        let length = views::TypeArray::new(*array)?.length();
        count = count.saturating_mul(u32::try_from(constants.value(length)?).unwrap_or(u32::MAX));
        inner = array.element_type();
    }
    Some(count)
}

/// The execution models of the entry points that use each id, themselves or through functions that they call.
pub struct StagesById(Vec<(u32, Vec<bool>)>);

impl StagesById {
    /// Follows the references from the entry points of each execution model.
    pub fn new(module: &Module, references: &ReferenceGraph) -> StagesById {
        let mut roots: IdMap<Vec<u32>> = IdMap::new();
        for entry_point in module.entry_points() {
            roots.entry(entry_point.execution_model()).or_default().push(entry_point.function());
        }
        let reached = |(model, mut open): (u32, Vec<u32>)| {
            let mut is_reached = vec![false; module.bound() as usize];
            while let Some(id) = open.pop() {
                if !std::mem::replace(&mut is_reached[id as usize], true) {
                    references.each_use(module, id, |used| open.push(used));
                }
            }
            (model, is_reached)
        };
        StagesById(roots.into_iter().map(reached).collect())
    }

    /// Returns the execution models that use an id, by their numbers.
    pub fn models(&self, id: u32) -> BTreeSet<u32> {
        self.0.iter().filter(|(_, is_reached)| is_reached[id as usize]).map(|(model, _)| *model).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        assert_eq!(descriptor_rows().count(), DESCRIPTORS.len());
        assert_eq!(stage_rows().count(), STAGES.len());
        for ([_, name, ..], row) in descriptor_rows().zip(&*DESCRIPTORS) {
            assert_eq!(format!("{:?}", row.op), name);
        }
    }
}

//! The structures that a Vulkan device fills (`spec-extensions/vulkan-structures.csv`), the numbers of their values
//! (`spec-extensions/vulkan-values.csv`), and the structures that gather others
//! (`spec-extensions/vulkan-gathered.csv`).

use std::{collections::HashMap, sync::LazyLock};

use crate::loader::Version;
use crate::text::csv;

/// The chain that a structure belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureKind {
    /// VkPhysicalDeviceFeatures2.
    Features,
    /// VkPhysicalDeviceProperties2.
    Properties,
    /// None: the structure is part of VkPhysicalDeviceProperties.
    Core,
}

/// A structure.
#[derive(Debug)]
pub struct Structure {
    /// The name of its type.
    pub name: &'static str,
    /// Features or properties.
    pub kind: StructureKind,
    /// Number of the structure (VkStructureType).
    pub number: u32,
    /// The core version that includes the structure.
    pub version: Option<Version>,
    /// The extensions that add the structure.
    pub extensions: Vec<&'static str>,
    /// A structure of a later core version with the same members.
    gathered: Option<&'static str>,
    /// The members, in their order.
    pub members: Vec<StructureMember>,
}

/// A member of a structure.
#[derive(Debug)]
pub struct StructureMember {
    /// The name.
    pub name: &'static str,
    /// Size of a value in bytes.
    pub size: usize,
    /// Number of values.
    pub count: usize,
    /// Name of the member in the structure of the later version.
    gathered: &'static str,
}

/// Name of a value: one structure and member, whichever structures have the member.
pub type MemberPlace = (&'static str, &'static str);

struct StructureTable {
    structures: Vec<Structure>,
    /// Index of each structure by name and alias.
    numbers: HashMap<&'static str, usize>,
    places: HashMap<MemberPlace, MemberPlace>,
}

static TABLE: LazyLock<StructureTable> = LazyLock::new(|| {
    let mut table =
        StructureTable { structures: Vec::new(), numbers: HashMap::new(), places: HashMap::new() };
    let rows = csv::rows(include_str!("../../../spec-extensions/vulkan-structures.csv"));
    for [name, kind, number, version, extensions, gathered, aliases, members] in rows {
        let index = table.structures.len();
        for name in aliases.split(' ').filter(|alias| !alias.is_empty()).chain([name]) {
            table.numbers.insert(name, index);
        }
        table.structures.push(Structure {
            name,
            kind: match kind {
                "features" => StructureKind::Features,
                "properties" => StructureKind::Properties,
                _ => StructureKind::Core,
            },
            number: number.parse().unwrap_or_default(),
            version: version.parse().ok(),
            extensions: extensions.split(' ').filter(|name| !name.is_empty()).collect(),
            gathered: Some(gathered).filter(|name| !name.is_empty()),
            members: members.split(' ').map(member).collect(),
        });
    }
    for structure in &table.structures {
        let gathering = structure.gathered.and_then(|name| table.structures.get(*table.numbers.get(name)?));
        for member in &structure.members {
            let has = |other: &&Structure| other.members.iter().any(|other| other.name == member.gathered);
            let place = match gathering.filter(has) {
                Some(gathering) => (gathering.name, member.gathered),
                None => (structure.name, member.name),
            };
            table.places.insert((structure.name, member.name), place);
        }
    }
    table
});

/// The structures that a later version gathered: name, number, and the gathering structure.
static GATHERED: LazyLock<Vec<(&str, u32, &str)>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/vulkan-gathered.csv"))
        .filter_map(|[name, number, gathering]| Some((name, number.parse().ok()?, gathering)))
        .collect()
});

static VALUES: LazyLock<HashMap<&str, u64>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/vulkan-values.csv"))
        .filter_map(|[name, value]| Some((name, value.parse().ok()?)))
        .collect()
});

fn member(text: &'static str) -> StructureMember {
    let (text, gathered) = text.split_once('=').map_or((text, None), |(text, name)| (text, Some(name)));
    let (name, layout) = text.split_once(':').unwrap_or((text, "4*1"));
    let (size, count) = layout.split_once('*').unwrap_or(("4", "1"));
    let number = |text: &str| text.parse().unwrap_or(1);
    StructureMember { name, size: number(size), count: number(count), gathered: gathered.unwrap_or(name) }
}

/// Returns the name of a structure of features that a core version gathered, and the structure that gathers it.
pub fn gathered(number: u32) -> Option<(&'static str, &'static str)> {
    let row = GATHERED.iter().find(|(_, other, _)| *other == number);
    row.map(|&(name, _, gathering)| (name, gathering))
}

/// Returns the places of a member of a gathering structure in structures that it gathers.
pub fn places_before<'n>(gathering: &'n str, member: &'n str) -> impl Iterator<Item = MemberPlace> + 'n {
    let of_gathering = all().iter().filter(move |structure| structure.gathered == Some(gathering));
    of_gathering.filter_map(move |structure| {
        let same = structure.members.iter().find(|one| one.gathered == member);
        same.map(|one| (structure.name, one.name))
    })
}

/// Returns all structures.
pub fn all() -> &'static [Structure] {
    &TABLE.structures
}

/// Returns the place of a member's value. The structure may have any of its names. `None` if the member is
/// missing from the table.
pub fn place(structure: &str, member: &str) -> Option<MemberPlace> {
    let structure = &TABLE.structures[*TABLE.numbers.get(structure)?];
    let member = structure.members.iter().find(|one| one.name == member)?;
    TABLE.places.get(&(structure.name, member.name)).copied()
}

/// Returns the structure and the member to use in a version of Vulkan: those of a core version, if it has them.
pub fn place_in(structure: &'static str, member: &'static str, version: Version) -> MemberPlace {
    let known = place(structure, member);
    let gathering = known.and_then(|(name, _)| all().iter().find(|known| known.name == name));
    match (known, gathering.and_then(|gathering| gathering.version)) {
        (Some(known), Some(since)) if since <= version => known,
        _ => (structure, member),
    }
}

/// Returns the structures that an extension adds; none for structures of the core.
pub fn of_extension(extension: &str) -> impl Iterator<Item = &'static str> {
    all()
        .iter()
        .filter(move |structure| structure.extensions.contains(&extension))
        .map(|structure| structure.name)
}

/// Returns the number of a bit or an enumerant.
pub fn value(name: &str) -> Option<u64> {
    match name {
        "VK_TRUE" => Some(1),
        "VK_FALSE" => Some(0),
        _ => VALUES.get(name).copied(),
    }
}

/// Returns true if a property has the required bit, enumerant or Boolean value.
pub fn has_value(property: u64, name: &str) -> bool {
    // `_BIT` is at the end, or an author's suffix follows it. `32_BIT_ONLY` is an enumerant.
    let is_bit = name.rsplit('_').take(2).any(|word| word == "BIT") && !name.ends_with("_ONLY");
    match value(name) {
        Some(value) if is_bit => property & value != 0,
        Some(value) => property == value,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathered_members_have_one_place() {
        let place_of = |structure, member| place(structure, member).unwrap();
        let int64 = ("VkPhysicalDeviceVulkan12Features", "shaderBufferInt64Atomics");
        assert_eq!(place_of("VkPhysicalDeviceShaderAtomicInt64FeaturesKHR", int64.1), int64, "an alias");
        assert_eq!(place_of("VkPhysicalDeviceShaderAtomicInt64Features", int64.1), int64);
        assert_eq!(place_of(int64.0, int64.1), int64);
        assert_eq!(
            place_of("VkPhysicalDeviceSubgroupProperties", "supportedOperations"),
            ("VkPhysicalDeviceVulkan11Properties", "subgroupSupportedOperations"),
            "renamed"
        );
        let member = ("VkPhysicalDeviceShaderAtomicFloatFeaturesEXT", "shaderBufferFloat32AtomicAdd");
        assert_eq!(place_of(member.0, member.1), member);
        assert_eq!(place(member.0, "shaderBuffer"), None);
    }

    #[test]
    fn every_row_is_read() {
        let text = include_str!("../../../spec-extensions/vulkan-structures.csv");
        assert_eq!(all().len(), text.lines().filter(|line| !line.starts_with('#')).count() - 1);
        for structure in all().iter().filter(|structure| structure.kind != StructureKind::Core) {
            assert!(structure.number > 0, "{}", structure.name);
            assert!(structure.version.is_some() || !structure.extensions.is_empty(), "{}", structure.name);
            for member in &structure.members {
                assert!([1, 4, 8].contains(&member.size), "{}", member.name);
            }
            if let Some(gathered) = structure.gathered {
                assert!(TABLE.numbers.contains_key(gathered), "{gathered}");
            }
        }
    }

    #[test]
    fn gathered_structures_are_those_of_the_other_table() {
        for structure in all().iter().filter(|structure| structure.kind == StructureKind::Features) {
            assert_eq!(
                gathered(structure.number).map(|(_, by)| by),
                structure.gathered,
                "{}",
                structure.name
            );
        }
        // No instruction requires its feature.
        let (name, by) = gathered(1_000_207_000).unwrap();
        assert_eq!(
            (name, by),
            ("VkPhysicalDeviceTimelineSemaphoreFeatures", "VkPhysicalDeviceVulkan12Features")
        );
        let half = places_before(by, "shaderFloat16").collect::<Vec<_>>();
        assert_eq!(half, [("VkPhysicalDeviceShaderFloat16Int8Features", "shaderFloat16")]);
        assert_eq!(places_before(by, "shaderOutputLayer").next(), None);
    }

    #[test]
    fn bits_and_enumerants() {
        assert!(
            has_value(0x21, "VK_SHADER_STAGE_COMPUTE_BIT") && !has_value(0x40, "VK_SHADER_STAGE_COMPUTE_BIT")
        );
        assert!(has_value(0x100, "VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV"));
        assert!(has_value(4, "VK_PHYSICAL_DEVICE_TYPE_CPU") && !has_value(5, "VK_PHYSICAL_DEVICE_TYPE_CPU"));
        let independence = |value| has_value(value, "VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY");
        assert!(independence(0) && !independence(1));
        assert!(has_value(1, "VK_TRUE") && !has_value(0, "VK_TRUE") && !has_value(1, "VK_NONE"));
    }
}

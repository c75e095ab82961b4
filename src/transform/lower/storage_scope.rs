//! The features that let memory have narrow types.

use spirv::{Capability, StorageClass};

use crate::transform::trim::Declaration;

/// Memory that may have narrow types by a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NarrowStorage {
    /// Uniform blocks.
    UniformBlocks,
    /// Storage buffers, and uniform blocks: the feature for these includes that for storage buffers.
    Buffers,
    /// Push constants.
    PushConstants,
    /// Memory of work-groups with explicit layouts.
    WorkGroups,
}

impl NarrowStorage {
    /// All of them, in the order in which they are lowered, with the features for 8 and 16 bits.
    pub const ALL: [(NarrowStorage, [(&str, Capability); 2]); 4] = [
        (
            NarrowStorage::UniformBlocks,
            [
                ("UniformAndStorageBuffer8BitAccess", Capability::UniformAndStorageBuffer8BitAccess),
                ("UniformAndStorageBuffer16BitAccess", Capability::UniformAndStorageBuffer16BitAccess),
            ],
        ),
        (
            NarrowStorage::Buffers,
            [
                ("StorageBuffer8BitAccess", Capability::StorageBuffer8BitAccess),
                ("StorageBuffer16BitAccess", Capability::StorageBuffer16BitAccess),
            ],
        ),
        (
            NarrowStorage::PushConstants,
            [
                ("StoragePushConstant8", Capability::StoragePushConstant8),
                ("StoragePushConstant16", Capability::StoragePushConstant16),
            ],
        ),
        (
            NarrowStorage::WorkGroups,
            [
                (
                    "WorkgroupMemoryExplicitLayout8BitAccessKHR",
                    Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
                ),
                (
                    "WorkgroupMemoryExplicitLayout16BitAccessKHR",
                    Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
                ),
            ],
        ),
    ];

    /// The extensions that nothing needs without narrow types in memory.
    pub const EXTENSIONS: [&str; 2] = ["SPV_KHR_8bit_storage", "SPV_KHR_16bit_storage"];

    /// Returns the memory of a feature.
    pub fn new(capability: u32) -> Option<NarrowStorage> {
        let has = |(_, features): &&(_, [(&str, Capability); 2])| {
            features.iter().any(|&(_, feature)| feature as u32 == capability)
        };
        NarrowStorage::ALL.iter().find(has).map(|&(storage, _)| storage)
    }

    /// Returns the condition under which words have the same bits, as a clause.
    pub fn condition(self) -> Option<&'static str> {
        match self {
            NarrowStorage::UniformBlocks => Some("if ranges of uniform buffers are multiples of 16 bytes"),
            NarrowStorage::Buffers => Some(
                "if offsets and ranges of storage buffers are multiples of 4 bytes, and ranges of uniform buffers of 16",
            ),
            NarrowStorage::PushConstants | NarrowStorage::WorkGroups => None,
        }
    }

    /// Returns true for memory of a storage class; `is_old_block` is true for storage buffers of the class Uniform.
    pub fn has(self, class: u32, is_old_block: bool) -> bool {
        match StorageClass::from_u32(class) {
            Some(StorageClass::Uniform) => {
                self == NarrowStorage::Buffers || self == NarrowStorage::UniformBlocks && !is_old_block
            }
            Some(StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer) => {
                self == NarrowStorage::Buffers
            }
            Some(StorageClass::PushConstant) => self == NarrowStorage::PushConstants,
            Some(StorageClass::Workgroup) => self == NarrowStorage::WorkGroups,
            _ => false,
        }
    }

    /// Returns true for a declaration that only this memory may need.
    pub fn may_need(self, declaration: Declaration) -> bool {
        let uses = |(storage, features): &(NarrowStorage, [(&str, Capability); 2]), capability: u32| {
            let is_included = self == NarrowStorage::Buffers && *storage == NarrowStorage::UniformBlocks;
            (*storage == self || is_included)
                && features.iter().any(|&(_, feature)| feature as u32 == capability)
        };
        match declaration {
            Declaration::Capability(number) => NarrowStorage::ALL.iter().any(|all| uses(all, number)),
            Declaration::Extension(name) => NarrowStorage::EXTENSIONS.contains(&name),
        }
    }
}
